"""The store that the tests of this folder begin with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.sample import SET
from vivavoce.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store.open(tmp_path, create=True)
    made.set_asked(SET)
    made.set_readers([("builtin", "1")])
    yield made
    made.close()
