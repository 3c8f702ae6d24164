"""Numbers with their units, and dates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.evidence.dates import dates
from vivavoce.evidence.numbers import numbers


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("frozen within 30 min at −80 °C.", [(30, "min", "30 min"), (-80, "°C", "−80 °C")]),
        ("31 (97%) died", [(31, "", "31"), (97, "%", "97%")]),
        ("a 2.5-fold increase", [(2.5, "fold", "2.5-fold")]),
        ("a cutoff of 1 × 10−5 and 1e-4", [(1e-05, "", "1 × 10−5"), (1e-4, "", "1e-4")]),
        ("for 8–12 weeks", [("8–12", "weeks", "8–12 weeks")]),
        ("between 20 and 30 years", [("20–30", "years", "20 and 30 years")]),
        ("10 mice and 12 rats", [(10, "", "10"), (12, "", "12")]),
        ("from 3.83 to 3.77", [(3.83, "", "3.83"), (3.77, "", "3.77")]),
        ("4.8±18.9 mm", [(4.8, "mm", "4.8±18.9 mm")]),
        ("224 × 224 pixels", [("224 × 224", "pixels", "224 × 224 pixels")]),
        ("12,345 images, 21 350 992 parameters", [(12345, "", "12,345"), (21350992, "", "21 350 992")]),
        ("1.2 million reads", [(1200000, "", "1.2 million")]),
        (
            "twenty-four mice; two hundred and five cells",
            [(24, "", "twenty-four"), (205, "", "two hundred and five")],
        ),
        ("50 ml min−1 of 5 μM", [(50, "ml min−1", "50 ml min−1"), (5, "μM", "5 μM")]),
        # No facts of the paper.
        ("as Fig. 3 and Table 2 show [12,13] (Smith et al., 2015)", []),
        ("TensorFlow 2.4.1 at https://a.org/7", []),
    ],
)
def test_numbers(text: str, found: list[tuple[int | float | str, str, str]]) -> None:
    assert [(n.value, n.unit, text[n.start : n.end]) for n in numbers(text)] == found


def test_what_a_number_counts() -> None:
    (number,) = numbers("We used 46 leaf samples from Cyprus.")
    assert number.of == "leaf samples"


@given(st.text(alphabet="0123456789.,–×x% to and between five±−e(", max_size=60))
def test_any_text_can_be_looked_at(text: str) -> None:
    for number in numbers(text):
        assert 0 <= number.start < number.end <= len(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "From January 2010 through December 2010, 349",
            [("January 2010 through December 2010", "2010-01/2010-12")],
        ),
        ("from March, 2015, to December, 2015 (", [("March, 2015, to December, 2015", "2015-03/2015-12")]),
        ("between March 2015 and June 2016", [("March 2015 and June 2016", "2015-03/2016-06")]),
        ("June to August 2009", [("June to August 2009", "2009-06/2009-08")]),
        ("9–13 September 2009", [("9–13 September 2009", "2009-09-09/2009-09-13")]),
        ("27.6–27.10.2021", [("27.6–27.10.2021", "2021-06-27/2021-10-27")]),
        (
            "on 13 February 2010 and February 14, 2010",
            [("13 February 2010", "2010-02-13"), ("February 14, 2010", "2010-02-14")],
        ),
        ("in 2011 and 2012", [("2011", "2011"), ("2012", "2012")]),
        ("(Piperno, 2001) in 1998", [("1998", "1998")]),
        ("no date at all", []),
    ],
)
def test_dates(text: str, found: list[tuple[str, str]]) -> None:
    assert [(date.text, date.iso) for date in dates(text)] == found
    assert all(text[date.start : date.end].strip() == date.text for date in dates(text))
