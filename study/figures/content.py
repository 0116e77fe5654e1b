# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The parts of a report: sections of tables, figures and sentences; how values are written."""

import math
import re
from dataclasses import dataclass, field
from typing import Callable, Iterable, List, Optional, Sequence, Tuple, Union

from ..measurements.rows import Row

DASH = "–"
COLOURS = {"1": "gray", "3": "RGB", "4": "RGBA"}  # by the number of channels
NOISY = "†"  # after the number of a row that the protocol marks as noisy


@dataclass
class Table:
    """A table of finished text. The first `left` columns are text, the others right-aligned."""

    name: str
    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1
    fold: bool = False  # folded away in report.md: long


@dataclass
class Figure:
    """A figure; `draw` makes the matplotlib figure when it is needed."""

    name: str
    caption: str
    draw: Callable[[], object]
    picture: bool = False  # a picture, whose colours stay as they are on a dark page
    number: str = ""  # "Figure 3", in the report; "Figure A3" in the appendix


# x, y, how far the error bar goes below and above y, noisy
Point = Tuple[float, float, Tuple[float, float], bool]
NO_BAR = (0.0, 0.0)


@dataclass
class Line:
    """One line of a plot."""

    label: str
    points: List[Point] = field(default_factory=list)
    dashed: bool = False  # a line for comparison: gray, no markers
    beside: str = ""  # the label of the line whose colour this published one takes, dotted
    variant: str = ""  # "03_cuda_global naive": whose colour it has


@dataclass
class Bars:
    """Bars of one colour: a height for each group (NaN: none), error bars, which are noisy."""

    label: str
    heights: Sequence[float]
    errors: Optional[Sequence[Tuple[float, ...]]] = None
    noisy: Sequence[bool] = ()
    variant: str = ""  # as of a line


@dataclass
class Section:
    """A heading with sentences (each a paragraph), tables and figures in reading order."""

    title: str
    items: List[Union[str, Table, Figure]] = field(default_factory=list)
    missing: str = ""  # of an artefact that was not measured: what it needs
    partly: str = ""  # of an artefact of which a part was not measured: which
    rows: List[Row] = field(default_factory=list)  # of ours that it shows
    published: int = 0  # numbers of the report that it shows
    originals: int = 0  # times of the report's own program that it shows


def decimals(value: float) -> int:
    """Digits after the point that show three significant ones, at most six."""
    if value == 0 or not math.isfinite(value):
        return 2
    return min(6, max(0, 2 - math.floor(math.log10(abs(value)))))


def number(value: Optional[float]) -> str:
    """Three significant digits; a dash for None."""
    return DASH if value is None else f"{value:.{decimals(value)}f}"


def times(value: Optional[float]) -> str:
    """A speed-up: "12.3x"."""
    return DASH if value is None else f"{number(value)}x"


def percent(value: Optional[float]) -> str:
    """A share in two digits: "41 %", "0.48 %"; never 100 % where something is missing: "99.8 %"."""
    if value is None:
        return DASH
    digits = min(6, max(0, 1 - math.floor(math.log10(100 * value)))) if value > 0 else 0
    while value < 1 and digits < 6 and round(100 * value, digits) == 100:
        digits += 1
    return f"{100 * value:.{digits}f} %"


def spread(row: Row) -> str:
    """Median and, where they differ from it, 5th to 95th percentile in ms: "12.3 (11.9 to 13.0)";
    or why there is no time."""
    if not row.timed:
        return why_untimed(row)
    digits = decimals(row.ms)
    low, middle, high = (f"{value:.{digits}f}" for value in (row.ms - row.bars[0], row.ms, row.ms + row.bars[1]))
    around = f" ({low} to {high})" if (low, high) != (middle, middle) else ""
    return middle + NOISY * row.is_noisy + around


def named_time(row: Optional[Row]) -> str:
    """Median and variant: "1.50† (simd_rows)"; a dash for None."""
    return f"{number(row.ms)}{NOISY * row.is_noisy} ({row.variant})" if row else DASH


def why_untimed(row: Row) -> str:
    """One or two words for a row without a time."""
    if row.status != "ok":
        return "refused" if row.status == "unsupported" else row.status
    return "emulated" if row.backend == "cuda_on_cpu" else "below the clock"


def short_name(device: str) -> str:
    """ "H200" of "NVIDIA H200", "Xeon, 2 CPUs" of "Intel(R) Xeon(R) Processor, 2 CPUs"."""
    words = re.sub(r"\((R|TM)\)|\b(NVIDIA|GeForce|Intel|AMD)\b| (Processor|CPU)\b", "", device)
    return " ".join(words.split()) or device


def joined(names: Iterable[str]) -> str:
    """ "a, b and c"."""
    names = list(names)
    return " and ".join([", ".join(names[:-1])] * (len(names) > 1) + names[-1:])


def _escaped_markdown(text: str) -> str:
    return " ".join(text.replace("<", "&lt;").replace("\\", "\\\\").replace("|", "\\|").split())


def to_markdown(table: Table) -> str:
    """A GitHub table; ends with a newline."""
    rule = ["---" if column < table.left else "---:" for column in range(len(table.header))]
    lines = [table.header, rule, *table.rows]
    return "".join("| " + " | ".join(_escaped_markdown(cell) for cell in line) + " |\n" for line in lines)
