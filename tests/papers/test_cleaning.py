import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.errors import PaperError
from vivavoce.papers.cleaning import REMOVED, clean, decode, unscramble


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        ("  two\t lines\n here\u00a0", "two lines here"),
        ("classi\ufb01er and work\ufb02ow", "classifier and workflow"),
        ("Ten\u00adsor\u200bFlow\ufeff", "TensorFlow"),
        ("\u202eabc\u202c\u2066d\u2069", "abcd"),
        ("\uf06c Batch size", "Batch size"),
        ("10\u00b2 m\u00b2", "10² m²"),
        ("non\u2011linear, pre\u2010trained", "non-linear, pre-trained"),
        ("EPYC™ 7452", "EPYC™ 7452"),
        ("224×224, 5–10 µm", "224×224, 5–10 μm"),
        ("a\x00b\x1bc", "abc"),
        ("e\u0301tude", "étude"),
        ("see\U000e0041\U000e0042n", "seen"),
        ("", ""),
    ],
)
def test_what_people_see(raw: str, seen: str) -> None:
    assert clean(raw) == seen


@given(st.text())
def test_clean_is_idempotent_and_leaves_nothing_that_is_removed(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert not REMOVED.search(once)
    assert "  " not in once
    assert once == once.strip()


@pytest.mark.parametrize(
    ("data", "declared", "text"),
    [
        ("Größe".encode(), "", "Größe"),
        ("Größe".encode("utf-8-sig"), "", "Größe"),
        ("Größe".encode("utf-16"), "", "Größe"),
        ("Grosse Zahl".encode("utf-16-le"), "", "Grosse Zahl"),
        ("Größe".encode("latin-1"), "", "Größe"),
        ("“Größe”".encode("cp1252"), "no-such-encoding", "“Größe”"),
        ("размер".encode("koi8-r"), "koi8-r", "размер"),
    ],
)
def test_encodings(data: bytes, declared: str, text: str) -> None:
    assert decode(data, declared) == text


def test_binary_is_refused() -> None:
    with pytest.raises(PaperError, match="binary"):
        decode(bytes(range(256)) * 50)


def test_scrambled_utf8_is_undone_and_honest_text_left_alone() -> None:
    assert unscramble("224√ó224 and Ã—") == "224×224 and ×"
    assert unscramble("“Größe” – naïve é√") == "“Größe” – naïve é√"
