# SPDX-License-Identifier: MIT
"""Measured numbers by their key, as `originals program=heat_map_v1 width=1920 block=1x1024 : mean_us/1000`. All numbers in
texts are made here: in the READMEs (claims.py), in the report's sentences (sentences.py), and `[[KEY]]` in report/make/paper/data/.

A key names a source, fields that exactly one row of it has, and what of the row is shown: a column, or arithmetic with
columns. Sources: a folder of results/reference; a file in one, as `h200_16_cpus/peers` or, of Nsight Compute,
`h200_16_cpus/profile/03_cuda_global_padded_4k`; `published`, `originals`; lab 10's `savings`; `here`, the rows that the report is made
of, where fields are those of a selector (selectors.py), and the protocol's row counts, or the fastest of a sweep. If several rows have the fields, the one
of a 5x5 Gaussian of the RGB scene counts (selectors.py, DEFAULTS), and of the protocol, not of a sweep. `over` and other fields, and `of` and another
column, divide it by that of another row. `; 1`: digits after the point, instead of three significant ones. A ratio that the second
run of the same machine contradicts is an error.
"""

import ast
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pandas
from pandas import DataFrame, Series

from report.make.plots.files import NUMBER, ReportError, read_table
from report.make.plots.results import OF_KERNEL, select
from report.make.plots.words import number

from .machine import SECOND_RUN, Results, read_folder
from .selectors import DEFAULTS, completed, matching, selected

BRACKETS = re.compile(r"\[\[(.+?)\]\]")  # a key in a text that is made anew each time
KEY = re.compile(
    r"(?P<source>\S+) (?P<fields>.*?) ?: (?P<what>.+?)( over (?P<other>.+?)( of (?P<per>\S+))?)?( ?; (?P<digits>\d))?"
)
ARITHMETIC = (ast.Expression, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Constant, ast.Name, ast.Load)
FILES = {
    "published": "report/make/paper/data/published.csv",
    "originals": "report/make/paper/data/originals.csv",
    "savings": "labs/10_noise_filter/savings.csv",
}
HERE = "here"
# What tells two rows of a variant apart, named where a key has several.
SETTINGS = "size ksize filter border block threads streams bands in_flight devices ranks filters passes type channels image cold".split()
Fields = Mapping[str, str]


def counters(path: Path) -> DataFrame:
    """The launches in a file of `make profile`: kernel, block and the counters, without their unit."""
    lines = read_table(path, ("ID", "Kernel Name", "Block Size", "Metric Name", "Metric Value"))
    launches: dict[str, dict[str, str]] = {}
    for _, line in lines:
        kernel = line["Kernel Name"].partition("(")[0].partition("<")[0].split()[-1]
        first = {"kernel": kernel, "launch": line["ID"], "block": line["Block Size"]}
        launch = launches.setdefault(line["ID"], first)
        launch[line["Metric Name"].partition(".")[0]] = line["Metric Value"].replace(",", "")
    return DataFrame(list(launches.values())).fillna("")


class Sources:
    """Where numbers come from: committed CSV files, each read when a key first names it; `here`: what the report is made of,
    and its second run."""

    def __init__(self, root: Path, here: Results | None = None, again: Results | None = None):
        self.root = root
        self._tables: dict[tuple[str, bool], DataFrame] = {}
        for source, results in ((HERE, here), (f"{HERE}/{SECOND_RUN}", again)):
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
                self._tables[at] = counters(path)
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
            found = rows[matching(rows, {"time": "", "baseline": "", **wanted})]
            found = found.sort_values(["sweep", "ms"], kind="stable").head(1)
        else:
            found = rows[matching(rows, wanted)]
            if len(found) > 1 and "sweep" in rows:
                usual = found[matching(found, {**DEFAULTS, **wanted})]
                some = [one for one in (usual, usual[~usual["sweep"]]) if len(one) == 1]
                found = some[0] if some else found
        if len(found) != 1:
            fields = " ".join(f"{name}={value}" for name, value in wanted.items())
            names = [name for name in SETTINGS if name in found and found[name].nunique() > 1]
            differing = f"; they differ in {', '.join(names)}" * bool(names)
            raise ReportError(f"{len(found)} rows of {source} have {fields}, expected one{differing}")
        return found.iloc[0]

    def has(self, source: str) -> bool:
        """Whether there is such a folder."""
        return (source, False) in self._tables or (self.root / "results" / "reference" / source).is_dir()


