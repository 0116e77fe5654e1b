# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The fastest variant of each lab: the table of the README and the figure of the report."""
import re
from typing import Any, List, Optional

from ..figures import drawing
from ..figures.content import NOISY, Figure, Table, joined, number, percent, times
from .overview import size_to_compare
from ..measurements.rows import EMULATED, Row
from ..measurements.selection import BASELINES, Results, distinct
from ..figures.series import describe, describe_hardware, describe_job, main_job, on_gpus


def _fastest(results: Results, lab: Optional[str] = None) -> List[Row]:
    """The fastest row of each lab, or of one: the job with the most rows, the size to compare."""
    rows = main_job([row for row in results.bench if row.backend != EMULATED
                     and lab in (None, row.lab)])
    at = size_to_compare(results, rows)
    timed = [row for row in rows if row.timed and (row.pixels, row.size_name) == at]
    return [min((row for row in timed if row.lab == name), key=lambda row: row.ms)
            for name in sorted(distinct(timed, "lab"))]


def _name(row: Row) -> str:
    return f"{row.variant} {on_gpus(row)}" if row.devices else row.variant


def ladder(results: Results) -> Optional[Table]:
    """The baseline and the fastest variant of each lab; None where nothing was timed. A lab without rows of the common job has
    a line of its own job."""
    best = _fastest(results)
    if not best:
        return None
    labs = {row.lab for row in best}
    others = [row for lab in sorted(set(distinct(results.bench, "lab")) - labs)
              for row in _fastest(results, lab)]
    base = results.baseline(best[0], BASELINES[0])
    lines = []
    for row in [*filter(None, [base if base not in best else None]), *sorted(best + others, key=lambda row: row.lab)]:
        lines.append([row.lab, _name(row) + f", {row.threads} threads" * bool(row.threads), number(row.ms) + NOISY * row.is_noisy,
                      number(results.speed_up(row)), percent(results.of_ceiling(row))])
    size = re.sub("k$", "K", best[0].size_name)
    words = [f"{describe_hardware(best)}; {size}, {describe_job(best)}, medians"]
    words += [f"lab {row.lab[:2]}: with its copies, and of the bus" for row in best + others if row.with_copies]
    words += [f"lab{'s' * (len(others) > 1)} {joined(row.lab[:2] for row in others)}: two frames"] * bool(others)
    words += ["above 100 %: partly from a cache"] * any(
        (results.of_ceiling(row) or 0) > 1 for row in best + others)
    words += [f"{NOISY}: noisy"] * any(NOISY in line[2] for line in lines)
    return Table("ladder", "; ".join(words), ["lab", "step", f"ms at {size}", f"times as fast as `{BASELINES[0]}`",
                                              "share of a copy"], lines, left=2)


def _draw(results: Results, best: List[Row]) -> Any:
    """Time per pixel of each lab's fastest variant, and its speed-up over the baseline."""
    figure, axes = drawing.canvas(1.5 + 0.42 * len(best))
    panel = axes[0, 0]
    speeds = [row.ns_per_pixel for row in best]
    panel.set_xscale("log")
    panel.set_xlim(min(speeds) / 3, max(speeds) * 30)
    for index, (row, value) in enumerate(zip(best, speeds)):
        panel.errorbar([value], [index], fmt="o", color=drawing.PALETTE[0], markersize=7,
                       xerr=[[bar * 1e6 / row.pixels] for bar in row.bars])
        gain = results.speed_up(row)
        words = f"  {number(value)} ns" + (f", {times(gain)} {BASELINES[0]}" if gain else "")
        words += ", with copies" * row.with_copies + " (noisy)" * row.is_noisy
        panel.text((value + row.bars[1] * 1e6 / row.pixels) * 1.06, index, words, va="center", fontsize=9)
    panel.set_yticks(range(len(best)))
    panel.set_yticklabels([f"{row.lab} {_name(row)}" for row in best])
    panel.set_ylim(len(best) - 0.5, -0.5)
    panel.grid(axis="y", visible=False)
    drawing.plain(panel.xaxis)
    panel.set_xlabel("time per pixel (ns)")
    return drawing.finish(figure, f"The fastest variant of each lab at {best[0].size_name}",
                          describe(best, "On a GPU: kernel time unless stated otherwise.",
                                   noisy_mark="marked", bases=results.baselines(best, BASELINES[0])))


def ladder_figures(results: Results) -> List[Figure]:
    """The figure of the ladder; none where nothing was timed."""
    best = _fastest(results)
    return [Figure("fastest_by_lab", "The fastest variant of each lab, time per pixel.",
                   lambda: _draw(results, best))] if best else []
