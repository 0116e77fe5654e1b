# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The section that says where the rows come from."""
from pathlib import Path

from .content import Section, joined
from .other_files import count_verified
from .overview import emulated_notes
from .selection import Results, distinct


def measured(results: Results, folder: Path) -> Section:
    """Where the rows come from: machine, devices, compilers, how many of each status."""
    rows = results.rows
    statuses = [f"{sum(row.status == status for row in rows)} {status}"
                for status in distinct(rows, "status")]
    lines = [f"Machine: {results.machine}."]
    for backend in distinct(rows, "backend"):
        mine = [row for row in rows if row.backend == backend]
        words = [f"{what} {joined(distinct(mine, column))}" for column, what in (
            ("device", "device"), ("driver", "driver"), ("compiler", "compiler"),
            ("flags", "flags")) if distinct(mine, column)]
        lines.append(f"{backend}: {'; '.join(words)}.")
    lines.append(f"Configurations: {len(rows)} ({', '.join(statuses)}), of which "
                 f"{sum(row.is_noisy for row in rows)} noisy. Repeated measurements left out: "
                 f"{results.left_out}.")
    dates = sorted(distinct(rows, "date"))
    if dates:
        lines.append(f"Measured from {dates[0]} to {dates[-1]}.")
    same, different = count_verified(folder, results.machine)
    if same or different:
        lines.append(f"verify.csv: {same} comparisons with the reference identical, "
                     f"{different} different.")
    text = "\n".join(f"- {line}" for line in lines + results.warnings() + emulated_notes(results))
    return Section("Machine and rows", [text])
