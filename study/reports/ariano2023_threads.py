# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""ariano2023, threads on the nested image, 5x5: Figures 4, 5, 8 and 9."""

import statistics
from typing import Any, Callable, Dict, List, Optional, Sequence

from ..figures import drawing
from ..figures.content import DASH, NO_BAR, NOISY, Figure, Line, Section, Table, joined, times
from ..figures.labels import RATIOS
from ..figures.panels import (
    PICTURE,
    at_size,
    bars_of,
    line_panels,
    lines_by,
    not_measured,
    swept,
    table_by_size,
    values_of,
)
from ..figures.series import describe, main_job, ours, pick, runs
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results, fastest, sizes

SIDE = 16  # of the blocks in Figures 6, 8 and 9


def pthread_rows(results: Results, variant: str, side: Optional[int] = None) -> List[Row]:
    """Timed rows of one way to split the image, 5x5, one job."""
    return main_job(
        results.where(
            lambda row: row.timed and row.threads != "" and (side is None or row.side == side),
            lab="02_pthread",
            variant=variant,
            ksize="5",
        )
    )


def another_time(rows: Sequence[Row]) -> str:
    """The rows with another number of iterations than most of their size, as a sentence with a space before it: of the
    protocol, where the sweep has none. On a shared host a CPU may be slower a few minutes later."""
    found: Dict[str, List[str]] = {}
    for size in sizes(rows):
        same = at_size(rows, size)
        most = statistics.mode(row.iterations for row in same)
        for row in same:
            if row.iterations != most:
                name = f"{row.threads} threads" + (f", side {row.side}," if row.side else "")
                found.setdefault(f"{name} with {row.iterations} iterations", []).append(size[1])
    return "".join(
        f" Measured at another time than the rest: {name} ({joined(names)})." for name, names in found.items()
    )


def by_threads(variant: str, name: str) -> Callable[[Results, Published], Section]:
    """Figure 4 or 5: time by threads and size, for one way to split the image."""

    def make(results: Results, published: Published) -> Section:
        rows = swept(pthread_rows(results, variant), "threads")
        if not rows:
            return not_measured(f"lab 02, {variant} by threads")

        def draw() -> Any:
            return line_panels(
                f"{variant}: time by threads",
                describe(rows, another_time(rows).strip()),
                [("", lines_by(rows, "threads"))],
                "threads",
                "time (ms)",
            )

        return Section(
            "",
            [
                Figure(
                    name, f"{variant}, time by number of threads: a line for each size, dark is large. {PICTURE}", draw
                ),
                table_by_size(
                    name,
                    f"`{variant}`: median (5th to 95th percentile) by threads.{another_time(rows)} {runs(rows)}",
                    rows,
                    "threads",
                    "threads",
                ),
            ],
            rows=rows,
        )

    return make


def one_thread(results: Results) -> Dict[str, Row]:
    """What Figures 8 and 9 compare blocks with, by size: `rows` with one thread, which runs nested's loops and belongs to
    the same sweep; lab 01's nested may be of another day."""
    return {row.size_name: row for row in pthread_rows(results, "rows") if row.threads == "1"}


def figure_8(results: Results, published: Published) -> Section:
    """Figure 8: one thread, and blocks of 16x16 with the best number of threads."""
    one = one_thread(results)
    blocks = [row for row in pthread_rows(results, "blocks", SIDE) if row.size_name in one]
    if not blocks:
        return not_measured("lab 02, rows with one thread and blocks of 16x16 by threads")
    columns = sizes(blocks)
    found = {"rows": [one[size] for _, size in columns], "blocks": [fastest(at_size(blocks, size)) for size in columns]}
    shown = [row for same in found.values() for row in same if row]

    def draw() -> Any:
        figure, axes = drawing.canvas(3.8)
        drawing.draw_bars(
            axes[0, 0], [size for _, size in columns], [bars_of(name, same) for name, same in found.items()]
        )
        axes[0, 0].set(ylabel="time per pixel (ns)", xlabel="image size")
        return drawing.finish(
            figure,
            "One thread of rows, and blocks of 16x16 with the best threads",
            describe(shown, f"`rows` runs the loops of nested. {PICTURE}"),
            legend=axes[0, 0],
        )

    return Section(
        "",
        [
            Figure(
                "ariano2023_figure_8",
                "`rows` with one thread, which runs the loops of nested, and blocks of 16x16: what threads gain at each size.",
                draw,
            )
        ],
        rows=shown,
    )


def figure_9(results: Results, published: Published) -> Section:
    """Figure 9: blocks of 16x16, speed-up over one thread by threads and size."""
    one = one_thread(results)
    rows = [row for row in swept(pthread_rows(results, "blocks", SIDE), "threads") if row.size_name in one]
    if not rows:
        return not_measured("lab 02, rows with one thread and blocks of 16x16 by threads")
    claimed = published.where(report="ariano2023", variant="pthread_blocks", metric="speedup_vs_sequential_paddedImage")
    words = joined(f"Published: {value.value:g}x (4:3)" for value in claimed)
    bases = [one[size] for _, size in sizes(rows)]

    def speed_up(row: Row) -> float:
        return one[row.size_name].ms / row.ms

    def draw() -> Any:
        counts = values_of(rows, "threads")
        lines = [
            Line(
                size[1],
                [(row.integer("threads") or 0, speed_up(row), NO_BAR, row.is_noisy) for row in at_size(rows, size)],
            )
            for size in sizes(rows)
        ]
        lines.append(Line("as many as threads", [(at, at, NO_BAR, False) for at in counts], True))
        lines += [
            Line(f"published, {value.size_name}", [(value.threads or 0, value.value, NO_BAR, False)], True)
            for value in claimed
        ]
        return line_panels(
            "Blocks of 16x16: speed-up over one thread",
            describe(
                rows,
                f"{RATIOS} One thread: `rows`, which runs the loops of nested. {words}; "
                f"the rest of the figure is a picture.{another_time(rows)}",
                bars=False,
                bases=bases,
            ),
            [("", lines)],
            "threads",
            "speed-up (x)",
            log_y=False,
        )

    columns = sizes(rows)
    lines = []
    for count in values_of(rows, "threads"):
        found = [pick(at_size(rows, size), threads=count) for size in columns]
        lines.append([str(count)] + [times(speed_up(row)) + NOISY * row.is_noisy if row else DASH for row in found])
    return Section(
        "",
        [
            Figure(
                "ariano2023_figure_9",
                "Blocks of 16x16, speed-up over one thread of `rows`: how far each size stays below one per thread.",
                draw,
            ),
            Table(
                "ariano2023_figure_9",
                f"Blocks of 16x16: speed-up. {words}.{another_time(rows)} " + ours(rows, bases),
                ["threads", *(size for _, size in columns)],
                lines,
            ),
        ],
        rows=rows,
        published=len(claimed),
    )


ARTEFACTS = {
    "Figure 4": by_threads("rows", "ariano2023_figure_4"),
    "Figure 5": by_threads("grid", "ariano2023_figure_5"),
    "Figure 8": figure_8,
    "Figure 9": figure_9,
}
