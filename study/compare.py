# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Two folders of measurements: what became faster or slower beyond the noise.

    study compare results/reference/a results/reference/b [--lab 05_cuda_shared] [--limit 5]

Two machines, or two revisions on one. Only rows of the same configuration are compared, by their
medians; those that cannot be compared are counted, with the reason (comparable.py).
"""
import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from .comparable import LIMIT, Pair, limit_of, notes, why_not
from .figures.content import Table, joined, number, percent, to_text
from .measurements.csv_file import ReportError
from .measurements.columns import labs_columns
from .measurements.points import TWO_SESSIONS
from .measurements.rows import Row, read_folder
from .measurements.selection import Results, distinct, of_one_machine

SLOWER = 3
EXIT_CODES = ("Exit codes: 0 nothing became slower, 3 something became slower, 1 one sentence says what is wrong or "
              "that nothing can be compared, 2 wrong options.")
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


def disturbed(pair: Pair) -> str:
    """Of which of the two rows turns were disturbed: "A", "B", "A and B"; nothing where of none."""
    return " and ".join(name for name, row in zip("AB", pair) if row.text["disturbed"] not in ("", "0"))


def pairs_of(first: Results, second: Results) -> Tuple[List[Pair], List[str]]:
    """The rows of the configurations in both that can be compared, and a sentence for each reason why others cannot;
    an error where none can."""
    before, after = by_job(first), by_job(second)
    common = [(row, after[job]) for job, row in before.items() if job in after]
    if not common:
        raise ReportError("the two folders have no configuration in common")
    reasons = Counter(filter(None, (why_not(*pair) for pair in common)))
    left_out = [f"Not compared: {count} configuration{'s' * (count > 1)}, because {why}." for why, count in reasons.items()]
    pairs = [pair for pair in common if not why_not(*pair)]
    if not pairs:
        raise ReportError(f"nothing of the two folders can be compared: {'; '.join(reasons)}")
    return pairs, left_out


def _line(a: Row, b: Row, word: str) -> List[str]:
    settings = joined(f"{name} {a.text[name]}" for name in (
        "threads", "block", "streams", "border", "type") if a.text[name])
    return [a.lab, a.variant, a.size_name, f"K {a.ksize}" if a.ksize else "", settings,
            number(a.ms), number(b.ms), f"{b.ms / a.ms:.3f}", word]


def compared(pairs: Sequence[Pair], limit: Optional[float]) -> Tuple[Table, Dict[str, int]]:
    """A line for each configuration that changed, the largest change first; and the counts. Without a limit each
    pair has its own. A row that something else disturbed decides nothing."""
    changed = []
    counts = {"compared": len(pairs), "faster": 0, "slower": 0, "undecided": 0}
    for a, b in pairs:
        word = verdict(a, b, limit_of(a) if limit is None else limit)
        if word:
            whose = disturbed((a, b))
            counts["undecided" if whose else word] += 1
            changed.append((abs(b.ms / a.ms - 1), _line(a, b, f"undecided, {whose} disturbed" if whose else word)))
    changed.sort(key=lambda pair: -pair[0])
    apart = (f"{percent(LIMIT)} on a GPU, {percent(TWO_SESSIONS)} on a CPU, where two sessions differ by so much" if limit is None
             else percent(limit))
    (first, second), devices = pairs[0], [joined(distinct(rows, "device")) for rows in zip(*pairs)]
    table = Table("compare", f"A: {first.machine}, {devices[0]}. B: {second.machine}, {devices[1]}. Medians; apart by "
                  f"more than their intervals and {apart}.",
                  ["lab", "variant", "size", "K", "settings", "A ms", "B ms", "B / A", "B is"],
                  [line for _, line in changed], left=5)
    return table, counts


def main(arguments: Optional[List[str]] = None) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(prog="study compare", allow_abbrev=False,
                                     description=(__doc__ or "").split("\n")[0], epilog=EXIT_CODES)
    parser.add_argument("a", type=Path, metavar="A", help="folder of CSV files: before")
    parser.add_argument("b", type=Path, metavar="B", help="folder of CSV files: after")
    parser.add_argument("--lab", help="only this lab")
    parser.add_argument("--machine", help="of folders with several machines, this one")
    parser.add_argument("--limit", type=float, metavar="PERCENT",
                        help=f"smaller changes are none (default: {100 * LIMIT:g} on a GPU, {100 * TWO_SESSIONS:g} on a "
                        "CPU, where two sessions differ by so much)")
    options = parser.parse_args(arguments)
    if options.limit is not None and not 0 <= options.limit < 100:
        parser.error("--limit is a percentage from 0 to 100")
    try:
        first, second = (_read(folder, options.machine, options.lab)
                         for folder in (options.a, options.b))
        pairs, left_out = pairs_of(first, second)
    except ReportError as error:
        print(f"study compare: {error}", file=sys.stderr)
        return 1
    table, counts = compared(pairs, None if options.limit is None else options.limit / 100)
    print(to_text(table) if table.rows else table.caption)
    print(f"{counts['compared']} configurations in both: {counts['faster']} faster, "
          f"{counts['slower']} slower, {2 * counts['compared'] - sum(counts.values())} as before"
          + (f", {counts['undecided']} undecided: something else disturbed the measurement of A or B; measure again"
             if counts["undecided"] else "") + ".")
    print(*left_out, *notes(pairs), sep="\n", end="\n" * bool(left_out or notes(pairs)))
    if first.machine != second.machine:
        print("The machines differ: this is no measure of a change of the code.")
    return SLOWER if counts["slower"] else 0
