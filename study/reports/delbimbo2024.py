# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""delbimbo2024: Tables 1 and 2 and Figures 1, 8 to 11; the speed-ups are over `aos` of lab 01."""

from dataclasses import replace
from typing import Callable, Dict, List

from ..figures.content import Figure, Section, Table
from ..figures.panels import not_measured, without_rows
from ..figures.speed_ups import speed_ups, times_of_programs
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results
from . import delbimbo2024_copies, layouts

KERNELS = (
    ("global", "03_cuda_global", "aos", "cuda_global"),
    ("constant", "04_cuda_constant", "aos", "cuda_constant"),
    ("shared", "05_cuda_shared", "two_batch", "cuda_shared"),
)


def _kernels(results: Results, test: Callable[[Row], bool]) -> Dict[str, List[Row]]:
    """Timed rows of the three kernels by name: Gaussian, 256 threads per block, any K. The shared one is
    `n_batch` where `two_batch` refuses the filter."""
    found = {}
    for name, lab, variant, _ in KERNELS:
        rows = [
            results.where(
                lambda row: row.timed and row.side in (None, 16) and test(row),
                lab=lab,
                variant=one,
                backend="cuda",
                type="uint8",
                filter="gaussian",
                border="replicate",
            )
            for one in (variant, "n_batch")
        ]
        there = {row.ksize for row in rows[0]}
        found[name] = rows[0] + [row for row in rows[1] if row.ksize not in there]
    return found


HEIGHTS = {"480p": 480, "720p": 720, "1080p": 1080, "4k": 2160, "8k": 4320}
SOURCE = "Published: over a slow program."


def _by_size(results: Results, published: Published) -> Section:
    """Speed-up by size, 3x3: figure and table."""
    measured = _kernels(results, lambda row: row.ksize == "3")
    if not any(measured.values()):
        return not_measured("labs 03, 04, 05 on a GPU, K 3")
    names = {kernel[3]: kernel[0] for kernel in KERNELS}
    theirs = {
        (names[value.variant], HEIGHTS[value.size_name]): value.value
        for value in published.where(report="delbimbo2024", table="Table 1")
    }
    run = times_of_programs(
        published,
        "delbimbo2024",
        KERNELS,
        lambda o: o.side == 16 and o.ksize == 3 and o.program.endswith("AoS"),
        lambda o: o.height,
    )
    return Section(
        "",
        speed_ups(
            results,
            "delbimbo2024_by_size",
            "3x3 Gaussian: speed-up by size",
            "height (pixels)",
            "height",
            measured,
            lambda row: row.integer("height"),
            "aos",
            theirs,
            run,
            SOURCE,
            logarithmic=True,
        ),
        partly=without_rows(measured),
        rows=sum(measured.values(), []),
        published=len(theirs),
        originals=len(run),
    )


def _by_side(results: Results, published: Published) -> Section:
    """Speed-up by K, 1080p: figure and table."""
    measured = _kernels(results, lambda row: row.height == "1080")
    if not any(measured.values()):
        return not_measured("labs 03, 04, 05 on a GPU, K 3 to 9 at 1080p")
    names = {kernel[3]: kernel[0] for kernel in KERNELS}
    theirs = {
        (names[value.variant], value.ksize or 0): value.value
        for value in published.where(report="delbimbo2024", table="Table 2")
    }
    return Section(
        "",
        speed_ups(
            results,
            "delbimbo2024_by_side",
            "Gaussian at 1080p: speed-up by K",
            "K (side of the filter)",
            "K",
            measured,
            lambda row: row.integer("ksize"),
            "aos",
            theirs,
            {},
            SOURCE + " Shared with K 9: `n_batch`.",
        ),
        partly=without_rows(measured),
        rows=sum(measured.values(), []),
        published=len(theirs),
    )


def part(make: Callable[[Results, Published], Section], kind: type) -> Callable[[Results, Published], Section]:
    """The tables of a section, or its figures: the report prints them under two names."""

    def only(results: Results, published: Published) -> Section:
        whole = make(results, published)
        items = [item for item in whole.items if isinstance(item, (kind, str))]
        if not whole.missing and not any(isinstance(item, kind) for item in items):
            return not_measured("lab 01, aos, for this job")
        return replace(whole, items=items)

    return only


def figure_1(results: Results, published: Published) -> Section:
    """Figure 1: the scene before and after each filter. A picture, not a measurement."""
    return Section(
        "",
        [
            "Drawn by `make report` from the output of lab 01's `simd`, compared with "
            "the reference.\n\n![The scene before and after each "
            "filter](figures/gallery.png)"
        ],
    )


ARTEFACTS = {
    "Figure 1": figure_1,
    "Table 1": part(_by_size, Table),
    "Figure 8": part(_by_size, Figure),
    "Table 2": part(_by_side, Table),
    "Figure 9": part(_by_side, Figure),
    "Figure 10": layouts.aos_soa,
    "Figure 11": delbimbo2024_copies.figure_11,
}
