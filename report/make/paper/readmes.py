# SPDX-License-Identifier: MIT
"""What `make report` writes into READMEs: the numbers of claims.csv, and the tables that are made from rows.

python3 report/make/paper claims labs/03_cuda_global            the numbers of the texts in this folder
python3 report/make/paper claims labs/03_cuda_global --check    which of them are stale
"""

import textwrap
from collections.abc import Sequence
from pathlib import Path

from report.make.plots.files import ROOT, Parser, ReportError, write_whole
from report.make.plots.peers import peers_tables
from report.make.plots.words import to_markdown

from .measurements.claims import FILE, Line, read_claims, rewritten
from .measurements.keyed import Sources
from .measurements.machine import Results
from .parts.library import library_tables
from .parts.machines import ladder, runs_table


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


def with_tables(root: Path, results: Results, folders: Sequence[Path]) -> dict[Path, bytes]:
    """The READMEs with their tables: of the labs, of other libraries, of the library, and of the other run; without rows a
    table stays as it is. folders: of the machines."""
    reference, labs = root / "results/reference", ladder(results)
    if labs is None:
        raise ReportError(f"nothing was timed on {results.machine}: {root / 'README.md'} was left as it is")
    peers = "\n".join(f"{table.caption}\n\n{to_markdown(table)}" for table in peers_tables(folders))
    tables = {
        root / "README.md": ("results", to_markdown(labs)),
        root / "tools/peers/README.md": ("peers", peers),
        root / "library/README.md": ("library", library_tables(reference)),
        reference / "details.md": ("runs", runs_table(reference)),
    }
    there = {page: part for page, part in tables.items() if part[1] and (page.exists() or page == root / "README.md")}
    return {page: with_part(page, read_text(page), *part) for page, part in there.items()}


def with_numbers(
    texts: dict[Path, bytes], claims: dict[Path, list[Line]], sources: Sources
) -> tuple[dict[Path, bytes], list[str]]:
    """The texts and the pages of the claims with their numbers, and a sentence for each number that was stale."""
    made, stale = dict(texts), []
    for page, lines in claims.items():
        made[page], old = rewritten(page, texts.get(page) or read_text(page), lines, sources)
        stale += old
    return made, stale


def main(arguments: list[str]) -> int:
    """Rewrites the numbers of one folder, without the rest of the report."""
    parser = Parser(prog="paper claims", allow_abbrev=False, description="The numbers of a folder's texts.")
    parser.add_argument("folder", type=Path, help="such as labs/03_cuda_global")
    parser.add_argument("--check", action="store_true", help="write nothing; name each stale number")
    options = parser.parse_args(arguments)
    claims = {page: lines for page, lines in read_claims(ROOT).items() if page.parent == options.folder.resolve()}
    if not claims:
        raise ReportError(f"{FILE} has no line for a page in {options.folder}")
    files, stale = with_numbers({}, claims, Sources(ROOT))
    for path, data in files.items():
        if not options.check:
            write_whole(path, data)
    for sentence in stale:
        print(sentence)
    return int(options.check and bool(stale))
