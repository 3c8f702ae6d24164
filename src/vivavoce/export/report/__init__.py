"""The study as one HTML file to send around: nothing to install, nothing loaded from elsewhere, no script.

Whatever comes from a paper, a model or a file's name is hostile. Jinja2 escapes all of it; texts are put
into `<bdi>`, so that marks that turn the direction of writing end where the text ends; a link is a link
only when it is plainly one to the web; and the page's own policy lets nothing run or load but its one style
sheet, which it names by its hash.

The study is read once. The answers of each paper are written to a temporary file while the numbers for the
head of the page are gathered; then the head is written, and the answers are copied behind it.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, BinaryIO
from urllib.parse import quote, urlsplit

from vivavoce.errors import MissingExtra
from vivavoce.export.report import plots
from vivavoce.export.report.answers import sections
from vivavoce.export.report.overview import MatrixRow, Overview, overview, topics
from vivavoce.export.table import plain
from vivavoce.questions.files import dump
from vivavoce.records import Cell
from vivavoce.results.agreement import Estimate
from vivavoce.results.cells import Results
from vivavoce.results.costs import money
from vivavoce.results.statuses import STATUSES, status_css, what_was_found
from vivavoce.results.summary import Share
from vivavoce.results.values import Distribution, value_words
from vivavoce.store.migrations import STEPS

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

CHUNK = 64
"""Pieces of the page that are written at once."""
FEWEST_YEARS = 3
"""From so many on a figure over the years is worth drawing; the table has fewer, too."""
COPIED = 1 << 12
"""Characters of the answers that are copied at once."""
BIDI = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Marks that turn the direction of writing: taken out where no `<bdi>` can end them."""
_DOI = re.compile(r"10\.\d{4,9}/[!-~]+")


def write_html(results: Results, file: BinaryIO) -> None:
    """The report, with the same bytes for the same results."""
    environment = _environment()
    plots.check()
    with TemporaryFile("w+", encoding="utf-8", errors="backslashreplace", newline="") as answers:
        template = environment.get_template("paper.html")

        def write_answers(row: MatrixRow, number: int, cells: Sequence[Cell]) -> None:
            shown = sections(results.questions, cells)
            answers.writelines(template.generate(n=number, row=row, paper=row.paper, cells=shown))
            answers.write("\n")

        found = overview(results, write_answers)
        answers.seek(0)
        _write_page(environment, results, found, answers, file)


def _write_page(
    environment: "Environment", results: Results, found: Overview, answers: IO[str], file: BinaryIO
) -> None:
    style = files(__package__).joinpath("style.css").read_text(encoding="utf-8") + status_css()
    questions = dump(results.questions)
    page = environment.get_template("page.html").stream(
        found=found,
        topics=topics(results.questions),
        plots=_plots(found) | _value_plots(found.values),
        reviewers=results.reviewers(),
        weights=results.weights,
        money=money,
        style=style,
        style_hash=b64encode(sha256(style.encode()).digest()).decode(),
        version=version("vivavoce"),
        schema=len(STEPS),
        yaml=questions,
        yaml_hash=sha256(questions.encode()).hexdigest(),
        answers=_copied(answers),
    )
    page.enable_buffering(CHUNK)
    page.dump(file, encoding="utf-8", errors="backslashreplace")


def _copied(answers: IO[str]) -> Iterator["Markup"]:
    """The answers, which the template has escaped already."""
    from markupsafe import Markup

    while part := answers.read(COPIED):
        yield Markup(part)


def _environment() -> "Environment":
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise MissingExtra(f"the report needs jinja2, which is not installed: {plots.INSTALL}.") from None
    environment = Environment(
        loader=PackageLoader(__package__, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "found": what_was_found,
        "plain": plain,
        "flat": flat,
        "web": web,
        "doi": doi,
        "base": lambda path: plain(path).rsplit("/", 1)[-1],
        "number": number,
        "percent": percent,
        "share": share,
        "estimate": estimate,
        "duration": duration,
        "many": many,
        "value": value_words,
    }
    environment.globals["statuses"] = STATUSES
    return environment


# How values are written


def flat(text: str) -> str:
    """For an attribute or a figure: on one line, and nothing in it that turns the direction of writing."""
    return " ".join(plain(text).translate(BIDI).split())


def web(link: str) -> str:
    """The link as one may click it; empty when it is not plainly one to the web."""
    if not link.isascii() or not link.isprintable() or any(c in link for c in " \"'<>\\^`{|}"):
        return ""
    try:
        parts = urlsplit(link)
    except ValueError:
        return ""
    plainly = parts.scheme in ("http", "https") and "." in parts.netloc and "@" not in parts.netloc
    return link if plainly else ""


def doi(text: str) -> str:
    """The address of a DOI; empty when it is none."""
    return f"https://doi.org/{quote(text, safe='/:;.()-_')}" if _DOI.fullmatch(text) else ""


def number(value: float | None) -> str:
    """With as many digits as one reads."""
    if value is None:
        return "–"
    if isinstance(value, int) or value == int(value):
        return f"{int(value):,}"
    return f"{value:,.2f}" if abs(value) >= 1 else f"{value:.3g}"


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f}%"


