# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The reports' own programs compared with our variants: a section of the report, and for each lab a
part of its README."""

from dataclasses import dataclass
from statistics import median
from typing import List, Optional, Tuple

from ..figures.content import DASH, NOISY, Section, Table, joined, number, why_untimed
from ..measurements.originals import Original
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results

LIMIT = 1.03  # ours over the original: what the timing may differ for the same speed


@dataclass(frozen=True)
class Pair:
    """A program's time, and our row of the same configuration."""

    original: Original
    row: Optional[Row]

    @property
    def ratio(self) -> Optional[float]:
        """Our time over the program's."""
        return self.row.ms / self.original.ms if self.row and self.row.timed else None


def _name(original: Original) -> str:
    return f"{original.report} {original.program}"


def pairs_of(results: Results, originals: List[Original], lab: Optional[str] = None) -> List[Pair]:
    """All configurations of the programs, of one lab or of all, program by program."""
    programs = list(dict.fromkeys(map(_name, originals)))
    mine = [original for original in originals if lab in (None, original.ours.lab)]
    mine.sort(key=lambda one: (programs.index(_name(one)), one.width * one.height, one.ksize, one.side))
    return [Pair(original, original.row(results)) for original in mine]


def _where(original: Original) -> str:
    return f"{_name(original)}, {original.size_name}, K {original.ksize}, B {original.side}"


def _ratio(pair: Pair) -> str:
    return f"{pair.ratio:.2f}" if pair.ratio is not None else DASH


def summary(pairs: List[Pair]) -> str:
    """The usual ratio, the largest, how many are above the limit, and how many configurations were compared."""
    measured = [pair for pair in pairs if pair.ratio is not None]
    if not measured:
        return f"None of the {len(pairs)} configurations has a row of ours on that GPU."
    ratios = [pair.ratio or 0 for pair in measured]
    worst = max(measured, key=lambda pair: pair.ratio or 0)
    over = sum(ratio > LIMIT for ratio in ratios)
    refused = sum(pair.row is not None and pair.row.status == "unsupported" for pair in pairs)
    words = f"; our variant refuses {refused}" if refused else ""
    return (
        f"In the median our variant takes {median(ratios):.2f} times as long as the report's own program. The largest ratio is "
        f"{max(ratios):.2f} ({_where(worst.original)}); above {LIMIT}: {over}. Compared: {len(measured)} of {len(pairs)} "
        f"configurations{words}."
    )


def _by_program(name: str, caption: str, pairs: List[Pair]) -> Table:
    lines = []
    several = len({pair.original.ours.lab for pair in pairs}) > 1
    for key in dict.fromkeys((_name(pair.original), pair.original.output) for pair in pairs):
        same = [pair for pair in pairs if (_name(pair.original), pair.original.output) == key]
        ratios = [pair.ratio for pair in same if pair.ratio is not None]
        variants = joined(dict.fromkeys(pair.original.variant for pair in same))
        lines.append(
            [
                key[0],
                f"{same[0].original.ours.lab} " * several + variants,
                key[1],
                f"{len(ratios)} of {len(same)}",
                f"{min(ratios):.2f}" if ratios else DASH,
                f"{max(ratios):.2f}" if ratios else DASH,
                str(sum(ratio > LIMIT for ratio in ratios)) if ratios else DASH,
            ]
        )
    return Table(
        name,
        caption,
        ["program", "ours", "output of the original", "measured", "smallest ratio", "largest ratio", f"over {LIMIT}"],
        lines,
        left=3,
    )


def _ours(row: Optional[Row]) -> str:
    if row is None:
        return DASH
    return number(row.ms) + NOISY * row.is_noisy if row.timed else why_untimed(row)


def _all(name: str, caption: str, pairs: List[Pair]) -> Table:
    lines = [
        [
            _name(pair.original),
            pair.original.output,
            pair.original.size_name,
            str(pair.original.ksize),
            str(pair.original.side),
            number(pair.original.ms),
            _ours(pair.row),
            _ratio(pair),
        ]
        for pair in pairs
    ]
    return Table(
        name,
        caption,
        ["program", "output of the original", "size", "K", "B", "original ms", "ours ms", "ratio"],
        lines,
        left=3,
        fold=True,
    )


def comparison(name: str, pairs: List[Pair]) -> Tuple[str, Table, Table]:
    """The summary, a table by program, and a table of all configurations."""
    gpus = joined(dict.fromkeys(pair.original.gpu for pair in pairs))
    first = (
        f"Time of ours over that of the program, {gpus}, without copies; original: mean of 50 launches, ours: median."
    )
    every = f"Each configuration, {gpus}; B: side of the block, or of the larger output tile. chisci2024: time of one channel."
    return (summary(pairs), _by_program(name, first, pairs), _all(f"{name}_all", every, pairs))


def originals(results: Results, published: Published) -> Section:
    """The programs of all reports compared with our variants."""
    title = "The reports' own programs compared with ours"
    pairs = pairs_of(results, published.originals)
    if not any(pair.ratio for pair in pairs):
        return Section(
            title,
            missing="labs 03, 04, 05 on the GPU of study/data/originals.csv: the "
            "commands that `python3 study plan` prints",
        )
    return Section(
        title,
        [*comparison("originals", pairs), "videostream2021's programs are compared in the figures of that report."],
    )
