# SPDX-License-Identifier: MIT
"""The figures of a page of results."""

import math
import textwrap
from collections.abc import Sequence
from typing import Any

from pandas import DataFrame, Series

from . import style
from .jobs import Lab
from .style import PALETTE, WIDTH, ticker

STEPS = ("copy in", "filter", "copy out")  # of a timeline
LETTER = 0.078  # inches, of a label
HOLLOW = {"markerfacecolor": "white", "markersize": 7, "markeredgewidth": 1.5}  # seen in print, too


def _canvas(height: float, title: str, caption: str, left: float, right: float) -> tuple[Any, Any]:
    """A figure and its axes, with margins in inches."""
    figure, ((axes,),) = style.canvas(height)
    lines = textwrap.wrap(caption, 130)
    figure.subplots_adjust(left / WIDTH, 0.5 / height, 1 - right / WIDTH, 1 - (0.45 + 0.15 * len(lines)) / height)
    figure.text(0.1 / WIDTH, 1 - 0.1 / height, title, fontsize=12, va="top")
    figure.text(0.1 / WIDTH, 1 - 0.35 / height, "\n".join(lines), fontsize=9, color="0.35", va="top")
    return figure, axes


def _direct_labels(axes: Any, ends: Sequence[tuple[str, str, float, float]]) -> None:
    """Writes each label (text, colour, x and y of its curve's end) right of the axes, moved apart where they would overlap."""
    low, high = map(math.log, axes.get_ylim())
    gap = 1.35 * 9 / 72 / (axes.get_position().height * axes.figure.get_size_inches()[1])
    places = sorted((math.log(y) - low) / (high - low) for _, _, _, y in ends)
    for _ in range(200):
        for index in range(1, len(places)):
            overlap = max(0.0, places[index - 1] + gap - places[index])
            places[index - 1], places[index] = places[index - 1] - overlap / 2, places[index] + overlap / 2
        places[0], places[-1] = max(places[0], 0.0), min(places[-1], 1.0)
    for place, (text, colour, x, y) in zip(places, sorted(ends, key=lambda end: end[3])):
        axes.annotate(
            text,
            (x, y),
            (1.04, place),
            textcoords="axes fraction",
            color=colour,
            fontsize=9,
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colour, "lw": 0.6, "shrinkA": 1, "shrinkB": 3},
        )


def _by_size(
    lab: Lab, rows: DataFrame, what: str, column: str, joined: Any, caption: str, line: tuple[str, Series] | None = None
) -> Any:
    """A curve for each variant. Only points that are measured alike (`joined`) are joined; those that are `hollow` are hollow."""
    drawn = rows[rows[column].notna()]
    longest = max(map(len, [*drawn["label"], line[0] if line else ""]))
    title = f"{lab.name}: {what.partition(' (')[0]}"
    title += f" over {lab.baseline}" if column == "speed_up" else " by size"
    figure, axes = _canvas(4.6, title, caption, 0.9, 0.55 + LETTER * longest)
    ends = []
    for index, label in enumerate(lab.labels):
        curve = drawn[drawn["label"] == label]
        colour, dashes = PALETTE[index % len(PALETTE)], "-" if index < len(PALETTE) else "--"
        for _, part in curve.groupby(joined, sort=False):
            axes.plot(part["pixels"].tolist(), part[column].tolist(), color=colour, linestyle=dashes)
        for pixels, y, rough in zip(curve["pixels"], curve[column], curve["hollow"]):
            axes.plot(pixels, y, "o", color=colour, **(HOLLOW if rough else {}))
        ends += [(label, colour, pixels, y) for pixels, y in curve[["pixels", column]].values[-1:]]
    if line:
        words, level = line
        axes.plot(level.index.tolist(), level.tolist(), color="0.45", linestyle="--", linewidth=1.2)
        ends.append((words, "0.35", level.index[-1], level.iloc[-1]))
    axes.set(xscale="log", yscale="log", xlabel="image size, logarithmic", ylabel=f"{what}, logarithmic")
    axes.set_xticks([pixels for pixels, _ in lab.sizes])
    axes.set_xticklabels([name for _, name in lab.sizes], rotation=30 if len(lab.sizes) > 8 else 0)
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    if len(lab.sizes) == 1:
        axes.set_xlim(lab.sizes[0][0] / 2, lab.sizes[0][0] * 2)
    style.plain(axes.yaxis, more=True)
    _direct_labels(axes, ends)
    return figure


