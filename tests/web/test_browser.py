"""A study reviewed in a real browser: by keyboard, by mouse, by two people blind and one who settles it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.timing import PATIENCE
from tests.web.served import OWLS, Served, cells, csrf_of, served

pytestmark = pytest.mark.slow

WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


@contextmanager
def opened(
    browser: Any, page: Served, size: dict[str, int] = WIDE, scheme: str = "light", expected: str = "\0"
) -> Iterator[Any]:
    """A tab in which the printed address was opened; nothing may go wrong in it but what is expected, and
    nothing may be fetched from elsewhere."""
    context = browser.new_context(viewport=size, color_scheme=scheme)
    tab = context.new_page()
    tab.set_default_timeout(PATIENCE * 1000)
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    tab.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
    tab.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
    tab.on(
        "request", lambda r: None if r.url.startswith(page.base + "/") else wrong.append(f"fetched {r.url}")
    )
    tab.goto(page.url)
    tab.wait_for_selector("[data-ready]")
    assert "token" not in tab.url
    yield tab
    assert tab.evaluate("window.owned") is None
    context.close()
    assert [text for text in wrong if expected not in text] == []


def open_cell(tab: Any, page: Served, file: str, question: str) -> None:
    """By its address."""
    index = page.session.index()
    row = next(row for row in index.rows if row.paper.file.endswith(file))
    tab.goto(f"{page.base}/cell/{row.slug}/{question}")
    tab.wait_for_selector("#cell[data-shown], #cell:not(:has([data-place]))")


def status(tab: Any) -> str:
    return str(tab.inner_text(".verdict .pill")).split("\n")[-1].strip("●○?×!– ")


def matched(tab: Any, text: str) -> None:
    """Waits until the filters have found just this: a search's answer comes later than its key."""
    tab.wait_for_function("text => document.getElementById('matched').textContent === text", arg=text)


def said(tab: Any, text: str) -> None:
    tab.wait_for_function("text => document.getElementById('toast').textContent.includes(text)", arg=text)


# By keyboard


def test_the_whole_review_by_keyboard(browser: Any, study: Path) -> None:
    with served(study) as page, opened(browser, page) as tab:
        waiting = len(page.session.index().waiting())
        assert waiting >= 5
        assert tab.inner_text("#waiting") == str(waiting)
        tab.keyboard.press("g")
        left = waiting
        while left:
            tab.wait_for_selector(f"#part[data-waiting='{left}'] #cell")
            tab.wait_for_function("() => document.activeElement.id === 'main'")
            if (
                tab.locator("[data-act=accept]").count() == 0
                or tab.locator("[data-act=accept]").is_disabled()
            ):
                break
            tab.keyboard.press("a")
            left -= 1
            if left:
                tab.wait_for_selector(f"#part[data-waiting='{left}']")
        found = cells(study)
        decided = [cell for cell in found.values() if cell.decisions]
        assert len(decided) == waiting - left
        assert {d.reviewer for cell in decided for d in cell.decisions} == {"ada"}
        # What is left can't be decided: the file could not be opened.
        assert all(
            Path(page.session.index().rows[row].paper.file).name == "broken.pdf"
            for row, _ in page.session.index().waiting()
        )


