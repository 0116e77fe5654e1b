# SPDX-License-Identifier: MIT
"""Points along an axis, and the selectors that choose what they are made of (reports/answers.py).

A selector is a list of name=value; value may be `*` or `a|b`. Of several lines at one place of the axis
the fastest counts.
"""

import shlex
from dataclasses import dataclass, field, replace
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from tools.plots.files import ReportError
from tools.plots.rows import OF_CPU, Row


@dataclass(frozen=True)
class Point:
    """A time at a place on the axis, or the ratio of two."""

    at: float
    name: str  # of the place
    value: float  # ms, or a ratio
    low: float
    high: float
    bytes: float = 0.0
    operations: float = 0.0
    remark: str = ""
    margin: float = 0.0  # what two runs differ by: of two points the larger counts; of a published number 0

    @property
    def least(self) -> float:
        """The low end of what another run may give."""
        return self.low / (1 + self.margin)

    @property
    def most(self) -> float:
        return self.high * (1 + self.margin)

    def below(self, other: "Point", by: float = 0.0) -> bool:
        """Whether it is surely less than the other: by more than this share, their intervals and the margin allowed for."""
        return self.high * (1 + max(self.margin, other.margin)) * (1 + by) < other.low

    def at_most(self, other: "Point", by: float = 0.0) -> bool:
        """Whether it is surely not more than the other, or by this share at most."""
        return self.high * (1 + max(self.margin, other.margin)) <= other.low * (1 + by)

    def rate(self, amount: float) -> "Point":
        """GB/s or Gflop/s of this time."""
        rates = (amount / time / 1e6 for time in (self.value, self.high, self.low))
        return Point(self.at, self.name, *rates, margin=self.margin)

    def over(self, other: "Point") -> "Point":
        """This time divided by the other."""
        margin = max(self.margin, other.margin)
        ends = self.value / other.value, self.low / other.high, self.high / other.low
        return Point(self.at, self.name, *ends, margin=margin)


def cpu_over_gpu(cpu: Row, gpu: Row) -> Point:
    """The CPU's time divided by the GPU's. Another run would give another time: `least` and `most` allow for it."""
    mine, other = (Point(row.pixels, row.size_name, row.ms, *row.interval, margin=OF_CPU) for row in (cpu, gpu))
    return mine.over(other)


def ratios(first: Sequence[Point], second: Sequence[Point]) -> List[Point]:
    """Time of the second over time of the first, where both were measured."""
    there = {point.at: point for point in second}
    return [there[point.at].over(point) for point in first if point.at in there]


# What a selector of the labs of convolution means where it does not say otherwise.
DEFAULTS = dict(filter="gaussian", ksize="5", border="replicate", type="uint8", channels="3", image="scene", cold="0")
VIDEO = ("08", "09", "10")  # labs of two frames, without these defaults
PLACES = {
    "size": "{}",
    "width": "width {}",
    "ksize": "K {}",
    "block": "B {}",
    "threads": "{} threads",
    "block_threads": "{} threads per block",
}
UNSTATED = {"size": "a size", "ksize": "a filter"}


def completed(fields: Dict[str, str], axis: str = "size") -> Dict[str, str]:
    """The fields of a selector, with those that it takes for granted; what tells most rows apart is first, since it is asked first."""
    if "lab" not in fields or fields["lab"].startswith(VIDEO):
        return fields
    taken = {*fields, axis, *["size"] * (axis == "width")}
    every = {**fields, **{name: value for name, value in DEFAULTS.items() if name not in taken}}
    return dict(sorted(every.items(), key=lambda one: one[0] not in ("lab", "variant")))


def selected(text: str) -> Dict[str, str]:
    """The fields of "name=value name=value"."""
    pairs = [word.partition("=") for word in shlex.split(text)]
    if not all(sign for _, sign, _ in pairs):
        raise ReportError(f"'{text}' is not of the form name=value name=value")
    return {name: value for name, _, value in pairs}


def wanted(selector: str, axis: str) -> Dict[str, str]:
    """The fields of a selector, with those that it takes for granted."""
    return completed(selected(selector), axis)


def fits(fields: Mapping[str, Any], selector: Mapping[str, str]) -> bool:
    """Whether a line has what the selector wants: a|b, * for anything, ! for anything but nothing."""
    for name, value in selector.items():
        there = str(fields.get(name) or "")
        if value != "*" and (not there if value == "!" else there not in value.split("|")):
            return False
    return True


@dataclass(frozen=True)
class Line:
    """What a selector chooses from: one of our rows, one time of a report's program, or one published number."""

    fields: Mapping[str, str]
    pixels: int = 0
    time: Tuple[float, ...] = ()  # ms and its interval; none: it was not timed
    reason: str = ""  # why it was not
    more: Mapping[str, object] = field(default_factory=dict)  # of its point: bytes, operations, remark, margin
    published: bool = False

    def fits(self, fields: Mapping[str, str]) -> bool:
        """Whether a selector means it: the time without copies and no baseline, if it does not say otherwise."""
        return fits(self.fields, {**fields, **{name: "" for name in ("time", "baseline") if name not in fields}})

    def point(self, axis: str) -> Optional[Point]:
        """Its time at its place on the axis; none without a time or a place."""
        value = self.fields.get(axis, "")
        if not self.time or not (value or self.published):
            return None
        name = PLACES[axis].format(value) if value else f"{UNSTATED.get(axis, axis)} that is not stated"
        at = self.pixels if axis == "size" else float(value or 0)
        return Point(at, name, *self.time, **self.more)  # type: ignore[arg-type]


def along(lines: Iterable[Line], fields: Mapping[str, str], axis: str) -> List[Point]:
    """The fastest point of the selected lines at each place of the axis."""
    best: Dict[float, Point] = {}
    for point in (line.point(axis) for line in lines if line.fits(fields)):
        if point is not None and (point.at not in best or point.value < best[point.at].value):
            best[point.at] = point
    return sorted(best.values(), key=lambda point: point.at)


@dataclass(frozen=True)
class Asked:
    """What a rule is asked: two selectors along an axis, the places or limits that the conclusion names, and the lines that
    answer: of the variants, of the original or of the report."""

    lines: Sequence[Line]
    axis: str
    first: Mapping[str, str]
    other: Mapping[str, str]
    values: Sequence[float] = ()

    def at(self, name: str, value: str) -> "Asked":
        """The same of one value of a column."""
        return replace(self, first={**self.first, name: value}, other={**self.other, name: value})

    def points(self, fields: Mapping[str, str]) -> List[Point]:
        return along(self.lines, fields, self.axis)

    @property
    def reason(self) -> str:
        """Why the first selector's job is not supported."""
        return next((line.reason for line in self.lines if line.reason and line.fits(self.first)), "")


def remarks(points: Sequence[Point]) -> str:
    """What is to be known of these points, each once."""
    return "".join(f"; {remark}" for remark in dict.fromkeys(point.remark for point in points) if remark)
