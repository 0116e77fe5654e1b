# SPDX-License-Identifier: MIT
"""paper/data/artefacts.ini: what each table and figure of the reports shows (report/make/README.md); and the numbers that it shows:
of our rows, of the report, and of the report's own program.

They stand in a DataFrame, a row for each number: `who`, `series`, `form` (what tells it from others of the series); its place
(AT: 0 where there is none); `ms`, or in another `unit` the published number, and its `metric`; `name` of the variant, program or
hardware; `is_noisy` and `order` of our row, or -1; `base_ms` and `base_order` of what a speed-up is over."""

import configparser
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import pandas
from pandas import DataFrame

from report.make.plots.files import ReportError
from report.make.plots.results import alike, sizes
from report.make.plots.words import NOISY, number, times

from ..content import fastest_each
from ..measurements.machine import Results
from ..measurements.published import Published
from ..measurements.selectors import matching, selected, wanted

KEYS = set(
    "like size shape shows title note above figure needs variants published original job over x y line value panels best partly".split()
) | {"its program", "not measured"}
FIRST = "first"  # speed-ups over the first series
Selector = dict[str, str]
Named = tuple[str, str, Selector]  # series, what tells it from others of that series, and its selector


@dataclass(frozen=True)
class Specification:
    """One section of the file. `part` names a part of an artefact with several figures."""

    report: str
    name: str
    part: str
    fields: dict[str, str]

    def __getitem__(self, key: str) -> str:
        if key not in KEYS:
            raise KeyError(key)
        return self.fields.get(key, "")

    def has(self, key: str) -> bool:
        """Whether a switch is on."""
        return self[key] == "yes"

    def words(self, key: str) -> list[str]:
        """The parts of a list with commas."""
        return [word.strip() for word in self[key].split(",") if word.strip()]

    def axis(self, key: str) -> tuple[str, str]:
        """The column of an axis, and its label."""
        column, _, name = self[key].partition(":")
        return column, name.strip() or {"size": "image size"}.get(column, column)

    @property
    def figure(self) -> str:
        """The name of its figures and tables: "ariano2023_figure_10"."""
        return self["figure"] or re.sub(r"[ .]+", "_", f"{self.report}_{self.name}".lower())

    def selectors(self, key: str) -> list[Named]:
        """The series of a key, in the order of the file: a line "series: selector", or "series / form: selector", or, where
        there is one series, its selector."""
        named = []
        for line in filter(None, map(str.strip, self[key].split("\n"))):
            label, _, selector = line.rpartition(": ")
            series, _, form = label.partition(" / ")
            named.append((series, form, self._fields(selector, key)))
        return named

    @property
    def labels(self) -> list[str]:
        """The series of our variants, as often as they have a selector."""
        return [series for series, *_ in self.selectors("variants")]

    def _fields(self, selector: str, key: str) -> Selector:
        if key in ("variants", "over"):
            return wanted(f"{self['job']} {selector}", "")
        return selected(selector)


def _joined(value: str) -> str:
    """A text over several lines as one; a list of series stays in lines."""
    return (
        value if re.search(r"^[^=\n]+: \w+=", value, re.M) else re.sub(r"\s*\n\s*(?=\|)", "", value).replace("\n", " ")
    )