def test_deciding_undoing_and_moving_by_keyboard(browser: Any, study: Path) -> None:
    with served(study) as page, opened(browser, page) as tab:
        tab.keyboard.press("ArrowDown")  # into the grid
        tab.keyboard.press("ArrowRight")
        label = tab.evaluate("document.activeElement.getAttribute('aria-label')")
        assert label.startswith("AUG ")
        tab.keyboard.press("Enter")
        tab.wait_for_selector("#cell")
        assert tab.inner_text(".qid") == "AUG"
        tab.keyboard.press("ArrowRight")
        tab.wait_for_selector(".qid >> text=HARD")
        tab.keyboard.press("ArrowLeft")
        tab.wait_for_selector(".qid >> text=AUG")
        open_cell(tab, page, "bird-songs.pdf", "OPT")
        before = status(tab)
        assert before == "reported"
        tab.keyboard.press("c")
        tab.keyboard.type("it is about another network")
        tab.keyboard.press("Escape")
        tab.keyboard.press("n")
        said(tab, "Decided: not reported.")
        tab.wait_for_selector(".tag.person")
        assert status(tab) == "not reported"
        assert "reported" in tab.inner_text(".vote")  # the panel's own vote stays
        assert "it is about another network" in tab.inner_text(".history")
        cell = cells(study)["bird-songs.pdf", "OPT"]
        assert (cell.verdict.status, cell.vote.status) == ("not_reported", "reported")
        assert cell.decisions[0].reason == "it is about another network"
        tab.keyboard.press("r")
        said(tab, "Decided: reported.")
        tab.keyboard.press("u")
        said(tab, "Undone.")
        tab.wait_for_function(
            "() => document.querySelector('.verdict .pill').textContent.includes('not reported')"
        )
        tab.keyboard.press("u")
        tab.wait_for_function("() => !document.querySelector('.tag.person')")
        assert status(tab) == "reported"
        assert not cells(study)["bird-songs.pdf", "OPT"].decisions
        assert tab.locator(".history li").count() == 4  # nothing is ever taken out of the history
        tab.keyboard.press("m")
        tab.wait_for_selector("#grid")
        tab.keyboard.press("?")
        assert tab.locator("dialog[open]").count() == 1
        tab.keyboard.press("Escape")


def test_a_quote_and_an_answer_typed_by_keyboard(browser: Any, study: Path) -> None:
    quote = "We hung four autonomous sound recorders in one oak woodland"
    with served(study) as page, opened(browser, page, expected="409") as tab:
        open_cell(tab, page, "bird-songs.pdf", "AUG")
        tab.keyboard.press("e")
        tab.wait_for_function("() => document.activeElement.name === 'text'")
        tab.keyboard.press("Control+a")
        tab.keyboard.type("Sound recorders, four of them")
        for _ in range(12):  # to the field for quotes
            tab.keyboard.press("Tab")
            if tab.evaluate("document.activeElement.id") == "quote":
                break
        tab.keyboard.type("these words stand nowhere in this paper at all")
        tab.keyboard.press("Tab")
        tab.keyboard.press("Enter")
        tab.wait_for_selector("#wrong >> text=not in the paper")
        tab.fill("#quote", quote)
        tab.focus("#add-quote")
        tab.keyboard.press("Enter")
        said(tab, "Quote added.")
        for box in tab.locator("#picked input:checked").all()[:-1]:
            box.uncheck()
        tab.focus("#editor textarea[name=text]")
        tab.keyboard.press("Control+Enter")
        said(tab, "Decided: reported.")
        decision = cells(study)["bird-songs.pdf", "AUG"].decisions[0]
        assert decision.text == "Sound recorders, four of them"
        assert [e.quote for e in decision.evidence] == [quote]
        assert decision.evidence[0].boxes


# By mouse


def test_the_quote_is_marked_on_the_page_and_in_view(browser: Any, study: Path) -> None:
    with served(study) as page, opened(browser, page) as tab:
        row = next(r for r in page.session.index().rows if r.paper.file.endswith("camera-traps.pdf"))
        tab.click(f"a.c[href='/cell/{row.slug}/CODE']")
        tab.wait_for_selector("#cell[data-shown='0']")
        place = page.session.places(cells(study)["camera-traps.pdf", "CODE"], None)[0]
        assert tab.locator("rect.on").count() == len(place.boxes)
        seen = tab.evaluate(
            """() => {
              const pane = document.getElementById('viewer').getBoundingClientRect();
              const box = document.querySelector('rect.on').getBoundingClientRect();
              const sheet = document.querySelector('rect.on').closest('.sheet').getBoundingClientRect();
              const image = document.querySelector('rect.on').closest('.sheet').querySelector('img');
              return {inside: box.top >= pane.top && box.bottom <= pane.bottom,
                      drawn: image.naturalWidth > 999,
                      x: (box.left - sheet.left) / sheet.width, y: (box.top - sheet.top) / sheet.height}; }"""
        )
        assert seen["inside"]
        assert seen["drawn"]
        size = page.session.paper(row.paper.id).pages[place.page - 1]
        assert seen["x"] == pytest.approx((place.boxes[0].x0 - 1) / size.width, abs=0.004)
        assert seen["y"] == pytest.approx((place.boxes[0].y0 - 1) / size.height, abs=0.004)


