"""Publishers' own XML: the same small paper in each of them, read alike."""

import pytest

from tests.timing import processor_time
from vivavoce.errors import PaperError
from vivavoce.papers.formats import format_of
from vivavoce.papers.limits import Limits
from vivavoce.papers.recognition import format_name

METHODS = (
    "The birds were counted by two people who walked along each path at dawn and wrote down all of them."
)
ENTRY = "Smith J. Birds of the lake. 2001."

PAPERS = {
    "elsevier": f"""<?xml version="1.0"?><article xmlns="http://www.elsevier.com/xml/ja/dtd"
        xmlns:ce="http://www.elsevier.com/xml/common/dtd"><item-info><jid>X</jid>
        <ce:doi>10.1016/j.x.2010.01.002</ce:doi>
        </item-info><head><ce:title>Counting
        birds</ce:title></head><body><ce:sections><ce:section><ce:label>1</ce:label>
        <ce:section-title>Methods</ce:section-title><ce:para>{METHODS}</ce:para></ce:section></ce:sections>
        </body>
        <tail><ce:bibliography><ce:section-title>References</ce:section-title><ce:bibliography-sec>
        <ce:bib-reference>
        <ce:other-ref><ce:textref>{ENTRY}</ce:textref></ce:other-ref></ce:bib-reference></ce:bibliography-sec>
        </ce:bibliography></tail></article>""",
    "nature": f"""<article><fm><atl>Counting birds</atl><doi>10.1038/x1</doi></fm><bdy><sec>
        <sectitle>Methods</sectitle>
        <p>{METHODS}</p></sec></bdy><bm><bibl><bib
        id="b1"><reftxt>{ENTRY}</reftxt></bib></bibl></bm></article>""",
    "rsc": f"""<article type="ART"><art-admin><doi>10.1039/c1</doi></art-admin><art-front><titlegrp>
        <title>Counting birds
        </title></titlegrp></art-front><art-body><section><no>1.</no><title>Methods</title><p>{METHODS}</p>
        </section>
        </art-body><art-back><biblist><citgroup><citext>{ENTRY}</citext></citgroup></biblist></art-back>
        </article>""",
    "springer": f"""<?xml version="1.0"?><Publisher><Journal><Article><ArticleInfo>
        <ArticleDOI>10.1007/s1</ArticleDOI>
        <ArticleTitle>Counting
        birds</ArticleTitle></ArticleInfo><Body><Section1><Heading>Methods</Heading><Para>{METHODS}
        </Para></Section1></Body><ArticleBackmatter><Bibliography><Heading>References</Heading><Citation>
        <BibArticle>
        <Year>2001</Year></BibArticle><BibUnstructured>{ENTRY}</BibUnstructured></Citation></Bibliography>
        </ArticleBackmatter></Article></Journal></Publisher>""",
    "wiley": f"""<component xmlns="http://www.wiley.com/namespaces/wiley"><header>
        <publicationMeta level="product"><doi>
        10.1002/(ISSN)1</doi></publicationMeta><publicationMeta
        level="unit"><doi>10.1002/x1</doi></publicationMeta>
        <contentMeta><titleGroup><title type="main">Counting birds</title><title
        type="short">BIRDS</title></titleGroup>
        </contentMeta></header><body><section><title>Methods</title><p>{METHODS}</p></section>
        <bibliography><bib>
        <citation>{ENTRY}</citation></bib></bibliography></body></component>""",
    "bmc": f"""<?xml version="1.0"?><art><ui>1</ui><fm><bibl><title><p>Counting birds</p></title><xrefbib>
        <pubid
        idtype="doi">10.1186/x1</pubid></xrefbib></bibl></fm><bdy><sec><st><p>Methods</p></st>
        <p>{METHODS}</p></sec></bdy>
        <bm><refgrp><bibl><title><p>{ENTRY}</p></title></bibl></refgrp></bm></art>""",
    "tei": f"""<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>
        <titleStmt><title>Counting
        birds</title></titleStmt><sourceDesc><biblStruct><idno
        type="DOI">10.1111/x1</idno></biblStruct></sourceDesc>
        </fileDesc></teiHeader><text><body><div><head>Methods</head><p>{METHODS}</p></div></body><back>
        <div><listBibl>
        <biblStruct><analytic><title>{ENTRY}</title></analytic></biblStruct></listBibl></div></back></text>
        </TEI>""",
}
DOIS = {
    "elsevier": "10.1016/j.x.2010.01.002", "nature": "10.1038/x1", "rsc": "10.1039/c1",
    "springer": "10.1007/s1",
    "wiley": "10.1002/x1", "bmc": "10.1186/x1", "tei": "10.1111/x1",
}  # fmt: skip


@pytest.mark.parametrize("name", PAPERS)
def test_title_doi_headings_text_and_references(name: str) -> None:
    data = PAPERS[name].encode()
    format = format_of(data, "paper.xml")
    assert format.name == name
    draft = format.read(data, Limits())
    assert (draft.title, draft.doi) == ("Counting birds", DOIS[name])
    assert [item.text for item in draft.blocks if item.kind == "prose"] == [METHODS]
    assert [item.text for item in draft.blocks if item.kind == "reference"] == [ENTRY]
    assert any(item.kind == "heading" and item.text.endswith("Methods") for item in draft.blocks)
    assert draft.warnings == ()


def test_a_file_without_a_body_says_so() -> None:
    data = b"""<?xml version="1.0"?><article xmlns:ce="http://www.elsevier.com/xml/common/dtd"><item-info/>
        <head>
        <ce:title>Counting birds</ce:title></head></article>"""
    draft = format_of(data, "a.xml").read(data, Limits())
    assert [warning.kind for warning in draft.warnings] == ["no_full_text"]


def test_a_table_of_cals_has_its_headers() -> None:
    table = """<table><tgroup
    cols="2"><thead><row><entry>Site</entry><entry>n</entry></row></thead><tbody><row>
        <entry>Lake</entry><entry>4</entry></row></tbody></tgroup></table>"""
    data = PAPERS["bmc"].replace("<bdy>", f"<bdy>{table}").encode()
    draft = format_of(data, "a.xml").read(data, Limits())
    assert [(item.text, item.reading) for item in draft.blocks if item.kind == "table"] == [
        ("Site n", ""),
        ("Lake 4", "Site: Lake; n: 4"),
    ]


def test_jats_is_still_jats() -> None:
    assert (
        format_name(b"<article article-type='research-article'><front/><body/></article>", "a.xml") == "jats"
    )


def test_unknown_xml_is_refused() -> None:
    with pytest.raises(PaperError, match="not of a known kind"):
        format_name(b"<?xml version='1.0'?><recipe><step/></recipe>", "a.xml")


def test_a_namespace_that_is_no_uri_is_read() -> None:
    data = b"""<article article-type="x" xmlns:xsi="http://www.w3.org/2001/XML
    Schema-instance"><front><article-meta/></front>
        <body><p>Birds were counted.</p></body></article>"""
    assert [item.text for item in format_of(data, "a.xml").read(data, Limits()).blocks] == [
        "Birds were counted."
    ]


def test_many_processing_instructions_cost_no_time() -> None:
    prolog = b"<?xml version='1.0'?>" + b"<?p x?>" * 3000
    data = prolog + b"<!DOCTYPE article SYSTEM 'a.dtd'><article article-type='x'><front/></article>"
    with processor_time(5):
        assert format_name(data, "a.xml") == "jats"
