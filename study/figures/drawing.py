# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Figures in one style: lines, bars and heat maps, and their bytes as SVG.

Colours are those of Okabe and Ito, and two more (lines, bars), and cividis (heat maps, sizes): they can
be read by people who are colour-blind, and every line has its own marker too.
"""

import math
import textwrap
from typing import Any, Dict, List, Optional, Sequence, Tuple

import matplotlib
import numpy
from matplotlib.patches import Rectangle

from tools.plots.style import PALETTE, WIDTH, canvas, plain, pyplot, svg, ticker  # noqa: F401

from .coincident import coincide
from .content import Bars, Line, number
from .labels import PERCENTILES, bars_entry, colours, say_logarithmic
from .looks import look_of, looks  # noqa: F401

DASHES = ("-", "--", ":", "-.")


def finish(figure: Any, title: str, caption: str, legend: Optional[Any] = None, bars: str = PERCENTILES) -> Any:
    """Puts the title above, the caption below, and the legend of one or several axes to the right of all.

    bars: what the error bars are, for the legend."""
    title += colours(title, caption)
    say_logarithmic(figure)
    height = figure.get_size_inches()[1]
    caption = caption.replace("`", "")
    lines = [wrapped for paragraph in caption.split("\n") for wrapped in textwrap.wrap(paragraph, 140) or [""]]
    right = 1.0
    if legend is not None:
        handles, labels = zip(*_legend_entries(figure, list(numpy.ravel(legend)), bars))
        # The width of a legend: about 0.074 inches per letter, plus line and margin.
        right = 1 - (0.63 + 0.074 * max(len(line) for label in labels for line in label.split("\n"))) / WIDTH
        figure.legend(handles, labels, loc="center left", bbox_to_anchor=(right, 0.5))
    below = (0.155 * len(lines) + 0.06) / height
    heading = figure.suptitle(title, fontsize=12, x=0.01, ha="left", y=1 - 0.08 / height, va="top")
    heading.set_in_layout(False)
    figure.text(0.01, 0.01, "\n".join(lines), fontsize=8, color="0.35", va="bottom")
    for _ in range(2):  # the labels of an axis may change when it gets its size
        figure.tight_layout(pad=0.5, w_pad=1.5, rect=(0, below, right, 1 - 0.33 / height))
    return figure


def _legend_entries(figure: Any, legend: List[Any], bars: str) -> List[Tuple[Any, str]]:
    """Handles and labels: our lines first, then the lines for comparison, then what the error bars are."""
    found = [pair for axes in legend for pair in zip(*axes.get_legend_handles_labels())]
    named = list({label: (handle, label) for handle, label in reversed(found)}.values())[::-1]
    named.sort(key=lambda pair: isinstance(pair[0], matplotlib.lines.Line2D))
    return named + [(handle, bars) for handle in bars_entry(figure, bars)]


def size_axis(axes: Any, sizes: Sequence[Tuple[int, str]]) -> None:
    """An x axis of pixels, logarithmic, each size named in words."""
    axes.set_xscale("log")
    axes.set_xticks([pixels for pixels, _ in sizes])
    crowded = len(sizes) > 8
    axes.set_xticklabels(
        [name for _, name in sizes], rotation=45 if crowded else 0, ha="right" if crowded else "center"
    )
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xlabel("image size")


def name_axis(axes: Any, names: Sequence[str], **look: Any) -> None:
    """A y axis of names, the first on top."""
    axes.set_yticks(range(len(names)))
    axes.set_yticklabels(names, **look)
    axes.set_ylim(len(names) - 0.5, -0.5)


def point_look(colour: str, marker: str, noisy: bool) -> Dict[str, Any]:
    """How a point is drawn: a noisy one is hollow, and larger, so that the hole is seen in print."""
    hollow = {"markerfacecolor": "white", "markeredgewidth": 1.5, "markersize": 8, "zorder": 5}
    return {"color": colour, "marker": marker, **(hollow if noisy else {})}


def draw_lines(axes: Any, lines: Sequence[Line], log_y: bool = True) -> None:
    """Draws the lines with error bars; a noisy point is hollow."""
    solid = [line for line in lines if not line.dashed and not line.beside]
    look = dict(zip((line.label for line in solid), looks([(line.label, line.variant) for line in solid])))
    colours = {label: colour for label, (colour, _) in look.items()}
    seen: List[str] = []  # a second line of one variant is dashed, and one that hides another
    drawn: List[Line] = []
    if log_y:
        axes.set_yscale("log")
    for line in solid:
        if not line.points:
            continue
        colour, marker = look[line.label]
        again = max(seen.count(colour), sum(coincide(line, other) for other in drawn))
        seen.append(colour)
        drawn.append(line)
        x, y, error, noisy = zip(*sorted(line.points))
        bars = list(zip(*error)) if any(map(any, error)) else None
        axes.errorbar(
            x, y, yerr=bars, label=line.label, color=colour, marker=marker, linestyle=DASHES[again % len(DASHES)]
        )
        rough = [(at, value) for at, value, flag in zip(x, y, noisy) if flag]
        if rough:
            axes.plot(*zip(*rough), linestyle="", **point_look(colour, marker, noisy=True))
    references = 0
    for line in lines:
        if not line.points or not (line.dashed or line.beside):
            continue
        x, y = list(zip(*sorted(line.points)))[:2]
        if line.beside:
            original = "original" in line.label  # the report's own program, on our GPU
            kind = {"marker": "x" if original else ".", "linestyle": "-." if original else ":"}
            axes.plot(x, y, label="_", color=colours.get(line.beside, "0.45"), **kind)
            words = "original program" if original else "published"  # one entry for all, the colour says of which
            axes.plot([], [], label=f"{words}, same colours", color="0.45", **kind)
        elif len(x) > 1:
            axes.plot(x, y, label=line.label, color="0.45", linewidth=1.2, linestyle=DASHES[1 + references % 3])
            references += 1
        else:
            axes.plot(x, y, label=line.label, color="0.2", linestyle="", marker="*", markersize=12)
    if log_y:
        plain(axes.yaxis, more=True)


def draw_bars(axes: Any, groups: Sequence[str], bars: Sequence[Bars]) -> None:
    """Bars side by side, one of each label in a group.

    A height that is NaN is a dash; a noisy bar is hollow. Bars whose label ends with "published" are
    gray and hatched.
    """
    width = 0.8 / max(1, len(bars))
    colours = looks([(one.label, one.variant) for one in bars])
    for index, one in enumerate(bars):
        label, heights, errors, noisy = one.label, one.heights, one.errors, one.noisy
        at = [group - 0.4 + width * (index + 0.5) for group in range(len(groups))]
        there = [place for place, height in enumerate(heights) if not math.isnan(height)]
        twin = [colour for colour, _ in colours[:index]].count(colours[index][0])
        look = {"color": colours[index][0], "ecolor": "0.25", "hatch": "//" * twin}
        if label.endswith("published"):
            look = {"color": "0.8", "hatch": "///"}
        drawn = axes.bar(
            [at[place] for place in there],
            [heights[place] for place in there],
            width * 0.92,
            yerr=list(zip(*(errors[place] for place in there))) if errors and there else None,
            edgecolor="white",
            **look,
        )
        entry = {"facecolor": look["color"], "edgecolor": "white", "hatch": look["hatch"]}
        axes.add_patch(Rectangle((0, 0), 0, 0, label=label, **entry))  # of the legend: never hollow
        for x, height in zip(at, heights):
            if math.isnan(height):
                axes.text(x, 0, "–", ha="center", va="bottom", color="0.4")
        for place, bar in zip(there, drawn):
            if noisy and noisy[place]:
                bar.set(facecolor="white", edgecolor=colours[index][0], linewidth=1.5)
    axes.set_xlim(-0.6, len(groups) - 0.4)
    axes.set_xticks(range(len(groups)))
    axes.set_xticklabels(groups)
    axes.grid(axis="x", visible=False)


def draw_panel(axes: Any, panel: Any) -> None:
    """One panel of a figure (shapes.py): its lines or bars, then its axes."""
    if panel.bars:
        draw_bars(axes, panel.groups, panel.bars)
    else:
        draw_lines(axes, panel.lines, panel.log_y)
    if panel.numbers:
        for drawn in (container for container in axes.containers if hasattr(container, "patches")):
            axes.bar_label(drawn, list(map(number, drawn.datavalues)), fontsize=7, padding=3, rotation=90)
        axes.set_ylim(top=1.12 * axes.get_ylim()[1])
    if panel.level is not None:
        axes.axhline(panel.level, **panel.level_look)
    if panel.sizes:
        size_axis(axes, panel.sizes)
    if panel.log_x:
        axes.set_xscale("log", base=panel.log_x)
    if panel.ticks:
        axes.set_xticks(list(panel.ticks))
        axes.set_xticklabels(list(panel.ticks.values()))
    if panel.log_x:
        axes.minorticks_off()
    if panel.from_zero:
        axes.set_ylim(0, axes.get_ylim()[1] * 1.08)
    if panel.slanted:
        axes.tick_params(axis="x", labelsize=8, rotation=45)
    if panel.title:
        axes.set_title(panel.title, loc="left", fontsize=panel.title_size)
    if panel.x:
        axes.set_xlabel(panel.x)
    if panel.y:
        axes.set_ylabel(panel.y)
    if panel.bottom is not None or panel.top is not None:
        axes.set_ylim(panel.bottom, panel.top)
