# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Artefacts that are speed-ups of GPU kernels over one CPU thread: chisci2024 Table 1 and Figures 7
to 10, delbimbo2024 Tables 1 and 2.

Each report's baseline is rebuilt in lab 01: `bounds` on int32 (chisci2024), `aos` (delbimbo2024).
"""
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import drawing
from content import DASH, Figure, Line, Section, Table, number, times
from originals import Original
from panels import PICTURE, not_measured
from published import Published
from rows import Row
from selection import Results
from series import describe

Kernel = Tuple[str, str, str]  # name in words, lab, variant
PLAIN, TILED = ("plain", "04_cuda_constant", "gray"), ("tiled", "05_cuda_shared", "two_batch_gray")
PLAIN_GLOBAL = ("plain, filter in global", "03_cuda_global", "gray")
TILED_GLOBAL = ("tiled, filter in global", "05_cuda_shared", "two_batch_global")
DELBIMBO = (("global", "03_cuda_global", "aos", "cuda_global"),
            ("constant", "04_cuda_constant", "aos", "cuda_constant"),
            ("shared", "05_cuda_shared", "two_batch", "cuda_shared"))
WIDTH = 8192  # of the image in chisci2024's Figures 7 to 10


def _gray(results: Results, kernel: Kernel, test: Callable[[Row], bool]) -> List[Row]:
    """Timed rows of one gray int32 kernel on square images."""
    return results.where(lambda row: row.timed and row.width == row.height and test(row),
                         lab=kernel[1], variant=kernel[2], type="int32", channels="1",
                         backend="cuda")


def _by(results: Results, name: str, title: str, swept: str, label: str,
        measured: Dict[str, List[Row]], of: Callable[[Row], Optional[int]], base: str,
        published: Dict[Tuple[str, int], float], originals: Dict[Tuple[str, int], float],
        source: str, logarithmic: bool = False) -> List[Any]:
    """A table of time and speed-up by one swept number, and a figure of the speed-ups.

    measured: rows by kernel; of: the swept number of a row; base: variant of lab 01; by (kernel,
    swept number): speed-ups as published, times (ms) of the report's own program as originals.
    """
    rows = sum(measured.values(), [])
    steps = sorted({of(row) or 0 for row in rows} | {step for _, step in published})
    cells = {(kernel, of(row) or 0): row for kernel, same in measured.items() for row in same}
    header = [label]
    for kernel in measured:
        header += ([f"{kernel} ms"] + ["original ms"] * bool(originals) + [f"{kernel} vs {base}"]
                   + ["published"] * bool(published))
    lines = []
    for step in steps:
        line = [str(step)]
        for kernel in measured:
            row = cells.get((kernel, step))
            line.append(number(row.ms) if row else DASH)
            line += [number(originals.get((kernel, step)))] * bool(originals)
            line.append(times(results.speed_up(row, base) if row else None))
            line += [times(published.get((kernel, step)))] * bool(published)
        lines.append(line)
    table = Table(name, f"{title}. {source}", header, lines)
    drawn = [Line(kernel, [(step, results.speed_up(row, base) or 0, 0, row.is_noisy)
                           for (of_kernel, step), row in cells.items()
                           if of_kernel == kernel and results.speed_up(row, base)])
             for kernel in measured]
    if not any(line.points for line in drawn):
        return [table, f"There is no time of `{base}` of lab 01 for this job, so no speed-up."]
    theirs = [Line(f"{kernel}, published", [
        (step, value, 0, False) for (of_kernel, step), value in published.items()
        if of_kernel == kernel], beside=kernel) for kernel in measured] if published else []

    def draw() -> Any:
        figure, axes = drawing.canvas(4.0)
        drawing.draw_lines(axes[0, 0], drawn + theirs)
        if logarithmic:
            axes[0, 0].set_xscale("log", base=2)
        axes[0, 0].set_xticks(steps)
        axes[0, 0].set_xticklabels(steps, rotation=45 if len(steps) > 10 else 0)
        axes[0, 0].minorticks_off()
        axes[0, 0].set(xlabel=swept, ylabel=f"speed-up over {base} (x)")
        return drawing.finish(figure, title, describe(rows, source, bars=False), legend=axes[0, 0])

    return [Figure(name, f"{title}.", draw), table]


def _originals(published: Published, report: str, kernels: Sequence[Tuple[str, ...]],
               test: Callable[[Original], bool],
               step: Callable[[Original], int]) -> Dict[Tuple[str, int], float]:
    """Times of the report's own program by kernel and swept number."""
    return {(name, step(original)): original.ms for name, lab, variant, *_ in kernels
            for original in published.programs(report, lab, variant) if test(original)}


