# SPDX-License-Identifier: MIT
"""The parts of a report: sections of sentences, tables and figures; how values are written; what rows show, in words."""

import html
from dataclasses import dataclass, field

import pandas
from pandas import DataFrame

from report.make.plots.results import distinct
from report.make.plots.words import (  # noqa: F401
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
from report.make.plots.words import short as short  # noqa: F401

from .measurements.machine import sessions, starts


@dataclass
class Section:
    """A heading with sentences (each a paragraph), tables and figures in reading order."""

    title: str
    items: list[str | Table | Figure] = field(default_factory=list)
    missing: str = ""  # of an artefact that was not measured: what it needs
    partly: str = ""  # of an artefact of which a part was not measured: which
    rows: DataFrame | None = None  # of our variants, that it shows


def as_text(table: Table) -> str:
    """A table below its caption; a long one opens when its caption is clicked."""
    caption = html.escape(f"{table.number}. {table.caption}", quote=False)
    return f"<details><summary>{caption}</summary>\n\n{to_markdown(table)}\n</details>\n"


JOB_COLUMNS = ["image", "channels", "filters", "passes", "filter", "ksize", "border"]
FEW = 5  # iterations: no interval of the median


def jobs(rows: DataFrame) -> list[DataFrame]:
    """The rows by job, the job with the most rows first."""
    return sorted((group for _, group in rows.groupby(JOB_COLUMNS, sort=False)), key=lambda group: -len(group))


def fastest_each(rows: DataFrame, by: list[str]) -> DataFrame:
    """The fastest of the rows that agree in these columns, in the order in which they appear."""
    return rows.loc[rows.groupby(by, sort=False)["ms"].idxmin()] if len(rows) else rows


def describe_job(rows: DataFrame) -> str:
    """ "5x5 Gaussian, RGB"; "K 3 to 9" where K differs; borders other than replicate, and sample types other than uint8."""
    row = rows.iloc[0]
    sides = sorted(rows["ksize"].unique())
    side = f"{sides[0]}x{sides[0]}" if len(sides) == 1 else f"K {sides[0]} to {sides[-1]},"
    borders, types = distinct(rows, "border"), sorted(set(rows["type"]) - {"uint8", ""})
    border = "borders" if len(borders) > 1 else "border"
    counts = sorted(distinct(rows, "filters"))
    chain = f"{counts[0]} to {counts[-1]} filters" if len(counts) > 1 else plural(row["filters"], "filter")
    name = row["filter"].replace("gaussian", "Gaussian")
    words = [
        f"chain of {chain}" if row["filters"] else "",
        f"{side} {name}" if row["ksize"] else name,
        f"{border} {joined(borders)}" if borders not in ([], ["replicate"]) else "",
        joined(COLOURS.get(depth, f"{depth} channels") for depth in sorted(distinct(rows, "channels"))),
        *types,
    ]
    return ", ".join(word for word in words if word)


def _iterations(rows: DataFrame, unit: str = "") -> str:
    """ "20 to 100 iterations", and a word on noisy rows."""
    least, most = rows["iterations"].min(), rows["iterations"].max()
    text = f"{least}" + (f" to {most}" if least != most else "") + unit
    if 0 < most <= FEW:
        text += ", too few to call a time noisy"
    noisy = rows["is_noisy"].sum()
    return text + (f"; {NOISY}: noisy ({noisy} of {len(rows)} times)" if noisy else "")


def describe_runs(rows: DataFrame, bases: DataFrame | None = None) -> str:
    """How rows were measured, of which revisions, in how many sessions and starts. bases: the rows that speed-ups are over; those that are
    not among `rows` are described beside them."""
    others = rows[:0] if bases is None else bases[~bases["order"].isin(rows["order"])]
    text = "median of " + _iterations(rows, " iterations")
    if len(others):
        text += f"; {joined([f'`{name}`' for name in distinct(others, 'variant')])}: {_iterations(others)}"
    both = pandas.concat([rows, others])
    revisions = joined(sorted(set(both["revision"].str[:7]) - {""}))
    count = len(sessions(both))  # those of each folder: results/reference/details.md
    text += (f"; {plural(count, 'session')}" if count > 1 else "") + (f" of {revisions}" if revisions else "")
    return text + (f"; {joined_starts}" if (joined_starts := starts(both)) else "")


def ours(rows: DataFrame, bases: DataFrame | None = None) -> str:
    """How our rows of a table were measured, where it shows others too."""
    return f"Variants: {describe_runs(rows, bases)}."


def describe(rows: DataFrame) -> str:
    """The job of timed rows, and how they were measured."""
    return f"{describe_job(rows)}; {describe_runs(rows)}."
