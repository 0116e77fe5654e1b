# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Which two rows of one configuration may be compared, how far apart they must be, and what a reader must know."""
from typing import Dict, List, Sequence, Tuple

from .measurements.points import TWO_SESSIONS
from .measurements.rows import Row

LIMIT = 0.02  # two runs on a GPU are mostly less apart (results/reference/README.md)
# What may differ, and is said.
NOTED = {"iterations": "the iterations differ", "compiler": "the compiler differs", "flags": "the flags differ",
         "driver": "the driver differs", "pinning": "the pinning of the host's threads differs"}
Pair = Tuple[Row, Row]


def why_not(before: Row, after: Row) -> str:
    """Why the two times cannot be compared; nothing where they can."""
    if before.completeness[0] != after.completeness[0]:
        return ("one was timed by the earlier protocol, without rounds (results/reference/README.md says what its times "
                "contain)")
    if before.backend == "cpu" and before.pinning != after.pinning:
        return "the threads were pinned in another way"
    return ""


def limit_of(row: Row) -> float:
    """By how much the intervals must be apart: two folders are of two sessions."""
    return TWO_SESSIONS if row.backend == "cpu" else LIMIT


def notes(pairs: Sequence[Pair]) -> List[str]:
    """A sentence for each column of NOTED that differs: both values, and in how many configurations."""
    found: List[str] = []
    for column, words in NOTED.items():
        counts: Dict[Tuple[str, str], int] = {}
        for before, after in pairs:
            values = before.text[column], after.text[column]
            if values[0] != values[1]:
                counts[values] = counts.get(values, 0) + 1
        if counts:
            (a, b), most = max(counts.items(), key=lambda item: item[1])
            found.append(f"Note: {words} in {sum(counts.values())} of {len(pairs)} configurations: "
                         f"{a or 'unknown'} in A and {b or 'unknown'} in B" + f" in {most} of them" * (len(counts) > 1) + ".")
    return found
