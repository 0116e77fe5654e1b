# SPDX-License-Identifier: MIT
"""Tables and figures from the measurements of one machine.

    paper --results results --out report --texts .     report.md and READMEs
    paper --results results --out report ... --check   what of it is stale
    paper figure NAME --results results --out build    one figure

--complete is for the committed report: it ends with an error if an artefact or a verdict has no rows.

Exit codes: 0 done, 1 one sentence says what is wrong, 2 wrong options, 130 interrupted.
"""

import argparse
import os
import re
import sys
from pathlib import Path
from typing import Any

from report.make.plots.files import ROOT, Parser, write_whole
from report.make.plots.results import distinct, of_one_machine
from report.make.plots.words import joined

from .document import Document
from .html_page import make_pdf
from .measurements.machine import Results, read_folder
from .output import files_of
from .reports.conclusions import read_machine_code


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The options; argparse ends the program with 2 if they are wrong."""
    arguments = sys.argv[1:] if arguments is None else arguments
    figure = arguments[:1] == ["figure"]
    parser = Parser(prog="paper figure" if figure else "paper", allow_abbrev=False)
    add, folder, switch = parser.add_argument, {"type": Path, "metavar": "DIR"}, {"action": "store_true"}
    add("--results", **folder, default=ROOT / "results", help="folder of CSV files (default: results)")
    add("--out", **folder, required=True, help="folder for report.md and figures/, or for the figure")
    add("--also", **folder, action="append", default=[], help="of another machine; can be repeated")
    add("--machine", metavar="NAME", help="only the rows of this machine")
    if figure:
        add("figure", metavar="NAME", help="of a figure, such as road; a wrong one lists all")
    else:
        add("--texts", **folder, help="rewrite the tables and numbers of the READMEs of this repository, too")
        add("--pdf", **switch, help="print report.html into report.pdf, if Chromium is installed")
        add("--check", **switch, help="write nothing; name each text that is not what the rows say")
        add("--complete", **switch, help="an error if an artefact or a verdict has no rows")
    options = parser.parse_args(arguments[1:] if figure else arguments)
    if figure and not options.figure:
        parser.error("name the figure: tools/report.sh figure road")
    options.figure = options.figure if figure else ""
    return options


def stale(files: dict[Path, bytes]) -> list[str]:
    """A sentence for each file that is not what it should be."""
    there = {path: path.read_bytes() if path.is_file() else b"" for path in files}
    line = {path: os.path.commonprefix([data, files[path]]).count(b"\n") + 1 for path, data in there.items()}
    wrong = {path: f", line {line[path]}: not what the rows say" if there[path] else " is missing" for path in files}
    return [f"{path}{words}" for path, words in wrong.items() if there[path] != files[path]]


def wrong_lines(root: Path) -> list[str]:
    """A sentence for each picture of `make count` whose title names a line that does not have the access."""
    wrong = []
    for picture in sorted(root.glob("labs/*/*.svg")):
        for page, line, kind in re.findall(
            r"(\w+\.cu):(\d+): global (load|store)", picture.read_text(encoding="utf-8")
        ):
            source = picture.parent / page
            lines = source.read_text(encoding="utf-8").splitlines() if source.is_file() else []
            if ("d_in" if kind == "load" else "d_out") not in "".join(lines[int(line) - 1 : int(line)]):
                wrong.append(f"{picture}: {page}:{line} has no global {kind}")
    return wrong


def read_results(options: argparse.Namespace) -> Results:
    """The rows of one machine, and what else its folder has."""
    rows = of_one_machine(read_folder(options.results), options.machine)
    return Results(rows, read_machine_code(options.results))


def draw_one(made: Any, options: argparse.Namespace) -> int:
    """Writes one figure, without the rest of the report."""
    item = made.figure(options.figure)
    path = options.out / f"{item.name}.svg"
    write_whole(path, *files_of([item]).values())
    print(f"{path}: {item.caption}")
    return 0


def make_report(options: argparse.Namespace, results: Results) -> int:
    """Writes all files, or checks the texts; nothing is written before all is made."""
    made = Document(options, results)
    if options.figure:
        return draw_one(made, options)
    texts = made.texts()
    if options.complete:
        made.check_complete()
    if options.check:
        wrong = made.stale + stale(texts) + (wrong_lines(options.texts) if options.texts else [])
        for sentence in wrong:
            print(f"paper: {sentence}; run `make report`", file=sys.stderr)
        return 1 if wrong else 0
    files = {**made.figures(), **texts}
    for path, data in files.items():
        write_whole(path, data)
    for path in sorted((options.out / "figures").glob("*.[ps][nv]g")):
        if path not in files and path.name != "gallery.png":  # an older report drew it
            path.unlink()
    labs = joined(sorted(distinct(results.rows, "lab")))
    print(f"{options.out / 'report.md'}: {len(results.rows)} configurations of {labs} on {results.machine}")
    if options.pdf:
        print(make_pdf(options.out / "report.html"))
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code."""
    options = parse(arguments)
    return make_report(options, read_results(options))
