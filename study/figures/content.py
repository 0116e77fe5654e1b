# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The parts of a report: sections of tables, figures and sentences; how values are written."""

import html
from dataclasses import dataclass, field
from typing import List, Optional, Tuple, Union

from tools.plots.words import (  # noqa: F401
    COLOURS,
    DASH,
    NOISY,
    Figure,
    Table,
    joined,
    number,
    percent,
    plural,
    times,
    to_markdown,
)
from tools.plots.words import short as short_name  # noqa: F401

from ..measurements.rows import Row

# x, y, how far the error bar goes below and above y, noisy
Point = Tuple[float, float, Tuple[float, float], bool]
NO_BAR = (0.0, 0.0)
MANY = 50  # points of a line: each is a dot, without line and bar
RATIOS = "Without bars: ratios of two medians."  # in the caption of a figure of speed-ups


@dataclass
class Line:
    """One line of a plot."""

    label: str
    points: List[Point] = field(default_factory=list)
    dashed: bool = False  # a line for comparison: gray, no markers
    beside: str = ""  # the label of the line whose colour this published one takes, dotted
    variant: str = ""  # "03_cuda_global naive": whose colour it has


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


def named_time(row: Optional[Row]) -> str:
    """Median and variant: "1.50† (simd_rows)"; a dash for None."""
    return f"{number(row.ms)}{NOISY * row.is_noisy} ({row.variant})" if row else DASH


def why_untimed(row: Row) -> str:
    """One or two words for a row without a time."""
    if row.status != "ok":
        return row.status
    return "emulated" if row.backend == "cuda_on_cpu" else "below the clock"


def as_text(table: Table) -> str:
    """A table below its caption; a long one opens when its caption is clicked."""
    if not table.fold:
        return f"{table.caption}\n\n{to_markdown(table)}"
    caption = html.escape(f"{table.number}. {table.caption}", quote=False)
    return f"<details><summary>{caption}</summary>\n\n{to_markdown(table)}\n</details>\n"