def time_by_size(lab: Lab) -> Any:
    """With the time of a copy of the same bytes, the middle one of the sessions, where all rows are of one processor."""
    rows = lab.rows
    alike = len(rows[["backend", "device", "devices", "cold"]].drop_duplicates()) == 1
    line = None
    if alike and rows["ceiling"].notna().all():
        copy = rows["rate"] / rows["ceiling"].median() * rows["ms"]
        what = "the bus alone" if rows["with_copies"].iloc[0] else "a copy"
        line = what, copy.groupby(rows["pixels"]).first()
    drawn = rows.assign(hollow=rows["is_noisy"])
    return _by_size(lab, drawn, "time (ms)", "ms", "iterations", lab.caption(), line)


def speed_ups(lab: Lab) -> Any:
    """Over the baseline, whose iterations the caption has where they are others."""
    rows = lab.rows
    drawn = rows.assign(hollow=rows["is_noisy"] | rows["base_is_noisy"].eq(True))
    others = rows[rows["base_iterations"].notna() & (rows["base_iterations"] != rows["iterations"])]
    words = dict.fromkeys(f"{row.base_iterations:.0f} at {row.size}" for row in others.itertuples())
    caption = lab.caption() + (f"; iterations of {lab.baseline}: {', '.join(words)}" if words else "")
    return _by_size(lab, drawn, "speed-up", "speed_up", ["iterations", "base_iterations"], caption)


def fastest_by_lab(title: str, caption: str, bars: Sequence[tuple[str, float]]) -> Any:
    """A bar for each lab, its time beside it."""
    names, times = zip(*bars)
    figure, axes = _canvas(1.2 + 0.3 * len(bars), title, caption, 0.3 + LETTER * max(map(len, names)), 0.9)
    for place, ms in enumerate(times):
        axes.barh(place, ms, 0.7, color=PALETTE[0])
        axes.annotate(f"{ms:.3g}", (ms, place), (4, 0), textcoords="offset points", va="center", fontsize=9)
    style.name_axis(axes, names)
    axes.set(xscale="log", xlabel="time (ms), logarithmic")
    axes.set_xlim(min(times) / 3, max(times) * 1.3)
    style.plain(axes.xaxis, more=True)
    return figure


def timeline(title: str, caption: str, steps: DataFrame) -> Any:
    """A line for each stream. A copy starts when the previous copy in its direction has ended: while it waits it is pale."""
    streams = sorted(set(zip(steps["gpu"], steps["stream"])))
    several = steps["gpu"].nunique() > 1
    figure, axes = _canvas(1.5 + 0.34 * len(streams), title, caption, 1.4 if several else 0.9, 1.0)
    free: dict[tuple[float, str], float] = {}
    for step in steps.sort_values("end_ms", kind="stable").itertuples():
        start, end, kind = step.start_ms, step.end_ms, STEPS.index(step.what)
        began = min(max(start, free.get((step.gpu, step.what), 0)), end) if step.what != "filter" else start
        free[step.gpu, step.what] = end
        y = streams.index((step.gpu, step.stream)) + 0.26 * (kind - 1)
        axes.barh(y, began - start, 0.24, start, color=PALETTE[kind], alpha=0.2)
        axes.barh(y, end - began, 0.24, began, color=PALETTE[kind], edgecolor="white", linewidth=0.4)
    for kind, what in enumerate(STEPS):
        axes.text(1.02, 0.9 - 0.3 * kind, what, transform=axes.transAxes, color=PALETTE[kind], va="center")
    names = [f"GPU {gpu:.0f}, stream {stream:.0f}" if several else f"stream {stream:.0f}" for gpu, stream in streams]
    style.name_axis(axes, names)
    axes.set_xlabel("time since the first step (ms)")
    axes.set_xlim(left=0)
    return figure
