"""Statements in JATS metadata: who paid, where the data is."""

from tests.papers.markup.test_jats import article
from vivavoce.papers.blocks import assemble
from vivavoce.papers.markup.jats import read
from vivavoce.records import Sentence

AWARD = (
    "<funding-group><award-group><funding-source><institution-wrap><institution-id>http://dx.doi.org/10.13039/1"
    "</institution-id><institution>Forest Fund</institution></institution-wrap></funding-source>"
    "<award-id>FF-12/3</award-id><principal-award-recipient><name><surname>Doe</surname><given-names>Jane"
    "</given-names></name></principal-award-recipient></award-group></funding-group>"
)
DATA = (
    "<custom-meta-group><custom-meta><meta-name>Data Availability</meta-name><meta-value>All counts are at "
    "https://example.org/counts.</meta-value></custom-meta><custom-meta><meta-name>PDF pages</meta-name>"
    "<meta-value>12 pages in all</meta-value></custom-meta></custom-meta-group>"
)
REFS = (
    "<ref-list><title>References</title><ref><mixed-citation>Smith J. 2001.</mixed-citation></ref></ref-list>"
)


def sentences(data: bytes) -> list[Sentence]:
    return list(assemble(read(data).blocks)[1])


def in_section(data: bytes, section: str) -> list[str]:
    return [s.text for s in sentences(data) if s.section == section and s.kind == "prose"]


def test_an_award_is_a_sentence_of_the_section_funding() -> None:
    data = article("<p>Text.</p>", AWARD, REFS)
    assert in_section(data, "Funding") == ["Forest Fund, FF-12/3 (to Jane Doe)."]


def test_statements_stand_before_the_references() -> None:
    kinds = [s.kind for s in sentences(article("<p>Text.</p>", AWARD, REFS))]
    assert kinds == ["prose", "heading", "prose", "heading", "reference"]


def test_a_data_statement_in_custom_meta_is_read_and_counts_of_pages_are_not() -> None:
    data = article("<p>Text.</p>", DATA)
    assert in_section(data, "Data availability") == ["All counts are at https://example.org/counts."]
    assert not any("12 pages" in s.text for s in sentences(data))


def test_an_award_that_the_text_has_already_is_not_said_twice() -> None:
    data = article("<p>Paid by Forest Fund, FF-12/3 (to Jane Doe).</p>", AWARD)
    assert in_section(data, "Funding") == []


def test_a_data_set_inside_the_text_is_read_where_it_stands() -> None:
    body = (
        "<sec><title>Data sets</title><p>We made this: <related-object content-type='generated-dataset'>"
        "<collab>Doe J</collab>, <year>2020</year>, <source>Counts of "
        "birds</source></related-object></p></sec>"
    )
    assert in_section(article(body), "Data sets") == ["We made this: Doe J, 2020, Counts of birds"]


def test_a_funding_statement_has_the_section_funding() -> None:
    front = (
        "<funding-group><funding-statement>The fund paid for all of it.</funding-statement></funding-group>"
    )
    assert in_section(article("<p>Text.</p>", front), "Funding") == ["The fund paid for all of it."]


def test_a_correction_says_so() -> None:
    data = article("<p>Text.</p>").replace(b"<article ", b"<article article-type='retraction' ")
    assert [warning.kind for warning in read(data).warnings] == ["retraction"]


def test_a_link_to_the_article_that_is_corrected_says_so() -> None:
    front = "<related-article related-article-type='corrected-article'/>"
    assert [warning.kind for warning in read(article("<p>Text.</p>", front)).warnings] == ["correction"]
