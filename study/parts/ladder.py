# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The fastest variant of each lab: the table and the figure of the README."""
from typing import Any, List, Optional

from ..figures import drawing
from ..figures.content import DASH, NOISY, Figure, Table, number, percent, times
from .overview import size_to_compare
from ..measurements.rows import EMULATED, Row
from ..measurements.selection import BASELINES, JOB, Results, distinct, key
from ..figures.series import describe, describe_hardware, describe_job, describe_sessions, main_job, on_gpus


def _candidates(results: Results, best: Row) -> int:
    """How many timed rows of the lab did the same job as the fastest."""
    return sum(row.timed and row.lab == best.lab and key(row, JOB) == key(best, JOB)
               for row in results.bench)


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
    """A line for each lab; None where nothing was timed. A lab without rows of the common job has a
    line of its own job."""
    best = _fastest(results)
    if not best:
        return None
    labs = {row.lab for row in best}
    others = [row for lab in sorted(set(distinct(results.bench, "lab")) - labs)
              for row in _fastest(results, lab)]
    lines = []
    for row in sorted(best + others, key=lambda row: row.lab):
        mark = NOISY * row.is_noisy
        copies = number(row.ms) + mark if row.with_copies else number(row.total_ms)
        lines.append([row.lab, _name(row) + f", {row.threads} threads" * bool(row.threads),
                      str(_candidates(results, row)),
                      row.device, DASH if row.with_copies else number(row.ms) + mark, copies,
                      percent(results.of_ceiling(row))]
                     + [times(results.speed_up(row, base)) for base in BASELINES])
    return Table("ladder", f"The fastest variant of each lab at {best[0].size_name}, on "
                 f"{describe_hardware(best)}; {describe_job(best)}. Median times. Of: how many configurations of the lab were compared"
                 f"{describe_sessions([*best, *others, *results.baselines(best, *BASELINES)])}."
                 + "".join(f" {row.lab}: {describe_job([row])}, at {row.size_name}."
                           for row in others),
                 ["lab", "fastest variant", "of", "on", "ms", "with copies ms", "of copy"]
                 + [f"vs {base}" for base in BASELINES], lines, left=4)


def _draw(results: Results, best: List[Row]) -> Any:
    """Time per pixel of each lab's fastest variant, and its speed-up over the baseline."""
    figure, axes = drawing.canvas(1.5 + 0.42 * len(best))
    panel = axes[0, 0]
    speeds = [row.ns_per_pixel for row in best]
    panel.set_xscale("log")
    panel.set_xlim(min(speeds) / 3, max(speeds) * 30)
    for index, (row, value) in enumerate(zip(best, speeds)):
        panel.errorbar([value], [index], fmt="o", color=drawing.look_of(f"{row.lab} {row.variant}")[0], markersize=7,
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
