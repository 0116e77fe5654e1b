# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The fastest variant of each lab: the table of the README."""

import re
from typing import List, Optional

from ..figures.content import NOISY, Table, joined, number, percent
from ..figures.series import describe_hardware, describe_job, main_job, on_gpus
from ..measurements.rows import EMULATED, Row
from ..measurements.selection import BASELINES, Results, distinct
from .overview import size_to_compare


def _fastest(results: Results, lab: Optional[str] = None) -> List[Row]:
    """The fastest row of each lab, or of one: the job with the most rows, the size to compare."""
    rows = main_job([row for row in results.bench if row.backend != EMULATED and lab in (None, row.lab)])
    at = size_to_compare(results, rows)
    timed = [row for row in rows if row.timed and (row.pixels, row.size_name) == at]
    return [
        min((row for row in timed if row.lab == name), key=lambda row: row.ms)
        for name in sorted(distinct(timed, "lab"))
    ]


def _name(row: Row) -> str:
    return f"{row.variant} {on_gpus(row)}" if row.devices else row.variant


def ladder(results: Results) -> Optional[Table]:
    """The baseline and the fastest variant of each lab; None where nothing was timed. A lab without rows of the common job has
    a line of its own job."""
    best = _fastest(results)
    if not best:
        return None
    labs = {row.lab for row in best}
    others = [row for lab in sorted(set(distinct(results.bench, "lab")) - labs) for row in _fastest(results, lab)]
    base = results.baseline(best[0], BASELINES[0])
    lines = []
    for row in [*filter(None, [base if base not in best else None]), *sorted(best + others, key=lambda row: row.lab)]:
        lines.append(
            [
                row.lab,
                _name(row) + f", {row.threads} threads" * bool(row.threads),
                number(row.ms) + NOISY * row.is_noisy,
                number(results.speed_up(row)),
                percent(row.of_ceiling),
            ]
        )
    size = re.sub("k$", "K", best[0].size_name)
    words = [f"{describe_hardware(best)}; {size}, {describe_job(best)}, medians"]
    words += [f"lab {row.lab[:2]}: with its copies, and of the bus" for row in best + others if row.with_copies]
    words += [f"lab{'s' * (len(others) > 1)} {joined(row.lab[:2] for row in others)}: two frames"] * bool(others)
    words += ["a share is of the copy in the row's own session"]
    words += ["above 100 %: partly from a cache"] * any((row.of_ceiling or 0) > 1 for row in best + others)
    words += [f"{NOISY}: noisy"] * any(NOISY in line[2] for line in lines)
    return Table(
        "ladder",
        "; ".join(words),
        ["lab", "step", f"ms at {size}", f"times as fast as `{BASELINES[0]}`", "share of a copy"],
        lines,
        left=2,
    )
