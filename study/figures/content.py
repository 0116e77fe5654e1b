# SPDX-License-Identifier: MIT
"""The parts of a report: sections of tables, sentences, and figures of panels of lines, each drawn when it is needed; how values are
written. A heat map is in reports/heat.py."""

import html
from dataclasses import dataclass, field
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

from pandas import DataFrame

from tools.plots.results import EMULATED
from tools.plots.words import (  # noqa: F401
    COLOURS,
    DASH,
    NOISY,
    Figure,
    Table,
    joined,
    number,
    percent,
    plural,
    times,
    to_markdown,
)
from tools.plots.words import short as short_name  # noqa: F401

# x, y, how far the error bar goes below and above y, noisy
Point = Tuple[float, float, Tuple[float, float], bool]
NO_BAR = (0.0, 0.0)
MANY = 50  # points of a line: each is a dot, without line and bar
RATIOS = "Without bars: ratios of two medians."  # in the caption of a figure of speed-ups


@dataclass
class Line:
    """One line of a plot."""

    label: str
    points: List[Point] = field(default_factory=list)
    dashed: bool = False  # a line for comparison: gray, no markers
    beside: str = ""  # the label of the line whose colour this published one takes, dotted
    variant: str = ""  # "03_cuda_global naive": whose colour it has


@dataclass
class Section:
    """A heading with sentences (each a paragraph), tables and figures in reading order."""

    title: str
    items: List[Union[str, Table, Figure]] = field(default_factory=list)
    missing: str = ""  # of an artefact that was not measured: what it needs
    partly: str = ""  # of an artefact of which a part was not measured: which
    rows: Optional[DataFrame] = None  # of our variants, that it shows
    published: int = 0  # numbers of the report that it shows
    originals: int = 0  # times of the report's own program that it shows


def as_text(table: Table) -> str:
    """A table below its caption; a long one opens when its caption is clicked."""
    if not table.fold:
        return f"{table.caption}\n\n{to_markdown(table)}"
    caption = html.escape(f"{table.number}. {table.caption}", quote=False)
    return f"<details><summary>{caption}</summary>\n\n{to_markdown(table)}\n</details>\n"


def cell(row: Any, missing: str = DASH) -> str:
    """A time, with the mark of a noisy row; or in one or two words why it has none."""
    if row is None:
        return missing
    if row.timed:
        return number(row.ms) + NOISY * row.is_noisy
    emulated = "emulated" if row.backend == EMULATED else "below the clock"
    return row.status if row.status != "ok" else emulated


@dataclass
class Panel:
    """One drawing of a figure: lines and axes."""

    lines: Sequence[Line] = ()
    x: str = ""
    y: str = ""
    title: str = ""
    sizes: Sequence[Tuple[int, str]] = ()  # an x axis of image sizes: (pixels, name)
    ticks: Mapping[float, str] = field(default_factory=dict)  # an x axis with these words
    log_x: int = 0  # the base of a logarithmic x axis
    log_y: bool = True
    bottom: Optional[float] = None  # of the y axis
    level: Optional[float] = None  # a dashed line across
    level_look: Mapping[str, Any] = field(default_factory=lambda: {"color": "0.45", "linewidth": 1, "linestyle": "--"})
    slanted: bool = False  # the words of the x axis


def plot(
    name: str,
    caption: str,
    title: str,
    about: str,
    panels: Sequence[Panel],
    height: float = 4.0,
    columns: int = 0,
    legend: int = 0,
    **layout: Any,
) -> Figure:
    """A figure of panels. about: below the drawing, mostly describe(rows); columns: panels beside each other, where not all;
    legend: the panel whose lines the legend names (-1: of all); layout: of the axes, as sharey=True."""

    def draw() -> Any:
        from . import drawing  # tables need no matplotlib

        many = columns or len(panels)
        figure, axes = drawing.canvas(height, columns=many, rows=-(-len(panels) // many), **layout)
        for place, panel in zip(axes.flat, panels):
            drawing.draw_panel(place, panel)
        for place in axes.flat[len(panels) :]:
            place.set_axis_off()
        return drawing.finish(figure, title, about, legend=axes if legend < 0 else axes.flat[legend])

    return Figure(name, caption, draw)
