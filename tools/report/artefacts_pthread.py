# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Artefacts of lab 02 by number of threads: ariano2023 Figures 4, 5, 8 and 9."""
from typing import Any, List, Optional

from .content import NO_BAR, Figure, Line, Section, Table, joined, times
from .panels import (PICTURE, at_size, line_panels, lines_by, not_measured, swept,
                    table_by_size, values_of)
from .published import ARIANO_SIZES, Published
from .rows import Row
from .selection import BASELINES, Results, sizes
from .series import describe, main_job, pick, point

SIDE = 16  # of the blocks in Figures 8 and 9


def pthread_rows(results: Results, variant: str, side: Optional[int] = None) -> List[Row]:
    """Timed rows of one way to split the image, 5x5, one job."""
    return main_job(results.where(
        lambda row: row.timed and row.threads != "" and (side is None or row.side == side),
        lab="02_pthread", variant=variant, ksize="5"))


def figures_4_5(results: Results, published: Published) -> Section:
    """ariano2023 Figures 4 and 5: time in ms by threads and size, split in rows and in a grid."""
    title = "ariano2023 Figures 4 and 5: threads by rows and by grid"
    measured = {variant: pthread_rows(results, variant) for variant in ("rows", "grid")}
    measured = {variant: swept(rows, "threads") for variant, rows in measured.items()}
    measured = {variant: rows for variant, rows in measured.items() if rows}
    if not measured:
        return not_measured(title, "lab 02, rows and grid by threads")
    rows = sum(measured.values(), [])

    def draw() -> Any:
        panels = [(f"{variant} (Fig. {number})", lines_by(measured[variant], "threads"))
                  for variant, number in (("rows", 4), ("grid", 5)) if variant in measured]
        return line_panels("Time by number of threads", describe(rows), panels, "threads",
                           "time (ms)")

    section = Section(title, [Figure("ariano_fig4_5", "Time by number of threads and size. "
                                     + PICTURE, draw)])
    for variant, same in measured.items():
        section.items.append(table_by_size(
            f"ariano_fig_{variant}", f"`{variant}`: median (5th to 95th percentile) by threads.", same,
            "threads", "threads"))
    return section


def figures_8_9(results: Results, published: Published) -> Section:
    """ariano2023 Figures 8 and 9: blocks of 16x16, time (ms) and speed-up over `nested` (x)."""
    title = "ariano2023 Figures 8 and 9: blocks of 16x16 by threads"
    rows = swept(pthread_rows(results, "blocks", SIDE), "threads")
    if not rows:
        return not_measured(title, "lab 02, blocks of 16x16 by threads")
    theirs = published.where(report="ariano2023", variant="pthread_blocks", side=SIDE,
                             metric="mean_execution_time")
    claimed = published.where(report="ariano2023", variant="pthread_blocks",
                              metric="speedup_vs_sequential_paddedImage")

    def draw_time() -> Any:
        ours = [Line(size[1], [point(row.integer("threads") or 0, row, per_pixel=True)
                               for row in at_size(rows, size)]) for size in sizes(rows)]
        there = [Line(name, [(value.threads or 0, value.ns_per_pixel, NO_BAR, False)
                             for value in theirs if value.size_name == name])
                 for _, name in sizes(rows)]
        return line_panels("Blocks of 16x16: time per pixel by threads (Fig. 8)",
                           describe(rows, ARIANO_SIZES),
                           [("here", ours), (f"published, {theirs[0].hardware}", there)],
                           "threads", "time per pixel (ns)")

    def draw_speed() -> Any:
        counts = values_of(rows, "threads")
        lines = [Line(size[1], [(row.integer("threads") or 0, results.speed_up(row) or 0, NO_BAR,
                                 row.is_noisy)
                                for row in at_size(rows, size) if results.speed_up(row)])
                 for size in sizes(rows)]
        lines = [line for line in lines if line.points]
        lines.append(Line("as many as threads", [(at, at, NO_BAR, False) for at in counts], True))
        lines += [Line(f"published, {value.size_name}", [
            (value.threads or 0, value.value, NO_BAR, False)], True) for value in claimed]
        return line_panels(
            "Blocks of 16x16: speed-up over the one-thread nested (Fig. 9)",
            describe(rows, joined(
                f"Published in words: {value.value:g}x at \"{value.resolution}\" with "
                f"{value.threads} threads on an {value.hardware}" for value in claimed)
                + "; the rest of the figure is a picture.", bars=False),
            [("", lines)], "threads", "speed-up (x)", log_y=False)

    section = Section(title, [Figure("ariano_fig8", "Blocks of 16x16: time per pixel by threads.",
                                     draw_time)])
    if any(results.speed_up(row) for row in rows):
        section.items.append(Figure("ariano_fig9", "Blocks of 16x16: speed-up over `nested`.",
                                    draw_speed))
    columns = sizes(rows)
    lines = []
    for count in values_of(rows, "threads"):
        found = [pick(at_size(rows, size), threads=count) for size in columns]
        for base in BASELINES:
            gains = [results.speed_up(row, base) if row else None for row in found]
            lines.append([str(count), base] + [times(gain) for gain in gains])
    section.items.append(Table(
        "ariano_fig9", "Blocks of 16x16: speed-up over the one-thread programs. "
        + " ".join(f"Published: {value.value:g}x over nested at \"{value.resolution}\", "
                   f"{value.threads} threads, {value.hardware}." for value in claimed),
        ["threads", "over", *(size for _, size in columns)], lines, left=2))
    if not any(results.speed_up(row) for row in rows):
        section.items.append("There is no time of `nested` for this job: run `make bench`.")
    return section


ARTEFACTS = [figures_4_5, figures_8_9]
