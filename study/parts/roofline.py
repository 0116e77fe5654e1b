# SPDX-License-Identifier: MIT
"""Rooflines: the variants of a processor that filter one picture, as points under measured ceilings."""

from functools import partial
from statistics import median
from typing import Any, List, Optional, Sequence

from pandas import DataFrame, Series

from tools.plots.results import EMULATED, distinct

from ..figures.content import Figure, number, short_name
from ..figures.series import describe, fastest_each
from ..measurements.results import Results
from ..measurements.selectors import matching

ENOUGH = 3  # variants for a figure
JOB = {"filter": "gaussian", "ksize": "5", "border": "replicate", "image": "scene"}  # that is drawn


def _alone(rows: DataFrame, device: str) -> DataFrame:
    """The rows of one convolution on this processor or GPU, without copies."""
    alone = matching(rows, {"device": device, "filters": "", "passes": "|1", "devices": "|1"})
    return rows[alone & rows["timed"] & ~rows["with_copies"] & (rows["operations"] > 0)]


def best(results: Results, device: str) -> DataFrame:
    """The fastest row of each variant on a device, with warm caches: 5x5 Gaussian of bytes, or of the type that the variant has;
    the largest size that most variants have."""
    rows = _alone(results.bench, device)
    rows = rows[matching(rows, JOB) & (rows["cold"] != "1")]
    rows = fastest_each(rows, ["pixels", "size", "lab", "variant"])
    counts = rows.groupby("pixels").size()
    return rows[rows["pixels"] == counts.index[counts == counts.max()].max()]


def highest(results: Results, device: str, drawn: DataFrame) -> Optional[Series]:
    """The row with the most operations per second of any timed row on the device: the flat roof. Not of `running_sums` and
    `fft`, which hardly do more of them for a larger filter. None if it is drawn itself: no program is its own roof."""
    rows = _alone(results.rows, device)
    rows = rows[~rows["variant"].isin(["running_sums", "fft"])]
    top = None if rows.empty else rows.loc[rows["gops"].idxmax()]
    return None if top is None or top["order"] in drawn.index else top


def _draw(rows: DataFrame, copies: Sequence[float], top: Optional[Series], where: str) -> Any:
    """Left the roof with a point for each variant; right the share of the roof of each, by name."""
    from ..figures import drawing

    copy = median(copies)
    intensity = rows["operations"] / rows["bytes"]  # operations per byte
    roof = copy * intensity
    share = rows["gops"] / (roof if top is None else roof.clip(upper=top["gops"]))
    rows = rows.assign(intensity=intensity, share=share).sort_values("share", kind="stable", ascending=False)
    labs = sorted(rows["lab"].unique())  # of a lab: there are more variants than symbols
    looks = dict(zip(labs, drawing.looks([(f"lab {lab}", "") for lab in labs])))
    figure, axes = drawing.canvas(max(3.8, 1.5 + 0.2 * len(rows)), columns=2, gridspec_kw={"width_ratios": [1, 1.25]})
    left, right = axes[0]
    least, most = rows["intensity"].min() / 3, 3 * rows["intensity"].max()
    title = f"dashed: copy, {number(copy)} GB/s (median of {len(copies)})"
    end = most
    if top is not None:
        peak = top["gops"]
        end, most = peak / copy, max(2 * peak / copy, most)
        left.plot([end, most], [peak, peak], ":", color="0.35")
        title += f"\ndotted: most operations, {number(peak)} Gop/s\n({top['lab']} {top['variant']}, K {top['ksize']})"
    left.plot([least, end], [copy * least, copy * end], "--", color="0.35")
    for place, row in enumerate(rows.itertuples()):
        look = drawing.point_look(*looks[row.lab], row.is_noisy)
        left.plot([row.intensity], [row.gops], **look)
        right.plot([100 * row.share], [place], **look, linestyle="", label=f"lab {row.lab[:2]}")
    left.set(xscale="log", yscale="log", xlim=(least, most), xlabel="operations per byte", ylabel="operations (Gop/s)")
    left.set_title(title, loc="left", fontsize=drawing.SMALL)
    entries = sorted(dict(zip(*reversed(right.get_legend_handles_labels()))).items())
    right.legend([drawn for _, drawn in entries], [lab for lab, _ in entries], loc="upper left", fontsize=drawing.SMALL)
    right.set(xscale="log", xlabel="of the roof above it (%)")
    right.set_xlim(right=150)
    right.axvline(100, color="0.35", linestyle="--")
    kinds = (" (" + rows["type"] + ")").where(rows["type"] != "uint8", "")
    names = list(rows["lab"].str[:2] + " " + rows["variant"] + kinds)
    drawing.name_axis(right, names, fontsize=drawing.SMALL)
    for axis in (left.yaxis, right.xaxis):
        drawing.plain(axis)
    drawing.plain(left.xaxis, more=True)
    about = describe(rows, "Operations: 2 K^2 per sample, also of separable variants.", bars=False)
    return drawing.finish(figure, f"Roofline at {rows['size'].iloc[0]}: {where}", about)


def _of_device(results: Results, device: str) -> List[Any]:
    rows, copies = best(results, device), results.copies(device)
    if len(rows) < ENOUGH or not copies:
        of = f"{device} of machine {results.machine}"
        return [f"Not measured: a roofline of {of} needs {ENOUGH} variants at one size, and a copy."]
    at, top = rows["size"].iloc[0], highest(results, device, rows)
    own = device in results.machine
    name = "roofline_" + (results.machine if own else f"{device}_{results.machine}")
    where = short_name(results.machine if own else device)
    caption = (
        f"Roofline of {where} at {at}: the variants that filter one picture, under the measured copy"
        f"{' and the highest rate of operations' * (top is not None)}. Right: how near each comes."
    )
    return [Figure(name, caption, partial(_draw, rows, copies, top, where))]


def rooflines(machines: Sequence[Results]) -> List[Any]:
    """A figure of every processor of every machine."""
    items: List[Any] = []
    for results in machines:
        bench = results.bench
        timed = bench[bench["timed"] & (bench["backend"] != EMULATED) & ~bench["with_copies"]]
        for device in distinct(timed, "device"):
            items += _of_device(results, device)
    words = "Each variant has its fastest configuration, without copies. Each input sample counts as read once, and each output sample as written once."
    return [words, *items] if items else ["Not measured: a roofline."]
