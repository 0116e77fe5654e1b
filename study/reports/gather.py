# SPDX-License-Identifier: MIT
"""The numbers that an artefact shows: of our rows, of the report, and of the report's own program.

They stand in a DataFrame, a row for each number: `who`, `series`, `form` (what tells it from others of the series); its place
(AT: 0 where there is none); `ms`, or in another `unit` the published number, and its `metric`; `name` of the variant, program or hardware; `bytes` and
`operations`; `below`, `above` and `is_noisy` of our rows; `order` of our row, or -1; `source`, the place of another in its file;
`base_ms` and `base_order` of what a speed-up is over."""

import math
from dataclasses import dataclass
from typing import Any, List, Optional, Tuple

import numpy
import pandas
from pandas import DataFrame, Series

from tools.plots.results import alike, sizes

from ..figures.content import NOISY, number, times
from ..figures.series import fastest_each
from ..measurements.published import Published, ariano_size
from ..measurements.results import Results
from ..measurements.selectors import matching
from .specification import FIRST, Specification

OURS, ORIGINAL, PUBLISHED = "variant", "original", "published"
AT = ["size", "pixels", "width", "ksize", "block", "threads", "block_threads", "streams", "bands"]
JOB = ["series", "size", "ksize"]
GROWING = ("GB/s", "TFLOP/s", "x")  # quantities of which more is better
PER_TAP, FLOATS = 2, ("cazzola2024", "chisci2024")  # operations; reports whose samples have 4 bytes
COLUMNS = "who series form ms unit name bytes operations below above is_noisy order source metric".split() + AT


def in_unit(seen: DataFrame, quantity: str, ms: Optional[Series] = None) -> Series:
    """The numbers, or these times, in a unit; NaN where they cannot be."""
    ms = seen["ms"] if ms is None else ms
    if quantity == "ms":
        found = ms
    elif quantity == "ns":
        found = ms * 1e6 / seen["pixels"].where(seen["pixels"] > 0)
    else:
        amounts = {"GB/s": seen["bytes"] / 1e6, "TFLOP/s": seen["operations"] / 1e9, "x": seen["base_ms"]}
        found = amounts[quantity].where(amounts[quantity] > 0) / ms
    return found.where(seen["unit"] == "ms", ms.where(seen["unit"] == quantity))


def with_value(seen: DataFrame, quantity: str) -> DataFrame:
    """The numbers that can be in this unit, with their `value`, and how far the 5th and 95th percentile are below and above it (`low`
    and `high`); a ratio of two medians has no bars."""
    value = in_unit(seen, quantity)
    ends = DataFrame([in_unit(seen, quantity, seen["ms"] + by) for by in (-seen["below"], 0, seen["above"])])
    low, high = (0.0, 0.0) if quantity == "x" else (value - ends.min(), ends.max() - value)
    return seen.assign(value=value, low=low, high=high).dropna(subset=["value"])


def best_each(seen: DataFrame, quantity: str, by: List[str]) -> DataFrame:
    """Of the numbers that agree in these columns the smallest time, or the largest speed-up or rate."""
    found = with_value(seen, quantity).sort_values("value", kind="stable", ascending=quantity not in GROWING)
    return found.drop_duplicates(by)


def text_of(one: Any, quantity: str) -> str:
    """A number with its value as a table has it."""
    return (times if quantity == "x" else number)(one.value) + NOISY * one.is_noisy


