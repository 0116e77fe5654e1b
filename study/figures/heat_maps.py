# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Heat maps: one to three side by side, with the numbers in the cells."""

import math
from typing import Any, Callable, Container, Dict, Sequence, Tuple

import matplotlib

from . import drawing
from .content import NOISY, number

Cells = Dict[Tuple[int, int], float]  # (row, column) of a heat map -> value


def _draw(
    axes: Any,
    cells: Sequence[Sequence[float]],
    rows: Sequence[str],
    columns: Sequence[str],
    limits: Tuple[float, float],
    words: Sequence[Sequence[str]],
    size: float,
) -> None:
    """A heat map with its numbers in the cells; NaN is a blank cell.

    cells: rows x columns of numbers above 0, darker where larger; limits: of the logarithmic colour
    scale; words: what is written in each cell.
    """
    norm = matplotlib.colors.LogNorm(*limits)
    colours = matplotlib.cm.ScalarMappable(norm, "cividis_r")
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
    column_text: Callable[[int], str] = str,
    unit: str = "ns per pixel",
) -> Any:
    """Heat maps side by side with one scale of colours: light is low and dark is high in all.

    panels: (title, cells) of each, ours first; row_names, column_names: the values that name the
    lines and columns of cells; labels: of the x and the y axis; noisy, refused: cells of ours.
    """
    height = 1.75 + 0.34 * max(4, len(row_names)) + 0.16 * caption.count("\n")
    figure, axes = drawing.canvas(height, columns=len(panels), sharey=True)
    values = [value for _, cells in panels for value in cells.values()]
    limits = (min(values), max(max(values), min(values) * 1.01))
    for index, (panel, (name, cells)) in enumerate(zip(axes[0], panels)):
        grid = [[cells.get((row, column), math.nan) for column in column_names] for row in row_names]
        words = [
            [
                "refused"[:3] + "."
                if index == 0 and (row, column) in refused
                else number(cells.get((row, column))) + NOISY * (index == 0 and (row, column) in noisy)
                for column in column_names
            ]
            for row in row_names
        ]
        _draw(
            panel,
            grid,
            [str(row) for row in row_names],
            [column_text(column) for column in column_names],
            limits,
            words,
            8 if len(panels) < 3 else 6,
        )
        panel.tick_params(axis="x", labelsize=9 if len(panels) < 3 else 7)
        panel.set_title(name, loc="left", fontsize=10)
        panel.set_xlabel(labels[0])
    axes[0, 0].set_ylabel(labels[1])
    finished = drawing.finish(figure, title, caption)
    for panel in axes[0]:  # room for the bar of colours on the right
        place = panel.get_position()
        panel.set_position((place.x0 * 0.92 + 0.005, place.y0, place.width * 0.92, place.height))
    place = axes[0, -1].get_position()
    beside = figure.add_axes((place.x1 + 0.01, place.y0, 0.012, place.height))
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.LogNorm(*limits), "cividis_r")
    bar = figure.colorbar(scale, cax=beside)
    bar.ax.yaxis.set_major_locator(drawing.ticker.LogLocator(subs=(1, 2, 5)))
    drawing.plain(bar.ax.yaxis)
    bar.ax.tick_params(labelsize=7)
    bar.ax.set_ylabel(f"{unit}, logarithmic", fontsize=7, labelpad=1)
    return finished
