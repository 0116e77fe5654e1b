# SPDX-License-Identifier: MIT
"""The tables of the shape `lines`: a line for each place of the axis, the columns of a series beside each other; and the shape
`versions`: the kernel, the copies and the loop of videostream2021's maps, a line for each version, source and form."""

import math
from typing import Any, Dict, List, Sequence, Tuple

import pandas
from pandas import DataFrame, Series

from tools.plots.results import distinct

from ..figures.content import DASH, Table, joined, number
from ..figures.series import ours
from ..measurements.results import Results, of_how_many
from ..measurements.selectors import matching
from .gather import ORIGINAL, OURS, PUBLISHED, Gathered, best_each, text_of
from .specification import FIRST

SETTINGS = {"threads": "{} threads", "block": "B {}", "block_threads": "{} threads"}


def setting(one: Any, among: DataFrame) -> str:
    """ "grid, 16 threads": what tells a number from the others among which it is the best."""
    words = [one.name] * (among["name"].nunique() > 1)
    words += [
        text.format(getattr(one, name))
        for name, text in SETTINGS.items()
        if getattr(one, name) and among[name].nunique() > 1
    ]
    return ", ".join(words)


def power(pixels: int) -> str:
    """ "2^20", as cazzola2024 names its sizes; a number that is no power of two as it is."""
    return f"2^{pixels.bit_length() - 1}" if bin(pixels).count("1") == 1 else str(pixels)


def labels_of(seen: DataFrame, column: str) -> Series:
    """The label of each number's line: that of its series, or the value of the column that has a line each."""
    return ("K " * (column == "ksize")) + seen[column or "series"].astype(str)


def _places(gathered: Gathered, axis: str) -> List[Any]:
    if axis == "size":
        return [name for _, name in gathered.sizes]
    seen = gathered.of(OURS) if gathered.specification["line"] else gathered.seen
    return sorted(set(pandas.concat([seen, gathered.unsupported])[axis]) - {0})


def series_table(gathered: Gathered) -> Table:
    """Of each series our time, the program's time, the speed-up, and what is published; each where there is any."""
    specification = gathered.specification
    axis, words = specification.axis("x") if specification["x"] else ("size", "size")
    column = specification["line"]
    quantities = ["ms"] * (not column or not specification["over"]) + ["x"] * bool(specification["over"])
    labels = list(labels_of(pandas.concat([gathered.of(OURS), gathered.unsupported]), column).unique())
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
    if not column and len(gathered.of(ORIGINAL)):
        found.append(("original ms", ORIGINAL, "ms"))
    if "x" in quantities and label != over:
        found.append((label if column else f"{label} vs {over}", OURS, "x"))
    theirs = gathered.of(PUBLISHED, series=label)
    if not column and len(theirs) and not (first and label == over):
        words = "published" if "x" in quantities else f"{label}, published"
        found.append((words, PUBLISHED, "x" if first else theirs["unit"].iloc[0]))
    return found


class _Cells:
    """The texts of the table's cells. `groups`: the numbers of a source and label, among which one is the best."""

    def __init__(self, gathered: Gathered, axis: str, column: str):
        self.best, self.at = gathered.specification.has("best"), ["who", "label", axis]
        self.seen = gathered.seen.assign(label=labels_of(gathered.seen, column))
        self.groups = dict(list(self.seen.groupby(["who", "label"])))
        self.unsupported = set(zip(labels_of(gathered.unsupported, column), gathered.unsupported[axis]))
        self.found: Dict[str, Dict[Any, Any]] = {}  # by quantity

    def text(self, who: str, label: str, place: Any, quantity: str) -> str:
        """The number at a place; of the best of several also its setting."""
        if quantity not in self.found:
            best = best_each(self.seen, quantity, self.at)
            self.found[quantity] = dict(zip(best[self.at].itertuples(index=False, name=None), best.itertuples()))
        one = self.found[quantity].get((who, label, place))
        if one is None:
            return "unsupported" if who == OURS and quantity == "ms" and (label, place) in self.unsupported else DASH
        words = self.best and quantity != "x" and setting(one, self.groups[who, label])
        return text_of(one, quantity) + f" ({words})" * bool(words)


METRICS = {
    "kernel": ("gpu_kernel_avg", "gpu_kernel_red_avg", "kernel_avg"),
    "copy in": ("gpu_memcpy_HtoD_avg",),
    "copy out": ("gpu_memcpy_DtoH_avg",),
    "loop": ("loop_time",),
}
KERNEL, COPY_IN, COPY_OUT, LOOP = METRICS


def _copies(results: Results, row: Any) -> float:
    """The time of both copies of the same variant and picture, NaN if there is none; a sweep of threads has none."""
    same = matching(results.every, dict(lab=row.lab, variant=row.variant, size=row.size, image=row.image))
    found = results.of_one_run(same & (results.every["total_ms"] > 0))
    return next(iter(found["copy_in_ms"].fillna(0) + found["copy_out_ms"].fillna(0)), 0) or math.nan


def _loop(results: Results, row: Any) -> float:
    """The loop of a row without copies is its kernel and the copies of another row."""
    if row.backend == "cpu":
        return row.ms
    return row.total_ms if row.total_ms > 0 else row.ms + _copies(results, row)


def _with_quantities(gathered: Gathered) -> DataFrame:
    """The numbers with a column for each quantity that they are, or that our row has."""
    seen = gathered.seen
    mine = seen["who"] == OURS
    rows = gathered.results.every.loc[seen.loc[mine, "order"]]
    own = DataFrame({KERNEL: rows["ms"], COPY_IN: rows["copy_in_ms"], COPY_OUT: rows["copy_out_ms"]})
    own[LOOP] = [_loop(gathered.results, row) for row in rows.itertuples()]
    for quantity, metrics in METRICS.items():
        theirs = seen["metric"].isin(metrics) | (seen["who"] == ORIGINAL) & (quantity == KERNEL)
        seen = seen.assign(**{quantity: seen["ms"].where(theirs)})
        seen.loc[mine, quantity] = own[quantity].values
    return seen


def versions(gathered: Gathered) -> List[Any]:
    """The table, after its note."""
    specification = gathered.specification
    if specification["needs"] and gathered.rows.empty:
        return []
    quantities = specification.words("value") or list(METRICS)
    seen = _with_quantities(gathered)
    gathered.seen = seen = seen[(seen["who"] == OURS) | seen[quantities].notna().any(axis=1)]
    labels = dict.fromkeys(name for key in ("variants", "published") for name, *_ in specification.selectors(key))
    lines = []
    for series in labels:
        for who in (PUBLISHED, ORIGINAL, OURS):
            for form, same in gathered.of(who, series=series).groupby("form", sort=False):
                source = ", ".join(filter(None, (who, form)))
                first = [next(iter(same[quantity].dropna()), None) for quantity in quantities]
                lines.append([series] * (len(labels) > 1) + [source, *map(number, first)])
    caption = [f"{specification['title']}, 1080p (ms)."]
    if LOOP in quantities:
        rows = gathered.results.every.loc[gathered.of(OURS)["order"]]
        others = joined(map(str, distinct(rows[~(rows["total_ms"] > 0)], "block_threads")))
        caption.append(
            "Loop of a variant: kernel and copies" + f", with {others} threads those of 1024" * bool(others) + "."
        )
    caption.append(ours(gathered.rows) if len(gathered.rows) else "The variants were not measured.")
    head = [*["version"] * (len(labels) > 1), "", *quantities]
    table = Table(specification.figure, " ".join(caption), head, lines, left=len(head) - len(quantities))
    return [gathered.note] * bool(gathered.note) + [table]