@dataclass
class Gathered:
    """All numbers of one artefact or part."""

    specification: Specification
    results: Results
    seen: DataFrame
    unsupported: DataFrame  # variants
    note: str = ""

    def of(self, who: str, **wanted: Any) -> DataFrame:
        """The numbers of one source, of a series, or at a place."""
        found = self.seen[self.seen["who"] == who]
        for name, value in wanted.items():
            found = found[found[name] == value]
        return found

    def shown(self, who: str) -> DataFrame:
        """The numbers of one source; where the best is looked for, that of each series and size."""
        every = self.of(who)
        if not self.specification.has("best"):
            return every
        return fastest_each(every[every["unit"] == "ms"], ["series", "size"])

    @property
    def rows(self) -> DataFrame:
        """Our rows that it shows."""
        return self.results.every.loc[self.shown(OURS)["order"]]

    @property
    def bases(self) -> DataFrame:
        """What our speed-ups are over, each row once."""
        mine = self.of(OURS)
        return self.results.every.loc[mine.loc[mine["base_order"] >= 0, "base_order"].astype(int).unique()]

    @property
    def series(self) -> List[str]:
        return list(self.seen["series"].unique())

    @property
    def sizes(self) -> List[Tuple[int, str]]:
        """The sizes of our rows, smallest first."""
        return sizes(pandas.concat([self.of(OURS), self.unsupported]))

    def candidates(self, series: str) -> List[int]:
        """Of how many of our rows each size has its best."""
        return [len(self.of(OURS, series=series, size=name)) for _, name in self.sizes]

    @property
    def base_name(self) -> str:
        """What speed-ups are over."""
        over = self.specification["over"].partition(":")[0]
        return self.specification.labels[0] if over == FIRST else over

    @property
    def absent(self) -> List[str]:
        """The series without one of our times."""
        there = set(self.of(OURS)["series"])
        return [label for label in dict.fromkeys(self.specification.labels) if label not in there]


def _numbers(lines: DataFrame, **more: Any) -> DataFrame:
    """Lines of a source as numbers; what they have not is nothing."""
    nothing = dict(
        form="",
        unit="ms",
        metric="",
        bytes=0.0,
        operations=0.0,
        below=0.0,
        above=0.0,
        is_noisy=False,
        order=-1,
        source=-1,
    )
    nothing.update({name: 0 for name in AT if name not in lines})
    return lines.assign(**{**nothing, **more})[COLUMNS]


def _of_rows(specification: Specification, results: Results) -> DataFrame:
    """Our rows, also those of what is not supported."""
    found = [_numbers(results.every[:0], who=OURS, series="", name="")]
    allowed = results.every["timed"] | (results.every["status"] == "unsupported")
    for series, form, selector in specification.selectors("variants"):
        rows = results.of_one_run(matching(results.every, selector) & allowed)
        amounts = {name: rows[name] for name in ("bytes", "operations", "below", "above", "is_noisy", "order")}
        found.append(_numbers(rows, who=OURS, series=series, form=form, name=rows["variant"], **amounts))
    return pandas.concat(found, ignore_index=True)


def _of_programs(specification: Specification, published: Published) -> List[DataFrame]:
    """Times of the report's own program: of the kernels that our variants stand for, or of those that the artefact names."""
    own = specification.selectors("original")
    chosen = [(series, form, {"size": "1080p", **selector}) for series, form, selector in own]
    if specification.report != "videostream2021":
        more = next((selector for *_, selector in own), {})
        names = ("lab", "variant", "ksize", "block", "size")
        ours = specification.selectors("variants")
        chosen = [(*one, {**{name: fields[name] for name in names if name in fields}, **more}) for *one, fields in ours]
    mine = published.lines[published.lines["report"] == specification.report]
    size = 8 if specification.report in FLOATS else 2
    samples = mine["pixels"] * mine["channels"] * mine["share"]
    mine = mine.assign(bytes=size * samples, operations=PER_TAP * samples * mine["ksize"] ** 2, source=mine.index)
    found = []
    for series, form, fields in chosen:
        lines = mine[matching(mine, fields)]
        amounts = {name: lines[name] for name in ("bytes", "operations", "source")}
        found.append(_numbers(lines, who=ORIGINAL, series=series, form=form, name=lines["program"], **amounts))
    return found


