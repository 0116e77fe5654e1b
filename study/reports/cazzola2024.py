# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""cazzola2024: Figures 5 and 6, GB/s and TFLOP/s by matrix size and K.

Random float32 matrices of 3 channels, 2^16 to 2^28 elements per channel.
"""

import math
from functools import partial
from typing import Any, List, Sequence

from ..figures import drawing
from ..figures.content import DASH, NO_BAR, NOISY, Figure, Line, Point, Section, Table, number
from ..figures.panels import PICTURE, not_measured, values_of, without_rows
from ..figures.series import describe, ours, variant_of
from ..measurements.originals import Original
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results

# (algorithm, lab, variant); the last is ours alone: Alg. 2 with neighbouring threads on neighbouring elements.
ALGORITHMS = (
    ("Alg. 1", "01_sequential", "bounds"),
    ("Alg. 2", "03_cuda_global", "naive"),
    ("Alg. 3", "05_cuda_shared", "filter_in_shared"),
    ("Alg. 4", "05_cuda_shared", "filter_in_constant"),
    ("Alg. 5", "05_cuda_shared", "inner_tile"),
    ("New", "03_cuda_global", "coalesced"),
)
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
RATES = (("bytes", 1.0, "GB/s"), ("operations", 1e-3, "TFLOP/s"))


def _rows(results: Results, lab: str, variant: str) -> List[Row]:
    """Timed rows of square random float32 matrices, T = 16, any K."""
    return results.where(
        lambda row: row.timed and row.image.startswith("random") and row.width == row.height and row.side in (None, 16),
        lab=lab,
        variant=variant,
        type="float32",
    )


def _originals(published: Published, rows: Sequence[Row]) -> List[Original]:
    """The times of the report's own program for the kernel of the rows: square matrices, T = 16."""
    return (
        [
            one
            for one in published.programs("cazzola2024", rows[0].lab, rows[0].variant)
            if one.side == 16 and one.width == one.height
        ]
        if rows
        else []
    )


def _line(label: str, rows: Sequence[Row], column: str, scale: float, variant: str = "") -> Line:
    """A rate by elements per channel, 5th to 95th percentile."""
    points: List[Point] = []
    for row in rows:
        rate = row.rate(column) * scale
        if rate > 0:
            low, high = row.bars
            points.append(
                (row.pixels, rate, (rate * high / (row.ms + high), rate * low / (row.ms - low)), row.is_noisy)
            )
    return Line(label, points, variant=variant)


def _line_of(
    program: Sequence[Original], label: str, beside: str, rows: Sequence[Row], column: str, scale: float
) -> Line:
    """The program's rate where we have a row of the same matrix, in the colour of our line."""
    ours = {(row.pixels, row.integer("ksize")): row for row in rows}
    found = [(one, ours.get((one.width * one.height, one.ksize))) for one in program]
    return Line(
        f"{label}, original program",
        [(row.pixels, row.rate(column) * scale * row.ms / one.ms, NO_BAR, False) for one, row in found if row],
        beside=beside,
    )


def _of_side(rows: Sequence[Row], side: int) -> List[Row]:
    return [row for row in rows if row.integer("ksize") == side]


def _power(pixels: int) -> str:
    """ "2^20", as the report names its sizes; a number that is no power of two as it is."""
    return f"2^{pixels.bit_length() - 1}" if pixels.bit_count() == 1 else str(pixels)


def _element_axis(axes: Any, rows: Sequence[Row]) -> None:
    """A logarithmic x axis of elements per channel, in powers of two as in the report."""
    sizes = sorted({row.pixels for row in rows})[::2]
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes)
    axes.set_xticklabels(
        [base + power.translate(RAISED) for base, _, power in (_power(size).partition("^") for size in sizes)]
    )
    axes.set_xlabel("elements per channel")


def _rates(row: Row, ms: float, ksize: int) -> str:
    """ "GB/s, TFLOP/s" of the row's matrix filtered with this side in `ms`: the bytes stay, the
    operations grow with its square."""
    more = {"operations": (ksize / (row.integer("ksize") or ksize)) ** 2}
    return ", ".join(number(row.rate(column) * more.get(column, 1) * scale * row.ms / ms) for column, scale, _ in RATES)


def _table(name: str, caption: str, rows: Sequence[Row], published: Published) -> Table:
    """Rates by matrix size (rows) and K (columns), ours and the report's own program's."""
    sides = values_of(rows, "ksize")
    cells = {(row.pixels, row.integer("ksize") or 0): row for row in rows}
    originals = {(one.width * one.height, one.ksize): one for one in _originals(published, rows)}
    lines = []
    for pixels in sorted({row.pixels for row in rows}):
        found = [cells.get((pixels, side)) for side in sides]
        lines.append(
            [_power(pixels), "ours"]
            + [_rates(row, row.ms, side) + NOISY * row.is_noisy if row else DASH for row, side in zip(found, sides)]
        )
        matrix = next(row for row in found if row)
        run = [originals.get((pixels, side)) for side in sides]
        if any(run):
            lines.append(
                ["", "original"]
                + [_rates(matrix, original.ms, side) if original else DASH for original, side in zip(run, sides)]
            )
    return Table(
        name, f"{caption} {ours(rows)}", ["elements", ""] + [f"K {side}" for side in sides], lines, left=2, fold=True
    )


