# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""A roofline of the machine: every variant as a point under the measured copies."""
from typing import Any, Dict, List, Tuple

from ..figures import drawing
from ..figures.content import Figure, number
from ..figures.series import describe
from ..measurements.rows import Row
from ..measurements.selection import Results
from .road import AT


def roofline(results: Results) -> List[Any]:
    rows = [row for row in results.bench if row.timed and row.size_name == AT
            and not row.with_copies and row.number["operations"] and row.cold == "0"
            and (row.filter, row.ksize, row.border, row.type) == ("gaussian", "5", "replicate",
                                                                  "uint8")]
    best: Dict[Tuple[str, str], Row] = {}
    for row in rows:
        at = row.lab, row.variant
        best[at] = min(best.get(at, row), row, key=lambda one: one.ms)
    rows = list(best.values())
    if len(rows) < 3:
        return [f"Not measured: a roofline at {AT}."]

    def draw() -> Any:
        figure, axes = drawing.canvas(7.0)
        panel = axes[0, 0]
        panel.set_xscale("log")
        panel.set_yscale("log")
        for backend, style in (("cpu", ":"), ("cuda", "--")):
            mine = [row for row in rows if row.backend == backend]
            roof = max((results.ceiling(row) or 0 for row in mine), default=0)
            if roof:
                xs = [0.5, 200]
                panel.plot(xs, [x * roof for x in xs], style, color="0.4",
                           label=f"{mine[0].device}: copy, {number(roof)} GB/s")
        label = 0.0  # where the last label stands: each a step above it, with a line to its point
        for row in sorted(rows, key=lambda row: row.rate("operations")):
            colour, marker = drawing.looks([row.variant])[0]
            rate = row.rate("operations")
            intensity = (row.number["operations"] or 0) / (row.number["bytes"] or 1)
            label = max(rate, label * 1.36)
            panel.plot([intensity], [rate], marker, color=colour)
            panel.plot([intensity, 45], [rate, label], "-", color="0.75", linewidth=0.6, zorder=0)
            panel.text(46, label, f"{row.lab[:2]} {row.variant}, {number(rate)} Gflop/s",
                       va="center", fontsize=7.5, color=colour)
        panel.set(xlabel="operations per byte, logarithmic", ylabel="Gflop/s, logarithmic",
                  xlim=(4, 200), ylim=(0.5, 3e6))
        drawing.plain(panel.xaxis)
        drawing.plain(panel.yaxis)
        panel.legend(loc="upper left")
        return drawing.finish(figure, f"Roofline at {AT}, RGB", describe(
            rows, "2 K^2 operations per sample, also for separable variants, which need fewer; each "
            "input byte read once, each output byte written once.", bars=False))

    return [Figure("roofline", "Roofline: every variant as a point under the measured copies.", draw)]
