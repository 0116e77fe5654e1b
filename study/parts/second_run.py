# SPDX-License-Identifier: MIT
"""How far a second run of a machine is from the first: 0.05 if the larger of two numbers is 1.05 times the smaller."""

from itertools import combinations
from pathlib import Path
from typing import List, NamedTuple, Optional, Sequence

import numpy
from pandas import Series

from tools.plots.results import OF_COPIES, OF_CPU, OF_KERNEL, configuration_columns

from ..figures.content import DASH, Table, percent
from ..measurements.results import SECOND_RUN, Results, read_folder

# How near is near, and the margin of a verdict.
KINDS = {
    "cpu": ("CPU", 0.05, OF_CPU),
    "cuda": ("GPU, kernel", 0.02, OF_KERNEL),
    "copies": ("GPU, with copies", 0.02, OF_COPIES),
}
CAPTION = (
    "How far the second run differs from the first. Within 5 %: the larger of two numbers is at most 1.05 times the "
    "smaller. Ratios: of two configurations that took turns."
)
HEAD = "second run|medians|that agree|half are within|all are within|ratios|that agree|half are within"


class Agreement(NamedTuple):
    """How far the medians of both runs are apart, and the ratios of two configurations that took turns in both."""

    kind: str
    medians: Series
    ratios: Series


def second_run(folder: Path) -> Optional[Results]:
    """The rows of the second run of a machine; None if there is none."""
    again = folder / SECOND_RUN
    return Results(read_folder(again)) if again.is_dir() else None


def _apart(factors: Series) -> Series:
    return numpy.maximum(factors, 1 / factors) - 1


def agreements(machine: Path) -> List[Agreement]:
    """One for each kind of time; none without a second run."""
    again = second_run(machine)
    if again is None:
        return []
    keys = configuration_columns()
    first = Results(read_folder(machine)).rows
    pairs = first[first["timed"]].merge(again.rows[again.rows["timed"]], on=keys, suffixes=("", "_again"))
    kind = pairs["backend"].where((pairs["backend"] == "cpu") | ~pairs["with_copies"], "copies")
    # The two calls of a lab in which configurations took turns.
    call = "size lab begun sweep seed begun_again sweep_again seed_again".split()
    found = []
    for name, same in pairs.assign(ratio=pairs["ms_again"] / pairs["ms"]).groupby(kind):
        turns = [one / other for _, turn in same.groupby(call) for one, other in combinations(turn["ratio"], 2)]
        found.append(Agreement(name, _apart(same["ratio"]), _apart(Series(turns, dtype=float))))
    return sorted(found, key=lambda one: list(KINDS).index(one.kind))


def _agree(found: Series, limits: Sequence[float]) -> str:
    """ "20 % within 5 %, 74 % within 25 %"."""
    return ", ".join(f"{percent((found <= limit).mean())} within {percent(limit)}" for limit in dict.fromkeys(limits))


def second_run_table(machine: Path) -> Table:
    """A line for each kind of time."""
    lines = []
    for kind, *both in agreements(machine):
        name, *limits = KINDS[kind]
        cells = [
            [str(len(found)), *([_agree(found, limits), percent(found.median())] if len(found) else 2 * [DASH])]
            for found in both
        ]
        lines.append([name, *cells[0], percent(both[0].max()), *cells[1]])
    return Table("second_run", CAPTION, HEAD.split("|"), lines)
