# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Tables and figures from the measurements of one machine.

    tools/report --results results --out report --readme README.md --labs labs    report.md and READMEs
    tools/report --results results --summary                                      times, on stdout

Exit codes: 0 done, 1 one sentence says what is wrong, 2 wrong options, 130 interrupted.
"""
import argparse
import os
import sys
from pathlib import Path
from typing import Dict, List, Optional

from .content import Section, joined, to_markdown, to_text
from .csv_file import ReportError
from .measured import measured
from .originals import Original
from .other_files import read_timeline
from .overview import emulated_notes, overview, overview_notes, whole
from .published import read_published
from .rows import read_folder
from .selection import Results, distinct, of_one_machine, one_time_each

ROOT = Path(__file__).resolve().parents[2]


def parse(arguments: Optional[List[str]]) -> argparse.Namespace:
    """The options; argparse ends the program with 2 where they are wrong."""
    parser = argparse.ArgumentParser(prog="tools/report", allow_abbrev=False,
                                     description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--results", type=Path, default=ROOT / "results", metavar="DIR",
                        help="folder of CSV files (default: results)")
    parser.add_argument("--out", type=Path, metavar="DIR",
                        help="folder for report.md, tables/ and figures/")
    parser.add_argument("--readme", type=Path, metavar="FILE",
                        help="rewrite the table between this file's markers")
    parser.add_argument("--labs", type=Path, metavar="DIR",
                        help="rewrite the table of each lab in DIR/<lab>/README.md, too")
    parser.add_argument("--peers", type=Path, action="append", default=[], metavar="DIR",
                        help="another folder whose peers.csv goes into the README's table of other "
                        "libraries; can be repeated")
    parser.add_argument("--machine", metavar="NAME", help="only the rows of this machine")
    parser.add_argument("--published", type=Path, default=ROOT / "data" / "published.csv",
                        metavar="FILE", help="the reports' numbers (default: data/published.csv)")
    parser.add_argument("--originals", type=Path, default=ROOT / "data" / "originals.csv",
                        metavar="FILE",
                        help="times of the reports' programs (default: data/originals.csv)")
    parser.add_argument("--summary", action="store_true",
                        help="print the table of times and speed-ups")
    options = parser.parse_args(arguments)
    if options.out is None and not options.summary:
        parser.error("nothing to do: give --out DIR, --summary or both")
    if (options.readme or options.labs) and options.out is None:
        parser.error("--readme and --labs need --out: the READMEs link to the report")
    return options


def link_from(readme: Path, out: Path) -> str:
    """The relative path from a README to the report's folder."""
    return os.path.relpath(out, readme.resolve().parent).replace(os.sep, "/")


def lab_readmes(options: argparse.Namespace, results: Results,
                originals: List[Original]) -> Dict[Path, bytes]:
    """The READMEs of the labs that were timed, with their tables; a lab without one is left out."""
    from . import artefacts_originals
    from . import generality
    from . import output
    texts: Dict[Path, bytes] = {}
    for lab in sorted(distinct(results.rows, "lab")):
        path = options.labs / lab / "README.md"
        table = overview(results, lab)
        if table is None or not path.exists():
            continue
        text = output.with_part(output.read_readme(path), output.RESULTS, output.readme_text(
            table, overview_notes(results, table), [], link_from(path, options.out)))
        pairs = artefacts_originals.pairs_of(results, originals, lab)
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


def make_report(options: argparse.Namespace, results: Results) -> None:
    """Tables, figures, report.md and the README's table; nothing is written before all is made."""
    from . import output
    one_time_each([*results.rows, *results.bench])
    readme = output.read_readme(options.readme) if options.readme else None
    published = read_published(options.published, options.originals)
    readmes = lab_readmes(options, results, published.originals) if options.labs else {}
    try:
        from . import artefacts
        from . import labs
        from . import ladder
        from . import other_libraries
        from . import other_libraries_table
    except ImportError as error:
        raise ReportError(f"figures need {error.name}: install matplotlib (on Debian and Ubuntu "
                          "the package python3-matplotlib)") from None
    figures = ladder.ladder_figures(results)
    parts: Dict[str, List[Section]] = {
        "measured": [measured(results, options.results)],
        "overview": [whole(results, figures)],
        "labs": [labs.lab_section(results, lab) for lab in sorted(distinct(results.rows, "lab"))],
        "peers": [other_libraries.peers_section(options.results, results.machine)],
        "artefacts": artefacts.all_sections(results, published)}
    sections = [section for part in parts.values() for section in part]
    output.give_file_names(sections)
    files = output.files_of(sections)
    files["report.md"] = output.report_text(parts).encode()
    table = ladder.ladder(results)
    if readme is not None:
        if table is None:
            raise ReportError(f"nothing was timed on {results.machine}: {options.readme} was left "
                              "as it is")
        readmes[options.readme] = output.with_part(readme, output.RESULTS, output.readme_text(
            table, overview_notes(results, table), figures, link_from(options.readme, options.out)))
        libraries = other_libraries_table.peers_table([options.results, *options.peers])
        if libraries and output.has_part(readme, output.PEERS):
            readmes[options.readme] = output.with_part(
                readmes[options.readme], output.PEERS,
                f"{libraries.caption}\n\n{to_markdown(libraries)}")
    for name, data in files.items():
        output.write_whole(options.out / name, data)
    for path, data in readmes.items():
        output.write_whole(path, data)
    print(f"{options.out / 'report.md'}: {len(results.rows)} configurations of "
          f"{joined(sorted(distinct(results.rows, 'lab')))} on {results.machine}")


def summarise(results: Results) -> None:
    """Prints the overview for a terminal."""
    table = overview(results)
    if table is None:
        print(f"Nothing was timed on {results.machine}.", *emulated_notes(results), sep="\n")
        return
    print(to_text(table), *overview_notes(results, table), sep="\n")


def main(arguments: Optional[List[str]] = None) -> int:
    """Returns the exit code."""
    options = parse(arguments)
    try:
        rows = of_one_machine(read_folder(options.results), options.machine)
        results = Results(rows, read_timeline(options.results, rows[0].machine))
        if options.out is not None:
            make_report(options, results)
        if options.summary:
            summarise(results)
            sys.stdout.flush()
    except ReportError as error:
        print(f"tools/report: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of the summary went away: `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except KeyboardInterrupt:
        return 130
    return 0

