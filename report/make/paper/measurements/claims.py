# SPDX-License-Identifier: MIT
"""Measured numbers in texts: claims.csv says of each `page` where its numbers come from, by a sentence or a column a line.

`key` has for each number the row and what is shown of it (keyed.py), in the order of the numbers: `KEY & KEY`, or
`... ksize=<3|5> ...` for a key with each.
- A sentence: words that stand once in the page, with {} for each of its numbers (and # for one that another line has).
- `column: TITLE`: the numbers of this column of a table between the markers `results`. A row is filled if its first cell names a
  variant's file in backticks, as `02_flat.cpp`; that name, flat, replaces the * of the key. A cell with a dash stays as it is.
  `column: TITLE / flat|simd` is for these variants alone, and counts before the column's other line, a sentence before both.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from report.make.plots.files import ReportError, read_table
from report.make.plots.words import DASH

from .keyed import Sources, worked_out

FILE = "report/make/claims.csv"
NUMBER = r"\d+(?:\.\d+)?"
ALONE = re.compile(rf"(?<![\w.]){NUMBER}(?!\.?\w)")  # not the 1 of "L1 cache", not the 5 of "5x5"
COLUMN = re.compile(r"column: (.+?)(?: / ([\w|]+))?")
PART = re.compile(r"<!-- results:begin -->.*?<!-- results:end -->", re.S)
CELL = re.compile(r"\|((?:\\.|[^|\\])*)(?=\|)")
VARIANT = re.compile(r"`\d\d_(\w+)\.c(?:u|pp)`")
STAR = re.compile(r"(?<=[=_/])\*")  # any other is of arithmetic


class Line(NamedTuple):
    """A line of claims.csv; `where` is for messages."""

    where: str
    sentence: str
    key: str


class Claim(NamedTuple):
    """A number and its place in the text of a page; `name` and `where` are for messages."""

    start: int
    stop: int
    key: str
    name: str
    where: str


class Cell(NamedTuple):
    """A cell of a row that names the file of a variant."""

    start: int
    text: str
    column: str
    variant: str


def read_claims(root: Path) -> dict[Path, list[Line]]:
    """The lines of claims.csv by their page."""
    pages: dict[Path, list[Line]] = {}
    for where, line in read_table(root / FILE, ("page", "sentence", "key")):
        page = pages.setdefault(root / line["page"], [])
        page.append(Line(f"{where}, {line['page']}", line["sentence"], line["key"]))
    return pages


def keys_of(text: str) -> list[str]:
    """The keys of a line, one for each of its numbers."""
    keys = []
    for key in text.split(" & "):
        each = re.search(r"<(.*?)>", key)
        keys += [key.replace(each[0], value) for value in each[1].split("|")] if each else [key]
    return keys


def cells_of(text: str) -> Iterator[Cell]:
    """The cells of the tables between the markers, but each row's first."""
    for part in PART.finditer(text):
        titles: list[str] = []
        end = -1
        for line in re.finditer(r"^\|.*$", part[0], re.M):
            first, *cells = [(cell[1].strip(), cell.start(1)) for cell in CELL.finditer(line[0])] or [("", 0)]
            if line.start() != end + 1:
                titles = [title for title, _ in cells]
            end = line.end()
            file = VARIANT.search(first[0])
            for title, (shown, at) in zip(titles, cells if file else ()):
                start = text.index(shown, part.start() + line.start() + at)
                yield Cell(start, shown, title, file[1] if file else "")


def _of_sentence(line: Line, keys: list[str], text: str) -> list[Claim]:
    """The numbers of a sentence; an error if it does not stand there once."""
    words = r"\s+".join(map(re.escape, line.sentence.split())).replace(r"\{\}", f"({NUMBER})").replace(r"\#", NUMBER)
    places = list(re.finditer(rf"(?<!\S){words}(?!\S)", text))
    if line.sentence.count("{}") != len(keys) or len(places) != 1:
        raise ReportError(
            f"{line.where}: '{line.sentence}' is there {len(places)} times, expected once, with a {{}} for the number of each "
            f"key ({len(keys)}): write the words as they stand there"
        )
    return [Claim(*places[0].span(group), key, f"'{line.sentence}'", line.where) for group, key in enumerate(keys, 1)]


def _of_cell(where: str, cell: Cell, keys: list[str]) -> list[Claim]:
    """The numbers of a cell; an error if it has not one for each key."""
    name = f"column '{cell.column}' of '{cell.variant}'"
    numbers = list(ALONE.finditer(cell.text))
    if len(numbers) != len(keys):
        raise ReportError(
            f"{where}, {name}: the cell is '{cell.text}', expected a number for each key ({len(keys)}); write any number, "
            f"or {DASH} if there is no row"
        )
    return [
        Claim(cell.start + number.start(), cell.start + number.end(), STAR.sub(cell.variant, key), name, where)
        for number, key in zip(numbers, keys)
    ]


def _of_column(
    where: str, title: str, only: str | None, keys: list[str], cells: list[Cell], taken: list[Claim]
) -> list[Claim]:
    """The numbers of a column that no line before has; an error if a named variant has none."""
    claims: list[Claim] = []
    names: set[str] = set(only.split("|")) if only else set()
    for cell in cells:
        stop = cell.start + len(cell.text)
        free = not any(cell.start <= claim.start < stop for claim in taken)
        if cell.column == title and free and cell.text != DASH and (not only or cell.variant in only.split("|")):
            claims += _of_cell(where, cell, keys)
            names.discard(cell.variant)
    if not claims or names:
        of = f" for {', '.join(sorted(names))}" if names else ""
        raise ReportError(
            f"{where}: no number below '{title}'{of} in a table between the markers <!-- results:begin --> and <!-- results:end -->: "
            "write the column's title, and in the first cell of the row the variant's file in backticks"
        )
    if not only and not all(map(STAR.search, keys)):
        raise ReportError(f"{where}: the key of a column has * instead of the variant's name")
    return claims


def found_in(lines: Sequence[Line], text: str) -> list[Claim]:
    """The numbers of a page, in the order of its text."""
    columns = [COLUMN.fullmatch(line.sentence) for line in lines]
    cells = list(cells_of(text))
    claims: list[Claim] = []
    for column, line in sorted(zip(columns, lines), key=lambda pair: 0 if not pair[0] else 1 if pair[0][2] else 2):
        keys = keys_of(line.key)
        if column:
            claims += _of_column(line.where, column[1], column[2], keys, cells, claims)
        else:
            claims += _of_sentence(line, keys, text)
    return sorted(claims)


def rewritten(page: Path, data: bytes, lines: Sequence[Line], sources: Sources) -> tuple[bytes, list[str]]:
    """The page with every number worked out again, and a sentence for each that was stale."""
    text, stale = data.decode(), []
    for claim in reversed(found_in(lines, text)):
        shown = text[claim.start : claim.stop]
        try:
            value = worked_out(claim.key, sources)
        except ReportError as error:
            raise ReportError(f"{claim.where}, {claim.name}: {error}") from None
        if value != shown:
            line = text.count("\n", 0, claim.start) + 1
            stale.append(f"{page}, line {line}, {claim.name}: the text says {shown}, the rows say {value}")
        text = text[: claim.start] + value + text[claim.stop :]
    return text.encode(), stale[::-1]
