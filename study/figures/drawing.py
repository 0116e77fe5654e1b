# SPDX-License-Identifier: MIT
"""Figures in one style: their lines, axes, legends and captions.

Colours are those of Okabe and Ito, and two more (lines), and cividis (heat maps, sizes): they can
be read by people who are colour-blind, and every line has its own marker too: one of each per variant, in every figure.
"""

import re
import textwrap
from typing import Any, Dict, List, Optional, Sequence, Tuple

import matplotlib
import numpy

from tools.plots.style import PALETTE, WIDTH, canvas, plain, pyplot, svg, ticker  # noqa: F401

from .content import MANY, Line

MARKERS = "osD^vPX*<>"
# The variants of each lab in the order of PALETTE and MARKERS; - leaves a place free. Two variants that one figure draws have two
# places: those of one lab, and those of several labs that an artefact of a report compares.
PLACES = {
    "01_sequential": "nested flat bounds aos soa separable simd fft",
    "02_pthread": "rows grid blocks queue openmp simd_created - simd_rows",
    "03_cuda_global": "padded naive plain aos soa texture coalesced gray register_tile fft",
    "04_cuda_constant": "- - - - soa unrolled padded - gray aos",
    "05_cuda_shared": "inner_tile input_tile two_batch filter_in_constant two_batch_global filter_in_shared packed - "
    "n_batch two_batch_gray",
    "06_async_streams": "pinned pageable streams graph multi_gpu frames chain chain_cpu peer_bands",
    "07_separable": "two_pass two_pass_tile fused packed running_sums",
    "08_heat_map": "cpu grid - v1 v2 v3 table cpu_simd cpu_threads",
    "09_noise_map": "cpu grid - v1 v2 v3 count cpu_simd cpu_threads list",
    "10_noise_filter": "cpu columns fused tile - - count cpu_simd cpu_threads",
    "11_mpi": "halo grid overlap scatter wide_halo io gpu gpu_overlap gpu_direct gpu_nccl",
    "12_tensor": "toeplitz dense sparse march tensor im2col pipeline shared cublas wgmma",
}
LOOK: Dict[str, int] = {
    f"{lab} {variant}": place
    for lab, variants in PLACES.items()
    for place, variant in enumerate(variants.split())
    if variant != "-"
}
Look = Tuple[str, str]  # colour, marker
SIZES = ("480p", "720p", "1080p", "1440p", "4k", "8k")
SHADED = re.compile(r"(?:[KT] )?(\d+)")
DASHES = ("-", "--", ":", "-.")
SMALL = 9  # points, of the smallest text: the report prints a figure at 170 mm, where these are 7 points
ALIKE = 0.03  # lines that differ by less hide each other


def looks(named: Sequence[Tuple[str, str]]) -> List[Look]:
    """The look of each (label, variant as "03_cuda_global naive", or nothing).

    Variants that are not in the list, and what is no variant, take the places that are left, in turn. Where nothing
    is a variant, labels of sizes and filter sides go from light to dark: large is dark, in whatever order they stand."""
    if named and all(not variant and SHADED.match(label) for label, variant in named):
        return _shades([label for label, _ in named])
    places = {variant: LOOK[variant] for _, variant in named if variant in LOOK}
    free = [place for place in range(len(PALETTE)) if place not in places.values()] or [0]
    for name in dict.fromkeys(variant or label for label, variant in named if variant not in LOOK):
        places[name] = free.pop(0) if len(free) > 1 else free[0]
    return [(PALETTE[place], MARKERS[place]) for place in (places[variant or label] for label, variant in named)]


def look_of(variant: str) -> Look:
    """The look of one variant."""
    return looks([(variant, variant)])[0]


def _large(label: str) -> float:
    """What a shaded label is ordered by: lines of the size, or the number."""
    found = SHADED.match(label)
    value = float(found[1]) if found else 0.0
    return 540 * value if label.endswith("k") else value


def _shades(labels: Sequence[str]) -> List[Look]:
    """One of the sizes of the protocol has its own shade; other labels share out the scale."""
    order: Sequence[str] = SIZES if set(labels) <= set(SIZES) else sorted(labels, key=_large)
    colours = (
        matplotlib.colormaps["cividis_r"] if hasattr(matplotlib, "colormaps") else (matplotlib.cm.get_cmap("cividis_r"))
    )
    span = max(1, len(order) - 1)
    places = [order.index(label) for label in labels]
    return [
        (matplotlib.colors.to_hex(colours(0.15 + 0.85 * place / span)), MARKERS[place % len(MARKERS)])
        for place in places
    ]


def _colours(title: str, caption: str) -> str:
    """ ", gray" or ", gray and RGB", as the caption says, if the title does not; nothing if all is RGB."""
    found = re.search(r"\b(gray|RGBA?)((, | and )(gray|RGBA?))*\b", caption)
    return f", {found[0]}" if found and found[0] != "RGB" and not re.search("gray|RGB", title, re.I) else ""


