# SPDX-License-Identifier: MIT
"""The reports' own programs compared with our variants."""

from pandas import DataFrame

from ..figures.content import DASH, Section, Table, joined, percent
from ..measurements.published import Published, our_rows
from ..measurements.results import Results

LIMIT = 1.03  # our time over the program's: what the timing may differ for the same speed
COMPARED = (
    "Each configuration: [study/data/originals.csv](../study/data/originals.csv). videostream2021's programs are compared in "
    "the figures of that report."
)


def pairs_of(results: Results, published: Published) -> DataFrame:
    """All configurations of the programs: `name`, the `status` of our row of the same configuration, and `ratio`, our time over the
    program's; NaN where there is none."""
    lines = published.originals
    ours = our_rows(results, lines).reindex(lines.index)
    name = lines["report"] + " " + lines["program"]
    return lines.assign(name=name, status=ours["status"], ratio=ours["ms"] / lines["ms"])


def summary(pairs: DataFrame) -> str:
    """The usual ratio, the largest, how many are above the limit, and how many configurations were compared."""
    ratios = pairs["ratio"].dropna()
    if ratios.empty:
        return f"None of the {len(pairs)} configurations was measured with a variant on that GPU."
    worst = pairs.loc[ratios.idxmax()]
    unsupported = int((pairs["status"] == "unsupported").sum())
    words = f"; the variants do not support {unsupported}" if unsupported else ""
    return (
        f"The median variant takes {percent(ratios.median())} of the original's time. The slowest takes {percent(ratios.max())} "
        f"({worst['name']}, {worst['size']}, K {worst['ksize']}, B {worst['block']}). More than {percent(LIMIT)}: "
        f"{(ratios > LIMIT).sum()}. {len(ratios)} of {len(pairs)} configurations were compared{words}."
    )


def by_program(pairs: DataFrame) -> Table:
    """A line for each program, and for each way in which its output is wrong."""
    lines = []
    for (program, output), same in pairs.groupby(["name", "output"], sort=False):
        ratios = same["ratio"].dropna()
        ours = f"{same['lab'].iloc[0]} {joined(same['variant'].unique())}"
        ends = [f"{ratios.min():.2f}", f"{ratios.max():.2f}", str((ratios > LIMIT).sum())]
        lines.append([program, ours, output, f"{len(ratios)} of {len(same)}", *(ends if len(ratios) else 3 * [DASH])])
    caption = (
        f"Time of the variant divided by the time of the original, {joined(pairs['where'].unique())}, "
        "without copies: median of the variant, mean of 50 launches of the original. chisci2024: time of one channel."
    )
    header = "original|variant|output of the original|measured|smallest ratio|largest ratio".split("|")
    return Table("originals", caption, [*header, f"over {LIMIT}"], lines, left=3)


def originals(results: Results, published: Published) -> Section:
    """The programs of all reports compared with our variants."""
    pairs = pairs_of(results, published)
    return Section("The originals compared with our variants", [summary(pairs), by_program(pairs), COMPARED])
