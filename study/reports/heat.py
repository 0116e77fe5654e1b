# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The shape `heat`: a heat map each of ours, of the report's program and of the published numbers, which the cells hold; and a
table of the best of each column."""

from functools import partial
from typing import Any, Dict, List, Tuple

from ..figures.content import DASH, Figure, Table
from ..figures.heat_maps import heat_maps
from ..figures.labels import RATIOS
from ..figures.series import described, ours
from ..measurements.published import ariano_size
from .seen import GROWING, ORIGINAL, OURS, PUBLISHED, Gathered, Seen, best_of
from .words import note_of

UNITS = {"ns": "ns per pixel", "x": "speed-up (x)", "ms": "ms"}
PANELS = {OURS: "ours", ORIGINAL: "its program, H200", PUBLISHED: "published, {}"}


def short(hardware: str) -> str:
    """ "RTX 3070Ti"."""
    return hardware.replace("GeForce ", "")


class _Heat:
    """The columns and lines of the maps; across and down are two columns of the rows."""

    def __init__(self, gathered: Gathered):
        self.gathered, specification = gathered, gathered.specification
        self.quantity = specification["value"] or "ms"
        (self.down, self.down_words), (self.across, self.across_words) = map(specification.axis, ("y", "x"))
        names = [name for _, name in gathered.sizes]
        every = [one for one in [*gathered.seen, *gathered.refused] if self.across != "size" or one.at["size"] in names]
        self.lines = sorted({one.at[self.down] or 0 for one in every})
        self.columns: List[Any] = (
            names if self.across == "size" else sorted({one.at[self.across] or 0 for one in every})
        )

    def place(self, one: Seen) -> Tuple[int, int]:
        """The cell of a number: the heat map knows columns by number."""
        column = one.at[self.across]
        return one.at[self.down] or 0, self.columns.index(column) if self.across == "size" else column

    def cells(self, who: str) -> Dict[Tuple[int, int], float]:
        """The values of one source by their cells."""
        there = [one for one in self.gathered.of(who) if self.across != "size" or one.at["size"] in self.columns]
        return {self.place(one): value for one in there for value in [one.value(self.quantity)] if value is not None}

    def column_text(self, panel: str, column: int) -> str:
        """The name of a column; of the published sizes of ariano2023 what they must have been."""
        if self.across != "size":
            return str(column)
        name = self.columns[column]
        return ariano_size(name) if "published" in panel and self.quantity == "ns" else name


def _figure(heat: _Heat) -> Figure:
    gathered, specification = heat.gathered, heat.gathered.specification
    published = gathered.of(PUBLISHED)
    titles = {**PANELS, PUBLISHED: PANELS[PUBLISHED].format(short(published[0].name) if published else "")}
    if heat.across != "size" and heat.quantity == "ns":  # one size, which differs from the published one
        row = gathered.rows[0]
        titles[OURS] += f", {row.width}x{row.height}"
        titles[PUBLISHED] = titles[PUBLISHED].replace(", ", f", {ariano_size(row.size_name)}, ", 1)
    panels = [(titles[who], heat.cells(who)) for who in PANELS]
    quantity, rows = heat.quantity, gathered.rows
    note = " ".join([RATIOS] * (quantity == "x") + [note_of(gathered)])
    draw = partial(
        heat_maps,
        specification["title"],
        described(rows, note.strip(), gathered.bases),
        [panel for panel in panels if panel[1]],
        heat.lines,
        range(len(heat.columns)) if heat.across == "size" else heat.columns,
        (heat.across_words, heat.down_words),
        [heat.place(one) for one in gathered.of(OURS) if one.is_noisy],
        [heat.place(one) for one in gathered.refused],
        heat.column_text,
        UNITS[quantity],
        high_is_fast=quantity in GROWING,
    )
    return Figure(specification.figure, specification["caption"], draw)


def _table(heat: _Heat) -> Table:
    """Of each column of the maps the best of each source, and in which line it is."""
    gathered, quantity = heat.gathered, "x" if heat.quantity == "x" else "ms"
    short = heat.down_words.partition(" (")[0]
    sources = [who for who in (OURS, ORIGINAL, PUBLISHED) if gathered.of(who)]
    ariano = heat.across == "size" and heat.quantity == "ns"
    lines = []
    for column in heat.columns:
        line = [str(column)] + [ariano_size(column) or DASH] * ariano
        for who in sources:
            best = best_of(gathered.of(who, **{heat.across: column}), quantity)
            line.append(f"{best.text(quantity)} ({best.at[heat.down]})" if best else DASH)
        lines.append(line)
    head = [heat.across_words.partition(" (")[0]] + ["published size, by its times"] * ariano
    unit = "" if quantity == "x" else " ms"
    what = "speed-ups" if quantity == "x" else "times"
    protocol = ours(gathered.rows, gathered.bases)
    caption = f"The best {what} of the figure, with {short} in brackets. {protocol}"
    return Table(
        gathered.specification.figure, caption, [*head, *(f"{who}{unit}" for who in sources)], lines, left=len(head)
    )


def heat(gathered: Gathered) -> List[Any]:
    """The figure and its table."""
    maps = _Heat(gathered)
    return [_figure(maps), _table(maps)] if maps.cells(OURS) else []
