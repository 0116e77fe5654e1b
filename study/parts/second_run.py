# SPDX-License-Identifier: MIT
"""How far a second run of a machine is from the first: 0.05 if the larger of two numbers is 1.05 times the smaller."""

from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from tools.plots.rows import OF_COPIES, OF_CPU, OF_KERNEL, Row

from ..figures.content import DASH, Table, grouped, percent
from ..measurements.results import SECOND_RUN, Results, read_folder

# How near is near, and the margin of a verdict.
KINDS = {
    "cpu": ("CPU", 0.05, OF_CPU),
    "cuda": ("GPU, kernel", 0.02, OF_KERNEL),
    "copies": ("GPU, with copies", 0.02, OF_COPIES),
}
Pair = Tuple[Row, Row]  # of a configuration that was measured in both runs
CAPTION = (
    "How far the second run differs from the first. Within 5 %: the larger of two numbers is at most 1.05 times the "
    "smaller. Ratios: of two configurations that took turns."
)
HEAD = "second run|medians|that agree|half are within|all are within|ratios|that agree|half are within"


class Agreement(NamedTuple):
    """How far the medians of both runs are apart, and the ratios of two configurations that took turns in both."""

    kind: str
    medians: List[float]
    ratios: List[float]


def second_run(folder: Path) -> Optional[Results]:
    """The rows of the second run of a machine; None if there is none."""
    again = folder / SECOND_RUN
    return Results(read_folder(again)) if again.is_dir() else None


def _kind(pair: Pair) -> str:
    return "copies" if pair[0].backend != "cpu" and pair[0].with_copies else pair[0].backend


def _call(pair: Pair) -> Tuple[str, ...]:
    """The two calls of a lab, in which these configurations took turns."""
    return (pair[0].size_name, *(part for row in pair for part in (row.session, row.lab, str(row.sweep), row.seed)))


def _apart(factor: float) -> float:
    return max(factor, 1 / factor) - 1


def agreements(machine: Path) -> List[Agreement]:
    """One for each kind of time; none without a second run."""
    again = second_run(machine)
    if again is None:
        return []
    second = {row.configuration: row for row in again.rows if row.timed}
    first = [row for row in Results(read_folder(machine)).rows if row.timed and row.configuration in second]
    by_kind: Dict[str, List[Pair]] = grouped(((row, second[row.configuration]) for row in first), _kind)
    found = []
    for kind, pairs in by_kind.items():
        turns = grouped(((_call(pair), pair[1].ms / pair[0].ms) for pair in pairs), lambda one: one[0]).values()
        ratios = [_apart(one / other) for same in turns for (_, one), (_, other) in combinations(same, 2)]
        found.append(Agreement(kind, [_apart(pair[1].ms / pair[0].ms) for pair in pairs], ratios))
    return sorted(found, key=lambda one: list(KINDS).index(one.kind))


def _agree(found: Sequence[float], limits: Sequence[float]) -> str:
    """ "20 % within 5 %, 74 % within 25 %"."""
    shares = {limit: percent(sum(one <= limit for one in found) / len(found)) for limit in limits}
    return ", ".join(f"{share} within {percent(limit)}" for limit, share in shares.items())


def second_run_table(machine: Path) -> Table:
    """A line for each kind of time."""
    lines = []
    for kind, *both in agreements(machine):
        name, *limits = KINDS[kind]
        cells = [
            [str(len(found)), *([_agree(found, limits), percent(median(found))] if found else 2 * [DASH])]
            for found in both
        ]
        lines.append([name, *cells[0], percent(max(both[0])), *cells[1]])
    return Table("second_run", CAPTION, HEAD.split("|"), lines)
