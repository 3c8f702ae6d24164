"""Elsevier's XML (`doc:document`, `full-text-retrieval-response`, or a bare `article`) -> `Draft`."""

from vivavoce.papers.draft import Draft
from vivavoce.papers.markup.publishers import Vocabulary, names, read_with

ELSEVIER = Vocabulary(
    format="elsevier",
    article=names("article converted-article simple-article book-review exam chapter simple-chapter"),
    title=names("head/title"),
    body=names("body rawtext"),
    headings=names("section-title"),
    paragraphs=names("para simple-para note-para"),
    references=names("bib-reference"),
    floats=names("figure table e-component textbox"),
    footnotes=names("footnote table-footnote legend"),
    doi=names("item-info/doi coredata/doi description/doi"),
    year=names("coverdate coverdisplaydate date-accepted copyright"),
    skip=names(
        "rdf coredata document-properties item-info meta objects scopus-id scopus-eid pubmed-id link links "
        "alt-text "
        "dochead article-number jid aid pii alt-title alt-subtitle stereochem colspec float-anchor source "
        "figure/copyright table/copyright miscellaneous editors presented doctopics shadow"
    ),
    front=names(
        "author-group keywords keyword article-footnote date-received date-revised date-accepted copyright"
    ),
    blocks=names("list list-item def-list displayed-quote enunciation biography glossary-entry"),
    links=names("inter-ref link"),
    apart=names("label caption display formula sup-label author affiliation keyword surname given-name"),
    composed=names(
        "reference contribution host issue series pages author authors title book edited-book e-host "
        "affiliation "
        "bib-reference book-series publisher date"
    ),
    named={"acknowledgment": "Acknowledgements", "bibliography": "References", "abstract": "Abstract"},
)


def read(data: bytes) -> Draft:
    """The article in a file of Elsevier's."""
    return read_with(data, ELSEVIER)
