# SPDX-License-Identifier: MIT
"""One measurement: a row of a results folder, whose columns are those that `lab columns` prints. No value is guessed."""

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Dict, Optional, Tuple

from .columns import labs_columns
from .files import NUMBER, ReportError

STATUSES = ("ok", "unsupported", "skipped", "failed")
EMULATED = "cuda_on_cpu"  # the backend that is checked, not timed
DATE = "%Y-%m-%dT%H:%M:%SZ"  # of the column `date`
# Two numbers differ if they are this far apart: of a CPU, of a GPU's kernel, of a GPU with its copies. For in the second run
# (results/reference/README.md) nine of ten ratios of two configurations that took turns are within it.
OF_CPU, OF_KERNEL, OF_COPIES = 0.25, 0.02, 0.10


@dataclass(frozen=True)
class Row:
    """`text` holds every field as written (`row.lab`, `row["lab"]`), `number` those of numbers as numbers."""

    text: Dict[str, str]
    number: Dict[str, Optional[float]]  # None if the field is empty
    sweep: bool  # of a *_sweep.csv
    order: int  # position in the folder: files by name, then lines
    configuration: Tuple[str, ...]  # what was run, on what: the same for two measurements of it
    session: str = ""  # the time of the first row of its session: 2026-11-23 06:52 (UTC)

    def __getitem__(self, column: str) -> str:
        return self.text.get(column, "")

    def __getattr__(self, column: str) -> str:
        try:
            return self.text[column]
        except KeyError:
            raise AttributeError(column) from None

    def integer(self, column: str) -> Optional[int]:
        """A whole number; None if the field is empty."""
        value = self.number[column]
        return None if value is None else int(value)

    @property
    def pixels(self) -> int:
        return int(self.number["width"] or 0) * int(self.number["height"] or 0)

    @property
    def size_name(self) -> str:
        """ "1080p"; "600x400" where the size has no name."""
        return self["size"] or f"{self['width']}x{self['height']}"

    @property
    def with_copies(self) -> bool:
        """Whether the copies belong to the run (lab 06), so that there is no time without them."""
        return not self["kernel_ms_median"] and bool(self["total_ms_median"])

    def _time(self, which: str) -> Optional[float]:
        return self.number.get(f"{'total' if self.with_copies else 'kernel'}_ms_{which}")

    @property
    def timed(self) -> bool:
        """Whether the row has a time: correct output, real hardware, a time above 0."""
        return self["status"] == "ok" and self["backend"] != EMULATED and (self._time("median") or 0) > 0

    @property
    def ms(self) -> float:
        """The median time of a row that is timed: of the convolution alone or, `with_copies`, of a frame from host to host."""
        value = self._time("median")
        if not self.timed or value is None:
            raise ValueError("this row has no time")
        return value

    @property
    def ns_per_pixel(self) -> float:
        return self.ms * 1e6 / self.pixels

    @property
    def total_ms(self) -> Optional[float]:
        """The median time with the copies to the device and back; None on a CPU."""
        return self.number["total_ms_median"] if self.timed and self["backend"] != "cpu" else None

    @property
    def bars(self) -> Tuple[float, float]:
        """How far the 5th percentile is below `ms`, and the 95th above it."""
        low, high = self._time("p05") or self.ms, self._time("p95") or self.ms
        return max(0.0, self.ms - low), max(0.0, high - self.ms)

    @property
    def interval(self) -> Tuple[float, float]:
        """Where the median is with a probability of 95 %; where the row does not say, the 5th and the 95th percentile."""
        low, high = self._time("median_low"), self._time("median_high")
        return (low, high) if low and high else (self.ms - self.bars[0], self.ms + self.bars[1])

    @property
    def total_interval(self) -> Tuple[float, float]:
        """The same of `total_ms`; if the row does not say, relatively as wide as the kernel's interval."""
        low, high = (self.number.get(f"total_ms_median_{end}") for end in ("low", "high"))
        scale = (self.total_ms or self.ms) / self.ms
        return (low, high) if low and high else (self.interval[0] * scale, self.interval[1] * scale)

    @property
    def margin(self) -> float:
        """What two runs of it may differ by."""
        return OF_CPU if self["backend"] == "cpu" else OF_COPIES if self.with_copies else OF_KERNEL

    @property
    def iterations(self) -> int:
        return self.integer("iterations") or 0

    @property
    def in_rounds(self) -> bool:
        """Whether the configurations took turns; those of the earlier protocol did not."""
        return self["rounds"] not in ("", "0")

    @property
    def completeness(self) -> Tuple[bool, int]:
        """How complete the protocol was: in rounds before in one go, then by iterations."""
        return self.in_rounds, self.iterations

    @property
    def is_noisy(self) -> bool:
        return self["noisy"] == "1"

    @property
    def disturbed(self) -> bool:
        return self["disturbed"] not in ("", "0")

    def rate(self, column: str) -> float:
        """What the column counts ("bytes", "operations") by the median time: GB/s, Gflop/s."""
        return (self.number[column] or 0) / (self.ms * 1e6)

    @property
    def ceiling(self) -> Optional[float]:
        """GB/s of the fastest copy of the row's own session; of a row with copies: of the bus, both directions busy."""
        return self.number["bus_both_gb_per_s" if self.with_copies else "copy_gb_per_s"] or None

    @property
    def of_ceiling(self) -> Optional[float]:
        """The row's bandwidth as a share of that copy's."""
        return self.rate("bytes") / self.ceiling if self.timed and self.ceiling else None

    @property
    def side(self) -> Optional[int]:
        """Side of the square block in pixels or threads; None if there is none."""
        return self.integer("block")


