# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Points along an axis, from a selector: of our rows, of the reports' own programs, or of the published numbers.

A selector is a list of name=value; value may be `*` or `a|b`. Of several rows at one place of the axis
the fastest counts.
"""

import shlex
from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from .published import HERE
from .rows import OF_COPIES, OF_CPU, OF_KERNEL, Row
from .selection import Results


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
        return Point(
            self.at,
            self.name,
            amount / self.value / 1e6,
            amount / self.high / 1e6,
            amount / self.low / 1e6,
            margin=self.margin,
        )


def cpu_over_gpu(cpu: Row, gpu: Row) -> Point:
    """Time of the CPU over that of the GPU. Another run would give another time: `least` and `most` allow for it."""
    return Point(
        cpu.pixels,
        cpu.size_name,
        cpu.ms / gpu.ms,
        cpu.interval[0] / gpu.interval[1],
        cpu.interval[1] / gpu.interval[0],
        margin=OF_CPU,
    )


def ratios(first: Sequence[Point], second: Sequence[Point]) -> List[Point]:
    """Time of the second over time of the first, where both were measured."""
    there = {point.at: point for point in second}
    found = []
    for point in first:
        if point.at in there:
            other = there[point.at]
            found.append(
                Point(
                    point.at,
                    point.name,
                    other.value / point.value,
                    other.low / point.high,
                    other.high / point.low,
                    margin=max(point.margin, other.margin),
                )
            )
    return found


# What a selector of the labs of convolution means where it does not say otherwise.
DEFAULTS = {
    "filter": "gaussian",
    "ksize": "5",
    "border": "replicate",
    "type": "uint8",
    "channels": "3",
    "image": "scene",
    "cold": "0",
}
VIDEO = ("08", "09", "10")  # labs of two frames, without these defaults
AXES = ("size", "width", "ksize", "block", "threads", "block_threads")
PLACES = {
    "width": "width {}",
    "ksize": "K {}",
    "block": "B {}",
    "threads": "{} threads",
    "block_threads": "{} threads per block",
}


def wanted(selector: str, axis: str) -> Dict[str, str]:
    """The fields of a selector, with those that it takes for granted."""
    fields = dict(word.split("=", 1) for word in shlex.split(selector))
    if "lab" in fields and not fields["lab"].startswith(VIDEO):
        free = {axis, "size"} if axis == "width" else {axis}
        fields = {**{name: value for name, value in DEFAULTS.items() if name not in free}, **fields}
    return fields


def _fits(row: Mapping[str, str], fields: Mapping[str, str]) -> bool:
    return all(
        value == "*" or row.get(name, "") in value.split("|") for name, value in fields.items() if name != "time"
    )


def _place(row: Mapping[str, str], axis: str) -> Optional[Tuple[float, str]]:
    """Where a row is on the axis: number and name."""
    if axis == "size":
        pixels = int(row["width"] or 0) * int(row["height"] or 0)
        return pixels, row.get("size") or f"{row['width']}x{row['height']}"
    value = row.get(axis, "")
    return (float(value), PLACES[axis].format(value)) if value else None


def _fastest(found: Sequence[Point]) -> List[Point]:
    best: Dict[float, Point] = {}
    for point in found:
        if point.at not in best or point.value < best[point.at].value:
            best[point.at] = point
    return sorted(best.values(), key=lambda point: point.at)


def of_one_run(results: Results, axis: str, *selectors: str) -> List[Row]:
    """The rows that fit one of the selectors, all of the protocol or all of a sweep as far as it has them."""
    every = [wanted(selector, axis) for selector in selectors if selector]
    return results.of_one_run(lambda row: any(_fits(row.text, fields) for fields in every))


def of_rows(rows: Sequence[Row], fields: Mapping[str, str], axis: str) -> Tuple[List[Point], List[Row]]:
    """Points of our rows, and the rows without a time that fit the selector."""
    points, others = [], []
    total = fields.get("time") == "total"
    for row in rows:
        place = _place(row.text, axis) if _fits(row.text, fields) else None
        if place is None:
            continue
        if not row.timed:
            others.append(row)
        elif not total or row.with_copies or row.backend == "cpu":
            points.append(
                Point(
                    *place,
                    row.ms,
                    *row.interval,
                    row.number["bytes"] or 0,
                    row.number["operations"] or 0,
                    margin=row.margin,
                )
            )
        elif row.total_ms:
            points.append(Point(*place, row.total_ms, *row.total_interval, margin=OF_COPIES))
    return _fastest(points), others


SIZES = {"3840x2160": "4k", "7680x4320": "8k", "1920x1080": "1080p"}


def of_originals(
    lines: Sequence[Mapping[str, str]], fields: Mapping[str, str], axis: str
) -> Tuple[List[Point], List[Row]]:
    """Points of a report's own program: its mean, from its shortest time to as far above it."""
    points = []
    for line in lines:
        row = dict(line)
        blocks, _, threads = row["block"].partition("x")
        row["block"] = blocks.split("(")[0]
        row["block_threads"] = threads if blocks == "1" else ""
        row["size"] = SIZES.get(f"{row['width']}x{row['height']}", "")
        place = _place(row, axis) if _fits(row, {"where": "H200", **fields}) else None
        if place is None:
            continue
        mean, samples = float(row["mean_us"]) / 1e3, int(row["width"]) * int(row["height"]) * int(row["channels"])
        low = float(row["min_us"] or row["mean_us"]) / 1e3
        item = 8 if row["report"] in ("cazzola2024", "chisci2024") else 2
        points.append(
            Point(
                *place,
                mean,
                low,
                2 * mean - low,
                item * samples,
                2 * samples * int(row["ksize"]) ** 2,
                "" if row["output"] == "right" else f"its output: {row['output']}",
                margin=OF_KERNEL,
            )
        )
    return _fastest(points), []