def test_words_selected_on_the_page_become_a_quote(browser: Any, study: Path) -> None:
    with served(study) as page, opened(browser, page) as tab:
        open_cell(tab, page, "bird-songs.pdf", "HARD")
        tab.locator(".viewer").evaluate("pane => { pane.scrollTop = 0; }")
        tab.wait_for_selector(".sheet[data-page='1'] .layer span")
        words = tab.locator(".sheet[data-page='1'] .layer span")
        texts = [text.strip() for text in words.all_inner_texts()]
        first = texts.index("autonomous") - 3
        assert texts[first : first + 6] == ["We", "hung", "four", "autonomous", "sound", "recorders"]
        words.nth(first).scroll_into_view_if_needed()
        a, b = words.nth(first).bounding_box(), words.nth(first + 5).bounding_box()
        tab.mouse.move(a["x"] + 1, a["y"] + a["height"] / 2)
        tab.mouse.down()
        tab.mouse.move(b["x"] + b["width"] * 0.8, b["y"] + b["height"] / 2, steps=8)
        tab.mouse.up()
        tab.click("#use")
        said(tab, "Quote added.")
        tab.fill("#reason", "it says so")
        tab.click("#editor button.primary")
        said(tab, "Decided: reported.")
        decision = cells(study)["bird-songs.pdf", "HARD"].decisions[0]
        assert "We hung four autonomous sound recorders" in [e.quote for e in decision.evidence]
        assert decision.reason == "it says so"


def test_a_paper_without_pages_is_shown_as_text_with_the_quote_marked(browser: Any, study: Path) -> None:
    with served(study) as page, opened(browser, page) as tab:
        open_cell(tab, page, OWLS, "OPT")
        marked = tab.inner_text("mark.on")
        assert "Adam optimiser <script>" in marked
        box, pane = tab.locator("mark.on").first.bounding_box(), tab.locator("#viewer").bounding_box()
        assert pane["y"] <= box["y"] <= pane["y"] + pane["height"]
        tab.locator("mark.on").first.select_text()
        tab.click("#use")
        said(tab, "Quote added.")


def test_the_receipt_leads_to_the_closest_passages(browser: Any, study: Path) -> None:
    with served(study) as page, opened(browser, page) as tab:
        found = cells(study)
        file, question = next(
            k
            for k, c in found.items()
            if c.vote.receipt and c.vote.receipt.closest and k[0].endswith(".pdf") and "/" not in k[1]
        )
        open_cell(tab, page, file, question)
        receipt = found[file, question].vote.receipt
        assert receipt is not None
        assert f"read {receipt.pages} pages" in tab.inner_text("#side")
        tab.click(".close [data-place] >> nth=1")
        tab.wait_for_selector("rect.close.on")


def test_a_file_that_is_gone_leaves_its_text(browser: Any, made: Path, study: Path) -> None:
    paper = made.parent / "papers" / "bird-songs.pdf"
    aside = paper.with_suffix(".aside")
    paper.rename(aside)
    try:
        with served(study) as page, opened(browser, page) as tab:
            open_cell(tab, page, "bird-songs.pdf", "CODE")
            assert "moved or changed" in tab.inner_text(".gone")
            assert "github.com" in tab.inner_text("mark.on >> nth=0")
    finally:
        aside.rename(paper)


# The matrix


