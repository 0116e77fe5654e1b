# SPDX-License-Identifier: MIT
"""From the simplest program to the fastest kernel: what each step gains, what limits it by Nsight Compute's counters
(profile/<lab>_<variant>_8k.csv, `make profile`), and how near ten kernels come to three roofs."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas
from pandas import DataFrame

from report.make.plots import style
from report.make.plots.tables import cell
from report.make.plots.words import DASH, Figure, Table, number, times
from report.make.profile import WORDS, Launch, largest, launches, units, waits

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
    described = describe(steps)
    head = ["over the step before", *(f"over {variant}" for _, variant in BASES)]
    caption = f"Time of each step at {AT}, without copies; a grid line is a factor of ten. {described}"
    alone = f"Time of each step at {AT}, warm caches, without copies, and its speed-ups. {described}"
    return [
        Figure("road", caption, partial(_draw, steps)),
        Table("road", alone, ["step", "ms", *head], _lines(steps, bases)),
    ]


PIXELS = 7680 * 4320
HEADER = "kernel|busiest unit|a warp, most often|instructions per pixel|wavefronts per pixel"
# The kernels whose counters the report shows, and the end of the file's name.
PROFILED = (
    ("03_cuda_global", "naive", ""),
    ("03_cuda_global", "coalesced", ""),
    ("03_cuda_global", "register_tile", ""),
    ("03_cuda_global", "padded", ""),
    ("04_cuda_constant", "unrolled", ""),
    ("05_cuda_shared", "two_batch", ""),
    ("05_cuda_shared", "packed", ""),
    ("07_separable", "packed", ""),
    ("12_tensor", "march", "_ksize5_filterbox"),
    ("12_tensor", "wgmma", "_ksize5_filterbox"),
)
ENDS = {"_ksize5_filterbox": ", box"}


def profiled(folder: Path, kernels: Sequence[tuple[str, str, str]] = PROFILED) -> list[tuple[str, Launch]]:
    """Name and counters of each kernel that was profiled at 8K."""
    files = [
        (lab, variant, end, folder / "profile" / f"{lab}_{variant}_{AT}{end}.csv") for lab, variant, end in kernels
    ]
    return [
        (f"{lab[:2]} {variant}{ENDS.get(end, end)}", launches(path)[-1])
        for lab, variant, end, path in files
        if path.exists()
    ]


def cells(launch: Launch) -> list[str]:
    """What HEADER names of a kernel."""
    busiest = [f"{name}, {share:.0f} %" for name, share in largest(units(launch))] or [DASH]
    most = [f"{WORDS.get(state, state)}, {share:.0f} %" for state, share in largest(waits(launch))] or [DASH]
    counts = [launch.get(name, "") for name in ("smsp__inst_executed", "l1tex__data_pipe_lsu_wavefronts")]
    each = [number(scale * float(count) / PIXELS) if count else DASH for scale, count in zip((32, 1), counts)]
    return [*busiest, *most, *each]


def counters_table(kernels: Sequence[tuple[str, Launch]]) -> list[Table]:
    """A line for each kernel that was profiled; nothing if none was."""
    caption = (
        "What limits each kernel: one launch at 8K on an H200, by Nsight Compute, in per cent of the peak and of a warp's time. "
        "5x5, RGB; a Gaussian if no box."
    )
    lines = [[f"{place}: {name}", *cells(launch)] for place, (name, launch) in enumerate(kernels, 1)]
    return [Table("counters", caption, HEADER.split("|"), lines, left=3)] if lines else []


# The sloping roof of each panel: the price (make/profile.py) and the counter of what it limits, its name and its unit.
SLOPES = (
    ("wavefronts", "l1tex__data_pipe_lsu_wavefronts", 1, "L1 cache", "instructions per wavefront"),
    ("bytes", "dram__bytes", 32, "a copy", "instructions per 32 bytes of memory"),
)
FLAT = "instructions"


def _draw_roofs(kernels: Sequence[tuple[str, Launch]]) -> Any:
    """Two panels with the same points, each under two roofs; a point has the number of its kernel."""
    figure, axes = style.canvas(3.2, columns=2, sharey=True)
    rates = [float(launch["smsp__inst_executed"]) / float(launch["gpu__time_duration"]) for _, launch in kernels]
    for panel, (price, counter, each, name, unit) in zip(axes.flat, SLOPES):
        first = kernels[0][1]
        top = float(first["smsp__inst_executed"]) / float(first[f"price_{FLAT}"]) / 1e6  # per ns
        slope = float(first[counter]) / each / float(first[f"price_{price}"]) / 1e6
        at = [each * float(launch["smsp__inst_executed"]) / float(launch[counter]) for _, launch in kernels]
        ends = min(at) / 1.6, max(at) * 1.6
        panel.set(xscale="log", yscale="log", xlim=ends, ylim=(0.6 * min(rates), 1.5 * top), xlabel=unit)
        panel.plot([ends[0], top / slope, ends[1]], [slope * ends[0], top, top], color="0.25")
        panel.annotate("issue slots", (ends[1], top), (-4, 3), textcoords="offset points", ha="right", va="bottom")
        low = max(ends[0], 0.6 * min(rates) / slope)
        panel.annotate(
            name, (low * 1.25, slope * low * 1.6), ha="left", va="bottom", rotation=45, rotation_mode="anchor"
        )
        for place, (x, y) in enumerate(zip(at, rates), 1):
            colour = style.PALETTE[(place - 1) % len(style.PALETTE)]
            panel.plot([x], [y], **{**style.point_look(colour, "o", False), "markersize": 12})
            panel.annotate(str(place), (x, y), ha="center", va="center", color="white", fontsize=style.SMALL)
        style.plain(panel.xaxis)
        style.plain(panel.yaxis, more=True)
    axes[0, 0].set_ylabel("billion per second")
    return style.finish(figure)


def roofline(kernels: Sequence[tuple[str, Launch]]) -> list[Any]:
    """A figure of the profiled kernels."""
    whole = [
        (name, launch)
        for name, launch in kernels
        if all(f"price_{price}" in launch for price in (FLAT, "wavefronts", "bytes"))
    ]
    if not whole:
        return ["Not measured: a roofline needs kernels that were profiled at 8K."]
    caption = (
        f"Instructions of warps per second: kernels 1 to {len(whole)} of the table, under three roofs, the issue slots, the L1 caches (left) "
        "and a copy (right). A point near a roof is limited by it; one far below all three waits."
    )
    return [Figure("roofline", caption, partial(_draw_roofs, whole))]
