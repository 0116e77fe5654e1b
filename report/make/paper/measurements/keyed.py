# SPDX-License-Identifier: MIT
"""Measured numbers by their key, as `originals program=heat_map_v1 width=1920 block=1x1024 : mean_us/1000`. All numbers in
texts are made here: in the READMEs (claims.py), in the report's sentences (sentences.py), and `[[KEY]]` in paper/data/.

A key is `SOURCE FIELDS : WHAT`: the fields select one row (selectors.py), and WHAT is a column of it, or arithmetic with columns.
`over FIELDS`, and `of COLUMN`, divide it by that of another row. `; 1`: digits after the point, instead of three significant ones.
- SOURCE: a folder of results/reference; a file in one, as `h200_16_cpus/peers`; `published`, `originals`, `savings` (FILES); `here`,
  the rows that the report is made of. `h200_16_cpus/profile/07_separable_two_pass_8k kernel=down : wait_barrier ; 0` is of a file of
  Nsight Compute (launches() in report/make/profile.py): per cent of a warp's time; `price_bytes`: ms.
- If several rows have the fields, that of the usual job counts (DEFAULTS), and of the protocol, not of a sweep.
"""

import ast
import operator
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pandas
from pandas import DataFrame, Series

from report.make.plots.files import NUMBER, ReportError, read_table
from report.make.plots.results import OF_KERNEL, select
from report.make.plots.words import number
from report.make.profile import launches

from .machine import OTHER_RUN, Results, read_folder
from .selectors import DEFAULTS, completed, matching, selected

BRACKETS = re.compile(r"\[\[(.+?)\]\]")  # a key in a text that is made anew each time
KEY = re.compile(
    r"(?P<source>\S+) (?P<fields>.*?) ?: (?P<what>.+?)( over (?P<other>.+?)( of (?P<per>\S+))?)?( ?; (?P<digits>\d))?"
)
ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
FILES = {
    "published": "report/make/paper/data/published.csv",
    "originals": "report/make/paper/data/originals.csv",
    "savings": "labs/10_noise_filter/savings.csv",
}
HERE = "here"
# What tells two rows of a variant apart, named where a key has several.
SETTINGS = "size ksize filter border block threads streams bands in_flight devices ranks filters passes type channels image cold".split()
Fields = Mapping[str, str]


class Sources:
    """Where numbers come from: committed CSV files, each read when a key first names it; `here`: what the report is made of,
    and its other run."""

    def __init__(self, root: Path, here: Results | None = None, again: Results | None = None):
        self.root = root
        self._tables: dict[tuple[str, bool], DataFrame] = {}
        for source, results in ((HERE, here), (f"{HERE}/{OTHER_RUN}", again)):
            if results:
                self._tables[source, False] = self._tables[source, True] = results.rows[results.rows["timed"]]

    def rows(self, source: str, sweep: bool = False) -> DataFrame:
        """Our selected rows of a folder, launches with counters, or the lines of a file, whose fields are texts. sweep: of what a
        sweep has, too, that row."""
        at = source, sweep
        if at not in self._tables:
            reference = self.root / "results" / "reference"
            path = self.root / FILES[source] if source in FILES else reference / f"{source}.csv"
            if "/profile/" in source:
                self._tables[at] = DataFrame(launches(path)).fillna("")
            elif path.is_file():
                self._tables[at] = DataFrame([fields for _, fields in read_table(path, ())])
            else:
                self._tables[at] = select(read_folder(reference / source), sweep)
        return self._tables[at]

    def each(self, source: str, *wanted: Fields) -> list[Series]:
        """The one row with each of these fields; where one is of a sweep, all are, as far as it has them."""
        rows = [self._one(source, fields) for fields in wanted]
        if any(row.get("sweep", False) for row in rows):
            rows = [self._one(source, fields, sweep=True) for fields in wanted]
        return rows

    def _one(self, source: str, wanted: Fields, sweep: bool = False) -> Series:
        rows = self.rows(source, sweep)
        if source.startswith(HERE):
            fitting = rows[matching(rows, {"time": "", "baseline": "", **wanted})]
            fitting = fitting.sort_values(["sweep", "ms"], kind="stable").head(1)
        else:
            fitting = rows[matching(rows, wanted)]
            if len(fitting) > 1 and "sweep" in rows:
                usual = fitting[matching(fitting, {**DEFAULTS, **wanted})]
                choices = [choice for choice in (usual, usual[~usual["sweep"]]) if len(choice) == 1]
                fitting = choices[0] if choices else fitting
        if len(fitting) != 1:
            fields = " ".join(f"{name}={value}" for name, value in wanted.items())
            names = [name for name in SETTINGS if name in fitting and fitting[name].nunique() > 1]
            differing = f"; they differ in {', '.join(names)}" if names else ""
            raise ReportError(f"{len(fitting)} rows of {source} have {fields}, expected one{differing}")
        return fitting.iloc[0]

    def has(self, source: str) -> bool:
        """Whether there is such a folder."""
        return (source, False) in self._tables or (self.root / "results" / "reference" / source).is_dir()


