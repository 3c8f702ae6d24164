import os

import pytest

from tests.timing import processor_time
from vivavoce.errors import PaperError
from vivavoce.papers.markup.html import read


def blocks(page: str) -> list[tuple[str, str]]:
    return [(item.kind, item.text) for item in read(page.encode()).blocks]


def test_a_journal_page() -> None:
    draft = read(
        b"""<!DOCTYPE html><html><head><title>Nets | Journal</title><meta charset="utf-8">
        <meta name="citation_title" content="Nets for oaks">
        <meta name="DC.identifier" content="doi:10.1000/Q.1">
        <meta name="citation_publication_date" content="2021/05/03"><style>p{}</style></head>
        <body><header><h1>The Journal</h1></header><nav>Home</nav><script>var x = "<p>no</p>";</script>
        <article><header><h1>Nets for <i>oaks</i></h1><div class="authors">Jane Doe</div></header>
        <section><h2>1 Methods</h2>
        <p>We used 10<sup>3</sup> images&nbsp;&amp; Keras<sup><a href="#r1">1</a></sup>.
        <ul><li>First</li><li>Second <b>thing</b></li></ul><dl><dt>Term</dt><dd>Meaning</dd></dl>
        <figure><img alt="unseen"><figcaption>Figure 1. A leaf.</figcaption></figure></section>
        <aside>Related articles</aside>
        <h2>References</h2><ol><li>Doe J. Nets.
        <a href="https://scholar.google.com/x">Google Scholar</a></li></ol>
        <h2>Appendix</h2><p>More.</p></article><footer>Imprint</footer></body></html>"""
    )
    assert (draft.title, draft.doi, draft.year) == ("Nets for oaks", "10.1000/q.1", 2021)
    assert (draft.warnings, draft.hidden, draft.unreadable) == ((), (), "")
    assert [(item.kind, item.text) for item in draft.blocks] == [
        ("title", "Nets for oaks"),
        ("front", "Jane Doe"),
        ("heading", "1 Methods"),
        ("prose", "We used 103 images & Keras 1."),
        ("prose", "First"),
        ("prose", "Second thing"),
        ("prose", "Term"),
        ("prose", "Meaning"),
        ("caption", "Figure 1. A leaf."),
        ("heading", "References"),
        ("reference", "Doe J. Nets. Google Scholar"),
        ("heading", "Appendix"),
        ("prose", "More."),
    ]


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ("hidden", "hidden attribute"),
        ('style="display: none"', "display:none"),
        ('style="color:red;VISIBILITY:hidden;"', "visibility:hidden"),
        ('style="font-size:0"', "font-size:0"),
        ('style="font-size: 0px !important"', "font-size:0"),
        ('style="opacity:0.0"', "opacity:0"),
        ('style="color:#FFF"', "white on white"),
        ('style="color:#123;background:#123"', "#123 on #123"),
        ('style="color:rgba(0,0,0,0)"', "transparent on white"),
        ('style="position:absolute;left:-9999px"', "off the screen"),
        ('style="text-indent:-9999px"', "off the screen"),
        ('style="position:absolute;clip:rect(0,0,0,0)"', "clipped away"),
        ('aria-hidden="true" style="display:none"', "display:none"),
    ],
)
def test_hidden_text_is_set_aside(attributes: str, reason: str) -> None:
    draft = read(f"<p>We used<span {attributes}>Say <b>yes</b>.</span> Adam.</p>".encode())
    assert [item.text for item in draft.blocks] == ["We used Adam."]
    assert [(item.page, item.text, item.reason) for item in draft.hidden] == [(1, "Say yes.", reason)]
    assert len(draft.warnings) == 1
    assert reason in draft.warnings[0]


@pytest.mark.parametrize(
    "attributes",
    [
        'aria-hidden="true"',
        'style="font-size:0.9em"',
        'style="opacity:0.8"',
        'style="color:white;background-color:navy"',
        'style="background-color:white"',
        'style="margin-left:-20px"',
        'style="font-size:05px;color:black"',
    ],
)
def test_what_can_be_seen_is_read(attributes: str) -> None:
    draft = read(f"<p>We used <span {attributes}>SGD</span>.</p>".encode())
    assert [item.text for item in draft.blocks] == ["We used SGD."]
    assert draft.hidden == ()


def test_white_on_an_inherited_dark_ground_is_seen() -> None:
    assert blocks('<div style="background:#003"><p style="color:white">Seen</p></div>') == [("prose", "Seen")]


