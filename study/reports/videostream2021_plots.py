# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""videostream2021, 1080p: Figures 4 and 7b, and the three plots of times that have no number. Each has a few points,
so it is a table here."""

from typing import Callable, Dict, List, Optional, Tuple

from ..figures.content import Section, Table, joined, number
from ..figures.panels import not_measured
from ..figures.series import ours
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results
from .videostream2021_versions import HEAT, HEAT_MAPS, NOISE, NOISE_MAPS, SIZE, Version, copied, loop_ms

HEAT_CPU = Version("heatmap_cpu", (), HEAT, "cpu", 0)
NOISE_CPU = Version("noise_visualizer_cpu", (), NOISE, "cpu", 0)
LOOP, KERNEL = "loop, or with copies", "kernel"
METRICS = {LOOP: ("loop_time",), KERNEL: ("gpu_kernel_avg", "gpu_kernel_red_avg")}


def _row(results: Results, version: Version) -> Optional[Row]:
    """The row of a moving scene, with which the programs of the CPU were timed, too."""
    found = results.where(
        lambda row: row.timed
        and row.size == SIZE
        and row.image == "moving"
        and (row.integer("block_threads") or 0) == version.threads,
        lab=version.lab,
        variant=version.variant,
    )
    return found[0] if found else None


def plot(name: str, title: str, what: str, versions: Tuple[Version, ...]) -> Callable[[Results, Published], Section]:
    """A plot of the loop's time or of the kernel's, by version."""

    def make(results: Results, published: Published) -> Section:
        lines: List[List[str]] = []
        rows, values, run = [], 0, 0
        for version in versions:
            row = _row(results, version)
            rows += [row] if row else []
            found = [
                value.value
                for value in published.where(report="videostream2021", variant=version.published)
                if value.metric in METRICS[what]
            ][:1]
            values += len(found)
            times = version.originals(published) if what == KERNEL else {}
            run += len(times)
            ms = None if row is None else row.ms if what == KERNEL else loop_ms(results, row)
            lines.append(
                [
                    version.variant,
                    str(version.threads or ""),
                    number(found[0] if found else None),
                    number(ms),
                    *[", ".join(f"{number(time)} ({words})" for words, time in times.items())] * (what == KERNEL),
                ]
            )
        if not rows:
            return not_measured(f"lab {versions[-1].lab[:2]}, a moving scene", "bench")
        summed = [f"{row.block_threads}" for row in rows if what == LOOP and row.backend == "cuda" and not row.total_ms]
        caption = [
            f"{title}, 1080p, a moving scene (ms).",
            ours(rows),
            *[f"With {joined(summed)} threads: its kernel, copies of 1024."] * bool(summed),
        ]
        table = Table(
            f"videostream2021_{name}",
            " ".join(caption),
            ["version", "threads", f"{what}, published", f"{what}, ours", *["kernel, original"] * (what == KERNEL)],
            lines,
            left=2,
        )
        return Section("", [table], rows=rows, published=values, originals=run)

    return make


def figure_7b(results: Results, published: Published) -> Section:
    """Figure 7b: the copies by the number of threads, of which they do not depend."""
    here = copied(results, HEAT, "v3")
    if here is None:
        return not_measured("lab 08, v3 with its copies", "bench")
    lines, values = [], 0
    for name in ("Figure 6", "Figure 8"):
        version = HEAT_MAPS[name]
        there = [
            value.value
            for metric in ("gpu_memcpy_HtoD_avg", "gpu_memcpy_DtoH_avg")
            for value in published.where(report="videostream2021", variant=version.published, metric=metric)
        ]
        values += len(there)
        lines.append([str(version.in_caption or version.threads), "published", *map(number, there)])
    lines.append(
        [here.text["block_threads"], "ours", *(number(here.number[column]) for column in ("copy_in_ms", "copy_out_ms"))]
    )
    return Section(
        "",
        [
            Table(
                "videostream2021_figure_7b",
                f"Heat map v3, 1080p: the copies (ms). {ours([here])}",
                ["threads", "", "copy in", "copy out"],
                lines,
                left=2,
            )
        ],
        partly="the copies with other numbers of threads",
        rows=[here],
        published=values,
    )


HEAT_VERSIONS = tuple(HEAT_MAPS.values())
ARTEFACTS: Dict[str, Callable[[Results, Published], Section]] = {
    "Figure 4": plot("figure_4", "The loop of the heat map on CPU and GPU", LOOP, (HEAT_CPU, HEAT_VERSIONS[0])),
    "Figure 7b": figure_7b,
    "1.3.1 left": plot("1_3_1_left", "The loop of the heat map", LOOP, HEAT_VERSIONS),
    "1.3.1 right": plot("1_3_1_right", "The kernel of the heat map", KERNEL, HEAT_VERSIONS),
    "2.0.2": plot("2_0_2", "The loop of the noise map on CPU and GPU", LOOP, (NOISE_CPU, NOISE_MAPS["Figure 12"])),
}
