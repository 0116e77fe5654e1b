# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Artefacts of ariano2023's CUDA kernels (labs 03, 04, 05) by size: Figures 10 and 13."""
import math
from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import drawing
from .content import DASH, NOISY, Figure, Line, Section, Table, number, times
from .panels import PICTURE, at_size, bars_of, not_measured
from .published import ARIANO_SIZES, Published
from .rows import Row
from .selection import Results, fastest, of_how_many, sizes
from .series import describe, main_job, point

# (table, lab, variant, name in published.csv, name in words)
KERNELS = (("Table 7", "03_cuda_global", "padded", "cuda_global", "global"),
           ("Table 8", "04_cuda_constant", "padded", "cuda_constant", "constant"),
           ("Table 9", "05_cuda_shared", "input_tile", "cuda_shared_v1", "input_tile"),
           ("Table 10", "05_cuda_shared", "two_batch", "cuda_shared_v2", "two_batch"))
METRIC = "mean_kernel_time_no_transfer"


def kernel_rows(results: Results, lab: str, variant: str) -> List[Row]:
    """Timed rows of one kernel on a GPU, square blocks, 5x5, one job with ariano2023's border."""
    return main_job(results.where(lambda row: row.timed and row.side is not None, lab=lab,
                                  variant=variant, ksize="5", border="replicate", backend="cuda"))


def _best(rows: Sequence[Row], size: Tuple[int, str]) -> Optional[Row]:
    return fastest(at_size(rows, size))


def _counts(measured: Dict[str, List[Row]], columns: Sequence[Tuple[int, str]]) -> str:
    return of_how_many({label: [len(at_size(rows, size)) for size in columns]
                        for label, rows in measured.items()})


def figure_10(results: Results, published: Published) -> Section:
    """ariano2023 Figure 10: the four kernels, each with its best block, by size; ns per pixel."""
    title = "ariano2023 Figure 10: the four kernels with their best block"
    measured = {kernel: kernel_rows(results, *kernel[1:3]) for kernel in KERNELS}
    rows = sum(measured.values(), [])
    if not rows:
        return not_measured(title, "labs 03, 04, 05 on a GPU")
    columns = sizes(rows)
    sides = {row.side for row in rows}
    counts = _counts({kernel[4]: same for kernel, same in measured.items()}, columns)
    only = f"Here only B {rows[0].side} was measured. " if len(sides) == 1 else ""

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
                              describe(shown, only + counts + " " + ARIANO_SIZES, noisy_mark=NOISY),
                              legend=axes[0, 0])

    return Section(title, [Figure("ariano_fig10", "The four kernels with their best block.", draw)])


def figure_13(results: Results, published: Published) -> Section:
    """ariano2023 Figure 13: the fastest pthread split against the fastest kernel by size, ms."""
    title = "ariano2023 Figure 13: best pthread against best CUDA"
    cuda = sum((kernel_rows(results, *kernel[1:3]) for kernel in KERNELS), [])
    threads = main_job([row for variant in ("rows", "grid", "blocks") for row in results.where(
        lambda row: row.timed, lab="02_pthread", variant=variant, ksize="5")])
    if not cuda or not threads:
        return not_measured(title, "lab 02, and labs 03, 04, 05 on a GPU")
    columns = sizes(cuda + threads)
    counts = _counts({"pthread": threads, "CUDA": cuda}, columns)
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
                              describe(shown, counts), legend=axes[0, 0])

    lines = []
    for (_, size), cpu, gpu in zip(columns, *best.values()):
        lines.append([size, f"{number(cpu.ms)} ({cpu.variant})" if cpu else DASH,
                      f"{number(gpu.ms)} ({gpu.variant})" if gpu else DASH,
                      times(cpu.ms / gpu.ms if cpu and gpu else None),
                      times(cpu.ms / gpu.total_ms if cpu and gpu and gpu.total_ms else None)])
    return Section(title, [
        Figure("ariano_fig13", f"Best pthread against best CUDA. {PICTURE}", draw),
        Table("ariano_fig13", "Best pthread against best CUDA; the ratio also with the copies. "
              + counts,
              ["size", "pthread ms", "CUDA ms", "ratio", "with copies"], lines)])


ARTEFACTS = [figure_10, figure_13]
