# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Tables and figures from the measurements of one machine.

    study --results results --out report --readme README.md --texts .    report.md and READMEs
    study --results results --out report ... --check                       what of it is stale
    study figure NAME --results results --out build                        one figure, by the name in its caption

--complete is for the committed report: it ends with a sentence where an artefact or a verdict has no rows.

Exit codes: 0 done, 1 one sentence says what is wrong, 2 wrong options, 130 interrupted.
"""

import argparse
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

from tools.plots.files import ReportError, write_whole

from .figures.content import joined
from .measurements.other_files import read_machine_code, read_timeline
from .measurements.rows import read_folder
from .measurements.selection import Results, distinct, of_one_machine

ROOT = Path(__file__).resolve().parents[1]
DATA = "the folder of published.csv, originals.csv, conclusions.csv and artefacts.ini (default: study/data)"


def parse(arguments: Optional[List[str]] = None) -> argparse.Namespace:
    """The options; argparse ends the program with 2 where they are wrong."""
    arguments = sys.argv[1:] if arguments is None else arguments
    figure = arguments[:1] == ["figure"]
    words = (__doc__ or "").split("\n", maxsplit=1)[0]
    parser = argparse.ArgumentParser(prog="study figure" if figure else "study", allow_abbrev=False, description=words)

    def folder(option: str, words: str, metavar: str = "DIR", **more: Any) -> None:
        parser.add_argument(option, type=Path, metavar=metavar, help=words, **more)

    if figure:
        parser.add_argument("figure", metavar="NAME", help="at the end of the figure's caption in the report")
    folder("--results", "folder of CSV files (default: results)", default=ROOT / "results")
    folder("--out", "folder for report.md and figures/, or for the figure", required=True)
    folder(
        "--also",
        "of another machine: its rooflines, GPUs, ranks, libraries; can be repeated",
        action="append",
        default=[],
    )
    folder("--data", DATA, default=ROOT / "study" / "data")
    parser.add_argument("--machine", metavar="NAME", help="only the rows of this machine")
    if not figure:
        folder("--readme", "rewrite the table between this file's markers", "FILE")
        folder("--texts", "rewrite the numbers of each claims.csv below DIR in the texts beside it, too")
        for option, words in (
            ("--pdf", "print report.html into report.pdf, where Chromium is installed"),
            ("--check", "write nothing; name each text that is not what the rows say"),
            ("--complete", "an error where an artefact or a verdict has no rows"),
        ):
            parser.add_argument(option, action="store_true", help=words)
    options = parser.parse_args(arguments[1:] if figure else arguments)
    if figure and not options.figure:
        parser.error("name the figure, by the end of its caption in the report: make figure NAME=ariano2023_10")
    options.figure = options.figure if figure else ""
    return options


def stale(files: Dict[Path, bytes]) -> List[str]:
    """A sentence for each file that is not what it should be."""
    found = []
    for path, data in files.items():
        there = path.read_bytes() if path.is_file() else None
        if there is None:
            found.append(f"{path} is missing")
        elif there != data:
            lines, wanted = there.splitlines(), data.splitlines()
            same = [pair[0] == pair[1] for pair in zip(lines, wanted)]
            found.append(f"{path}, line {([*same, False]).index(False) + 1}: not what the rows say")
    return found


def read_results(options: argparse.Namespace) -> Results:
    """The rows of one machine, and what else its folder has."""
    rows = of_one_machine(read_folder(options.results), options.machine)
    return Results(rows, read_timeline(options.results, rows[0].machine), read_machine_code(options.results))


def draw_one(made: Any, options: argparse.Namespace) -> int:
    """Writes one figure, without the rest of the report."""
    from tools.plots.style import svg

    item = made.figure(options.figure)
    path = options.out / f"{item.name}.svg"
    write_whole(path, svg(item.draw()))
    print(f"{path}: {item.caption}")
    return 0


def make_report(options: argparse.Namespace, results: Results) -> int:
    """Writes all files, or checks the texts; nothing is written before all is made."""
    from . import document

    made = document.Document(options, results)
    if options.figure:
        return draw_one(made, options)
    texts = made.texts()
    if options.complete:
        made.check_complete()
    if options.check:
        found = made.stale + stale(texts)
        for sentence in found:
            print(f"study: {sentence}; run `make report`", file=sys.stderr)
        return 1 if found else 0
    files = {**made.figures(), **texts}
    for path, data in files.items():
        write_whole(path, data)
    for path in sorted((options.out / "figures").glob("*.[ps][nv]g")):
        if path not in files and path.name != "gallery.png":  # an older report drew it
            path.unlink()
    labs = joined(sorted(distinct(results.rows, "lab")))
    print(f"{options.out / 'report.md'}: {len(results.rows)} configurations of {labs} on {results.machine}")
    if options.pdf:
        from .pdf import make_pdf

        print(make_pdf(options.out / "report.html"))
    return 0


def main(arguments: Optional[List[str]] = None) -> int:
    """Returns the exit code."""
    options = parse(arguments)
    try:
        return make_report(options, read_results(options))
    except ReportError as error:
        print(f"study: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
