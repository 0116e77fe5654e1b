# SPDX-License-Identifier: MIT
"""From the simplest program to the fastest kernel: what each step gains, and what limits it by Nsight Compute's counters
(profile/<lab>_<variant>_4k.csv, `make profile`)."""

from functools import partial
from pathlib import Path
from typing import Any, List, Sequence, Tuple

import pandas
from pandas import DataFrame

from ..figures.content import DASH, Figure, Table, cell, number, times
from ..figures.series import describe, described, fastest_each
from ..measurements.keyed import counters
from ..measurements.results import Results
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


def _lines(steps: DataFrame, bases: Sequence[DataFrame]) -> List[List[str]]:
    """A line for each step: its time, and what it gains over the step before and over each baseline."""

    def gain(base: Any, row: Any) -> str:
        return times(base.ms / row.ms) if base and row else NOT_MEASURED

    there = {f"{row.lab} {row.variant}": row for row in steps.itertuples()}
    over = [next(base.itertuples(), None) for base in bases]
    names = [" ".join(step) for step in ROAD]
    lines = []
    for before, name in zip([None, *names], names):
        row = there.get(name)
        last = gain(there.get(before), row) if before else DASH
        lines.append([name, cell(row, NOT_MEASURED), last, *(gain(base, row) for base in over)])
    return lines


def _draw(steps: DataFrame) -> Any:
    """A line for each step: its time, and a stroke where it is with the copies."""
    from ..figures import drawing

    figure, axes = drawing.canvas(1.4 + 0.36 * len(steps))
    panel = axes[0, 0]
    panel.set_xscale("log")
    copies = {"color": "0.35", "markersize": 12}
    for place, row in enumerate(steps.itertuples()):
        look = drawing.point_look(drawing.look_of(f"{row.lab} {row.variant}")[0], "o", row.is_noisy)
        panel.errorbar([row.ms], [place], xerr=[[row.below], [row.above]], **look)
        end, words = (row.ms + row.above, place), f"{number(row.ms)} ms"
        panel.annotate(words, end, (8, 0), textcoords="offset points", va="center", fontsize=9)
        if row.total_ms > 0:
            panel.plot([row.total_ms], [place], "|", **copies)
    (entry,) = panel.plot([], [], "|", linestyle="", label="with the copies, pageable memory", **copies)
    panel.legend(handles=[entry], loc="upper left")
    drawing.name_axis(panel, list(steps["lab"] + " " + steps["variant"]))
    panel.set_xlim(right=panel.get_xlim()[1] * 2)
    panel.grid(axis="y", visible=False)
    drawing.plain(panel.xaxis)
    panel.set_xlabel("time (ms)")
    return drawing.finish(figure, f"From the simplest program to the fastest kernel, {AT}", describe(steps))


def road(results: Results) -> List[Any]:
    """A figure of the steps, and a table."""
    bench = results.bench[results.bench["size"] == AT]
    steps = pandas.concat([job(bench, *step) for step in ROAD])
    if len(steps) < 3:
        return [f"Not measured: the steps at {AT}."]
    bases = [job(bench, *base) for base in BASES]
    head = ["over the step before", *(f"over {variant}" for _, variant in BASES)]
    alone = f"Time of each step at {AT}, without copies, and its speed-ups. {described(steps)}"
    return [
        "Each step adds one idea, in the order of the labs. A factor below 1 is a step that is slower than the one before. "
        "The first three steps run on one thread, the fourth on all cores, the rest on the GPU.",
        Figure(
            "road",
            f"Time of each step at {AT}, from the simplest program to the fastest kernel. Each grid line is a factor of ten. "
            "Strokes are kernels with their copies.",
            partial(_draw, steps),
        ),
        Table("road", alone, ["step", "ms", *head], _lines(steps, bases)),
    ]


PIXELS = 3840 * 2160
# What may be busiest, by counter: per cent of the peak.
UNITS = {
    "dram__throughput": "DRAM",
    "lts__throughput": "L2 cache",
    "l1tex__throughput": "L1 cache and shared memory",
    "sm__throughput": "multiprocessor",
}
HEADER = (
    "kernel|instructions per pixel|bytes of memory per pixel|busiest unit|active warps|registers|shared memory (bytes)"
)


def _per_pixel(launches: DataFrame, factor: float, *names: str) -> str:
    """The sum of these counters over all launches; a dash if one is missing."""
    if not set(names) <= set(launches.columns) or (launches[list(names)] == "").any(axis=None):
        return DASH
    return number(factor * launches[list(names)].astype(float).values.sum() / PIXELS)


def busiest(launch: Any) -> str:
    """ "L1 cache and shared memory, 98 %"."""
    known = {float(launch[name]): words for name, words in UNITS.items() if launch.get(name)}
    return f"{known[max(known)]}, {max(known):.0f} %" if known else DASH


def cells(folder: Path, lab: str, variant: str) -> List[str]:
    """What HEADER names, of a variant that was profiled at 4k; nothing without its file. Of several kernels the sums, the
    busiest unit of each, and the last one's rest."""
    path = folder / "profile" / f"{lab}_{variant}_4k.csv"
    launches = counters(path) if path.exists() else DataFrame()
    if launches.empty:
        return []
    last = launches.iloc[-1]
    return [
        _per_pixel(launches, 32, "smsp__inst_executed"),
        _per_pixel(launches, 1, "dram__bytes_read", "dram__bytes_write"),
        "; ".join(busiest(launch) for _, launch in launches.iterrows()),
        f"{float(last.get('sm__warps_active', 0)):.0f} %",
        last.get("launch__registers_per_thread", DASH),
        last.get("launch__shared_mem_per_block", DASH),
    ]


def counters_table(folder: Path, kernels: Sequence[Tuple[str, str]] = ROAD) -> List[Table]:
    """A line for each lab and variant that was profiled; nothing if none was."""
    lines = [[f"{lab} {variant}", *found] for lab, variant in kernels if (found := cells(folder, lab, variant))]
    caption = "What limits each kernel of these steps at 4k: one launch, by Nsight Compute."
    return [Table("counters", caption, HEADER.split("|"), lines)] if lines else []
