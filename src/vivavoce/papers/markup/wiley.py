"""Wiley's XML (`component`) -> `Draft`."""

from vivavoce.papers.draft import Draft
from vivavoce.papers.markup.publishers import Vocabulary, names, read_with

WILEY = Vocabulary(
    format="wiley",
    article=names("component"),
    title=names("contentmeta/title titlegroup/title"),
    body=names("body"),
    headings=names("section/title abstract/title bibliography/title"),
    paragraphs=names("p"),
    references=names("bib"),
    floats=names("figure tabular featurefixed supportinginformation"),
    footnotes=names("note notegroup"),
    doi=names("publicationmeta/doi"),
    year=names("coverdate event"),
    skip=names(
        "publicationmeta mediaresourcegroup mediaresource numberinggroup countgroup selfcitationgroup "
        "objectnamegroup eventgroup subjectinfo legalstatement colspec accessionid infoasset citation/url "
        "bib/url"
    ),
    front=names("creators affiliationgroup keywordgroup correspondenceto fundinginfo"),
    blocks=names("list listitem blockfixed displayedquotation definitionlist"),
    links=names("link url"),
    labels=names("numbering label"),
    apart=names("label caption creator affiliation keyword displayedformula personname numbering title"),
    composed=names("citation author personname affiliation address fundinginfo name creator"),
    named={"bibliography": "References", "abstract": "Abstract", "acknowledgments": "Acknowledgements"},
)


def read(data: bytes) -> Draft:
    """The article in a file of Wiley's."""
    return read_with(data, WILEY)
