# SPDX-License-Identifier: MIT
"""The tables and figures of the five reports (report/make/paper/data/artefacts.ini), each made again from our rows by its shape."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas

from report.make.plots.files import ReportError
from report.make.plots.words import joined

from ..content import Section
from ..measurements.keyed import Sources, filled
from ..measurements.machine import Results
from ..measurements.published import Published
from .conclusions import Judged
from .gather import Gathered, Specification, gather, read_specifications
from .rules import MISSING
from .tables import heat, lines, versions

SHAPES: dict[str, Callable[[Gathered], list[Any]]] = {
    "heat": heat,
    "lines": lines,
    "versions": versions,
    "text": lambda gathered: [gathered.note] * ("(not measured)" not in gathered.note),
    "parts": lambda _: [],
}


@dataclass(frozen=True)
class Artefact:
    """A table or figure of a report, and what was made of it here."""

    specification: Specification
    section: Section

    @property
    def at(self) -> str:
        """ "ariano2023 Figure 10"."""
        return f"{self.specification.report} {self.specification.name}"

    @property
    def gap(self) -> str:
        """What of it was not measured or not drawn; nothing if all was."""
        if self.section.missing:
            return self.section.missing
        shown = self.section.rows is not None and len(self.section.rows)
        if not shown and (self.specification["shape"] != "text" or self.specification["not measured"]):
            return "no variant has a time"
        return self.section.partly

    @property
    def unmeasured(self) -> str:
        """What was not measured, or why, as the report states it; nothing if all was."""
        return self.gap and (self.specification["not measured"] or self.gap)


def make_all(path: Path, results: Results, published: Published, sources: Sources) -> list[Artefact]:
    """Every artefact of the file."""
    parts: dict[Any, list[Specification]] = {}
    for one in read_specifications(path):
        parts.setdefault((one.report, one.name), []).append(one)
    return [_made(same, results, published, sources) for same in parts.values()]


def _made(parts: Sequence[Specification], results: Results, published: Published, sources: Sources) -> Artefact:
    """An artefact of one section, or of several parts."""
    first, items, shown, absent = parts[0], [], [], []
    for part in parts:
        if part["shape"] not in SHAPES:
            where, words = f"report/make/paper/data/artefacts.ini: {part.report} {part.name}", joined(SHAPES)
            raise ReportError(f"{where} has the shape '{part['shape']}', known are {words}")
        gathered = gather(part, results, published)
        gathered.note = filled(part["note"], sources)
        found = SHAPES[part["shape"]](gathered)
        if found:
            shown.append(gathered)
        elif part["shape"] != "parts":
            absent.append(part)
        items += found
    section = Section(f"{first.name}: {first['shows']}")
    if not items:
        section.missing = absent[0]["needs"]
        return Artefact(first, section)
    above, after = first["above"], first["its program"]
    section.items = [above] * bool(above) + items + [after] * bool(after)
    section.partly = first["partly"] or joined([one.part for one in absent] or _absent(shown))
    section.rows = pandas.concat([one.rows for one in shown]).drop_duplicates("order")
    return Artefact(first, section)


def _absent(shown: Sequence[Gathered]) -> list[str]:
    """The series without rows, in an artefact of several."""
    several = [one for one in shown if one.specification["shape"] == "lines"]
    return list(dict.fromkeys(name for one in several for name in one.absent))


def report_sections(artefacts: Sequence[Artefact], report: str) -> list[Section]:
    """The sections of one report; of what was not measured, the sentence."""
    sections = []
    for one in artefacts:
        if one.specification.report == report:
            body = list(one.section.items)
            body += [f"Not measured: {one.unmeasured}."] * bool(one.gap)
            sections.append(replace(one.section, items=body))
    return sections


NAMED = 8  # the others are counted


def check_complete(folder: Path, made: Sequence[Artefact], judged: Sequence[Judged], wrong: Sequence[str] = ()) -> None:
    """An error that names the artefacts and verdicts without rows, and what sentences of the report say `wrong`."""
    missing = [f"artefact {one.at} ({one.gap})" for one in made if one.gap and not one.specification["not measured"]]
    for one in judged:
        both = (("variants", one.variants), ("the program", one.original))
        missing += [f"verdict {one.conclusion.id} ({who})" for who, verdict in both if verdict[0] == MISSING]
    if missing:
        more = f" and {len(missing) - NAMED} more" * (len(missing) > NAMED)
        raise ReportError(
            f"{folder} has no rows for {', '.join(missing[:NAMED])}{more}: measure them, or give the reason in "
            "report/make/paper/data/artefacts.ini (key 'not measured') or report/make/paper/data/conclusions.csv (no selector, a note)"
        )
    if wrong:
        raise ReportError(f"report/make/paper/templates: {'; '.join(dict.fromkeys(wrong))}: rewrite the sentence")
