# SPDX-License-Identifier: MIT
"""The rows of a results folder (`make bench`, `make sweep`), and which of several for one configuration counts."""

import shlex
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

from .files import ReportError
from .rows import DATE, Row, made
from .sessions import read_timings, timing_files

PAUSE = timedelta(hours=1)  # without a row: what follows is another session


def one_of(machines: Iterable[str], machine: Optional[str]) -> str:
    """The machine that is chosen, or the only one; an error if there are several and none is chosen."""
    there = sorted(set(machines))
    if machine is None and len(there) > 1:
        raise ReportError(
            f"measurements of {len(there)} machines in one folder ({'; '.join(there)}): choose one, for make by "
            f'ARGS="--machine {shlex.quote(there[0])}"'
        )
    if machine not in (None, *there):
        raise ReportError(f"no measurements of machine {machine}: the folder holds {'; '.join(there)}")
    return machine or there[0]


def _in_sessions(rows: List[Row]) -> List[Row]:
    """The rows, each with its session: of one machine, revision and boot, with no PAUSE between them."""
    dates: Dict[Tuple[str, str, str], Dict[str, str]] = {}
    for row in rows:
        dates.setdefault((row.machine, row.revision, row.boot), {})[row.date] = ""
    for begun in dates.values():
        first = last = datetime.min
        for date in sorted(filter(None, begun)):
            now = datetime.strptime(date, DATE)
            first = now if now - last > PAUSE else first
            begun[date], last = f"{first:%Y-%m-%d %H:%M}", now
    return [replace(row, session=dates[row.machine, row.revision, row.boot][row.date]) for row in rows]


def read_folder(folder: Path) -> List[Row]:
    """All rows of the folder's CSV files; those of other verbs and folders inside it are not read."""
    if not folder.is_dir():
        raise ReportError(f"no folder {folder}: run `make bench` first")
    rows: List[Row] = []
    for path in timing_files(folder):
        for where, text in read_timings(path):
            rows.append(made(where, text, path.stem.endswith("_sweep"), len(rows)))
    if not rows:
        raise ReportError(f"no measurements in {folder}: run `make bench` first")
    return _in_sessions(rows)


def of_one_machine(rows: Sequence[Row], machine: Optional[str]) -> List[Row]:
    """The rows of the machine that is chosen, or of the only one."""
    chosen = one_of((row.machine for row in rows), machine)
    return [row for row in rows if row.machine == chosen]


def stands_for(same: Sequence[Row]) -> Row:
    """Of the rows of one configuration: the one of the most complete protocol, of these the newest, so that a short trial never
    replaces a long run. A noisy one gives way to a quiet one of the same protocol, revision and day. But if the newest says
    that the variant fails or does not support the job, that counts."""

    def age(row: Row) -> Tuple[str, int]:
        return row.date, row.order

    newest, times = max(same, key=age), [row for row in same if row.timed]
    if newest.status in ("failed", "unsupported") or not times:
        return newest

    def run(row: Row) -> Tuple[Tuple[bool, int], str, str]:
        return row.completeness, row.revision, row.date[:10]

    best = max(times, key=lambda row: (row.completeness, age(row)))
    return max((row for row in times if run(row) == run(best)), key=lambda row: (not row.is_noisy, age(row)))


def select(rows: Iterable[Row], sweep: bool = False) -> List[Row]:
    """One row for each configuration, in the order of the files. sweep: of what was timed in the protocol and in a sweep, the
    protocol's (False) or the sweep's: on a CPU the same program may take another time minutes later."""
    groups: Dict[Tuple[str, ...], List[Row]] = {}
    for row in rows:
        groups.setdefault(row.configuration, []).append(row)

    def shown(same: Sequence[Row]) -> Row:
        own = [row for row in same if row.sweep == sweep]
        return stands_for(own if any(row.timed for row in own) and stands_for(same).timed else same)

    return sorted(map(shown, groups.values()), key=lambda row: row.order)


def distinct(rows: Iterable[Row], column: str) -> List[str]:
    """The different non-empty values of a column, in the order of appearance."""
    return list(dict.fromkeys(row[column] for row in rows if row[column]))


def sizes(rows: Iterable[Row]) -> List[Tuple[int, str]]:
    """The different sizes as (pixels, name), smallest first."""
    return sorted({(row.pixels, row.size_name) for row in rows})
