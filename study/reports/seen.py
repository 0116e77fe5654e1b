# SPDX-License-Identifier: MIT
"""The numbers that an artefact shows: of our rows, of the report, and of the report's own program."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple

from tools.plots.rows import Row
from tools.plots.selection import sizes

from ..figures.content import NO_BAR, NOISY, grouped, number, times
from ..measurements.results import Results
from .specification import FIRST, Specification

OURS, ORIGINAL, PUBLISHED = "variant", "original", "published"
Place = Dict[str, Any]  # size, pixels, width, ksize, block, threads, block_threads
GROWING = ("GB/s", "TFLOP/s", "x")  # quantities of which more is better


@dataclass(frozen=True)
class Seen:
    """One number, and where it belongs."""

    who: str
    series: str
    form: str
    at: Place
    ms: float  # of a published number in another unit: that number
    row: Optional[Row] = None
    unit: str = "ms"
    name: str = ""  # of the program, or the hardware
    bytes: float = 0.0
    operations: float = 0.0
    base: Optional["Seen"] = None  # what a speed-up is over
    source: Any = None  # the line of the published number, or of the program's time, as it was read

    def value(self, quantity: str) -> Optional[float]:
        """The number in this unit; None if it cannot be."""
        return self.ms if self.unit == quantity != "ms" else self._of(self.ms, quantity)

    def _of(self, ms: float, quantity: str) -> Optional[float]:
        if self.unit != "ms":
            return None
        if quantity == "ms":
            return ms
        if quantity == "ns":
            return ms * 1e6 / self.at["pixels"] if self.at["pixels"] else None
        base = self.base.ms if self.base else 0
        amount = {"x": base, "GB/s": self.bytes / 1e6, "TFLOP/s": self.operations / 1e9}[quantity]
        return amount / ms if amount else None

    def bars(self, quantity: str) -> Tuple[float, float]:
        """How far the 5th and 95th percentile are below and above the number; a ratio of two medians has no bars."""
        if self.row is None or quantity == "x":
            return NO_BAR
        ends = [self._of(ms, quantity) for ms in (self.ms - self.row.bars[0], self.ms, self.ms + self.row.bars[1])]
        return ends[1] - min(ends), max(ends) - ends[1]

    @property
    def is_noisy(self) -> bool:
        return self.row is not None and self.row.is_noisy

    def text(self, quantity: str) -> str:
        """The number as a table has it."""
        return (times if quantity == "x" else number)(self.value(quantity)) + NOISY * self.is_noisy


@dataclass
class Gathered:
    """All numbers of one artefact or part."""

    specification: Specification
    results: Results
    seen: List[Seen] = field(default_factory=list)
    unsupported: List[Seen] = field(default_factory=list)  # variants
    note: str = ""

    def of(self, who: str, **wanted: Any) -> List[Seen]:
        """The numbers of one source, of a series, or at a place."""
        return [
            one
            for one in self.seen
            if one.who == who
            and all((one.series if key == "series" else one.at.get(key)) == value for key, value in wanted.items())
        ]

    def shown(self, who: str) -> List[Seen]:
        """The numbers of one source; where the best is looked for, that of each series and size."""
        every = self.of(who)
        if not self.specification.has("best"):
            return every
        groups = grouped(every, lambda one: (one.series, one.at["size"])).values()
        return [one for one in map(best_of, groups) if one is not None]

    @property
    def rows(self) -> List[Row]:
        return [one.row for one in self.shown(OURS) if one.row is not None]

    @property
    def bases(self) -> List[Row]:
        """What our speed-ups are over, each row once."""
        rows = [one.base.row for one in self.seen if one.base and one.base.row and one.row]
        return list({row.order: row for row in rows}.values())

    @property
    def series(self) -> List[str]:
        return list(dict.fromkeys(one.series for one in self.seen))

    @property
    def sizes(self) -> List[Tuple[int, str]]:
        """The sizes of our rows, smallest first."""
        return sizes(one.row for one in [*self.of(OURS), *self.unsupported])

    def candidates(self, series: str) -> List[int]:
        """Of how many of our rows each size has its best."""
        return [len(self.of(OURS, series=series, size=name)) for _, name in self.sizes]

    @property
    def base_name(self) -> str:
        """What speed-ups are over."""
        over = self.specification["over"].partition(":")[0]
        return self.specification.selectors("variants")[0][0] if over == FIRST else over

    @property
    def absent(self) -> List[str]:
        """The series without one of our times."""
        there = {one.series for one in self.of(OURS)}
        return [
            label
            for label in dict.fromkeys(name for name, *_ in self.specification.selectors("variants"))
            if label not in there
        ]


def best_of(seen: Sequence[Seen], quantity: str = "ms") -> Optional[Seen]:
    """The smallest time, or the largest speed-up or rate."""
    there = [one for one in seen if one.value(quantity) is not None]
    pick = max if quantity in GROWING else min
    return pick(there, key=lambda one: one.value(quantity), default=None)
