# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Two folders of measurements: what became faster or slower beyond the noise.

    tools/report compare results/reference/a results/reference/b [--lab 05_cuda_shared] [--limit 2]

Two machines, or two revisions on one. Only rows of the same configuration are compared, by their
medians. Exit codes: 0 nothing became slower, 3 something did, 1 one sentence says what is wrong, 2
wrong options.
"""
import argparse
import sys
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from .figures.content import Table, joined, number, to_text
from .measurements.csv_file import ReportError
from .measurements.columns import labs_columns
from .measurements.rows import Row, read_folder
from .measurements.selection import Results, distinct, of_one_machine

SLOWER = 3
OF_THE_MACHINE = ("machine", "device")


def by_job(results: Results) -> Dict[Tuple[str, ...], Row]:
    """Timed rows by what was run, whatever it ran on."""
    columns = labs_columns()
    names = columns.configuration
    return {tuple(value for name, value in zip(names, row.configuration)
                  if name not in OF_THE_MACHINE): row for row in results.rows if row.timed}


def _read(folder: Path, machine: Optional[str], lab: Optional[str]) -> Results:
    rows = of_one_machine(read_folder(folder), machine)
    if any(row.dirty == "1" for row in rows if row.timed):
        print(f"{folder}: some rows are of code with uncommitted changes")
    kept = [row for row in rows if lab in (None, row.lab)]
    if not any(row.timed for row in kept):
        raise ReportError(f"{folder} has no time" + (f" of {lab}" if lab else ""))
    return Results(kept)


def verdict(before: Row, after: Row, limit: float) -> str:
    """"faster" or "slower" where the intervals of the medians are apart by more than the limit."""
    if after.interval[1] * (1 + limit) < before.interval[0]:
        return "faster"
    return "slower" if before.interval[1] * (1 + limit) < after.interval[0] else ""


def compared(first: Results, second: Results, limit: float) -> Tuple[Table, Dict[str, int]]:
    """A line for each configuration that changed, the largest change first; and the counts."""
    before, after = by_job(first), by_job(second)
    common = [job for job in before if job in after]
    if not common:
        raise ReportError("the two folders have no configuration in common")
    changed = []
    counts = {"compared": len(common), "faster": 0, "slower": 0}
    for job in common:
        a, b = before[job], after[job]
        word = verdict(a, b, limit)
        if word:
            counts[word] += 1
            settings = joined(f"{name} {a.text[name]}" for name in (
                "threads", "block", "streams", "border", "type") if a.text[name])
            changed.append((abs(b.ms / a.ms - 1), [
                a.lab, a.variant, a.size_name, f"K {a.ksize}" if a.ksize else "", settings,
                number(a.ms), number(b.ms), f"{b.ms / a.ms:.3f}", word]))
    changed.sort(key=lambda pair: -pair[0])
    table = Table("compare", f"A: {first.machine}, {joined(distinct(first.rows, 'device'))}. B: "
                  f"{second.machine}, {joined(distinct(second.rows, 'device'))}. Medians; apart by "
                  f"more than their intervals and {100 * limit:g} %.",
                  ["lab", "variant", "size", "K", "settings", "A ms", "B ms", "B / A", "B is"],
                  [line for _, line in changed], left=5)
    return table, counts


def main(arguments: Optional[List[str]] = None) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(prog="tools/report compare", allow_abbrev=False,
                                     description=(__doc__ or "").split("\n")[0])
    parser.add_argument("a", type=Path, metavar="A", help="folder of CSV files: before")
    parser.add_argument("b", type=Path, metavar="B", help="folder of CSV files: after")
    parser.add_argument("--lab", help="only this lab")
    parser.add_argument("--machine", help="of folders with several machines, this one")
    parser.add_argument("--limit", type=float, default=2.0, metavar="PERCENT",
                        help="smaller changes are none (default: 2)")
    options = parser.parse_args(arguments)
    if not 0 <= options.limit < 100:
        parser.error("--limit is a percentage from 0 to 100")
    try:
        first, second = (_read(folder, options.machine, options.lab)
                         for folder in (options.a, options.b))
        table, counts = compared(first, second, options.limit / 100)
    except ReportError as error:
        print(f"tools/report compare: {error}", file=sys.stderr)
        return 1
    if table.rows:
        print(to_text(table))
    print(f"{counts['compared']} configurations in both: {counts['faster']} faster, "
          f"{counts['slower']} slower, {counts['compared'] - counts['faster'] - counts['slower']} "
          "as before.")
    if first.machine != second.machine:
        print("The machines differ: this is no measure of a change of the code.")
    return SLOWER if counts["slower"] else 0
