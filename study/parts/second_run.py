# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""How far a second run of a machine is from the first: 0.05 where the larger of two numbers is 1.05 times the smaller."""

from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Dict, List, Optional, Sequence, Tuple

from ..figures.content import DASH, Table, joined, percent
from ..figures.shapes import grouped
from ..measurements.rows import OF_COPIES, OF_CPU, OF_KERNEL, SECOND_RUN, Row, read_folder
from ..measurements.selection import Results

# How near is near, and the margin of a verdict.
NEAR = {
    "cpu": ("CPU", 0.05, OF_CPU),
    "cuda": ("GPU, kernel", 0.02, OF_KERNEL),
    "copies": ("GPU, with copies", 0.02, OF_COPIES),
}
Pair = Tuple[Row, Row]  # of a configuration that was measured in both runs
HEAD = "second run|size|medians|that agree|half are within|all are within|ratios|that agree|half are within"


def second_run(folder: Path) -> Optional[Results]:
    """The rows of the second run of a machine, where there is one."""
    again = folder / SECOND_RUN
    return Results(read_folder(again)) if again.is_dir() else None


def _what(pair: Pair) -> str:
    return "copies" if pair[0].backend != "cpu" and pair[0].with_copies else pair[0].backend


def _call(pair: Pair) -> Tuple[str, ...]:
    """The two calls of a lab, in which these configurations took turns."""
    size = (_what(pair), pair[0].size_name)
    return (*size, *(part for row in pair for part in (row.session, row.lab, str(row.sweep), row.seed)))


def _difference(factor: float) -> float:
    return max(factor, 1 / factor) - 1


def _pairs(machine: Path) -> List[Pair]:
    first, second = (
        {row.configuration: row for row in Results(read_folder(folder)).rows if row.timed}
        for folder in (machine, machine / SECOND_RUN)
    )
    return [(first[job], second[job]) for job in first if job in second]


def _apart(pairs: Sequence[Pair]) -> Tuple[List[float], List[float]]:
    """How far their medians are apart, and the ratios of the medians of two configurations that took turns in both runs."""
    factors = {id(pair): pair[1].ms / pair[0].ms for pair in pairs}
    turns = grouped(pairs, _call).values()
    both = [two for same in turns for two in combinations(same, 2)]
    ratios = [_difference(factors[id(one)] / factors[id(other)]) for one, other in both]
    return list(map(_difference, factors.values())), ratios


def _within(found: Sequence[float], limit: float) -> str:
    return percent(sum(one <= limit for one in found) / len(found))


def _by_at_most(found: Sequence[float], limits: Sequence[float]) -> str:
    """ "20 % differ by at most 5 % and 74 % by at most 25 %"."""
    words = [f"{_within(found, limit)} by at most {percent(limit)}" for limit in limits]
    return joined([words[0].replace(" by", " differ by"), *words[1:]])


def second_run_words(machine: Path) -> str:
    """How well the second run agrees, in a sentence; nothing where there is none."""
    if not (machine / SECOND_RUN).is_dir():
        return ""
    by_kind: Dict[str, List[Pair]] = grouped(_pairs(machine), _what)
    words = []
    for what, (name, *limits) in NEAR.items():
        limits = list(dict.fromkeys(limits))
        medians, ratios = _apart(by_kind.get(what, []))
        if medians:
            half = f"half of all differ by at most {percent(median(medians))}"
            words.append(f"{name}: of {len(medians)} medians, {_by_at_most(medians, limits)}; {half}")
        if ratios:
            turns = f"Of {len(ratios)} ratios of two configurations that took turns"
            words.append(f"{turns}, {_by_at_most(ratios, limits)}")
    return (
        "A second run was made at other hours and mostly on other machines of the same name. `results/reference/README.md` "
        f"lists by size how far it differs from the first. {'. '.join(words)}."
    )


def second_run_table(machine: Path) -> Table:
    """The same by what was timed and size."""

    def line(pair: Pair) -> Tuple[int, int, str]:
        return list(NEAR).index(_what(pair)), pair[0].pixels, pair[0].size_name

    lines = []
    for (kind, _, size), pairs in sorted(grouped(_pairs(machine), line).items()):
        name, near, _ = list(NEAR.values())[kind]
        medians, ratios = _apart(pairs)
        cells = [name, size]
        for found in (medians, ratios):
            agree = f"{_within(found, near)} within {percent(near)}" if found else DASH
            cells += [str(len(found)), agree, percent(median(found)) if found else DASH]
        cells.insert(5, percent(max(medians)))
        lines.append(cells)
    return Table("second_run", "", HEAD.split("|"), lines, left=2)