def _worked_out(expression: str, value_of: Callable[[str], float]) -> float:
    """Arithmetic with numbers and names of columns, and nothing else."""
    try:
        tree = ast.parse(expression.strip(), mode="eval")
        nodes = list(ast.walk(tree))
        if not all(isinstance(node, ARITHMETIC) and not isinstance(getattr(node, "value", 0), str) for node in nodes):
            raise ValueError
        values = {node.id: value_of(node.id) for node in nodes if isinstance(node, ast.Name)}
        return float(eval(compile(tree, "key", "eval"), {"__builtins__": {}}, values))
    except (SyntaxError, TypeError, ValueError, ZeroDivisionError):
        raise ReportError(f"'{expression}' is neither a column with a number nor arithmetic with columns") from None


def _value(row: Series, what: str) -> float:
    def value_of(name: str) -> float:
        value = row.get(name, "")
        if isinstance(value, str) and not NUMBER.fullmatch(value):
            raise ValueError
        if not isinstance(value, str) and (pandas.isna(value) or not value):  # nothing was measured
            raise ValueError
        return float(value)

    return _worked_out(what, value_of)


class Value(NamedTuple):
    """The number of a key, and the digits after the point that it asks for."""

    number: float
    digits: str
    second: float | None = None  # of a ratio of two of our rows: in the second run, if it has both
    margin: float = 0.0  # what two runs may differ by

    @property
    def contradiction(self) -> str:
        """What the second run says, if it has the opposite order, and not because both times are the same."""
        second = self.second or self.number
        sides = self.number - 1, second - 1
        apart = min(sides) < 0 < max(sides) and max(map(abs, sides)) > OF_KERNEL
        return f"the second run contradicts {written(self.number)}: there it is {written(second)}" * apart


def value_of(key: str, sources: Sources) -> Value:
    """The number of a key."""
    parts = KEY.fullmatch(" ".join(key.split()))
    if parts is None:
        raise ReportError("expected SOURCE name=value ... : COLUMN")
    fields = [selected(parts["fields"])]
    if parts["other"]:
        fields.append({**fields[0], **selected(parts["other"])})
    if parts["source"] == HERE:
        fields = [completed(one) for one in fields]

    def ratio(source: str) -> tuple[float, float]:
        rows = sources.each(source, *fields)
        columns = parts["what"], parts["per"] or parts["what"]
        value, *other = (_value(row, column) for row, column in zip(rows, columns))
        return value / (other[0] if other else 1), max(row.get("margin", 0.0) for row in rows)

    found, margin = ratio(parts["source"])
    again = f"{parts['source']}/{SECOND_RUN}"
    if not parts["other"] or not sources.has(again):
        return Value(found, parts["digits"] or "")
    try:
        return Value(found, parts["digits"] or "", ratio(again)[0], margin)
    except ReportError:  # not measured again
        return Value(found, parts["digits"] or "")


def written(value: float, digits: str = "") -> str:
    return f"{value:.{digits}f}" if digits else number(value)


def worked_out(key: str, sources: Sources) -> str:
    """The number of a key, as it is written; an error if the second run of the machine contradicts it."""
    value = value_of(key, sources)
    if value.contradiction:
        raise ReportError(value.contradiction)
    return written(value.number, value.digits)


def filled(text: str, sources: Sources) -> str:
    """The text with the number of each `[[KEY]]`; "not measured" without its row."""

    def new(found: "re.Match[str]") -> str:
        try:
            return worked_out(found[1], sources)
        except ReportError:
            return "(not measured)"

    return BRACKETS.sub(new, text)
