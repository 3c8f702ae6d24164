"""XML of the Nature Publishing Group (`fm`, `bdy`, `bm`) -> `Draft`."""

from vivavoce.papers.draft import Draft
from vivavoce.papers.markup.publishers import Vocabulary, names, read_with

NATURE = Vocabulary(
    format="nature",
    article=names("article"),
    title=names("atl"),
    body=names("bdy"),
    headings=names("sectitle abshead ackhead bibhead st sec/title"),
    paragraphs=names("p reftxt absp"),
    references=names("bib bm/bibl bibcit"),
    floats=names("fig figure table tbl suppinfo bx"),
    footnotes=names("fn fnp tablefoot"),
    doi=names("doi pubfm/doi"),
    year=names("pubdate idt cpg cpyr date"),
    skip=names(
        "entityspec pubfm revdate jtl vol iss idt categ categtxt figtype sdx cpg cprt colspec websumm "
        "fm/doi fm/hst crosshd headthumb runhd loa pubdate"
    ),
    front=names("aug aff affs kwdg kwd cor corres"),
    blocks=names("list li ol ul"),
    links=names("weblink url"),
    apart=names("au caption figtl tbltl title fnm snm inits cty label"),
    composed=names("au aug aff refau jrnlref"),
    named={"abs": "Abstract", "ack": "Acknowledgements", "bibl": "References"},
    kinds=("article-type", "type", "id"),
)


def read(data: bytes) -> Draft:
    """The article in a file of the Nature Publishing Group's."""
    return read_with(data, NATURE)