def share(found: Share) -> str:
    """The share with its interval and what it is of."""
    if found.interval is None:
        return "–"
    low, high = found.interval
    return f"{percent(found.value)} [{100 * low:.0f}–{100 * high:.0f}]"


def estimate(found: Estimate) -> str:
    if found.value is None:
        return "–"
    value = f"{round(found.value, 2) + 0.0:.2f}"
    if found.low is None or found.high is None:
        return value
    return f"{value} [{round(found.low, 2) + 0.0:.2f}, {round(found.high, 2) + 0.0:.2f}]"


def duration(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def many(count: int, thing: str) -> str:
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


# The figures


def _plots(found: Overview) -> dict[str, tuple[str, str]]:
    """Every figure that there is something to show in: for a wide page, and for a narrow one."""
    of_papers = "Share of papers, with its 95% interval"
    drawn = {
        "questions": _both(
            plots.bars,
            "questions",
            f"{of_papers}, that report the answer to each question",
            [_line(f"{q.question.id}  {q.question.text}", q.share) for q in found.summary.questions],
        ),
        "variables": _both(
            plots.bars,
            "variables",
            f"{of_papers}, that give each variable",
            [_line(v.variable.name, v.share) for v in found.summary.variables],
        ),
        "levels": _both(
            plots.bars,
            "levels",
            f"{of_papers}, that reach each level",
            [_line(f"{v.level.number}  {v.level.name}", v.share) for v in found.summary.levels],
        ),
    }
    if found.agreement:
        groups = [(f"{q.id}  {q.text}", group) for q, group in found.agreement.questions]
        drawn["agreement"] = _both(
            plots.dots,
            "agreement",
            "Krippendorff's alpha of all readers, with its 95% interval, by question",
            [
                _dot(name, group.alpha)
                for name, group in (("all questions", found.agreement.overall), *groups)
            ],
        )
    return drawn


def _value_plots(values: Sequence[Distribution]) -> dict[str, list[tuple[str, str]]]:
    """Of each question with values, a figure over all papers and one by year."""
    drawn: dict[str, list[tuple[str, str]]] = {"value_bars": [], "value_years": []}
    for n, one in enumerate(values):
        lines = [_line(bar.value, Share(bar.papers, one.papers)) for bar in one.bars]
        title = f"Share of papers that give each value of {one.question.id}"
        drawn["value_bars"].append(_both(plots.bars, f"value{n}", flat(title), lines))
        drawn["value_years"].append(_by_year(n, one))
    return drawn


def _by_year(n: int, one: Distribution) -> tuple[str, str]:
    years = [group for group in one.years if group.papers]
    if len(years) < FEWEST_YEARS:
        return "", ""
    shown = one.bars[: plots.MOST_SERIES]
    series = [
        plots.Series(flat(bar.value), tuple(group.counts[at] / group.papers for group in years))
        for at, bar in enumerate(shown)
    ]
    title = flat(f"Share of each year's papers that give the values of {one.question.id}")
    names = [group.name for group in years]
    return (
        plots.series(f"year{n}", title, names, series, plots.WIDE),
        plots.series(f"year{n}-narrow", title, names, series, plots.NARROW),
    )


def _both(
    draw: Callable[[str, str, Sequence[plots.Line], plots.Layout], str],
    key: str,
    title: str,
    lines: Sequence[plots.Line],
) -> tuple[str, str]:
    if not lines:
        return "", ""
    return draw(key, title, lines, plots.WIDE), draw(f"{key}-narrow", title, lines, plots.NARROW)


def _line(name: str, of: Share) -> plots.Line:
    low, high = of.interval or (None, None)
    label = f"{percent(of.value)}  ({of.hits} of {of.n})" if of.n else "nothing known"
    return plots.Line(flat(name), of.value, low, high, label)


def _dot(name: str, of: Estimate) -> plots.Line:
    return plots.Line(flat(name), of.value, of.low, of.high, estimate(of))
