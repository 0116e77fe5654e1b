# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The fastest variant of each lab, for README.md."""

import re
from typing import List, Optional, Sequence, Tuple

from ..figures.content import Table, number, percent
from ..figures.series import main_job, on_gpus
from ..figures.shapes import cell
from ..measurements.rows import EMULATED, Row
from ..measurements.selection import BASELINES, Results, distinct, sizes


def _main_rows(results: Results, lab: Optional[str] = None) -> List[Row]:
    """The rows of the job with the most rows, without sweeps, of a lab or of all."""
    return main_job([row for row in results.bench if row.backend != EMULATED and lab in (None, row.lab)])


def size_to_compare(results: Results, rows: Sequence[Row]) -> Optional[Tuple[int, str]]:
    """The largest size at which the baseline has a time; without one the largest timed size."""
    timed = [row for row in rows if row.timed]
    based = [row for row in timed if results.baseline(row, BASELINES[0])]
    return max(sizes(based or timed), default=None)


def _fastest(results: Results, lab: Optional[str] = None) -> List[Row]:
    """The fastest row of each lab, or of one, at the size to compare."""
    rows = _main_rows(results, lab)
    at = size_to_compare(results, rows)
    timed = [row for row in rows if row.timed and (row.pixels, row.size_name) == at]
    labs = sorted(distinct(timed, "lab"))
    return [min((row for row in timed if row.lab == name), key=lambda row: row.ms) for name in labs]


def ladder(results: Results) -> Optional[Table]:
    """The baseline and the fastest variant of each lab, None if nothing was timed. A lab without rows of the common
    job has a line of its own job."""
    best = _fastest(results)
    if not best:
        return None
    missing = sorted(set(distinct(results.bench, "lab")) - {row.lab for row in best})
    others = [row for lab in missing for row in _fastest(results, lab)]
    base = results.baseline(best[0], BASELINES[0])
    shown = [base] * (base is not None and base not in best) + sorted(best + others, key=lambda row: row.lab)
    lines = []
    for row in filter(None, shown):
        step = f"{row.variant} {on_gpus(row)}" if row.devices else row.variant
        step += f", {row.threads} threads" * bool(row.threads)
        lines.append([row.lab, step, cell(row), number(results.speed_up(row)), percent(row.of_ceiling)])
    size = re.sub("k$", "K", best[0].size_name)
    head = ["lab", "variant", f"ms at {size}", f"speed-up over `{BASELINES[0]}`", "share of a copy's bandwidth"]
    return Table("ladder", "", head, lines, left=2)


def emulated_notes(results: Results) -> List[str]:
    """A sentence on rows of CUDA on the CPU, which are never timed."""
    emulated = [row for row in results.rows if row.backend == EMULATED]
    labs = ", ".join(sorted(distinct(emulated, "lab")))
    return [f"{len(emulated)} rows of {labs} ran as CUDA on the CPU: checked, not timed."] * bool(emulated)
