"""TEI, as GROBID makes it of PDFs -> `Draft`."""

from vivavoce.papers.draft import Draft
from vivavoce.papers.markup.publishers import Vocabulary, names, read_with

TEI = Vocabulary(
    format="tei",
    article=names("tei"),
    title=names("titlestmt/title"),
    body=names("body"),
    headings=names("div/head"),
    paragraphs=names("p ab"),
    references=names("listbibl/biblstruct listbibl/bibl"),
    floats=names("figure"),
    footnotes=names("note"),
    doi=names("idno"),
    year=names("publicationstmt/date imprint/date"),
    skip=names(
        "encodingdesc titlestmt/funder publicationstmt facsimile analytic/idno ptr "
        "sourcedesc/biblstruct/monogr "
        "sourcedesc figure/graphic teiheader/revisiondesc profiledesc/textclass profiledesc/langusage"
    ),
    front=names("author keywords"),
    blocks=names("list item quote"),
    tables=names("table"),
    links=names("ref"),
    labels=names(""),
    apart=names(
        "label head figdesc persname forename surname title date biblscope formula idno meeting publisher"
    ),
    composed=names("biblstruct analytic monogr imprint persname author pubplace"),
    named={"abstract": "Abstract", "listbibl": "References"},
)


def read(data: bytes) -> Draft:
    """The article in a TEI file."""
    return read_with(data, TEI)
