# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Heat maps: one to three side by side, with the numbers in the cells."""

import math
from typing import Any, Callable, Container, Dict, Sequence, Tuple

import matplotlib

from . import drawing
from .content import NOISY, joined, number

Cells = Dict[Tuple[int, int], float]  # (row, column) of a heat map -> value


def _draw(
    axes: Any,
    cells: Sequence[Sequence[float]],
    rows: Sequence[str],
    columns: Sequence[str],
    colours: matplotlib.cm.ScalarMappable,
    words: Sequence[Sequence[str]],
    size: float,
) -> None:
    """A heat map with its numbers in the cells; NaN is a blank cell.

    cells: rows x columns of numbers above 0; colours: of them; words: what is written in each cell.
    """
    for y, line in enumerate(cells):
        for x, value in enumerate(line):
            face = (0.93, 0.93, 0.93, 1.0) if math.isnan(value) else colours.to_rgba(value)
            axes.add_patch(
                matplotlib.patches.Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=face, edgecolor="white", linewidth=0.8)
            )
            bright = 0.299 * face[0] + 0.587 * face[1] + 0.114 * face[2]
            axes.text(
                x, y, words[y][x], ha="center", va="center", fontsize=size, color="black" if bright > 0.5 else "white"
            )
    axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5))
    axes.set_xticks(range(len(columns)))
    axes.set_xticklabels(columns)
    axes.set_yticks(range(len(rows)))
    axes.set_yticklabels(rows)
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def heat_maps(
    title: str,
    caption: str,
    panels: Sequence[Tuple[str, Cells]],
    row_names: Sequence[int],
    column_names: Sequence[int],
    labels: Tuple[str, str],
    noisy: Container[Tuple[int, int]],
    refused: Container[Tuple[int, int]] = (),
    column_text: Callable[[str, int], str] = lambda panel, column: str(column),
    unit: str = "ns per pixel",
    high_is_fast: bool = False,
) -> Any:
    """Heat maps side by side with one scale of colours: light is fast and dark is slow in all. Rows without a number
    are left out, and columns without one in their panel.

    panels: (title, cells) of each, ours first; row_names, column_names: the values that name the
    lines and columns of cells; labels: of the x and the y axis; noisy, refused: cells of ours; column_text: of a panel
    by its title, and a column; high_is_fast: of speed-ups.
    """
    empty = [row for row in row_names if all(row != at[0] for _, cells in panels for at in cells)]
    row_names = [row for row in row_names if row not in empty]
    columns_of = [[one for one in column_names if any(one == at[1] for at in cells)] for _, cells in panels]
    holes = any(
        (row, one) not in cells for (_, cells), own in zip(panels, columns_of) for row in row_names for one in own
    )
    named = labels[1].partition(" (")[0]
    more = ["Dark: slow."]
    more += ["–: not measured; ref.: refused." if refused else "–: not measured."] * holes
    more += [f"{named} {joined(map(str, empty))}: refused or not measured."] * bool(empty)
    caption = " ".join([caption, *more])
    height = 1.75 + 0.34 * max(4, len(row_names)) + 0.16 * caption.count("\n")
    widths = [max(1.6, len(own)) for own in columns_of]
    figure, axes = drawing.canvas(height, columns=len(panels), sharey=True, gridspec_kw={"width_ratios": widths})
    values = [value for _, cells in panels for value in cells.values()]
    limits = (min(values), max(max(values), min(values) * 1.01))
    colours = matplotlib.cm.ScalarMappable(
        matplotlib.colors.LogNorm(*limits), "cividis" if high_is_fast else "cividis_r"
    )
    for index, (panel, (name, cells), own) in enumerate(zip(axes[0], panels, columns_of)):
        grid = [[cells.get((row, column), math.nan) for column in own] for row in row_names]
        words = [
            [
                "refused"[:3] + "."
                if index == 0 and (row, column) in refused
                else number(cells.get((row, column))) + NOISY * (index == 0 and (row, column) in noisy)
                for column in own
            ]
            for row in row_names
        ]
        _draw(
            panel,
            grid,
            [str(row) for row in row_names],
            [column_text(name, column) for column in own],
            colours,
            words,
            8 if len(panels) < 3 else 6.5,
        )
        long = any(len(column_text(name, column)) > 6 for column in own)
        panel.tick_params(axis="x", labelsize=9 if len(panels) < 3 else 7, rotation=30 if long else 0)
        panel.set_title(name if len(panels) < 3 else name.replace(", ", ",\n"), loc="left", fontsize=9.5)
        panel.set_xlabel(labels[0])
    axes[0, 0].set_ylabel(labels[1])
    finished = drawing.finish(figure, title, caption)
    for panel in axes[0]:  # room for the bar of colours on the right
        place = panel.get_position()
        panel.set_position((place.x0 * 0.92 + 0.005, place.y0, place.width * 0.92, place.height))
    place = axes[0, -1].get_position()
    beside = figure.add_axes((place.x1 + 0.01, place.y0, 0.012, place.height))
    bar = figure.colorbar(colours, cax=beside)
    bar.ax.yaxis.set_major_locator(drawing.ticker.LogLocator(subs=(1, 2, 5)))
    drawing.plain(bar.ax.yaxis)
    bar.ax.tick_params(labelsize=7)
    bar.ax.set_ylabel(f"{unit}, logarithmic", fontsize=7, labelpad=4)
    return finished
