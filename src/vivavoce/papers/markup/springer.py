"""Springer's XML (A++: `Publisher` ... `Article`) -> `Draft`."""

from vivavoce.papers.draft import Draft
from vivavoce.papers.markup.publishers import Vocabulary, names, read_with

SPRINGER = Vocabulary(
    format="springer",
    article=names("article chapter"),
    title=names("articletitle chaptertitle"),
    body=names("body"),
    headings=names("heading"),
    paragraphs=names("para simplepara"),
    references=names("citation"),
    floats=names("figure table"),
    footnotes=names("footnote tfooter"),
    doi=names("articledoi chapterdoi"),
    year=names("onlinedate coverdate articlecopyright/copyrightyear"),
    skip=names(
        "articleid chapterid articledoi chapterdoi articlesequencenumber articlecategory articlefirstpage "
        "articlelastpage articlehistory articlecopyright articlegrants articlecontext mediaobject bibarticle "
        "bibbook "
        "bibchapter bibissue citationref/citationref occurrence colspec figure/mediaobject "
        "articlesubtitle/language "
        "articleexternalid equationsource articlenumbering tocentry articletype"
    ),
    front=names("authorgroup keywordgroup affiliation"),
    blocks=names("unorderedlist orderedlist definitionlist itemcontent listitem blockquote formalpara"),
    links=names("externalref refsource"),
    labels=names("captionnumber citationnumber"),
    apart=names(
        "captionnumber captioncontent author affiliation keyword givenname familyname citationnumber equation"
    ),
    composed=names("authorname author contact orgname affiliation"),
    named={"abstract": "Abstract", "acknowledgments": "Acknowledgements", "bibliography": "References"},
)


def read(data: bytes) -> Draft:
    """The article in a file of Springer's."""
    return read_with(data, SPRINGER)
