# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Reading the CSV files of a results folder: one `Row` for each measurement.

The columns are those that `lab columns` prints. Every mistake in a file is one sentence with the
file and the line (`ReportError`); no value is guessed.
"""

import math
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from tools.plots.columns import Columns, labs_columns
from tools.plots.sessions import read_timings, timing_files

from .csv_file import NUMBER, ReportError

SECOND_RUN = "second_run"  # a folder in that of a machine: the same configurations, measured again
STATUSES = ("ok", "unsupported", "skipped", "failed")
EMULATED = "cuda_on_cpu"  # the backend that is not timed
DATE = "%Y-%m-%dT%H:%M:%SZ"  # of the column `date`
# Two numbers differ if they are this far apart: of a CPU, of a GPU's kernel, of a GPU with its copies. For in the second run
# (results/reference/README.md) nine of ten ratios of two configurations that took turns are within it.
OF_CPU = 0.25
OF_KERNEL = 0.02
OF_COPIES = 0.10
PAUSE = timedelta(hours=1)  # without a row: what follows is another session


@dataclass(frozen=True)
class Row:
    """One measurement. `text` holds every field as written; numbers are parsed beside it."""

    text: Dict[str, str]
    number: Dict[str, Optional[float]]  # None where the field is empty
    sweep: bool  # from a *_sweep.csv file
    order: int  # position in the folder: files by name, then lines
    configuration: Tuple[str, ...]  # what was run, on what: the same for two measurements of it
    where: str  # "file, line 3"
    session: str = ""  # the time of the first row of its session: 2026-11-23 06:52 (UTC)

    def __getattr__(self, name: str) -> str:
        try:
            return self.text[name]
        except KeyError:
            raise AttributeError(name) from None

    def integer(self, name: str) -> Optional[int]:
        """An integer column, None where it is empty."""
        value = self.number[name]
        return None if value is None else int(value)

    @property
    def pixels(self) -> int:
        return int(self.number["width"] or 0) * int(self.number["height"] or 0)

    @property
    def timed(self) -> bool:
        """Whether the row has a time: correct output, real hardware, a time above 0."""
        return self.status == "ok" and self.backend != EMULATED and (self.number[f"{self._time}_median"] or 0) > 0

    @property
    def with_copies(self) -> bool:
        """Whether the copies belong to the run (lab 06), so that there is no time without them."""
        return not self.kernel_ms_median and bool(self.total_ms_median)

    @property
    def _time(self) -> str:
        return "total_ms" if self.with_copies else "kernel_ms"

    @property
    def ms(self) -> float:
        """Median time of the convolution, in milliseconds; only for timed rows. Of the convolution
        alone, or, `with_copies`, of one frame from host to host."""
        value = self.number[f"{self._time}_median"]
        if not self.timed or value is None:
            raise ValueError("this row carries no time")
        return value

    @property
    def total_ms(self) -> Optional[float]:
        """Median time with the copies to the device and back; None on a CPU."""
        if not self.timed or self.backend == "cpu":
            return None
        return self.number["total_ms_median"]

    @property
    def bars(self) -> Tuple[float, float]:
        """How far the 5th percentile is below `ms`, and the 95th above it."""
        low = self.number[f"{self._time}_p05"] or self.ms
        high = self.number[f"{self._time}_p95"] or self.ms
        return max(0.0, self.ms - low), max(0.0, high - self.ms)

    @property
    def interval(self) -> Tuple[float, float]:
        """Where the median `ms` is with a probability of 95 %; where the file does not say, between the
        5th and the 95th percentile."""
        return self._interval_of(self._time) or (self.ms - self.bars[0], self.ms + self.bars[1])

    @property
    def total_interval(self) -> Tuple[float, float]:
        """The same of `total_ms`; where the file does not say, as wide for its time as that of the kernel."""
        scale = (self.total_ms or self.ms) / self.ms
        return self._interval_of("total_ms") or (self.interval[0] * scale, self.interval[1] * scale)

    def _interval_of(self, time: str) -> Optional[Tuple[float, float]]:
        low, high = (self.number.get(f"{time}_median_{end}") for end in ("low", "high"))
        return (low, high) if low and high else None

    @property
    def completeness(self) -> Tuple[int, int]:
        """How complete the row's protocol was: in rounds before in one go, then by iterations."""
        rounds = self.text.get("rounds", "")
        return int(rounds not in ("", "0")), self.integer("iterations") or 0

    def rate(self, column: str) -> float:
        """What the column counts ("bytes", "operations") by the median time: GB/s, Gflop/s."""
        return (self.number[column] or 0) / (self.ms * 1e6)

    @property
    def margin(self) -> float:
        """What two runs of it may differ by."""
        return OF_CPU if self.backend == "cpu" else OF_COPIES if self.with_copies else OF_KERNEL

    @property
    def ceiling(self) -> Optional[float]:
        """GB/s of the fastest copy that was measured in the row's own session; of a row with copies: of the bus, both
        directions busy."""
        return self.number["bus_both_gb_per_s" if self.with_copies else "copy_gb_per_s"] or None

    @property
    def of_ceiling(self) -> Optional[float]:
        """The row's bandwidth as a share of the ceiling."""
        return self.rate("bytes") / self.ceiling if self.timed and self.ceiling else None

    @property
    def ns_per_pixel(self) -> float:
        return self.ms * 1e6 / self.pixels

    @property
    def is_noisy(self) -> bool:
        return self.noisy == "1"

    @property
    def side(self) -> Optional[int]:
        """Side of the square block in pixels or threads; None where there is none."""
        return self.integer("block")

    @property
    def size_name(self) -> str:
        """The size in words: "1080p"; "600x400" where it has no name."""
        return self.size or f"{self.width}x{self.height}"