def figure_5(results: Results, published: Published) -> Section:
    """cazzola2024 Figure 5: filter_in_constant, GB/s and TFLOP/s by size, a line for each K."""
    rows = _rows(results, "05_cuda_shared", "filter_in_constant")
    if not rows:
        return not_measured("lab 05, filter_in_constant on float32 matrices on a GPU")
    best = published.where(report="cazzola2024", variant="best_configuration")
    words = (
        "Published: best "
        + ", ".join(f"{v.value:g} {v.unit}" for v in best)
        + ("; the rest only as a picture." if best else ".")
    )
    program = _originals(published, rows)

    def draw() -> Any:
        figure, axes = drawing.canvas(3.9, columns=2)
        for panel, (column, scale, unit) in zip(axes[0], RATES):
            sides = values_of(rows, "ksize")
            lines = [_line(f"K {side}", _of_side(rows, side), column, scale) for side in sides]
            lines += [
                _line_of(program, f"K {side}", f"K {side}", _of_side(rows, side), column, scale) for side in sides
            ]
            lines += [
                Line(
                    "published best",
                    [(x, value.value, NO_BAR, False) for x in (rows[0].pixels, rows[-1].pixels)],
                    dashed=True,
                )
                for value in best
                if value.unit == unit and len({r.pixels for r in rows}) > 1
            ]
            drawing.draw_lines(panel, lines)
            _element_axis(panel, rows)
            panel.set_ylabel(unit)
        return drawing.finish(
            figure, "filter_in_constant: rates by matrix size and K", describe(rows, words), legend=axes[0, 0]
        )

    rows.sort(key=lambda row: row.pixels)
    return Section(
        "",
        [
            Figure(
                "cazzola2024_figure_5",
                "filter_in_constant, rates by matrix size: where the curves become flat, and how a larger K lowers the "
                "bandwidth and raises the operations.",
                draw,
            ),
            _table("cazzola2024_figure_5", f"filter_in_constant: GB/s, TFLOP/s. {words}", rows, published),
        ],
        rows=rows,
        published=len(best),
        originals=len(program),
    )


def figure_6(results: Results, published: Published) -> Section:
    """cazzola2024 Figure 6 a to h: Alg. 1 to 5 and ours, GB/s and TFLOP/s by size, a panel for each K."""
    measured = {f"{name} {variant}": _rows(results, lab, variant) for name, lab, variant in ALGORITHMS}
    rows = sum(measured.values(), [])
    if not any(row.backend == "cuda" for row in rows):
        return not_measured("labs 03 and 05 on float32 matrices on a GPU")
    sides = values_of(rows, "ksize")
    programs = {label: _originals(published, same) for label, same in measured.items()}

    kernels = {label: same for label, same in measured.items() if same and same[0].backend == "cuda"}

    def draw(column: str, scale: float, unit: str) -> Any:
        columns = 2
        figure, axes = drawing.canvas(
            1.2 + 2.9 * math.ceil(len(sides) / columns), columns=columns, rows=math.ceil(len(sides) / columns)
        )
        for panel, side in zip(axes.flat, sides):
            drawing.draw_lines(
                panel,
                [_line(label, _of_side(same, side), column, scale, variant_of(same)) for label, same in kernels.items()]
                + [
                    _line_of(programs[label], label.rpartition(" ")[0], label, _of_side(same, side), column, scale)
                    for label, same in kernels.items()
                ],
            )
            _element_axis(panel, rows)
            panel.set_ylabel(unit)
            panel.set_title(f"K {side}", loc="left", fontsize=10)
        for panel in axes.flat[len(sides) :]:
            panel.set_axis_off()
        return drawing.finish(
            figure,
            f"Algorithms 2 to 5, and coalesced: {unit} by matrix size",
            describe(sum(kernels.values(), []), PICTURE),
            legend=axes[0, 0],
        )

    section = Section(
        "",
        partly=without_rows(measured),
        rows=rows,
        originals=sum(map(len, programs.values())),
        items=[
            Figure(
                f"cazzola2024_figure_6_{column}",
                f"{unit} of algorithms 2 to 5 and of `coalesced`, by matrix size and K: which lines are apart. "
                "Algorithm 1, on one CPU thread, is in its table.",
                partial(draw, column, scale, unit),
            )
            for column, scale, unit in RATES
        ],
    )
    for index, (label, same) in enumerate(measured.items(), 1):
        if same:
            last = max(row.pixels for row in same)
            missing = f" Not measured beyond {_power(last)} elements." * (last < max(row.pixels for row in rows))
            section.items.append(
                _table(f"cazzola2024_figure_6_{index}", f"{label}: GB/s, TFLOP/s.{missing}", same, published)
            )
    return section


ARTEFACTS = {"Figure 5": figure_5, "Figure 6 a to h": figure_6}
