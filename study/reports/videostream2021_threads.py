# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""videostream2021, Figure 7 (a): the loop of heat map v3 by the number of threads of its one block."""

from typing import Any

from ..figures import drawing
from ..figures.content import Figure, Section, Table, number
from ..figures.panels import PICTURE, not_measured
from ..figures.series import describe, main_job, variant_of
from ..measurements.published import Published
from ..measurements.selection import Results
from .videostream2021_versions import HEAT, HEAT_MAPS, HEAT_V3, SIZE, copied

TIMED = (716, 1024)  # threads of the program's times
FLAT = 128  # threads: from here on a scale of its own


def figure_7(results: Results, published: Published) -> Section:
    """Figure 7a: the loop of heat map v3 by the number of threads of its one block."""
    every = results.where(lambda row: row.timed and row.size == SIZE and row.backend == "cuda", lab=HEAT, variant="v3")
    rows = sorted(main_job(every), key=lambda row: row.integer("block_threads") or 0)
    other = copied(results, HEAT, "v3")
    if len(rows) < 3 or other is None:
        return not_measured("lab 08, v3 by the threads of its block, on a GPU, and its copies")
    run = {
        words: {threads: ms for threads in TIMED for ms in [published.video(program, threads)] if ms is not None}
        for program, words in HEAT_V3
    }
    values = {
        value.metric: value.value
        for value in published.where(report="videostream2021", variant="heatmap_v3_thread_sweep")
    }
    copies = (other.number["copy_in_ms"] or 0) + (other.number["copy_out_ms"] or 0)
    sums = f"The loop: the kernel, and the copies of the row with {other.text['block_threads']} threads, {number(copies)} ms."

    def draw() -> Any:
        figure, axes = drawing.canvas(3.8, columns=2)
        colour = drawing.look_of(variant_of(rows))[0]
        for panel, title, least in zip(axes[0], ("all", f"from {FLAT} threads on"), (0, FLAT)):
            shown = [row for row in rows if (row.integer("block_threads") or 0) >= least]
            panel.plot(
                [row.integer("block_threads") for row in shown], [row.ms + copies for row in shown], ".", color=colour
            )
            for threads in sorted(TIMED):
                panel.axvline(threads, color="0.6", linewidth=0.8, linestyle="--", zorder=0)
            panel.set_title(title, loc="left", fontsize=10)
            panel.set(xlabel="threads of the block", xticks=[least or 4, 256, 512, *TIMED])
            panel.tick_params(axis="x", labelsize=9)
        axes[0, 0].set_yscale("log")
        drawing.plain(axes[0, 0].yaxis)
        axes[0, 0].yaxis.set_major_locator(drawing.ticker.LogLocator(subs=(1, 2, 5)))
        axes[0, 0].set_ylabel("loop (ms)")
        return drawing.finish(
            figure,
            "Heat map v3: the loop by threads",
            describe(rows, f"{sums} Dashed: {TIMED[0]} and {TIMED[1]} threads.", bars=False),
        )

    ours = {row.integer("block_threads"): row.ms for row in rows}
    loops = {
        version.threads: [
            value.value
            for value in published.where(report="videostream2021", variant=version.published, metric="loop_time")
        ]
        for version in (HEAT_MAPS["Figure 8"], HEAT_MAPS["Figure 6"])
    }
    beside = Table(
        "videostream2021_figure_7",
        "Heat map v3 (ms) at the published numbers of threads; 716: the report has 718.",
        ["threads", "loop, published", "loop, ours", "kernel, ours", *(f"kernel, original, {words}" for words in run)],
        [
            [
                str(threads),
                number(loops[threads][0] if loops[threads] else None),
                number(ours[threads] + copies if threads in ours else None),
                number(ours.get(threads)),
                *(number(found.get(threads)) for found in run.values()),
            ]
            for threads in TIMED
        ],
    )
    best = min(rows, key=lambda row: row.ms)
    words = (
        (
            "Published: from about 280 threads on, a heat map takes {loop_time_oscillation_low:g} to {loop_time_oscillation_high:g} ms; "
            "{best_threads_stated_first:.0f} threads are named as best, {best_threads_used:.0f} are used then. "
        ).format(**values)
        if values
        else ""
    )
    return Section(
        "",
        [
            Figure(
                "videostream2021_figure_7",
                "The loop of heat map v3 by the number of threads; right, without the smallest numbers: where it is level, and "
                f"which numbers stand out. {PICTURE}",
                draw,
            ),
            beside,
            f"{sums} {words}Ours: {best.block_threads} threads are fastest of the {len(rows)} numbers of threads measured: the "
            f"kernel takes {number(best.ms)} ms, the loop {number(best.ms + copies)} ms.",
        ],
        rows=rows,
        published=len(values) + sum(map(len, loops.values())),
        originals=sum(map(len, run.values())),
    )
