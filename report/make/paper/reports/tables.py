# SPDX-License-Identifier: MIT
"""The shapes of artefacts, each a table: `lines`, a line for each place of the axis, the columns of a series beside each other;
`heat`, two columns across and down; and `versions`: the kernel, the copies and the loop of videostream2021's maps, a line for each
version, source and form."""

from dataclasses import replace
from typing import Any

import pandas
from pandas import DataFrame, Series

from report.make.plots.words import DASH, Table, number

from ..content import ours
from .gather import FIRST, ORIGINAL, OURS, PUBLISHED, Gathered, best_each, text_of

LONG, MANY = 12, 40  # lines of a table: longer ones are folded; of many places, an even choice of about 32 is shown
SETTINGS = {"threads": "{} threads", "block": "B {}", "block_threads": "{} threads"}


def setting(row: Any, among: DataFrame) -> str:
    """ "grid, 16 threads": what tells a number from the others among which it is the best."""
    words = [row.name] if among["name"].nunique() > 1 else []
    words += [
        text.format(getattr(row, name))
        for name, text in SETTINGS.items()
        if getattr(row, name) and among[name].nunique() > 1
    ]
    return ", ".join(words)


def labels_of(seen: DataFrame, column: str) -> Series:
    """The label of each number's line: that of its series, or the value of the column that has a line each."""
    return ("K " if column == "ksize" else "") + seen[column or "series"].astype(str)


