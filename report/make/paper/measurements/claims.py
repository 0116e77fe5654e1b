# SPDX-License-Identifier: MIT
"""Measured numbers in texts: claims.csv says where those of the Markdown files beside it come from.

A line of claims.csv is a sentence or a column. Its `key` has for each number the row and what is shown of it (keyed.py), in the
order of the numbers: `KEY & KEY`, or `... ksize=<3|5> ...` for a key with each.
- A sentence: words that stand once in these files, with {} for each of its numbers (and # for one that another line has).
- `column: TITLE`: the numbers of this column of a table between the markers `results`. A row is filled if its first cell names a
  variant's file in backticks, as `02_flat.cpp`; that name, flat, replaces the * of the key. A cell with a dash stays as it is.
  `column: TITLE / flat|simd` is for these variants alone, and counts before the column's other line, a sentence before both.

`make report` rewrites the numbers, `make test` fails if one is stale.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from report.make.plots.files import ReportError, read_table
from report.make.plots.words import DASH

from .keyed import Sources, worked_out

NAME = "claims.csv"
NUMBER = r"\d+(?:\.\d+)?"
ALONE = re.compile(rf"(?<![\w.]){NUMBER}(?!\.?\w)")  # not the 1 of "L1 cache", not the 5 of "5x5"
COLUMN = re.compile(r"column: (.+?)(?: / ([\w|]+))?")
PART = re.compile(r"<!-- results:begin -->.*?<!-- results:end -->", re.S)
CELL = re.compile(r"\|((?:\\.|[^|\\])*)(?=\|)")
FILE = re.compile(r"`\d\d_(\w+)\.c(?:u|pp)`")
STAR = re.compile(r"(?<=[=_/])\*")  # any other is of arithmetic
Texts = Mapping[Path, str]  # by file


class Claim(NamedTuple):
    """A number and its place in the text of a file; `name` and `where` are for messages."""

    page: Path
    start: int
    stop: int
    key: str
    name: str
    where: str


class Cell(NamedTuple):
    """A cell of a row that names the file of a variant."""

    page: Path
    start: int
    text: str
    column: str
    variant: str


def keys_of(text: str) -> list[str]:
    """The keys of a line, one for each of its numbers."""
    found = []
    for key in text.split(" & "):
        each = re.search(r"<(.*?)>", key)
        found += [key.replace(each[0], one) for one in each[1].split("|")] if each else [key]
    return found


def cells_of(texts: Texts) -> Iterator[Cell]:
    """The cells of the tables between the markers, but each row's first."""
    for page, text in texts.items():
        for part in PART.finditer(text):
            titles: list[str] = []
            end = -1
            for line in re.finditer(r"^\|.*$", part[0], re.M):
                first, *cells = [(found[1].strip(), found.start(1)) for found in CELL.finditer(line[0])] or [("", 0)]
                if line.start() != end + 1:
                    titles = [title for title, _ in cells]
                end = line.end()
                file = FILE.search(first[0])
                for title, (shown, at) in zip(titles, cells if file else ()):
                    start = text.index(shown, part.start() + line.start() + at)
                    yield Cell(page, start, shown, title, file[1] if file else "")


def _of_sentence(where: str, sentence: str, keys: list[str], texts: Texts) -> list[Claim]:
    """The numbers of a sentence; an error if it does not stand there once."""
    words = r"\s+".join(map(re.escape, sentence.split())).replace(r"\{\}", f"({NUMBER})").replace(r"\#", NUMBER)
    pattern = re.compile(rf"(?<!\S){words}(?!\S)")
    places = [(page, place) for page, text in texts.items() for place in pattern.finditer(text)]
    if sentence.count("{}") != len(keys) or len(places) != 1:
        raise ReportError(
            f"{where}: '{sentence}' is {len(places)} times in {' and '.join(map(str, texts))}, expected once, with a {{}} for the "
            f"number of each key ({len(keys)}): write the words as they stand there"
        )
    ((page, place),) = places
    return [Claim(page, *place.span(group), key, f"'{sentence}'", where) for group, key in enumerate(keys, 1)]


def _of_cell(where: str, cell: Cell, keys: list[str]) -> list[Claim]:
    """The numbers of a cell; an error if it has not one for each key."""
    name = f"column '{cell.column}' of '{cell.variant}'"
    numbers = list(ALONE.finditer(cell.text))
    if len(numbers) != len(keys):
        raise ReportError(
            f"{where}: {cell.page}, {name}: the cell is '{cell.text}', expected a number for each key ({len(keys)}); write any number, "
            f"or {DASH} if there is no row"
        )
    return [
        Claim(cell.page, cell.start + found.start(), cell.start + found.end(), STAR.sub(cell.variant, key), name, where)
        for found, key in zip(numbers, keys)
    ]


def _of_column(
    where: str, title: str, only: str | None, keys: list[str], cells: list[Cell], taken: list[Claim]
) -> list[Claim]:
    """The numbers of a column that no line before has; an error if a named variant has none."""
    found: list[Claim] = []
    names: set[str] = set(only.split("|")) if only else set()
    for cell in cells:
        stop = cell.start + len(cell.text)
        free = not any(one.page == cell.page and cell.start <= one.start < stop for one in taken)
        if cell.column == title and free and cell.text != DASH and (not only or cell.variant in only.split("|")):
            found += _of_cell(where, cell, keys)
            names.discard(cell.variant)
    if not found or names:
        of = f" for {', '.join(sorted(names))}" * bool(names)
        raise ReportError(
            f"{where}: no number below '{title}'{of} in a table between the markers <!-- results:begin --> and <!-- results:end -->: "
            "write the column's title, and in the first cell of the row the variant's file in backticks"
        )
    if not only and not all(map(STAR.search, keys)):
        raise ReportError(f"{where}: the key of a column has * instead of the variant's name")
    return found


def found_in(table: Path, texts: Texts) -> list[Claim]:
    """The numbers of a claims.csv in the texts of the files beside it, in the order of the texts."""
    lines = [
        (where, COLUMN.fullmatch(line["sentence"]), line) for where, line in read_table(table, ("sentence", "key"))
    ]
    cells = list(cells_of(texts))
    found: list[Claim] = []
    for where, column, line in sorted(lines, key=lambda one: 0 if not one[1] else 1 if one[1][2] else 2):
        keys = keys_of(line["key"])
        if column:
            found += _of_column(where, column[1], column[2], keys, cells, found)
        else:
            found += _of_sentence(where, line["sentence"], keys, texts)
    return sorted(found, key=lambda claim: (claim.page, claim.start))


def rewritten(table: Path, pages: Mapping[Path, bytes], sources: Sources) -> tuple[dict[Path, bytes], list[str]]:
    """The files with every number of this claims.csv worked out again, and a sentence for each that was stale."""
    texts, stale = {page: data.decode() for page, data in pages.items()}, []
    for claim in reversed(found_in(table, texts)):
        text = texts[claim.page]
        shown = text[claim.start : claim.stop]
        try:
            value = worked_out(claim.key, sources)
        except ReportError as error:
            raise ReportError(f"{claim.where}, {claim.name}: {error}") from None
        if value != shown:
            line = text.count("\n", 0, claim.start) + 1
            stale.append(f"{claim.page}, line {line}, {claim.name}: the text says {shown}, the rows say {value}")
        texts[claim.page] = text[: claim.start] + value + text[claim.stop :]
    return {page: text.encode() for page, text in texts.items()}, stale[::-1]
