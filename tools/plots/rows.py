# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The rows of a results folder (`make bench`, `make sweep`), and which of several for one configuration counts."""

import math
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

from .columns import labs_columns
from .files import NUMBER, ReportError
from .sessions import read_timings, timing_files

STATUSES = ("ok", "unsupported", "skipped", "failed")
EMULATED = "cuda_on_cpu"  # the backend that is checked, not timed


@dataclass(frozen=True)
class Row:
    """One measurement: every field as written (`row["lab"]`), and those of numbers as numbers."""

    text: Dict[str, str]
    number: Dict[str, Optional[float]]  # None where the field is empty
    sweep: bool  # of a *_sweep.csv
    order: int
    configuration: Tuple[str, ...]  # what was run on what: the same for two measurements of it

    def __getitem__(self, column: str) -> str:
        return self.text.get(column, "")

    @property
    def pixels(self) -> int:
        return int(self.number["width"] or 0) * int(self.number["height"] or 0)

    @property
    def size(self) -> str:
        return self["size"] or f"{self['width']}x{self['height']}"

    @property
    def with_copies(self) -> bool:
        """Whether the copies belong to the run (lab 06), so that there is no time without them."""
        return not self["kernel_ms_median"] and bool(self["total_ms_median"])

    def _time(self, which: str) -> Optional[float]:
        return self.number.get(f"{'total' if self.with_copies else 'kernel'}_ms_{which}")

    @property
    def timed(self) -> bool:
        return self["status"] == "ok" and self["backend"] != EMULATED and (self._time("median") or 0) > 0

    @property
    def ms(self) -> float:
        """The median time of a row that is timed."""
        return self._time("median") or math.nan

    @property
    def interval(self) -> Tuple[float, float]:
        """Where the median is with a probability of 95 %; where the row does not say, the 5th and the 95th percentile."""
        low, high = self._time("median_low"), self._time("median_high")
        if not (low and high):
            low, high = self._time("p05"), self._time("p95")
        return min(low or self.ms, self.ms), max(high or self.ms, self.ms)

    @property
    def iterations(self) -> int:
        return int(self.number.get("iterations") or 0)

    @property
    def in_rounds(self) -> bool:
        """Whether the configurations took turns; those of the earlier protocol did not."""
        return self["rounds"] not in ("", "0")

    @property
    def disturbed(self) -> bool:
        return self["disturbed"] not in ("", "0")

    @property
    def gb_per_s(self) -> float:
        return (self.number.get("bytes") or 0) / (self.ms * 1e6)


def _number(where: str, name: str, kind: str, value: str) -> Optional[float]:
    if not value:
        return None
    if not (value.isascii() and (value.isdigit() if kind == "integer" else NUMBER.fullmatch(value))):
        expected = "a whole number" if kind == "integer" else "a number with a decimal point"
        raise ReportError(f"{where}: column {name} holds '{value}', expected {expected} or nothing")
    if not 0 <= float(value) < math.inf:
        raise ReportError(f"{where}: column {name} holds {value}, which cannot be measured")
    return float(value)


def _row(where: str, text: Dict[str, str], sweep: bool, order: int) -> Row:
    columns = labs_columns()
    for name in ("lab", "variant", "backend", "machine"):
        if not text[name]:
            raise ReportError(f"{where}: column {name} is empty")
    for name, allowed in (("status", STATUSES), ("noisy", ("", "0", "1"))):
        if text[name] not in allowed:
            raise ReportError(
                f"{where}: column {name} holds '{text[name]}', expected one of "
                + ", ".join(value or "nothing" for value in allowed)
            )
    number = {
        name: _number(where, name, kind, text[name])
        for name, kind in columns.kinds.items()
        if kind in ("integer", "decimal")
    }
    # Of the GPUs that the program saw, those count that computed; where a row does not say: one.
    gpus = "" if text["backend"] == "cpu" else text["devices"] or "1"
    row = Row(
        text,
        number,
        sweep,
        order,
        tuple(gpus if name in ("gpus", "devices") else text[name] for name in columns.configuration),
    )
    if (
        row["status"] == "ok"
        and row["backend"] != EMULATED
        and not (row.pixels and row["kernel_ms_median"] + row["total_ms_median"])
    ):
        raise ReportError(f"{where}: status is ok, but kernel_ms_median, width or height is missing")
    return row


def one_of(machines: Iterable[str], machine: Optional[str]) -> str:
    """The machine that is chosen, or the only one; an error where there are several and none is chosen."""
    there = sorted(set(machines))
    if machine is None and len(there) > 1:
        raise ReportError(
            f"measurements of {len(there)} machines in one folder ({'; '.join(there)}): choose one, for make by "
            f'ARGS="--machine {shlex.quote(there[0])}"'
        )
    if machine not in (None, *there):
        raise ReportError(f"no measurements of machine {machine}: the folder holds {'; '.join(there)}")
    return machine or there[0]


def read_folder(folder: Path, machine: Optional[str] = None) -> List[Row]:
    """All rows of one machine in the folder's CSV files."""
    if not folder.is_dir():
        raise ReportError(f"no folder {folder}: run `make bench` first")
    rows: List[Row] = []
    for path in timing_files(folder):
        for where, text in read_timings(path):
            rows.append(_row(where, text, path.stem.endswith("_sweep"), len(rows)))
    if not rows:
        raise ReportError(f"no measurements in {folder}: run `make bench` first")
    chosen = one_of((row["machine"] for row in rows), machine)
    return [row for row in rows if row["machine"] == chosen]


def _shown(same: Sequence[Row]) -> Row:
    """Of the rows of one configuration: that with the most iterations, of these the newest; a noisy one gives way to a quiet
    one of the same revision and day. But where the newest says that the variant fails or refuses the job, that counts."""
    newest = max(same, key=lambda row: (row["date"], row.order))
    times = [row for row in same if row.timed]
    if newest["status"] in ("failed", "unsupported") or not times:
        return newest

    def rank(row: Row) -> Tuple[bool, int]:
        return row.in_rounds, row.iterations

    best = max(times, key=lambda row: (rank(row), row["date"], row.order))
    again = [
        row
        for row in times
        if (rank(row), row["revision"], row["date"][:10]) == (rank(best), best["revision"], best["date"][:10])
    ]
    return max(again, key=lambda row: (row["noisy"] != "1", row["date"], row.order))


def select(rows: Iterable[Row]) -> List[Row]:
    """One row for each configuration, in the order of the files."""
    groups: Dict[Tuple[str, ...], List[Row]] = {}
    for row in rows:
        groups.setdefault(row.configuration, []).append(row)
    return sorted(map(_shown, groups.values()), key=lambda row: row.order)


def distinct(rows: Iterable[Row], column: str) -> List[str]:
    """The different non-empty values of a column, in the order of appearance."""
    return list(dict.fromkeys(row[column] for row in rows if row[column]))
