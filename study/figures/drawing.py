# SPDX-License-Identifier: MIT
"""What the figures of the report share. A figure has its caption below it and no title; the colours are those of Okabe and Ito."""

from typing import Any, Dict, Sequence

from tools.plots.style import PALETTE, WIDTH, canvas, plain, pyplot, svg, ticker  # noqa: F401

SMALL = 9  # points, of the smallest text: the report prints a figure at 170 mm, where these are 7 points


def finish(figure: Any) -> Any:
    """Says which axes are logarithmic, and fits all into the figure."""
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        if axis.get_scale() == "log" and axis.get_label_text():
            axis.set_label_text(f"{axis.get_label_text()}, logarithmic")
    for _ in range(2):  # the labels of an axis may change when it gets its size
        figure.tight_layout(pad=0.5, w_pad=1.5)
    return figure


def name_axis(axes: Any, names: Sequence[str], **look: Any) -> None:
    """A y axis of names, the first on top."""
    axes.set_yticks(range(len(names)))
    axes.set_yticklabels(names, **look)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)


def point_look(colour: str, marker: str, noisy: bool) -> Dict[str, Any]:
    """How a point is drawn: a noisy one is hollow, and larger, so that the hole is seen in print."""
    hollow = {"markerfacecolor": "white", "markeredgewidth": 1.5, "markersize": 8, "zorder": 5}
    return {"color": colour, "marker": marker, "linestyle": "", **(hollow if noisy else {})}
