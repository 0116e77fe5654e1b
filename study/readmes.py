# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The generated parts of the READMEs: tables of the labs, and the numbers of claims.csv."""

import argparse
import os
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

from . import markers
from .figures.content import to_markdown
from .measurements.claims import NAME, rewritten
from .measurements.csv_file import ReportError
from .measurements.keyed import Sources
from .measurements.published import Published
from .measurements.selection import Results, distinct
from .parts import generality, peers, scaling
from .parts.labs import ladder, overview, overview_notes
from .parts.machines import files_table
from .reports import own_programs


def link_from(readme: Path, out: Path) -> str:
    """The relative path from a README to the report's folder."""
    return os.path.relpath(out, readme.resolve().parent).replace(os.sep, "/")


def lab_readmes(options: argparse.Namespace, results: Results, published: Published) -> Dict[Path, bytes]:
    """The READMEs of the labs that were timed, with their tables; a lab without one is left out."""
    texts: Dict[Path, bytes] = {}
    for lab in sorted(distinct(results.rows, "lab")):
        path = options.labs / lab / "README.md"
        table = overview(results, lab)
        if table is None or not path.exists():
            continue
        out = link_from(path, options.out)
        parts = {
            markers.RESULTS: markers.readme_text(table, overview_notes(results, table, lab), out),
            markers.GENERALITY: generality.readme_generality(results, lab),
        }
        pairs = own_programs.pairs_of(results, published.originals, lab)
        if pairs:
            parts[markers.ORIGINALS] = markers.readme_originals(*own_programs.comparison(lab, pairs), out)
        text = markers.read_readme(path)
        for part, words in parts.items():
            if words and markers.has_part(text, part):
                text = markers.with_part(text, part, words)
            elif words:
                print(f"{path}: no line <!-- {part}:begin -->, so this part was left out")
        texts[path] = text
    return texts


def with_scaling(labs: Path, machines: Sequence[Results], texts: Dict[Path, bytes]) -> Dict[Path, bytes]:
    """The READMEs that show several GPUs or ranks, with the tables of all machines."""
    found = dict(texts)
    for lab in (scaling.STREAMS, scaling.MPI):
        path = labs / lab / "README.md"
        text = found.get(path) or (markers.read_text(path) if path.exists() else b"")
        words = scaling.readme_scaling(machines, lab)
        if words and markers.has_part(text, markers.SCALING):
            found[path] = markers.with_part(text, markers.SCALING, words)
    return found


def main_readme(options: argparse.Namespace, results: Results) -> bytes:
    """The README with its table of the labs."""
    text = markers.read_readme(options.readme)
    table = ladder(results)
    if table is None:
        raise ReportError(f"nothing was timed on {results.machine}: {options.readme} was left as it is")
    measured = options.results.resolve().parent / "README.md"
    details = f"[details]({link_from(options.readme, measured)})" if measured.exists() else ""
    return markers.with_part(
        text, markers.RESULTS, markers.readme_text(table, [], link_from(options.readme, options.out), details)
    )


def with_libraries(options: argparse.Namespace, texts: Dict[Path, bytes]) -> Dict[Path, bytes]:
    """tools/peers/README.md with its tables of other libraries, where `make peers` was run."""
    path = options.texts / "tools" / "peers" / "README.md"
    tables = peers.peers_tables([options.results, *options.also])
    if not tables or not path.exists():
        return texts
    text = "\n".join(f"{table.caption}\n\n{to_markdown(table)}" for table in tables)
    return {**texts, path: markers.with_part(markers.read_text(path), markers.PEERS, text)}


def with_numbers(folder: Path, texts: Dict[Path, bytes]) -> Tuple[Dict[Path, bytes], List[str]]:
    """The READMEs below the folder that have a claims.csv beside them, with its numbers, and a sentence for each number that
    was stale; and the committed measurements' README with its tables of files."""
    sources, stale = Sources(folder), []
    found = dict(texts)
    known = {path.resolve(): path for path in texts}
    parts = ("common", "data", "labs", "results", "study")
    for table in sorted(path for part in parts for path in (folder / part).rglob(NAME)):
        readme = table.with_name("README.md")
        path = known.get(readme.resolve(), readme)
        text = found.get(path) or markers.read_text(path)
        if markers.has_part(text, markers.FILES):
            text = markers.with_part(text, markers.FILES, files_table(path.parent))
        found[path], old = rewritten(path, text, sources)
        stale += old
    return found, stale
