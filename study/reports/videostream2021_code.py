# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""videostream2021: Figures 14 and 15 (machine code of the noise maps), Figure 27 (noise filter)."""

from typing import Any, Callable, Dict, List

from ..figures.content import DASH, Figure, Section, Table, number
from ..figures.heat_maps import heat_maps
from ..figures.panels import PICTURE, described, not_measured
from ..measurements.published import Published
from ..measurements.selection import Results

NOISE, FILTER, SIZE = "09_noise_map", "10_noise_filter", "1080p"
MEAN = "box"  # the filter of the conclusions on Figure 27, too


def machine_code(name: str) -> Callable[[Results, Published], Section]:
    """Figures 14 and 15: stores in the machine code of noise map v1 and v2."""
    variant = "v1" if name == "Figure 14" else "v2"

    def make(results: Results, published: Published) -> Section:
        found = results.machine_code.get((NOISE, variant))
        if found is None:
            return not_measured(f"the machine code of noise map {variant}", f"sass LAB={NOISE} VARIANT={variant}")
        return Section(
            "",
            [
                Table(
                    f"videostream2021_{name.lower().replace(' ', '_')}",
                    f"Instructions in the machine code of "
                    f"noise map {variant}, {found['compiler']}, {found['arch']}. Published: a listing of code "
                    "that was not optimised.",
                    ["variant", "instructions", "loads", "stores"],
                    [[variant, found["instructions"], found["loads_global"], found["stores_global"]]],
                )
            ],
        )

    return make


def figure_27(results: Results, published: Published) -> Section:
    """Figure 27: the noise filter by the side T of the tile and the side K of the filter."""
    every = results.where(
        lambda row: row.size == SIZE and bool(row.block) and row.backend == "cuda", lab=FILTER, variant="tile"
    )
    filters = [row.filter for row in every if row.timed]
    chosen = MEAN if MEAN in filters else max(sorted(set(filters)), key=filters.count, default="")
    rows = [row for row in every if row.timed and row.filter == chosen]
    refused = [
        (row.side or 0, row.integer("ksize") or 0)
        for row in every
        if row.filter == chosen and row.status == "unsupported"
    ]
    ours = {(row.side or 0, row.integer("ksize") or 0): row for row in rows}
    run = published.tiles("filter_uint8")
    sides = sorted({side for side, _ in [*ours, *run, *refused]})
    ksizes = sorted({ksize for _, ksize in [*ours, *run, *refused]})

    def draw() -> Any:
        panels = [("ours", {at: row.ms for at, row in ours.items()}), ("its program, H200", run)]
        return heat_maps(
            "Noise filter: kernel time (ms)",
            described(rows, PICTURE) if rows else f"Ours: not measured. {PICTURE}",
            [panel for panel in panels if panel[1]],
            sides,
            ksizes,
            ("K (side of the filter)", "T (side of the tile)"),
            [(row.side or 0, row.integer("ksize") or 0) for row in rows if row.is_noisy],
            refused,
            unit="ms",
        )

    lines: List[List[str]] = []
    for side in sides:
        lines.append(
            [str(side), "ours"]
            + [
                number(ours[side, k].ms) if (side, k) in ours else "refused" if (side, k) in refused else DASH
                for k in ksizes
            ]
        )
        lines.append(["", "original"] + [number(run.get((side, k))) for k in ksizes])
    return Section(
        "",
        [
            Figure(
                "videostream2021_figure_27",
                "Noise filter, by tile and filter: in each column the lightest cell is the best tile.",
                draw,
            ),
            Table(
                "videostream2021_figure_27",
                "Noise filter at 1080p (ms): side T of the tile, side K "
                f"of the filter{', ours: ' + chosen if chosen else ''}. {PICTURE}",
                ["T", "", *(f"K {k}" for k in ksizes)],
                lines,
                left=2,
            ),
        ],
        rows=rows,
        originals=len(run),
    )


ARTEFACTS: Dict[str, Callable[[Results, Published], Section]] = {
    "Figure 14": machine_code("Figure 14"),
    "Figure 15": machine_code("Figure 15"),
    "Figure 27": figure_27,
}
