# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""ariano2023, blocks of pixels per thread: Tables 2 to 6, Figures 6 and 7."""

import math
from typing import Any, Callable, Dict, List, Optional, Tuple

from ..figures import drawing
from ..figures.content import DASH, NO_BAR, NOISY, Bars, Figure, Line, Section, Table, number, spread
from ..figures.heat_maps import Cells, heat_maps
from ..figures.panels import at_size, bars_of, described, line_panels, not_measured, swept, without_rows
from ..figures.series import describe, point, untimed
from ..measurements.published import ARIANO_4_TO_3, ARIANO_SIZES, Published, Value, ariano_size
from ..measurements.rows import Row
from ..measurements.selection import Results, fastest, of_how_many, sizes
from .ariano2023_threads import SIDE, another_time, pthread_rows

SPLITS = ("rows", "grid", "blocks")  # section 3.4
TABLES = {"480p": 2, "720p": 3, "1080p": 4, "1440p": 5, "4k": 6}


def _published_blocks(published: Published, size: str) -> List[Value]:
    """The values in ms of Tables 2 to 6 for the size that we call `size`."""
    return [
        value
        for value in published.where(report="ariano2023", variant="pthread_blocks", metric="mean_execution_time")
        if value.size_name == size
    ]


def blocks_table(size_name: str) -> Callable[[Results, Published], Section]:
    """Tables 2 to 6: blocks at one size, side 4 to 256 by threads."""

    def make(results: Results, published: Published) -> Section:
        rows = [row for row in pthread_rows(results, "blocks") if row.side and row.size_name == size_name]
        if len(rows) < 2:
            return not_measured(f"lab 02, blocks at {size_name} by side and threads")
        refused = [
            row
            for row in results.where(lab="02_pthread", variant="blocks", ksize="5", image=rows[0].image)
            if row.size_name == size_name and not row.timed
        ]
        theirs = _published_blocks(published, size_name)
        return Section(
            "",
            [
                *([ARIANO_SIZES] if size_name == "480p" else []),
                *_blocks_at(size_name, rows, theirs, refused),
                *untimed(refused, limit=3),
            ],
            rows=rows,
            published=len(theirs),
        )

    return make


def _blocks_at(size: str, rows: List[Row], theirs: List[Value], refused: List[Row]) -> List[Any]:
    """Heat map (ns per pixel) and table (ms) of one size: block side x threads."""

    def place(row: Row) -> Tuple[int, int]:
        return row.side or 0, row.integer("threads") or 0

    ours = {place(row): row for row in rows}
    there = {(value.side or 0, value.threads or 0): value for value in theirs}
    sides = sorted({side for side, _ in [*ours, *there]})
    threads = sorted({count for _, count in [*ours, *there]})
    name = f"ariano2023_table_{TABLES[size]}"
    source = f"published, {ariano_size(size)}, {theirs[0].hardware}" if theirs else ""
    caption = f"{size}, blocks: time by side of the block and number of threads"

    def draw() -> Any:
        panels: List[Tuple[str, Cells]] = [
            (f"ours, {rows[0].width}x{rows[0].height}", {at: row.ns_per_pixel for at, row in ours.items()})
        ]
        if theirs:
            panels.append((source, {at: value.ns_per_pixel for at, value in there.items()}))
        return heat_maps(
            f"Blocks at {size}: time per pixel (ns)",
            described(rows, f"{ARIANO_4_TO_3 * bool(theirs)}{another_time(rows)}".strip()),
            panels,
            sides,
            threads,
            ("threads", "block side (pixels)"),
            [at for at, row in ours.items() if row.is_noisy],
            [place(row) for row in refused],
        )

    gone = {place(row) for row in refused}
    lines = []
    for side in sides:
        lines.append(
            [str(side), "ours"]
            + [
                number(ours[side, count].ms) + NOISY * ours[side, count].is_noisy
                if (side, count) in ours
                else "refused"
                if (side, count) in gone
                else DASH
                for count in threads
            ]
        )
        if theirs:
            values = [there.get((side, count)) for count in threads]
            lines.append(["", "published"] + [number(v.value) if v else DASH for v in values])
    return [
        Figure(
            name,
            f"{caption}, ours and published: how much the colour changes from left to right, how much from top to bottom.",
            draw,
        ),
        Table(
            name,
            f"{caption} (ms). {described(rows)}{another_time(rows)}",
            ["side", "", *map(str, threads)],
            lines,
            left=2,
            fold=True,
        ),
    ]