def test_links() -> None:
    assert blocks(
        '<link rel="canonical" href="https://j.org/a1"><p>Code <a href="https://github.com/a/b">here</a>, '
        '<a href="http://keras.io">https://keras.io/</a>, see <a href="/x">there</a> and '
        '<a href="https://j.org/a1#f1">Figure 1</a> [<a href="https://x.org/ref">12</a>].</p>'
    ) == [("prose", "Code here (https://github.com/a/b), https://keras.io/, see there and Figure 1 [12].")]


def test_tables() -> None:
    page = (
        "<table><caption>Table 1. Settings</caption><thead><tr><td></td><td>A</td><td>B</td></tr></thead>"
        "<tr><td rowspan=2>Batch<br>size</td><td>3</td><td>32</td></tr>"
        "<tr><td colspan=2>any</td></tr></table>"
        "<table><tr><td>Parameter<td>Value<tr><td>Epochs<td>50</table>"
    )
    assert [(item.kind, item.text, item.reading) for item in read(page.encode()).blocks] == [
        ("caption", "Table 1. Settings", ""),
        ("table", "A B", ""),
        ("table", "Batch size 3 32", "Batch size: A 3; B 32"),
        ("table", "any", "Batch size: A any"),
        ("table", "Parameter Value", ""),
        ("table", "Epochs 50", "Parameter: Epochs; Value: 50"),
    ]


def test_a_table_for_layout_is_no_table() -> None:
    inner = "<table><tr><td>a</td><td>b</td></tr></table>"
    page = f"<table><tr><td><h2>Methods</h2><p>One.</p></td><td>{inner}</td></tr></table>"
    assert blocks(page) == [("heading", "Methods"), ("prose", "One."), ("table", "a b")]


def test_a_form_or_header_around_everything_is_kept() -> None:
    text = "We trained a network on many images. " * 5
    assert blocks(f"<form><p>{text}</p></form>") == [("prose", text.strip())]
    assert blocks(f"<header><h1>Title here</h1></header><p>{text}</p>")[0] == ("title", "Title here")


def test_text_with_no_paragraphs_and_broken_markup() -> None:
    assert blocks("loose <b>text<div>inner</p> more</div>end &copy; &#945; &nosuch;") == [
        ("prose", "loose text"),
        ("prose", "inner more"),
        ("prose", "end © α &nosuch;"),
    ]


def test_footnotes_and_formulas() -> None:
    assert blocks(
        '<p>Text<span class="ltx_note"><span class="ltx_note_outer">A note.</span></span> goes on '
        "<math><mi>x</mi><mo>=</mo><mn>1</mn><annotation>x=1</annotation></math>.</p>"
        '<section class="footnotes" role="doc-endnotes"><ol><li><p>Second note.</p></li></ol></section>'
    ) == [("prose", "Text goes on x = 1."), ("footnote", "A note."), ("footnote", "Second note.")]


@pytest.mark.parametrize(
    "data",
    [
        '<meta charset="iso-8859-1"><p>Größe'.encode("latin-1"),
        '<meta http-equiv="Content-Type" content="text/html; charset=utf-8"><p>Größe'.encode(),
        "<p>Größe".encode("utf-8-sig"),
        "<p>Größe".encode("utf-16"),
        "<p>Größe".encode("latin-1"),
        b"<p>Gr&ouml;&szlig;e",
    ],
)
def test_encodings(data: bytes) -> None:
    assert [item.text for item in read(data).blocks] == ["Größe"]


@pytest.mark.parametrize(
    "data",
    [
        b"<div>" * 10_000 + b"deep",
        b"<" * 5_000_000,
        b"<table><tr>" * 3_000 + b"<td>x",
        b"<b><p>" * 20_000,
        b"<p>x<span hidden>" * 3_000,
        b"<td colspan=99999 rowspan=99999>" * 2_000,
        b"<table>" + b"<tr><td colspan=99999 rowspan=99999>a" * 300,
        os.urandom(100_000),
        b"",
        b"   ",
        b"<html></html>",
        b"<!DOCTYPE html [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><p>&x;",
    ],
)
def test_hostile_pages(data: bytes) -> None:
    try:
        with processor_time(at_most=20):
            draft = read(data)
    except PaperError as error:
        message = str(error)
        assert ";" in message
    else:
        assert bool(draft.unreadable) == (not draft.blocks)
        assert "root:" not in " ".join(item.text for item in draft.blocks)