def _of_values(specification: Specification, published: Published) -> List[DataFrame]:
    """The published numbers."""
    mine = published.values[published.values["report"] == specification.report]
    pixels = mine["size"].map(
        lambda size: math.prod(map(int, ariano_size(size).split("x"))) if ariano_size(size) else 0
    )
    mine = mine.assign(pixels=pixels if specification.report == "ariano2023" else 0, ms=mine["value"])
    found = []
    for series, form, selector in specification.selectors("published"):
        lines = mine[matching(mine, selector)]
        told = dict(unit=lines["unit"], metric=lines["metric"], name=lines["hardware"], source=lines.index)
        found.append(_numbers(lines, who=PUBLISHED, series=series, form=form, **told))
    return found


def _complete(specification: Specification, seen: DataFrame) -> DataFrame:
    """Without lines of one point, which say nothing, and, where that is asked for, without sizes that a series lacks."""
    axis, column = specification["x"].partition(":")[0], specification["line"]
    if column:
        points = seen.drop_duplicates([column, axis]).groupby(column).size()
        return seen[seen[column].map(points) > 1]
    if specification["every series"] == "at each size":
        counts = seen.drop_duplicates(["series", "size"]).groupby("size").size()
        return seen[seen["size"].map(counts) == len(set(specification.labels))]
    return seen


def gather(specification: Specification, results: Results, published: Published) -> Gathered:
    """Reads what the selectors of an artefact name."""
    mine = _of_rows(specification, results)
    timed = mine[mine["ms"].notna()]
    if not specification.has("best"):  # where two selectors of one series have the same place, the first counts
        timed = timed.drop_duplicates(["series", "form", *AT])
    timed = _complete(specification, timed)
    others = mine[mine["ms"].isna()]
    unsupported = others[~others.index.isin(alike(others, timed, ["series", *AT]).index)]
    every = [timed, *_of_programs(specification, published), *_of_values(specification, published)]
    seen = _with_bases(specification, results, pandas.concat(every, ignore_index=True))
    return Gathered(specification, results, seen, unsupported)


def _with_bases(specification: Specification, results: Results, seen: DataFrame) -> DataFrame:
    """The numbers with what their speed-ups are over: a variant of lab 01 with the same job, or the rows of a selector of
    the same size."""
    over = specification["over"]
    if over == FIRST:
        return _over_first(specification, seen)
    mine = seen[seen["who"] == OURS]
    if not over:
        return seen.assign(base_ms=numpy.nan, base_order=-1)
    if ": " in over:
        (*_, selector), *_ = specification.selectors("over")
        rows = results.of_one_run(matching(results.every, selector) & results.every["timed"])
        bases = mine.merge(rows.drop_duplicates("size", keep="last"), on="size", suffixes=("", "_of_base"))
        bases = bases.assign(base_ms=bases["ms_of_base"], base_order=bases["order_of_base"])
    else:
        rows = results.baseline(results.every.loc[mine["order"].unique()], over)
        bases = mine.merge(rows[["ms", "order"]].add_prefix("base_"), left_on="order", right_index=True)
    bases = bases.drop_duplicates(JOB, keep="last")[[*JOB, "base_ms", "base_order"]]
    return seen.merge(bases, how="left", on=JOB)


def _over_first(specification: Specification, seen: DataFrame) -> DataFrame:
    """The numbers with those of the first series at the same place as their bases, each source over its own. A published
    speed-up counts as the time that it stands for."""
    labels, axis = specification.labels, specification["x"].partition(":")[0]
    gains = (seen["unit"] == "x") & seen["series"].isin(labels)
    seen = seen.assign(ms=seen["ms"].where(~gains, 1 / seen["ms"]), unit=seen["unit"].where(~gains, "ms"))
    bases = fastest_each(seen[(seen["series"] == labels[0]) & (seen["unit"] == "ms")], ["who", axis])
    bases = bases.rename(columns={"ms": "base_ms", "order": "base_order"})
    return seen.merge(bases[["who", axis, "base_ms", "base_order"]], how="left", on=["who", axis])
