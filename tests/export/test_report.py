"""The report: all of the store is in it, nothing in it runs or loads, the same study gives the same bytes."""

import hashlib
import re
import sys
import time
import tracemalloc
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.export.planted import (
    ANSWERS,
    CODE,
    ID,
    QUESTIONS,
    READERS,
    add,
    answer,
    empty_store,
    evidence,
    planted,
)
from vivavoce import export, questions
from vivavoce.errors import VivaError
from vivavoce.export import report
from vivavoce.export.report import plots
from vivavoce.export.report.answers import reply
from vivavoce.export.table import plain
from vivavoce.questions.files import dump
from vivavoce.records import (
    Closest,
    Decision,
    Doubt,
    Evidence,
    Paper,
    Question,
    QuestionSet,
    Receipt,
    Value,
)
from vivavoce.results.cells import Results
from vivavoce.results.statuses import STATUSES
from vivavoce.store import File, question_key

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</bdi></details></style><svg onload=alert(1)>",
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }} {% raw %} ]]> <!-- -->",
    "\u202egnp.exe\u2066 \u200f",
    "javascript:alert(1)",
    "url(https://evil.example/x) @import 'https://evil.example/y'",
    "$\\frac{1}{0}$ and $x",
    "\ud800 half, \x00 none, \uffff",
)
BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def html(results: Results, to: Path) -> str:
    export.write(results, to)
    return to.read_text(encoding="utf-8")


def tree(text: str) -> Any:
    """The page is well-formed XML, too: whatever a parser forgives is an error here."""
    return etree.fromstring(text.encode())


def words(element: Any) -> str:
    return "".join(element.itertext())


def one_question(folder: Path, question: Question = CODE) -> Results:
    store = empty_store(folder)
    store.set_asked(QuestionSet("one", (question,)))
    store.set_readers(READERS[:1])
    return Results.of(store)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("report")
    return tree(html(planted(folder / "study"), folder / "report.html"))


def rows(page: Any, section: str, table: str = "list") -> list[list[str]]:
    found = page.findall(f".//section[@id='{section}']//table[@class='{table}']//tr")
    return [[" ".join(words(cell).split()) for cell in row] for row in found]


# What is in it


def test_matrix(page: Any) -> None:
    found = rows(page, "matrix", "matrix")
    assert found == [
        ["Paper", "Q1", "Q2", "=Q3", "share"],
        ["1 @Bees, “hives” and noise", "●", "○", "●", "67%"],
        ["2 broken.pdf", "!", "!", "!", "–"],
        ["% reported, of papers read in full", "100", "0", "100", ""],
    ]
    cells = page.findall(".//table[@class='matrix']/tbody/tr/td")
    assert [cell.get("class") for cell in cells] == [
        *("reported review", "not_reported review", "reported review", "total"),
        *["failed review"] * 3,
        "total",
    ]
    assert cells[1][0].get("aria-label") == "not reported, to review"


def test_a_cell_leads_to_its_answer(page: Any) -> None:
    for cell in page.findall(".//table[@class='matrix']/tbody/tr/td/a"):
        body = page.find(f".//div[@id='{cell.get('href')[1:]}']")
        said = " ".join(words(body.getparent().find("summary")).split())
        assert said.startswith(cell.get("aria-label").removesuffix(", to review"))
    assert "@close to it" in words(page.find(".//div[@id='p1-2']"))


