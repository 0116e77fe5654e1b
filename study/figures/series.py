# SPDX-License-Identifier: MIT
"""Rows grouped into jobs, and the words that name them."""

from typing import Any, List, Optional

import pandas
from pandas import DataFrame

from tools.plots.results import distinct

from ..measurements.results import sessions
from .content import COLOURS, NOISY, Point, joined, plural

# A figure shows one job.
JOB_COLUMNS = ["image", "channels", "filters", "passes", "filter", "ksize", "border"]
FEW = 5  # iterations: no interval of the median


def jobs(rows: DataFrame) -> List[DataFrame]:
    """The rows by job, the job with the most rows first."""
    return sorted((same for _, same in rows.groupby(JOB_COLUMNS, sort=False)), key=lambda same: -len(same))


def fastest_each(rows: DataFrame, by: List[str]) -> DataFrame:
    """Of the rows that agree in these columns the fastest, in the order in which they appear."""
    return rows.loc[rows.groupby(by, sort=False)["ms"].idxmin()] if len(rows) else rows


def variant_of(rows: DataFrame) -> str:
    """ "03_cuda_global naive", where all rows are of one variant: whose colour a line of them has."""
    found = set(rows["lab"] + " " + rows["variant"])
    return found.pop() if len(found) == 1 else ""


def point(x: float, row: Any) -> Point:
    """A point of a `Line`: median time in ms, 5th to 95th percentile."""
    return x, row.ms, (row.below, row.above), row.is_noisy


def describe_job(rows: DataFrame) -> str:
    """ "5x5 Gaussian, RGB"; "K 3 to 9" where K differs; borders other than replicate, images other than the scene, and sample
    types other than uint8, of which variants where they differ."""
    row = rows.iloc[0]
    sides = sorted(rows["ksize"].unique())
    side = f"{sides[0]}x{sides[0]}" if len(sides) == 1 else f"K {sides[0]} to {sides[-1]},"
    odd = types = sorted(set(rows["type"]) - {"uint8", ""})
    if rows["type"].nunique() > 1:
        variants = {name: sorted(rows.loc[rows["type"] == name, "variant"].unique()) for name in types}
        odd = [f"{name} samples in {joined(variants[name])}, uint8 in the others" for name in types]
    borders, images = distinct(rows, "border"), distinct(rows, "image")
    counts = sorted(distinct(rows, "filters"))
    chain = f"{counts[0]} to {counts[-1]} filters" if len(counts) > 1 else plural(row["filters"], "filter")
    name = row["filter"].replace("gaussian", "Gaussian")
    words = [
        f"chain of {chain}" if row["filters"] else "",
        f"{side} {name}" if row["ksize"] else name,
        f"border{'s' * (len(borders) > 1)} {joined(borders)}" * (borders not in ([], ["replicate"])),
        joined(COLOURS.get(depth, f"{depth} channels") for depth in sorted(distinct(rows, "channels"))),
        *odd,
        f"image{'s' * (len(images) > 1)} {joined(images)}" * (images not in ([], ["scene"])),
    ]
    return ", ".join(word for word in words if word)


def _iterations(rows: DataFrame, noisy_words: str, unit: str = "", bars: bool = False) -> str:
    """ "100 iterations, bars: 5th to 95th percentile", and a word on noisy rows."""
    least, most = rows["iterations"].min(), rows["iterations"].max()
    text = f"{least}" + f" to {most}" * (least != most) + unit + ", bars: 5th to 95th percentile" * bars
    if 0 < most <= FEW:
        text += ", too few to call a time noisy"
    noisy = rows["is_noisy"].sum()
    return text + (f"; {noisy_words} ({noisy} of {len(rows)} times)" if noisy else "")


def describe_runs(rows: DataFrame, bars: bool, noisy_mark: str, bases: Optional[DataFrame] = None) -> str:
    """How rows were measured, and in how many sessions where there are several. bases: the rows that speed-ups are
    over; those that are not among `rows` are described beside them."""
    others = rows[:0] if bases is None else bases[~bases["order"].isin(rows["order"])]
    text = "median of " + _iterations(rows, f"{noisy_mark}: noisy", " iterations", bars)
    if len(others):
        text += f"; {joined([f'`{name}`' for name in distinct(others, 'variant')])}: {_iterations(others, 'noisy')}"
    count = len(sessions(pandas.concat([rows, others])))  # those of each folder: results/reference/details.md
    return text + f"; {count} sessions" * (count > 1)


def runs(rows: DataFrame) -> str:
    """How the rows of a table were measured, as a sentence."""
    return f"{describe_runs(rows, bars=False, noisy_mark=NOISY)}.".capitalize()


def ours(rows: DataFrame, bases: Optional[DataFrame] = None) -> str:
    """How our rows of a table were measured, where it shows others too: "Variants: median of ..."."""
    return f"Variants: {describe_runs(rows, bars=False, noisy_mark=NOISY, bases=bases)}."


def describe(
    rows: DataFrame, more: str = "", bars: bool = True, noisy_mark: str = "hollow", bases: Optional[DataFrame] = None
) -> str:
    """The caption of a figure or table of timed rows: job, protocol, and `more`.

    bars: whether it has error bars; noisy_mark: how it shows noisy rows; bases: the rows that its
    speed-ups are over.
    """
    return f"{describe_job(rows)}; {describe_runs(rows, bars, noisy_mark, bases)}." + (f" {more}" if more else "")


def described(rows: DataFrame, more: str = "", bases: Optional[DataFrame] = None) -> str:
    """The caption of a heat map or table of timed rows, without error bars."""
    return describe(rows, more, bars=False, noisy_mark=NOISY, bases=bases)
