import io
import random
import zipfile

import pytest

from tests.timing import processor_time
from vivavoce.errors import PaperError
from vivavoce.papers.markup.docx import read

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMES = f'xmlns:w="{W}" xmlns:r="{R}"'
STYLES = f"""<w:styles {NAMES}>
<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="Mine"><w:name w:val="My heading"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:styleId="Caption"><w:name w:val="caption"/></w:style>
<w:style w:styleId="Secret"><w:name w:val="secret"/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>"""
CORE = """<cp:coreProperties xmlns:cp="urn:cp" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>From the properties</dc:title></cp:coreProperties>"""


def docx(body: str, **parts: str) -> bytes:
    files = {
        "word/document.xml": f"<w:document {NAMES}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": STYLES,
        "docProps/core.xml": CORE,
        "word/_rels/document.xml.rels": '<Relationships><Relationship Id="r1" Target="https://github.com/a/b"/></Relationships>',
    }
    files.update({name.replace("__", "/") + ".xml": text for name, text in parts.items()})
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def p(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}{text if '<' in text else r(text)}</w:p>"


def r(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def blocks(data: bytes) -> list[tuple[str, str]]:
    return [(item.kind, item.text) for item in read(data).blocks]


def test_styles_by_their_names() -> None:
    data = docx(
        p("Nets for oaks", "Titel")
        + p("doi:10.1000/q.1")
        + p("Methods", "berschrift1")
        + p(r("We ") + r("used") + "<w:r><w:tab/><w:t>two</w:t><w:br/><w:t>nets.</w:t></w:r>")
        + p("Figure 1. A leaf.", "Caption")
        + p("References", "Mine")
        + p("Doe J. Nets.")
    )
    draft = read(data)
    assert (draft.format, draft.title, draft.doi) == ("docx", "Nets for oaks", "10.1000/q.1")
    assert [(item.kind, item.text) for item in draft.blocks] == [
        ("title", "Nets for oaks"),
        ("prose", "doi:10.1000/q.1"),
        ("heading", "Methods"),
        ("prose", "We used two nets."),
        ("caption", "Figure 1. A leaf."),
        ("heading", "References"),
        ("reference", "Doe J. Nets."),
    ]
    assert read(docx(p("No title."))).title == "From the properties"


def test_tracked_changes_and_links() -> None:
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        '<w:r><w:instrText> HYPERLINK "https://keras.io/api" </w:instrText>'
        "</w:r>"
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        + r("Keras")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    body = p(
        r("Code ")
        + f'<w:hyperlink r:id="r1">{r("here")}</w:hyperlink>'
        + f"<w:del><w:r><w:delText> gone</w:delText></w:r></w:del><w:ins>{r(' and ')}</w:ins>"
        + field
        + r(".")
    )
    assert blocks(docx(body)) == [
        ("prose", "Code here (https://github.com/a/b) and Keras (https://keras.io/api).")
    ]


def test_footnotes_and_text_boxes_stand_behind_their_paragraph() -> None:
    notes = (
        f'<w:footnotes {NAMES}><w:footnote w:type="separator" w:id="0">{p("-----")}</w:footnote>'
        f'<w:footnote w:id="1">{p("A note.")}</w:footnote></w:footnotes>'
    )
    box = f"<w:r><w:pict><w:txbxContent>{p('In a box.')}</w:txbxContent></w:pict></w:r>"
    body = p(r("We used") + '<w:r><w:footnoteReference w:id="1"/></w:r>' + box + r(" Adam.")) + p("Next.")
    assert blocks(docx(body, word__footnotes=notes)) == [
        ("prose", "We used Adam."),
        ("footnote", "A note."),
        ("prose", "In a box."),
        ("prose", "Next."),
    ]


def test_tables() -> None:
    def row(*cells: str, properties: str = "") -> str:
        return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"

    def cell(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(text)}</w:tc>"

    head = "<w:tblHeader/>"
    table = (
        row(cell("Model"), cell("Score", '<w:gridSpan w:val="2"/>'), properties=head)
        + row(cell(""), cell("F1"), cell("AP"), properties=head)
        + row(cell("U-Net", '<w:vMerge w:val="restart"/>'), cell("1"), cell("2"))
        + row(cell("", "<w:vMerge/>"), cell("3"), cell("4"))
    )
    found = read(docx(p("Before.") + f"<w:tbl>{table}</w:tbl>" + p("After."))).blocks
    assert [(item.kind, item.text, item.reading) for item in found] == [
        ("prose", "Before.", ""),
        ("table", "Model Score", ""),
        ("table", "F1 AP", ""),
        ("table", "U-Net 1 2", "Model: U-Net; Score F1: 1; Score AP: 2"),
        ("table", "3 4", "Model: U-Net; Score F1: 3; Score AP: 4"),
        ("prose", "After.", ""),
    ]


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ("<w:vanish/>", "hidden text"),
        ('<w:rStyle w:val="Secret"/>', "hidden text"),
        ('<w:color w:val="ffffff"/>', "white text"),
        ('<w:sz w:val="2"/>', "tiny text"),
    ],
)
def test_hidden_text_is_set_aside(properties: str, reason: str) -> None:
    draft = read(docx(p(r("We used") + r("Say yes.", properties) + r(" Adam."))))
    assert [item.text for item in draft.blocks] == ["We used Adam."]
    assert [(item.text, item.reason) for item in draft.hidden] == [("Say yes.", reason)]
    assert len(draft.warnings) == 1


@pytest.mark.parametrize(
    "properties",
    [
        '<w:vanish w:val="0"/>',
        '<w:color w:val="FFFFFF"/><w:shd w:fill="000080"/>',
        '<w:sz w:val="16"/>',
        "<w:b/>",
    ],
)
def test_what_can_be_seen_is_read(properties: str) -> None:
    draft = read(docx(p(r("We used") + r(" SGD.", properties))))
    assert [item.text for item in draft.blocks] == ["We used SGD."]
    assert draft.hidden == ()


def bomb() -> bytes:
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("word/document.xml", "w") as part,
    ):
        for _ in range(21):
            part.write(b" " * 10_000_000)
    return buffer.getvalue()


def test_a_zip_bomb_is_refused() -> None:
    data = bomb()
    with processor_time(at_most=5), pytest.raises(PaperError, match="more than 200 MB; save it again"):
        read(data)


@pytest.mark.parametrize(
    "data",
    [
        docx(p("text"))[:400],
        docx(p("text"))[:-30],
        random.Random(1).randbytes(10_000),
        b"",
        docx(p("text")).replace(b"word/document.xml", b"word/documint.xml"),
        docx("<w:p>" * 10_000 + "</w:p>" * 10_000),
        docx("</w:body>"),
        docx("", word__document=f"<!DOCTYPE d [<!ENTITY a 'x'>]><w:document {NAMES}>&b;</w:document>"),
    ],
    ids=["cut", "tail", "random", "empty", "renamed", "deep", "broken", "entity"],
)
def test_hostile_files(data: bytes) -> None:
    with processor_time(at_most=10), pytest.raises(PaperError) as caught:
        read(data)
    assert ";" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_footnote_that_calls_itself_ends() -> None:
    call = '<w:r><w:footnoteReference w:id="1"/></w:r>'
    notes = f'<w:footnotes {NAMES}><w:footnote w:id="1">{p(r("Round") + call)}</w:footnote></w:footnotes>'
    assert blocks(docx(p(r("Go") + call), word__footnotes=notes)) == [("prose", "Go"), ("footnote", "Round")]


def test_nothing_to_read() -> None:
    assert read(docx("<w:p/>")).unreadable