def _column(row: Series, name: str) -> float:
    """The number in a column; an error where nothing was measured."""
    value = row.get(name, "")
    if not NUMBER.fullmatch(value) if isinstance(value, str) else pandas.isna(value) or not value:
        raise ValueError
    return float(value)


def _value(row: Series, what: str) -> float:
    """A column, or arithmetic with numbers and columns."""

    def number_of(node: ast.expr) -> float:
        if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            return ARITHMETIC[type(node.op)](number_of(node.left), number_of(node.right))
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return node.value
        if isinstance(node, ast.Name):
            return _column(row, node.id)
        raise ValueError

    try:
        return float(number_of(ast.parse(what.strip(), mode="eval").body))
    except (SyntaxError, ValueError, ZeroDivisionError):
        raise ReportError(f"'{what}' is neither a column with a number nor arithmetic with columns") from None


class Value(NamedTuple):
    """The number of a key, and the digits after the point that it asks for."""

    number: float
    digits: str
    second: float | None = None  # of a ratio of two of our rows: in another run, if it has both
    margin: float = 0.0  # what two runs may differ by
    is_noisy: bool = False  # a time of a row that is
    starts: bool = False  # a ratio of rows of two starts

    @property
    def contradiction(self) -> str:
        """What the other run says, if it has the opposite order, and not because both times are the same."""
        second = self.second or self.number
        sides = self.number - 1, second - 1
        apart = min(sides) < 0 < max(sides) and max(map(abs, sides)) > OF_KERNEL
        return f"the other run contradicts {written(self.number)}: there it is {written(second)}" if apart else ""


def value_of(key: str, sources: Sources) -> Value:
    """The number of a key."""
    parts = KEY.fullmatch(" ".join(key.split()))
    if parts is None:
        raise ReportError("expected SOURCE name=value ... : COLUMN")
    fields = [selected(parts["fields"])]
    if parts["other"]:
        fields.append({**fields[0], **selected(parts["other"])})
    if parts["source"] == HERE:
        fields = [completed(selector) for selector in fields]

    def ratio(source: str) -> tuple[float, float, bool, bool]:
        rows = sources.each(source, *fields)
        columns = parts["what"], parts["per"] or parts["what"]
        value, *other = (_value(row, column) for row, column in zip(rows, columns))
        is_time = not other and "ms" in parts["what"].split("*")
        noisy = is_time and bool(rows[0].get("is_noisy", False))
        margin = max(row.get("margin", 0.0) for row in rows)
        return value / (other[0] if other else 1), margin, noisy, len({row.get("boot", "") for row in rows}) > 1

    value, margin, noisy, starts = ratio(parts["source"])
    again = f"{parts['source']}/{OTHER_RUN}"
    if not parts["other"] or not sources.has(again):
        return Value(value, parts["digits"] or "", is_noisy=noisy, starts=starts)
    try:
        return Value(value, parts["digits"] or "", ratio(again)[0], margin, starts=starts)
    except ReportError:  # not measured again
        return Value(value, parts["digits"] or "", starts=starts)


def written(value: float, digits: str = "") -> str:
    return f"{value:.{digits}f}" if digits else number(value)


def worked_out(key: str, sources: Sources) -> str:
    """The number of a key, as it is written; an error if the other run of the machine contradicts it."""
    value = value_of(key, sources)
    if value.contradiction:
        raise ReportError(value.contradiction)
    return written(value.number, value.digits)


def filled(text: str, sources: Sources) -> str:
    """The text with the number of each `[[KEY]]`; "not measured" without its row."""

    def new(match: "re.Match[str]") -> str:
        try:
            return worked_out(match[1], sources)
        except ReportError:
            return "(not measured)"

    return BRACKETS.sub(new, text)
