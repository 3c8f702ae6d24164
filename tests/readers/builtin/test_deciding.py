"""From scores to chances."""

from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from vivavoce.readers.builtin.deciding import Settings, chance, decide, features, settings

RULE = Settings("", 8, True, (1.0, 0, 0, 1.0, 0, 0, -2.0), (1.0, 1.0, 1.0, 0.0), 0.3)
SCORES = st.lists(st.floats(-20, 20), min_size=1, max_size=8)


def test_the_best_scores_decide() -> None:
    found = decide(RULE, [3.0, 1.0], [1.0, 2.0])
    assert found.paper == 3.0 + 2.0 - 2.0
    assert found.sentences == (0.0 - 1.0 + 3.0, -2.0 + 0.0 + 3.0)


def test_without_a_sentence_nothing_is_reported() -> None:
    found = decide(RULE, [], [])
    assert (chance(found.paper), found.sentences) == (0.0, ())


@given(SCORES)
def test_the_order_of_the_sentences_does_not_matter(scores: list[float]) -> None:
    first, again = features(scores, scores), features(scores[::-1], scores[::-1])
    assert all(isclose(a, b, abs_tol=1e-9) for a, b in zip(first, again, strict=True))


@given(SCORES, st.floats(0.1, 5))
def test_better_scores_never_make_an_answer_less_likely(scores: list[float], more: float) -> None:
    """Of all sentences alike: the rule that ships must not punish."""
    for variant in ("full", "fast"):
        rule = settings(variant)  # type: ignore[arg-type]
        judged = scores if rule.judges else []
        better = [s + more for s in scores]
        assert decide(rule, better, better if judged else []).paper >= decide(rule, scores, judged).paper


def test_both_variants_ship() -> None:
    full, fast = settings("full"), settings("fast")
    assert (full.judges, fast.judges) == (True, False)
    assert full.version != fast.version