def test_every_link_inside_leads_somewhere(page: Any) -> None:
    ids = [element.get("id") for element in page.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    inside = [e.get("href")[1:] for e in page.iter() if (e.get("href") or "").startswith("#")]
    pointed = re.findall(r"url\(#([^)]+)\)", etree.tostring(page, encoding="unicode"))
    labels = " ".join(e.get("aria-labelledby") or "" for e in page.iter()).split()
    assert {*inside, *pointed, *labels} <= set(ids)
    assert len(inside) > 10


def test_every_answer_with_its_quotes_and_pages(page: Any) -> None:
    for position, cell in enumerate(((ANSWERS[0], ANSWERS[1]), ANSWERS[2:4], ANSWERS[4:]), 1):
        body = page.find(f".//div[@id='p1-{position}']")
        for told, block in zip(cell, body.findall("div[@class='reply']"), strict=True):
            head, quotes = words(block.find("p")), block.findall("ul[@class='quotes']/li")
            assert head.split()[0] == told.reader
            assert STATUSES[told.status].words in head
            assert f"{told.confidence:.2f}" in head
            assert [words(quote.find("bdi")) for quote in quotes] == [plain(e.quote) for e in told.evidence]
            assert [words(quote.find("small")) for quote in quotes] == [
                f"p.\u00a0{e.page}" for e in told.evidence
            ]
            assert plain(told.text) in words(block)
    body = words(page.find(".//div[@id='p1-2']"))
    assert "Read 4 pages and 120 sentences to the end" in body
    assert "0.25 @close to it p.\u00a02" in body
    assert "Read with its column heads: Seed: @x" in words(page.find(".//div[@id='p1-3']"))
    assert "tie: alpha says reported, beta says unsupported" in words(page.find(".//div[@id='p1-1']"))


def test_questions_with_their_shares(page: Any) -> None:
    found = rows(page, "questions")
    assert found[1] == ["Q1", "Is a model trained? (screening question)", "1", "0", "1", "100% [21–100]"]
    assert ["Q2", 'Where is the "code", and how is it run? (link)', "0", "1", "1", "0% [0–79]"] in found


def test_variables_and_levels(page: Any) -> None:
    assert rows(page, "variables")[1:] == [
        ["code", "code: Q2", "0", "1", "0% [0–79]"],
        ["all", "both: all of Q2, =Q3", "0", "1", "0% [0–79]"],
        ["any", "both: any of Q2, =Q3", "1", "1", "100% [21–100]"],
        ["Level 1: open", "code", "0", "1", "0% [0–79]"],
        ["Level 2: whole", "code, both", "0", "1", "0% [0–79]"],
    ]
    assert rows(page, "variables", "grid")[1:] == [
        ["1 @Bees, “hives” and noise", "no", "no", "no", "no", "yes"],
        ["2 broken.pdf", *["unknown"] * 5],
    ]


def test_agreement(page: Any) -> None:
    found = rows(page, "agreement")
    assert found[1][:3] == ["alpha and beta", "3", "0.00"]
    assert [row[0] for row in found[3:]] == ["all", "Q1", "Q2", "=Q3"]


def test_agreement_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "krippendorff", None)
    said = words(tree(html(planted(tmp_path / "study"), tmp_path / "a.html")))
    assert "Not computed: krippendorff is not installed: pip install 'vivavoce[stats]'." in said


def test_what_failed_and_why(page: Any) -> None:
    assert rows(page, "failed")[1:] == [
        ["2 broken.pdf", reader, "failed", "3", "is not a whole PDF"] for reader in ("alpha", "beta")
    ]


def test_how_to_recompute_it(page: Any) -> None:
    section = page.find(".//section[@id='recompute']")
    said = words(section)
    assert "--study my-study --reader alpha --reader beta\n" in said
    facts = {words(row[0]): words(row[1]) for row in section.findall(".//dl/div")}
    assert (facts["reader alpha"], facts["reader beta"]) == ("version 1", "version 2.0")
    assert ID in said
    yaml = words(section.find(".//details/pre/code"))
    assert hashlib.sha256(yaml.encode()).hexdigest() in said
    assert yaml == dump(QUESTIONS)


@pytest.mark.parametrize("name", questions.shipped())
def test_the_question_set_can_be_taken_from_the_page(name: str) -> None:
    known = questions.load(name)
    assert questions.parse("x.yaml", dump(known)) == known


def test_each_status_has_its_sign_and_its_colour(tmp_path: Path) -> None:
    results = one_question(tmp_path / "study")
    for number, status in enumerate(STATUSES):
        add(
            results.store,
            f"{number}.pdf",
            (answer(CODE, "alpha", status, reason="so it is"),),
            f"{number}" * 64,
        )
    page = tree(html(Results.of(results.store), tmp_path / "a.html"))
    cells = [row[1] for row in page.findall(".//table[@class='matrix']/tbody/tr")]
    assert [cell.get("class").split()[0] for cell in cells] == list(STATUSES)
    assert [words(cell) for cell in cells] == [STATUSES[status].sign for status in STATUSES]
    assert len({look.sign for look in STATUSES.values()}) == len(STATUSES)
    style = words(page.find(".//style"))
    for number, status in enumerate(STATUSES, 1):
        assert f'.chip.{status}::before {{ content: "{STATUSES[status].sign}";' in style
        assert re.search(rf"\.{status}(?:, \.unknown)? \{{ background: var\(--{status}\)", style)
        assert STATUSES[status].words in words(page.find(f".//div[@id='p{number}-1']/../summary"))
        assert "so it is" in words(page.find(f".//div[@id='p{number}-1']"))


