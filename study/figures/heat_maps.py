# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Heat maps: one to three side by side, with the numbers in the cells."""

from typing import Any, Callable, Container, Dict, Sequence, Tuple

import matplotlib

from . import drawing
from .content import NOISY, joined, number

At = Tuple[int, int]  # row and column of a heat map
Cells = Dict[At, float]
Word = Callable[[At], str]  # what is written in a cell


def _cells(
    axes: Any, panel: Cells, rows: Sequence[int], columns: Sequence[int], colours: Any, word: Word, size: float
) -> None:
    """The numbers above 0 of a panel in coloured cells; a blank cell where there is none."""
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            value = panel.get((row, column))
            face = (0.93, 0.93, 0.93, 1.0) if value is None else colours.to_rgba(value)
            cell = matplotlib.patches.Rectangle(
                (x - 0.5, y - 0.5), 1, 1, facecolor=face, edgecolor="white", linewidth=0.8
            )
            axes.add_patch(cell)
            bright = 0.299 * face[0] + 0.587 * face[1] + 0.114 * face[2]
            look = {"ha": "center", "va": "center", "color": "black" if bright > 0.5 else "white"}
            axes.text(x, y, word((row, column)), fontsize=size, **look)
    axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5))
    axes.set_xticks(range(len(columns)))
    axes.set_yticks(range(len(rows)))
    axes.set_yticklabels(list(map(str, rows)))
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _colour_bar(figure: Any, panels: Sequence[Any], colours: Any, unit: str) -> None:
    """On the right, where the panels make room for it."""
    for panel in panels:
        place = panel.get_position()
        panel.set_position((place.x0 * 0.92 + 0.005, place.y0, place.width * 0.92, place.height))
    place = panels[-1].get_position()
    bar = figure.colorbar(colours, cax=figure.add_axes((place.x1 + 0.01, place.y0, 0.012, place.height)))
    bar.ax.yaxis.set_major_locator(drawing.ticker.LogLocator(subs=(1, 2, 5)))
    drawing.plain(bar.ax.yaxis)
    bar.ax.tick_params(labelsize=7)
    bar.ax.set_ylabel(f"{unit}, logarithmic", fontsize=7, labelpad=4)


def heat_maps(
    title: str,
    caption: str,
    panels: Sequence[Tuple[str, Cells]],
    row_names: Sequence[int],
    column_names: Sequence[int],
    labels: Tuple[str, str],
    noisy: Container[At],
    refused: Container[At] = (),
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
    rows = [row for row in row_names if any(row == at[0] for _, cells in panels for at in cells)]
    columns_of = [[one for one in column_names if any(one == at[1] for at in cells)] for _, cells in panels]
    grids = [(cells, own) for (_, cells), own in zip(panels, columns_of)]
    holes = any((row, one) not in cells for cells, own in grids for row in rows for one in own)
    empty = [str(row) for row in row_names if row not in rows]
    more = ["Dark: slow."] + ["–: not measured; ref.: refused." if refused else "–: not measured."] * holes
    more += [f"{labels[1].partition(' (')[0]} {joined(empty)}: refused or not measured."] * bool(empty)
    caption = " ".join([caption, *more])
    height = 1.75 + 0.34 * max(4, len(rows)) + 0.16 * caption.count("\n")
    ratios = {"width_ratios": [max(1.6, len(own)) for own in columns_of]}
    figure, axes = drawing.canvas(height, columns=len(panels), sharey=True, gridspec_kw=ratios)
    values = [value for _, cells in panels for value in cells.values()]
    scale = matplotlib.colors.LogNorm(min(values), max(max(values), min(values) * 1.01))
    colours = matplotlib.cm.ScalarMappable(scale, "cividis" if high_is_fast else "cividis_r")
    few = len(panels) < 3
    for index, (panel, (name, cells), own) in enumerate(zip(axes[0], panels, columns_of)):

        def word(at: At, cells: Cells = cells, ours: bool = index == 0) -> str:
            return "ref." if ours and at in refused else number(cells.get(at)) + NOISY * (ours and at in noisy)

        _cells(panel, cells, rows, own, colours, word, 8 if few else 6.5)
        words = [column_text(name, column) for column in own]
        panel.set_xticklabels(words)
        long = any(len(one) > 6 for one in words)
        panel.tick_params(axis="x", labelsize=9 if few else 7, rotation=30 if long else 0)
        panel.set_title(name if few else name.replace(", ", ",\n"), loc="left", fontsize=9.5)
        panel.set_xlabel(labels[0])
    axes[0, 0].set_ylabel(labels[1])
    finished = drawing.finish(figure, title, caption)
    _colour_bar(figure, axes[0], colours, unit)
    return finished
