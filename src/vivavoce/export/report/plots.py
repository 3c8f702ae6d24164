"""Figures as SVG that goes into a page: drawn by matplotlib, dressed by the page's own style sheet.

A figure is drawn without a clock or a machine's settings and with a fixed salt, so that the same numbers give
the same bytes. What matplotlib says in `style` attributes, which a page with a strict policy refuses, is
turned into attributes of SVG and into classes, so that a figure follows the page into the dark. Texts stay
texts: they can be searched, copied and read aloud.
"""

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any

from lxml import etree

from vivavoce.errors import MissingExtra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INSTALL = "pip install 'vivavoce[report]'"
AXIS = 0.32
"""Inches for the numbers below."""
INK, FAINT, FILL, TRACK = "#1d2530", "#8a93a0", "#4f9d77", "#e7eaee"
CLASSES = {INK: "ink", FAINT: "faint", FILL: "bar", TRACK: "track"}
"""Colours that the page's style sheet replaces, by the class they get."""
SVG = "http://www.w3.org/2000/svg"
XLINK = "{http://www.w3.org/1999/xlink}href"
NO_DATE = {"Date": None, "Creator": None, "Format": None, "Type": None}

_LINK = re.compile(r"url\(#([^)]+)\)")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things are in a figure. All in inches; a page shows it as wide as there is room."""

    width: float
    row: float
    """A line's height."""
    left: float
    """Where the axes begin."""
    right: float
    """What is left free at their right."""
    above: float
    """How far a line's texts are above its middle."""
    letters: int
    """Of a name; the table below a figure has it whole."""


WIDE = Layout(9.0, 0.27, 4.6, 1.6, 0.0, 60)
"""Names, bars and numbers beside each other."""
NARROW = Layout(4.4, 0.44, 0.15, 0.2, 0.17, 40)
"""For a phone: names and numbers above their bars."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a figure: a value from 0 to 1 (or from -1, in `dots`) with its interval."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    label: str
    """The value in words, at the line's end."""


@dataclass(frozen=True, slots=True)
class Series:
    """A line through the years: a share for each."""

    name: str
    shares: tuple[float, ...]


MOST_SERIES = 6
"""Lines in one figure."""
DASHES = ("-", "--", ":", "-.", (0, (1, 1)), (0, (5, 1)))
MARKERS = ("o", "s", "^", "D", "v", "x")
"""Lines are told apart without colours."""


def check() -> None:
    """Can figures be drawn?"""
    if find_spec("matplotlib") is None:
        raise MissingExtra(f"the report needs matplotlib, which is not installed: {INSTALL}.")


def bars(key: str, title: str, lines: Sequence[Line], layout: Layout = WIDE) -> str:
    """Shares as bars, with their intervals; as SVG. `key` keeps the names in it apart from other figures'."""
    with _drawing(len(lines), layout) as figure:
        axes = _axes(figure, lines, layout)
        thick = 0.16 / layout.row
        axes.barh(range(len(lines)), 1.0, height=thick, color=TRACK)
        known = [(n, line.value) for n, line in enumerate(lines) if line.value is not None]
        axes.barh([n for n, _ in known], [value for _, value in known], height=thick, color=FILL)
        _intervals(axes, lines, 0.045 / layout.row)
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])
        return _svg(figure, key, title, lines)


def dots(key: str, title: str, lines: Sequence[Line], layout: Layout = WIDE) -> str:
    """Measures as dots, with their intervals, from the lowest that there is; as SVG."""
    least = min((v for line in lines for v in (line.low, line.value) if v is not None), default=0.0)
    left = -1.0 if least < -0.5 else -0.5 if least < 0 else 0.0
    with _drawing(len(lines), layout) as figure:
        axes = _axes(figure, lines, layout)
        axes.axvline(0, color=FAINT, linewidth=0.8)
        axes.hlines(range(len(lines)), left, 1, color=TRACK, linewidth=1)
        _intervals(axes, lines, 0.045 / layout.row)
        known = [(line.value, n) for n, line in enumerate(lines) if line.value is not None]
        axes.plot(
            [value for value, _ in known],
            [n for _, n in known],
            "o",
            markersize=6,
            color=FILL,
            clip_on=False,
            zorder=3,
        )
        axes.set_xlim(left, 1)
        ticks = [tick for tick in (-1, -0.5, 0, 0.5, 1) if tick >= left]
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        return _svg(figure, key, title, lines)


