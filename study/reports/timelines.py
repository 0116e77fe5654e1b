# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Lab 06: the timeline of one run of each variant."""

from functools import partial
from typing import Any, Dict, List, Sequence, Tuple

from ..figures import drawing
from ..figures.content import COLOURS, Figure, Section, short_name
from ..measurements.published import Published
from ..measurements.selection import Results

LAB = "06_async_streams"
STEPS = ("copy in", "filter", "copy out")


def _draw_timeline(name: str, steps: Sequence[Dict[str, str]]) -> Any:
    """One row per stream. A copy starts when the previous copy in its direction has ended; the time
    that it waits for the bus is drawn pale."""
    streams = sorted({(int(step["gpu"]), int(step["stream"])) for step in steps})
    figure, axes = drawing.canvas(1.3 + 0.32 * len(streams))
    panel = axes[0, 0]
    free: Dict[Tuple[str, str], float] = {}
    for step in sorted(steps, key=lambda step: float(step["end_ms"])):
        start, end = float(step["start_ms"]), float(step["end_ms"])
        engine = step["gpu"], step["what"]
        began = min(max(start, free.get(engine, 0)), end) if step["what"] != "filter" else start
        free[engine] = end
        y = streams.index((int(step["gpu"]), int(step["stream"])))
        colour = drawing.PALETTE[STEPS.index(step["what"])]
        lane = STEPS.index(step["what"]) * 0.26 - 0.26
        panel.barh(y + lane, began - start, 0.24, start, color=colour, alpha=0.2)
        panel.barh(y + lane, end - began, 0.24, began, color=colour, edgecolor="white", linewidth=0.4)
    for what in STEPS:
        panel.bar(0, 0, color=drawing.PALETTE[STEPS.index(what)], label=what)
    several = len({gpu for gpu, _ in streams}) > 1
    panel.set_yticks(range(len(streams)))
    panel.set_yticklabels([f"GPU {gpu}, stream {stream}" if several else f"stream {stream}" for gpu, stream in streams])
    panel.set_ylim(len(streams) - 0.5, -0.5)
    panel.set_xlim(left=0)
    panel.grid(axis="y", visible=False)
    panel.set_xlabel("time since the first step (ms)")
    one = steps[0]
    colours = COLOURS.get(one["channels"], f"{one['channels']} channels")
    caption = (
        f"{short_name(one['device'])}: {one['width']}x{one['height']}, {colours}, {one['ksize']}x{one['ksize']} {one['filter']}; "
        "one run, by its streams' events. Pale: the copy waits for the previous one in that direction."
    )
    return drawing.finish(figure, f"{name}: timeline of one run", caption, legend=panel)


def timelines(results: Results, _: Published) -> Section:
    """When each copy and each kernel of one run began and ended, one picture per variant."""
    title = "Overlapping copies: timelines"
    steps = [step for step in results.timeline if step["lab"] == LAB]
    if not steps:
        return Section(title, missing="lab 06 on a GPU: run `make timeline`")
    figures: List[Any] = []
    for variant in dict.fromkeys(step["variant"] for step in steps):
        mine = [step for step in steps if step["variant"] == variant]
        figures.append(
            Figure(
                f"timeline_{variant}",
                f"{variant}: {len(mine)} steps of one run; what lies above each other runs at the same time.",
                partial(_draw_timeline, variant, mine),
            )
        )
    return Section(title, figures)
