# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Writing: report.md with its figures, and the README's table between two markers.

Everything is made in memory first; each file then appears whole or not at all.
"""

import html
import multiprocessing
import os
import re
import textwrap
from pathlib import Path
from typing import Any, Callable, Dict, List, Sequence, Set, Tuple, Union

import jinja2

from .figures.content import Figure, Section, Table, to_markdown
from .measurements.csv_file import ReportError

# Parts of a README, each between two markers.
RESULTS, ORIGINALS, PEERS, GENERALITY, FILES, SCALING = (
    "results",
    "originals",
    "peers",
    "generality",
    "files",
    "scaling",
)
Item = Union[str, Table, Figure]
TEMPLATES = Path(__file__).with_name("templates")
REPORTS = {
    "ariano2023": "L. Ariano, E. Bonanni: *Kernel Processing*, Parallel Computing, Università degli "
    "Studi di Firenze, 2022-2023.",
    "cazzola2024": "L. Cazzola, C. Dalvit: *Final Project - Parallel Image Processing*, Università di Trento, 2024.",
    "chisci2024": "M. Chisci: *Report 2D Convolution*, Parallel Programming for Machine Learning, "
    "Università degli Studi di Firenze, 2024.",
    "videostream2021": "*Assignment: CUDA Video Streaming*, 27 December 2021.",
    "delbimbo2024": "D. Del Bimbo: *Kernel Image Processing*, Università degli Studi di Firenze, 2024.",
}


def give_file_names(sections: Sequence[Section]) -> None:
    """Makes the names of tables and figures safe as file names, and different from each other."""
    taken: Set[str] = set()
    for section in sections:
        for item in section.items:
            if isinstance(item, str):
                continue
            kind = type(item).__name__
            base = re.sub(r"[^A-Za-z0-9_-]+", "_", item.name) or "unnamed"
            name, count = base, 1
            while f"{kind} {name}" in taken:
                count += 1
                name = f"{base}_{count}"
            taken.add(f"{kind} {name}")
            item.name = name


def as_text(table: Table) -> str:
    """A table below its caption; a long one opens when its caption is clicked."""
    if not table.fold:
        return f"{table.caption}\n\n{to_markdown(table)}"
    caption = html.escape(table.caption, quote=False)
    return f"<details><summary>Table: {caption}</summary>\n\n{to_markdown(table)}\n</details>\n"


def as_markdown(item: Item) -> str:
    """One item of a section, with links relative to report.md."""
    if isinstance(item, str):
        return item + "\n"
    if isinstance(item, Figure):
        alternative = item.caption.replace("[", "(").replace("]", ")")
        return (
            f"[![{alternative}](figures/{item.name}.svg)](figures/{item.name}.svg)\n\n*{item.number}. {item.caption}*\n"
        )
    return as_text(item) if item.fold else f"*{item.caption}*\n\n{to_markdown(item)}"


class Texts:
    """The report and its appendix from their templates. `show` writes an item as Markdown, or as a mark that becomes HTML. What
    the report picks by name, the appendix leaves out."""

    def __init__(self, parts: Dict[str, List[Section]], words: Dict[str, Any], show: Callable[[Item], str]):
        self.parts, self.words, self.show = parts, words, show
        self.items = {
            (type(item), item.name): item
            for sections in parts.values()
            for section in sections
            for item in section.items
            if not isinstance(item, str)
        }
        self.picked: Set[Tuple[type, str]] = set()
        self.report = self._rendered("report", "")
        self.appendix = self._rendered("appendix", "A")

    def _rendered(self, name: str, letter: str) -> str:
        self.letter, self.count = letter, 0  # of figures
        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(str(TEMPLATES)),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            keep_trailing_newline=True,
        )
        text = environment.get_template(f"{name}.md.j2").render(
            part=self._part,
            figure=lambda name: self._pick(Figure, name),
            table=lambda name: self._pick(Table, name),
            see=lambda name: f"\0{name}\0",
            reports=[{"name": name, "cite": cite} for name, cite in REPORTS.items()],
            **self.words,
        )
        text = re.sub("\0(.*?)\0", lambda found: self._number(found[1]), text)  # now all are numbered
        return re.sub(r"\n{3,}", "\n\n", text).lstrip()

    def _number(self, name: str) -> str:
        item = self.items.get((Figure, name))
        return item.number if item else f"(not measured: figure {name})"

    def _shown(self, item: Item) -> str:
        if isinstance(item, Figure):
            self.count += 1
            item.number = f"Figure {self.letter}{self.count}"
        return self.show(item)

    def _pick(self, kind: type, name: str) -> str:
        self.picked.add((kind, name))
        item = self.items.get((kind, name))
        text = self._shown(item).strip() if item else f"Not measured: {kind.__name__.lower()} {name}."
        return f"\n\n{text}\n\n"

    def _part(self, name: str) -> str:
        return "\n".join(map(self._section, self.parts[name])).strip()

    def _section(self, section: Section) -> str:
        def text(item: Item) -> str:
            if isinstance(item, str) or (type(item), item.name) not in self.picked:
                return self._shown(item)
            return f"{item.number if isinstance(item, Figure) else 'Table'}: [in the report](report.md).\n"

        return f"### {section.title}\n\n" + "\n".join(map(text, section.items))


_drawn: List[Figure] = []  # of files_of, for the processes that it forks


def _bytes_of(index: int) -> bytes:
    from .figures import drawing  # here, so that tables can be had without matplotlib

    return drawing.svg(_drawn[index].draw())


def files_of(sections: Sequence[Section]) -> Dict[str, bytes]:
    """The bytes of all figures by their path inside the report's folder; drawn on all cores."""
    _drawn[:] = [item for section in sections for item in section.items if isinstance(item, Figure)]
    if not _drawn:
        return {}
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        rendered = pool.map(_bytes_of, range(len(_drawn)), chunksize=1)
    return {f"figures/{item.name}.svg": data for item, data in zip(_drawn, rendered)}


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
    prefix = "" if folder in ("", ".") else folder.rstrip("/") + "/"
    if details:
        return f"{to_markdown(table)}\n{table.caption}; {details}. What they show: [report.md]({prefix}report.md)."
    return f"{table.caption}\n\n{to_markdown(table)}\n" + "\n\n".join(notes)


def readme_originals(summary: str, by_program: Table, folder: str) -> str:
    """A lab's part on the reports' own programs."""
    return (
        f"{summary} {by_program.caption} [Each program]({folder}/appendix.md#the-reports-own-programs-compared-with-ours)."
        f"\n\n{to_markdown(by_program)}"
    )
