# SPDX-License-Identifier: MIT
"""From the simplest program to the fastest kernel: what each step gains, what limits it by Nsight Compute's counters
(profile/<lab>_<variant>_8k.csv, `make profile`), and how near the variants come to measured ceilings."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas
from pandas import DataFrame, Series

from report.make.plots import style
from report.make.plots.tables import cell
from report.make.plots.words import COLOURS, DASH, Figure, Table, number, percent, plural, short, times
from report.make.profile import largest, launches, units

from ..content import describe, fastest_each
from ..measurements.machine import Results
from ..measurements.selectors import DEFAULTS, matching

# The steps: lab and variant, each faster than the one before by another idea.
ROAD = (
    ("01_sequential", "nested"),
    ("01_sequential", "separable"),
    ("01_sequential", "simd"),
    ("02_pthread", "simd_rows"),
    ("03_cuda_global", "naive"),
    ("03_cuda_global", "coalesced"),
    ("04_cuda_constant", "unrolled"),
    ("05_cuda_shared", "two_batch"),
    ("05_cuda_shared", "packed"),
    ("07_separable", "packed"),
)
# Baselines: that of ariano2023's threads, our best with one thread, our best with all cores.
BASES = (("01_sequential", "nested"), ("01_sequential", "simd"), ("02_pthread", "simd_rows"))
AT = "8k"
NOT_MEASURED = "not measured"


def job(rows: DataFrame, lab: str, variant: str, cold: str = "0") -> DataFrame:
    """The fastest timed row of a variant for each size: the 5x5 Gaussian of an RGB picture."""
    fields = dict(DEFAULTS, lab=lab, variant=variant, cold=cold, filters="", passes="|1")
    return fastest_each(rows[matching(rows, fields) & rows["timed"]], ["size"])


def _lines(steps: DataFrame, bases: Sequence[DataFrame]) -> list[list[str]]:
    """A line for each step: its time, and what it gains over the step before and over each baseline that is not a later step."""

    def gain(base: Any, row: Any) -> str:
        return times(base.ms / row.ms) if base and row else NOT_MEASURED

    there = {f"{row.lab} {row.variant}": row for row in steps.itertuples()}
    over = [next(base.itertuples(), None) for base in bases]
    names = [" ".join(step) for step in ROAD]
    lines = []
    for before, name in zip([None, *names], names):
        row = there.get(name)
        last = gain(there.get(before), row) if before else DASH
        begun = [names.index(" ".join(base)) <= names.index(name) for base in BASES]
        gains = [gain(base, row) if there else DASH for base, there in zip(over, begun)]
        lines.append([name, cell(row, NOT_MEASURED), last, *gains])
    return lines


def _draw(steps: DataFrame) -> Any:
    """A point for each step, a colour for each lab."""
    figure, axes = style.canvas(0.9 + 0.26 * len(steps))
    panel = axes[0, 0]
    panel.set_xscale("log")
    labs = list(dict.fromkeys(steps["lab"]))
    for place, row in enumerate(steps.itertuples()):
        look = style.point_look(style.PALETTE[labs.index(row.lab)], "o", row.is_noisy)
        panel.plot([row.ms], [place], **look)
        panel.annotate(f"{number(row.ms)} ms", (row.ms, place), (8, 0), textcoords="offset points", va="center")
    style.name_axis(panel, list(steps["lab"] + " " + steps["variant"]))
    panel.set_xlim(right=panel.get_xlim()[1] * 3)
    style.plain(panel.xaxis)
    panel.set_xlabel("time (ms)")
    return style.finish(figure)


def road(results: Results) -> list[Any]:
    """A figure of the steps, and a table."""
    bench = results.bench[results.bench["size"] == AT]
    steps = pandas.concat([job(bench, *step) for step in ROAD])
    if len(steps) < 3:
        return [f"Not measured: the steps at {AT}."]
    bases = [job(bench, *base) for base in BASES]
    head = ["over the step before", *(f"over {variant}" for _, variant in BASES)]
    caption = f"Time of each step at {AT}, as in the table; a grid line is a factor of ten."
    alone = f"Time of each step at {AT}, warm caches, without copies, and its speed-ups. {describe(steps)}"
    return [
        Figure("road", caption, partial(_draw, steps)),
        Table("road", alone, ["step", "ms", *head], _lines(steps, bases)),
    ]


PIXELS = 7680 * 4320
HEADER = "kernel|busiest unit|next|instructions per pixel|sectors that hit L1|active warps"
# The kernels whose counters the report shows, and the end of the file's name.
PROFILED = (
    ("03_cuda_global", "naive", ""),
    ("03_cuda_global", "coalesced", ""),
    ("03_cuda_global", "padded", ""),
    ("04_cuda_constant", "unrolled", ""),
    ("05_cuda_shared", "two_batch", ""),
    ("05_cuda_shared", "two_batch", "_block32"),
    ("05_cuda_shared", "packed", ""),
    ("07_separable", "packed", ""),
)


def busiest(launch: Any) -> list[str]:
    """ "L1 and shared memory, 98 %", and the unit after it."""
    return [f"{name}, {share:.0f} %" for name, share in largest(units(launch), 2)] or [DASH, DASH]


def cells(path: Path) -> list[str]:
    """What HEADER names, of a variant that was profiled at 8k; nothing without its file."""
    found = launches(path) if path.exists() else []
    if not found:
        return []
    last = found[-1]
    hits = last.get("l1tex__t_sector_hit_rate", "")
    return [
        *busiest(last),
        number(32 * float(last["smsp__inst_executed"]) / PIXELS),
        f"{float(hits):.0f} %" if hits else DASH,
        f"{float(last.get('sm__warps_active', 0)):.0f} %",
    ]


def counters_table(folder: Path, kernels: Sequence[tuple[str, str, str]] = PROFILED) -> list[Table]:
    """A line for each kernel that was profiled; nothing if none was."""
    lines = []
    for lab, variant, end in kernels:
        values = cells(folder / "profile" / f"{lab}_{variant}_8k{end}.csv")
        if values:
            lines += [[f"{lab} {variant}" + end.replace("_block", ", B "), *values]]
    caption = (
        "What limits each kernel: one launch at 8k on an H200, by Nsight Compute; blocks of 16 x 16 if B is not named."
    )
    return [Table("counters", caption, HEADER.split("|"), lines, left=3)] if lines else []


ENOUGH = 3  # variants for a figure
LEAST = 0.05  # share of the roof of a variant in the figure
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


def highest(results: Results, device: str) -> Series | None:
    """The row with the most operations per second of any row on the device with warm caches: the flat roof. Not of `running_sums`
    and `fft`, which hardly do more of them for a larger filter."""
    rows = _alone(results.rows, device)
    rows = rows[(rows["cold"] != "1") & ~rows["variant"].isin(["running_sums", "fft"])]
    return None if rows.empty else rows.loc[rows["gops"].idxmax()]


def shares(rows: DataFrame, top: float) -> DataFrame:
    """The rows with the `share` of the roof above each that it reaches, the best first. The sloping roof is the copy of the row's own
    session."""
    roof = (rows["ceiling"] * rows["operations"] / rows["bytes"]).clip(upper=top)
    return rows.assign(share=rows["gops"] / roof).sort_values("share", kind="stable", ascending=False)


def _draw_shares(rows: DataFrame) -> Any:
    """A bar for each variant, a colour for each lab."""
    figure, axes = style.canvas(0.7 + 0.19 * len(rows))
    panel, labs = axes[0, 0], sorted(rows["lab"].unique())
    colours = [style.PALETTE[labs.index(lab)] for lab in rows["lab"]]
    panel.barh(range(len(rows)), 100 * rows["share"], color=colours, height=0.7)
    for place, share in enumerate(rows["share"]):
        panel.annotate(number(100 * share), (100 * share, place), (4, 0), textcoords="offset points", va="center")
    panel.set(xlim=(0, 108), xlabel="of the roof (%)")
    style.name_axis(panel, list(rows["lab"].str[:2] + " " + rows["variant"]), fontsize=style.SMALL)
    return style.finish(figure)


def roofline(results: Results, device: str) -> list[Any]:
    """A figure of one GPU."""
    rows, top = best(results, device), highest(results, device)
    rows = rows[rows["ceiling"].notna()]
    if len(rows) < ENOUGH or top is None:
        return [f"Not measured: a roofline of {device} needs {ENOUGH} variants at one size, and a copy."]
    every = shares(rows, top["gops"])
    rows = every[every["share"] >= LEAST]
    copies = " to ".join(dict.fromkeys(number(rows["ceiling"].agg(end)) for end in ("min", "max")))
    below = len(every) - len(rows)
    less = f" {plural(below, 'variant')} below {percent(LEAST)} {'is' if below == 1 else 'are'} left out." if below else ""
    caption = (
        f"How near each variant on the {short(device)} comes to its roof at {rows['size'].iloc[0]}: the bandwidth of the fastest "
        f"copy in the row's session, {copies} GB/s, or the highest rate of operations, {number(top['gops'])} Gop/s "
        f"({top['lab']} {top['variant']}, K {top['ksize']}, {COLOURS.get(top['channels'], '')}). Caches as roofs are not drawn. Warm caches; "
        f"{describe(rows)} Operations: 2 K^2 per sample, also of separable variants.{less}"
    )
    return [Figure("roofline", caption, partial(_draw_shares, rows))]
