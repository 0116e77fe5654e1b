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
    "text": lambda gathered: [gathered.note] if "(not measured)" not in gathered.note else [],
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
    for part in read_specifications(path):
        parts.setdefault((part.report, part.name), []).append(part)
    return [_made(group, results, published, sources) for group in parts.values()]


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
    section.items = [item for item in (above, *items, after) if item]
    section.partly = first["partly"] or joined([part.part for part in absent] or _absent(shown))
    section.rows = pandas.concat([gathered.rows for gathered in shown]).drop_duplicates("order")
    return Artefact(first, section)


def _absent(shown: Sequence[Gathered]) -> list[str]:
    """The series without rows, in an artefact of several."""
    several = [gathered for gathered in shown if gathered.specification["shape"] == "lines"]
    return list(dict.fromkeys(name for gathered in several for name in gathered.absent))


def report_sections(artefacts: Sequence[Artefact], report: str) -> list[Section]:
    """The sections of one report; of what was not measured, the sentence."""
    sections = []
    for artefact in artefacts:
        if artefact.specification.report == report:
            body = list(artefact.section.items)
            if artefact.gap:
                body += [f"Not measured: {artefact.unmeasured}."]
            sections.append(replace(artefact.section, items=body))
    return sections


NAMED = 8  # the others are counted


def check_complete(folder: Path, made: Sequence[Artefact], judged: Sequence[Judged], wrong: Sequence[str] = ()) -> None:
    """An error that names the artefacts and verdicts without rows, and what sentences of the report say `wrong`."""
    gaps = [artefact for artefact in made if artefact.gap and not artefact.specification["not measured"]]
    missing = [f"artefact {artefact.at} ({artefact.gap})" for artefact in gaps]
    for judgement in judged:
        both = (("variants", judgement.variants), ("the program", judgement.original))
        missing += [f"verdict {judgement.conclusion.id} ({who})" for who, verdict in both if verdict[0] == MISSING]
    if missing:
        more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
        raise ReportError(
            f"{folder} has no rows for {', '.join(missing[:NAMED])}{more}: measure them, or give the reason in "
            "report/make/paper/data/artefacts.ini (key 'not measured') or report/make/paper/data/conclusions.csv (no selector, a note)"
        )
    if wrong:
        raise ReportError(f"report/make/paper/templates: {'; '.join(dict.fromkeys(wrong))}: rewrite the sentence")