def _parse(columns: Columns, where: str, fields: Dict[str, str], sweep: bool, order: int) -> Row:
    """Checks one line's fields and makes its Row."""
    number: Dict[str, Optional[float]] = {}
    for name, kind in columns.kinds.items():
        if kind not in ("integer", "decimal"):
            continue
        value = fields[name]
        whole = kind == "integer"
        good = value.isascii() and (value.isdigit() if whole else NUMBER.fullmatch(value))
        if value and not good:
            words = "a whole number" if whole else "a number with a decimal point"
            raise ReportError(f"{where}: column {name} holds '{value}', expected {words} or nothing")
        number[name] = float(value) if value else None
        if value and not 0 <= float(value) < math.inf:
            raise ReportError(f"{where}: column {name} holds {value}, which cannot be measured")
    for name, allowed in (("status", STATUSES), ("noisy", ("", "0", "1"))):
        if fields[name] not in allowed:
            raise ReportError(
                f"{where}: column {name} holds '{fields[name]}', expected one of "
                + ", ".join(value or "nothing" for value in allowed)
            )
    for name in ("lab", "variant", "backend", "machine"):
        if not fields[name]:
            raise ReportError(f"{where}: column {name} is empty")
    try:
        datetime.strptime(fields["date"] or "2026-01-01T00:00:00Z", DATE)
    except ValueError:
        raise ReportError(
            f"{where}: column date holds '{fields['date']}', expected a time like 2026-01-31T23:59:59Z"
        ) from None
    real = fields["status"] == "ok" and fields["backend"] != EMULATED
    no_time = number["kernel_ms_median"] is None and (
        number["total_ms_median"] is None or number["bus_both_gb_per_s"] is None
    )
    if real and (no_time or not number["width"] or not number["height"]):
        raise ReportError(f"{where}: status is ok, but kernel_ms_median, width or height is missing")
    # Of the GPUs that the program saw, those count that computed; where a row does not say: one.
    gpus = "" if fields["backend"] == "cpu" else fields["devices"] or "1"
    configuration = tuple(gpus if name in ("gpus", "devices") else fields[name] for name in columns.configuration)
    return Row(fields, number, sweep, order, configuration, where)


def _in_sessions(rows: List[Row]) -> List[Row]:
    """The rows, each with its session: of one machine, revision and boot, with no PAUSE between them."""

    def group(row: Row) -> Tuple[str, str, str]:
        return row.machine, row.revision, row.boot

    begun: Dict[Tuple[Tuple[str, str, str], str], str] = {}
    for one in set(map(group, rows)):
        first = last = datetime.min
        for date in sorted({row.date for row in rows if group(row) == one and row.date}):
            now = datetime.strptime(date, DATE)
            first = now if now - last > PAUSE else first
            begun[one, date] = f"{first:%Y-%m-%d %H:%M}"
            last = now
    return [replace(row, session=begun.get((group(row), row.date), "")) for row in rows]


def read_folder(folder: Path) -> List[Row]:
    """All rows of the folder's CSV files; those of other verbs and folders inside it are not read."""
    if not folder.is_dir():
        raise ReportError(f"no folder {folder}: run `make bench` first, or name one by --results")
    columns = labs_columns()
    rows: List[Row] = []
    for path in timing_files(folder):
        sweep = path.stem.endswith("_sweep")
        for where, fields in read_timings(path):
            rows.append(_parse(columns, where, fields, sweep, len(rows)))
    if not rows:
        raise ReportError(f"no measurements in {folder}: run `make bench` first")
    return _in_sessions(rows)
