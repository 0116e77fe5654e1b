# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The parts of a README that are made from rows, each between two markers."""

import textwrap
from pathlib import Path
from typing import List, Tuple

from tools.plots.files import ReportError

from .figures.content import Table, to_markdown

RESULTS, ORIGINALS, PEERS, GENERALITY, FILES, SCALING = "results originals peers generality files scaling".split()


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
    """The README's bytes; an error where a part has not its two markers, once each and in order. A
    README must have the results, and may have the other parts."""
    data = read_text(path)
    for part in (RESULTS, ORIGINALS, PEERS, GENERALITY):
        begin, end = _markers(part)
        if part != RESULTS and not has_part(data, part):
            continue
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


def readme_text(table: Table, notes: List[str], folder: str, details: str = "") -> str:
    """The README's part: table, notes and the link to the report in `folder`. The table of the labs has its provenance below."""
    if details:
        return f"{to_markdown(table)}\n{table.caption}; {details}. What they show: [report.md]({folder}/report.md)."
    return f"{table.caption}\n\n{to_markdown(table)}\n" + "\n\n".join(notes)


def readme_originals(summary: str, by_program: Table, folder: str) -> str:
    """A lab's part on the reports' own programs."""
    return (
        f"{summary} {by_program.caption} [Each program]({folder}/appendix.md#the-reports-own-programs-compared-with-ours)."
        f"\n\n{to_markdown(by_program)}"
    )
