# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The tables and figures of the five reports (study/data/artefacts.csv), each made again from our rows.

The module of a report has a dictionary ARTEFACTS: the artefact's name and a function
(results, published) -> Section, whose `missing` says what was not measured.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable, Dict, List, Sequence, Union

from ..figures.content import Figure, Section, Table, short_name
from ..figures.series import ours
from ..measurements.csv_file import ReportError, read_table
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results
from . import (
    ariano2023_best,
    ariano2023_blocks,
    ariano2023_cuda,
    ariano2023_threads,
    cazzola2024,
    chisci2024,
    delbimbo2024,
    layouts,
    videostream2021,
)

COLUMNS = ("report", "artefact", "swept", "fixed", "unit", "not_measured", "program")
WITHOUT_TIMES = ("picture", "stores")  # units of artefacts that show no times of ours
Make = Callable[[Results, Published], Section]
MAKERS: Dict[str, Dict[str, Make]] = {
    "ariano2023": {
        **ariano2023_threads.ARTEFACTS,
        **ariano2023_blocks.ARTEFACTS,
        **ariano2023_cuda.ARTEFACTS,
        **ariano2023_best.ARTEFACTS,
        "Figure 12": layouts.nested_flat,
    },
    "cazzola2024": cazzola2024.ARTEFACTS,
    "chisci2024": chisci2024.ARTEFACTS,
    "videostream2021": videostream2021.ARTEFACTS,
    "delbimbo2024": delbimbo2024.ARTEFACTS,
}


@dataclass(frozen=True)
class Artefact:
    """A table or figure of a report, and what was made of it here."""

    report: str
    name: str
    swept: str
    fixed: str
    unit: str
    not_measured: str  # why, where it is meant to have no rows
    section: Section

    @property
    def timed(self) -> List[Row]:
        """The rows of ours that it shows and that have a time."""
        return [row for row in self.section.rows if row.timed]

    @property
    def gap(self) -> str:
        """What of it was not measured or not drawn; nothing where all was."""
        drawn = any(isinstance(item, (Table, Figure)) for item in self.section.items)
        if self.section.missing:
            return self.section.missing
        if not drawn and self.unit != "picture":
            return "nothing was drawn"
        if not self.timed and self.unit not in WITHOUT_TIMES:
            return "no row of ours has a time"
        return self.section.partly

    @property
    def unmeasured(self) -> str:
        """What was not measured, or why, as the report states it; nothing where all was."""
        return self.gap and (self.not_measured or self.gap)


def make_all(path: Path, results: Results, published: Published) -> List[Artefact]:
    """Every artefact of the file; an error where one has no module, or a module one too many."""
    found, named = [], set()
    for where, fields in read_table(path, COLUMNS):
        report, name = fields["report"], fields["artefact"]
        make = MAKERS.get(report, {}).get(name)
        if make is None:
            raise ReportError(f"{where}: nothing draws {report}, {name} (study/reports/artefacts.py)")
        named.add((report, name))
        section = _with_protocol(make(results, published))
        if fields["program"] and not section.missing:
            section.items.append(f"The report's own program: {fields['program']}")
        found.append(
            Artefact(
                report,
                name,
                fields["swept"],
                fields["fixed"],
                fields["unit"],
                fields["not_measured"],
                replace(section, title=f"{name}: {fields['swept']}"),
            )
        )
    extra = {(report, name) for report, makers in MAKERS.items() for name in makers} - named
    if extra:
        raise ReportError(f"{path}: no line for {', '.join(map(' '.join, sorted(extra)))}")
    return found


def _with_protocol(section: Section) -> Section:
    """A table whose caption does not say how our rows were measured says it now."""
    rows = [row for row in section.rows if row.timed]

    def told(item: Union[str, Table, Figure]) -> Union[str, Table, Figure]:
        if not rows or not isinstance(item, Table) or "iterations" in item.caption:
            return item
        return replace(item, caption=f"{item.caption} {ours(rows)}")

    return replace(section, items=[told(item) for item in section.items])


def anchor(artefact: Artefact) -> str:
    """The name of an artefact in links."""
    return f"{artefact.report}-{artefact.name}".lower().replace(" ", "-")


def coverage(artefacts: Sequence[Artefact]) -> Table:
    """A line for each artefact: where it is, what it shows, and what of it was not measured."""
    lines = []
    for one in artefacts:
        section, timed = one.section, one.timed
        state = "; ".join(
            filter(None, ("" if section.missing else "drawn", f"not measured: {one.unmeasured}" * bool(one.gap)))
        )
        lines.append(
            [
                one.report,
                f"[{one.name}](#{anchor(one)})",
                one.swept,
                one.fixed,
                one.unit,
                "; ".join(dict.fromkeys(short_name(row.device) for row in timed)),
                state,
                str(section.published or ""),
                str(section.originals or ""),
                str(len(timed) or ""),
            ]
        )
    return Table(
        "coverage",
        "The reports' tables and figures with measurements; videostream2021's three plots without a number are "
        "named by their section.",
        ["report", "artefact", "swept", "fixed", "unit", "device", "state", "published", "original", "ours"],
        lines,
        left=7,
    )


def report_sections(artefacts: Sequence[Artefact], report: str) -> List[Section]:
    """The sections of one report; of what was not measured, the sentence."""
    sections = []
    for one in artefacts:
        if one.report == report:
            body = [f'<a id="{anchor(one)}"></a>', *one.section.items]
            body += [f"Not measured: {one.unmeasured}."] * bool(one.gap)
            sections.append(replace(one.section, items=body))
    return sections