def test_what_people_decided(tmp_path: Path) -> None:
    results = one_question(tmp_path / "study")
    text = "The code is on our shelf."
    store = results.store
    store.add_paper(Paper(ID, "", "text", text, (), (), "Bees"))
    store.set_file(File("/x/bees.pdf", "bees.pdf", ID, "", 1, 1))
    store.add_answer(ID, answer(CODE, "alpha", "reported", "here", confidence=0.6))
    quote = Evidence(text, 1, "exact", 0, len(text))
    store.decide(
        ID,
        question_key(CODE),
        Decision("Ann", "not_reported", reason="a <b>shelf</b> is none", at="2026-01-02T03:04"),
    )
    page = tree(html(Results.of(store), tmp_path / "a.html"))
    cell = page.find(".//table[@class='matrix']/tbody/tr/td")
    assert (cell.get("class"), cell[0].get("aria-label")) == ("not_reported decided", "not reported, decided")
    said = " ".join(words(page.find(".//div[@id='p1-1']")).split())
    assert said.startswith("Ann decided not reported 2026-01-02 03:04 UTC a <b>shelf</b> is none")
    assert "The readers’ own vote reported 0.60 alpha reported 0.60 here" in said
    assert "asked of 1 paper by alpha, reviewed by Ann." in words(page.find(".//header"))
    store.decide(ID, question_key(CODE), Decision("Bob", "reported", "on a shelf", (quote,)))
    page = tree(html(Results.of(store), tmp_path / "b.html"))
    cell = page.find(".//table[@class='matrix']/tbody/tr/td")
    assert cell.get("class") == "reported review"
    body = page.find(".//div[@id='p1-1']")
    assert "To review: reviewers disagree: Ann says not reported, Bob says reported" in words(body)
    assert text in words(body)
    assert rows(page, "agreement")[1] == ["Ann and Bob", "1", "1", "0%", "0.00"]


def test_an_empty_study(tmp_path: Path) -> None:
    store = empty_store(tmp_path / "study")
    assert "There is nothing to show yet." in words(tree(html(Results.of(store), tmp_path / "a.html")))
    store.set_asked(QUESTIONS)
    store.set_readers(READERS)
    add(store, "a.pdf", ())
    page = tree(html(Results.of(store), tmp_path / "b.html"))
    assert [cell.get("class") for cell in page.findall(".//table[@class='matrix']/tbody/tr/td")] == [
        *["none"] * 3,
        "total",
    ]
    assert "3 cells of 3 have not been tried yet." in words(page.find(".//section[@id='failed']"))
    assert "Nothing has been asked of it yet." in words(page.find(".//div[@id='p1']"))


# Answers marked in their quotes


def test_an_answer_made_of_quotes_is_marked_in_them() -> None:
    quotes = (evidence("First it rained. Then\nthe sun shone.", 2), evidence("Nobody came.", 3))
    shown = reply(
        answer(CODE, "a", "reported", "Then the sun shone. [p. 2] Nobody came. [p. 3]", evidence=quotes)
    )
    assert shown.text == ""
    assert shown.quotes[0].pieces == (("First it rained. ", False), ("Then\nthe sun shone.", True))
    assert shown.quotes[1].pieces == (("Nobody came.", True),)


def test_an_answer_in_other_words_is_shown() -> None:
    shown = reply(
        answer(CODE, "a", "reported", "The weather changed.", evidence=(evidence("It rained.", 2),))
    )
    assert (shown.text, shown.quotes[0].pieces) == ("The weather changed.", (("It rained.", False),))


