# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""From the simplest program to the fastest kernel: what each step gains."""

from functools import partial
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

from ..figures.content import DASH, Figure, Table, number, times
from ..figures.series import describe, described
from ..figures.shapes import cell, fastest_each
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
NOT_MEASURED = "not measured"
Step = Tuple[str, Optional[Row]]  # its name, and its row


def job(rows: Iterable[Row], lab: str, variant: str, cold: str = "0") -> Dict[str, Row]:
    """The fastest timed row of a variant by size: the 5x5 Gaussian of an RGB picture."""
    wanted = (lab, variant, "gaussian", "5", "replicate", cold, "uint8", "scene")
    mine = [row for row in rows if row.lab == lab and row.timed and not row.filters and row.passes in ("", "1")]
    names = ("lab", "variant", "filter", "ksize", "border", "cold", "type", "image")
    return fastest_each(
        (row for row in mine if tuple(row[name] for name in names) == wanted), lambda row: row.size_name
    )


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
