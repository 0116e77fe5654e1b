# SPDX-License-Identifier: MIT
"""Two folders of measurements: what became faster or slower beyond the noise.

    python3 tools/plots compare results/reference/a results/reference/b [--lab 05_cuda_shared] [--limit 5]

Two machines, or two revisions on one. Only rows of the same configuration are compared, by their
medians; those that cannot be compared are counted, with the reason.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from .columns import labs_columns
from .files import ReportError
from .rows import OF_CPU, OF_KERNEL, Row
from .selection import distinct, of_one_machine, read_folder, select
from .words import Table, joined, number, percent, to_text

SLOWER = 3
EXIT_CODES = (
    "Exit codes: 0 nothing became slower, 3 something became slower, 1 one sentence says what is wrong or "
    "that nothing can be compared, 2 wrong options."
)
# What may differ, but is mentioned.
NOTED = {
    "iterations": "the iterations differ",
    "compiler": "the compiler differs",
    "flags": "the flags differ",
    "driver": "the driver differs",
    "pinning": "the pinning of the host's threads differs",
}
Pair = Tuple[Row, Row]


def by_job(rows: Sequence[Row]) -> Dict[Tuple[str, ...], Row]:
    """Timed rows by what was run, whatever it ran on."""
    names = labs_columns().configuration
    return {
        tuple(value for name, value in zip(names, row.configuration) if name not in ("machine", "device")): row
        for row in select(rows)
        if row.timed
    }


def _read(folder: Path, machine: Optional[str], lab: Optional[str]) -> List[Row]:
    rows = of_one_machine(read_folder(folder), machine)
    if any(row.dirty == "1" for row in rows if row.timed):
        print(f"{folder}: some rows are of code with uncommitted changes")
    kept = [row for row in rows if lab in (None, row.lab)]
    if not any(row.timed for row in kept):
        raise ReportError(f"{folder} has no time" + (f" of {lab}" if lab else ""))
    return kept


def why_not(before: Row, after: Row) -> str:
    """Why the two times cannot be compared; nothing if they can."""
    if before.in_rounds != after.in_rounds:
        return (
            "one was timed by the earlier protocol, without rounds (results/reference/README.md says what its times "
            "contain)"
        )
    if before.backend == "cpu" and before.pinning != after.pinning:
        return "the threads were pinned in another way"
    return ""


def notes(pairs: Sequence[Pair]) -> List[str]:
    """A sentence for each column of NOTED that differs: both values, and in how many configurations."""
    found: List[str] = []
    for column, words in NOTED.items():
        counts = Counter((before[column], after[column]) for before, after in pairs if before[column] != after[column])
        if counts:
            (a, b), many = counts.most_common(1)[0]
            found.append(
                f"Note: {words} in {sum(counts.values())} of {len(pairs)} configurations: "
                f"{a or 'unknown'} in A and {b or 'unknown'} in B" + f" in {many} of them" * (len(counts) > 1) + "."
            )
    return found


def verdict(before: Row, after: Row, limit: float) -> str:
    """ "faster" or "slower" where the intervals of the medians are apart by more than the limit."""
    if after.interval[1] * (1 + limit) < before.interval[0]:
        return "faster"
    return "slower" if before.interval[1] * (1 + limit) < after.interval[0] else ""


def disturbed(pair: Pair) -> str:
    """Of which of the two rows turns were disturbed: "A", "B", "A and B"; nothing if of none."""
    return " and ".join(name for name, row in zip("AB", pair) if row.disturbed)


def pairs_of(first: Sequence[Row], second: Sequence[Row]) -> Tuple[List[Pair], List[str]]:
    """The rows of the configurations in both that can be compared, and a sentence for each reason why others cannot;
    an error if none can."""
    before, after = by_job(first), by_job(second)
    common = [(row, after[job]) for job, row in before.items() if job in after]
    if not common:
        raise ReportError("the two folders have no configuration in common")
    reasons = Counter(filter(None, (why_not(*pair) for pair in common)))
    left_out = [
        f"Not compared: {count} configuration{'s' * (count > 1)}, because {why}." for why, count in reasons.items()
    ]
    pairs = [pair for pair in common if not why_not(*pair)]
    if not pairs:
        raise ReportError(f"nothing of the two folders can be compared: {'; '.join(reasons)}")
    return pairs, left_out


def _line(a: Row, b: Row, word: str) -> List[str]:
    settings = joined(f"{name} {a[name]}" for name in ("threads", "block", "streams", "border", "type") if a[name])
    return [
        a.lab,
        a.variant,
        a.size_name,
        f"K {a.ksize}" if a.ksize else "",
        settings,
        number(a.ms),
        number(b.ms),
        f"{b.ms / a.ms:.3f}",
        word,
    ]


def compared(pairs: Sequence[Pair], limit: Optional[float]) -> Tuple[Table, Dict[str, int]]:
    """A line for each configuration that changed, the largest change first; and the counts. Without a limit each
    pair has its own. A row that something else disturbed decides nothing."""
    changed = []
    counts = {"compared": len(pairs), "faster": 0, "slower": 0, "undecided": 0}
    for a, b in pairs:
        word = verdict(a, b, limit if limit is not None else OF_CPU if a.backend == "cpu" else OF_KERNEL)
        if word:
            whose = disturbed((a, b))
            counts["undecided" if whose else word] += 1
            changed.append((abs(b.ms / a.ms - 1), _line(a, b, f"undecided, {whose} disturbed" if whose else word)))
    changed.sort(key=lambda pair: -pair[0])
    apart = (
        f"{percent(OF_KERNEL)} on a GPU, {percent(OF_CPU)} on a CPU, where two sessions differ by so much"
        if limit is None
        else percent(limit)
    )
    (first, second), devices = pairs[0], [joined(distinct(rows, "device")) for rows in zip(*pairs)]
    table = Table(
        "compared",
        f"A: {first['machine']}, {devices[0]}. B: {second['machine']}, {devices[1]}. Medians; apart by "
        f"more than their intervals and {apart}.",
        ["lab", "variant", "size", "K", "settings", "A ms", "B ms", "B / A", "B is"],
        [line for _, line in changed],
        left=5,
    )
    return table, counts


def main(arguments: List[str]) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="plots compare",
        allow_abbrev=False,
        description=(__doc__ or "").split("\n", maxsplit=1)[0],
        epilog=EXIT_CODES,
    )
    parser.add_argument("a", type=Path, metavar="A", help="folder of CSV files: before")
    parser.add_argument("b", type=Path, metavar="B", help="folder of CSV files: after")
    parser.add_argument("--lab", help="only this lab")
    parser.add_argument("--machine", help="of folders with several machines, this one")
    parser.add_argument(
        "--limit",
        type=float,
        metavar="PERCENT",
        help=f"smaller changes are none (default: {100 * OF_KERNEL:g} on a GPU, {100 * OF_CPU:g} on a "
        "CPU, where two sessions differ by so much)",
    )
    options = parser.parse_args(arguments)
    if options.limit is not None and not 0 <= options.limit < 100:
        parser.error("--limit is a percentage from 0 to 100")
    try:
        first, second = (_read(folder, options.machine, options.lab) for folder in (options.a, options.b))
        pairs, left_out = pairs_of(first, second)
    except ReportError as error:
        print(f"plots compare: {error}", file=sys.stderr)
        return 1
    table, counts = compared(pairs, None if options.limit is None else options.limit / 100)
    print(to_text(table) + "\n" if table.rows else table.caption)
    undecided = f", {counts['undecided']} undecided: something else disturbed the measurement of A or B; measure again"
    print(
        f"{counts['compared']} configurations in both: {counts['faster']} faster, "
        f"{counts['slower']} slower, {2 * counts['compared'] - sum(counts.values())} as before"
        f"{undecided * bool(counts['undecided'])}."
    )
    print(*left_out, *notes(pairs), sep="\n", end="\n" * bool(left_out or notes(pairs)))
    if first[0].machine != second[0]["machine"]:
        print("The machines differ: this is no measure of a change of the code.")
    return SLOWER if counts["slower"] else 0
