# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""All files of the report: report.md, appendix.md, both as HTML, their figures; and the READMEs. Each part is made when it is
needed: one figure needs no verdicts."""

import argparse
from collections import Counter
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

from tools.plots.files import ReportError

from .figures.content import Figure, Section, joined, percent
from .measurements.keyed import Sources
from .measurements.published import read_published
from .measurements.rows import OF_COPIES, OF_CPU, OF_KERNEL, read_folder, with_labs
from .measurements.selection import Results, one_time_each

try:
    from . import html_page, output
    from .defects import section
    from .parts import chains, pays
    from .parts.all_sizes import all_sizes
    from .parts.counters import counters_table
    from .parts.machines import byline, copies_of, machines_section, measured
    from .parts.road import road
    from .parts.roofline import rooflines
    from .parts.scaling import mpi
    from .parts.second_run import second_run, second_run_words
    from .readmes import claims_below, main_readme, with_libraries, with_numbers
    from .reports import artefacts, complete, conclusions, own_programs, timelines, verdicts
    from .sentences import Sentences, baselines, repeated, taps
except ImportError as error:
    raise ReportError(
        f"figures need {error.name}: install it (on Debian and Ubuntu the package python3-{error.name})"
    ) from None

ROOT = Path(__file__).resolve().parents[1]
PAYS = "When does the GPU pay?"
SCENE = ROOT / "data" / "generated" / "scene_480p.png"
# The part of a template, how the names of its figures begin, and what makes its sections.
Maker = Tuple[str, Tuple[str, ...], Callable[[], List[Section]]]


class Document:
    """Everything that `make report` writes, made once."""

    def __init__(self, options: argparse.Namespace, results: Results):
        self.options, self.results = options, results
        self.folders = [options.results, *with_labs(options.also)]  # of the machines
        self.machines = [results, *(Results(read_folder(folder)) for folder in self.folders[1:])]
        self.published = read_published(options.data / "published.csv", options.data / "originals.csv")
        self.again = second_run(options.results)
        self.sources = Sources(ROOT, results, self.again)
        self.only = ""  # the report whose figure alone is drawn
        self.stale: List[str] = []  # of the numbers in sentences, once texts() was called

    @cached_property
    def verdicts(self) -> Tuple[List[conclusions.Judged], List[conclusions.Judged], List[conclusions.Judged]]:
        """On which both runs agree, of the first run and of the second."""
        published = conclusions.read_conclusions(self.options.data / "conclusions.csv", self.published)
        lines = self.published.lines
        first = conclusions.judge(published, self.results, lines)
        again = conclusions.judge(published, self.again, lines) if self.again else []
        return conclusions.agreed(first, again), first, again

    @cached_property
    def artefacts(self) -> List[artefacts.Artefact]:
        path = self.options.data / "artefacts.ini"
        return artefacts.make_all(path, self.results, self.published, self.sources, self.only)

    @cached_property
    def defects(self) -> List[Any]:
        return section.defects(self.options.data / "defects.csv", SCENE, self.published, self.sources)

    @cached_property
    def runs(self) -> pays.Runs:
        return pays.runs_of({path.name: (run, second_run(path)) for path, run in zip(self.folders, self.machines)})

    def _of_report(self, report: str) -> List[Section]:
        return artefacts.report_sections(self.artefacts, report, self.options.results, self.options.out)

    def _steps(self) -> List[Section]:
        steps = [*road(self.results), *counters_table(self.options.results), *baselines(self.published.lines)]
        return [Section("From the simplest program to the fastest kernel", steps)]

    def _beside(self) -> List[Section]:
        made = [*self._of_report("async"), timelines.timelines(self.results)]
        return [one for one in made if not one.missing]

    def _makers(self) -> List[Maker]:
        results, machines = self.results, self.machines
        return [
            ("method", (), lambda: [machines_section(machines), measured(results, self.options.results)]),
            ("verdicts", (), lambda: [verdicts.verdicts_section(self.verdicts[0], self.sources, *self.verdicts[1:])]),
            ("road", ("road",), self._steps),
            ("road", ("pays", "chain"), lambda: [Section(PAYS, pays.when_it_pays(results, self.runs))]),
            ("road", ("roofline",), lambda: [Section("Rooflines", rooflines(machines))]),
            ("more", ("async", "timeline"), self._beside),
            ("more", ("mpi",), lambda: [mpi(machines)]),
            ("sizes", (), lambda: all_sizes(machines)),
            ("programs", (), lambda: [own_programs.originals(results, self.published)]),
            ("defects", ("defect",), lambda: [section.defects_section(self.defects)]),
            ("coverage", (), lambda: [Section("Artefacts", [artefacts.coverage(self.artefacts, output.REPORTS)])]),
            *((report, (report,), partial(self._of_report, report)) for report in output.REPORTS),
        ]

    @cached_property
    def parts(self) -> Dict[str, List[Section]]:
        """The sections of the report by the template's part."""
        parts: Dict[str, List[Section]] = {}
        for name, _, make in self._makers():
            parts.setdefault(name, []).extend(make())
        sections = [one for part in parts.values() for one in part]
        one_time_each(row for one in sections for row in one.rows)
        output.give_file_names(sections)
        return parts

    def figure(self, name: str) -> Figure:
        """The figure of this name, without the rest of the report."""
        if name.startswith("defect") and not SCENE.exists():
            raise ReportError(f"{SCENE} is missing: run `make data SIZES=480p`")
        self.only = name
        for _, begins, make in self._makers():
            sections = make() if begins and name.startswith(begins) else []
            output.give_file_names(sections)
            for item in (item for one in sections for item in one.items if isinstance(item, Figure)):
                if name in (item.name, output.short(item.name)):
                    return item
        raise ReportError(f"no figure is named '{name}': its name stands at the end of its caption in report/report.md")

    @cached_property
    def sentences(self) -> Sentences:
        return Sentences(self.results, self.verdicts[0], self.sources)

    @cached_property
    def words(self) -> Dict[str, Any]:
        """What the templates may name."""
        timed = [row for row in self.results.rows if row.timed]
        pairs = own_programs.pairs_of(self.results, self.published.originals)
        published = [one.conclusion for one in self.verdicts[0]]
        chain = chains.chains(self.results)[0]
        again = chains.chains(self.again)[0] if self.again else chain
        if again != chain:
            self.sentences.wrong.append(f"the second run says of chains: '{again}'")
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
            "chain_pays": chain,
            "again": repeated(*self.verdicts[1:]),
            "own_programs": own_programs.summary(pairs),
            "taps": taps(self.published.lines),
            "second_run": second_run_words(self.options.results),
            "similar": {one.id: one.value for one in published if one.rule == "similar"},
            "margins": {"cpu": percent(OF_CPU), "copies": percent(OF_COPIES), "kernel": percent(OF_KERNEL)},
        }

    def _won(self, who: str, cold: bool, *sizes: str) -> str:
        """These sizes, at which the CPU or the GPU is faster in each run; another is an error."""
        if set(sizes) - set(pays.won(self.runs, who, cold)):
            self.sentences.wrong.append(f"the {who} is not faster in each run at {joined(list(sizes))}")
        return joined(list(sizes))

    def check_complete(self) -> None:
        """An error where an artefact or a verdict has no rows, or a sentence of the templates contradicts them."""
        complete.check_complete(self.options.results, self.artefacts, self.verdicts[0], self.sentences.wrong)

    @cached_property
    def report(self) -> Dict[str, str]:
        """The report and its appendix as Markdown."""
        made = output.Texts(self.parts, self.words)
        return {"report": made.report, "appendix": made.appendix}

    def texts(self) -> Dict[Path, bytes]:
        """report.md and the READMEs."""
        options, results = self.options, self.results
        found = {options.readme: main_readme(options, results)} if options.readme else {}
        if options.texts:
            tables = claims_below(options.texts)
            found, self.stale = with_numbers(tables, with_libraries(options, found), Sources(options.texts))
        return {**found, **{options.out / f"{name}.md": text.encode() for name, text in self.report.items()}}

    def figures(self) -> Dict[Path, bytes]:
        """The figures, and the HTML pages, which hold them."""
        sections = [one for part in self.parts.values() for one in part]
        files = output.files_of(sections)
        gallery = ROOT / "report" / "figures" / "gallery.png"  # study/pictures.py draws it
        if gallery.exists():
            files.setdefault("figures/gallery.png", gallery.read_bytes())
        pictures = {item.name for one in sections for item in one.items if isinstance(item, Figure) and item.picture}
        pages = {f"{name}.html": html_page.made(text, files, pictures) for name, text in self.report.items()}
        return {self.options.out / name: data for name, data in {**files, **pages}.items()}
