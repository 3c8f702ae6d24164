"""XML of the Royal Society of Chemistry (`art-front`, `art-body`, `art-back`) -> `Draft`."""

from vivavoce.papers.draft import Draft
from vivavoce.papers.markup.publishers import Vocabulary, names, read_with

RSC = Vocabulary(
    format="rsc",
    article=names("article"),
    title=names("titlegrp/title"),
    body=names("art-body"),
    headings=names(
        "section/title subsect1/title subsect2/title subsect3/title subsect4/title ack/title subsect/title"
    ),
    paragraphs=names("p"),
    references=names("citgroup"),
    floats=names("figure table-entry chart scheme table"),
    footnotes=names("footnote tfn"),
    doi=names("doi art-admin/doi"),
    year=names("published/date pubfront/date published date received"),
    skip=names(
        "art-admin published art-toc-entry art-links suppinf fpage lpage no-of-pages cpyrt office ms-id "
        "journalref "
        "art-toc-text titlegrp/art-toc colspec received accepted date"
    ),
    front=names("authgrp aff email keyword"),
    blocks=names("list item ugraphic"),
    links=names("url"),
    labels=names("no"),
    apart=names(
        "title caption citauth fname surname year volumeno pages titleref person persname author titlestrip"
    ),
    composed=names("journalcit citext citauth authname person persname author citgroup"),
    named={"abstract": "Abstract", "ack": "Acknowledgements", "biblist": "References"},
)


def read(data: bytes) -> Draft:
    """The article in a file of the Royal Society of Chemistry's."""
    return read_with(data, RSC)
