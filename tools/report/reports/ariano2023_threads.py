# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""ariano2023, threads on the nested image, 5x5: Figures 4, 5, 8 and 9."""
from typing import Any, Callable, List, Optional

from ..figures import drawing
from ..figures.content import DASH, NO_BAR, NOISY, Figure, Line, Section, Table, joined, times
from ..figures.labels import RATIOS
from ..figures.panels import (PICTURE, at_size, bars_of, line_panels, lines_by, not_measured, swept,
                     table_by_size, values_of)
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import BASELINES, Results, fastest, sizes
from ..figures.series import describe, main_job, ours, pick

SIDE = 16  # of the blocks in Figures 6, 8 and 9


def pthread_rows(results: Results, variant: str, side: Optional[int] = None) -> List[Row]:
    """Timed rows of one way to split the image, 5x5, one job."""
    return main_job(results.where(
        lambda row: row.timed and row.threads != "" and (side is None or row.side == side),
        lab="02_pthread", variant=variant, ksize="5"))


def by_threads(variant: str, name: str) -> Callable[[Results, Published], Section]:
    """Figure 4 or 5: time by threads and size, for one way to split the image."""
    def make(results: Results, published: Published) -> Section:
        rows = swept(pthread_rows(results, variant), "threads")
        if not rows:
            return not_measured(f"lab 02, {variant} by threads")

        def draw() -> Any:
            return line_panels(f"{variant}: time by threads", describe(rows), [
                ("", lines_by(rows, "threads"))], "threads", "time (ms)")

        return Section("", [
            Figure(name, f"{variant}: time by number of threads and size. {PICTURE}", draw),
            table_by_size(name, f"`{variant}`: median (5th to 95th percentile) by threads.", rows,
                          "threads", "threads")], rows=rows)

    return make


def figure_8(results: Results, published: Published) -> Section:
    """Figure 8: nested with one thread, and blocks of 16x16 with the best number of threads."""
    blocks = pthread_rows(results, "blocks", SIDE)
    columns = sizes(blocks)
    found = {"nested": [next((row for row in (results.baseline(one, "nested") for one in
                                              at_size(blocks, size)) if row), None)
                        for size in columns],
             "blocks": [fastest(at_size(blocks, size)) for size in columns]}
    if not blocks or not any(found["nested"]):
        return not_measured("lab 01, nested, and lab 02, blocks of 16x16", "bench")
    shown = [row for same in found.values() for row in same if row]

    def draw() -> Any:
        figure, axes = drawing.canvas(3.8)
        drawing.draw_bars(axes[0, 0], [size for _, size in columns],
                          [bars_of(name, same) for name, same in found.items()])
        axes[0, 0].set(ylabel="time per pixel (ns)", xlabel="image size")
        return drawing.finish(figure, "One thread, and blocks of 16x16 with the best threads",
                              describe(shown, PICTURE, noisy_mark=NOISY), legend=axes[0, 0])

    return Section("", [Figure("ariano2023_figure_8", "nested and blocks of 16x16.", draw)],
                   rows=shown)


def figure_9(results: Results, published: Published) -> Section:
    """Figure 9: blocks of 16x16, speed-up over nested by threads and size."""
    rows = [row for row in swept(pthread_rows(results, "blocks", SIDE), "threads")
            if results.speed_up(row)]
    if not rows:
        return not_measured("lab 01, nested, and lab 02, blocks of 16x16 by threads")
    claimed = published.where(report="ariano2023", variant="pthread_blocks",
                              metric="speedup_vs_sequential_paddedImage")
    words = joined(f"Published in words: {value.value:g}x over nested at \"{value.resolution}\" with "
                   f"{value.threads} threads on an {value.hardware}" for value in claimed)
    above = sum((results.speed_up(row) or 0) > (row.integer("threads") or 0)
                and row.session != results.baselines([row], BASELINES[0])[0].session for row in rows)
    beyond = f" Points above the dashed line: {above}; their `nested` is of another session." if above else ""

    def draw() -> Any:
        counts = values_of(rows, "threads")
        lines = [Line(size[1], [(row.integer("threads") or 0, results.speed_up(row) or 0, NO_BAR,
                                 row.is_noisy) for row in at_size(rows, size)])
                 for size in sizes(rows)]
        lines.append(Line("as many as threads", [(at, at, NO_BAR, False) for at in counts], True))
        lines += [Line(f"published, {value.size_name}", [
            (value.threads or 0, value.value, NO_BAR, False)], True) for value in claimed]
        return line_panels("Blocks of 16x16: speed-up over the one-thread nested",
                           describe(rows, f"{RATIOS} {words}; the rest of the figure is a picture.{beyond}",
                                    bars=False, bases=results.baselines(rows, BASELINES[0])),
                           [("", lines)], "threads", "speed-up (x)", log_y=False)

    columns = sizes(rows)
    lines = []
    for count in values_of(rows, "threads"):
        found = [pick(at_size(rows, size), threads=count) for size in columns]
        for base in BASELINES:
            lines.append([str(count), base] + [times(results.speed_up(row, base)) + NOISY * row.is_noisy if row else DASH
                                               for row in found])
    return Section("", [
        Figure("ariano2023_figure_9", "Blocks of 16x16: speed-up over `nested`.", draw),
        Table("ariano2023_figure_9", f"Blocks of 16x16: speed-up over one thread. {words}. "
              + ours(rows, results.baselines(rows, *BASELINES)),
              ["threads", "over", *(size for _, size in columns)], lines, left=2)],
        rows=rows, published=len(claimed))


ARTEFACTS = {
    "Figure 4": by_threads("rows", "ariano2023_figure_4"),
    "Figure 5": by_threads("grid", "ariano2023_figure_5"),
    "Figure 8": figure_8, "Figure 9": figure_9}
