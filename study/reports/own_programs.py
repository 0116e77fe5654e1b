# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The reports' own programs compared with our variants."""

from dataclasses import dataclass
from statistics import median
from typing import List, Optional

from ..figures.content import DASH, Section, Table, joined, percent
from ..figures.shapes import grouped
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


def pairs_of(results: Results, originals: List[Original]) -> List[Pair]:
    """All configurations of the programs, program by program."""
    programs = list(dict.fromkeys(map(_name, originals)))
    mine = sorted(originals, key=lambda one: (programs.index(_name(one)), one.width * one.height, one.ksize, one.side))
    return [Pair(original, original.row(results)) for original in mine]


def _where(original: Original) -> str:
    return f"{_name(original)}, {original.size_name}, K {original.ksize}, B {original.side}"


def summary(pairs: List[Pair]) -> str:
    """The usual ratio, the largest, how many are above the limit, and how many configurations were compared."""
    measured = [pair for pair in pairs if pair.ratio is not None]
    if not measured:
        return f"None of the {len(pairs)} configurations was measured with a variant on that GPU."
    ratios = [pair.ratio or 0 for pair in measured]
    worst = max(measured, key=lambda pair: pair.ratio or 0)
    over = sum(ratio > LIMIT for ratio in ratios)
    refused = sum(pair.row is not None and pair.row.status == "unsupported" for pair in pairs)
    words = f"; the variants do not support {refused}" if refused else ""
    return (
        f"The median variant takes {percent(median(ratios))} of the original's time. The slowest takes {percent(max(ratios))} "
        f"({_where(worst.original)}). More than {percent(LIMIT)}: {over}. {len(measured)} of {len(pairs)} configurations were "
        f"compared{words}."
    )


def by_program(pairs: List[Pair]) -> Table:
    """A line for each program, and for each way in which its output is wrong."""
    lines = []
    for (program, output), same in grouped(pairs, lambda pair: (_name(pair.original), pair.original.output)).items():
        ratios = [pair.ratio for pair in same if pair.ratio is not None]
        ends = [f"{end:.2f}" for end in (min(ratios), max(ratios))] if ratios else 2 * [DASH]
        over = str(sum(ratio > LIMIT for ratio in ratios)) if ratios else DASH
        variants = joined(dict.fromkeys(pair.original.variant for pair in same))
        ours = f"{same[0].original.ours.lab} {variants}"
        lines.append([program, ours, output, f"{len(ratios)} of {len(same)}", *ends, over])
    gpus = joined(dict.fromkeys(pair.original.gpu for pair in pairs))
    caption = (
        f"Time of the variant divided by the time of the original, {gpus}, without copies: median of the variant, mean of 50 "
        "launches of the original. chisci2024: time of one channel."
    )
    header = "original|variant|output of the original|measured|smallest ratio|largest ratio".split("|")
    return Table("originals", caption, [*header, f"over {LIMIT}"], lines, left=3)


def originals(results: Results, published: Published) -> Section:
    """The programs of all reports compared with our variants."""
    title = "The originals compared with our variants"
    pairs = pairs_of(results, published.originals)
    if not any(pair.ratio for pair in pairs):
        needs = "labs 03, 04, 05 on the GPU of study/data/originals.csv: the commands that `python3 study plan` prints"
        return Section(title, missing=needs)
    words = (
        "[study/data/originals.csv](../study/data/originals.csv) has each configuration. videostream2021's programs are compared in "
        "the figures of that report."
    )
    return Section(title, [summary(pairs), by_program(pairs), words])
