# SPDX-License-Identifier: MIT
"""What all figures have in common: one style, plain numbers at logarithmic axes, and SVG that is the same for the same rows."""

import io
from collections.abc import Sequence
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot, ticker  # noqa: E402  (the back end is chosen first)

# The colours of Okabe and Ito, and two more: people who are colour-blind can tell them apart.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6BB1", "#999933", "#882255")
WIDTH = 8.6  # inches; a README shows about 100 pixels per inch
SMALL = 9  # points, of the smallest text: the report prints a figure at 170 mm, where these are 7 points
STYLE = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "figure.facecolor": "white",
    "axes.formatter.use_locale": False,
    "svg.hashsalt": "convolab",
    "svg.fonttype": "none",
    "lines.linewidth": 1.6,
    "lines.markersize": 5.5,
    "errorbar.capsize": 2.5,
}


def canvas(height: float, columns: int = 1, rows: int = 1, **options: Any) -> tuple[Any, Any]:
    """A figure of WIDTH and an array (rows, columns) of its axes."""
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(STYLE)
    if "text.parse_math" in matplotlib.rcParams:  # a $ in a name is a $ (from matplotlib 3.6 on)
        matplotlib.rcParams["text.parse_math"] = False
    return pyplot.subplots(rows, columns, figsize=(WIDTH, height), squeeze=False, **options)


def plain(axis: Any, more: bool = False) -> None:
    """Labels a logarithmic axis with plain numbers: 0.1, 1, 10, 1000. more: where it spans little, more of them."""
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:.12g}"))
    axis.set_minor_formatter(ticker.NullFormatter())
    low, high = axis.get_view_interval()
    if more and low > 0 and high / low < 300:
        axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))


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


def point_look(colour: str, marker: str, noisy: bool) -> dict[str, Any]:
    """How a point is drawn: a noisy one is hollow, and larger, so that the hole is seen in print."""
    hollow = {"markerfacecolor": "white", "markeredgewidth": 1.5, "markersize": 8, "zorder": 5}
    return {"color": colour, "marker": marker, "linestyle": "", **(hollow if noisy else {})}


def svg(figure: Any) -> bytes:
    """The figure as SVG, and closed: the same figure gives the same bytes."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    return buffer.getvalue()
