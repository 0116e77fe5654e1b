# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Artefacts of ariano2023's CUDA kernels by block side: Tables 7 to 10 and Figure 11.

Kernel times without copies, 5x5, blocks of B x B threads, B = 2 to 32.
"""
from typing import Any, List, Tuple

from .artefacts_cuda import KERNELS, METRIC, kernel_rows
from .content import DASH, NOISY, Figure, Section, Table, number, times
from .heat_maps import heat_pair
from .panels import PANELS, at_size, described, not_measured
from .published import ARIANO_SIZES, Published
from .rows import Row
from .selection import BASELINES, Results, sizes


def _block_items(rows: List[Row], published: Published, kernel: Tuple[str, ...]) -> List[Any]:
    """Heat map (ns per pixel) and table (ms) of one kernel: block side x size."""
    theirs = published.where(report="ariano2023", variant=kernel[3], metric=METRIC)
    columns = sizes(rows)
    names = [name for _, name in columns]
    ours = {(row.side or 0, names.index(row.size_name)): row for row in rows}
    there = {(value.side or 0, names.index(value.size_name)): value
             for value in theirs if value.size_name in names}
    originals = {(original.side, names.index(original.size_name)): original
                 for original in published.programs("ariano2023", *kernel[1:3])
                 if original.size_name in names and original.ksize == 5}
    sides = sorted({side for side, _ in [*ours, *there]})
    source = f"ariano2023 {kernel[0]}, {theirs[0].hardware}" if theirs else ""
    name = f"ariano_blocks_{kernel[3]}"
    title = f"{kernel[1]} {kernel[2]}: kernel time by block side B and size"

    def draw() -> Any:
        pairs = [("here", {at: row.ns_per_pixel for at, row in ours.items()}),
                 (source, {at: value.ns_per_pixel for at, value in there.items()})]
        return heat_pair(f"{title}, per pixel (ns)",
                         described(rows, f"{PANELS} {ARIANO_SIZES}"),
                         pairs[:2 if there else 1], sides, range(len(columns)),
                         ("image size", "B (threads per side)"),
                         [at for at, row in ours.items() if row.is_noisy],
                         lambda index: names[index])

    lines = []
    for side in sides:
        found = [ours.get((side, index)) for index in range(len(columns))]
        lines.append([str(side), "here"] + [number(row.ms) + NOISY * row.is_noisy if row else DASH
                                            for row in found])
        values = [there.get((side, index)) for index in range(len(columns))]
        if any(values):
            lines.append(["", "published"] + [number(v.value) if v else DASH for v in values])
        run = [originals.get((side, index)) for index in range(len(columns))]
        if any(run):
            lines.append(["", "original"] + [number(o.ms) if o else DASH for o in run])
    return [Figure(name, f"{title}.", draw),
            Table(name, f"{title} (ms). Published: {source}. {published.original}",
                  ["B", "", *names], lines, left=2, fold=True)]


def tables_7_to_10(results: Results, published: Published) -> Section:
    """ariano2023 Tables 7 to 10: kernel time in ms by block side and size, four kernels."""
    title = "ariano2023 Tables 7 to 10: CUDA kernels by block side"
    section = Section(title)
    for kernel in KERNELS:
        rows = kernel_rows(results, *kernel[1:3])
        if rows:
            section.items += _block_items(rows, published, kernel)
    return section if section.items else not_measured(title, "labs 03, 04, 05 on a GPU")


def figure_11(results: Results, published: Published) -> Section:
    """ariano2023 Figure 11: speed-up of two_batch over flat and nested by block side and size."""
    title = "ariano2023 Figure 11: two_batch against one thread"
    rows = kernel_rows(results, "05_cuda_shared", "two_batch")
    if not rows:
        return not_measured(title, "lab 05, two_batch on a GPU")
    columns = sizes(rows)
    lines = []
    for side in sorted({row.side or 0 for row in rows}):
        found = [next((row for row in at_size(rows, size) if row.side == side), None)
                 for size in columns]
        for base in BASELINES:
            lines.append([str(side), base] + [times(results.speed_up(row, base) if row else None)
                                              for row in found])
    words = " ".join(f"Published in words: {value.value:g}x over flat at \"{value.resolution}\", B "
                     f"{value.side}, {value.hardware}; the rest only as a picture." for value in
                     published.where(report="ariano2023",
                                     metric="speedup_vs_sequential_flatPaddedImage"))
    table = Table("ariano_fig11", "two_batch, kernel time: speed-up over one CPU thread of the "
                  f"same machine. {words}", ["B", "over", *(name for _, name in columns)], lines,
                  left=2)
    cells, noisy = {}, []
    for row in rows:
        gain = results.speed_up(row, "flat")
        if gain is not None:
            at = row.side or 0, columns.index((row.pixels, row.size_name))
            cells[at] = gain
            noisy += [at] * row.is_noisy
    if not cells:
        return Section(title, [table, "There is no time of `flat` here: run `make bench`."])

    def draw() -> Any:
        return heat_pair("two_batch: speed-up over flat (x)", described(rows, words),
                         [("here", cells)], sorted({side for side, _ in cells}),
                         range(len(columns)), ("image size", "B (threads per side)"), noisy,
                         lambda index: columns[index][1])

    return Section(title, [Figure("ariano_fig11", "two_batch: speed-up over `flat`.", draw), table])


ARTEFACTS = [tables_7_to_10, figure_11]