def test_filters_find_cells_as_one_types(browser: Any, study: Path) -> None:
    with served(study) as page, opened(browser, page) as tab:
        assert tab.locator("#rows a.c").count() == 25
        tab.keyboard.press("/")
        tab.keyboard.type("dawn-chorus-eleven")
        matched(tab, "1 cell in 1 paper")
        labels = tab.locator("#rows a.c:not(.dim)").evaluate_all("all => all.map((a) => a.ariaLabel)")
        assert len(labels) == 1
        assert labels[0].startswith("CODE ")
        tab.fill("#find", "nothing says this")
        tab.wait_for_selector("#nothing:not([hidden])")
        tab.click("#clear")
        tab.select_option("#status", "f")
        matched(tab, "5 cells in 1 paper")
        tab.select_option("#status", "")
        tab.check("[name=flag][value='2']", force=True)
        matched(tab, "2 cells in 2 papers")
        tab.uncheck("[name=flag][value='2']", force=True)
        tab.select_option("#sort", "title")
        titles = tab.locator("#rows .name bdi").all_inner_texts()
        assert titles == sorted(titles, key=str.lower)
        tab.click(".col >> nth=0")
        signs = [
            tab.locator("#rows tr:not([hidden])").nth(n).locator("a.c").first.inner_text() for n in range(5)
        ]
        assert signs == sorted(signs, key="●○?–×!·".index)


def test_hostile_words_are_letters(browser: Any, study: Path) -> None:
    with served(study) as page, opened(browser, page, expected=" ") as tab:
        assert "<script>" in tab.inner_text("#rows")
        assert "⟦RLO⟧" in tab.content()
        tab.evaluate(
            """() => { const script = document.createElement('script');
                       script.textContent = 'window.inline = 1'; document.body.append(script); }"""
        )
        assert tab.evaluate("window.inline") is None  # the policy forbids it
        image = '<img src="/static/none.svg" onerror="window.inline = 2">'
        tab.evaluate("html => document.getElementById('toast').insertAdjacentHTML('beforeend', html)", image)
        tab.wait_for_timeout(100)
        assert tab.evaluate("window.inline") is None


# Two reviewers, blind, and one who settles it


def decide(browser: Any, study: Path, name: str, keys: dict[str, str]) -> None:
    """A blind reviewer decides some cells of a paper, each with a key."""
    with served(study, name, blind=True) as page, opened(browser, page) as tab:
        for question, key in keys.items():
            open_cell(tab, page, "camera-traps.pdf", question)
            assert not tab.locator(".history li").count()
            assert not tab.locator(".tag.person").count()
            tab.keyboard.press(key)
            tab.wait_for_selector(".tag.person")
        tab.goto(f"{page.base}/agreement")
        assert "Hidden" in tab.inner_text("main")


def test_two_reviewers_blind_and_an_adjudicator(browser: Any, study: Path) -> None:
    decide(browser, study, "ada", {"CODE": "r", "AUG": "a", "OPT": "r"})
    decide(browser, study, "ben", {"CODE": "n", "AUG": "a", "OPT": "r"})
    found = cells(study)
    assert found["camera-traps.pdf", "OPT"].verdict.version == "decided"
    with served(study, "cleo", adjudicate=True) as page, opened(browser, page) as tab:
        assert tab.inner_text("#waiting") == "1"
        tab.goto(f"{page.base}/agreement")
        row = tab.inner_text(".plain tbody")
        assert row.split("\t")[0] == "ada and ben"
        assert [int(n) for n in row.split("\t")[1:3]] == [3, 1]
        tab.keyboard.press("g")
        tab.wait_for_selector(".sides")
        assert "ada" in tab.inner_text(".voices")
        assert "ben" in tab.inner_text(".voices")
        tab.keyboard.press("2")
        tab.wait_for_selector("h1 >> text=Nothing left to settle")
    cell = cells(study)["camera-traps.pdf", "CODE"]
    assert cell.verdict.status == "not_reported"
    assert [(d.reviewer, d.kind) for d in cell.decisions] == [
        ("ada", "review"), ("ben", "review"), ("cleo", "adjudication"),
    ]  # fmt: skip


