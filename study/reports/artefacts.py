# SPDX-License-Identifier: MIT
"""The tables and figures of the five reports (study/data/artefacts.ini), each made again from our rows by its shape."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Sequence

import pandas
from pandas import DataFrame

from tools.plots.files import ReportError

from ..figures.content import Section, Table, joined
from ..measurements.keyed import Sources, filled
from ..measurements.published import Published
from ..measurements.results import Results
from .conclusions import Judged
from .gather import ORIGINAL, PUBLISHED, Gathered, gather
from .heat import heat
from .lines import lines
from .rules import MISSING
from .specification import Specification, read_specifications
from .tables import versions

SHAPES: Dict[str, Callable[[Gathered], List[Any]]] = {
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
    def report(self) -> str:
        return self.specification.report

    @property
    def name(self) -> str:
        return self.specification.name

    @property
    def not_measured(self) -> str:
        """Why it is meant to have no rows."""
        return self.specification["not measured"]

    @property
    def timed(self) -> DataFrame:
        """Our rows that it shows and that have a time."""
        return DataFrame(columns=["order"]) if self.section.rows is None else self.section.rows

    @property
    def gap(self) -> str:
        """What of it was not measured or not drawn; nothing if all was."""
        if self.section.missing:
            return self.section.missing
        if self.timed.empty and (self.specification["shape"] != "text" or self.not_measured):
            return "no variant has a time"
        return self.section.partly

    @property
    def unmeasured(self) -> str:
        """What was not measured, or why, as the report states it; nothing if all was."""
        return self.gap and (self.not_measured or self.gap)


def make_all(path: Path, results: Results, published: Published, sources: Sources) -> List[Artefact]:
    """Every artefact of the file."""
    parts: Dict[Any, List[Specification]] = {}
    for one in read_specifications(path):
        parts.setdefault((one.report, one.name), []).append(one)
    return [_made(same, results, published, sources) for same in parts.values()]


def _made(parts: Sequence[Specification], results: Results, published: Published, sources: Sources) -> Artefact:
    """An artefact of one section, or of several parts."""
    first, items, shown, absent = parts[0], [], [], []
    for part in parts:
        if part["shape"] not in SHAPES:
            where, words = f"study/data/artefacts.ini: {part.report} {part.name}", joined(SHAPES)
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
    section.published, section.originals = _count(shown, PUBLISHED), _count(shown, ORIGINAL)
    return Artefact(first, section)


def _count(shown: Sequence[Gathered], who: str) -> int:
    """How many numbers of one source are shown; those that several parts show count once."""
    return pandas.concat([gathered.shown(who)["source"] for gathered in shown]).nunique()


def _absent(shown: Sequence[Gathered]) -> List[str]:
    """The series without rows, in an artefact of several."""
    several = [one for one in shown if one.specification["shape"] == "lines"]
    return list(dict.fromkeys(name for one in several for name in one.absent))


def anchor(artefact: Artefact) -> str:
    """The name of an artefact in links."""
    return f"{artefact.report}-{artefact.name}".lower().replace(" ", "-")


def coverage(artefacts: Sequence[Artefact], reports: Iterable[str]) -> Table:
    """A line for each of these reports: how many artefacts, how many numbers they show, and what of them was not measured."""
    lines = []
    for report in reports:
        same = [one for one in artefacts if one.report == report]
        counts = [(one.section.published, one.section.originals, len(one.timed)) for one in same]
        gaps = "; ".join(f"[{one.name}](#{anchor(one)}): {one.unmeasured}" for one in same if one.gap)
        lines.append([report, *map(str, (len(same), *map(sum, zip(*counts)))), gaps])
    caption = (
        "The reports' tables and figures with measurements, how many numbers they show, and what was not measured; "
        "videostream2021's three plots without a number are named by their section."
    )
    return Table(
        "coverage", caption, ["report", "artefacts", "published", "original", "variants", "not measured"], lines
    )


def _all_numbers(artefact: Artefact, results: Path, out: Path) -> List[str]:
    """Where the numbers are that no table shows."""
    shape, table = artefact.specification["shape"], artefact.specification["table"]
    if artefact.timed.empty or (shape not in ("heat", "parts") and table != "no"):
        return []
    timed = artefact.timed
    files = sorted(set(timed["lab"] + timed["sweep"].map({True: "_sweep.csv", False: ".csv"})))
    links = [f"[{name}]({os.path.relpath(results / name, out)})" for name in files]
    return [f"All {len(artefact.timed)} times are in {joined(links)}."]


def report_sections(artefacts: Sequence[Artefact], report: str, results: Path, out: Path) -> List[Section]:
    """The sections of one report, with links from the folder `out` to the files in `results`; of what was not measured, the sentence."""
    sections = []
    for one in artefacts:
        if one.report == report:
            body = [f'<a id="{anchor(one)}"></a>', *one.section.items]
            body += _all_numbers(one, results, out)
            body += [f"Not measured: {one.unmeasured}."] * bool(one.gap)
            sections.append(replace(one.section, items=body))
    return sections


NAMED = 8  # the others are counted


def check_complete(folder: Path, made: Sequence[Artefact], judged: Sequence[Judged], wrong: Sequence[str] = ()) -> None:
    """An error that names the artefacts and verdicts without rows, and what sentences of the report say `wrong`."""
    missing = [f"artefact {one.report} {one.name} ({one.gap})" for one in made if one.gap and not one.not_measured]
    for one in judged:
        both = (("variants", one.variants), ("the program", one.original))
        missing += [f"verdict {one.conclusion.id} ({who})" for who, verdict in both if verdict[0] == MISSING]
    if missing:
        more = f" and {len(missing) - NAMED} more" * (len(missing) > NAMED)
        raise ReportError(
            f"{folder} has no rows for {', '.join(missing[:NAMED])}{more}: measure them, or give the reason in "
            "study/data/artefacts.ini (key 'not measured') or study/data/conclusions.csv (no selector, a note)"
        )
    if wrong:
        raise ReportError(f"study/templates: {'; '.join(dict.fromkeys(wrong))}: rewrite the sentence")
