# SPDX-License-Identifier: MIT
"""The texts of the report and its appendix from their templates, and the bytes of their figures."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2

from report.make.plots.style import svg
from report.make.plots.words import Figure, Table, joined, to_markdown

from .content import Section, as_text

Item = str | Table | Figure
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


def shown(text: str) -> str:
    """The text with sizes as a person writes them: 8K, not 8k, the option of `lab bench`."""
    return re.sub(r"(?<![\w=/.,-])([48])k\b(?!=)", r"\1K", text)


def give_file_names(sections: Sequence[Section]) -> None:
    """Makes the names of tables and figures safe as file names, and different from each other."""
    taken: set[tuple[type, str]] = set()
    for item in (item for section in sections for item in section.items if not isinstance(item, str)):
        base = re.sub(r"[^A-Za-z0-9_-]+", "_", item.name) or "unnamed"
        names = itertools.chain([base], (f"{base}_{count}" for count in itertools.count(2)))
        item.name = next(name for name in names if (type(item), name) not in taken)
        taken.add((type(item), item.name))


def environment() -> jinja2.Environment:
    """What renders the templates; a name that they have not is an error."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(str(TEMPLATES)),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )


def as_markdown(item: Item) -> str:
    """One item of a section, with links relative to report.md."""
    if isinstance(item, str):
        return item + "\n"
    if isinstance(item, Figure):
        picture = f"figures/{item.name}.svg"
        return f"[![{item.name}]({picture})]({picture})\n\n*{item.number}. {item.caption}*\n"
    return as_text(item) if item.fold else f"*{item.number}. {item.caption}*\n\n{to_markdown(item)}"


class Texts:
    """The report and its appendix from their templates. What the report picks by name, the appendix leaves out."""

    def __init__(self, parts: dict[str, list[Section]], words: dict[str, Any]):
        self.parts, self.words = parts, words
        items = [item for sections in parts.values() for section in sections for item in section.items]
        self.items = {(type(item), item.name): item for item in items if not isinstance(item, str)}
        self.picked: set[tuple[type, str]] = set()
        self.report = self._rendered("report", "")
        self.appendix = self._rendered("appendix", "A")

    def _rendered(self, name: str, letter: str) -> str:
        self.letter, self.counts = letter, Counter()  # of figures and tables
        text = (
            environment()
            .get_template(f"{name}.md.j2")
            .render(
                part=self._part,
                figure=lambda name: self._pick(Figure, name),
                table=lambda name: self._pick(Table, name),
                numbered=self._numbered,
                see=lambda name: f"\0Figure {name}\0",
                see_table=lambda name: f"\0Table {name}\0",
                reports=[{"name": name, "cite": cite} for name, cite in REPORTS.items()],
                **self.words,
            )
        )
        text = re.sub("\0(.*?) (.*?)\0", lambda match: self._number(*match.groups()), text)  # now all are numbered
        return shown(re.sub(r"\n{3,}", "\n\n", text).lstrip())

    def _number(self, kind: str, name: str) -> str:
        item = self.items.get(({"Figure": Figure, "Table": Table}[kind], name))
        return item.number if item else f"(not measured: {kind.lower()} {name})"

    def _numbered(self, name: str, caption: str) -> str:
        """The caption of a table that a template contains."""
        self.items[Table, name] = table = Table(name, caption, [], [])
        return self._shown(table).split("\n")[0]

    def _shown(self, item: Item) -> str:
        if not isinstance(item, str):
            kind = type(item).__name__
            self.counts[kind] += 1
            item.number = f"{kind} {self.letter}{self.counts[kind]}"
        return as_markdown(item)

    def _pick(self, kind: type, name: str) -> str:
        self.picked.add((kind, name))
        item = self.items.get((kind, name))
        text = self._shown(item).strip() if item else f"Not measured: {kind.__name__.lower()} {name}."
        return f"\n\n{text}\n\n"

    def _part(self, name: str) -> str:
        return "\n".join(map(self._section, self.parts[name])).strip()

    def _section(self, section: Section) -> str:
        picked = [item for item in section.items if (type(item), getattr(item, "name", "")) in self.picked]
        text = "\n".join(self._shown(item) for item in section.items if item not in picked)
        there = f"\nIn [the report](report.md): {joined(item.number for item in picked)}.\n" if picked else ""
        return f"### {section.title}\n\n{text}{there}"


def files_of(figures: Sequence[Figure]) -> dict[str, bytes]:
    """The bytes of all figures by their path inside the report's folder."""
    drawn = {f"figures/{item.name}.svg": svg(item.draw()).decode() for item in figures}
    return {
        path: re.sub("(?<=>)[^<>]+(?=<)", lambda match: shown(match[0]), text).encode() for path, text in drawn.items()
    }
