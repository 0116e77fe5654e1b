# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""ariano2023, kernels against the CPU: Figure 11 (speed-up of two_batch), Figure 13 (best pthread, best kernel)."""

from typing import Any, Dict, List, Optional, Tuple

from ..figures import drawing
from ..figures.content import DASH, NO_BAR, Figure, Line, Section, Table, named_time, number, times
from ..figures.heat_maps import Cells, heat_maps
from ..figures.labels import RATIOS
from ..figures.panels import PICTURE, at_size, described, not_measured
from ..figures.series import describe, main_job, ours, point
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import BASELINES, Results, fastest, of_how_many, sizes
from .ariano2023_cuda import KERNELS, kernel_rows, program_times, refused_rows

TILED = ("05_cuda_shared", "two_batch")
At = Tuple[int, str]  # side of the block, name of the size


def figure_11(results: Results, published: Published) -> Section:
    """Figure 11: speed-up of two_batch over flat and nested by block side and size, and the one that is published."""
    rows = kernel_rows(results, *TILED)
    claims = published.where(report="ariano2023", metric="speedup_vs_sequential_flatPaddedImage")
    if not any(results.speed_up(row, "flat") for row in rows):
        return not_measured("lab 01, flat, and lab 05, two_batch on a GPU")
    names = [name for _, name in sizes(rows)]
    bases = {(base, row.size_name): results.baseline(row, base) for row in rows for base in BASELINES}
    kernels = {(row.side or 0, row.size_name): row for row in rows}
    run = {(one.side, one.size_name): one for one in program_times(published, *TILED) if one.size_name in names}
    refused = {(row.side or 0, row.size_name) for row in refused_rows(results, *TILED)}
    stated = {(value.side or 0, value.size_name): value.value for value in claims if value.size_name in names}
    sides = sorted({side for side, _ in [*kernels, *run, *refused, *stated]})

    def gains(found: Dict[At, Any], base: str) -> Dict[At, float]:
        """The time of lab 01's program over that of each kernel."""
        over = {at: bases.get((base, at[1])) for at in found}
        return {at: row.ms / found[at].ms for at, row in over.items() if row is not None}

    lines = []
    for side in sides:
        for who, found, gone in (("ours", kernels, refused), ("original", run, set())):
            if any((side, size) in [*found, *gone] for size in names):
                lines += [[str(side), who, base, *_cells(side, names, gains(found, base), gone)] for base in BASELINES]
        if any((side, size) in stated for size in names):
            lines.append([str(side), "published", "flat", *_cells(side, names, stated, set())])
    words = " ".join(
        f'Published: {value.value:g}x over flat at "{value.resolution}" (4:3), B {value.side}.' for value in claims
    )

    def draw() -> Any:
        def placed(found: Dict[At, Any]) -> Cells:
            return {(side, names.index(size)): gain for (side, size), gain in gains(found, "flat").items()}

        return heat_maps(
            "two_batch: speed-up over flat (x)",
            described(rows, f"{RATIOS} {words}", results.baselines(rows, "flat")),
            [
                panel
                for panel in (
                    ("ours", placed(kernels)),
                    ("its program, H200", placed(run)),
                    (
                        "published, RTX 3070Ti",
                        {(side, names.index(size)): gain for (side, size), gain in stated.items()},
                    ),
                )
                if panel[1]
            ],
            sides,
            range(len(names)),
            ("image size", "B (threads per side)"),
            [(side, names.index(size)) for (side, size), row in kernels.items() if row.is_noisy],
            [(side, names.index(size)) for side, size in refused if size in names],
            lambda _, index: names[index],
            "speed-up (x)",
            high_is_fast=True,
        )

    return Section(
        "",
        [
            Figure(
                "ariano2023_figure_11",
                "two_batch, speed-up over `flat`: by block and size, and beside it the only published number.",
                draw,
            ),
            Table(
                "ariano2023_figure_11",
                f"two_batch, kernel time: speed-up over one CPU thread. {words} "
                + ours(rows, results.baselines(rows, *BASELINES)),
                ["B", "", "over", *names],
                lines,
                left=3,
            ),
        ],
        rows=rows,
        published=len(claims),
        originals=len(run),
    )


def _cells(side: int, names: List[str], found: Dict[At, float], gone: Any) -> List[str]:
    return [times(found.get((side, size))) if (side, size) not in gone else "refused" for size in names]


def figure_13(results: Results, published: Published) -> Section:
    """Figure 13: the fastest pthread split against the fastest kernel by size, ms."""
    cuda = sum((kernel_rows(results, *kernel[:2]) for kernel in KERNELS.values()), [])
    threads = main_job(
        [
            row
            for variant in ("rows", "grid", "blocks")
            for row in results.where(lambda row: row.timed, lab="02_pthread", variant=variant, ksize="5")
        ]
    )
    if not cuda or not threads:
        return not_measured("lab 02, and labs 03, 04, 05 on a GPU")
    columns = sizes(cuda + threads)
    best: Dict[str, List[Optional[Row]]] = {
        name: [fastest(at_size(same, size)) for size in columns]
        for name, same in (("best pthread", threads), ("best CUDA", cuda))
    }
    every = [one for kernel in KERNELS.values() for one in program_times(published, *kernel[:2])]
    run = {
        name: min(same, key=lambda one: one.ms)
        for _, name in columns
        for same in [[one for one in every if one.size_name == name]]
        if same
    }
    shown = [row for found in best.values() for row in found if row]
    counts = of_how_many(
        {name: [len(at_size(same, size)) for size in columns] for name, same in (("pthread", threads), ("CUDA", cuda))}
    )

    def draw() -> Any:
        figure, axes = drawing.canvas(3.8)
        theirs = Line(
            "best CUDA, original program",
            [(pixels, run[name].ms, NO_BAR, False) for pixels, name in columns if name in run],
            beside="best CUDA",
        )
        drawing.draw_lines(
            axes[0, 0],
            [*(Line(name, [point(row.pixels, row) for row in found if row]) for name, found in best.items()), theirs],
        )
        drawing.size_axis(axes[0, 0], columns)
        axes[0, 0].set_ylabel("time (ms)")
        return drawing.finish(
            figure, "Best pthread split against best kernel, without copies", describe(shown, counts), legend=axes[0, 0]
        )

    lines = []
    for (_, size), cpu, gpu in zip(columns, *best.values()):
        program = run.get(size)
        lines.append(
            [
                size,
                named_time(cpu),
                named_time(gpu),
                times(cpu.ms / gpu.ms if cpu and gpu else None),
                *([f"{number(program.ms)} ({program.program})" if program else DASH] if run else []),
            ]
        )
    return Section(
        "",
        [
            Figure(
                "ariano2023_figure_13",
                f"Best pthread against best CUDA, kernels alone: the distance of the lines is the gain. {PICTURE}",
                draw,
            ),
            Table(
                "ariano2023_figure_13",
                f"Best pthread against best CUDA. {counts}",
                ["size", "pthread ms", "CUDA ms", "ratio", *["CUDA, original ms"] * bool(run)],
                lines,
            ),
        ],
        rows=shown,
        originals=sum(one.size_name in run for one in every),
    )


ARTEFACTS = {"Figure 11": figure_11, "Figure 13": figure_13}
