"""Web pages: menus and references, and pages where the paper isn't."""

from vivavoce.papers.markup.html import read

TEXT = "The birds were counted by two people who walked along each path at dawn and wrote down all of them. "
HEAD = '<meta name="citation_title" content="Bird counts">'
MENU = "".join(
    f'<li><a href="/{name}">{name} of the journal</a></li>'
    for name in ("Home", "Issues", "Authors", "News", "Help")
)


def page(body: str, head: str = HEAD) -> bytes:
    return f"<html><head>{head}</head><body>{body}</body></html>".encode()


def kinds(data: bytes) -> list[str]:
    return [warning.kind for warning in read(data).warnings]


ARTICLE = f"<h1>Bird counts</h1><h2>Introduction</h2><p>{TEXT * 3}</p><h2>Methods</h2><p>{TEXT * 3}</p>"


def test_menus_are_no_prose() -> None:
    draft = read(
        page(f"<div><ul>{MENU}</ul></div>{ARTICLE}<div class='sidebar'><p>Most read this week</p></div>")
    )
    assert not any("of the journal" in item.text or "Most read" in item.text for item in draft.blocks)
    assert sum(item.kind == "prose" for item in draft.blocks) == 2


def test_links_to_data_elsewhere_are_no_menu() -> None:
    links = "".join(
        f'<li><a href="https://data{n}.example.org/x">The data of the year {n}</a></li>' for n in range(5)
    )
    assert any(
        "The data of the year 3" in item.text for item in read(page(f"{ARTICLE}<ul>{links}</ul>")).blocks
    )


def test_an_entry_of_the_reference_list_is_one_block() -> None:
    entry = (
        "<li><ol class='authors'><li>Smith J</li><li>Doe A</li></ol><div>Birds.</div><div>2001.</div></li>"
    )
    draft = read(page(f"{ARTICLE}<ol class='ref-list'>{entry * 3}</ol>"))
    found = [item.text for item in draft.blocks if item.kind == "reference"]
    assert found == ["Smith J Doe A Birds. 2001."] * 3


def test_a_heading_in_another_language_opens_the_references() -> None:
    draft = read(page(f"{ARTICLE}<h2>REFERÊNCIAS</h2><p>Silva J. Aves. 2001.</p>"))
    assert [item.text for item in draft.blocks if item.kind == "reference"] == ["Silva J. Aves. 2001."]


def test_the_title_is_no_section_and_may_stand_outside_of_the_article() -> None:
    head = "<h1 class='article-title'>Aves do lago</h1>"
    body = f"<div>{head}</div><article><h1>RESUMO</h1><p>{TEXT * 9}</p></article>"
    assert read(page(body, head="")).title == "Aves do lago"


def test_a_landing_page_says_that_the_paper_is_not_there() -> None:
    body = f"<h1>Bird counts</h1><h2>Abstract</h2><p>{TEXT * 4}</p><p><a href='/pdf'>Download PDF</a></p>"
    assert kinds(page(body)) == ["landing_page"]


def test_a_page_of_search_results_says_so() -> None:
    item = (
        "<div class='r'><h3><a href='/a'>A study of the birds of the lake</a></h3><p>Doe A. 2020.</p></div>"
    )
    assert kinds(page(f"<h1>Search results</h1><p>25 results for birds</p>{item * 25}", head="")) == [
        "search_results"
    ]


def test_a_page_that_a_script_fills_is_empty_and_says_so() -> None:
    draft = read(
        page("<div id='app'></div><noscript>Please enable JavaScript.</noscript>", "<script></script>" * 3)
    )
    assert [warning.kind for warning in draft.warnings] == ["script_page"]
    assert draft.unreadable


def test_a_whole_paper_has_no_such_warning() -> None:
    assert kinds(page(ARTICLE)) == []