@given(st.text(min_size=1), st.lists(st.tuples(st.integers(0, 60), st.integers(1, 30)), max_size=4))
def test_no_letter_of_a_quote_is_lost(quote: str, cuts: list[tuple[int, int]]) -> None:
    text = " … [p. 1] ".join(quote[start : start + many] for start, many in cuts)
    shown = reply(answer(CODE, "a", "reported", text, evidence=(evidence(quote),)))
    assert "".join(piece for piece, _ in shown.quotes[0].pieces) == plain(quote)


# Nothing in it runs or loads


def hostile(folder: Path) -> Results:
    """A study in which every text that can be is hostile."""
    store = empty_store(folder)
    asked = tuple(Question(text, f"Q{n}{text}", text, text) for n, text in enumerate(HOSTILE))
    asked = tuple(Question(plain(q.text), plain(q.id), plain(q.hints), plain(q.topic)) for q in asked)
    store.set_asked(QuestionSet(plain(HOSTILE[2]), asked, plain(HOSTILE[0]), plain(HOSTILE[1]), HOSTILE[3]))
    readers = [(text, text) for text in map(plain, HOSTILE[:3])]
    store.set_readers(readers)
    for n, text in enumerate(HOSTILE):
        id = f"{n:x}" * 64
        store.add_paper(Paper(id, "", "text", "", (), (), text, f"10.1234/{text}"))
        store.set_file(File(f"/x/{n}", f"{n}{plain(text)}", id, "", 1, 1))
        for question in asked:
            for reader, _ in readers:
                said = answer(
                    question, reader, list(STATUSES)[n % 6], text, evidence=(evidence(text, reading=text),)
                )
                receipt = Receipt(1, 1, (Closest(text, 1, 0.5, 0, 1),))
                links = tuple(
                    Value("link", link) for link in (text, f"https://{text}", f"http://a.example/{text}")
                )
                store.add_answer(
                    id,
                    replace(
                        said,
                        version=reader,
                        reason=text,
                        receipt=receipt,
                        values=links,
                        doubts=(Doubt("other", text),),
                    ),
                )
    return Results.of(store)


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("hostile")
    return html(hostile(folder / "study"), folder / "report.html")


def test_hostile_texts_stay_texts(attacked: str) -> None:
    page = tree(attacked)
    names = {str(element.tag).rsplit("}", 1)[-1] for element in page.iter()}
    assert not names & {
        "script",
        "img",
        "iframe",
        "object",
        "embed",
        "link",
        "base",
        "form",
        "input",
        "video",
    }
    for element in page.iter():
        assert not [name for name in element.attrib if name.lower().startswith("on")]
    body = words(page)
    for text in HOSTILE:
        assert plain(text) in body
    assert "{{ 7 * 7 }}" in body


def test_the_direction_of_writing_is_turned_only_inside_bdi(attacked: str) -> None:
    page = tree(attacked)
    turned = 0
    for element in page.iter():
        for value in element.attrib.values():
            assert not BIDI.search(value)
        inside = element.tag == "bdi" or any(e.tag == "bdi" for e in element.iterancestors())
        if BIDI.search(element.text or ""):
            assert inside
            turned += 1
        if BIDI.search(element.tail or ""):
            assert any(e.tag == "bdi" for e in element.iterancestors())
    assert turned > 10


def test_nothing_is_loaded(attacked: str) -> None:
    page = tree(attacked)
    live = set()
    for element in page.iter():
        for name, value in element.attrib.items():
            assert name.rsplit("}", 1)[-1] not in (
                "src",
                "srcset",
                "style",
                "data",
                "action",
                "ping",
                "poster",
            )
            if name.endswith("href") and not value.startswith("#"):
                assert element.tag == "a"
                live.add(value)
            if name != "title":  # there it is words
                assert set(re.findall(r"url\(([^)]?)", value)) <= {"#"}
    style = words(page.find(".//style"))
    assert "url(" not in style
    assert "@import" not in style
    assert len(page.findall(".//style")) == 1
    # What may be clicked leads to the web, and nowhere else.
    assert {link.split(":")[0] for link in live} <= {"http", "https"}
    assert all(link.startswith(("https://doi.org/10.1234/", "http://a.example/")) for link in live)


