import pytest

from tests.timing import processor_time
from vivavoce.errors import PaperError
from vivavoce.papers.markup.jats import read

XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'


def article(body: str = "", front: str = "", back: str = "", **kwargs: str) -> bytes:
    return (
        f"{kwargs.get('prolog', '')}<article {XLINK} xmlns:mml='http://www.w3.org/1998/Math/MathML'>"
        f"<front><journal-meta><journal-title>Journal</journal-title></journal-meta>"
        f"<article-meta>{front}</article-meta></front><body>{body}</body><back>{back}</back></article>"
    ).encode()


def blocks(data: bytes) -> list[tuple[str, str]]:
    return [(item.kind, item.text) for item in read(data).blocks]


def test_front_matter() -> None:
    draft = read(
        article(
            front="<article-id pub-id-type='pmid'>7</article-id>"
            "<article-id pub-id-type='doi'>10.1000/ABC.1</article-id>"
            "<title-group><article-title>Nets for <italic>Quercus</italic></article-title></title-group>"
            "<contrib-group><contrib><name><surname>Doe</surname><given-names>Jane</given-names></name>"
            "<xref ref-type='aff'>1</xref></contrib></contrib-group>"
            "<aff><label>1</label><institution>Uni Jena</institution><country>Germany</country></aff>"
            "<pub-date pub-type='ppub'><year>2023</year></pub-date>"
            "<pub-date pub-type='epub'><day>1</day><year>2022</year></pub-date>"
            "<abstract><title>Summary</title><p>We&nbsp;count.</p></abstract>"
            "<kwd-group><kwd>oak</kwd><kwd>CNN</kwd></kwd-group>",
            body="<p>Text.</p>",
        )
    )
    assert (draft.title, draft.doi, draft.year) == ("Nets for Quercus", "10.1000/abc.1", 2022)
    assert draft.warnings == ()
    assert [(item.kind, item.text) for item in draft.blocks] == [
        ("title", "Nets for Quercus"),
        ("front", "Jane Doe"),
        ("front", "1 Uni Jena Germany"),
        ("heading", "Summary"),
        ("prose", "We count."),
        ("front", "oak CNN"),
        ("prose", "Text."),
    ]


def test_floats_are_put_behind_the_paragraph_and_lists_cut_it() -> None:
    assert blocks(
        article(
            "<sec><label>2.1</label><title>Data &amp; code</title>"
            "<p>We used<fn><label>a</label><p>A note.</p></fn> ten"
            "<fig><label>Figure 1</label><caption><title>Setup.</title><p>A camera.</p></caption>"
            "<alt-text>unseen</alt-text><graphic/></fig> images:"
            "<list><list-item><label>i</label><p>oak</p></list-item><list-item><p>elm</p><p>More.</p></list-item></list>"
            "and that is all.</p><sec><title>Inner</title><p>Deep.</p></sec></sec>"
        )
    ) == [
        ("heading", "2.1 Data & code"),
        ("prose", "We used ten images:"),
        ("footnote", "a A note."),
        ("caption", "Figure 1 Setup. A camera."),
        ("prose", "i oak"),
        ("prose", "elm"),
        ("prose", "More."),
        ("prose", "and that is all."),
        ("heading", "Inner"),
        ("prose", "Deep."),
    ]


def test_links_show_their_targets_once() -> None:
    body = (
        "<p>Code <ext-link xlink:href='https://github.com/a/b'>here</ext-link>, "
        "<ext-link xlink:href='https://www.keras.io/'>keras.io</ext-link>, "
        "<ext-link xlink:href='https://doi.org/10.5281/zenodo.1'>doi:10.5281/zenodo.1</ext-link>, "
        "<ext-link xlink:href='mailto:a@b.c'>mail</ext-link>, "
        "<xref ref-type='bibr' rid='r1'>Doe 2020</xref>.</p>"
    )
    assert blocks(article(body)) == [
        ("prose", "Code here (https://github.com/a/b), keras.io, doi:10.5281/zenodo.1, mail, Doe 2020.")
    ]


def test_tables() -> None:
    found = read(
        article(
            "<p>Before<table-wrap><label>Table 1</label><caption><p>Settings.</p></caption><table>"
            "<thead><tr><th rowspan='2'>Parameter</th><th colspan='2'>Model</th></tr>"
            "<tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>Batch<bold>size</bold></td><td>3</td>"
            "<td>32</td></tr></tbody></table>"
            "<table-wrap-foot><fn><p>Chosen by hand.</p></fn></table-wrap-foot>"
            "</table-wrap> after.</p>"
        )
    ).blocks
    assert [(item.kind, item.text, item.reading) for item in found] == [
        ("prose", "Before after.", ""),
        ("caption", "Table 1 Settings.", ""),
        ("table", "Parameter Model", ""),
        ("table", "A B", ""),
        ("table", "Batchsize 3 32", "Parameter: Batchsize; Model A: 3; Model B: 32"),
        ("footnote", "Chosen by hand.", ""),
    ]


