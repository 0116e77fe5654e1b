# SPDX-License-Identifier: MIT
"""The figures of a page of results."""

import math
import textwrap
from statistics import median
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from . import style
from .jobs import Compared, Lab
from .other_files import STEPS
from .rows import Row
from .style import PALETTE, WIDTH, ticker

LETTER = 0.078  # inches, of a label
HOLLOW = {"markerfacecolor": "white", "markersize": 7, "markeredgewidth": 1.5}  # seen in print, too


def _canvas(height: float, title: str, caption: str, left: float, right: float) -> Tuple[Any, Any]:
    """A figure and its axes, with margins in inches."""
    figure, ((axes,),) = style.canvas(height)
    lines = textwrap.wrap(caption, 130)
    figure.subplots_adjust(left / WIDTH, 0.5 / height, 1 - right / WIDTH, 1 - (0.45 + 0.15 * len(lines)) / height)
    figure.text(0.1 / WIDTH, 1 - 0.1 / height, title, fontsize=12, va="top")
    figure.text(0.1 / WIDTH, 1 - 0.35 / height, "\n".join(lines), fontsize=9, color="0.35", va="top")
    return figure, axes


def _direct_labels(axes: Any, ends: Sequence[Tuple[str, str, float, float]]) -> None:
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


def _rough(row: Row) -> bool:
    return row.is_noisy or row.disturbed


def _by_size(
    lab: Lab,
    title: str,
    caption: str,
    what: str,
    value: Callable[[Row], Optional[float]],
    same: Callable[[Row], Any],
    rough: Callable[[Row], bool],
    line: Optional[Tuple[str, Dict[int, float]]] = None,
) -> Any:
    """A curve for each variant. Only points that are measured alike (`same`) are joined; `rough` ones are hollow."""
    points: Dict[str, List[Tuple[Row, float]]] = {}
    for label, curve in lab.curves.items():
        found = [(row, number) for row, number in ((row, value(row)) for row in curve) if number]
        if found:
            points[label] = found
    longest = max(map(len, [*points, line[0] if line else ""]))
    figure, axes = _canvas(4.6, title, caption, 0.9, 0.55 + LETTER * longest)
    ends = []
    for index, label in enumerate(lab.curves):
        curve = points.get(label, [])
        colour, dashes = PALETTE[index % len(PALETTE)], "-" if index < len(PALETTE) else "--"
        for group in dict.fromkeys(same(row) for row, _ in curve):
            part = [(row, y) for row, y in curve if same(row) == group]
            axes.plot([row.pixels for row, _ in part], [y for _, y in part], color=colour, linestyle=dashes)
        for row, y in curve:
            axes.plot(row.pixels, y, "o", color=colour, **(HOLLOW if rough(row) else {}))
        ends += [(label, colour, row.pixels, y) for row, y in curve[-1:]]
    if line:
        axes.plot(list(line[1]), list(line[1].values()), color="0.45", linestyle="--", linewidth=1.2)
        ends.append((line[0], "0.35", max(line[1]), line[1][max(line[1])]))
    axes.set(xscale="log", yscale="log", xlabel="image size, logarithmic", ylabel=f"{what}, logarithmic")
    axes.set_xticks([pixels for pixels, _ in lab.sizes])
    axes.set_xticklabels([name for _, name in lab.sizes], rotation=30 if len(lab.sizes) > 8 else 0)
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    if len(lab.sizes) == 1:
        axes.set_xlim(lab.sizes[0][0] / 2, lab.sizes[0][0] * 2)
    style.plain(axes.yaxis, more=True)
    _direct_labels(axes, ends)
    return figure


def speed_up_caption(lab: Lab, to: Compared) -> str:
    """With the iterations of the baseline, where they are others."""
    pairs = [(row, to.baseline(lab, row)) for row in lab.rows]
    others = dict.fromkeys(
        f"{base.iterations} at {base.size_name}" for row, base in pairs if base and base.iterations != row.iterations
    )
    return lab.caption() + (f"; iterations of {to.name(lab)}: {', '.join(others)}" if others else "")


