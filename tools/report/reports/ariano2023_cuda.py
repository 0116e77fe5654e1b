# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""ariano2023, CUDA: Tables 7 to 10, Figures 10, 11 and 13. Kernel times without copies, 5x5, blocks of
B x B threads."""
import math
from typing import Any, Callable, Dict, List, Optional, Tuple

from ..figures import drawing
from ..figures.content import DASH, NOISY, Bars, Figure, Line, Section, Table, number, times
from ..figures.heat_maps import Cells, heat_maps
from ..figures.labels import RATIOS
from ..figures.panels import PANELS, PICTURE, at_size, bars_of, described, not_measured, without_rows
from ..measurements.published import ARIANO_SIZES, Published
from ..measurements.rows import Row
from ..measurements.selection import BASELINES, Results, fastest, of_how_many, sizes
from ..figures.series import describe, main_job, point

# (lab, variant, name in published.csv) by the number of the table
KERNELS = {7: ("03_cuda_global", "padded", "cuda_global"),
           8: ("04_cuda_constant", "padded", "cuda_constant"),
           9: ("05_cuda_shared", "input_tile", "cuda_shared_v1"),
           10: ("05_cuda_shared", "two_batch", "cuda_shared_v2")}
METRIC = "mean_kernel_time_no_transfer"


def kernel_rows(results: Results, lab: str, variant: str) -> List[Row]:
    """Timed rows of one kernel on a GPU, square blocks, 5x5, one job with ariano2023's border."""
    return main_job(results.where(lambda row: row.timed and row.side is not None, lab=lab,
                                  variant=variant, ksize="5", border="replicate", backend="cuda"))


def kernel_table(number_: int) -> Callable[[Results, Published], Section]:
    """Tables 7 to 10: one kernel by block side and size."""
    def make(results: Results, published: Published) -> Section:
        lab, variant, key = KERNELS[number_]
        rows = kernel_rows(results, lab, variant)
        theirs = published.where(report="ariano2023", variant=key, metric=METRIC)
        if not rows:
            return not_measured(f"lab {lab} on a GPU")
        columns = sizes(rows)
        names = [name for _, name in columns]
        ours = {(row.side or 0, names.index(row.size_name)): row for row in rows}
        there = {(value.side or 0, names.index(value.size_name)): value
                 for value in theirs if value.size_name in names}
        refused = [(row.side or 0, names.index(row.size_name)) for row in results.where(
            lambda row: row.status == "unsupported" and row.side is not None and row.size_name in names,
            lab=lab, variant=variant, ksize="5", border="replicate", backend="cuda")]
        run = {(original.side, names.index(original.size_name)): original
               for original in published.programs("ariano2023", lab, variant)
               if original.size_name in names and original.ksize == 5}
        sides = sorted({side for side, _ in [*ours, *there, *run, *refused]})
        name = f"ariano2023_table_{number_}"
        title = f"{lab} {variant}: kernel time by block side B and size"

        def draw() -> Any:
            panels: List[Tuple[str, Cells]] = [
                ("ours", {at: row.ns_per_pixel for at, row in ours.items()}),
                ("original program, H200", {at: one.ms * 1e6 / (one.width * one.height)
                                            for at, one in run.items()}),
                ("published, RTX 3070Ti", {at: one.ns_per_pixel for at, one in there.items()})]
            return heat_maps(f"{title}, per pixel (ns)",
                             described(rows, f"{PANELS} {ARIANO_SIZES}"),
                             [panel for panel in panels if panel[1]], sides, range(len(columns)),
                             ("image size", "B (threads per side)"),
                             [at for at, row in ours.items() if row.is_noisy], refused,
                             lambda index: names[index])

        lines = []
        for side in sides:
            cells = [(side, index) for index in range(len(columns))]
            lines.append([str(side), "ours"] + [
                number(ours[at].ms) + NOISY * ours[at].is_noisy if at in ours else
                "refused" if at in refused else DASH for at in cells])
            values = [there.get((side, index)) for index in range(len(columns))]
            if any(values):
                lines.append(["", "published"] + [number(v.value) if v else DASH for v in values])
            timed = [run.get((side, index)) for index in range(len(columns))]
            if any(timed):
                lines.append(["", "original"] + [number(o.ms) if o else DASH for o in timed])
        return Section("", [
            Figure(name, f"{title}.", draw),
            Table(name, f"{title} (ms). Published: GeForce RTX 3070Ti. {published.original} "
                  + described(rows), ["B", "", *names], lines, left=2, fold=True)],
            rows=rows, published=len(theirs), originals=len(run))

    return make


