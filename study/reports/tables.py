# SPDX-License-Identifier: MIT
"""The tables of the shape `lines`: a line for each place of the axis, the columns of a series beside each other; and the shape
`versions`: the kernel, the copies and the loop of videostream2021's maps, a line for each version, source and form."""

from typing import Any, List, Optional, Sequence, Tuple

from tools.plots.rows import Row

from ..figures.content import DASH, Table, grouped, joined, number
from ..figures.series import ours
from ..measurements.results import Results, of_how_many
from .seen import ORIGINAL, OURS, PUBLISHED, Gathered, Seen, best_of
from .specification import FIRST

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
    return sorted({one.at[axis] for one in [*seen, *gathered.unsupported] if one.at[axis]})


def series_table(gathered: Gathered) -> Table:
    """Of each series our time, the program's time, the speed-up, and what is published; each where there is any."""
    specification = gathered.specification
    axis, words = specification.axis("x") if specification["x"] else ("size", "size")
    column = specification["line"]
    quantities = ["ms"] * (not column or not specification["over"]) + ["x"] * bool(specification["over"])
    labels = list(dict.fromkeys(labelled(one, column) for one in [*gathered.of(OURS), *gathered.unsupported]))
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
    caption = [f"{specification['title']}.", of_how_many(counts), gathered.note, ours(gathered.rows, gathered.bases)]
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
        self.unsupported = {(labelled(one, column), one.at[axis]) for one in gathered.unsupported}

    def text(self, who: str, label: str, place: Any, quantity: str) -> str:
        """The number at a place; of the best of several also its setting."""
        found = self.there.get((who, label, place), [])
        one = best_of(found, quantity)
        if one is None:
            return "unsupported" if who == OURS and quantity == "ms" and (label, place) in self.unsupported else DASH
        words = setting(one, [other for key, same in self.there.items() if key[:2] == (who, label) for other in same])
        return one.text(quantity) + f" ({words})" * bool(self.best and words and quantity != "x")


METRICS = {
    "kernel": ("gpu_kernel_avg", "gpu_kernel_red_avg", "kernel_avg"),
    "copy in": ("gpu_memcpy_HtoD_avg",),
    "copy out": ("gpu_memcpy_DtoH_avg",),
    "loop": ("loop_time",),
}
KERNEL, COPY_IN, COPY_OUT, LOOP = METRICS


def _copies(results: Results, row: Row) -> Optional[float]:
    """The time of both copies of the same variant and picture; a sweep of threads has none."""
    same = ("lab", "variant", "size", "image")
    found = results.of_one_run(
        lambda one: bool(one.total_ms) and all(one.text[name] == row.text[name] for name in same)
    )
    copies = [(one.number["copy_in_ms"] or 0) + (one.number["copy_out_ms"] or 0) for one in found]
    return next(iter(copies), None)


def _value(results: Results, one: Seen, quantity: str) -> Optional[float]:
    """What one number says of a quantity. The loop of a row without copies is its kernel and the copies of another row."""
    if one.row is None:
        known = METRICS[quantity] if one.who == PUBLISHED else (KERNEL,)
        return one.ms if one.source.get("metric", quantity) in known else None
    if quantity == KERNEL or (one.row.backend == "cpu" and quantity == LOOP):
        return one.row.ms
    if quantity != LOOP:
        return one.row.number["copy_in_ms" if quantity == COPY_IN else "copy_out_ms"]
    copies = _copies(results, one.row)
    return one.row.total_ms or (one.row.ms + copies if copies else None)


def versions(gathered: Gathered) -> List[Any]:
    """The table, after its note."""
    specification = gathered.specification
    if specification["needs"] and not gathered.rows:
        return []
    quantities = specification.words("value") or list(METRICS)

    def values(seen: Sequence[Seen]) -> List[Optional[float]]:
        found = [[_value(gathered.results, one, quantity) for one in seen] for quantity in quantities]
        return [next((value for value in mine if value is not None), None) for mine in found]

    gathered.seen = [one for one in gathered.seen if one.row or set(values([one])) != {None}]
    labels = dict.fromkeys(name for key in ("variants", "published") for name, *_ in specification.selectors(key))
    lines, summed = [], []
    for series in labels:
        for who in (PUBLISHED, ORIGINAL, OURS):
            mine = gathered.of(who, series=series)
            for form in dict.fromkeys(one.form for one in mine):
                same = [one for one in mine if one.form == form]
                summed += [one.row.block_threads for one in same if one.row and not one.row.total_ms]
                source = ", ".join(filter(None, (who, form)))
                lines.append([series] * (len(labels) > 1) + [source, *map(number, values(same))])
    caption = [f"{specification['title']}, 1080p (ms)."]
    if LOOP in quantities:
        others = joined(filter(None, summed))
        caption.append(
            "Loop of a variant: kernel and copies" + f", with {others} threads those of 1024" * bool(others) + "."
        )
    caption.append(ours(gathered.rows) if gathered.rows else "The variants were not measured.")
    head = [*["version"] * (len(labels) > 1), "", *quantities]
    table = Table(specification.figure, " ".join(caption), head, lines, left=len(head) - len(quantities))
    return [gathered.note] * bool(gathered.note) + [table]
