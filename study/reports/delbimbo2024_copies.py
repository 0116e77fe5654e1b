# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""delbimbo2024 Figure 11: the time of a frame with its copies, and why the one on its slides is impossible."""

from typing import Any, Sequence

from ..figures import drawing
from ..figures.content import NO_BAR, Figure, Line, Section, joined, number
from ..figures.panels import not_measured
from ..figures.series import describe, point
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results, distinct, sizes
from . import overlap

SHOWN = ("pageable", "pinned", "streams")
# GB/s of PCI Express 4.0 x16, the bus of an RTX 3060, in one direction: 16 GT/s, 128 bits in 130.
PCI_EXPRESS_4 = 16 * 16 / 8 * 128 / 130


def impossible(results: Results, published: Published, rows: Sequence[Row]) -> str:
    """Why delbimbo2024's time is impossible: the bandwidth that it needs, and that of the bus."""
    sentences = []
    for value in published.where(report="delbimbo2024", metric="mean_execution_time", size_name="8k"):
        megabytes = 2 * 3 * 7680 * 4320 / 1e6
        rate = megabytes / value.value
        sentences.append(
            f"Its {value.value:g} ms for 8K (its slides, page 23; the clock of its program includes the copies) "
            f"are impossible: {megabytes:.0f} MB "
            "are copied in and out (3 bytes per pixel). In that time this needs "
            f"{rate:.0f} GB/s, {rate / (2 * PCI_EXPRESS_4):.1f} times the bandwidth of PCI Express "
            f"4.0 x16, the bus of its {value.hardware}, in both directions together "
            f"({2 * PCI_EXPRESS_4:.0f} GB/s)."
        )
        speed = max((row.ceiling or 0 for row in rows if row.size_name == "8k"), default=0)
        if speed:
            sentences.append(
                f"The bus measured here has {speed:.0f} GB/s at most and needs {number(megabytes / speed)} ms."
            )
    return " ".join(sentences)


def figure_11(results: Results, published: Published) -> Section:
    """delbimbo2024 Figure 11: pageable, pinned and 3 streams by size, ms with the copies."""
    rows = overlap.rows_with_copies(
        results, lambda row: overlap.has_own_settings(row) and row.ksize == "3" and row.variant in SHOWN
    )
    if not rows:
        return not_measured("lab 06 on a GPU, K 3")
    theirs = [
        (7680.0 * 4320, value.value, NO_BAR, False)
        for value in published.where(report="delbimbo2024", metric="mean_execution_time")
    ]

    def draw() -> Any:
        lines = [
            Line(
                variant,
                [point(row.pixels, row) for row in rows if row.variant == variant],
                variant=f"{overlap.LAB} {variant}",
            )
            for variant in distinct(rows, "variant")
        ]
        lines.append(Line("streams, published", theirs, dashed=True))
        figure, axes = drawing.canvas(4.0)
        drawing.draw_lines(axes[0, 0], lines)
        drawing.size_axis(axes[0, 0], sizes(rows))
        axes[0, 0].set_ylabel("time with copies (ms)")
        return drawing.finish(figure, "Copies and convolution by size", describe(rows), legend=axes[0, 0])

    return Section(
        "",
        [
            Figure(
                "delbimbo2024_figure_11",
                "Time of a frame with its copies, by size: what pinned memory gains, and what streams. The star, the time "
                "of streams at 8K on its slides, is impossible.",
                draw,
            ),
            impossible(results, published, rows),
        ],
        partly=joined(variant for variant in SHOWN if variant not in distinct(rows, "variant")),
        rows=rows,
        published=len(theirs),
    )
