# SPDX-License-Identifier: MIT
"""Boxes, words and arrows on a sheet of paper, for the pictures that explain a lab.

A unit is a hundredth of an inch, about a pixel of a README; y grows downwards. The sheet is white, so that a picture looks the
same on a light page, on a dark page and in print."""

from typing import Any

import matplotlib
from matplotlib.patches import FancyArrowPatch, Rectangle

from report.make.plots.style import PALETTE, STYLE, pyplot, svg

INK, GREY, PALE = "#222222", "#777777", "#eeeeee"
BLUE, ORANGE, GREEN, PINK, YELLOW, SKY = PALETTE[:6]
Point = tuple[float, float]
SMALLEST = 7 * 2.54 / 16 / 100  # times the width of a sheet: 7 points, if it is printed 16 cm wide


# A browser's font may be 5 % wider: how far words reach to the left and to the right then, by their alignment.
WIDER = {"left": (0, 0.05), "center": (0.025, 0.025), "right": (0.05, 0)}


class Sheet:
    """A sheet of width x height units. All parts stay on it: svg() fails if one reaches beyond its edge."""

    def __init__(self, width: int, height: int) -> None:
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({**STYLE, "font.size": 9})
        self.figure = pyplot.figure(figsize=(width / 100, height / 100))
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(0, width), ylim=(height, 0))
        self.axes.axis("off")
        self.smallest = SMALLEST * width

    def box(
        self, x: float, y: float, width: float, height: float, fill: str = "none", text: Any = "", **look: Any
    ) -> None:
        """A rectangle with its upper left corner at (x, y), and text in its middle. look: edge, line, hatch, size, colour."""
        edge, line, hatch = look.get("edge", INK), look.get("line", 0.8), look.get("hatch", "")
        self.axes.add_patch(
            Rectangle((x, y), width, height, facecolor=fill, edgecolor=edge, linewidth=line, hatch=hatch)
        )
        if str(text):
            self.text(
                x + width / 2, y + height / 2, text, "center", size=look.get("size", 9), colour=look.get("colour", INK)
            )

    def text(
        self, x: float, y: float, text: Any, align: str = "left", size: float = 9, colour: str = INK, bold: bool = False
    ) -> None:
        """Words whose middle line is at y; align: left, center or right of x. They are large enough for print."""
        weight, size = "bold" if bold else "normal", max(size, self.smallest)
        self.axes.text(x, y, str(text), ha=align, va="center", fontsize=size, color=colour, fontweight=weight)

    def arrow(self, start: Point, end: Point, colour: str = INK, bend: float = 0, line: float = 1.2) -> None:
        """An arrow from start to end, straight or bent to one side."""
        style = f"arc3,rad={bend}"
        self.axes.add_patch(
            FancyArrowPatch(
                start, end, connectionstyle=style, arrowstyle="-|>", mutation_scale=9, color=colour, linewidth=line
            )
        )

    def line(self, start: Point, end: Point, colour: str = GREY, line: float = 0.8, dashed: bool = False) -> None:
        """A straight line."""
        self.axes.plot(
            (start[0], end[0]), (start[1], end[1]), color=colour, linewidth=line, linestyle="--" if dashed else "-"
        )

    def svg(self) -> bytes:
        """The sheet as SVG: the same parts give the same bytes."""
        self.figure.canvas.draw()
        paper = self.figure.bbox.padded(1)
        for part in [*self.axes.texts, *self.axes.patches]:
            area = part.get_window_extent()
            before, behind = WIDER[part.get_ha()] if part in self.axes.texts else (0, 0)
            left, right = area.x0 - before * area.width, area.x1 + behind * area.width
            if not (paper.contains(left, area.y0) and paper.contains(right, area.y1)):
                raise ValueError(
                    f"a part of the picture is not on its sheet: {getattr(part, 'get_text', lambda: part)()}"
                )
        return svg(self.figure)
