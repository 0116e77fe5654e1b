# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Artefacts of ariano2023's CUDA kernels (labs 03, 04, 05): Tables 7 to 10, Figures 10, 11 and 13.

Kernel times without copies, 5x5, blocks of B x B threads, B = 2 to 32.
"""
import math
from typing import Any, Dict, List, Optional, Sequence, Tuple

import drawing
from content import DASH, NOISY, Figure, Line, Section, Table, number, times
from panels import PANELS, PICTURE, at_size, bars_of, described, heat_pair, not_measured
from published import ARIANO_SIZES, Published
from rows import Row
from selection import BASELINES, Results, sizes
from series import describe, main_job, point

# (table, lab, variant, name in published.csv, name in words)
KERNELS = (("Table 7", "03_cuda_global", "padded", "cuda_global", "global"),
           ("Table 8", "04_cuda_constant", "padded", "cuda_constant", "constant"),
           ("Table 9", "05_cuda_shared", "input_tile", "cuda_shared_v1", "input_tile"),
           ("Table 10", "05_cuda_shared", "two_batch", "cuda_shared_v2", "two_batch"))
METRIC = "mean_kernel_time_no_transfer"


def _rows(results: Results, lab: str, variant: str) -> List[Row]:
    """Timed rows of one kernel on a GPU, square blocks, 5x5, one job."""
    return main_job(results.where(lambda row: row.timed and row.side is not None,
                                  lab=lab, variant=variant, ksize="5", backend="cuda"))


def _best(rows: Sequence[Row], size: Tuple[int, str]) -> Optional[Row]:
    return min(at_size(rows, size), key=lambda row: row.ms, default=None)


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
        rows = _rows(results, *kernel[1:3])
        if rows:
            section.items += _block_items(rows, published, kernel)
    return section if section.items else not_measured(title, "labs 03, 04, 05 on a GPU")


def figure_10(results: Results, published: Published) -> Section:
    """ariano2023 Figure 10: the four kernels, each with its best block, by size; ns per pixel."""
    title = "ariano2023 Figure 10: the four kernels with their best block"
    measured = {kernel: _rows(results, *kernel[1:3]) for kernel in KERNELS}
    rows = sum(measured.values(), [])
    if not rows:
        return not_measured(title, "labs 03, 04, 05 on a GPU")
    columns = sizes(rows)

    def draw() -> Any:
        figure, axes = drawing.canvas(3.9, columns=2)
        here: List[drawing.Bars] = []
        there: List[drawing.Bars] = []
        shown: List[Row] = []
        for kernel, same in measured.items():
            best = [_best(same, size) for size in columns]
            shown += [row for row in best if row]
            here.append(bars_of(kernel[4], best))
            values = published.where(report="ariano2023", variant=kernel[3], metric=METRIC)
            there.append((kernel[4], [
                min((v.ns_per_pixel for v in values if v.size_name == name), default=math.nan)
                for _, name in columns], None, ()))
        for panel, name, bars in ((axes[0, 0], "here", here),
                                  (axes[0, 1], "published, GeForce RTX 3070Ti", there)):
            drawing.draw_bars(panel, [size for _, size in columns], bars)
            panel.set_title(name, loc="left")
            panel.set_xlabel("image size")
            panel.tick_params(axis="x", labelsize=8)
        axes[0, 0].set_ylabel("kernel time per pixel (ns)")
        return drawing.finish(figure, "The four kernels, each with its best block",
                              describe(shown, ARIANO_SIZES, noisy_mark=NOISY), legend=axes[0, 0])

    return Section(title, [Figure("ariano_fig10", "The four kernels with their best block.", draw)])


def figure_11(results: Results, published: Published) -> Section:
    """ariano2023 Figure 11: speed-up of two_batch over flat and nested by block side and size."""
    title = "ariano2023 Figure 11: two_batch against one thread"
    rows = _rows(results, "05_cuda_shared", "two_batch")
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
    cells = {}
    for row in rows:
        gain = results.speed_up(row, "flat")
        if gain is not None:
            cells[row.side or 0, columns.index((row.pixels, row.size_name))] = gain
    if not cells:
        return Section(title, [table, "There is no time of `flat` here: run `make bench`."])

    def draw() -> Any:
        return heat_pair("two_batch: speed-up over flat (x)", described(rows, words),
                         [("here", cells)], sorted({side for side, _ in cells}),
                         range(len(columns)), ("image size", "B (threads per side)"), (),
                         lambda index: columns[index][1])

    return Section(title, [Figure("ariano_fig11", "two_batch: speed-up over `flat`.", draw), table])


def figure_13(results: Results, published: Published) -> Section:
    """ariano2023 Figure 13: the fastest pthread split against the fastest kernel by size, ms."""
    title = "ariano2023 Figure 13: best pthread against best CUDA"
    cuda = sum((_rows(results, *kernel[1:3]) for kernel in KERNELS), [])
    threads = main_job([row for variant in ("rows", "grid", "blocks") for row in results.where(
        lambda row: row.timed, lab="02_pthread", variant=variant, ksize="5")])
    if not cuda or not threads:
        return not_measured(title, "lab 02, and labs 03, 04, 05 on a GPU")
    columns = sizes(cuda + threads)
    best: Dict[str, List[Optional[Row]]] = {
        "best pthread": [_best(threads, size) for size in columns],
        "best CUDA": [_best(cuda, size) for size in columns]}

    def draw() -> Any:
        figure, axes = drawing.canvas(3.8)
        drawing.draw_lines(axes[0, 0], [Line(name, [point(row.pixels, row) for row in found if row])
                                        for name, found in best.items()])
        drawing.size_axis(axes[0, 0], columns)
        axes[0, 0].set_ylabel("time (ms)")
        shown = [row for found in best.values() for row in found if row]
        return drawing.finish(figure, "Best pthread split against best kernel, without copies",
                              describe(shown), legend=axes[0, 0])

    lines = []
    for (_, size), cpu, gpu in zip(columns, *best.values()):
        lines.append([size, f"{number(cpu.ms)} ({cpu.variant})" if cpu else DASH,
                      f"{number(gpu.ms)} ({gpu.variant})" if gpu else DASH,
                      times(cpu.ms / gpu.ms if cpu and gpu else None),
                      times(cpu.ms / (gpu.number["total_ms_mean"] or math.inf)
                            if cpu and gpu and gpu.number["total_ms_mean"] else None)])
    return Section(title, [
        Figure("ariano_fig13", f"Best pthread against best CUDA. {PICTURE}", draw),
        Table("ariano_fig13", "Best pthread against best CUDA; the ratio also with the copies.",
              ["size", "pthread ms", "CUDA ms", "ratio", "with copies"], lines)])


ARTEFACTS = [tables_7_to_10, figure_10, figure_11, figure_13]