def series(key: str, title: str, names: Sequence[str], lines: Sequence[Series], layout: Layout = WIDE) -> str:
    """Shares by year as lines, told apart by their strokes and marks; as SVG."""
    rows = 10 if layout is WIDE else 8
    with _drawing(rows, layout) as figure:
        height = figure.get_figheight()
        left, right = 0.5, (2.4 if layout is WIDE else 0.2)
        foot = AXIS + (0.0 if layout is WIDE else 0.22 * len(lines))
        span = (layout.width - left - right) / layout.width
        figure.set_figheight(height + foot - AXIS)
        height = figure.get_figheight()
        axes = figure.add_axes((left / layout.width, foot / height, span, 0.97 - foot / height))
        axes.patch.set_visible(False)
        figure.patch.set_visible(False)
        for side in axes.spines.values():
            side.set_visible(False)
        for n, line in enumerate(lines):
            axes.plot(
                range(len(names)),
                line.shares,
                linestyle=DASHES[n % len(DASHES)],
                marker=MARKERS[n % len(MARKERS)],
                markersize=4,
                linewidth=1.4,
                color=FILL if n == 0 else INK,
                clip_on=False,
            )
        axes.set_ylim(0, 1)
        axes.set_yticks([0, 0.5, 1], ["0%", "50%", "100%"])
        every = max(1, -(-len(names) // (12 if layout is WIDE else 6)))
        axes.set_xticks(range(0, len(names), every), [names[n] for n in range(0, len(names), every)])
        axes.tick_params(length=3)
        axes.grid(axis="y", color=TRACK, linewidth=0.8)
        for n, line in enumerate(lines):
            sign = "●■▲◆▼✕"[n % len(MARKERS)]
            said = f"{sign} {shortened(line.name, layout.letters // 2)}"
            if layout is WIDE:
                y = 0.95 - n * 0.24 / height
                figure.text((layout.width - right + 0.15) / layout.width, y, said, va="center_baseline")
            else:
                y = (foot - AXIS - 0.22 * n - 0.08) / height
                figure.text(left / layout.width, y, said, va="center_baseline")
        told = [
            Line(
                line.name,
                None,
                None,
                None,
                ", ".join(f"{n} {s:.0%}" for n, s in zip(names, line.shares, strict=True)),
            )
            for line in lines
        ]
        return _svg(figure, key, title, told)


# How it is drawn


@contextmanager
def _drawing(lines: int, layout: Layout) -> Iterator["Figure"]:
    """An empty figure, whatever this machine's own settings are."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters that its font lacks: the page has fonts of its own
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "svg.fonttype": "none",
                "svg.hashsalt": "vivavoce",
                "text.parse_math": False,
                "font.size": 9,
                "text.color": INK,
                "xtick.color": FAINT,
                "xtick.labelcolor": INK,
            }
        )
        yield Figure(figsize=(layout.width, layout.row * lines + AXIS))


def _axes(figure: "Figure", lines: Sequence[Line], layout: Layout) -> Any:
    """Axes, with what the lines are called and come to beside them or above their bars."""
    height = figure.get_figheight()
    span = (layout.width - layout.left - layout.right) / layout.width
    axes = figure.add_axes((layout.left / layout.width, AXIS / height, span, 1 - AXIS / height))
    axes.patch.set_visible(False)
    figure.patch.set_visible(False)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_ylim(len(lines) - 0.5 + layout.above, -0.5 - layout.above)
    axes.set_yticks([])
    axes.tick_params(length=3)
    beside = layout.above == 0
    for n, line in enumerate(lines):
        y = (
            height
            - (height - AXIS) * (n + 0.5 + layout.above) / (len(lines) + 2 * layout.above)
            + layout.above
        )
        end = layout.width - layout.right + (0.14 if beside else 0)
        start = 0.04 if beside else layout.left
        name = shortened(line.name, layout.letters)
        figure.text(start / layout.width, y / height, name, va="center_baseline")
        figure.text(
            end / layout.width, y / height, line.label, va="center_baseline", ha="left" if beside else "right"
        )
    return axes


def _intervals(axes: Any, lines: Sequence[Line], tick: float) -> None:
    spans = [(n, line.low, line.high) for n, line in enumerate(lines) if None not in (line.low, line.high)]
    axes.hlines(
        [n for n, *_ in spans], [s[1] for s in spans], [s[2] for s in spans], color=INK, linewidth=1.4
    )
    ends = [(end, n) for n, *ends in spans for end in ends]
    heights = [n - tick for _, n in ends], [n + tick for _, n in ends]
    axes.vlines([end for end, _ in ends], *heights, color=INK, linewidth=1.4, clip_on=False)


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


# How it is dressed


def _svg(figure: "Figure", key: str, title: str, lines: Sequence[Line]) -> str:
    out = BytesIO()
    figure.savefig(out, format="svg", metadata=NO_DATE)
    root = etree.fromstring(out.getvalue(), etree.XMLParser(resolve_entities=False, no_network=True))
    for style in list(root.iter(f"{{{SVG}}}style", f"{{{SVG}}}metadata")):
        parent = style.getparent()
        assert parent is not None
        parent.remove(style)
    for element in root.iter(etree.Element):
        _dress(element, key)
    _describe(root, key, title, lines)
    etree.cleanup_namespaces(root)
    return etree.tostring(root, encoding="unicode", pretty_print=False)


def _dress(element: Any, key: str) -> None:
    if "id" in element.attrib:
        # Only what is pointed to needs its name; two figures must not share one.
        if element.tag.endswith("}g"):
            del element.attrib["id"]
        else:
            element.set("id", f"{key}-{element.get('id')}")
    for name, value in element.attrib.items():
        if "url(#" in value:
            element.set(name, _LINK.sub(rf"url(#{key}-\1)", value))
    if XLINK in element.attrib:
        element.set("href", f"#{key}-{element.attrib.pop(XLINK)[1:]}")
    if "d" in element.attrib:
        element.set("d", " ".join(element.get("d").split()))
    element.text = element.text if element.text and element.text.strip() else None
    element.tail = None
    classes = []
    for part in element.attrib.pop("style", "").split(";"):
        name, _, value = (word.strip() for word in part.partition(":"))
        if name in ("fill", "stroke") and value in CLASSES:
            classes.append(f"{name}-{CLASSES[value]}")
        if name and name not in ("font", "font-family"):  # the page's own
            element.set(name, _LINK.sub(rf"url(#{key}-\1)", value))
    if element.tag.endswith("}text"):
        element.attrib.pop("transform", None)  # it turns by nothing
        classes = classes or ["fill-ink"]
    if classes:
        element.set("class", " ".join(classes))


def _describe(root: Any, key: str, title: str, lines: Sequence[Line]) -> None:
    """Describes the figure for people who can't see it."""
    root.set("role", "img")
    root.set("aria-labelledby", f"{key}-title {key}-desc")
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    described = "; ".join(f"{line.name}: {line.label}" for line in lines)
    for tag, text in (("desc", described), ("title", title)):
        element = etree.Element(f"{{{SVG}}}{tag}", id=f"{key}-{tag}")
        element.text = text
        root.insert(0, element)
