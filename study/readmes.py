# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What `make report` writes into READMEs: the numbers of claims.csv, and the tables that are made from rows.

python3 study claims labs/03_cuda_global            the numbers of the texts in this folder
python3 study claims labs/03_cuda_global --check    which of them are stale
"""

import argparse
import sys
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from tools.plots.files import ReportError, write_whole

from . import markers
from .figures.content import to_markdown
from .measurements.claims import NAME, rewritten
from .measurements.keyed import Sources
from .measurements.selection import Results
from .parts import peers
from .parts.labs import ladder
from .parts.machines import files_table, runs_table

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("common", "data", "labs", "results", "study")  # folders that may have a claims.csv


def main_readme(options: argparse.Namespace, results: Results) -> bytes:
    """The README with its table of the labs."""
    text = markers.read_readme(options.readme)
    table = ladder(results)
    if table is None:
        raise ReportError(f"nothing was timed on {results.machine}: {options.readme} was left as it is")
    return markers.with_table(text, markers.RESULTS, table)


def with_libraries(options: argparse.Namespace, texts: Dict[Path, bytes]) -> Dict[Path, bytes]:
    """tools/peers/README.md with its tables of other libraries, where `make peers` was run."""
    path = options.texts / "tools" / "peers" / "README.md"
    tables = peers.peers_tables([options.results, *options.also])
    if not tables or not path.exists():
        return texts
    text = "\n".join(f"{table.caption}\n\n{to_markdown(table)}" for table in tables)
    return {**texts, path: markers.with_part(markers.read_text(path), markers.PEERS, text)}


def with_numbers(
    tables: Sequence[Path], texts: Dict[Path, bytes], sources: Sources
) -> Tuple[Dict[Path, bytes], List[str]]:
    """The Markdown files beside these claims.csv with their numbers, and a sentence for each number that was stale; and the
    committed measurements' pages with their tables of files and of sessions."""
    found, stale = dict(texts), []
    known = {path.resolve(): path for path in texts}
    for table in tables:
        pages = {known.get(page.resolve(), page): b"" for page in sorted(table.parent.glob("*.md"))}
        for page in pages:
            text = found.get(page) or markers.read_text(page)
            for part, made_of in ((markers.FILES, files_table), (markers.RUNS, runs_table)):
                if markers.has_part(text, part):
                    text = markers.with_part(text, part, made_of(page.parent))
            pages[page] = text
        new, old = rewritten(table, pages, sources)
        found.update(new)
        stale += old
    return found, stale


def claims_below(folder: Path) -> List[Path]:
    """The claims.csv of a repository, in the order of their paths."""
    return sorted(path for part in PARTS for path in (folder / part).rglob(NAME))


def main(arguments: Optional[List[str]] = None) -> int:
    """Rewrites the numbers of one folder, without the rest of the report."""
    parser = argparse.ArgumentParser(
        prog="study claims", allow_abbrev=False, description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="of a claims.csv, as labs/03_cuda_global")
    parser.add_argument("--check", action="store_true", help="write nothing; name each stale number")
    options = parser.parse_args(arguments)
    try:
        files, stale = with_numbers([options.folder / NAME], {}, Sources(ROOT))
        for path, data in files.items():
            if not options.check and data != path.read_bytes():
                write_whole(path, data)
    except ReportError as error:
        print(f"study claims: {error}", file=sys.stderr)
        return 1
    print(*stale, sep="\n", end="\n" * bool(stale))
    return int(options.check and bool(stale))
