# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The tables of the shape `lines`: a line for each place of the axis, the columns of a series beside each other."""

from typing import Any, List, Sequence, Tuple

from ..figures.content import DASH, Table
from ..figures.series import ours
from ..figures.shapes import grouped
from ..measurements.selection import of_how_many
from .seen import ORIGINAL, OURS, PUBLISHED, Gathered, Seen, best_of
from .specification import FIRST

RATES = ("GB/s", "TFLOP/s")
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


def power(pixels: int) -> str:
    """ "2^20", as cazzola2024 names its sizes; a number that is no power of two as it is."""
    return f"2^{pixels.bit_length() - 1}" if bin(pixels).count("1") == 1 else str(pixels)


def labelled(one: Seen, column: str) -> str:
    """The label of its line: that of its series, or the value of the column that has a line each."""
    return {"": one.series, "ksize": f"K {one.at['ksize']}"}.get(column, str(one.at.get(column)))


def _places(gathered: Gathered, axis: str) -> List[Any]:
    if axis == "size":
        return [name for _, name in gathered.sizes]
    seen = gathered.of(OURS) if gathered.specification["line"] else gathered.seen
    return sorted({one.at[axis] for one in [*seen, *gathered.refused] if one.at[axis]})


def series_table(gathered: Gathered) -> Table:
    """Of each series our time, that of the report's program, the speed-up, and what is published; each where there is any."""
    specification = gathered.specification
    axis, words = specification.axis("x") if specification["x"] else ("size", "size")
    column = specification["line"]
    quantities = ["ms"] * (not column or not specification["over"]) + ["x"] * bool(specification["over"])
    labels = list(dict.fromkeys(labelled(one, column) for one in [*gathered.of(OURS), *gathered.refused]))
    if column == "size":
        labels = [name for _, name in gathered.sizes if name in labels]
    head, cells = [words.partition(" (")[0].replace("image ", "")], _Cells(gathered, axis, column)
    places = _places(gathered, axis)
    lines = [[str(place)] for place in places]
    for label in labels:
        for title, who, quantity in _columns(gathered, label, column, quantities):
            found = [cells.text(who, label, place, quantity) for place in places]
            if set(found) != {DASH}:
                head.append(title)
                lines = [[*line, text] for line, text in zip(lines, found)]
    counts = {label: gathered.candidates(label) for label in labels} if specification.has("best") else {}
    caption = [
        f"{specification['title']}.",
        of_how_many(counts),
        gathered.note,
        ours(gathered.rows, gathered.bases),
    ]
    return Table(specification.figure, " ".join(filter(None, caption)), head, lines)


def _columns(gathered: Gathered, label: str, column: str, quantities: Sequence[str]) -> List[Tuple[str, str, str]]:
    """Title, source and quantity of the columns of one series."""
    found = [(f"{label} ms", OURS, "ms")] * ("ms" in quantities)
    over, first = gathered.base_name, gathered.specification["over"] == FIRST
    if not column and gathered.of(ORIGINAL):
        found.append(("original ms", ORIGINAL, "ms"))
    if "x" in quantities and label != over:
        found.append((label if column else f"{label} vs {over}", OURS, "x"))
    theirs = gathered.of(PUBLISHED, series=label)
    if not column and theirs and not (first and label == over):
        words = "published" if "x" in quantities else f"{label}, published"
        found.append((words, PUBLISHED, "x" if first else theirs[0].unit))
    return found


class _Cells:
    def __init__(self, gathered: Gathered, axis: str, column: str):
        self.best = gathered.specification.has("best")
        self.there = grouped(gathered.seen, lambda one: (one.who, labelled(one, column), one.at[axis]))
        self.refused = {(labelled(one, column), one.at[axis]) for one in gathered.refused}

    def text(self, who: str, label: str, place: Any, quantity: str) -> str:
        """The number at a place; of the best of several also its setting."""
        found = self.there.get((who, label, place), [])
        one = best_of(found, quantity)
        if one is None:
            return "unsupported" if who == OURS and quantity == "ms" and (label, place) in self.refused else DASH
        words = setting(one, [other for key, same in self.there.items() if key[:2] == (who, label) for other in same])
        return one.text(quantity) + f" ({words})" * bool(self.best and words and quantity != "x")


def rates_table(gathered: Gathered) -> Table:
    """Rates by K of each series at its largest matrix, ours and the program's."""
    sides = sorted({one.at["ksize"] for one in gathered.of(OURS)})
    lines = []
    for series in gathered.series:
        largest = max((one.at["pixels"] for one in gathered.of(OURS, series=series)), default=0)
        name = ", ".join(filter(None, (series, power(largest))))
        for who in (OURS, ORIGINAL):
            there = {one.at["ksize"]: one for one in gathered.of(who, series=series, pixels=largest)}
            if there:
                lines.append([name * (who == OURS), who, *(_rates(there.get(side)) for side in sides)])
    caption = f"{', '.join(RATES)}, at the largest matrix measured. {gathered.note} {ours(gathered.rows)}"
    head = ["elements", "", *(f"K {side}" for side in sides)]
    return Table(gathered.specification.figure, caption, head, lines, left=2)


def _rates(one: Any) -> str:
    return ", ".join(one.text(unit).rstrip("†") for unit in RATES) + "†" * one.is_noisy if one else DASH
