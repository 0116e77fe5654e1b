# SPDX-License-Identifier: MIT
"""All files of the report: report.md, appendix.md, both as HTML, their figures; and the READMEs. Each part is made when it is
needed."""

import argparse
from collections import Counter
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from pandas import DataFrame

from report.make.plots.files import ROOT, ReportError
from report.make.plots.results import OF_COPIES, OF_CPU, OF_KERNEL
from report.make.plots.sessions import timing_files
from report.make.plots.words import Figure, joined, percent

from . import html_page, output
from .content import Section
from .measurements.claims import read_claims
from .measurements.keyed import Sources
from .measurements.machine import Results, read_folder
from .measurements.published import DATA, read_published
from .parts import pays
from .parts.library import LAB as LIBRARY
from .parts.machines import all_sizes, byline, copies_of, machines_section, other_run, other_run_table
from .parts.road import counters_table, profiled, road, roofline
from .readmes import with_numbers, with_tables
from .reports import artefacts, conclusions, verdicts
from .reports import defects as section
from .sentences import Sentences, taps

SCENE = ROOT / "data" / "generated" / "scene_480p.png"


class Document:
    """Everything that `make report` writes, made once."""

    def __init__(self, options: argparse.Namespace, results: Results):
        self.options, self.results = options, results
        self.folders = [options.results, *filter(timing_files, options.also)]  # of the machines
        self.machines = [results, *(Results(read_folder(folder)) for folder in self.folders[1:])]
        self.published = read_published(DATA / "published.csv", DATA / "originals.csv")
        self.again = other_run(options.results)
        self.sources = Sources(ROOT, results, self.again)
        self.stale: list[str] = []  # of the numbers in sentences, once texts() was called

    @cached_property
    def verdicts(self) -> tuple[list[conclusions.Judged], list[conclusions.Judged], list[conclusions.Judged]]:
        """On which both runs agree, of the first run and of the second."""
        published = conclusions.read_conclusions(DATA / "conclusions.csv", self.published)
        lines = self.published.lines
        first = conclusions.judge(published, self.results, lines)
        again = conclusions.judge(published, self.again, lines) if self.again else []
        return conclusions.agreed(first, again), first, again

    @cached_property
    def artefacts(self) -> list[artefacts.Artefact]:
        path = DATA / "artefacts.ini"
        return artefacts.make_all(path, self.results, self.published, self.sources)

    @cached_property
    def defects(self) -> list[Any]:
        return section.defects(DATA / "defects.csv", SCENE, self.published, self.sources)

    @cached_property
    def rounds(self) -> DataFrame:
        return pays.rounds(self.options.results)

    def _of_report(self, report: str) -> list[Section]:
        return artefacts.report_sections(self.artefacts, report)

    @cached_property
    def parts(self) -> dict[str, list[Section]]:
        """The sections of the report by the template's part."""
        results, machines, folder = self.results, self.machines, self.options.results
        kernels = profiled(folder)
        steps = [*road(results), *counters_table(kernels)]
        parts = {
            "method": [
                machines_section(machines),
                Section("The other run", [other_run_table(folder)] if self.again else []),
            ],
            "verdicts": [verdicts.verdicts_section(self.verdicts[0], self.sources, *self.verdicts[1:])],
            "road": [
                Section("From the simplest program to the fastest kernel", steps),
                Section(
                    "When does a GPU pay off?",
                    pays.when_it_pays(results, self.rounds, list(map(pays.rounds, self.folders[1:]))),
                ),
                Section("Roofline", roofline(kernels)),
            ],
            "more": self._of_report("async"),
            "sizes": all_sizes(machines),
            "programs": [verdicts.originals(results, self.published)],
            "defects": [section.defects_section(self.defects)],
            **{report: self._of_report(report) for report in output.REPORTS},
        }
        every = sum(parts.values(), [])
        output.give_file_names(every)
        return parts

    @property
    def drawn(self) -> list[Figure]:
        """All figures."""
        every = [item for part in sum(self.parts.values(), []) for item in part.items]
        return [item for item in every if isinstance(item, Figure)]

    def figure(self, name: str) -> Figure:
        """The figure of this name."""
        if name.startswith("defect") and not SCENE.exists():
            raise ReportError(f"{SCENE} is missing: run `make data SIZES=480p`")
        for item in self.drawn:
            if name == item.name:
                return item
        raise ReportError(f"no figure is named '{name}'; there are {joined(item.name for item in self.drawn)}")

    @cached_property
    def sentences(self) -> Sentences:
        return Sentences(self.results, self.verdicts[0], self.sources)

    @cached_property
    def words(self) -> dict[str, Any]:
        """What the templates may name."""
        timed = self.results.rows[self.results.rows["timed"] & (self.results.rows["lab"] != LIBRARY)]
        pairs = verdicts.pairs_of(self.results, self.published)
        published = [judgement.conclusion for judgement in self.verdicts[0]]
        chain = pays.chains(self.results)[0]
        again = pays.chains(self.again)[0] if self.again else chain
        if again != chain:
            self.sentences.wrong.append(f"the other run says of chains: '{again}'")
        return {
            **self.sentences.functions(),
            "byline": byline(self.results),
            "configurations": len(timed),
            "variants": len(timed[["lab", "variant"]].drop_duplicates()),
            "defects": {defect.form: defect for defect in self.defects},
            "cpu_copies": copies_of(self.results, "cpu"),
            "changing": Counter(defect.fields["changes"] for defect in self.defects),
            "ahead": partial(pays.ahead, self.rounds),
            "best": partial(pays.range_of, self.rounds),
            "chain_pays": chain,
            "again": verdicts.repeated(*self.verdicts[1:]),
            "own_programs": verdicts.summary(pairs),
            "taps": taps(self.published.lines),
            "similar": {stated.id: stated.value for stated in published if stated.rule == "similar"},
            "margins": {"cpu": percent(OF_CPU), "copies": percent(OF_COPIES), "kernel": percent(OF_KERNEL)},
        }

    def check_complete(self) -> None:
        """An error if an artefact or a verdict has no rows, or a sentence of the templates contradicts them."""
        artefacts.check_complete(self.options.results, self.artefacts, self.verdicts[0], self.sentences.wrong)

    @cached_property
    def report(self) -> dict[str, str]:
        """The report and its appendix as Markdown."""
        made = output.Texts(self.parts, self.words)
        return {"report": made.report, "appendix": made.appendix}

    def texts(self) -> dict[Path, bytes]:
        """report.md and the READMEs."""
        root, pages = self.options.texts, {}
        if root:
            tables = with_tables(root, self.results, [self.options.results, *self.options.also])
            pages, self.stale = with_numbers(tables, read_claims(root), Sources(root))
        return {**pages, **{self.options.out / f"{name}.md": text.encode() for name, text in self.report.items()}}

    def figures(self) -> dict[Path, bytes]:
        """The figures, and the HTML pages, which hold them."""
        files = output.files_of(self.drawn)
        gallery = ROOT / "report" / "figures" / "gallery.png"  # tools/drawings/scene.py draws it
        if gallery.exists():
            files.setdefault("figures/gallery.png", gallery.read_bytes())
        pictures = {item.name for item in self.drawn if item.picture}
        pages = {f"{name}.html": html_page.made(text, files, pictures) for name, text in self.report.items()}
        return {self.options.out / name: data for name, data in {**files, **pages}.items()}
