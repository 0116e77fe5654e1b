# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The parts of a README that are made from rows, each between two markers."""

import textwrap
from pathlib import Path
from typing import Tuple

from tools.plots.files import ReportError

from .figures.content import Table, to_markdown

RESULTS, PEERS, FILES, RUNS = "results peers files runs".split()


def _markers(part: str) -> Tuple[bytes, bytes]:
    return f"<!-- {part}:begin -->".encode(), f"<!-- {part}:end -->".encode()


def has_part(data: bytes, part: str) -> bool:
    """Whether the README has a marker of this part."""
    return any(marker in data for marker in _markers(part))


def read_text(path: Path) -> bytes:
    """The bytes of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from None


def read_readme(path: Path) -> bytes:
    """The README's bytes; an error if it has not the two markers of its results, once each and in order."""
    data = read_text(path)
    begin, end = _markers(RESULTS)
    if data.count(begin) != 1 or data.count(end) != 1 or data.index(begin) > data.index(end):
        raise ReportError(
            f"{path} was left as it is: expected one line {begin.decode()} and after it one line {end.decode()}"
        )
    return data


def _wrapped(text: str) -> str:
    """The text with its paragraphs in lines of at most 140; tables, pictures and HTML stay."""
    return "\n".join(
        line
        if line.startswith(("|", "!", "<", "#"))
        else textwrap.fill(line, 140, break_long_words=False, break_on_hyphens=False)
        for line in text.split("\n")
    )


def with_part(data: bytes, part: str, text: str) -> bytes:
    """The README with `text` between the part's markers; all other bytes stay."""
    begin, end = _markers(part)
    start, stop = data.index(begin) + len(begin), data.index(end)
    new_line = b"\r\n" if b"\r\n" in data else b"\n"
    block = b"\n\n" + _wrapped(text.strip()).encode() + b"\n\n"
    return data[:start] + block.replace(b"\n", new_line) + data[stop:]


def with_table(data: bytes, part: str, table: Table) -> bytes:
    """The README with this table instead of that between the part's markers; the words there stay."""
    begin, end = _markers(part)
    lines = data[data.index(begin) + len(begin) : data.index(end)].decode().split("\n")
    words = "\n".join(line.rstrip("\r") for line in lines if not line.startswith("|"))
    return with_part(data, part, f"{to_markdown(table)}\n{words.strip()}")