def figure_10(results: Results, published: Published) -> Section:
    """Figure 10: the four kernels, each with its best block, by size; ns per pixel."""
    measured = {kernel: kernel_rows(results, *kernel[:2]) for kernel in KERNELS.values()}
    rows = sum(measured.values(), [])
    if not rows:
        return not_measured("labs 03, 04, 05 on a GPU")
    columns = sizes(rows)
    label = {kernel: kernel[2].replace("cuda_", "") + f" {kernel[1]}" for kernel in measured}
    best = {kernel: [fastest(at_size(same, size)) for size in columns]
            for kernel, same in measured.items()}
    shown = [row for found in best.values() for row in found if row]
    counts = of_how_many({label[kernel]: [len(at_size(same, size)) for size in columns]
                          for kernel, same in measured.items()})
    values = published.where(report="ariano2023", metric=METRIC)

    run = {kernel: [one for one in published.programs("ariano2023", *kernel[:2]) if one.ksize == 5] for kernel in measured}

    def draw() -> Any:
        figure, axes = drawing.canvas(3.9, columns=3)
        here = [bars_of(label[kernel], found) for kernel, found in best.items()]
        there = [Bars(label[kernel], [
            min((v.ns_per_pixel for v in values
                 if v.variant == kernel[2] and v.size_name == name), default=math.nan)
            for _, name in columns], variant=" ".join(kernel[:2])) for kernel in measured]
        programs = [Bars(label[kernel], [
            min((one.ms * 1e6 / (one.width * one.height) for one in run[kernel] if one.size_name == name), default=math.nan)
            for _, name in columns], variant=" ".join(kernel[:2])) for kernel in measured]
        for panel, name, bars in ((axes[0, 0], "ours", here), (axes[0, 1], "original program, H200", programs),
                                  (axes[0, 2], "published, RTX 3070Ti", there)):
            drawing.draw_bars(panel, [size for _, size in columns], bars)
            panel.set_title(name, loc="left")
            panel.set_xlabel("image size")
            panel.tick_params(axis="x", labelsize=8, rotation=45)
        axes[0, 0].set_ylabel("kernel time per pixel (ns)")
        return drawing.finish(figure, "The four kernels, each with its best block",
                              describe(shown, counts + " " + ARIANO_SIZES, noisy_mark=NOISY),
                              legend=axes[0, 0])

    return Section("", [Figure("ariano2023_figure_10", "The four kernels with their best block.",
                               draw)], partly=without_rows({label[kernel]: rows for kernel, rows in measured.items()}),
                   rows=shown, published=len(values),
                   originals=sum(map(len, run.values())))


def figure_11(results: Results, published: Published) -> Section:
    """Figure 11: speed-up of two_batch over flat and nested by block side and size."""
    rows = kernel_rows(results, "05_cuda_shared", "two_batch")
    claims = published.where(report="ariano2023", metric="speedup_vs_sequential_flatPaddedImage")
    if not any(results.speed_up(row, "flat") for row in rows):
        return not_measured("lab 01, flat, and lab 05, two_batch on a GPU")
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
                     claims)
    cells, noisy = {}, []
    for row in rows:
        gain = results.speed_up(row, "flat")
        if gain is not None:
            at = row.side or 0, columns.index((row.pixels, row.size_name))
            cells[at] = gain
            noisy += [at] * row.is_noisy

    def draw() -> Any:
        return heat_maps("two_batch: speed-up over flat (x)", described(rows, f"{RATIOS} {words}"),
                         [("ours", cells)], sorted({side for side, _ in cells}),
                         range(len(columns)), ("image size", "B (threads per side)"), noisy, (),
                         lambda index: columns[index][1], "speed-up (x)")

    return Section("", [
        Figure("ariano2023_figure_11", "two_batch: speed-up over `flat`.", draw),
        Table("ariano2023_figure_11", "two_batch, kernel time: speed-up over one CPU thread of the "
              f"same machine. {words}", ["B", "over", *(name for _, name in columns)], lines,
              left=2)], rows=rows, published=len(claims))


def figure_13(results: Results, published: Published) -> Section:
    """Figure 13: the fastest pthread split against the fastest kernel by size, ms."""
    cuda = sum((kernel_rows(results, *kernel[:2]) for kernel in KERNELS.values()), [])
    threads = main_job([row for variant in ("rows", "grid", "blocks") for row in results.where(
        lambda row: row.timed, lab="02_pthread", variant=variant, ksize="5")])
    if not cuda or not threads:
        return not_measured("lab 02, and labs 03, 04, 05 on a GPU")
    columns = sizes(cuda + threads)
    best: Dict[str, List[Optional[Row]]] = {
        name: [fastest(at_size(same, size)) for size in columns]
        for name, same in (("best pthread", threads), ("best CUDA", cuda))}
    shown = [row for found in best.values() for row in found if row]
    counts = of_how_many({name: [len(at_size(same, size)) for size in columns]
                          for name, same in (("pthread", threads), ("CUDA", cuda))})

    def draw() -> Any:
        figure, axes = drawing.canvas(3.8)
        drawing.draw_lines(axes[0, 0], [Line(name, [point(row.pixels, row) for row in found if row])
                                        for name, found in best.items()])
        drawing.size_axis(axes[0, 0], columns)
        axes[0, 0].set_ylabel("time (ms)")
        return drawing.finish(figure, "Best pthread split against best kernel, without copies",
                              describe(shown, counts), legend=axes[0, 0])

    lines = []
    for (_, size), cpu, gpu in zip(columns, *best.values()):
        lines.append([size, f"{number(cpu.ms)} ({cpu.variant})" if cpu else DASH,
                      f"{number(gpu.ms)} ({gpu.variant})" if gpu else DASH,
                      times(cpu.ms / gpu.ms if cpu and gpu else None)])
    return Section("", [
        Figure("ariano2023_figure_13", f"Best pthread against best CUDA. {PICTURE}", draw),
        Table("ariano2023_figure_13", f"Best pthread against best CUDA, without copies. {counts}",
              ["size", "pthread ms", "CUDA ms", "ratio"], lines)], rows=shown)


ARTEFACTS = {**{f"Table {number_}": kernel_table(number_) for number_ in KERNELS},
             "Figure 10": figure_10, "Figure 11": figure_11, "Figure 13": figure_13}
