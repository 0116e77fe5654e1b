# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Cells, groups of rows, and figures of panels of lines, each drawn when it is needed; a heat map is in reports/heat.py."""

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, TypeVar

from ..measurements.rows import Row
from .content import DASH, NOISY, Figure, Line, number, why_untimed

One = TypeVar("One")


def cell(row: Optional[Row], missing: str = DASH) -> str:
    """A time, with the mark of a noisy row; or why it has none."""
    if row is None:
        return missing
    return number(row.ms) + NOISY * row.is_noisy if row.timed else why_untimed(row)


def grouped(rows: Iterable[One], key: Callable[[One], Any]) -> Dict[Any, List[One]]:
    """The rows by their key, in the order of appearance."""
    found: Dict[Any, List[One]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def fastest_each(rows: Iterable[Row], key: Callable[[Row], Any]) -> Dict[Any, Row]:
    """Of each key its fastest row."""
    return {at: min(same, key=lambda row: row.ms) for at, same in grouped(rows, key).items()}


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
    from_zero: bool = False  # the y axis, with some room above
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
