"""One table says what each status is called and how it looks, wherever it is shown."""

from typing import get_args

from vivavoce.export.workbook import FILLS
from vivavoce.records import Status
from vivavoce.results.statuses import NOT_ASKED, STATUSES, status_css


def test_every_status_looks_like_no_other() -> None:
    assert tuple(STATUSES) == get_args(Status)
    for name in ("code", "sign", "words", "meaning", "light", "dark", "terminal"):
        found = [getattr(look, name) for look in STATUSES.values()]
        assert len(set(found)) == len(found), name
    assert NOT_ASKED.sign not in {look.sign for look in STATUSES.values()}
    assert NOT_ASKED.code not in {look.code for look in STATUSES.values()}


def test_pages_and_the_workbook_have_the_same_colours() -> None:
    css = status_css()
    for name, look in STATUSES.items():
        assert f"--{name}: #{look.light.lower()};" in css
        assert f"--{name}: #{look.dark.lower()};" in css
        assert FILLS[name].start_color.rgb == f"00{look.light}"
