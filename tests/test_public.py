"""What other people's programs build on: the names in `vivavoce`, and the tree of errors. A change here is a
change for them, and belongs in the changelog."""

import subprocess
import sys

import pytest

import vivavoce
from tests.commands import ENVIRONMENT
from vivavoce import errors

PUBLIC = [
    "Answer",
    "Box",
    "Evidence",
    "InputError",
    "MissingExtra",
    "Paper",
    "PaperError",
    "Passage",
    "Question",
    "ReaderError",
    "Sentence",
    "Study",
    "StudyError",
    "VivaError",
    "__version__",
    "ask",
    "load",
    "locate",
    "picture",
]
TREE = {
    "InputError": "VivaError",
    "MissingExtra": "VivaError",
    "ProcessError": "VivaError",
    "PaperError": "InputError",
    "ReaderError": "VivaError",
    "ReaderStopped": "ReaderError",
    "StudyError": "VivaError",
    "VivaError": "Exception",
}


def test_the_public_names() -> None:
    assert sorted(vivavoce.__all__) == PUBLIC
    for name in PUBLIC:
        assert getattr(vivavoce, name) is not None


def test_nothing_else_is_public() -> None:
    """In a fresh process: every import of a submodule would add its name."""
    code = (
        "import types, vivavoce; print(*sorted(name for name, value in vars(vivavoce).items()"
        " if not name.startswith('_') and not isinstance(value, types.ModuleType)))"
    )
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True)
    assert set(done.stdout.split()) <= {*PUBLIC, "TYPE_CHECKING", "Any"}, done.stderr


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        vivavoce.nothing  # noqa: B018


def test_the_tree_of_errors() -> None:
    found = {
        name: value.__base__.__name__
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, Exception) and value.__base__ is not None
    }
    assert found == TREE
    for name in TREE:
        assert f" {name} " in (errors.__doc__ or "").replace("\n", " \n"), "the picture shows every error"
