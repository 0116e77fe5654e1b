# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""videostream2021, 1080p: Figures 3, 5, 6, 8 (heat map), 12, 13, 17, 18 (noise map)."""

import math
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ..figures import drawing
from ..figures.content import DASH, NO_BAR, Bars, Figure, Section, Table, number, times
from ..figures.panels import without_rows
from ..figures.series import describe
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results
from . import videostream2021_code, videostream2021_plots, videostream2021_threads
from .videostream2021_versions import BYTES_16, BYTES_32, HEAT_MAPS, NOISE_MAPS, Version, rows_of, turning_rows


def _value(published: Published, version: Version, *metrics: str) -> Optional[float]:
    found = [
        value.value
        for value in published.where(report="videostream2021", variant=version.published)
        if value.metric in metrics
    ]
    return found[0] if found else None


TURNING = (
    "Ours on a covered camera, as the report's, and while the camera turns (`panning`), when about a quarter of the pixels "
    "change; in the frames of the original program's times it is at most a quarter."
)


def _of_row(row: Optional[Row]) -> List[str]:
    """Kernel, copy in, copy out, with copies."""
    if row is None:
        return ["not measured", DASH, DASH, DASH]
    return [
        number(row.ms),
        *(number(row.number.get(name)) for name in ("copy_in_ms", "copy_out_ms")),
        number(row.total_ms),
    ]


def _lines(
    published: Published, versions: Dict[str, Version], ours: Dict[str, Optional[Row]], turning: Dict[str, Row]
) -> Tuple[List[List[str]], List[Row], int, int]:
    """Lines of a table: kernel, copies in, copies out, loop; rows, published and original numbers."""
    lines, shown, theirs, run = [], [], 0, 0
    for name, version in versions.items():
        values = [
            _value(published, version, "gpu_kernel_avg", "gpu_kernel_red_avg", "kernel_avg"),
            _value(published, version, "gpu_memcpy_HtoD_avg"),
            _value(published, version, "gpu_memcpy_DtoH_avg"),
            _value(published, version, "loop_time"),
        ]
        theirs += sum(value is not None for value in values)
        lines.append(
            [name, version.variant, str(version.in_caption or version.threads), "published", *map(number, values)]
        )
        for words, ms in version.originals(published).items():
            run += 1
            threads = str(version.threads) if version.in_caption else ""
            lines.append(["", "", threads, f"original, {words}", number(ms), DASH, DASH, DASH])
        row = ours[name]
        if row is not None:
            shown.append(row)
        lines.append(["", "", "", "ours", *_of_row(row)])
        if name in turning:
            shown.append(turning[name])
            lines.append(["", "", "", "ours, the camera turns", *_of_row(turning[name])])
    return lines, shown, theirs, run


def _against(
    published: Published, versions: Dict[str, Version], ours: Dict[str, Optional[Row]], turning: Dict[str, Row]
) -> List[str]:
    """One sentence: our kernel against the fastest form of the program's, on frames like the program's."""
    found = []
    for name, version in versions.items():
        row, forms = turning.get(name, ours[name]), version.originals(published)
        if row is not None and forms:
            fastest = min(forms, key=lambda words: forms[words])
            found.append(f"`{version.variant}` {times(row.ms / forms[fastest])} ({fastest})")
    where = " while the camera turns" if turning else ""
    return [f"Our kernel's time{where} over that of the program's fastest form: {', '.join(found)}."] if found else []


def one_map(name: str, versions: Dict[str, Version]) -> Callable[[Results, Published], Section]:
    """A version of a map: time of the kernel, of the copies and of the loop."""

    def make(results: Results, published: Published) -> Section:
        one, ours = {name: versions[name]}, rows_of(results, versions)
        turning = turning_rows(results, one)
        lines, rows, theirs, run = _lines(published, one, ours, turning)
        table = Table(
            f"videostream2021_{name.lower().replace(' ', '_')}",
            f"{name}: {versions[name].published.replace('_', ' ')}, 1080p (ms). Published: a profiler's averages, and the "
            "whole loop." + (" " + describe(rows, bars=False) if rows else ""),
            ["figure", "version", "threads", "", "kernel", "copy in", "copy out", "loop, or with copies"],
            lines,
            left=4,
        )
        return Section(
            "",
            [TURNING] * bool(turning) + [table, *_against(published, one, ours, turning)],
            rows=rows,
            published=theirs,
            originals=run,
        )

    return make


def _ours(label: str, rows: Sequence[Optional[Row]]) -> Bars:
    """Kernel times with 5th to 95th percentile."""
    return Bars(
        label,
        [row.ms if row else math.nan for row in rows],
        [row.bars if row else NO_BAR for row in rows],
        [row is not None and row.is_noisy for row in rows],
    )


def figure_18(results: Results, published: Published) -> Section:
    """Figure 18: the three noise maps side by side."""
    ours = rows_of(results, NOISE_MAPS)
    turning = turning_rows(results, NOISE_MAPS)
    lines, rows, theirs, run = _lines(published, NOISE_MAPS, ours, turning)
    labels = [version.variant for version in NOISE_MAPS.values()]

    def draw() -> Any:
        figure, axes = drawing.canvas(3.4)
        bars = [
            Bars(
                "kernel, published",
                [_value(published, version, "gpu_kernel_red_avg") or math.nan for version in NOISE_MAPS.values()],
            ),
            *(
                Bars(
                    f"original on H200, {form}",
                    [version.originals(published).get(form, math.nan) for version in NOISE_MAPS.values()],
                )
                for form in (BYTES_16, BYTES_32)
            ),
            _ours("kernel, ours", list(ours.values())),
        ]
        if turning:
            bars.append(_ours("ours, the camera turns", [turning.get(name) for name in NOISE_MAPS]))
        drawing.draw_bars(axes[0, 0], labels, bars)
        for drawn in axes[0, 0].containers:
            if hasattr(drawn, "patches"):
                axes[0, 0].bar_label(drawn, list(map(number, drawn.datavalues)), fontsize=7, padding=3, rotation=90)
        axes[0, 0].set_ylim(top=1.12 * axes[0, 0].get_ylim()[1])
        axes[0, 0].set_ylabel("time of the kernel (ms)")
        return drawing.finish(
            figure,
            "Noise maps at 1080p, one block of 1024 threads",
            describe(rows) if rows else "Ours: not measured.",
            legend=axes[0, 0],
        )

    table = Table(
        "videostream2021_figure_18",
        "The three noise maps at 1080p (ms).",
        ["figure", "version", "threads", "", "kernel", "copy in", "copy out", "loop, or with copies"],
        lines,
        left=4,
    )
    return Section(
        "",
        [
            Figure(
                "videostream2021_figure_18",
                "The three noise maps, kernel times: published, the report's program on our GPU, ours, and ours on a picture that "
                "changes: compare the steps from v1 to v3.",
                draw,
            ),
            table,
            *_against(published, NOISE_MAPS, ours, turning),
        ],
        partly=without_rows({NOISE_MAPS[name].variant: [row] for name, row in ours.items()}),
        rows=rows,
        published=theirs,
        originals=run,
    )


ARTEFACTS: Dict[str, Callable[[Results, Published], Section]] = {
    **{name: one_map(name, HEAT_MAPS) for name in HEAT_MAPS},
    "Figure 7": videostream2021_threads.figure_7,
    **{name: one_map(name, NOISE_MAPS) for name in NOISE_MAPS},
    "Figure 18": figure_18,
    **videostream2021_plots.ARTEFACTS,
    **videostream2021_code.ARTEFACTS,
}
