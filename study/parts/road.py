# SPDX-License-Identifier: MIT
"""From the simplest program to the fastest kernel: what each step gains, and what limits it by Nsight Compute's counters
(profile/<lab>_<variant>_4k.csv, `make profile`)."""

from functools import partial
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

from tools.plots.rows import Row

from ..figures.content import DASH, Figure, Table, cell, fastest_each, number, times
from ..figures.series import describe, described
from ..measurements.results import Results
from ..measurements.sources import counters

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
Step = Tuple[str, Optional[Row]]  # its name, and its row


def job(rows: Iterable[Row], lab: str, variant: str, cold: str = "0") -> Dict[str, Row]:
    """The fastest timed row of a variant by size: the 5x5 Gaussian of an RGB picture."""
    wanted = dict(lab=lab, variant=variant, filter="gaussian", ksize="5", border="replicate", cold=cold, type="uint8")
    mine = [row for row in rows if wanted.items() <= row.text.items() and row.timed and row.image == "scene"]
    return fastest_each([row for row in mine if not row.filters and row.passes in ("", "1")], lambda row: row.size_name)


def _lines(steps: Sequence[Step], bases: Sequence[Optional[Row]]) -> List[List[str]]:
    """A line for each step: its time, and what it gains over the step before and over each baseline."""

    def gain(base: Optional[Row], row: Optional[Row]) -> str:
        return times(base.ms / row.ms) if base and row else NOT_MEASURED

    lines = []
    for place, (name, row) in enumerate(steps):
        before = gain(steps[place - 1][1], row) if place else DASH
        lines.append([name, cell(row, NOT_MEASURED), before, *(gain(base, row) for base in bases)])
    return lines


def _draw(steps: Sequence[Tuple[str, Row]]) -> Any:
    """A line for each step: its time, and a stroke where it is with the copies."""
    from ..figures import drawing

    figure, axes = drawing.canvas(1.4 + 0.36 * len(steps))
    panel = axes[0, 0]
    panel.set_xscale("log")
    copies = {"color": "0.35", "markersize": 12}
    for place, (_, row) in enumerate(steps):
        look = drawing.point_look(drawing.look_of(f"{row.lab} {row.variant}")[0], "o", row.is_noisy)
        panel.errorbar([row.ms], [place], xerr=[[row.bars[0]], [row.bars[1]]], **look)
        end, words = (row.ms + row.bars[1], place), f"{number(row.ms)} ms"
        panel.annotate(words, end, (8, 0), textcoords="offset points", va="center", fontsize=9)
        if row.total_ms:
            panel.plot([row.total_ms], [place], "|", **copies)
    (entry,) = panel.plot([], [], "|", linestyle="", label="with the copies, pageable memory", **copies)
    panel.legend(handles=[entry], loc="upper left")
    drawing.name_axis(panel, [name for name, _ in steps])
    panel.set_xlim(right=panel.get_xlim()[1] * 2)
    panel.grid(axis="y", visible=False)
    drawing.plain(panel.xaxis)
    panel.set_xlabel("time (ms)")
    about = describe([row for _, row in steps])
    return drawing.finish(figure, f"From the simplest program to the fastest kernel, {AT}", about)


def road(results: Results) -> List[Any]:
    """A figure of the steps, and a table."""
    steps = [(f"{lab} {variant}", job(results.bench, lab, variant).get(AT)) for lab, variant in ROAD]
    timed = [(name, row) for name, row in steps if row is not None]
    if len(timed) < 3:
        return [f"Not measured: the steps at {AT}."]
    bases = [job(results.bench, *base).get(AT) for base in BASES]
    how = described([row for _, row in timed])
    head = ["over the step before", *(f"over {variant}" for _, variant in BASES)]
    alone = f"Time of each step at {AT}, without copies, and its speed-ups. {how}"
    return [
        "Each step adds one idea, in the order of the labs. A factor below 1 is a step that is slower than the one before. "
        "The first three steps run on one thread, the fourth on all cores, the rest on the GPU.",
        Figure(
            "road",
            f"Time of each step at {AT}, from the simplest program to the fastest kernel. Each grid line is a factor of ten. "
            "Strokes are kernels with their copies.",
            partial(_draw, timed),
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
Launch = Dict[str, str]


def _per_pixel(launches: Sequence[Launch], factor: float, *names: str) -> str:
    """The sum of these counters over all launches; a dash if one is missing."""
    values = [float(launch[name]) for launch in launches for name in names if name in launch]
    return number(factor * sum(values) / PIXELS if len(values) == len(launches) * len(names) else None)


def busiest(launch: Launch) -> str:
    """ "L1 cache and shared memory, 98 %"."""
    known = {float(launch[name]): words for name, words in UNITS.items() if name in launch}
    return f"{known[max(known)]}, {max(known):.0f} %" if known else DASH


def cells(folder: Path, lab: str, variant: str) -> List[str]:
    """What HEADER names, of a variant that was profiled at 4k; nothing without its file. Of several kernels the sums, the
    busiest unit of each, and the last one's rest."""
    path = folder / "profile" / f"{lab}_{variant}_4k.csv"
    launches = counters(path) if path.exists() else []
    if not launches:
        return []
    return [
        _per_pixel(launches, 32, "smsp__inst_executed"),
        _per_pixel(launches, 1, "dram__bytes_read", "dram__bytes_write"),
        "; ".join(map(busiest, launches)),
        f"{float(launches[-1].get('sm__warps_active', 0)):.0f} %",
        launches[-1].get("launch__registers_per_thread", DASH),
        launches[-1].get("launch__shared_mem_per_block", DASH),
    ]


def counters_table(folder: Path, kernels: Sequence[Tuple[str, str]] = ROAD) -> List[Table]:
    """A line for each lab and variant that was profiled; nothing if none was."""
    lines = [[f"{lab} {variant}", *found] for lab, variant in kernels if (found := cells(folder, lab, variant))]
    caption = "What limits each kernel of these steps at 4k: one launch, by Nsight Compute."
    return [Table("counters", caption, HEADER.split("|"), lines)] if lines else []
