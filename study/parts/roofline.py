# SPDX-License-Identifier: MIT
"""Rooflines: the variants of a processor that filter one picture, as points under measured ceilings."""

from functools import partial
from statistics import median
from typing import Any, List, Optional, Sequence

from tools.plots.rows import EMULATED, Row
from tools.plots.selection import distinct

from ..figures.content import Figure, fastest_each, grouped, number, short_name
from ..figures.series import describe
from ..measurements.results import Results

ENOUGH = 3  # variants for a figure
JOB = {"filter": "gaussian", "ksize": "5", "border": "replicate", "image": "scene"}  # that is drawn


def _alone(rows: Sequence[Row], device: str) -> List[Row]:
    """The rows of one convolution on this processor or GPU, without copies."""
    one = ("", "1")
    counted = [row for row in rows if row.timed and row.device == device and row.number["operations"]]
    alone = [row for row in counted if not row.with_copies and not row.filters]
    return [row for row in alone if row.passes in one and row.devices in one]


def best(results: Results, device: str) -> List[Row]:
    """The fastest row of each variant on a device, with warm caches: 5x5 Gaussian of bytes, or of the type that the variant has;
    the largest size that most variants have."""
    rows = [row for row in _alone(results.bench, device) if row.cold != "1" and JOB.items() <= row.text.items()]
    by_size = {
        at: fastest_each(same, lambda row: (row.lab, row.variant))
        for at, same in grouped(rows, lambda row: (row.pixels, row.size_name)).items()
    }
    at = max(by_size, key=lambda size: (len(by_size[size]), size), default=None)
    return list(by_size[at].values()) if at else []


def highest(results: Results, device: str, drawn: Sequence[Row]) -> Optional[Row]:
    """The row with the most operations per second of any timed row on the device: the flat roof. Not of `running_sums` and
    `fft`, which hardly do more of them for a larger filter. None if it is drawn itself: no program is its own roof."""
    rows = [row for row in _alone(results.rows, device) if row.variant not in ("running_sums", "fft")]
    top = max(rows, key=lambda row: row.rate("operations"), default=None)
    return None if top in drawn else top


def _intensity(row: Row) -> float:
    """Operations per byte."""
    return (row.number["operations"] or 0) / (row.number["bytes"] or 1)


def _roof(row: Row, copy: float, top: Optional[Row]) -> float:
    """The roof above a row in Gop/s: the copy, or the most operations."""
    return min([copy * _intensity(row)] + ([top.rate("operations")] if top else []))


def _draw(rows: List[Row], copies: Sequence[float], top: Optional[Row], where: str) -> Any:
    """Left the roof with a point for each variant; right the share of the roof of each, by name."""
    from ..figures import drawing

    copy = median(copies)
    share = {row.order: row.rate("operations") / _roof(row, copy, top) for row in rows}
    rows = sorted(rows, key=lambda row: -share[row.order])
    labs = sorted({row.lab for row in rows})  # of a lab: there are more variants than symbols
    looks = dict(zip(labs, drawing.looks([(f"lab {lab}", "") for lab in labs])))
    figure, axes = drawing.canvas(max(3.8, 1.5 + 0.2 * len(rows)), columns=2, gridspec_kw={"width_ratios": [1, 1.25]})
    left, right = axes[0]
    intensities = list(map(_intensity, rows))
    least, most = min(intensities) / 3, 3 * max(intensities)
    title = f"dashed: copy, {number(copy)} GB/s (median of {len(copies)})"
    end = most
    if top:
        peak = top.rate("operations")
        end, most = peak / copy, max(2 * peak / copy, most)
        left.plot([end, most], [peak, peak], ":", color="0.35")
        title += f"\ndotted: most operations, {number(peak)} Gop/s\n({top.lab} {top.variant}, K {top.ksize})"
    left.plot([least, end], [copy * least, copy * end], "--", color="0.35")
    for place, row in enumerate(rows):
        look = drawing.point_look(*looks[row.lab], row.is_noisy)
        left.plot([_intensity(row)], [row.rate("operations")], **look)
        right.plot([100 * share[row.order]], [place], **look, linestyle="", label=f"lab {row.lab[:2]}")
    left.set(xscale="log", yscale="log", xlim=(least, most), xlabel="operations per byte", ylabel="operations (Gop/s)")
    left.set_title(title, loc="left", fontsize=drawing.SMALL)
    entries = sorted(dict(zip(*reversed(right.get_legend_handles_labels()))).items())
    right.legend([drawn for _, drawn in entries], [lab for lab, _ in entries], loc="upper left", fontsize=drawing.SMALL)
    right.set(xscale="log", xlabel="of the roof above it (%)")
    right.set_xlim(right=150)
    right.axvline(100, color="0.35", linestyle="--")
    kinds = [f" ({row.type})" if row.type != "uint8" else "" for row in rows]
    names = [f"{row.lab[:2]} {row.variant}{kind}" for row, kind in zip(rows, kinds)]
    drawing.name_axis(right, names, fontsize=drawing.SMALL)
    for axis in (left.yaxis, right.xaxis):
        drawing.plain(axis)
    drawing.plain(left.xaxis, more=True)
    about = describe(rows, "Operations: 2 K^2 per sample, also of separable variants.", bars=False)
    return drawing.finish(figure, f"Roofline at {rows[0].size_name}: {where}", about)


def _of_device(results: Results, device: str) -> List[Any]:
    rows, copies = best(results, device), results.copies(device)
    if len(rows) < ENOUGH or not copies:
        of = f"{device} of machine {results.machine}"
        return [f"Not measured: a roofline of {of} needs {ENOUGH} variants at one size, and a copy."]
    at, top = rows[0].size_name, highest(results, device, rows)
    own = device in results.machine
    name = "roofline_" + (results.machine if own else f"{device}_{results.machine}")
    where = short_name(results.machine if own else device)
    caption = (
        f"Roofline of {where} at {at}: the variants that filter one picture, under the measured copy"
        f"{' and the highest rate of operations' * bool(top)}. Right: how near each comes."
    )
    return [Figure(name, caption, partial(_draw, rows, copies, top, where))]


def rooflines(machines: Sequence[Results]) -> List[Any]:
    """A figure of every processor of every machine."""
    items: List[Any] = []
    for results in machines:
        timed = [row for row in results.bench if row.timed and row.backend != EMULATED and not row.with_copies]
        for device in distinct(timed, "device"):
            items += _of_device(results, device)
    words = "Each variant has its fastest configuration, without copies. Each input sample counts as read once, and each output sample as written once."
    return [words, *items] if items else ["Not measured: a roofline."]
