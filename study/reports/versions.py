# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The shape `versions`: the kernel, the copies and the loop of videostream2021's maps, a line for each version, source and
form."""

from typing import Any, List, Optional, Sequence

from ..figures.content import Table, joined, number, times
from ..figures.series import ours
from ..measurements.rows import Row
from ..measurements.selection import Results
from .seen import ORIGINAL, OURS, PUBLISHED, Gathered, Seen

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
    """The table, and how our kernel compares with the program's."""
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
    against = _against(gathered, list(labels)) if KERNEL in quantities and len(quantities) > 1 else []
    return [gathered.note] * bool(gathered.note) + [table] + against


def _against(gathered: Gathered, labels: List[str]) -> List[str]:
    """One sentence: our kernel against the fastest form of the program's, on frames like the program's."""
    found, turns = [], False
    for series in labels:
        mine, forms = gathered.of(OURS, series=series), gathered.of(ORIGINAL, series=series)
        if mine and forms:
            one, fastest = mine[-1], min(forms, key=lambda other: other.ms)
            turns = turns or bool(one.form)
            found.append(f"`{series}` {times(one.ms / fastest.ms)} ({fastest.form})")
    where = " while the camera turns" if turns else ""
    return (
        [f"The variant's kernel{where} over the original's fastest form, in time: {', '.join(found)}."] if found else []
    )
