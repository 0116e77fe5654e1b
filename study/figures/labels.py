# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What every figure says: gray where it is not RGB, which axes are logarithmic, what its bars are, why it has none."""

import re
from typing import Any, List

import numpy
from matplotlib.collections import LineCollection
from matplotlib.container import ErrorbarContainer
from matplotlib.lines import Line2D

PERCENTILES, QUARTILES = "bars: 5th to\n95th percentile", "bars: quartiles"
# In the caption of a figure of speed-ups.
RATIOS = "Without bars: ratios of two medians."


def colours(title: str, caption: str) -> str:
    """ ", gray" or ", gray and RGB", as the caption says, where the title does not; nothing where all is RGB."""
    found = re.search(r"\b(gray|RGBA?)((, | and )(gray|RGBA?))*\b", caption)
    return f", {found[0]}" if found and found[0] != "RGB" and not re.search("gray|RGB", title, re.I) else ""


def say_logarithmic(figure: Any) -> None:
    """Adds the word to the label of every logarithmic axis that has a label."""
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if axis.get_scale() == "log" and axis.get_label_text():
                axis.set_label_text(f"{axis.get_label_text()}, logarithmic")


def _has_bars(axes: Any) -> bool:
    ends = [
        segment
        for container in axes.containers
        if isinstance(container, ErrorbarContainer)
        for collection in container.lines[2]
        for segment in collection.get_segments()
    ]
    return any(not numpy.array_equal(start, end) for start, end in ends)


def bars_entry(figure: Any, words: str) -> List[Any]:
    """An entry for the legend that says what the error bars are; none where the figure has no bars."""
    if not any(map(_has_bars, figure.axes)):
        return []
    cap = Line2D([], [], color="0.3", marker="_", linestyle="")
    bar = LineCollection([((0, 0), (0, 1))], colors="0.3")
    return [ErrorbarContainer((None, (cap,), (bar,)), has_yerr=True, label=words)]
