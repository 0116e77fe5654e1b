# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The machines in full, from what their rows say: a table of the method."""

from datetime import datetime
from typing import List, Sequence

from ..figures.content import DASH, Section, Table, joined, short_name
from ..measurements.rows import DATE, EMULATED, Row
from ..measurements.selection import Results, distinct

# What is said of a machine, and the columns that say it.
LINES = (
    ("GPU driver", "driver"),
    ("compiler", "compiler"),
    ("flags", "flags"),
    ("sockets", "sockets"),
    ("cores", "cores"),
    ("threads per core", "threads_per_core"),
    ("caches", "caches"),
    ("memory", "ram_bytes"),
    ("virtual machine", "virtual_machine"),
    ("clock before (MHz)", "cpu_mhz"),
    ("governor", "governor"),
    ("turbo", "turbo"),
    ("GPU clocks", "gpu_clocks"),
    ("watched for disturbances", "watched"),
)
MANY = 3


def _said(rows: Sequence[Row], column: str) -> str:
    """The different values of a column."""
    values = distinct(rows, column)
    if column == "ram_bytes":
        values = sorted({f"{int(value) / 2**30:.0f} GiB" for value in values})
    if column == "virtual_machine":
        values = sorted({"yes" if value == "1" else "no" for value in values})
    if column == "cpu_mhz" and values:
        clocks = sorted({round(float(value)) for value in values})
        return " to ".join(map(str, dict.fromkeys((clocks[0], clocks[-1]))))
    if len(values) > MANY:
        return f"{'; '.join(values[:MANY])}; {len(values) - MANY} more"
    return "; ".join(values) or DASH


def byline(machines: Sequence[Results]) -> str:
    """Date and revision of the newest row, and the GPUs, in two sentences."""
    timed = [row for results in machines for row in results.rows if row.timed and row.date]
    newest = max(timed, key=lambda row: row.date, default=None)
    gpus = joined(sorted({short_name(row.device) for row in timed if row.backend == "cuda"})) or "none"
    if newest is None:
        return f"No row has a date. GPUs: {gpus}."
    day, revision = datetime.strptime(newest.date, DATE), newest.text["revision"][:7]
    return f"The newest row is of {day.day} {day:%B %Y}, revision `{revision}`. GPUs: {gpus}."


def machines_section(machines: Sequence[Results]) -> Section:
    """A column for each machine; a dash where its rows do not say it."""
    timed = [[row for row in results.rows if row.timed and row.backend != EMULATED] for results in machines]
    header = ["", *(short_name(results.machine) for results in machines)]
    lines: List[List[str]] = [["processors and GPUs", *(joined(distinct(rows, "device")) or DASH for rows in timed)]]
    lines += [[words, *(_said(rows, column) for rows in timed)] for words, column in LINES]
    lines.append(["configurations", *(str(len(rows)) for rows in timed)])
    lines.append(["labs", *(joined(sorted(distinct(rows, "lab"))) or DASH for rows in timed)])
    return Section(
        "The machines",
        [
            Table(
                "machines",
                "The machines, as the rows of their measurements describe them. A dash: the rows do not say it.",
                header,
                [line for line in lines if set(line[1:]) != {DASH}],
                left=len(header),
            )
        ],
    )
