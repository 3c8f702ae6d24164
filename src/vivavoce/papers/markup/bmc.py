"""BioMed Central's XML of before JATS (`art`) -> `Draft`."""

from vivavoce.papers.draft import Draft
from vivavoce.papers.markup.publishers import Vocabulary, names, read_with

BMC = Vocabulary(
    format="bmc",
    article=names("art"),
    title=names("bibl/title"),
    body=names("bdy"),
    headings=names("st"),
    paragraphs=names("p"),
    references=names("refgrp/bibl"),
    floats=names("fig tbl table suppl"),
    footnotes=names("tblfn fn tfoot"),
    doi=names("pubid"),
    year=names("pub cpyrt pubdate"),
    skip=names(
        "ui ji dochead fm/bibl/source history cpyrt xrefbib pubidlist colspec graphic issn bibl/issue fm/note"
    ),
    front=names("aug insg kwdg"),
    blocks=names("ul ol li list"),
    tables=names("tblbdy tgroup"),
    links=names("url ext-link"),
    apart=names("au title p source pubdate volume fpage lpage snm fnm mi publisher ins kwd caption etal cnm"),
    composed=names("au bibl aug insg ins kwdg"),
    named={"abs": "Abstract", "ack": "Acknowledgements", "refgrp": "References"},
)


def read(data: bytes) -> Draft:
    """The article in an old file of BioMed Central's."""
    return read_with(data, BMC)
