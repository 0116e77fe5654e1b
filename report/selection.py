# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Which rows count: machines, repeated measurements, jobs and speed-ups."""
from typing import Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from csv_file import ReportError
from rows import KEY, Row

# The baseline of every speed-up: ariano2023 sections 3.2 and 3.5. The report compares its pthread
# programs with the faster and its CUDA kernels with the slower of the two; here both are shown.
BASELINE_LAB = "01_sequential"
BASELINES = ("nested", "flat")

# Columns in which a repeated measurement may differ and still replace the older one. The layout is
# the variant's own, and empty in a row that never ran.
OF_THE_BUILD = ("driver", "compiler", "flags", "build", "layout", "iterations", "warmup")
CONFIGURATION = tuple(name for name in KEY if name not in OF_THE_BUILD)
# Rows that agree in these columns did the same work and may be compared, whatever the variant.
JOB = ("machine", "image", "width", "height", "channels", "type", "filter", "ksize", "border")


def key(row: Row, columns: Sequence[str]) -> Tuple[str, ...]:
    """The row's fields in these columns."""
    return tuple(row.text[name] for name in columns)


def of_one_machine(rows: Sequence[Row], machine: Optional[str]) -> List[Row]:
    """The rows of `machine`; without a name all rows, which must then be of one machine."""
    present = sorted({row.machine for row in rows})
    if machine is None:
        if len(present) > 1:
            raise ReportError(f"measurements of {len(present)} machines in one folder "
                              f"({', '.join(present)}): choose one with --machine NAME")
        return list(rows)
    if machine not in present:
        raise ReportError(f"no measurements of machine {machine}: the folder holds "
                          + ", ".join(present))
    return [row for row in rows if row.machine == machine]


def _counting(same: Sequence[Row]) -> Row:
    """Of rows with one configuration, the one that counts.

    The latest by date, then by place in the files. If it is a time, then among the times of the
    same build the one with the most iterations, so that a short trial does not replace a long run.
    """
    ordered = sorted(same, key=lambda row: (row.date, row.order))
    latest = ordered[-1]
    if not latest.timed:
        return latest
    rivals = [row for row in ordered if row.timed and row.build == latest.build]
    return max(rivals, key=lambda row: (row.integer("iterations") or 0, ordered.index(row)))


def newest(rows: Iterable[Row]) -> List[Row]:
    """One row for each configuration, in the order of the files."""
    groups: Dict[Tuple[str, ...], List[Row]] = {}
    for row in rows:
        groups.setdefault(key(row, CONFIGURATION), []).append(row)
    return sorted((_counting(same) for same in groups.values()), key=lambda row: row.order)


def of_one_build(rows: Sequence[Row]) -> List[Row]:
    """The rows of the build that has most of them: where one time is divided by another, both are
    of the same code."""
    builds = distinct(rows, "build")
    most = max(builds, key=lambda build: sum(row.build == build for row in rows), default="")
    return newest(row for row in rows if row.build == most)


def distinct(rows: Iterable[Row], column: str) -> List[str]:
    """The different non-empty values of a column, in the order of appearance."""
    return list(dict.fromkeys(row.text[column] for row in rows if row.text[column]))


def sizes(rows: Iterable[Row]) -> List[Tuple[int, str]]:
    """The different sizes as (pixels, name), smallest first."""
    return sorted({(row.pixels, row.size_name) for row in rows})


class Results:
    """What was measured on one machine: `rows` of all files, `bench` of the protocol alone."""

    def __init__(self, rows: Sequence[Row], timeline: Sequence[Dict[str, str]] = ()):
        self.timeline = list(timeline)  # of timeline.csv: the steps of one run of each variant
        self.all = list(rows)
        self.rows = newest(rows)
        self.bench = newest(row for row in rows if not row.sweep)
        self.machine = rows[0].machine
        self._baselines: Dict[Tuple[str, ...], Row] = {}
        for row in self.rows:
            if row.lab == BASELINE_LAB and row.timed:
                self._baselines.setdefault((row.variant,) + key(row, JOB), row)

    def where(self, test: Optional[Callable[[Row], bool]] = None, **columns: str) -> List[Row]:
        """Rows with these fields (`lab="02_pthread", variant="rows"`) for which `test` holds."""
        return [row for row in self.rows
                if all(row.text[name] == value for name, value in columns.items())
                and (test is None or test(row))]

    def baseline(self, row: Row, variant: str) -> Optional[Row]:
        """The timed row of lab 01's `variant` that did the same job."""
        return self._baselines.get((variant,) + key(row, JOB))

    def speed_up(self, row: Row, variant: str = BASELINES[0]) -> Optional[float]:
        """Mean time of the baseline over mean time of the row; None where either has no time."""
        base = self.baseline(row, variant)
        return base.ms / row.ms if base is not None and row.timed else None

    def warnings(self) -> List[str]:
        """Sentences on rows that were measured under different circumstances."""
        found = []
        counted = [row for row in self.rows if row.timed]
        for backend in distinct(counted, "backend"):
            mine = [row for row in counted if row.backend == backend]
            for column, what in (("compiler", "compilers"), ("flags", "sets of flags"),
                                 ("driver", "drivers")):
                values = distinct(mine, column)
                if len(values) > 1:
                    found.append(f"The {backend} rows were measured with {len(values)} {what}: "
                                 f"{'; '.join(values)}. The latest row of a configuration counts.")
        builds = distinct(counted, "build")
        if len(builds) > 1:
            found.append(f"The rows come from {len(builds)} builds of the code; the latest row of "
                         "a configuration counts.")
        if any(row.dirty == "1" for row in counted):
            found.append("Some rows were measured on code with uncommitted changes.")
        return found
