# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""All files of the report: report.md, its figures, and the generated parts of the READMEs."""
import argparse
import os
from pathlib import Path
from typing import Dict, List, Sequence

from .figures.content import Section, to_markdown
from .measurements.csv_file import ReportError
from .measurements.keyed import Sources, rewritten
from .measurements.published import Published, read_published
from .measurements.rows import OTHERS, read_folder
from .measurements.selection import Results, distinct, one_time_each
from .parts import generality
from .parts.measured import files_table, measured
from .parts.overview import overview, overview_notes, whole
from .reports import own_programs

try:
    from . import html_page, output
    from .parts import (counters, labs, ladder, pays, peers, peers_table, side_by_side,
                        summary)
    from .defects.section import defects_section
    from .reports import artefacts, conclusions, overlap, timelines
except ImportError as error:
    raise ReportError(f"figures need {error.name}: install it (on Debian and Ubuntu the package "
                      f"python3-{error.name})") from None

ROOT = Path(__file__).resolve().parents[2]
SCENE = ROOT / "data" / "generated" / "scene_480p.png"


def link_from(readme: Path, out: Path) -> str:
    """The relative path from a README to the report's folder."""
    return os.path.relpath(out, readme.resolve().parent).replace(os.sep, "/")


def lab_readmes(options: argparse.Namespace, results: Results,
                published: Published) -> Dict[Path, bytes]:
    """The READMEs of the labs that were timed, with their tables; a lab without one is left out."""
    texts: Dict[Path, bytes] = {}
    for lab in sorted(distinct(results.rows, "lab")):
        path = options.labs / lab / "README.md"
        table = overview(results, lab)
        if table is None or not path.exists():
            continue
        text = output.with_part(output.read_readme(path), output.RESULTS, output.readme_text(
            table, overview_notes(results, table), [], link_from(path, options.out)))
        pairs = own_programs.pairs_of(results, published.originals, lab)
        parts = {output.ORIGINALS: output.readme_originals(
            *own_programs.comparison(lab, pairs)) if pairs else None,
                 output.GENERALITY: generality.readme_generality(results, lab)}
        for part, words in parts.items():
            if words and output.has_part(text, part):
                text = output.with_part(text, part, words)
            elif words:
                print(f"{path}: no line <!-- {part}:begin -->, so this part was left out")
        texts[path] = text
    return texts


def main_readme(options: argparse.Namespace, results: Results) -> bytes:
    """The README with its tables of the labs and of other libraries."""
    text = output.read_readme(options.readme)
    table = ladder.ladder(results)
    if table is None:
        raise ReportError(f"nothing was timed on {results.machine}: {options.readme} was left as it "
                          "is")
    text = output.with_part(text, output.RESULTS, output.readme_text(
        table, [*filter(None, [pays.pays(results)]), *overview_notes(results, table)],
        ladder.ladder_figures(results), link_from(options.readme, options.out)))
    libraries = peers_table.peers_table([options.results, *options.also])
    if libraries and output.has_part(text, output.PEERS):
        text = output.with_part(text, output.PEERS,
                                f"{libraries.caption}\n\n{to_markdown(libraries)}")
    return text


def with_numbers(folder: Path, texts: Dict[Path, bytes], out: Path) -> Dict[Path, bytes]:
    """The Markdown files below the folder that have numbers with a key, with these numbers; and
    the committed measurements' README with its tables of files."""
    sources = Sources(folder)
    known = {path.resolve(): path for path in texts}
    found = dict(texts)
    for name in sorted([*folder.glob("*.md"), *(path for part in ("common", "data", "labs", "results")
                                                for path in (folder / part).rglob("*.md"))]):
        path = known.get(name.resolve(), name)
        if out.resolve() in path.resolve().parents:
            continue
        text = found.get(path) or output.read_text(path)
        if output.has_part(text, output.FILES):
            text = output.with_part(text, output.FILES, files_table(path.parent))
        new, _ = rewritten(str(path), text, sources)
        if path in found or new != path.read_bytes() or b"<!-- = " in new:
            found[path] = new
    return found


def with_counters(section: Section, folder: Path, lab: str, results: Results) -> Section:
    """The section of a lab, and the table of its kernels' counters where they were profiled."""
    table = counters.counters_table(folder, lab, distinct(results.where(lab=lab), "variant"))
    section.items += [table] if table else []
    return section


def other_machines(folders: Sequence[Path]) -> List[Results]:
    """The rows of each folder that has files of labs."""
    return [Results(read_folder(folder)) for folder in folders
            if any(path.name not in OTHERS for path in folder.glob("*.csv"))]


def report_parts(options: argparse.Namespace, results: Results,
                 published: Published) -> Dict[str, List[Section]]:
    """The sections of the report by the template's part."""
    made = artefacts.make_all(options.data / "artefacts.csv", results, published)
    judged = conclusions.judge(conclusions.read_conclusions(options.data / "conclusions.csv"),
                               results, published.lines)
    beside = [overlap.gain_by_size(results, published), overlap.gain_by_streams(results, published),
              timelines.timelines(results, published)]
    parts = {
        "measured": [measured(results, options.results)],
        "verdicts": [conclusions.verdicts_section(judged, Sources(ROOT))],
        "road": summary.sections(results, other_machines(options.also)),
        "overview": [whole(results, ladder.ladder_figures(results))],
        "labs": [with_counters(labs.lab_section(results, lab), options.results, lab, results)
                 for lab in sorted(distinct(results.rows, "lab"))]
        + [section for section in beside if not section.missing],
        "peers": peers.peers_sections(options.results, results.machine) + [
            section for folder in options.also if (folder / "peers.csv").exists()
            for section in peers.peers_sections(folder)],
        "programs": [own_programs.originals(results, published)],
        "defects": [defects_section(options.data / "defects.csv", SCENE, results, published)],
        "coverage": [Section("Artefacts", [artefacts.coverage(made)])],
        **{report: artefacts.report_sections(made, report) for report in output.REPORTS}}
    sections = [section for part in parts.values() for section in part]
    one_time_each(row for section in sections for row in section.rows)
    output.give_file_names(sections)
    return parts


class Document:
    """Everything that `make report` writes, made once."""

    def __init__(self, options: argparse.Namespace, results: Results):
        self.options, self.results = options, results
        self.published = read_published(options.data / "published.csv",
                                        options.data / "originals.csv")
        self.parts = report_parts(options, results, self.published)

    def texts(self) -> Dict[Path, bytes]:
        """report.md and the READMEs."""
        options, results = self.options, self.results
        found = lab_readmes(options, results, self.published) if options.labs else {}
        if options.readme:
            found[options.readme] = main_readme(options, results)
        if options.texts:
            found = with_numbers(options.texts, found, options.out)
        found[options.out / "report.md"] = output.report_text(self.parts, summary.words(results)).encode()
        return found

    def figures(self) -> Dict[Path, bytes]:
        """The figures as SVG and PNG, and report.html, which holds them."""
        sections = [section for part in self.parts.values() for section in part]
        files = output.files_of(sections)
        gallery = ROOT / "report" / "figures" / "gallery.png"  # tools/gallery.py draws it
        if gallery.exists():
            files.setdefault("figures/gallery.png", gallery.read_bytes())
        files["report.html"] = html_page.page(
            self.parts, summary.words(self.results),
            {Path(name).name: data for name, data in files.items()},
            side_by_side.side_by_side(ROOT / "labs", self.options.results, self.results))
        return {self.options.out / name: data for name, data in files.items()}
