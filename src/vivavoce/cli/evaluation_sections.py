"""What `viva evaluate` tells besides scores: intervals, quotes, confidences, variables, coders, a
comparison."""

from typing import TYPE_CHECKING, Any

from vivavoce.cli.output import clean, count

if TYPE_CHECKING:
    from rich.console import Console

    from vivavoce.results.comparison import Comparison
    from vivavoce.results.evaluation import Evaluation
    from vivavoce.results.intervals import Interval
    from vivavoce.results.scores import Score


def show_more(found: "Evaluation", screen: "Console") -> None:
    """The sections after the table of scores."""
    _show_intervals(found, screen)
    if found.evidence:
        _head(screen, "Quotes, where the label has one and both say reported:")
        for reader, score in found.evidence:
            lost = f"; {count(score.not_found, 'label')} left out, whose quote is not in the paper"
            _line(
                screen,
                f"{clean(reader)}: the first is right in {_share(score.hit_first, score.cells)}, any in "
                f"{_share(score.hit_any, score.cells)}; of all quotes {_share(score.right, score.quotes)}"
                f"{lost if score.not_found else ''}.",
            )
    if found.reliability:
        _head(
            screen,
            "Confidence: expected calibration error, and accuracy when the most doubtful go to a person:",
        )
        for reader, known in found.reliability:
            steps = ", ".join(
                f"{step.to_person:.0%} {step.accuracy:.2f} ({step.combined:.2f})" for step in known.coverage
            )
            _line(screen, f"{clean(reader)}: ECE {known.ece:.3f}; {steps}")
        _line(
            screen,
            "The share that goes to a person, the accuracy of the rest, and (of all, if the person is "
            "right).",
        )
    if found.variables:
        _head(screen, "Variables and levels, by the verdicts:")
        for one in found.variables:
            kappa = _with(one.score.kappa, one.intervals.get("kappa"))
            _line(screen, f"{clean(one.name)}: {_agreed(one.score)}, kappa {kappa}")
    if found.coders:
        _head(screen, "Coders:")
        for pair in found.coders:
            names = " and ".join(map(clean, pair.coders))
            kappa = _with(pair.score.kappa, pair.intervals.get("kappa"))
            _line(screen, f"{names}: agree in {_agreed(pair.score)}, kappa {kappa}")


def _show_intervals(found: "Evaluation", screen: "Console") -> None:
    from vivavoce.results.scores import MEASURES

    rows = []
    for reader, score in found.overall:
        known = found.intervals.get((reader, ""), {})
        if any(known.values()):
            rows.append((clean(reader), [_with(getattr(score, name), known.get(name)) for name in MEASURES]))
    if not rows:
        return
    _head(screen, "With 95% intervals, drawing papers:")
    names = ["MCC" if name == "mcc" else "F1" if name == "f1" else name for name in MEASURES]
    for measure, *cells in zip(names, *(cells for _, cells in rows), strict=True):
        said = "  ".join(f"{reader} {cell}" for (reader, _), cell in zip(rows, cells, strict=True))
        _line(screen, f"{measure:<11}  {said}")


def show_comparison(against: "Comparison", screen: "Console") -> None:
    one, other = map(clean, against.names)
    _head(
        screen,
        f"{one} against {other}, on the same {against.scores[0].n} labels of "
        f"{count(against.papers, 'paper')}:",
    )
    for name, (value, apart) in against.differences.items():
        first, second = (getattr(score, name) for score in against.scores)
        if value is not None:
            low_high = f" ({apart.low:+.2f} to {apart.high:+.2f})" if apart else ""
            _line(screen, f"{name:<11}  {first:.2f}  {second:.2f}  difference {value:+.2f}{low_high}")
    _line(
        screen,
        f"Right in {one} alone: {against.only_first}; in {other} alone: {against.only_second}; McNemar's "
        f"exact test: p = {against.p:.4f}.",
    )
    if against.left_out:
        _line(screen, f"{count(against.left_out, 'label')} left out: one of the two makes no statement.")


def more_document(found: "Evaluation", against: "Comparison | None") -> dict[str, Any]:
    """The same for programs."""
    from dataclasses import asdict

    document: dict[str, Any] = {
        "evidence": [{"reader": reader, **asdict(score)} for reader, score in found.evidence],
        "reliability": [
            {
                "reader": reader,
                "ece": known.ece,
                "brier": known.brier,
                "steps": [step._asdict() for step in known.steps],
                "coverage": [step._asdict() for step in known.coverage],
            }
            for reader, known in found.reliability
        ],
        "variables": [
            {
                "variable": one.name,
                "labels": one.score.n,
                "accuracy": one.score.accuracy,
                "kappa": one.score.kappa,
            }
            for one in found.variables
        ],
        "coders": [
            {
                "coders": list(pair.coders),
                "labels": pair.score.n,
                "accuracy": pair.score.accuracy,
                "kappa": pair.score.kappa,
            }
            for pair in found.coders
        ],
        "coders_disagree": found.coders_disagree,
    }
    if against is not None:
        document["comparison"] = {
            "names": list(against.names),
            "labels": against.scores[0].n,
            "differences": {
                name: {"value": value, "interval": list(apart) if apart else None}
                for name, (value, apart) in against.differences.items()
            },
            "only_first": against.only_first,
            "only_second": against.only_second,
            "p": against.p,
            "left_out": against.left_out,
        }
    return document


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.2f})" if whole else "0 of 0"


def _agreed(score: "Score") -> str:
    return _share(score.tp + score.tn, score.n)


def _with(value: float | None, known: "Interval | None") -> str:
    if value is None:
        return "-"
    said = f"{round(value, 2) + 0.0:.2f}"
    return f"{said} ({known.low:.2f} to {known.high:.2f})" if known else said


def _head(screen: "Console", text: str) -> None:
    _line(screen, "")
    _line(screen, text, "bold")


def _line(screen: "Console", text: str, style: str = "") -> None:
    from rich.text import Text

    screen.print(Text(text, style=style), soft_wrap=True)
