# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What several artefacts share: panels of lines, bars, tables by size."""

import math
from typing import Any, List, Mapping, Optional, Sequence, Tuple

from ..measurements.rows import Row
from ..measurements.selection import sizes
from . import drawing
from .content import DASH, NO_BAR, Bars, Line, Section, Table, joined, spread
from .series import described, pick, point, variant_of  # noqa: F401

PICTURE = "Published only as a picture."
Panel = Tuple[str, Sequence[Line]]  # title, lines


def not_measured(what: str, verb: str = "sweep") -> Section:
    """The section of an artefact without rows: `what` it needs, measured by `make verb`."""
    return Section("", missing=f"{what}: run `make {verb}`")


def without_rows(measured: Mapping[str, Sequence[object]]) -> str:
    """Which of the series of an artefact have no rows: `Section.partly`."""
    return joined(name for name, rows in measured.items() if not any(rows))


def at_size(rows: Sequence[Row], size: Tuple[int, str]) -> List[Row]:
    return [row for row in rows if (row.pixels, row.size_name) == size]


def lines_by(rows: Sequence[Row], column: str) -> List[Line]:
    """A line for each size: time in ms by a whole-number column."""
    return [
        Line(size[1], [point(row.integer(column) or 0, row) for row in at_size(rows, size)])
        for size in reversed(sizes(rows))
    ]


def swept(rows: Sequence[Row], column: str) -> List[Row]:
    """The rows of the sizes at which the column has more than one value."""
    return [
        row for size in sizes(rows) for row in at_size(rows, size) if len(values_of(at_size(rows, size), column)) > 1
    ]


def bars_of(label: str, rows: Sequence[Optional[Row]]) -> Bars:
    """Bars of ns per pixel with 5th to 95th percentile; NaN for None."""
    return Bars(
        label,
        [row.ns_per_pixel if row else math.nan for row in rows],
        [tuple(bar * 1e6 / row.pixels for bar in row.bars) if row else NO_BAR for row in rows],
        [row is not None and row.is_noisy for row in rows],
        variant_of([row for row in rows if row]),
    )


def values_of(rows: Sequence[Row], column: str) -> List[int]:
    """The different whole numbers of a column, ascending."""
    return sorted({row.integer(column) or 0 for row in rows if row.text[column]})


def line_panels(
    title: str, caption: str, panels: Sequence[Panel], x_label: str, y_label: str, log_y: bool = True
) -> Any:
    """Panels of lines side by side on one y axis, with one legend."""
    figure, axes = drawing.canvas(4.0, columns=len(panels), sharey=True)
    for panel, (name, lines) in zip(axes[0], panels):
        drawing.draw_lines(panel, lines, log_y)
        ticks = sorted({x for line in lines for x, *_ in line.points})
        if len(ticks) <= 10:
            panel.set_xticks(ticks)
            panel.set_xticklabels([f"{tick:g}" for tick in ticks])
        panel.set_title(name, loc="left")
        panel.set_xlabel(x_label)
    axes[0, 0].set_ylabel(y_label)
    if not log_y:
        axes[0, 0].set_ylim(bottom=0)
    return drawing.finish(figure, title, caption, legend=axes[0, 0])


def table_by_size(name: str, caption: str, rows: Sequence[Row], column: str, head: str) -> Table:
    """Median and 5th to 95th percentile in ms: a line for each value of `column`, a column a size."""
    columns = sizes(rows)
    lines = []
    for value in values_of(rows, column):
        found = [pick(at_size(rows, size), **{column: value}) for size in columns]
        lines.append([str(value)] + [spread(row) if row else DASH for row in found])
    return Table(name, caption, [head] + [f"{size} ms" for _, size in columns], lines)
