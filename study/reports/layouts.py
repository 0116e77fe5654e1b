# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Two layouts of an image side by side: nested or flat (ariano2023, Figure 12), interleaved or planar
(delbimbo2024, Figure 10)."""

from typing import Any, List, Optional, Sequence, Tuple

from ..figures import drawing
from ..figures.content import DASH, NO_BAR, Figure, Line, Point, Section, Table, joined, number, spread, times
from ..figures.panels import PICTURE, at_size, not_measured
from ..figures.series import describe, main_job, ours, point
from ..measurements.originals import Original
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results, distinct, sizes


def _compared(results: Results, lab: str, pair: Tuple[str, str], ksize: Optional[str]) -> List[Row]:
    """Timed rows of two variants of a lab, one job, without sweeps; none unless both were timed."""
    rows = main_job(
        [
            row
            for row in results.bench
            if row.lab == lab and row.variant in pair and row.timed and ksize in (None, row.ksize)
        ]
    )
    return rows if len(distinct(rows, "variant")) == len(pair) else []


def _pair_items(
    name: str, title: str, rows: List[Row], pair: Tuple[str, str], note: str, originals: Sequence[Original] = ()
) -> List[Any]:
    """Lines and a table in ms of two variants, with the ratio of their times, and beside them the
    times of the report's program."""
    columns = sizes(rows)
    program = {(one.ours.variant, one.size_name): one.ms for one in originals}
    found = {
        variant: [next((row for row in at_size(rows, size) if row.variant == variant), None) for size in columns]
        for variant in pair
    }

    first, second = pair

    def line(variant: str, points: List[Point]) -> Line:
        return Line(variant, points, variant=f"{rows[0].lab} {variant}")

    def program_line(variant: str, over: Optional[str]) -> Line:
        """Times of the report's program, or times over those of another of its forms."""
        found = [
            (pixels, program[variant, size] / (program[over, size] if over else 1), NO_BAR, False)
            for pixels, size in columns
            if {(variant, size), (over or variant, size)} <= set(program)
        ]
        return Line(f"{variant}, original program", found, beside=variant)

    def draw() -> Any:
        times = [line(variant, [point(row.pixels, row) for row in same if row]) for variant, same in found.items()]
        both = [(base, row) for base, row in zip(found[first], found[second]) if base and row]
        ratio = line(
            second, [(row.pixels, row.ms / base.ms, NO_BAR, row.is_noisy or base.is_noisy) for base, row in both]
        )
        ratio_of_program = program_line(second, first)
        figure, (panels,) = drawing.canvas(3.8, columns=2)
        drawing.draw_lines(panels[0], [*times, *(program_line(variant, None) for variant in pair)])
        drawing.draw_lines(panels[1], [ratio, ratio_of_program], log_y=False)
        panels[1].axhline(1, color=drawing.look_of(f"{rows[0].lab} {first}")[0], linestyle="--")
        ratios = [y for one in (ratio, ratio_of_program) for _, y, *_ in one.points]
        panels[1].set_ylim(min(1, *ratios) - 0.05, max(1, *ratios) + 0.05)
        for panel in panels:
            drawing.size_axis(panel, columns)
            panel.tick_params(axis="x", labelsize=8, rotation=45)
        panels[0].set_ylabel("time (ms)")
        panels[1].set_ylabel(f"{second} over {first}, time")
        return drawing.finish(figure, title, describe(rows, note), legend=panels[0])

    lines = []
    for index, (_, size) in enumerate(columns):
        one, other = (found[variant][index] for variant in pair)
        ratio = one.ms / other.ms if one and other else None
        lines.append(
            [
                size,
                *(spread(row) if row else DASH for row in (one, other)),
                times(ratio),
                *(number(program.get((variant, size))) for variant in pair if program),
            ]
        )
    return [
        Figure(name, f"{title}; right, as a ratio: below the dashed line `{second}` is faster.", draw),
        Table(
            name,
            " ".join(filter(None, (f"{title}.", note, ours(rows)))),
            [
                "size",
                *(f"{variant} ms" for variant in pair),
                "ratio",
                *(f"{variant}, original ms" for variant in pair if program),
            ],
            lines,
        ),
    ]


def nested_flat(results: Results, published: Published) -> Section:
    """ariano2023 Figure 12: nested against flat by size, 5x5, ms."""
    pair = ("nested", "flat")
    rows = _compared(results, "01_sequential", pair, "5")
    if not rows:
        return not_measured("lab 01, nested and flat", "bench")
    return Section(
        "",
        _pair_items("ariano2023_figure_12", "Nested vectors against one flat array, one thread", rows, pair, PICTURE),
        rows=rows,
    )


def aos_soa(results: Results, published: Published) -> Section:
    """delbimbo2024 Figure 10: interleaved (AoS) against planar (SoA) by size, CPU and GPU, ms."""
    pair = ("aos", "soa")
    claims = published.where(report="delbimbo2024", variant="SoA_vs_AoS")
    note = " ".join(f"Published: SoA {value.value:g}x as fast, the times only as a picture." for value in claims)
    items: List[Any] = []
    absent: List[str] = []
    shown: List[Row] = []
    count = 0
    for lab, words in (
        ("01_sequential", "one CPU thread"),
        ("03_cuda_global", "GPU, global memory"),
        ("04_cuda_constant", "GPU, constant memory"),
    ):
        rows = _compared(results, lab, pair, None)
        if rows:
            shown += rows
            run = [
                one
                for variant in pair
                for one in published.programs("delbimbo2024", lab, variant)
                if (str(one.ksize), one.side) == (rows[0].ksize, 16)
            ]
            count += len(run)
            items += _pair_items(
                f"delbimbo2024_figure_10_{lab}",
                f"AoS against SoA, {words}",
                rows,
                pair,
                f"{note} Its border is reflect101." if run else note,
                run,
            )
        else:
            absent.append(words)
    if not items:
        return not_measured("labs 01, 03 and 04, aos and soa", "bench")
    return Section("", items, partly=joined(absent), rows=shown, published=len(claims), originals=count)