def _number(where: str, name: str, kind: str, value: str) -> Optional[float]:
    if not value:
        return None
    if not (value.isascii() and (value.isdigit() if kind == "integer" else NUMBER.fullmatch(value))):
        expected = "a whole number" if kind == "integer" else "a number with a decimal point"
        raise ReportError(f"{where}: column {name} holds '{value}', expected {expected} or nothing")
    if not 0 <= float(value) < math.inf:
        raise ReportError(f"{where}: column {name} holds {value}, which cannot be measured")
    return float(value)


def made(where: str, text: Dict[str, str], sweep: bool, order: int) -> Row:
    """The row of a line, whose fields are checked."""
    columns = labs_columns()
    for name in ("lab", "variant", "backend", "machine"):
        if not text[name]:
            raise ReportError(f"{where}: column {name} is empty")
    for name, allowed in (("status", STATUSES), ("noisy", ("", "0", "1"))):
        if text[name] not in allowed:
            expected = ", ".join(value or "nothing" for value in allowed)
            raise ReportError(f"{where}: column {name} holds '{text[name]}', expected one of {expected}")
    kinds = {name: kind for name, kind in columns.kinds.items() if kind in ("integer", "decimal")}
    number = {name: _number(where, name, kind, text[name]) for name, kind in kinds.items()}
    try:
        datetime.strptime(text["date"] or "2026-01-01T00:00:00Z", DATE)
    except ValueError:
        raise ReportError(
            f"{where}: column date holds '{text['date']}', expected a time like 2026-01-31T23:59:59Z"
        ) from None
    # Of the GPUs that the program saw, those count that computed; where a row does not say: one.
    gpus = "" if text["backend"] == "cpu" else text["devices"] or "1"
    configuration = tuple(gpus if name in ("gpus", "devices") else text[name] for name in columns.configuration)
    row = Row(text, number, sweep, order, configuration)
    no_time = number["kernel_ms_median"] is None and None in (number["total_ms_median"], number["bus_both_gb_per_s"])
    if row.status == "ok" and row.backend != EMULATED and (no_time or not row.pixels):
        raise ReportError(f"{where}: status is ok, but kernel_ms_median, width or height is missing")
    return row
