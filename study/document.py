# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""All files of the report: report.md, report.html and its figures; and the READMEs."""
import argparse
from pathlib import Path
from typing import Any, Dict, List, Sequence

from .figures.content import Section, percent
from .measurements.csv_file import ReportError, read_table
from .measurements.keyed import Sources
from .measurements.points import TWO_SESSIONS
from .measurements.published import read_published
from .measurements.rows import OTHERS, SECOND_RUN, read_folder
from .measurements.selection import Results, distinct, one_time_each
from .parts.machines import machines_section
from .parts.measured import measured, second_run_words
from .parts.overview import whole
from .reports import own_programs

try:
    from . import html_page, output
    from .defects.section import defects_section
    from .parts import clips, counters, labs, ladder, pays, peers, quoted, side_by_side, words
    from .parts.limits import limits_table
    from .parts.road import road
    from .parts.roofline import rooflines
    from .parts.scaling import MPI, links, mpi
    from .parts.several_gpus import several_gpus
    from .readmes import lab_readmes, main_readme, with_libraries, with_numbers, with_scaling
    from .reports import artefacts, complete, conclusions, overlap, timelines, verdicts
except ImportError as error:
    raise ReportError(f"figures need {error.name}: install it (on Debian and Ubuntu the package "
                      f"python3-{error.name})") from None

ROOT = Path(__file__).resolve().parents[1]
SCENE = ROOT / "data" / "generated" / "scene_480p.png"


def with_counters(section: Section, folder: Path, lab: str, results: Results) -> Section:
    """The section of a lab, and the table of its kernels' counters where they were profiled."""
    variants = distinct((row for row in results.rows if row.lab == lab), "variant")
    table = counters.counters_table(folder, lab, variants)
    section.items += limits_table(ROOT / "labs", lab)
    section.items += [counters.limits(folder, lab, variants), table] if table else []
    return section


def other_machines(folders: Sequence[Path]) -> List[Results]:
    """The rows of each folder that has files of labs."""
    return [Results(read_folder(folder)) for folder in folders
            if any(path.name not in OTHERS for path in folder.glob("*.csv"))]


class Document:
    """Everything that `make report` writes, made once."""

    def __init__(self, options: argparse.Namespace, results: Results):
        self.options, self.results = options, results
        self.machines = [results, *other_machines(options.also)]
        self.published = read_published(options.data / "published.csv",
                                        options.data / "originals.csv")
        published = conclusions.read_conclusions(options.data / "conclusions.csv")
        self.judged = conclusions.judge(published, results, self.published.lines)
        again = options.results / SECOND_RUN
        self.again = conclusions.judge(published, Results(read_folder(again)), self.published.lines) if again.is_dir() else []
        self.artefacts = artefacts.make_all(options.data / "artefacts.csv", results, self.published)
        self.parts = self._parts()
        sections = [section for part in self.parts.values() for section in part]
        one_time_each(row for section in sections for row in section.rows)
        output.give_file_names(sections)
        self.words = self._words()
        self.stale: List[str] = []  # of the numbers in sentences, once texts() was called

    def _parts(self) -> Dict[str, List[Section]]:
        """The sections of the report by the template's part."""
        options, results, published = self.options, self.results, self.published
        machines = self.machines
        beside = [overlap.gain_by_size(results, published),
                  overlap.gain_by_streams(results, published), timelines.timelines(results, published)]
        ranks = mpi(machines)
        return {
            "method": [machines_section(machines), measured(results, options.results)],
            "verdicts": [verdicts.verdicts_section(self.judged, Sources(ROOT), self.again)],
            "road": [Section("From the simplest program to the fastest kernel", road(results)),
                     Section("When does the GPU pay?", pays.when_it_pays(results)),
                     several_gpus(machines), ranks, Section("Rooflines", rooflines(machines))],
            "overview": [whole(results, ladder.ladder_figures(results))],
            "labs": [with_counters(labs.lab_section(results, lab, ROOT / "labs", links(ranks) if lab == MPI else []),
                                   options.results, lab, results) for lab in sorted(distinct(
                                       [row for one in machines for row in one.rows], "lab"))]
            + [section for section in beside if not section.missing]
            + clips.clips_sections([options.results, *options.also]),
            "peers": peers.peers_sections(options.results, results.machine) + [
                section for folder in options.also if (folder / "peers.csv").exists()
                for section in peers.peers_sections(folder)],
            "programs": [own_programs.originals(results, published)],
            "defects": [defects_section(options.data / "defects.csv", SCENE, results, published)],
            "coverage": [Section("Artefacts", [artefacts.coverage(self.artefacts)])],
            **{report: artefacts.report_sections(self.artefacts, report) for report in output.REPORTS}}

    def _words(self) -> Dict[str, Any]:
        """Abstract, discussion and conclusions."""
        numbers = quoted.Numbers(self.results)
        defects = len(read_table(self.options.data / "defects.csv", ()))
        return {"abstract": words.abstract(numbers, self.judged, defects),
                "summaries": {report: words.of_report(self.judged, report)
                              for report in output.REPORTS},
                "discussion": words.discussion(self.published.lines, self.judged),
                "second_run": second_run_words(self.options.results), "two_sessions": percent(TWO_SESSIONS),
                "conclusions": words.conclusions(numbers, self.judged)}

    def check_complete(self) -> None:
        """An error where an artefact or a verdict has no rows."""
        complete.check_complete(self.options.results, self.artefacts, self.judged)

    def texts(self) -> Dict[Path, bytes]:
        """report.md and the READMEs."""
        options, results = self.options, self.results
        found = lab_readmes(options, results, self.published) if options.labs else {}
        if options.labs:
            found = with_scaling(options.labs, self.machines, found)
        if options.readme:
            found[options.readme] = main_readme(options, results)
        if options.texts:
            found, self.stale = with_numbers(options.texts, with_libraries(options, found))
        found[options.out / "report.md"] = output.report_text(self.parts, self.words).encode()
        return found

    def figures(self) -> Dict[Path, bytes]:
        """The figures, and report.html, which holds them."""
        sections = [section for part in self.parts.values() for section in part]
        files = output.files_of(sections)
        gallery = ROOT / "report" / "figures" / "gallery.png"  # study/gallery.py draws it
        if gallery.exists():
            files.setdefault("figures/gallery.png", gallery.read_bytes())
        files["report.html"] = html_page.page(
            self.parts, self.words, {Path(name).name: data for name, data in files.items()},
            side_by_side.side_by_side(ROOT / "labs", self.options.results, self.machines))
        return {self.options.out / name: data for name, data in files.items()}
