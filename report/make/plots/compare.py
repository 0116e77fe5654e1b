# SPDX-License-Identifier: MIT
"""Two folders of measurements: what became faster or slower beyond the noise.

    python3 report/make/plots compare results/reference/a results/reference/b [--lab 05_cuda_shared] [--limit 5]

Two machines, or two revisions on one. Only rows of the same configuration are compared, by their
medians; those that cannot be compared are counted, with the reason.
"""

from collections import Counter
from pathlib import Path

import numpy
from pandas import DataFrame, Series

from .files import Parser, ReportError
from .results import OF_CPU, OF_KERNEL, configuration_columns, distinct, of_one_machine, read_folder, select
from .words import Table, joined, number, percent, plural, to_text

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
# Why two times cannot be compared.
EARLIER = (
    "one was timed by the earlier protocol, without rounds (results/reference/README.md says what its times contain)"
)
OTHER_PINNING = "the threads were pinned in another way"
SETTINGS = ("threads", "block", "streams", "border", "type")


def _read(folder: Path, machine: str | None, lab: str | None) -> DataFrame:
    rows = of_one_machine(read_folder(folder), machine)
    if (rows["timed"] & (rows["dirty"] == "1")).any():
        print(f"{folder}: some rows are of code with uncommitted changes")
    kept = rows if lab is None else rows[rows["lab"] == lab]
    if not kept["timed"].any():
        raise ReportError(f"{folder} has no time" + (f" of {lab}" if lab else ""))
    return kept


def notes(pairs: DataFrame) -> list[str]:
    """A sentence for each column of NOTED that differs: both values, and in how many configurations."""
    sentences: list[str] = []
    for column, words in NOTED.items():
        differ = pairs[pairs[column] != pairs[f"{column}_b"]]
        counts = Counter(zip(differ[column], differ[f"{column}_b"]))
        if counts:
            (a, b), many = counts.most_common(1)[0]
            some = f" in {many} of them" if len(counts) > 1 else ""
            sentences.append(
                f"Note: {words} in {sum(counts.values())} of {len(pairs)} configurations: "
                f"{a or 'unknown'} in A and {b or 'unknown'} in B{some}."
            )
    return sentences


def pairs_of(first: DataFrame, second: DataFrame) -> tuple[DataFrame, list[str]]:
    """The rows of A, each beside that of B (columns with _b) of the same configuration, whatever it ran on; those that can be
    compared, and a sentence for each reason why others cannot; an error if none can."""
    keys = [name for name in configuration_columns() if name not in ("machine", "device")]
    before, after = (rows[rows["timed"]].drop_duplicates(keys, keep="last") for rows in map(select, (first, second)))
    names = {name: f"{name}_b" for name in after.columns if name not in keys}
    common = before.merge(after.rename(columns=names), on=keys)
    if common.empty:
        raise ReportError("the two folders have no configuration in common")
    why = Series("", index=common.index)
    why[(common["backend"] == "cpu") & (common["pinning"] != common["pinning_b"])] = OTHER_PINNING
    why[common["in_rounds"] != common["in_rounds_b"]] = EARLIER
    reasons = Counter(why[why != ""])
    left_out = [f"Not compared: {plural(count, 'configuration')}, because {words}." for words, count in reasons.items()]
    if (why != "").all():
        raise ReportError(f"nothing of the two folders can be compared: {'; '.join(reasons)}")
    return common[why == ""], left_out


def compared(pairs: DataFrame, limit: float | None) -> tuple[Table, dict[str, int]]:
    """A line for each configuration that changed, the largest change first; and the counts. It is faster or slower where the
    intervals of the medians are apart by more than the limit; without a limit each pair has its own. A pair with a noisy row is
    undecided where they are apart by less than two sessions of a CPU may be."""
    by = 1 + numpy.where(pairs["backend"] == "cpu", OF_CPU, OF_KERNEL) if limit is None else 1 + limit
    apart = pairs["low"] / pairs["high_b"], pairs["low_b"] / pairs["high"]
    faster, slower = apart[0] > by, apart[1] > by
    noisy = [flag & (numpy.maximum(*apart) <= 1 + OF_CPU) for flag in (pairs["is_noisy"], pairs["is_noisy_b"])]
    whose = numpy.select([noisy[0] & noisy[1], *noisy], ["A and B", "A", "B"], "")
    pairs = pairs.assign(word=numpy.select([faster, slower], ["faster", "slower"], ""), whose=whose)
    changed = pairs[pairs["word"] != ""]
    changed = changed.assign(by=-(changed["ms_b"] / changed["ms"] - 1).abs()).sort_values("by", kind="stable")
    decided = changed.loc[changed["whose"] == "", "word"]
    counts = {"compared": len(pairs), "faster": sum(decided == "faster"), "slower": sum(decided == "slower")}
    counts["undecided"] = len(changed) - len(decided)
    lines = [
        [
            row.lab,
            row.variant,
            row.size,
            f"K {row.ksize}" if row.ksize else "",
            joined(f"{name} {getattr(row, name)}" for name in SETTINGS if getattr(row, name)),
            number(row.ms),
            number(row.ms_b),
            f"{row.ms_b / row.ms:.3f}",
            f"undecided, {row.whose} noisy" if row.whose else row.word,
        ]
        for row in changed.itertuples()
    ]
    beyond = (
        f"{percent(OF_KERNEL)} on a GPU, {percent(OF_CPU)} on a CPU, where two sessions differ by so much"
        if limit is None
        else percent(limit)
    )
    first, devices = pairs.iloc[0], [joined(distinct(pairs, name)) for name in ("device", "device_b")]
    table = Table(
        "compared",
        f"A: {first['machine']}, {devices[0]}. B: {first['machine_b']}, {devices[1]}. Medians; apart by "
        f"more than their intervals and {beyond}.",
        ["lab", "variant", "size", "K", "settings", "A ms", "B ms", "B / A", "B is"],
        lines,
        left=5,
    )
    return table, counts


def main(arguments: list[str]) -> int:
    """Returns the exit code."""
    parser = Parser(
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
    first, second = (_read(folder, options.machine, options.lab) for folder in (options.a, options.b))
    pairs, left_out = pairs_of(first, second)
    table, counts = compared(pairs, None if options.limit is None else options.limit / 100)
    print(to_text(table) + "\n" if table.rows else table.caption)
    undecided = f", {counts['undecided']} undecided: A or B is noisy; measure again"
    print(
        f"{counts['compared']} configurations in both: {counts['faster']} faster, "
        f"{counts['slower']} slower, {2 * counts['compared'] - sum(counts.values())} as before"
        f"{undecided if counts['undecided'] else ''}."
    )
    for sentence in [*left_out, *notes(pairs)]:
        print(sentence)
    if first["machine"].iloc[0] != second["machine"].iloc[0]:
        print("The machines differ: this is no measure of a change of the code.")
    return SLOWER if counts["slower"] else 0