# For everybody


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_axe_finds_no_barrier(browser: Any, study: Path, size: dict[str, int], scheme: str) -> None:
    axe = Path(pytest.importorskip("axe_playwright_python").__file__).parent / "axe.min.js"
    with served(study, "ben") as page, page.client() as client:
        slug = next(r.slug for r in page.session.index().rows if r.paper.file.endswith("camera-traps.pdf"))
        token = {"X-CSRF-Token": csrf_of(client)}
        for action in (
            {"action": "accept"},
            {"action": "correct", "status": "not_reported", "reason": "why"},
        ):
            assert client.post(f"/cell/{slug}/CODE", json=action, headers=token).status_code == 200
    with served(study) as page, opened(browser, page, size, scheme) as tab:
        with page.client() as client:
            token = {"X-CSRF-Token": csrf_of(client)}
            assert client.post(
                f"/cell/{slug}/CODE", json={"action": "correct", "status": "reported"}, headers=token
            ).is_success

        options: dict[str, Any] = {"resultTypes": ["violations"]}
        if scheme == "dark":  # the same page in other colours
            options["runOnly"] = ["color-contrast"]

        def check(what: str) -> None:
            tab.evaluate(axe.read_text(encoding="utf-8") + "; undefined")
            found = tab.evaluate("options => axe.run(document, options)", options)["violations"]
            bad = [
                (v["id"], v["nodes"][0]["html"][:200])
                for v in found
                if v["impact"] in ("serious", "critical")
            ]
            assert not bad, f"{what}: {bad}"
            wide = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{what} is {wide} px wider than the window"

        check("matrix")
        tab.select_option("#status", "n")
        tab.wait_for_selector("a.c.dim")
        check("filtered matrix")
        tab.select_option("#status", "")
        tab.focus("main")
        tab.keyboard.press("?")
        check("help")
        tab.keyboard.press("Escape")
        for file, question in (
            ("camera-traps.pdf", "CODE"),
            ("camera-traps.pdf", "AUG"),
            (OWLS, "OPT"),
            ("broken.pdf", "OPT"),
        ):
            open_cell(tab, page, file, question)
            if file == "camera-traps.pdf":
                tab.wait_for_selector(".layer span")
            check(f"{file} {question}")
            if question == "AUG":
                tab.keyboard.press("e")
                check("editor")
        for path in ("/agreement", "/done"):
            tab.goto(page.base + path)
            check(path)


def test_an_empty_study_says_what_to_do(browser: Any, tmp_path: Path) -> None:
    from vivavoce.study.study import Study

    Study.create(tmp_path / "empty").close()
    with served(tmp_path / "empty") as page:
        context = browser.new_context(viewport=WIDE)
        tab = context.new_page()
        tab.goto(page.url)
        assert "viva run" in tab.inner_text("main")
        tab.keyboard.press("g")
        tab.wait_for_selector("h1 >> text=Nothing left to review")
        context.close()


def test_another_site_can_neither_frame_it_nor_write_to_it(browser: Any, study: Path, tmp_path: Path) -> None:
    """A page of another origin, in the browser that is signed in."""
    with served(study) as page:
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(page.url)
        address = next(
            f"/cell/{r.slug}/OPT"
            for r in page.session.index().rows
            if r.paper.file.endswith("bird-songs.pdf")
        )
        hostile = tmp_path / "hostile.html"
        hostile.write_text(
            f"""<iframe src="{page.base}/"></iframe>
            <form id=f method=post action="{page.base}{address}" target=t enctype="text/plain">
            <input name='{{"action":"accept","x":"' value='"}}'></form><iframe name=t></iframe>
            <script>document.getElementById('f').submit();
            fetch("{page.base}/api/matrix", {{credentials: 'include'}})
              .then(() => window.got = 1, () => window.got = 0)</script>"""
        )
        other = context.new_page()
        other.goto(hostile.as_uri())
        other.wait_for_function("() => window.got !== undefined")
        assert other.evaluate("window.got") == 0
        other.wait_for_timeout(300)
        assert not any("Papers and questions" in frame.content() for frame in other.frames[1:])
        context.close()
    assert not any(cell.decisions for cell in cells(study).values())
