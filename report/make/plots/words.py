# SPDX-License-Identifier: MIT
"""How values are written, and tables as Markdown, as HTML and for a terminal."""

import html
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

DASH = "–"
NOISY = "†"  # after the number of a row that the protocol marks as noisy
COLOURS = {1: "gray", 3: "RGB", 4: "RGBA"}  # by the number of channels


@dataclass
class Table:
    """A table of finished text under its caption. The first `left` columns are text, the others are numbers."""

    name: str
    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1
    fold: bool = False  # folded away in a text: long
    number: str = ""  # "Table 3" of a text that numbers its tables


@dataclass
class Figure:
    """The name of an SVG file in figures/ and what it shows; `draw` makes the matplotlib figure when it is needed."""

    name: str
    caption: str
    draw: Callable[[], Any]
    picture: bool = False  # a picture, whose colours stay as they are on a dark page
    number: str = ""  # "Figure 3" of a text that numbers its figures


def decimals(value: float) -> int:
    """Digits after the point that show three significant ones, at most six."""
    digits = 2 - math.floor(math.log10(abs(value))) if value and math.isfinite(value) else 2
    return min(6, max(0, digits))


def number(value: float | None) -> str:
    """Three significant digits; a dash for None or NaN."""
    return DASH if value is None or math.isnan(value) else f"{value:.{decimals(value)}f}"


def times(value: float | None) -> str:
    """A speed-up: "12.3x"."""
    return DASH if number(value) == DASH else f"{number(value)}x"


def percent(value: float | None) -> str:
    """A share in two digits: "41 %", "0.48 %"; never 100 % where something is missing: "99.8 %"."""
    if value is None or math.isnan(value):
        return DASH
    digits = min(6, max(0, 1 - math.floor(math.log10(100 * value)))) if value > 0 else 0
    while value < 1 and digits < 6 and round(100 * value, digits) == 100:
        digits += 1
    return f"{100 * value:.{digits}f} %"


def joined(names: Iterable[str]) -> str:
    """ "a, b and c"."""
    names = list(names)
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def plural(count: int, what: str) -> str:
    """ "1 row", "2 rows"."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def short(machine: str) -> str:
    """ "Xeon, 16 CPUs" of "Intel(R) Xeon(R) Processor, 16 CPUs", "H200" of "NVIDIA H200"."""
    words = re.sub(r"\((?:R|TM|C)\)|@ *[\d.]+ *GHz|\b(?:Intel|AMD|NVIDIA|\d+-Core|Processor|CPU)\b", " ", machine)
    return re.sub(r" +(,|$)", r"\1", " ".join(words.split())) or machine


def markdown_cell(text: str) -> str:
    return " ".join(re.sub(r"([\\|])", r"\\\1", text.replace("<", "&lt;")).split())


def to_markdown(table: Table) -> str:
    """The table without its caption; ends with a newline."""
    rule = ["---" if column < table.left else "---:" for column in range(len(table.header))]
    lines = [table.header, rule, *table.rows]
    return "".join("| " + " | ".join(map(markdown_cell, line)) + " |\n" for line in lines)


def html_words(text: str) -> str:
    """A sentence as HTML: what stands between backticks is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", html.escape(text))


def to_html(table: Table) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        kinds = ["" if column < table.left else " class=n" for column in range(len(cells))]
        return f"<tr>{''.join(f'<{tag}{kind}>{html_words(cell)}</{tag}>' for kind, cell in zip(kinds, cells))}</tr>\n"

    body = "".join(line(cells, "td") for cells in table.rows)
    return f"<p>{html_words(table.caption)}</p>\n<table>\n{line(table.header, 'th')}{body}</table>"


def to_text(table: Table) -> str:
    """Aligned for a terminal."""
    lines: list[Sequence[str]] = [table.header, *table.rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.header))]
    lines.insert(1, ["-" * width for width in widths])
    return f"{table.caption}\n\n" + "\n".join(
        "  ".join(
            cell.ljust(width) if column < table.left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))
        ).rstrip()
        for line in lines
    )
