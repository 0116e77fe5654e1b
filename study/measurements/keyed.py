# SPDX-License-Identifier: MIT
"""Measured numbers by their key, as `originals program=heat_map_v1 width=1920 block=1x1024 : mean_us/1000`. All numbers in
texts are made here: in the READMEs (claims.py), in the report's sentences (sentences.py), and `[[KEY]]` in study/data/.

A key names a source, fields that exactly one row of it has, and what of the row is shown: a column, or arithmetic with
columns. Sources: a folder of results/reference; a file in one, as `h200_16_cpus/peers` or, of Nsight Compute,
`h200_16_cpus/profile/03_cuda_global_padded_4k`; `published`, `originals`; lab 10's `savings`; `here`, the rows that the report is made
of, where fields are those of a selector (points.py), and the protocol's row counts, or the fastest of a sweep. If several rows have the fields, the one
of a 5x5 Gaussian of the RGB scene counts (points.py, DEFAULTS), and of the protocol, not of a sweep. `over` and other fields, and `of` and another
column, divide it by that of another row. `; 1`: digits after the point, instead of three significant ones. A ratio that the second
run of the same machine contradicts is an error.
"""

import ast
import re
from typing import Any, Callable, NamedTuple, Optional, Tuple

from tools.plots.files import NUMBER, ReportError
from tools.plots.rows import OF_KERNEL, Row

from ..figures.content import number
from .points import completed, selected
from .results import SECOND_RUN
from .sources import HERE, Sources

BRACKETS = re.compile(r"\[\[(.+?)\]\]")  # a key in a text that is made anew each time
KEY = re.compile(
    r"(?P<source>\S+) (?P<fields>.*?) ?: (?P<what>.+?)( over (?P<other>.+?)( of (?P<per>\S+))?)?( ?; (?P<digits>\d))?"
)
ARITHMETIC = (ast.Expression, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Constant, ast.Name, ast.Load)
OF_A_ROW = ("ms", "total_ms", "ns_per_pixel", "ceiling", "of_ceiling")  # what one of our rows has beside its columns


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


def _value(row: Any, what: str) -> float:
    def value_of(name: str) -> float:
        if isinstance(row, Row):
            value = getattr(row, name) if name in OF_A_ROW else row.number.get(name)
        else:
            value = row[name] if NUMBER.fullmatch(row.get(name, "")) else None
        if value is None:
            raise ValueError
        return float(value)

    return _worked_out(what, value_of)


class Value(NamedTuple):
    """The number of a key, and the digits after the point that it asks for."""

    number: float
    digits: str
    second: Optional[float] = None  # of a ratio of two of our rows: in the second run, if it has both
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

    def ratio(source: str) -> Tuple[float, float]:
        rows = sources.each(source, *fields)
        columns = parts["what"], parts["per"] or parts["what"]
        value, *other = (_value(row, column) for row, column in zip(rows, columns))
        return value / (other[0] if other else 1), max(row.margin if isinstance(row, Row) else 0.0 for row in rows)

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
