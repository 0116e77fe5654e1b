# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What captions and tables of several artefacts say: the best configuration, another time, where the rest of a table is."""

import statistics
from typing import Dict, List, Sequence

from ..figures.content import joined
from ..measurements.rows import Row
from .seen import OURS, Gathered, Seen

SETTINGS = {"threads": "{} threads", "block": "B {}", "block_threads": "{} threads"}


def setting(one: Seen, among: Sequence[Seen]) -> str:
    """ "grid, 16 threads": what tells a number from the others among which it is the best."""
    words = [one.name] * (len({other.name for other in among}) > 1)
    words += [
        text.format(one.at[name])
        for name, text in SETTINGS.items()
        if one.at[name] and len({other.at[name] for other in among}) > 1
    ]
    return ", ".join(words)


def another_time(rows: Sequence[Row]) -> str:
    """The rows of a sweep of threads with another number of iterations than most of their size, as a sentence. They are of the
    protocol, where the sweep has none. On a shared host a CPU may be slower a few minutes later."""
    found: Dict[str, List[str]] = {}
    for size in dict.fromkeys(row.size_name for row in sorted(rows, key=lambda row: row.pixels)):
        same = [row for row in rows if row.size_name == size]
        most = statistics.mode(row.iterations for row in same)
        for row in same:
            if row.iterations != most:
                name = f"{row.threads} threads" + (f", side {row.side}," if row.side else "")
                found.setdefault(f"{name} with {row.iterations} iterations", []).append(size)
    named = "; ".join(f"{name} ({joined(names)})" for name, names in found.items())
    return f"Measured at another time than the rest: {named}." if named else ""


def note_of(gathered: Gathered, swept: bool = True) -> str:
    """The note of an artefact, and which of its rows are of another time where threads are swept."""
    axes = (gathered.specification.axis(name)[0] for name in ("x", "y"))
    later = another_time(gathered.rows) if swept and "threads" in axes else ""
    return " ".join(filter(None, (gathered.note, later)))


def candidates(gathered: Gathered, series: str) -> List[int]:
    """Of how many rows of ours each size has its best."""
    return [len(gathered.of(OURS, series=series, size=name)) for _, name in gathered.sizes]
