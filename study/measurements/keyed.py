# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Measured numbers by their key, as `originals program=heat_map_v1 width=1920 block=1x1024 : mean_us/1000`.

A key names a source (a folder of results/reference, a file of Nsight Compute in one, as
`h200_16_cpus/profile/03_cuda_global_padded_4k`, its peers.csv or clips.csv, as `h200_16_cpus/peers`, `published`,
`originals`, or lab 10's `savings`), fields that exactly one row has, and what of the row is shown: a column, or arithmetic with columns. `over` and other
fields divides it by that of another row. `; 1`: digits after the point, instead of three significant
ones. A ratio that the second run of the same machine contradicts is an error.
"""

import ast
import operator
import re
import shlex
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple

from ..figures.content import number
from .csv_file import NUMBER, ReportError, read_table
from .originals import COLUMNS as ORIGINAL_COLUMNS
from .published import COLUMNS as PUBLISHED_COLUMNS
from .rows import OF_KERNEL, SECOND_RUN, Row, read_folder
from .selection import select

BRACKETS = re.compile(r"\[\[(.+?)\]\]")  # a key in a text that is made anew each time
KEY = re.compile(r"(?P<source>\S+) (?P<fields>.*?) ?: (?P<what>.+?)( over (?P<other>.+?))?( ?; (?P<digits>\d))?")
OPERATORS: Dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
# What a row of ours has beside its columns.
OF_A_ROW = ("ms", "total_ms", "ns_per_pixel")
Fields = Mapping[str, str]


def _worked_out(expression: str, value_of: Callable[[str], float]) -> float:
    """Arithmetic with numbers and names of columns."""

    def at(node: ast.AST) -> float:
        if isinstance(node, ast.Expression):
            return at(node.body)
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return float(node.value)
        if isinstance(node, ast.Name):
            return value_of(node.id)
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](at(node.left), at(node.right))
        raise ValueError

    try:
        return at(ast.parse(expression.strip(), mode="eval"))
    except (SyntaxError, ValueError):
        raise ReportError(f"'{expression}' is neither a column with a number nor arithmetic with columns") from None


def _fields(text: str) -> Dict[str, str]:
    pairs = [word.partition("=") for word in shlex.split(text)]
    if any(not sign for _, sign, _ in pairs):
        raise ReportError(f"'{text}' is not of the form name=value name=value")
    return {name: value for name, _, value in pairs}


def counters(path: Path) -> List[Dict[str, str]]:
    """The launches in a file of `make profile`: kernel, block and the counters, without their unit."""
    launches: Dict[str, Dict[str, str]] = {}
    for _, line in read_table(path, ("ID", "Kernel Name", "Block Size", "Metric Name", "Metric Value")):
        launch = launches.setdefault(
            line["ID"],
            {
                "kernel": line["Kernel Name"].partition("(")[0].partition("<")[0].split()[-1],
                "launch": line["ID"],
                "block": line["Block Size"],
            },
        )
        launch[line["Metric Name"].partition(".")[0]] = line["Metric Value"].replace(",", "")
    return list(launches.values())


class Sources:
    """Where numbers come from: committed CSV files, each read when a key first names it."""

    def __init__(self, root: Path):
        self.root = root
        self._tables: Dict[Tuple[str, bool], List[Any]] = {}

    def rows(self, source: str, sweep: bool = False) -> List[Any]:
        """Our selected rows of a folder, launches with counters, or the lines of a table of study/data/. sweep: of what a sweep
        has, too, that row."""
        at = source, sweep
        if at not in self._tables:
            columns = {"published": PUBLISHED_COLUMNS, "originals": ORIGINAL_COLUMNS}.get(source)
            if columns:
                path = self.root / "study" / "data" / f"{source}.csv"
                self._tables[at] = [fields for _, fields in read_table(path, columns)]
            elif "/profile/" in source:
                self._tables[at] = counters(self.root / "results" / "reference" / f"{source}.csv")
            elif source.endswith(("/peers", "/clips")) or source == "savings":
                path = self.root / "results" / "reference" / f"{source}.csv"
                if source == "savings":
                    path = self.root / "labs" / "10_noise_filter" / "savings.csv"
                self._tables[at] = [fields for _, fields in read_table(path, ())]
            else:
                self._tables[at] = select(read_folder(self.root / "results" / "reference" / source), sweep)
        return self._tables[at]

    def each(self, source: str, *wanted: Fields) -> List[Any]:
        """The one row with each of these fields; where one is of a sweep, all are, as far as it has them."""
        rows = [self._one(source, fields) for fields in wanted]
        if any(isinstance(row, Row) and row.sweep for row in rows):
            rows = [self._one(source, fields, sweep=True) for fields in wanted]
        return rows

    def _one(self, source: str, wanted: Fields, sweep: bool = False) -> Any:
        def field(row: Any, name: str) -> Optional[str]:
            return (row.text if isinstance(row, Row) else row).get(name)

        found = [
            row for row in self.rows(source, sweep) if all(field(row, name) == value for name, value in wanted.items())
        ]
        if len(found) != 1:
            raise ReportError(
                f"{len(found)} rows of {source} have "
                + " ".join(f"{name}={value}" for name, value in wanted.items())
                + ", expected one"
            )
        return found[0]


def _value(row: Any, what: str) -> float:
    def value_of(name: str) -> float:
        if isinstance(row, Row):
            value = getattr(row, name) if name in OF_A_ROW else row.number.get(name)
            if value is None:
                raise ValueError
            return float(value)
        if not NUMBER.fullmatch(row.get(name, "")):
            raise ValueError
        return float(row[name])

    return _worked_out(what, value_of)


class Value(NamedTuple):
    """The number of a key, and the digits after the point that it asks for."""

    number: float
    digits: str
    second: Optional[float] = None  # of a ratio of two of our rows: that of the second run, if it has both
    margin: float = 0.0  # what two runs may differ by

    @property
    def contradicted(self) -> bool:
        """Whether the second run has the opposite order, and not because both times are the same."""
        sides = [one - 1 for one in (self.number, self.second or self.number)]
        return min(sides) < 0 < max(sides) and max(map(abs, sides)) > OF_KERNEL


def value_of(key: str, sources: Sources) -> Value:
    """The number of a key."""
    parts = KEY.fullmatch(" ".join(key.split()))
    if parts is None:
        raise ReportError("expected SOURCE name=value ... : COLUMN")
    wanted = [_fields(parts["fields"])]
    if parts["other"]:
        wanted.append({**wanted[0], **_fields(parts["other"])})

    def ratio(source: str) -> Tuple[float, float]:
        rows = sources.each(source, *wanted)
        value, *other = (_value(row, parts["what"]) for row in rows)
        return value / (other[0] if other else 1), max(row.margin if isinstance(row, Row) else 0.0 for row in rows)

    number, margin = ratio(parts["source"])
    again = f"{parts['source']}/{SECOND_RUN}"
    if not parts["other"] or not (sources.root / "results" / "reference" / again).is_dir():
        return Value(number, parts["digits"] or "")
    try:
        return Value(number, parts["digits"] or "", ratio(again)[0], margin)
    except ReportError:  # not measured again
        return Value(number, parts["digits"] or "")


def written(value: float, digits: str = "") -> str:
    return f"{value:.{digits}f}" if digits else number(value)


def worked_out(key: str, sources: Sources) -> str:
    """The number of a key, as it is written; an error where the second run of the machine contradicts it."""
    value = value_of(key, sources)
    if value.contradicted:
        raise ReportError(
            f"the second run contradicts {written(value.number)}: there it is {written(value.second or 0)}"
        )
    return written(value.number, value.digits)


def filled(text: str, sources: Sources) -> str:
    """The text with the number of each `[[KEY]]`; "not measured" without its row."""

    def new(found: "re.Match[str]") -> str:
        try:
            return worked_out(found[1], sources)
        except ReportError:
            return "(not measured)"

    return BRACKETS.sub(new, text)
