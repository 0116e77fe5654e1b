# SPDX-License-Identifier: MIT
"""The reports' own programs compared with our variants."""

from statistics import median
from typing import List, NamedTuple, Optional

from tools.plots.rows import Row

from ..figures.content import DASH, Section, Table, grouped, joined, percent
from ..measurements.published import Fields, Published, our_row
from ..measurements.results import Results

LIMIT = 1.03  # our time over the program's: what the timing may differ for the same speed
COMPARED = (
    "Each configuration: [study/data/originals.csv](../study/data/originals.csv). videostream2021's programs are compared in "
    "the figures of that report."
)


class Pair(NamedTuple):
    """A program's time, our row of the same configuration, and our time over the program's."""

    line: Fields
    row: Optional[Row]
    ratio: Optional[float]

    @property
    def name(self) -> str:
        return f"{self.line['report']} {self.line['program']}"


def pairs_of(results: Results, published: Published) -> List[Pair]:
    """All configurations of the programs."""
    rows = [(line, our_row(results, line)) for line in published.originals]
    return [Pair(line, row, row.ms / float(line["ms"]) if row and row.timed else None) for line, row in rows]


def summary(pairs: List[Pair]) -> str:
    """The usual ratio, the largest, how many are above the limit, and how many configurations were compared."""
    measured = [pair for pair in pairs if pair.ratio is not None]
    if not measured:
        return f"None of the {len(pairs)} configurations was measured with a variant on that GPU."
    ratios = [pair.ratio or 0 for pair in measured]
    worst = measured[ratios.index(max(ratios))]
    one, over = worst.line, sum(ratio > LIMIT for ratio in ratios)
    unsupported = sum(pair.row is not None and pair.row.status == "unsupported" for pair in pairs)
    words = f"; the variants do not support {unsupported}" if unsupported else ""
    return (
        f"The median variant takes {percent(median(ratios))} of the original's time. The slowest takes {percent(max(ratios))} "
        f"({worst.name}, {one['size']}, K {one['ksize']}, B {one['block']}). More than {percent(LIMIT)}: {over}. "
        f"{len(measured)} of {len(pairs)} configurations were compared{words}."
    )


def by_program(pairs: List[Pair]) -> Table:
    """A line for each program, and for each way in which its output is wrong."""
    lines = []
    for (program, output), same in grouped(pairs, lambda pair: (pair.name, pair.line["output"])).items():
        ratios = [pair.ratio for pair in same if pair.ratio is not None]
        ours = f"{same[0].line['lab']} {joined(dict.fromkeys(pair.line['variant'] for pair in same))}"
        ends = [f"{one:.2f}" for one in sorted(ratios)]
        over = [ends[0], ends[-1], str(sum(ratio > LIMIT for ratio in ratios))] if ends else 3 * [DASH]
        lines.append([program, ours, output, f"{len(ratios)} of {len(same)}", *over])
    caption = (
        f"Time of the variant divided by the time of the original, {joined(dict.fromkeys(pair.line['where'] for pair in pairs))}, "
        "without copies: median of the variant, mean of 50 launches of the original. chisci2024: time of one channel."
    )
    header = "original|variant|output of the original|measured|smallest ratio|largest ratio".split("|")
    return Table("originals", caption, [*header, f"over {LIMIT}"], lines, left=3)


def originals(results: Results, published: Published) -> Section:
    """The programs of all reports compared with our variants."""
    pairs = pairs_of(results, published)
    return Section("The originals compared with our variants", [summary(pairs), by_program(pairs), COMPARED])