def _say_logarithmic(figure: Any) -> None:
    """Adds the word to the label of every logarithmic axis that has a label."""
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        if axis.get_scale() == "log" and axis.get_label_text():
            axis.set_label_text(f"{axis.get_label_text()}, logarithmic")


def finish(figure: Any, title: str, caption: str, legend: Optional[Any] = None) -> Any:
    """Puts the title above, the caption below, and the legend of one or several axes to the right of all."""
    title += _colours(title, caption)
    _say_logarithmic(figure)
    height = figure.get_size_inches()[1]
    caption = caption.replace("`", "")
    lines = [wrapped for paragraph in caption.split("\n") for wrapped in textwrap.wrap(paragraph, 124) or [""]]
    right = 1.0
    if legend is not None:
        handles, labels = zip(*_legend_entries(list(numpy.ravel(legend))))
        # The width of a legend: about 0.074 inches per letter, plus line and margin.
        right = 1 - (0.63 + 0.074 * max(len(line) for label in labels for line in label.split("\n"))) / WIDTH
        figure.legend(handles, labels, loc="center left", bbox_to_anchor=(right, 0.5))
    below = (0.172 * len(lines) + 0.06) / height
    heading = figure.suptitle(title, fontsize=12, x=0.01, ha="left", y=1 - 0.08 / height, va="top")
    heading.set_in_layout(False)
    figure.text(0.01, 0.01, "\n".join(lines), fontsize=SMALL, color="0.35", va="bottom")
    for _ in range(2):  # the labels of an axis may change when it gets its size
        figure.tight_layout(pad=0.5, w_pad=1.5, rect=(0, below, right, 1 - 0.33 / height))
    return figure


def _legend_entries(legend: List[Any]) -> List[Tuple[Any, str]]:
    """Handles and labels: our lines first, then the lines for comparison."""
    found = [pair for axes in legend for pair in zip(*axes.get_legend_handles_labels())]
    named = list({label: (handle, label) for handle, label in reversed(found)}.values())[::-1]
    return sorted(named, key=lambda pair: isinstance(pair[0], matplotlib.lines.Line2D))


def size_axis(axes: Any, sizes: Sequence[Tuple[int, str]]) -> None:
    """An x axis of pixels, logarithmic, each size with its name."""
    axes.set_xscale("log")
    axes.set_xticks([pixels for pixels, _ in sizes])
    crowded = {"rotation": 45, "ha": "right"} if len(sizes) > 8 else {}
    axes.set_xticklabels([name for _, name in sizes], **crowded)
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


def coincide(one: Line, other: Line) -> bool:
    """Whether two lines are hard to tell apart: within 3 % at most places where both have a point."""
    there = {x: y for x, y, *_ in other.points}
    both = [(y, there[x]) for x, y, *_ in one.points if there.get(x)]
    near = sum(abs(y / at - 1) < ALIKE for y, at in both)
    return len(both) > 1 and 3 * near >= 2 * len(both)


def draw_lines(axes: Any, lines: Sequence[Line], log_y: bool = True) -> None:
    """Draws the lines with error bars; a noisy point is hollow."""
    solid = [line for line in lines if not line.dashed and not line.beside]
    looked = dict(zip((line.label for line in solid), looks([(line.label, line.variant) for line in solid])))
    colours = {label: colour for label, (colour, _) in looked.items()}
    seen: List[str] = []  # a second line of one variant is dashed, and one that hides another
    drawn: List[Line] = []
    if log_y:
        axes.set_yscale("log")
    for line in solid:
        if not line.points:
            continue
        colour, marker = looked[line.label]
        again = max(seen.count(colour), sum(coincide(line, other) for other in drawn))
        seen.append(colour)
        drawn.append(line)
        x, y, error, noisy = zip(*sorted(line.points))
        style = {"yerr": list(zip(*error)) if any(map(any, error)) else None, "marker": marker}
        style["linestyle"] = DASHES[again % len(DASHES)]
        if len(x) > MANY:
            style = {"marker": ".", "linestyle": ""}
        axes.errorbar(x, y, label=line.label, color=colour, **style)
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


def draw_panel(axes: Any, panel: Any) -> None:
    """One panel of a figure (content.py): its lines, then its axes."""
    draw_lines(axes, panel.lines, panel.log_y)
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
    if panel.slanted:
        axes.tick_params(axis="x", labelsize=SMALL, rotation=45)
    if panel.title:
        axes.set_title(panel.title, loc="left", fontsize=11)
    if panel.x:
        axes.set_xlabel(panel.x)
    if panel.y:
        axes.set_ylabel(panel.y)
    if panel.bottom is not None:
        axes.set_ylim(panel.bottom)
