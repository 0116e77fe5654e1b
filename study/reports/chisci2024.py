# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""chisci2024: Table 1 and Figures 7 to 10, speed-ups of gray kernels. The baseline is
`bounds` of lab 01 on int32."""

from typing import Callable, List, Optional, Sequence, Tuple

from ..figures.content import Section
from ..figures.panels import PICTURE, not_measured, without_rows
from ..figures.speed_ups import speed_ups, times_of_programs
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results

Kernel = Tuple[str, str, str]  # name in words, lab, variant
PLAIN, TILED = ("plain", "04_cuda_constant", "gray"), ("tiled", "05_cuda_shared", "two_batch_gray")
PLAIN_GLOBAL = ("plain, filter in global", "03_cuda_global", "gray")
TILED_GLOBAL = ("tiled, filter in global", "05_cuda_shared", "two_batch_global")
WIDTH = 8192  # of the image in chisci2024's Figures 7 to 10


def _gray(results: Results, kernel: Kernel, test: Callable[[Row], bool]) -> List[Row]:
    """Rows of one gray int32 kernel on square images, timed or refused."""
    return results.where(
        lambda row: (row.timed or row.status == "unsupported") and row.width == row.height and test(row),
        lab=kernel[1],
        variant=kernel[2],
        type="int32",
        channels="1",
        backend="cuda",
    )


def table_1(results: Results, published: Published) -> Section:
    """Table 1: speed-up by width 8 to 32768, plain and tiled; gray, box 5x5, B 16."""
    measured = {
        kernel[0]: _gray(results, kernel, lambda row: row.side == 16 and row.ksize == "5") for kernel in (PLAIN, TILED)
    }
    if not any(measured.values()):
        return not_measured("gray kernels of labs 04 and 05 on a GPU")
    names = {"GPU2DConvolution": "plain", "GPU2DConvolutionTiling": "tiled"}
    values = published.where(report="chisci2024", table="Table 1")
    run = times_of_programs(
        published,
        "chisci2024",
        (PLAIN, TILED),
        lambda o: o.width == o.height and o.side == 16 and o.ksize == 5,
        lambda o: o.width,
    )
    return Section(
        "",
        speed_ups(
            results,
            "chisci2024_table_1",
            "Gray images, 5x5, B 16: speed-up by width",
            "width (pixels)",
            "width",
            measured,
            lambda row: row.integer("width"),
            "bounds",
            {(names[v.variant], v.width or 0): v.value for v in values},
            run,
            "",
            logarithmic=True,
            beside=True,
        ),
        partly=without_rows(measured),
        rows=sum(measured.values(), []),
        published=len(values),
        originals=len(run),
    )


def figure(number_: int, words: str, kernels: Sequence[Kernel], side: int) -> Callable[[Results, Published], Section]:
    """Figures 7 to 10: speed-up by B (side 0) or by K with blocks of this side, 8192 wide."""

    def wanted(of_side: Optional[int], ksize: Optional[int], width: Optional[int]) -> bool:
        return width == WIDTH and (of_side == side if side else bool(of_side) and ksize == 5)

    def make(results: Results, published: Published) -> Section:
        measured = {
            kernel[0]: _gray(results, kernel, lambda row: wanted(row.side, row.integer("ksize"), row.integer("width")))
            for kernel in kernels
        }
        if not any(measured.values()):
            return not_measured("gray kernels of labs 03 to 05 on a GPU, 8192 wide")
        run = times_of_programs(
            published,
            "chisci2024",
            kernels,
            lambda o: wanted(o.side, o.ksize, o.width),
            lambda o: o.ksize if side else o.side,
        )
        return Section(
            "",
            speed_ups(
                results,
                f"chisci2024_figure_{number_}",
                f"Gray image {WIDTH} wide, {words}",
                "K (side of the filter)" if side else "B (threads per side)",
                "K" if side else "B",
                {name: rows for name, rows in measured.items() if rows},
                lambda row: row.integer("ksize") if side else row.side,
                "bounds",
                {},
                run,
                PICTURE,
            ),
            partly=without_rows(measured),
            rows=sum(measured.values(), []),
            originals=len(run),
        )

    return make


ARTEFACTS = {
    "Table 1": table_1,
    "Figure 7": figure(7, "by B, 5x5", (PLAIN, TILED), 0),
    "Figure 8": figure(8, "by K, B 16", (PLAIN, TILED), 16),
    "Figure 9": figure(9, "by K, B 32", (PLAIN, TILED), 32),
    "Figure 10": figure(10, "by K, place of the filter", (PLAIN, TILED, PLAIN_GLOBAL, TILED_GLOBAL), 32),
}
