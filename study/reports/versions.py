# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Tables without an axis: the versions of videostream2021's maps (kernel, copies, loop), a list of published numbers, and
machine code."""

import math
from typing import Any, Dict, List, Optional, Sequence

from ..figures.content import DASH, Bars, Figure, Table, joined, number, times
from ..figures.series import describe, ours
from ..figures.shapes import Panel, plot
from ..measurements.rows import Row
from ..measurements.selection import Results
from .bars import bars_of
from .seen import ORIGINAL, OURS, PUBLISHED, Gathered

METRICS = {
    "kernel": ("gpu_kernel_avg", "gpu_kernel_red_avg", "kernel_avg"),
    "copy in": ("gpu_memcpy_HtoD_avg",),
    "copy out": ("gpu_memcpy_DtoH_avg",),
    "loop, or with copies": ("loop_time",),
}
KERNEL, COPY_IN, COPY_OUT, LOOP = METRICS


def copied(results: Results, row: Row) -> Optional[Row]:
    """The row of the same variant and picture of which the copies were timed; a sweep of threads has none."""
    same = ("lab", "variant", "size", "image")
    found = results.of_one_run(
        lambda one: bool(one.total_ms) and all(one.text[name] == row.text[name] for name in same)
    )
    return next(iter(found), None)


def copies_ms(row: Row) -> float:
    """The time of both copies."""
    return (row.number["copy_in_ms"] or 0) + (row.number["copy_out_ms"] or 0)


class _Versions:
    def __init__(self, gathered: Gathered):
        self.gathered, self.results = gathered, gathered.results
        self.quantities = gathered.specification.words("value")
        if gathered.specification["value"] in ("", LOOP):  # a name with a comma
            self.quantities = [gathered.specification["value"]] if gathered.specification["value"] else list(METRICS)
        self.summed: List[str] = []  # threads of rows without copies

    def forms(self, who: str, series: str) -> List[str]:
        """What one source has of a version: one form, or several."""
        return list(dict.fromkeys(one.form for one in self.gathered.of(who, series=series)))

    def value(self, who: str, series: str, form: str, quantity: str) -> Optional[float]:
        """One number of a version."""
        if who == PUBLISHED:
            selector = next(
                (fields for name, _, fields in self.gathered.specification.selectors("published") if name == series),
                None,
            )
            there = [one for one in self.gathered.values if selector and one.variant == selector["variant"]]
            return next((one.value for metric in METRICS[quantity] for one in there if one.metric == metric), None)
        one = next((one for one in self.gathered.of(who, series=series) if one.form == form), None)
        if one is None or one.row is None:
            return one.ms if one and quantity == KERNEL else None
        return self._of_row(one.row, quantity)

    def _of_row(self, row: Row, quantity: str) -> Optional[float]:
        if quantity == KERNEL:
            return row.ms
        if quantity != LOOP:
            return row.number["copy_in_ms" if quantity == COPY_IN else "copy_out_ms"]
        if row.backend == "cpu" or row.total_ms or len(self.quantities) > 1:
            return row.ms if row.backend == "cpu" else row.total_ms
        other = copied(self.results, row)
        self.summed.append(row.block_threads)
        return row.ms + copies_ms(other) if other else None

    @property
    def shown(self) -> int:
        """How many numbers are published."""
        return sum(
            self.value(PUBLISHED, series, "", quantity) is not None
            for series in dict.fromkeys(name for name, *_ in self.gathered.specification.selectors("published"))
            for quantity in self.quantities
        )


def published_count(gathered: Gathered) -> int:
    """How many published numbers a table of versions shows."""
    return _Versions(gathered).shown


def _table(versions: _Versions) -> Table:
    """A line for each source and form of a version; or, where one quantity is compared, a line for each version."""
    gathered, specification = versions.gathered, versions.gathered.specification
    quantities, labels = versions.quantities, _labels(gathered)
    lines: List[List[str]] = []
    if len(quantities) > 1:
        head = ["", *quantities] if len(labels) == 1 else ["version", "", *quantities]
        for series in labels:
            for who in (PUBLISHED, ORIGINAL, OURS):
                for form in versions.forms(who, series):
                    values = [versions.value(who, series, form, quantity) for quantity in quantities]
                    lines.append(
                        [series] * (len(labels) > 1) + [", ".join(filter(None, (who, form))), *map(number, values)]
                    )
    else:
        [quantity] = quantities
        sources = [PUBLISHED, OURS] + [ORIGINAL] * bool(gathered.of(ORIGINAL))
        head = ["version", *(f"{quantity}, {who}" for who in sources)]
        for series in labels:
            lines.append([series, *(_forms(versions, who, series, quantity) for who in sources)])
    described = ours(gathered.rows) if gathered.rows else "Ours: not measured."
    summed = f"With {joined(versions.summed)} threads: its kernel, copies of 1024." if versions.summed else ""
    caption = " ".join(filter(None, (f"{specification['title']}, 1080p (ms).", described, summed)))
    return Table(specification.figure, caption, head, lines, left=1 + (len(labels) > 1 and len(quantities) > 1))


def _labels(gathered: Gathered) -> List[str]:
    every = [name for key in ("ours", "published") for name, *_ in gathered.specification.selectors(key)]
    return list(dict.fromkeys(every))


def _forms(versions: _Versions, who: str, series: str, quantity: str) -> str:
    found = {form: versions.value(who, series, form, quantity) for form in versions.forms(who, series)}
    return ", ".join(number(value) + f" ({form})" * bool(form) for form, value in found.items()) or DASH


def _against(gathered: Gathered) -> List[str]:
    """One sentence: our kernel against the fastest form of the program's, on frames like the program's."""
    found, turns = [], False
    for series in _labels(gathered):
        mine, forms = gathered.of(OURS, series=series), gathered.of(ORIGINAL, series=series)
        if mine and forms:
            one, fastest = mine[-1], min(forms, key=lambda other: other.ms)
            turns = turns or bool(one.form)
            found.append(f"`{series}` {times(one.ms / fastest.ms)} ({fastest.form})")
    where = " while the camera turns" if turns else ""
    return [f"Our kernel's time{where} over that of the program's fastest form: {', '.join(found)}."] if found else []


def _figure(versions: _Versions) -> Figure:
    """Bars of the kernels: a group for each version, a colour for each source and form."""
    gathered, specification = versions.gathered, versions.gathered.specification
    labels = _labels(gathered)
    bars: List[Bars] = [
        Bars("kernel, published", [versions.value(PUBLISHED, series, "", KERNEL) or math.nan for series in labels])
    ]
    for who, words in ((ORIGINAL, "original on H200, {}"), (OURS, "ours, {}")):
        for form in dict.fromkeys(one.form for one in gathered.of(who)):
            found = [
                next((one for one in gathered.of(who, series=series) if one.form == form), None) for series in labels
            ]
            bars.append(bars_of(words.format(form) if form else "kernel, ours", found, "ms"))
    for one in bars:
        one.variant = ""
    about = describe(gathered.rows) if gathered.rows else "Ours: not measured."
    panel = Panel(bars=bars, groups=labels, y="time of the kernel (ms)", numbers=True)
    return plot(specification.figure, specification["caption"], specification["title"], about, [panel])


def versions(gathered: Gathered) -> List[Any]:
    """The table, or the figure where it has a caption; and how our kernel compares with the program's."""
    if gathered.specification["needs"] and not gathered.rows:
        return []
    found = _Versions(gathered)
    items: List[Any] = [_figure(found)] if gathered.specification["caption"] else [_table(found)]
    against = _against(gathered) if KERNEL in found.quantities and len(found.quantities) > 1 else []
    return [gathered.note] * bool(gathered.note) + items + against


def listed(gathered: Gathered) -> List[Any]:
    """The published numbers, of which there are none here."""
    lines = [[one.variant.replace("_memory", ""), times(one.value), DASH] for one in gathered.values]
    return [
        Table(
            gathered.specification.figure, f"{gathered.specification['title']}.", ["memory", "published", "ours"], lines
        )
    ]


def machine_code(gathered: Gathered) -> List[Any]:
    """Instructions of one variant."""
    [(_, _, selector)] = gathered.specification.selectors("ours")
    found: Dict[str, str] = gathered.results.machine_code.get((selector["lab"], selector["variant"]), {})
    if not found:
        return []
    caption = (
        f"Instructions in the machine code of {gathered.specification['title']}, {found['compiler']}, {found['arch']}. "
        "Published: a listing of code that was not optimised."
    )
    cells: Sequence[str] = [selector["variant"], found["instructions"], found["loads_global"], found["stores_global"]]
    return [Table(gathered.specification.figure, caption, ["variant", "instructions", "loads", "stores"], [cells])]