PIXELS = {
    "480p": 853 * 480,
    "720p": 1280 * 720,
    "1080p": 1920 * 1080,
    "1440p": 2560 * 1440,
    "4k": 3840 * 2160,
    "8k": 7680 * 4320,
}
UNSTATED = {"size": "a size", "ksize": "a filter"}
NUMBERS = ("ms", "x", "GB/s", "TFLOP/s")  # units of what is compared


def of_published(
    lines: Sequence[Mapping[str, str]], fields: Mapping[str, str], axis: str
) -> Tuple[List[Point], List[Row]]:
    """Points of the published numbers, each from half a unit of its last digit below it to as far above. A speed-up is a
    time where that of its baseline is 1 ms, and `baseline=1` is that baseline; a rate is the time of 1 MB or 1 Gflop."""
    points = []
    for line in lines:
        size = HERE.get(line["resolution"], line["resolution"])
        row = {
            **line,
            "size": SIZES.get(f"{line['width']}x{line['height']}", size),
            "ksize": line["kernel_size"].split("x")[0],
            "block": line["block_dim"].split("x")[0],
            "block_threads": line["threads"],
        }
        if line["unit"] not in NUMBERS or not _fits(
            row, {name: value for name, value in fields.items() if name != "baseline"}
        ):
            continue
        if axis == "size" and row["size"] in PIXELS:
            place: Optional[Tuple[float, str]] = (PIXELS[row["size"]], row["size"])
        else:
            place = None if axis == "size" else _place(row, axis)
        place = place or (0, f"{UNSTATED.get(axis, axis)} that is not stated")
        half = 10 ** -len(line["value"].partition(".")[2]) / 2
        value = float(line["value"])
        ends = value, value - half, value + half
        if "baseline" in fields:
            ends = 1.0, 1.0, 1.0
        elif line["unit"] != "ms":
            ends = 1 / ends[0], 1 / ends[2], 1 / ends[1]
        points.append(Point(*place, *ends, bytes=1e6, operations=1e9))
    return _fastest(points), []