def _places(gathered: Gathered, axis: str) -> list[Any]:
    if axis == "size":
        return [name for _, name in gathered.sizes]
    seen = gathered.of(OURS) if gathered.specification["line"] else gathered.seen
    places = sorted(set(pandas.concat([seen, gathered.unsupported])[axis]) - {0})
    step = max(1, len(places) // 32) if len(places) > MANY else 1
    return places[step - 1 :: step]


def series_table(gathered: Gathered, words: str = "") -> Table:
    """Our time of each series, the program's time, the speed-up, and what is published; each where there is any."""
    specification = gathered.specification
    axis, name = specification.axis("x") if specification["x"] else ("size", "size")
    column, over = specification["line"], specification["over"]
    seen = gathered.seen.assign(label=labels_of(gathered.seen, column))
    labels = list(labels_of(pandas.concat([gathered.of(OURS), gathered.unsupported]), column).unique())
    if column == "size":
        labels = [name for _, name in gathered.sizes if name in labels]
    places = _places(gathered, axis)
    head, columns = [name.partition(" (")[0].replace("image ", "")], [list(map(str, places))]
    unsupported = set(zip(labels_of(gathered.unsupported, column), gathered.unsupported[axis]))
    for label in labels:
        for title, who, quantity in _columns(gathered, label, column, "x" if over else ""):
            rows = seen[(seen["who"] == who) & (seen["label"] == label)]
            best = {getattr(row, axis): row for row in best_each(rows, quantity, [axis]).itertuples()}
            cells = []
            for place in places:
                row = best.get(place)
                missing = "unsupported" if who == OURS and quantity == "ms" and (label, place) in unsupported else DASH
                how = setting(row, rows) if row and specification.has("best") and quantity == "ms" else ""
                cells.append(text_of(row, quantity) + (f" ({how})" if how else "") if row else missing)
            if set(cells) != {DASH}:
                head.append(title)
                columns.append(cells)
    caption = [f"{specification['title']}{words}.", gathered.note, ours(gathered.rows, gathered.bases)]
    lines = list(zip(*columns))
    return Table(specification.figure, " ".join(filter(None, caption)), head, lines, fold=len(lines) > LONG)


def _columns(gathered: Gathered, label: str, column: str, gain: str) -> list[tuple[str, str, str]]:
    """Title, source and quantity of the columns of one series."""
    over, first = gathered.base_name, gathered.specification["over"] == FIRST
    columns = [(f"{label} ms", OURS, "ms")] if not column or not gain else []
    if not column:
        columns.append((f"{label}, original", ORIGINAL, "ms"))
    if gain and label != over:
        columns.append((label if column else f"{label} vs {over}", OURS, "x"))
    theirs = gathered.of(PUBLISHED, series=label)
    if not column and len(theirs) and not (first and label == over):
        columns.append((f"{label}, published", PUBLISHED, "x" if first else theirs["unit"].iloc[0]))
    return columns


def lines(gathered: Gathered) -> list[Any]:
    """The table, or one for each value of the column `panels`."""
    if gathered.of(OURS).empty or (gathered.specification["over"] and gathered.bases.empty):
        return []
    column = gathered.specification["panels"]
    if not column:
        return [series_table(gathered)]
    each, word = gathered.seen.groupby(column), ("K " if column == "ksize" else "")
    parts = [(replace(gathered, seen=rows), f", {word}{value}") for value, rows in each]
    return [series_table(part, words) for part, words in parts if len(part.of(OURS))]


def heat(gathered: Gathered) -> list[Any]:
    """A table of the variant, and of the original and the published numbers where they have such places."""
    specification, quantity = gathered.specification, gathered.specification["value"] or "ms"
    (down, down_words), (across, across_words) = map(specification.axis, ("y", "x"))
    if gathered.of(OURS).empty:
        return []
    tables = []
    shown = best_each(gathered.seen, quantity, ["who", down, across])
    for who in (OURS, ORIGINAL, PUBLISHED):
        rows = shown[shown["who"] == who]
        names = [name for _, name in gathered.sizes] if across == "size" else sorted(rows[across].unique())
        columns = [name for name in names if (rows[across] == name).any()]
        if not columns:
            continue
        cells = {(getattr(row, down), getattr(row, across)): text_of(row, quantity) for row in rows.itertuples()}
        lines = [
            [str(place), *(cells.get((place, column), DASH) for column in columns)]
            for place in sorted(rows[down].unique())
        ]
        more = [gathered.note, ours(gathered.rows, gathered.bases)] if who == OURS else []
        caption = " ".join([f"{specification['title']}: {who}, {across_words} across.", *filter(None, more)])
        tables.append(Table(specification.figure, caption, [down_words.partition(" (")[0], *map(str, columns)], lines))
    return tables


METRICS = {
    "kernel": ("gpu_kernel_avg", "gpu_kernel_red_avg", "kernel_avg"),
    "copy in": ("gpu_memcpy_HtoD_avg",),
    "copy out": ("gpu_memcpy_DtoH_avg",),
    "loop": ("loop_time",),
}


def _quantity(line: Any, quantity: str, every: DataFrame) -> float | None:
    """This time of our row, or the number if it is this time."""
    if line.who != OURS:
        return line.ms if line.metric in METRICS[quantity] or (line.who, quantity) == (ORIGINAL, "kernel") else None
    row = every.loc[line.order]
    loop = row["ms"] if row["backend"] == "cpu" else row["total_ms"] or None
    return {"kernel": row["ms"], "copy in": row["copy_in_ms"], "copy out": row["copy_out_ms"], "loop": loop}[quantity]


def versions(gathered: Gathered) -> list[Any]:
    """The table, after its note."""
    specification = gathered.specification
    if gathered.rows.empty:
        return []
    quantities, lines = specification.words("value") or list(METRICS), []
    every = gathered.results.every
    for series in dict.fromkeys(gathered.seen["series"]):
        for who in (PUBLISHED, ORIGINAL, OURS):
            for form, rows in gathered.of(who, series=series).groupby("form", sort=False):
                each = [[_quantity(line, quantity, every) for line in rows.itertuples()] for quantity in quantities]
                cells = [number(next((value for value in values if value is not None), None)) for values in each]
                if set(cells) != {DASH}:
                    lines += [[series, ", ".join(filter(None, (who, form))), *cells]]
    caption = f"{specification['title']}, 1080p (ms). {ours(gathered.rows)}"
    table = Table(specification.figure, caption, ["version", "", *quantities], lines, left=2)
    return ([gathered.note] if gathered.note else []) + [table]
