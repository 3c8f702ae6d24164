"""The sample papers' figures: small plots with axis lettering, drawn into a PDF or written as SVG.

The lettering is there to be left out: it must never get into a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal
from xml.sax.saxutils import escape

from reportlab.pdfgen.canvas import Canvas


@dataclass(frozen=True)
class Plot:
    kind: Literal["lines", "bars", "strokes"]
    x_label: str
    y_label: str
    x_ticks: tuple[str, ...]
    y_ticks: tuple[str, ...]
    series: tuple[tuple[tuple[float, float], ...], ...]
    """Points between 0 and 1 on both axes. Of `bars`, only the heights count."""
    height: float = 110.0

    @property
    def lettering(self) -> tuple[str, ...]:
        return (self.x_label, self.y_label, *self.x_ticks, *self.y_ticks)


PLOTS = {
    "f1-valleys": Plot(
        "lines",
        "Training pictures (thousands)",
        "Macro F1",
        ("2", "5", "10", "15", "20", "25"),
        ("0.5", "0.6", "0.7", "0.8", "0.9"),
        (
            ((0.0, 0.31), (0.2, 0.55), (0.4, 0.74), (0.6, 0.86), (0.8, 0.93), (1.0, 0.96)),
            ((0.0, 0.12), (0.2, 0.35), (0.4, 0.56), (0.6, 0.68), (0.8, 0.76), (1.0, 0.80)),
        ),
    ),
    "f2-spectrogram": Plot(
        "strokes",
        "Seconds since start",
        "Pitch (kHz)",
        ("0 s", "2 s", "4 s", "6 s", "8 s", "10 s"),
        ("0", "3", "6", "9", "12"),
        tuple(
            ((x, 0.2 + 0.05 * (n % 4)), (x + 0.06, 0.45 + 0.09 * (n % 5)))
            for n, x in enumerate((0.03, 0.09, 0.17, 0.31, 0.36, 0.41, 0.55, 0.62, 0.71, 0.78, 0.9))
        ),
        100.0,
    ),
    "f2-species": Plot(
        "bars",
        "Species, by number of clips",
        "Av. prec.",
        tuple("ABCDEFGHIJK"),
        ("0.00", "0.25", "0.50", "0.75", "1.00"),
        tuple(((0.0, h),) for h in (0.97, 0.93, 0.92, 0.88, 0.86, 0.84, 0.79, 0.77, 0.71, 0.66, 0.58)),
        95.0,
    ),
    "f4-cover": Plot(
        "bars",
        "Test transect",
        "Cover (%)",
        ("T25", "T26", "T27", "T28", "T29"),
        ("0", "20", "40", "60"),
        tuple(((0.0, h),) for h in (0.55, 0.71, 0.38, 0.82, 0.64)),
    ),
}


def draw(canvas: Canvas, name: str, x: float, top: float, width: float) -> float:
    """Draws the plot with its upper left corner at (x, top); gives its height."""
    plot = PLOTS[name]
    left, bottom = x + 38, top - plot.height + 26
    across, up = width - 46, plot.height - 30
    canvas.saveState()
    canvas.setLineWidth(0.6)
    canvas.line(left, bottom, left + across, bottom)
    canvas.line(left, bottom, left, bottom + up)
    canvas.setFont("Helvetica", 6.5)
    for tick, at in _spaced(plot.x_ticks, plot.kind == "bars"):
        canvas.line(left + at * across, bottom, left + at * across, bottom - 2)
        canvas.drawCentredString(left + at * across, bottom - 9, tick)
    for tick, at in _spaced(plot.y_ticks):
        canvas.line(left, bottom + at * up, left - 2, bottom + at * up)
        canvas.drawRightString(left - 4, bottom + at * up - 2, tick)
    canvas.drawCentredString(left + across / 2, bottom - 19, plot.x_label)
    canvas.saveState()
    canvas.translate(x + 12, bottom + up / 2)
    canvas.rotate(90)
    canvas.drawCentredString(0, 0, plot.y_label)
    canvas.restoreState()
    _draw_series(canvas, plot, left, bottom, across, up)
    canvas.restoreState()
    return plot.height


def _draw_series(canvas: Canvas, plot: Plot, left: float, bottom: float, across: float, up: float) -> None:
    step = across / len(plot.series)
    for number, points in enumerate(plot.series):
        places = [(left + x * across, bottom + y * up) for x, y in points]
        if plot.kind == "bars":
            canvas.setFillGray(0.6)
            canvas.rect(left + (number + 0.2) * step, bottom, 0.6 * step, points[0][1] * up, fill=1)
            continue
        canvas.setLineWidth(2.2 if plot.kind == "strokes" else 0.9)
        for (x0, y0), (x1, y1) in pairwise(places):
            canvas.line(x0, y0, x1, y1)
        if plot.kind == "lines":
            canvas.setFillGray(0 if number == 0 else 1)
            for x0, y0 in places:
                canvas.circle(x0, y0, 2, fill=1)


def _spaced(ticks: tuple[str, ...], centred: bool = False) -> list[tuple[str, float]]:
    """Each tick with its place on the axis, between 0 and 1."""
    if centred:
        return [(tick, (n + 0.5) / len(ticks)) for n, tick in enumerate(ticks)]
    return [(tick, n / (len(ticks) - 1)) for n, tick in enumerate(ticks)]


def svg(name: str) -> str:
    """The bar plot as inline SVG with real text elements."""
    plot = PLOTS[name]
    step = 300 / len(plot.series)
    parts = ['<svg viewBox="0 0 360 160" role="img" xmlns="http://www.w3.org/2000/svg">']
    parts.append('<path d="M40 10V130H340" fill="none" stroke="black"/>')
    for tick, at in _spaced(plot.y_ticks):
        parts.append(f'<text x="34" y="{130 - at * 115:.0f}" text-anchor="end">{escape(tick)}</text>')
    for (tick, at), points in zip(_spaced(plot.x_ticks, centred=True), plot.series, strict=True):
        x, height = 40 + at * 300, points[0][1] * 115
        parts.append(
            f'<rect x="{x - 0.3 * step:.0f}" y="{130 - height:.0f}" width="{0.6 * step:.0f}"'
            f' height="{height:.0f}" fill="#888"/>'
        )
        parts.append(f'<text x="{x:.0f}" y="142" text-anchor="middle">{escape(tick)}</text>')
    parts.append(f'<text x="190" y="156" text-anchor="middle">{escape(plot.x_label)}</text>')
    parts.append(f'<text transform="translate(10 70) rotate(-90)">{escape(plot.y_label)}</text>')
    return "\n".join([*parts, "</svg>"])