def figure_6(results: Results, published: Published) -> Section:
    """Figure 6: blocks of 16x16, time by threads and size."""
    rows = swept(pthread_rows(results, "blocks", SIDE), "threads")
    if not rows:
        return not_measured("lab 02, blocks of 16x16 by threads")
    theirs = [
        value
        for value in published.where(
            report="ariano2023", variant="pthread_blocks", side=SIDE, metric="mean_execution_time"
        )
        if value.size_name in {name for _, name in sizes(rows)}
    ]

    def draw() -> Any:
        ours = [
            Line(size[1], [point(row.integer("threads") or 0, row, per_pixel=True) for row in at_size(rows, size)])
            for size in sizes(rows)
        ]
        there = [
            Line(
                name,
                [
                    (value.threads or 0, value.ns_per_pixel, NO_BAR, False)
                    for value in theirs
                    if value.size_name == name
                ],
            )
            for _, name in sizes(rows)
        ]
        return line_panels(
            "Blocks of 16x16: time per pixel by threads",
            describe(rows, ARIANO_4_TO_3 + another_time(rows)),
            [("ours", ours), (f"published, {theirs[0].hardware}", there)],
            "threads",
            "time per pixel (ns)",
        )

    return Section(
        "",
        [
            Figure(
                "ariano2023_figure_6",
                "Blocks of 16x16, time per pixel by threads: how far it falls, and whether the size of the image matters.",
                draw,
            )
        ],
        rows=rows,
        published=len(theirs),
    )


def figure_7(results: Results, published: Published) -> Section:
    """Figure 7: the best of rows, grid and blocks by size; ns per pixel and ms."""
    measured = {variant: pthread_rows(results, variant) for variant in SPLITS}
    rows = sum(measured.values(), [])
    if not rows:
        return not_measured("lab 02, rows, grid and blocks")
    columns = sizes(rows)
    best: Dict[str, List[Optional[Row]]] = {
        variant: [fastest(at_size(same, size)) for size in columns] for variant, same in measured.items()
    }
    counts = {variant: [len(at_size(same, size)) for size in columns] for variant, same in measured.items()}
    theirs = [
        min(_published_blocks(published, size), key=lambda value: value.value, default=None) for _, size in columns
    ]

    def draw() -> Any:
        figure, axes = drawing.canvas(4.0)
        bars = [bars_of(variant, found) for variant, found in best.items()]
        bars.append(Bars("blocks, published", [value.ns_per_pixel if value else math.nan for value in theirs]))
        drawing.draw_bars(axes[0, 0], [size for _, size in columns], bars)
        axes[0, 0].set(ylabel="time per pixel (ns)", xlabel="image size")
        shown = [row for found in best.values() for row in found if row]
        return drawing.finish(
            figure,
            "The best split of the image at each size",
            describe(
                shown,
                f"{of_how_many(counts)} Of Tables 2 to 6, on an Intel i9-11900KF. {ARIANO_4_TO_3}",
            ),
            legend=axes[0, 0],
        )

    def written(row: Optional[Row], count: int) -> str:
        if row is None:
            return DASH
        side = f", side {row.side}" if row.variant == "blocks" else ""
        return f"{spread(row)}, {row.threads} threads{side}, of {count}"

    lines = [
        [size]
        + [written(best[variant][index], counts[variant][index]) for variant in SPLITS]
        + [f"{number(value.value)}, {value.threads} threads, side {value.side}" if value else DASH]
        for index, ((_, size), value) in enumerate(zip(columns, theirs))
    ]
    return Section(
        "",
        [
            Figure(
                "ariano2023_figure_7",
                "The best of each split by size: rows, grid and blocks beside each other, with their spread. Of the published "
                "ones only blocks have numbers.",
                draw,
            ),
            Table(
                "ariano2023_figure_7",
                "The best of each split (ms), of how many configurations, and the published best of blocks.",
                ["size", *SPLITS, "blocks, published"],
                lines,
            ),
        ],
        partly=without_rows(measured),
        rows=[row for found in best.values() for row in found if row],
        published=sum(value is not None for value in theirs),
    )


ARTEFACTS = {
    **{f"Table {number_}": blocks_table(size) for size, number_ in TABLES.items()},
    "Figure 6": figure_6,
    "Figure 7": figure_7,
}