def test_formulas() -> None:
    tex = r"\documentclass{minimal}\usepackage{x}\begin{document}$$a_1$$\end{document}"
    power = "<mml:msup><mml:mn>10</mml:mn><mml:mn>-4</mml:mn></mml:msup>"
    mathml = f"<mml:math><mml:mi>lr</mml:mi><mml:mo>=</mml:mo>{power}</mml:math>"
    body = (
        f"<p>With <inline-formula><alternatives><tex-math>{tex}</tex-math>{mathml}</alternatives>"
        "</inline-formula>"
        f" and<disp-formula><label>(1)</label><tex-math>{tex}</tex-math></disp-formula>where 10<sup>-3</sup>"
        " as in Caffe<sup><xref ref-type='bibr'>12</xref></sup>.</p>"
    )
    assert blocks(article(body)) == [("prose", "With lr = 10-4 and (1) a_1 where 10-3 as in Caffe 12.")]


def test_back_matter_and_references() -> None:
    back = (
        "<ack><title>Acknowledgements</title><p>We thank.</p></ack>"
        "<sec sec-type='data-availability'><title>Data availability</title><p>On request.</p></sec>"
        "<fn-group><fn><p>No conflicts.</p></fn></fn-group>"
        "<ref-list><title>References</title>"
        "<ref><label>1</label><element-citation><person-group><name><surname>Jia</surname>"
        "<given-names>Y</given-names></name></person-group><year>2014</year>"
        "<article-title>Caffe</article-title></element-citation></ref>"
        "<ref><mixed-citation><name><surname>Doe</surname>, <given-names>J.</given-names></name> "
        "(<year>2020</year>). "
        "Nets. <ext-link xlink:href='https://doi.org/10.1000/x'>link</ext-link></mixed-citation></ref></ref-list>"
        "<app-group><app><title>Appendix A</title><p>More.</p></app></app-group>"
    )
    assert blocks(article("<p>x</p>", back=back)) == [
        ("prose", "x"),
        ("heading", "Acknowledgements"),
        ("prose", "We thank."),
        ("heading", "Data availability"),
        ("prose", "On request."),
        ("footnote", "No conflicts."),
        ("heading", "References"),
        ("reference", "1 Jia Y 2014 Caffe"),
        ("reference", "Doe, J. (2020). Nets. link (https://doi.org/10.1000/x)"),
        ("heading", "Appendix A"),
        ("prose", "More."),
    ]


def test_wrappers_namespaces_and_what_is_not_the_paper() -> None:
    inner = (
        b"<article xmlns='http://jats.nlm.nih.gov'><front><article-meta><abstract><p>Short.</p></abstract>"
        b"</article-meta></front>"
        b"<sub-article><body><p>Reviewer 2 disagrees.</p></body></sub-article></article>"
    )
    draft = read(
        b"<pmc-articleset>" + inner + b"<article><body><p>Other.</p></body></article></pmc-articleset>"
    )
    assert [item.text for item in draft.blocks] == ["Short."]
    assert [warning.split(":")[0].split(";")[0] for warning in draft.warnings] == [
        "the file holds 2 articles",
        "the file has no full text",
        "the file also holds 1 reviews, replies or translations",
    ]


def test_comments_and_doctype_leave_the_text_whole() -> None:
    prolog = '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "JATS.dtd">'
    assert blocks(article("<p>a<!-- no -->b<?pi no?>c &alpha; &#x3b2;</p>", prolog=prolog)) == [
        ("prose", "abc α β")
    ]


LAUGHS = "<!DOCTYPE article [<!ENTITY a 'lol'>" + "".join(
    f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(12)
)


@pytest.mark.parametrize(
    "data",
    [
        article("<p x='&m;'>text &m;</p>", prolog=LAUGHS + "]>"),
        article("<p>text &x;</p>", prolog='<!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
        article("<p>text</p>", prolog='<!DOCTYPE article SYSTEM "http://127.0.0.1:9/x.dtd">'),
        article("<p>" * 10_000 + "</p>" * 10_000),
        article("<p>text")[:-60],
        b"<" * 5_000_000,
        b"<article>" + bytes(range(256)) * 100,
        b"",
        b"<tei><p>text</p></tei>",
    ],
    ids=["laughs", "external", "dtd", "deep", "truncated", "angles", "random", "empty", "other"],
)
def test_hostile_files(data: bytes) -> None:
    try:
        with processor_time(at_most=20):
            draft = read(data)
    except PaperError as error:
        message = str(error)
        assert message.endswith(".")
        assert ";" in message
        assert "\n" not in message
    else:
        assert [item.text for item in draft.blocks] == ["text"]


def test_entities_of_its_own_are_warned_of() -> None:
    draft = read(article("<p>a &x; b</p>", prolog="<!DOCTYPE article [<!ENTITY x 'secret'>]>"))
    assert [item.text for item in draft.blocks] == ["a b"]
    assert "entities" in draft.warnings[0]


def test_nothing_to_read() -> None:
    assert read(b"<article><body/></article>").unreadable
