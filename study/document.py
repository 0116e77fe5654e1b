# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""All files of the report: report.md, appendix.md, both as HTML, their figures; and the READMEs."""

import argparse
from collections import Counter
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

from tools.plots.sessions import timing_files

from .figures.content import Section, joined, percent
from .measurements.csv_file import ReportError
from .measurements.keyed import Sources
from .measurements.published import read_published
from .measurements.rows import OF_COPIES, OF_CPU, OF_KERNEL, SECOND_RUN, read_folder
from .measurements.selection import Results, one_time_each
from .parts.machines import byline, clips, copies_of, machines_section, measured
from .parts.second_run import second_run_words
from .reports import own_programs

try:
    from . import html_page, output
    from .defects import section
    from .parts import chains, pages, pays, peers
    from .parts.road import road
    from .parts.roofline import rooflines
    from .parts.scaling import mpi, several_gpus
    from .readmes import lab_readmes, main_readme, with_libraries, with_numbers, with_scaling
    from .reports import artefacts, complete, conclusions, overlap, timelines, verdicts
    from .sentences import Sentences, baselines, repeated, taps
except ImportError as error:
    raise ReportError(
        f"figures need {error.name}: install it (on Debian and Ubuntu the package python3-{error.name})"
    ) from None

ROOT = Path(__file__).resolve().parents[1]
SCENE = ROOT / "data" / "generated" / "scene_480p.png"


def second_run(folder: Path) -> Optional[Results]:
    """The rows of the second run of a machine, where there is one."""
    again = folder / SECOND_RUN
    return Results(read_folder(again)) if again.is_dir() else None


def with_labs(folders: Sequence[Path]) -> List[Path]:
    """The folders that have files of labs."""
    return [folder for folder in folders if timing_files(folder)]


class Document:
    """Everything that `make report` writes, made once."""

    def __init__(self, options: argparse.Namespace, results: Results):
        self.options, self.results = options, results
        others = with_labs(options.also)
        self.machines = [results, *(Results(read_folder(folder)) for folder in others)]
        self.published = read_published(options.data / "published.csv", options.data / "originals.csv")
        published = conclusions.read_conclusions(options.data / "conclusions.csv")
        self.first = conclusions.judge(published, results, self.published.lines)
        again = second_run(options.results)
        self.sources = Sources(ROOT, results, again)
        self.again = conclusions.judge(published, again, self.published.lines) if again else []
        self.judged = conclusions.agreed(self.first, self.again)
        self.artefacts = artefacts.make_all(options.data / "artefacts.ini", results, self.published)
        self.defects = section.defects(options.data / "defects.csv", SCENE, self.published, self.sources)
        every = [
            (f"{path.name}{words}", pays.methods(found))
            for path, first in zip([options.results, *others], self.machines)
            for words, found in (("", first), (", second run", second_run(path)))
            if found
        ]
        self.runs = [(name, method) for name, method in every if pays.WARM in method and pays.ONE in method]
        self.parts = self._parts()
        sections = [one for part in self.parts.values() for one in part]
        one_time_each(row for one in sections for row in one.rows)
        output.give_file_names(sections)
        self.sentences = Sentences(results, self.judged, self.sources)
        self.words = self._words()
        if again and chains.chains(again)[0] != self.words["chain_pays"]:
            self.sentences.wrong.append(f"the second run says of chains: '{chains.chains(again)[0]}'")
        self.stale: List[str] = []  # of the numbers in sentences, once texts() was called

    def _parts(self) -> Dict[str, List[Section]]:
        """The sections of the report by the template's part."""
        options, results, published = self.options, self.results, self.published
        machines = self.machines
        beside = [
            overlap.gain_by_size(results, published),
            overlap.gain_by_streams(results, published),
            timelines.timelines(results, published),
        ]
        return {
            "method": [machines_section(machines), measured(results, options.results)],
            "verdicts": [verdicts.verdicts_section(self.judged, self.sources, self.first, self.again)],
            "road": [
                Section(
                    "From the simplest program to the fastest kernel",
                    [*road(results), *pages.counters_table(options.results), *baselines(published.lines)],
                ),
                Section("When does the GPU pay?", pays.when_it_pays(results, self.runs)),
                Section("Rooflines", rooflines(machines)),
            ],
            "more": [one for one in beside if not one.missing]
            + [several_gpus(machines), mpi(machines)]
            + clips([options.results, *options.also]),
            "peers": peers.peers_sections(options.results, results.machine)
            + [
                one
                for folder in options.also
                if (folder / "peers.csv").exists()
                for one in peers.peers_sections(folder)
            ],
            "programs": [own_programs.originals(results, published)],
            "defects": [section.defects_section(self.defects)],
            "coverage": [Section("Artefacts", [artefacts.coverage(self.artefacts)])],
            **{report: artefacts.report_sections(self.artefacts, report, options.results, options.out) for report in output.REPORTS},
        }

    def _words(self) -> Dict[str, Any]:
        """What the templates may name."""
        timed = [row for row in self.results.rows if row.timed]
        pairs = own_programs.pairs_of(self.results, self.published.originals)
        return {
            **self.sentences.functions(),
            "byline": byline(self.machines),
            "configurations": len(timed),
            "variants": len({(row.lab, row.variant) for row in timed}),
            "defects": {one.form: one for one in self.defects},
            "cpu_copies": copies_of(self.results, "cpu"),
            "changing": Counter(one.fields["changes"] for one in self.defects),
            "won": self._won,
            "pays": pays.pays(self.runs),
            "chain_pays": chains.chains(self.results)[0],
            "again": repeated(self.first, self.again),
            "own_programs": own_programs.summary(pairs),
            "taps": taps(self.published.lines),
            "second_run": second_run_words(self.options.results),
            "similar": {
                one.conclusion.id: one.conclusion.value for one in self.judged if one.conclusion.rule == "similar"
            },
            "margins": {"cpu": percent(OF_CPU), "copies": percent(OF_COPIES), "kernel": percent(OF_KERNEL)},
            "side_by_side": "",
        }

    def _won(self, who: str, cold: bool, *sizes: str) -> str:
        """These sizes, at which the CPU or the GPU is faster in each run; another is an error."""
        if set(sizes) - set(pays.won(self.runs, who, cold)):
            self.sentences.wrong.append(f"the {who} is not faster in each run at {joined(list(sizes))}")
        return joined(list(sizes))

    def check_complete(self) -> None:
        """An error where an artefact or a verdict has no rows, or a sentence of the templates contradicts them."""
        complete.check_complete(self.options.results, self.artefacts, self.judged, self.sentences.wrong)

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
        made = output.Texts(self.parts, self.words, output.as_markdown)
        found[options.out / "report.md"], found[options.out / "appendix.md"] = (
            made.report.encode(),
            made.appendix.encode(),
        )
        return found

    def figures(self) -> Dict[Path, bytes]:
        """The figures, and the HTML pages, which hold them."""
        sections = [one for part in self.parts.values() for one in part]
        files = output.files_of(sections)
        gallery = ROOT / "report" / "figures" / "gallery.png"  # study/gallery.py draws it
        if gallery.exists():
            files.setdefault("figures/gallery.png", gallery.read_bytes())
        files.update(
            html_page.pages(
                self.parts,
                self.words,
                {Path(name).name: data for name, data in files.items()},
                pages.side_by_side(ROOT / "labs", self.options.results, self.machines),
            )
        )
        return {self.options.out / name: data for name, data in files.items()}
