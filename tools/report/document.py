# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""All files of the report: report.md, its figures, and the generated parts of the READMEs."""
import argparse
import os
from functools import lru_cache
from pathlib import Path
from typing import Dict, List

from . import artefacts_originals, generality, output
from .content import Section, to_markdown
from .csv_file import ReportError
from .keyed import Sources, rewritten
from .measured import files_table, measured
from .overview import overview, overview_notes, whole
from .published import Published, read_published
from .selection import Results, distinct, one_time_each

try:
    from . import artefacts, labs, ladder, other_libraries, other_libraries_table
except ImportError as error:
    raise ReportError(f"figures need {error.name}: install matplotlib (on Debian and Ubuntu the "
                      "package python3-matplotlib)") from None

ROOT = Path(__file__).resolve().parents[2]


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
        pairs = artefacts_originals.pairs_of(results, published.originals, lab)
        parts = {output.ORIGINALS: output.readme_originals(
            *artefacts_originals.comparison(lab, pairs)) if pairs else None,
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
        table, overview_notes(results, table), ladder.ladder_figures(results),
        link_from(options.readme, options.out)))
    libraries = other_libraries_table.peers_table([options.results, *options.peers])
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


@lru_cache(maxsize=None)
def _sections(results: Results, published: Published, folder: Path) -> Dict[str, List[Section]]:
    """The sections of the report by the template's part."""
    one_time_each([*results.rows, *results.bench])
    parts = {
        "measured": [measured(results, folder)],
        "overview": [whole(results, ladder.ladder_figures(results))],
        "labs": [labs.lab_section(results, lab) for lab in sorted(distinct(results.rows, "lab"))],
        "peers": [other_libraries.peers_section(folder, results.machine)],
        "artefacts": artefacts.all_sections(results, published)}
    output.give_file_names([section for part in parts.values() for section in part])
    return parts


@lru_cache(maxsize=None)
def _published(options_published: Path, options_originals: Path) -> Published:
    return read_published(options_published, options_originals)


def texts(options: argparse.Namespace, results: Results) -> Dict[Path, bytes]:
    """report.md and the READMEs."""
    published = _published(options.published, options.originals)
    found = lab_readmes(options, results, published) if options.labs else {}
    parts = _sections(results, published, options.results)
    if options.readme:
        found[options.readme] = main_readme(options, results)
    if options.texts:
        found = with_numbers(options.texts, found, options.out)
    found[options.out / "report.md"] = output.report_text(parts).encode()
    return found


def figures(options: argparse.Namespace, results: Results) -> Dict[Path, bytes]:
    """The figures of the report, as SVG and PNG."""
    parts = _sections(results, _published(options.published, options.originals), options.results)
    sections = [section for part in parts.values() for section in part]
    return {options.out / name: data for name, data in output.files_of(sections).items()}