def time_by_size(lab: Lab, to: Compared) -> Any:
    """With the time of a copy of the same bytes, the middle one of the sessions, where all rows are of one processor."""
    copies: Dict[int, float] = {}
    rates = [row.ceiling for row in lab.rows if row.ceiling]
    one = len({(row.backend, row.device, row.devices, row.cold) for row in lab.rows}) == 1
    for row in lab.rows if one and len(rates) == len(lab.rows) else []:
        copies.setdefault(row.pixels, row.rate("bytes") / median(rates) * row.ms)
    what = "the bus alone" if lab.rows[0].with_copies else "a copy"
    return _by_size(
        lab,
        f"{lab.name}: time by size",
        lab.caption(),
        "time (ms)",
        lambda row: row.ms,
        lambda row: row.iterations,
        _rough,
        (what, dict(sorted(copies.items()))) if copies else None,
    )


def speed_ups(lab: Lab, to: Compared) -> Any:
    """Over the baseline."""
    bases = {row.order: to.baseline(lab, row) or row for row in lab.rows}
    return _by_size(
        lab,
        f"{lab.name}: speed-up over {to.name(lab)}",
        speed_up_caption(lab, to),
        "speed-up",
        lambda row: to.speed_up(lab, row),
        lambda row: (row.iterations, bases[row.order].iterations),
        lambda row: _rough(row) or _rough(bases[row.order]),
    )


def fastest_by_lab(title: str, caption: str, bars: Sequence[Tuple[str, Row]]) -> Any:
    """A bar for each lab, its time beside it."""
    longest = max(len(label) for label, _ in bars)
    figure, axes = _canvas(1.2 + 0.3 * len(bars), title, caption, 0.3 + LETTER * longest, 0.9)
    for place, (_, row) in enumerate(bars):
        axes.barh(place, row.ms, 0.7, color=PALETTE[0])
        axes.annotate(f"{row.ms:.3g}", (row.ms, place), (4, 0), textcoords="offset points", va="center", fontsize=9)
    axes.set_yticks(range(len(bars)))
    axes.set_yticklabels([label for label, _ in bars])
    axes.set(ylim=(len(bars) - 0.5, -0.5), xscale="log", xlabel="time (ms), logarithmic")
    axes.set_xlim(min(row.ms for _, row in bars) / 3, max(row.ms for _, row in bars) * 1.3)
    axes.grid(axis="y", visible=False)
    style.plain(axes.xaxis, more=True)
    return figure


def timeline(title: str, caption: str, steps: Sequence[Dict[str, str]]) -> Any:
    """A line for each stream. A copy starts when the previous copy in its direction has ended: while it waits it is pale."""
    streams = sorted({(int(step["gpu"]), int(step["stream"])) for step in steps})
    several = len({gpu for gpu, _ in streams}) > 1
    figure, axes = _canvas(1.5 + 0.34 * len(streams), title, caption, 1.4 if several else 0.9, 1.0)
    free: Dict[Tuple[str, str], float] = {}
    for step in sorted(steps, key=lambda step: float(step["end_ms"])):
        start, end, kind = float(step["start_ms"]), float(step["end_ms"]), STEPS.index(step["what"])
        began = min(max(start, free.get((step["gpu"], step["what"]), 0)), end) if step["what"] != "filter" else start
        free[step["gpu"], step["what"]] = end
        y = streams.index((int(step["gpu"]), int(step["stream"]))) + 0.26 * (kind - 1)
        axes.barh(y, began - start, 0.24, start, color=PALETTE[kind], alpha=0.2)
        axes.barh(y, end - began, 0.24, began, color=PALETTE[kind], edgecolor="white", linewidth=0.4)
    for kind, what in enumerate(STEPS):
        axes.text(1.02, 0.9 - 0.3 * kind, what, transform=axes.transAxes, color=PALETTE[kind], va="center")
    axes.set_yticks(range(len(streams)))
    axes.set_yticklabels([f"GPU {gpu}, stream {stream}" if several else f"stream {stream}" for gpu, stream in streams])
    axes.set(ylim=(len(streams) - 0.5, -0.5), xlabel="time since the first step (ms)")
    axes.set_xlim(left=0)
    axes.grid(axis="y", visible=False)
    return figure
