# SPDX-License-Identifier: MIT
"""What `make report` writes into READMEs: the numbers of claims.csv, and the tables that are made from rows.

python3 report/make/paper claims labs/03_cuda_global            the numbers of the texts in this folder
python3 report/make/paper claims labs/03_cuda_global --check    which of them are stale
"""

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path

from report.make.plots.files import ROOT, ReportError, write_whole
from report.make.plots.library import library_tables
from report.make.plots.peers import peers_tables
from report.make.plots.words import to_markdown

from .measurements.claims import NAME, rewritten
from .measurements.keyed import Sources
from .measurements.machine import Results
from .parts.machines import ladder, runs_table

RESULTS, PEERS, RUNS, LIBRARY = "results peers runs library".split()
PARTS = ("common", "data", "labs", "library", "results")  # folders that may have a claims.csv


def read_text(path: Path) -> bytes:
    """The bytes of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from None


def _wrapped(text: str) -> str:
    """The text with its paragraphs in lines of at most 140; tables, pictures and HTML stay."""
    return "\n".join(
        line
        if line.startswith(("|", "!", "<", "#"))
        else textwrap.fill(line, 140, break_long_words=False, break_on_hyphens=False)
        for line in text.split("\n")
    )


def with_part(path: Path, data: bytes, part: str, text: str) -> bytes:
    """The file with `text` between the part's markers; all other bytes stay. An error if it has not both markers once each and in
    order."""
    begin, end = (f"<!-- {part}:{which} -->".encode() for which in ("begin", "end"))
    if data.count(begin) != 1 or data.count(end) != 1 or data.index(begin) > data.index(end):
        raise ReportError(
            f"{path} was left as it is: expected one line {begin.decode()} and after it one line {end.decode()}"
        )
    new_line = b"\r\n" if b"\r\n" in data else b"\n"
    block = b"\n\n" + _wrapped(text.strip()).encode() + b"\n\n"
    return data.partition(begin)[0] + begin + block.replace(b"\n", new_line) + end + data.partition(end)[2]


def main_readme(options: argparse.Namespace, results: Results) -> bytes:
    """The README with its table of the labs."""
    text, table = read_text(options.readme), ladder(results)
    if table is None:
        raise ReportError(f"nothing was timed on {results.machine}: {options.readme} was left as it is")
    return with_part(options.readme, text, RESULTS, to_markdown(table))


def with_libraries(options: argparse.Namespace, texts: dict[Path, bytes]) -> dict[Path, bytes]:
    """tools/peers/README.md with its tables of other libraries, where `make peers` was run."""
    path = options.texts / "tools" / "peers" / "README.md"
    tables = peers_tables([options.results, *options.also])
    if not tables or not path.exists():
        return texts
    text = "\n".join(f"{table.caption}\n\n{to_markdown(table)}" for table in tables)
    return {**texts, path: with_part(path, read_text(path), PEERS, text)}


def with_numbers(
    tables: Sequence[Path], texts: dict[Path, bytes], sources: Sources
) -> tuple[dict[Path, bytes], list[str]]:
    """The Markdown files beside these claims.csv with their numbers, and a sentence for each number that was stale; and the
    sessions of the committed measurements, and the tables of the library."""
    found, stale = dict(texts), []
    known = {path.resolve(): path for path in texts}
    for table in tables:
        pages = {known.get(page.resolve(), page): b"" for page in sorted(table.parent.glob("*.md"))}
        for page in pages:
            text = found.get(page) or read_text(page)
            if f"<!-- {RUNS}:begin -->".encode() in text:
                text = with_part(page, text, RUNS, runs_table(page.parent))
            if f"<!-- {LIBRARY}:begin -->".encode() in text:
                text = with_part(page, text, LIBRARY, library_tables(sources.root / "results" / "reference"))
            pages[page] = text
        new, old = rewritten(table, pages, sources)
        found.update(new)
        stale += old
    return found, stale


def claims_below(folder: Path) -> list[Path]:
    """The claims.csv of a repository, in the order of their paths."""
    return sorted([*folder.glob(NAME), *(path for part in PARTS for path in (folder / part).rglob(NAME))])


def main(arguments: list[str] | None = None) -> int:
    """Rewrites the numbers of one folder, without the rest of the report."""
    parser = argparse.ArgumentParser(
        prog="paper claims", allow_abbrev=False, description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="of a claims.csv, as labs/03_cuda_global")
    parser.add_argument("--check", action="store_true", help="write nothing; name each stale number")
    options = parser.parse_args(arguments)
    files, stale = with_numbers([options.folder / NAME], {}, Sources(ROOT))
    for path, data in files.items():
        if not options.check and data != path.read_bytes():
            write_whole(path, data)
    print(*stale, sep="\n", end="\n" * bool(stale))
    return int(options.check and bool(stale))
