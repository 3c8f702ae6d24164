"""Garbled, another language, no prose: which is which."""

import pytest

from vivavoce.papers.legibility import garbled, judge

ENGLISH = (
    "The aim of this work is to present methods for the analysis of spatial data in research on the "
    "biodiversity of forests. In the first chapter the basic notions are described and the literature is "
    "reviewed, "
    "in the second the material and its collection. "
)
POLISH = (
    "Celem niniejszej pracy jest przedstawienie metod analizy danych przestrzennych w badaniach nad "
    "bioróżnorodnością lasów. W pierwszym rozdziale omówiono podstawowe pojęcia oraz przegląd literatury, "
    "natomiast "
    "w drugim opisano materiał badawczy i sposób jego pozyskania. "
)
LATIN = (
    "Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani, tertiam qui "
    "ipsorum "
    "lingua Celtae, nostra Galli appellantur. Hi omnes lingua, institutis, legibus inter se differunt. "
)
CHINESE = "本文的目的是介绍森林生物多样性研究中空间数据分析的方法。第一章介绍了基本概念和文献综述。" * 4
COMPANIES = (
    "Acme Corp 12.03.2011 Berlin Widget GmbH 14.05.2012 Paris Delta SA 17.09.2013 Madrid Omega Ltd "
    "03.02.2014 "
    "London Sigma Oy 21.11.2015 Helsinki Kappa AB 30.01.2016 Stockholm Lambda BV 12.12.2012 Amsterdam "
)
SLIDES = (
    "Outline Motivation Related work Method overview Data set Training procedure Results Comparison with "
    "baseline "
    "Ablation study Conclusion Future work Questions Thank you Neural network architecture Convolution "
    "layers "
)


@pytest.mark.parametrize(
    ("text", "language"),
    [(ENGLISH, "English"), (POLISH, "Polish"), (LATIN, "Latin"), (CHINESE, "Chinese")],
    ids=["English", "Polish", "Latin", "Chinese"],
)
def test_a_language_is_named_and_readable(text: str, language: str) -> None:
    found = judge(text * 3)
    assert (found.language, found.reason, found.prose) == (language, "", True)


@pytest.mark.parametrize("text", [COMPANIES, SLIDES], ids=["table", "slides"])
def test_tables_and_slides_are_readable_and_no_prose(text: str) -> None:
    found = judge(text * 3)
    assert (found.reason, found.prose) == ("", False)


@pytest.mark.parametrize("shift", [3, 7, 13])
def test_shifted_letters_are_garbled(shift: int) -> None:
    shifted = str.maketrans({chr(97 + c): chr(97 + (c + shift) % 26) for c in range(26)})
    assert "garbled" in judge((ENGLISH * 3).translate(shifted)).reason


def test_codes_in_place_of_letters_are_garbled() -> None:
    codes = "".join(chr(0xB0 + ord(c) % 40) if c.isalpha() else c for c in ENGLISH * 3)
    assert "garbled" in judge(codes).reason
    assert garbled(codes)


def test_sequences_are_not_garbled() -> None:
    assert judge("GCTAGCTAGGATCGATTAGC ACGTTGCAAT TTGACCAGTA " * 40).reason == ""
