# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Tables and figures from the measurements of one machine.

    study --results results --out report --readme README.md --labs labs    report.md and READMEs
    study --results results --out report ... --check                       what of it is stale

--complete is for the committed report: it ends with a sentence where an artefact or a verdict has no rows.

Exit codes: 0 done, 1 one sentence says what is wrong, 2 wrong options, 130 interrupted.
"""

import argparse
import sys
from pathlib import Path
from typing import Dict, List, Optional

from .figures.content import joined
from .measurements.csv_file import ReportError
from .measurements.other_files import read_machine_code, read_timeline
from .measurements.rows import read_folder
from .measurements.selection import Results, distinct, of_one_machine

ROOT = Path(__file__).resolve().parents[1]


def parse(arguments: Optional[List[str]]) -> argparse.Namespace:
    """The options; argparse ends the program with 2 where they are wrong."""
    parser = argparse.ArgumentParser(prog="study", allow_abbrev=False, description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--results", type=Path, default=ROOT / "results", metavar="DIR", help="folder of CSV files (default: results)"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for report.md and figures/")
    parser.add_argument("--readme", type=Path, metavar="FILE", help="rewrite the table between this file's markers")
    parser.add_argument(
        "--labs", type=Path, metavar="DIR", help="rewrite the table of each lab in DIR/<lab>/README.md, too"
    )
    parser.add_argument(
        "--texts",
        type=Path,
        metavar="DIR",
        help="rewrite the numbers of each claims.csv below DIR in the README beside it, too",
    )
    parser.add_argument(
        "--also",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="the folder of another machine: its other libraries, its rooflines, its "
        "GPUs and MPI ranks; can be repeated",
    )
    parser.add_argument("--machine", metavar="NAME", help="only the rows of this machine")
    parser.add_argument(
        "--data",
        type=Path,
        default=ROOT / "study" / "data",
        metavar="DIR",
        help="the folder of published.csv, originals.csv, conclusions.csv and artefacts.ini (default: study/data)",
    )
    parser.add_argument(
        "--pdf", action="store_true", help="print report.html into report.pdf, where Chromium is installed"
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; name each text that is not what the rows say"
    )
    parser.add_argument("--complete", action="store_true", help="an error where an artefact or a verdict has no rows")
    return parser.parse_args(arguments)


def stale(files: Dict[Path, bytes]) -> List[str]:
    """A sentence for each file that is not what it should be."""
    found = []
    for path, data in files.items():
        try:
            there = path.read_bytes()
        except OSError:
            found.append(f"{path} is missing")
            continue
        lines, wanted = there.splitlines(), data.splitlines()
        differing = next(
            (index for index, pair in enumerate(zip(lines, wanted)) if pair[0] != pair[1]), min(len(lines), len(wanted))
        )
        if there != data:
            found.append(f"{path}, line {differing + 1}: not what the rows say")
    return found


def read_results(options: argparse.Namespace) -> Results:
    """The rows of one machine, and what else its folder has."""
    rows = of_one_machine(read_folder(options.results), options.machine)
    return Results(rows, read_timeline(options.results, rows[0].machine), read_machine_code(options.results))


def make_report(options: argparse.Namespace, results: Results) -> int:
    """Writes all files, or checks the texts; nothing is written before all is made."""
    from tools.plots.files import write_whole

    from . import document

    made = document.Document(options, results)
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
    print(
        f"{options.out / 'report.md'}: {len(results.rows)} configurations of "
        f"{joined(sorted(distinct(results.rows, 'lab')))} on {results.machine}"
    )
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