def chisci_table_1(results: Results, published: Published) -> Section:
    """chisci2024 Table 1: speed-up by width 8 to 32768, plain and tiled; gray, box 5x5, B 16."""
    title = "chisci2024 Table 1: speed-up by width"
    measured = {kernel[0]: _gray(results, kernel, lambda row: row.side == 16 and row.ksize == "5")
                for kernel in (PLAIN, TILED)}
    if not any(measured.values()):
        return not_measured(title, "gray kernels of labs 04 and 05 on a GPU")
    names = {"GPU2DConvolution": "plain", "GPU2DConvolutionTiling": "tiled"}
    values = published.where(report="chisci2024", table="Table 1")
    return Section(title, _by(
        results, "chisci_table1", "Gray images, 5x5, B 16: speed-up by width", "width (pixels)",
        "width", measured, lambda row: row.integer("width"), "bounds",
        {(names[v.variant], v.width or 0): v.value for v in values},
        _originals(published, "chisci2024", (PLAIN, TILED),
                   lambda o: o.width == o.height and o.side == 16 and o.ksize == 5,
                   lambda o: o.width),
        f"Published: {values[0].hardware}. {published.original}", logarithmic=True))


def chisci_figures(results: Results, published: Published) -> Section:
    """chisci2024 Figures 7 to 10: speed-up by B and by K, width 8192."""
    title = "chisci2024 Figures 7 to 10: speed-up by block side and by K"
    section = Section(title)
    all_four = (PLAIN, TILED, PLAIN_GLOBAL, TILED_GLOBAL)
    sweeps: Sequence[Tuple[int, str, Sequence[Kernel], int]] = (
        (7, "by B, 5x5", (PLAIN, TILED), 0), (8, "by K, B 16", (PLAIN, TILED), 16),
        (9, "by K, B 32", (PLAIN, TILED), 32),
        (10, "by K, B 32, filter in constant or global memory", all_four, 32))
    for figure, words, kernels, side in sweeps:  # side 0: by B
        def wanted(of_side: Optional[int], ksize: Optional[int], width: Optional[int]) -> bool:
            return width == WIDTH and (of_side == side if side else bool(of_side) and ksize == 5)

        measured = {}
        for kernel in kernels:
            rows = _gray(results, kernel, lambda row: wanted(
                row.side, row.integer("ksize"), row.integer("width")))
            if rows:
                measured[kernel[0]] = rows
        if measured:
            section.items += _by(
                results, f"chisci_fig{figure}", f"Gray image {WIDTH} wide: speed-up {words}",
                "K (side of the filter)" if side else "B (threads per side)",
                "K" if side else "B", measured,
                lambda row: row.integer("ksize") if side else row.side, "bounds", {},
                _originals(published, "chisci2024", kernels,
                           lambda o: wanted(o.side, o.ksize, o.width),
                           lambda o: o.ksize if side else o.side),
                f"Figure {figure}. {PICTURE} {published.original}")
    return section if section.items else not_measured(title, "gray kernels on a GPU")


def _delbimbo(results: Results, test: Callable[[Row], bool]) -> Dict[str, List[Row]]:
    """Timed rows of delbimbo2024's three kernels by name: Gaussian, 256 threads per block, any K."""
    return {name: results.where(
        lambda row: row.timed and row.side in (None, 16) and test(row), lab=lab, variant=variant,
        backend="cuda", type="uint8", filter="gaussian", border="replicate")
        for name, lab, variant, _ in DELBIMBO}


def delbimbo_tables(results: Results, published: Published) -> Section:
    """delbimbo2024 Tables 1 and 2: speed-up by size (3x3) and by K (1080p), three memories."""
    title = "delbimbo2024 Tables 1 and 2: global, constant and shared memory"
    section = Section(title)
    names = {kernel[3]: kernel[0] for kernel in DELBIMBO}

    def theirs(table: str, step: str) -> Dict[Tuple[str, int], float]:
        heights = {"480p": 480, "720p": 720, "1080p": 1080, "4k": 2160, "8k": 4320}
        values = published.where(report="delbimbo2024", table=table)
        return {(names[value.variant], heights[value.size_name] if step == "height"
                 else value.ksize or 0): value.value for value in values}

    source = ("Published: NVIDIA GeForce RTX 3060; its baseline takes 60 ns per tap, so its "
              "speed-ups measure the baseline.")
    by_size = _delbimbo(results, lambda row: row.ksize == "3")
    by_side = _delbimbo(results, lambda row: row.height == "1080")
    if any(by_size.values()):
        section.items += _by(results, "delbimbo_table1", "3x3 Gaussian: speed-up by size",
                             "height (pixels)", "height", by_size,
                             lambda row: row.integer("height"), "aos",
                             theirs("Table 1", "height"),
                             _originals(published, "delbimbo2024", DELBIMBO,
                                        lambda o: o.side == 16 and o.ksize == 3
                                        and o.program.endswith("AoS"), lambda o: o.height),
                             f"{source} {published.original}", logarithmic=True)
    if any(by_side.values()):
        section.items += _by(results, "delbimbo_table2", "Gaussian at 1080p: speed-up by K",
                             "K (side of the filter)", "K", by_side,
                             lambda row: row.integer("ksize"), "aos",
                             theirs("Table 2", "ksize"), {}, source)
    return section if section.items else not_measured(title, "labs 03, 04, 05 on a GPU, K 3 to 9")


ARTEFACTS = [chisci_table_1, chisci_figures, delbimbo_tables]