def test_the_policy_names_the_one_style_sheet(attacked: str) -> None:
    page = tree(attacked)
    style = words(page.find(".//style"))
    hash = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    (policy,) = (m.get("content") for m in page.iter("meta") if m.get("http-equiv"))
    assert policy == f"default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"
    before = attacked[: attacked.index("<style>")]
    assert "Content-Security-Policy" in before


@pytest.mark.parametrize(
    ("link", "live"),
    [
        ("https://example.org/a?b=c#d", True),
        ("http://example.org", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt://example.org/%0aalert(1)", False),
        ("data:text/html,x", False),
        ("https://user@example.org", False),
        ("https://exa\u202emple.org", False),
        ("https://еxample.org", False),
        ("https://[::1", False),
        ("https://", False),
        ("//example.org", False),
        ("www.example.org", False),
        ("https://example.org/\njavascript:", False),
    ],
)
def test_which_links_are_live(link: str, live: bool) -> None:
    assert report.web(link) == (link if live else "")


# Figures


def test_figures_have_words(page: Any) -> None:
    figures = page.findall(".//figure//{*}svg")
    assert len(figures) == 8  # four, each for a wide page and for a narrow one
    for figure in figures:
        assert figure.get("role") == "img"
        named = [figure.find(f".//*[@id='{id}']") for id in figure.get("aria-labelledby").split()]
        assert [element.tag.rsplit("}", 1)[-1] for element in named] == ["title", "desc"]
        assert all(words(element) for element in named)
    assert 'Q2 Where is the "code", and how is it run?: 0% (0 of 1)' in " ".join(words(figures[0]).split())


def widths(svg: str, kind: str) -> list[float]:
    found = []
    for path in etree.fromstring(svg).iter("{*}path"):
        if path.get("class") == kind:
            xs = [float(x) for x in re.findall(r"[ML] (-?[\d.]+) ", path.get("d", ""))]
            found.append(max(xs) - min(xs))
    return found


@pytest.mark.parametrize("layout", [plots.WIDE, plots.NARROW])
def test_bars_are_as_long_as_their_shares(layout: plots.Layout) -> None:
    lines = [
        plots.Line("half", 0.5, 0.25, 0.75, "50%"),
        plots.Line("none", None, None, None, "nothing known"),
        plots.Line("all", 1.0, 0.9, 1.0, "100%"),
    ]
    svg = plots.bars("k", "t", lines, layout)
    tracks, bars = widths(svg, "fill-track"), widths(svg, "fill-bar")
    assert len(tracks) == 3
    assert bars == pytest.approx([tracks[0] / 2, tracks[0]], rel=1e-3)
    spans = [width for width in widths(svg, "stroke-ink") if width > 1]
    assert spans == pytest.approx([tracks[0] / 2, tracks[0] / 10], rel=1e-2)


# The same, small, and little memory


def test_the_same_study_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    first = html(planted(tmp_path / "one"), tmp_path / "1.html")
    later = time.time() + 100_000_000
    monkeypatch.setattr(time, "time", lambda: later)
    with matplotlib.rc_context({"font.size": 30, "axes.grid": True, "lines.linewidth": 9}):
        second = html(planted(tmp_path / "two"), tmp_path / "2.html")
        assert matplotlib.rcParams["font.size"] == 30
    assert first == second
    assert str(tmp_path) not in first


@pytest.mark.parametrize("module", ["jinja2", "matplotlib"])
def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    results = planted(tmp_path / "study")
    monkeypatch.setitem(sys.modules, module, None)
    says = rf"the report needs {module}, which is not installed: pip install 'vivavoce\[report\]'\."
    with pytest.raises(VivaError, match=says):
        export.write(results, tmp_path / "a.html")
    assert not (tmp_path / "a.html").exists()


def large(folder: Path, papers: int, letters: int = 232) -> Results:
    """Papers x 28 questions, with as much text as the built-in reader gives on real papers: three in four are
    reported, with four quotes of 232 letters; the others have three passages of 183."""
    store = empty_store(folder)
    asked = tuple(
        Question(f"What does the paper say about matter {n}, in full?", f"CQ{n}") for n in range(28)
    )
    store.set_asked(QuestionSet("large", asked))
    store.set_readers(READERS[:1])
    for paper in range(papers):
        answers = [_long(question, paper * 28 + n, letters) for n, question in enumerate(asked)]
        add(store, f"{paper}.pdf", tuple(answers), hashlib.sha256(b"%d" % paper).hexdigest())
    return Results.of(store)


def _long(question: Question, n: int, letters: int) -> Any:
    if n % 4 == 3:
        close = tuple(Closest(_text(n + k, 183), k + 1, 0.1, 0, 183) for k in range(3))
        return answer(question, "alpha", "not_reported", receipt=Receipt(20, 300, close))
    quotes = tuple(evidence(_text(n + k, letters), k + 1) for k in range(4))
    text = " ".join(f"{e.quote} [p. {e.page}]" for e in quotes[:2])
    return answer(question, "alpha", "reported", text, evidence=quotes)


def _text(n: int, letters: int) -> str:
    text = " ".join(f"{word}{n}" for word in ("The", "network", "was", "trained", "with", "<batches>"))
    return (text * (letters // len(text) + 1))[:letters]


@pytest.mark.slow
def test_a_hundred_papers_are_less_than_five_megabytes(tmp_path: Path) -> None:
    export.write(large(tmp_path / "study", 100), tmp_path / "a.html")
    assert 2_000_000 < (tmp_path / "a.html").stat().st_size < 5_000_000


@pytest.mark.slow
def test_memory_does_not_grow_with_the_papers(tmp_path: Path) -> None:
    def written(papers: int) -> tuple[int, int]:
        results, to = large(tmp_path / f"{papers}", papers, letters=4_000), tmp_path / f"{papers}.html"
        tracemalloc.start()
        try:
            export.write(results, to)
            return to.stat().st_size, tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    written(1)  # modules and fonts are there
    size, peak = written(2)
    larger, higher = written(14)
    assert larger - size > 4_000_000
    assert higher - peak < 1_000_000


# What it cost


def test_what_it_cost(tmp_path: Path) -> None:
    store = planted(tmp_path / "study").store
    store.begin({"files": 2})
    used = {
        "kwh": 0.0005,
        "co2e_kg": 0.00002,
        "how": "measured",
        "note": "by <hand>",
        "low": None,
        "high": None,
    }
    store.log("ended", {"cells": 6, "failed": 1, "energy": {"alpha": used}})
    store.begin({"files": 2})
    page = tree(html(Results.of(store), tmp_path / "a.html"))
    found = rows(page, "cost")
    assert found[1] == ["alpha", "1", "812", "45", "$0.0021"]
    assert found[3] == ["alpha", "0.5", "0.02", "measured: by <hand>"]
    assert found[5][0] == "1"
    assert re.fullmatch(r"\d\.\d s", found[5][2])
    assert found[5][3:] == ["6", "1"]
    assert found[6][2] == "did not end"


# It can be read by everybody


def colours(style: str, dark: bool) -> dict[str, str]:
    """Those of light screens; for dark ones, with what is changed there."""
    blocks = re.findall(r"(dark\) \{\s*)?:root \{(.*?)\}", style, re.DOTALL)
    wanted = [block for of_dark, block in blocks if dark or not of_dark]
    return {name: value for block in wanted for name, value in re.findall(r"--([\w-]+): (#\w{6})", block)}


def light(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def pairs() -> Iterator[tuple[str, str]]:
    for ground in ("page", "card"):
        yield from ((ink, ground) for ink in ("ink", "soft", "link"))
    yield from (("on-status", status) for status in (*STATUSES, "track"))
    yield "ink", "mark"


@pytest.mark.parametrize("dark", [False, True])
def test_contrast(page: Any, dark: bool) -> None:
    found = colours(words(page.find(".//style")), dark)
    for ink, ground in pairs():
        high, low = sorted((light(found[ink]), light(found[ground])), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, ground)


def test_headings_and_landmarks(page: Any) -> None:
    assert len(page.findall(".//h1")) == 1
    assert [len(page.findall(f"./body/{name}")) for name in ("header", "main", "footer")] == [1, 1, 1]
    for section in page.findall(".//section"):
        assert words(page.find(f".//*[@id='{section.get('aria-labelledby')}']"))
    for box in page.findall(".//*[@class='scroll']"):
        assert (box.get("tabindex"), bool(box.get("aria-label"))) == ("0", True)
    for head in page.findall(".//thead//th"):
        assert head.get("scope") == "col"
