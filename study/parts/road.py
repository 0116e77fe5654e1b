# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""From the simplest program to the fastest kernel: what each step gains."""

from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from ..figures import drawing
from ..figures.content import DASH, NOISY, Figure, Table, number, times
from ..figures.labels import PERCENTILES, bars_entry
from ..figures.series import describe
from ..measurements.rows import Row
from ..measurements.selection import Results

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
Step = Tuple[str, Optional[Row]]  # its name, and its row


def job(rows: Iterable[Row], lab: str, variant: str, cold: str = "0") -> Dict[str, Row]:
    """The fastest timed row of a variant by size: the 5x5 Gaussian of an RGB picture."""
    found: Dict[str, Row] = {}
    for row in rows:
        if (
            not row.timed
            or row.filters
            or row.passes not in ("", "1")
            or (row.lab, row.variant, row.filter, row.ksize, row.border, row.cold, row.type, row.image)
            != (lab, variant, "gaussian", "5", "replicate", cold, "uint8", "scene")
        ):
            continue
        if row.size_name not in found or row.ms < found[row.size_name].ms:
            found[row.size_name] = row
    return found


def _end_to_end(row: Row) -> Optional[float]:
    """The time from host to host: on the GPU with the copies, on a CPU the time itself; None where it was not measured."""
    return row.total_ms if row.backend == "cuda" else row.ms


def _lines(
    steps: Sequence[Step], bases: Sequence[Optional[Row]], time: Callable[[Row], Optional[float]]
) -> List[List[str]]:
    """A line for each step: its time, and what it gains over the step before and over each baseline."""

    def of(row: Optional[Row]) -> Optional[float]:
        return time(row) if row else None

    def gain(base: Optional[Row], row: Optional[Row]) -> str:
        slow, fast = of(base), of(row)
        return times(slow / fast) if slow and fast else "not measured"

    lines = []
    for place, (name, row) in enumerate(steps):
        ms = of(row)
        lines.append(
            [
                name,
                number(ms) + NOISY * row.is_noisy if row and ms else "not measured",
                gain(steps[place - 1][1], row) if place else DASH,
                *(gain(base, row) for base in bases),
            ]
        )
    return lines


def road(results: Results) -> List[Any]:
    steps = [(f"{lab} {variant}", job(results.bench, lab, variant).get(AT)) for lab, variant in ROAD]
    timed = [(name, row) for name, row in steps if row is not None]
    if len(timed) < 3:
        return [f"Not measured: the steps at {AT}."]
    bases = [job(results.bench, *base).get(AT) for base in BASES]
    rows = [row for _, row in timed]
    described = describe(rows, bars=False, noisy_mark=NOISY)
    header = ["over the step before", *(f"over {variant}" for _, variant in BASES)]

    def draw() -> Any:
        figure, axes = drawing.canvas(1.4 + 0.36 * len(timed))
        panel = axes[0, 0]
        panel.set_xscale("log")
        for index, (_, row) in enumerate(timed):
            look = drawing.point_look(drawing.look_of(f"{row.lab} {row.variant}")[0], "o", row.is_noisy)
            panel.errorbar(
                [row.ms],
                [index],
                xerr=[[row.bars[0]], [row.bars[1]]],
                **look,
            )
            panel.annotate(
                f"{number(row.ms)} ms",
                (row.ms + row.bars[1], index),
                (8, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
            )
            if row.total_ms:
                panel.plot([row.total_ms], [index], "|", color="0.35", markersize=12)
        (copies,) = panel.plot(
            [], [], "|", color="0.35", markersize=12, linestyle="", label="with the copies, pageable memory"
        )
        panel.legend(handles=[copies, *bars_entry(figure, PERCENTILES)], loc="upper left")
        panel.set_yticks(range(len(timed)))
        panel.set_yticklabels([name for name, _ in timed])
        panel.set_ylim(len(timed) - 0.5, -0.5)
        panel.set_xlim(right=panel.get_xlim()[1] * 2)
        panel.grid(axis="y", visible=False)
        drawing.plain(panel.xaxis)
        panel.set_xlabel("time (ms)")
        return drawing.finish(figure, f"From the simplest program to the fastest kernel, {AT}", describe(rows))

    return [
        "Each step adds one idea, in the order of the labs. A factor below 1 is a step that is slower than the one before. "
        "The first three steps run on one thread, the fourth on all cores, the rest on the GPU.",
        Figure(
            "road",
            f"From the simplest program to the fastest kernel, each step's time at {AT}: each grid line is a factor of ten. "
            "Strokes: kernels with their copies.",
            draw,
        ),
        Table(
            "road",
            f"Each step's time at {AT}, kernels alone, and its speed-ups. {described}",
            ["step", "ms", *header],
            _lines(steps, bases, lambda row: row.ms),
        ),
        Table(
            "road_end_to_end",
            f"The same steps at {AT} from host to host, with the copies of pageable memory. {described}",
            ["step", "ms from host to host", *header],
            _lines(steps, bases, _end_to_end),
        ),
    ]
