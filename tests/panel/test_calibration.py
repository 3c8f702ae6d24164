"""Fitting a question's offset on decisions: planted truth comes back, and what needs no offset gets none."""

from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.panel.calibrated import log_odds
from vivavoce.panel.calibration import MIN_DECISIONS, PRIOR_SD, Judged, fit, fit_offset


def planted(offset: float) -> list[Judged]:
    """Ninety cells of a question, of which the reader's log-odds are too low by an offset: of ten cells
    with a chance of 0.3, and no offset, exactly three are reported."""
    cells = []
    for chance in (n / 10 for n in range(1, 10)):
        truth = 1 / (1 + exp(-log_odds(chance) - offset))
        cells += [Judged(chance, n < round(10 * truth)) for n in range(10)]
    return cells


@pytest.mark.parametrize("offset", [-2.0, -1.0, 1.0, 2.0])
def test_a_planted_offset_is_recovered(offset: float) -> None:
    found = fit(planted(offset))
    assert found.adopted
    assert found.offset == pytest.approx(offset, abs=0.15)
    assert found.accuracy_after > found.accuracy_before + 0.02
    assert found.log_loss_after < found.log_loss_before


def test_a_question_that_is_well_calibrated_is_left_alone() -> None:
    found = fit(planted(0.0))
    assert not found.adopted
    assert found.offset == 0.0
    assert found.accuracy_before == found.accuracy_after


def test_the_offset_is_where_the_slope_is_zero() -> None:
    """By hand: three of four unsure cells are reported, so 4 s(b) - 3 + b / sd² = 0."""
    cells = [Judged(0.5, reported) for reported in (True, True, True, False)]
    b = fit_offset(cells)
    assert 4 / (1 + exp(-b)) - 3 + b / PRIOR_SD**2 == pytest.approx(0, abs=1e-8)
    assert 0 < b < log_odds(0.75)  # the prior draws it towards 0


def test_figures_are_of_decisions_that_were_left_out() -> None:
    """By hand: cells that contradict each other teach nothing of each other. Each one left out, the others
    say the opposite, so an offset would do harm, and none is adopted."""
    found = fit([Judged(0.5, n % 2 == 0) for n in range(6)])
    assert not found.adopted
    assert (found.accuracy_before, found.accuracy_after) == (0.5, 0.5)
    assert (found.log_loss_before, found.log_loss_after) == (0.6931, 0.6931)


def test_five_decisions_against_the_reader_are_enough_to_turn_it() -> None:
    found = fit([Judged(0.4, True)] * MIN_DECISIONS)
    assert found.adopted
    assert (found.accuracy_before, found.accuracy_after, found.decisions) == (0.0, 1.0, MIN_DECISIONS)
    assert found.offset > log_odds(0.6)


def test_the_order_of_the_cells_does_not_matter() -> None:
    cells = planted(1.0)
    assert fit(cells) == fit(cells[::-1]) == fit(cells)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=12))
def test_any_cells_have_an_offset_within_what_the_prior_allows(cells: list[tuple[float, bool]]) -> None:
    """Certain readers, too: at the offset the slope is zero."""
    judged = [Judged(*cell) for cell in cells]
    b = fit_offset(judged)
    slope = sum(1 / (1 + exp(-log_odds(c) - b)) - y for c, y in cells) + b / PRIOR_SD**2
    assert slope == pytest.approx(0, abs=1e-6)
    assert 0 <= fit(judged).accuracy_after <= 1
