# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Lab 06: the timeline of one run of each variant."""

from functools import partial

from tools.plots.figures import timeline

from ..figures.content import COLOURS, Figure, Section, short_name
from ..measurements.selection import Results

LAB = "06_async_streams"


def timelines(results: Results) -> Section:
    """When each copy and each kernel of one run began and ended, one picture per variant."""
    title = "Overlapping copies: timelines"
    steps = [step for step in results.timeline if step["lab"] == LAB]
    if not steps:
        return Section(title, missing="lab 06 on a GPU: run `make timeline`")
    figures = []
    for variant in dict.fromkeys(step["variant"] for step in steps):
        mine = [step for step in steps if step["variant"] == variant]
        one = mine[0]
        colours = COLOURS.get(one["channels"], f"{one['channels']} channels")
        about = (
            f"{short_name(one['device'])}: {one['width']}x{one['height']}, {colours}, {one['ksize']}x{one['ksize']} "
            f"{one['filter']}; one run, by its streams' events. Pale: the copy waits for the previous one in that direction."
        )
        caption = f"{variant}: {len(mine)} steps of one run. Steps above each other run at the same time."
        draw = partial(timeline, f"{variant}: timeline of one run", about, mine)
        figures.append(Figure(f"timeline_{variant}", caption, draw))
    return Section(title, figures)