def read_specifications(path: Path) -> list[Specification]:
    """All sections, each with what it takes from the one that it is `like`."""
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",), strict=True)
    try:
        parser.read_string(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from None
    except configparser.Error as error:
        raise ReportError(f"{path}: {' '.join(str(error).split())}") from None
    return [_specification(path, parser, title) for title in parser.sections()]


def _fields_of(path: Path, parser: configparser.ConfigParser, title: str) -> dict[str, str]:
    if not parser.has_section(title):
        raise ReportError(f"{path}: no section [{title}], which another is like")
    fields = dict(parser[title])
    unknown = sorted(set(fields) - KEYS)
    if unknown:
        raise ReportError(f"{path}, [{title}]: unknown key '{unknown[0]}'; known are {', '.join(sorted(KEYS))}")
    return {**_fields_of(path, parser, fields["like"]), **fields} if "like" in fields else fields


def _specification(path: Path, parser: configparser.ConfigParser, title: str) -> Specification:
    fields = {key: _joined(value) for key, value in _fields_of(path, parser, title).items()}
    if "shape" not in fields or " " not in title:
        raise ReportError(f"{path}, [{title}]: expected a section [report artefact] with a key 'shape'")
    report, name = title.split(" ", 1)
    name, _, part = name.partition(" / ")
    return Specification(
        report, name, part, {key: value.replace("{size}", fields.get("size", "")) for key, value in fields.items()}
    )


OURS, ORIGINAL, PUBLISHED = "variant", "original", "published"
AT = ["size", "pixels", "width", "ksize", "block", "threads", "block_threads", "streams", "bands"]
JOB = ["series", "size", "ksize"]
COLUMNS = "who series form ms unit name is_noisy order metric".split() + AT


def best_each(seen: DataFrame, quantity: str, by: list[str]) -> DataFrame:
    """The smallest time, or the largest speed-up, of the numbers that agree in these columns, as `value`."""
    times_ms = seen["base_ms"] / seen["ms"] if quantity == "x" else seen["ms"]
    value = times_ms.where(seen["unit"] == "ms", seen["ms"].where(seen["unit"] == quantity))
    valued = seen.assign(value=value).dropna(subset=["value"])
    return valued.sort_values("value", kind="stable", ascending=quantity != "x").drop_duplicates(by)


def text_of(row: Any, quantity: str) -> str:
    """A number with its value as a table has it."""
    return (times if quantity == "x" else number)(row.value) + (NOISY if row.is_noisy else "")


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
        numbers = self.seen[self.seen["who"] == who]
        for name, value in wanted.items():
            numbers = numbers[numbers[name] == value]
        return numbers

    @property
    def rows(self) -> DataFrame:
        """Our rows that it shows; where the best is looked for, that of each series and size."""
        ours = self.of(OURS)
        if self.specification.has("best"):
            ours = fastest_each(ours, ["series", "size"])
        return self.results.every.loc[ours["order"]]

    @property
    def bases(self) -> DataFrame:
        """What our speed-ups are over, each row once."""
        ours = self.of(OURS)
        return self.results.every.loc[ours.loc[ours["base_order"] >= 0, "base_order"].astype(int).unique()]

    @property
    def sizes(self) -> list[tuple[int, str]]:
        """The sizes of our rows, smallest first."""
        return sizes(pandas.concat([self.of(OURS), self.unsupported]))

    @property
    def base_name(self) -> str:
        """What speed-ups are over."""
        over = self.specification["over"].partition(":")[0]
        return self.specification.labels[0] if over == FIRST else over

    @property
    def absent(self) -> list[str]:
        """The series without one of our times."""
        there = set(self.of(OURS)["series"])
        return [label for label in dict.fromkeys(self.specification.labels) if label not in there]


def _numbers(lines: DataFrame, **more: Any) -> DataFrame:
    """Lines of a source as numbers; what they have not is nothing."""
    nothing = {"form": "", "unit": "ms", "metric": "", "is_noisy": False, "order": -1}
    nothing.update({name: 0 for name in AT if name not in lines})
    return lines.assign(**{**nothing, **more})[COLUMNS]


def _of_rows(specification: Specification, results: Results) -> DataFrame:
    """Our rows, also those of what is not supported."""
    numbers = [_numbers(results.every[:0], who=OURS, series="", name="")]
    allowed = results.every["timed"] | (results.every["status"] == "unsupported")
    for series, form, selector in specification.selectors("variants"):
        rows = results.of_one_run(matching(results.every, selector) & allowed)
        own = {"name": rows["variant"], "is_noisy": rows["is_noisy"], "order": rows["order"]}
        numbers.append(_numbers(rows, who=OURS, series=series, form=form, **own))
    return pandas.concat(numbers, ignore_index=True)


def _of_programs(specification: Specification, published: Published) -> list[DataFrame]:
    """Times of the report's own program: of the kernels that our variants stand for, or of those that the artefact names."""
    own = specification.selectors("original")
    chosen = [(series, form, {"size": "1080p", **selector}) for series, form, selector in own]
    if specification.report != "videostream2021":
        more = next((selector for *_, selector in own), {})
        names = ("lab", "variant", "ksize", "block", "size")
        ours = specification.selectors("variants")
        chosen = [
            (*label, {**{name: fields[name] for name in names if name in fields}, **more}) for *label, fields in ours
        ]
    theirs = published.lines[published.lines["report"] == specification.report]
    numbers = []
    for series, form, fields in chosen:
        lines = theirs[matching(theirs, fields)]
        numbers.append(_numbers(lines, who=ORIGINAL, series=series, form=form, name=lines["program"]))
    return numbers


def _of_values(specification: Specification, published: Published) -> list[DataFrame]:
    """The published numbers."""
    values = published.values[published.values["report"] == specification.report].assign(pixels=0)
    values["ms"] = values["value"]
    numbers = []
    for series, form, selector in specification.selectors("published"):
        lines = values[matching(values, selector)]
        told = {"unit": lines["unit"], "metric": lines["metric"], "name": lines["hardware"]}
        numbers.append(_numbers(lines, who=PUBLISHED, series=series, form=form, **told))
    return numbers


def gather(specification: Specification, results: Results, published: Published) -> Gathered:
    """Reads what the selectors of an artefact name."""
    ours = _of_rows(specification, results)
    timed = ours[ours["ms"].notna()]
    if not specification.has("best"):  # where two selectors of one series have the same place, the first counts
        timed = timed.drop_duplicates(["series", "form", *AT])
    others = ours[ours["ms"].isna()]
    unsupported = others[~others.index.isin(alike(others, timed, ["series", *AT]).index)]
    every = [timed, *_of_programs(specification, published), *_of_values(specification, published)]
    seen = _with_bases(specification, results, pandas.concat(every, ignore_index=True))
    return Gathered(specification, results, seen, unsupported)


def _with_bases(specification: Specification, results: Results, seen: DataFrame) -> DataFrame:
    """The numbers with what their speed-ups are over: a variant of lab 01 with the same job, the rows of a selector of
    the same size, or the first series at the same place, each source over its own."""
    over = specification["over"]
    ours = seen[seen["who"] == OURS]
    if not over:
        return seen.assign(base_ms=numpy.nan, base_order=-1)
    if over == FIRST:
        axis = specification["x"].partition(":")[0]
        bases = seen[(seen["series"] == specification.labels[0]) & (seen["unit"] == "ms")]
        bases = fastest_each(bases, ["who", axis]).rename(columns={"ms": "base_ms", "order": "base_order"})
        return seen.merge(bases[["who", axis, "base_ms", "base_order"]], how="left", on=["who", axis])
    if ": " in over:
        (*_, selector), *_ = specification.selectors("over")
        rows = results.of_one_run(matching(results.every, selector) & results.every["timed"])
        bases = ours.merge(rows.drop_duplicates("size", keep="last"), on="size", suffixes=("", "_of_base"))
        bases = bases.assign(base_ms=bases["ms_of_base"], base_order=bases["order_of_base"])
    else:
        rows = results.baseline(results.every.loc[ours["order"].unique()], over)
        bases = ours.merge(rows[["ms", "order"]].add_prefix("base_"), left_on="order", right_index=True)
    bases = bases.drop_duplicates(JOB, keep="last")[[*JOB, "base_ms", "base_order"]]
    return seen.merge(bases, how="left", on=JOB)
