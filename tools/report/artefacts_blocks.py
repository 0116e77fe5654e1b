# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Artefacts of lab 02 by block side: ariano2023 Tables 2 to 6, Figure 6, and Figure 7."""
import math
from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import drawing
from .artefacts_pthread import pthread_rows
from .content import DASH, NOISY, Figure, Section, Table, number, spread
from .heat_maps import Cells, heat_pair
from .panels import PANELS, at_size, bars_of, described, not_measured
from .published import ARIANO_SIZES, Published, Value
from .rows import Row
from .selection import Results, fastest, of_how_many, sizes
from .series import describe, untimed

SPLITS = ("rows", "grid", "blocks")  # ariano2023 section 3.4


def _published_blocks(published: Published, size: str) -> List[Value]:
    """The values in ms of Tables 2 to 6 for the size that we call `size`."""
    return [value for value in published.where(
        report="ariano2023", variant="pthread_blocks", metric="mean_execution_time")
        if value.size_name == size]


def _blocks_at(size: Tuple[int, str], rows: List[Row], theirs: List[Value],
               refused: List[str]) -> List[Any]:
    """Heat map (ns per pixel) and table (ms) of one size: block side x threads."""
    ours = {(row.side or 0, row.integer("threads") or 0): row for row in rows}
    there = {(value.side or 0, value.threads or 0): value for value in theirs}
    sides = sorted({side for side, _ in [*ours, *there]})
    threads = sorted({count for _, count in [*ours, *there]})
    name = f"ariano_blocks_{size[1]}"
    source = f"{theirs[0].report} {theirs[0].table}, {theirs[0].hardware}" if theirs else ""
    caption = f"{size[1]}, blocks: time by side of the block and number of threads"

    def draw() -> Any:
        cells: Cells = {at: row.ns_per_pixel for at, row in ours.items()}
        pairs = [(f"here, {rows[0].width}x{rows[0].height}", cells)]
        if theirs:
            pairs.append((source, {at: value.ns_per_pixel for at, value in there.items()}))
        return heat_pair(f"Time per pixel (ns) at {size[1]}",
                         described(rows, PANELS
                                   + (f"\nPublished: {ARIANO_SIZES}" if theirs else "")),
                         pairs, sides, threads, ("threads", "block side (pixels)"),
                         [at for at, row in ours.items() if row.is_noisy])

    lines = []
    for side in sides:
        found = [ours.get((side, count)) for count in threads]
        lines.append([str(side), "here"] + [number(row.ms) + NOISY * row.is_noisy if row else DASH
                                            for row in found])
        if theirs:
            values = [there.get((side, count)) for count in threads]
            lines.append(["", "published"] + [number(v.value) if v else DASH for v in values])
    table = Table(name, caption + " (ms)." + (f" Published: {source}." if theirs else ""),
                  ["side", "", *map(str, threads)], lines, left=2, fold=True)
    return [Figure(name, caption + ".", draw), table, *refused]


def tables_2_to_6(results: Results, published: Published) -> Section:
    """ariano2023 Tables 2 to 6 and Figure 6: blocks, side 4..256 x threads, ms, for each size."""
    title = "ariano2023 Tables 2 to 6 and Figure 6: blocks by side and threads"
    rows = [row for row in pthread_rows(results, "blocks") if row.side]
    swept = [size for size in sizes(rows) if len(at_size(rows, size)) > 1]
    if not swept:
        return not_measured(title, "lab 02, blocks by side and threads")
    section = Section(title, [ARIANO_SIZES])
    for size in swept:
        refused = [row for row in results.where(lab="02_pthread", variant="blocks", ksize="5",
                                                image=rows[0].image)
                   if (row.pixels, row.size_name) == size]
        section.items += _blocks_at(size, at_size(rows, size),
                                    _published_blocks(published, size[1]),
                                    untimed(refused, limit=3))
    return section


def figure_7(results: Results, published: Published) -> Section:
    """ariano2023 Figure 7: the best of rows, grid and blocks by size; ns per pixel and ms."""
    title = "ariano2023 Figure 7: the best of rows, grid and blocks"
    measured = {variant: pthread_rows(results, variant) for variant in SPLITS}
    rows = sum(measured.values(), [])
    if not rows:
        return not_measured(title, "lab 02, rows, grid and blocks")
    columns = sizes(rows)
    best: Dict[str, List[Optional[Row]]] = {
        variant: [fastest(at_size(same, size)) for size in columns]
        for variant, same in measured.items()}
    counts = {variant: [len(at_size(same, size)) for size in columns]
              for variant, same in measured.items()}
    theirs = [min(_published_blocks(published, size), key=lambda value: value.value, default=None)
              for _, size in columns]

    def draw() -> Any:
        figure, axes = drawing.canvas(4.0)
        bars = [bars_of(variant, found) for variant, found in best.items()]
        bars.append(("blocks, published",
                     [value.ns_per_pixel if value else math.nan for value in theirs],
                     None, ()))
        drawing.draw_bars(axes[0, 0], [size for _, size in columns], bars)
        axes[0, 0].set_ylabel("time per pixel (ns)")
        axes[0, 0].set_xlabel("image size")
        shown = [row for found in best.values() for row in found if row]
        return drawing.finish(figure, "The best split of the image at each size",
                              describe(shown, of_how_many(counts) + " Published: best of Tables 2 to 6, Intel i9-11900KF; "
                                       + ARIANO_SIZES, noisy_mark=NOISY), legend=axes[0, 0])

    def written(row: Optional[Row], count: int) -> str:
        if row is None:
            return DASH
        side = f", side {row.side}" if row.variant == "blocks" else ""
        return f"{spread(row)}, {row.threads} threads{side}, of {count}"

    lines = [[size] + [written(best[variant][index], counts[variant][index]) for variant in SPLITS]
             + [f"{number(value.value)} ({value.threads} threads, side {value.side})"
                if value else DASH]
             for index, ((_, size), value) in enumerate(zip(columns, theirs))]
    return Section(title, [
        Figure("ariano_fig7", "The best of each split by size. The published values of rows and "
               "grid are only in a picture; those of blocks are the best of Tables 2 to 6.", draw),
        Table("ariano_fig7", "The best of each split (ms) and of how many configurations, and the published best of blocks on an "
              "Intel i9-11900KF.", ["size", *SPLITS, "blocks, published"], lines)])


ARTEFACTS = [tables_2_to_6, figure_7]
