# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""videostream2021, 1080p: Figures 3, 5, 6, 8 (heat map), 12, 13, 17, 18 (noise map), 7 (threads)."""
import math
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from . import videostream2021_code
from ..figures import drawing
from ..figures.content import DASH, NO_BAR, NOISY, Bars, Figure, Line, Section, Table, number
from ..figures.panels import line_panels, not_measured, without_rows
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results
from ..figures.series import describe, main_job, point, variant_of

HEAT, NOISE = "08_heat_map", "09_noise_map"
SIZE = "1080p"


@dataclass(frozen=True)
class Version:
    """One version of a map: its name in published.csv, the report's kernel, and ours."""
    published: str
    program: str
    lab: str
    variant: str
    threads: int = 1024
    in_caption: int = 0  # threads by the report's caption, where its text has another number


HEAT_MAPS = {
    "Figure 3": Version("heatmap_v1_naive", "heat_map_paper_v1", HEAT, "v1"),
    "Figure 5": Version("heatmap_v2_switching_frames", "heat_map_v2_sinf_intrinsic", HEAT, "v2"),
    "Figure 6": Version("heatmap_v3_int_access", "heat_map_paper_v3_int", HEAT, "v3"),
    "Figure 8": Version("heatmap_v3_int_access_718_threads", "heat_map_paper_v3_int", HEAT, "v3",
                        716, 718)}
NOISE_MAPS = {
    "Figure 12": Version("noise_visualizer_v1_red_black", "noise_map_v1_int4", NOISE, "v1"),
    "Figure 13": Version("noise_visualizer_v2_red_only", "noise_map_v2_int4", NOISE, "v2"),
    "Figure 17": Version("noise_visualizer_v3_overlay_previous", "noise_map_v3_int4_overlap", NOISE,
                         "v3")}


def _timed(results: Results, version: Version) -> List[Row]:
    """Timed rows of a map at 1080p."""
    return results.where(
        lambda row: row.timed and row.size == SIZE and row.backend == "cuda"
        and row.integer("block_threads") == version.threads, lab=version.lab, variant=version.variant)


def _rows(results: Results, versions: Dict[str, Version]) -> Dict[str, Optional[Row]]:
    """One row of each version. The report's camera was covered: `black`, where all versions were timed with it."""
    found = {name: _timed(results, version) for name, version in versions.items()}
    covered = {name: [row for row in rows if row.image == "black"] for name, rows in found.items()}
    chosen = covered if all(covered[name] or not rows for name, rows in found.items()) else {
        name: [row for row in rows if row.image == "moving"] for name, rows in found.items()}
    return {name: rows[0] if rows else None for name, rows in chosen.items()}


def _value(published: Published, version: Version, *metrics: str) -> Optional[float]:
    found = [value.value for value in published.where(report="videostream2021",
                                                      variant=version.published)
             if value.metric in metrics]
    return found[0] if found else None


def _turning(results: Results, versions: Dict[str, Version]) -> Dict[str, Row]:
    """The row of each version of the noise map while the camera turns: about as many pixels change then as in the
    frames of the original program's times (data/README.md)."""
    found = {name: [row for row in _timed(results, version) if row.image == "panning"]
             for name, version in versions.items()}
    return {name: rows[0] for name, rows in found.items() if rows}


TURNING = ("Ours on a covered camera, as the report's, and while the camera turns (`panning`): about as many pixels change then as "
           "in the frames of the original program's times.")


def _of_row(row: Optional[Row]) -> List[str]:
    """Kernel, copy in, copy out, with copies."""
    if row is None:
        return ["not measured", DASH, DASH, DASH]
    return [number(row.ms), *(number(row.number.get(name)) for name in ("copy_in_ms", "copy_out_ms")), number(row.total_ms)]


def _lines(published: Published, versions: Dict[str, Version], ours: Dict[str, Optional[Row]],
           turning: Dict[str, Row]) -> Tuple[List[List[str]], List[Row], int, int]:
    """Lines of a table: kernel, copies in, copies out, loop; rows, published and original numbers."""
    lines, shown, theirs, run = [], [], 0, 0
    for name, version in versions.items():
        values = [_value(published, version, "gpu_kernel_avg", "gpu_kernel_red_avg", "kernel_avg"),
                  _value(published, version, "gpu_memcpy_HtoD_avg"),
                  _value(published, version, "gpu_memcpy_DtoH_avg"),
                  _value(published, version, "loop_time")]
        theirs += sum(value is not None for value in values)
        lines.append([name, version.variant, str(version.in_caption or version.threads), "published",
                      *map(number, values)])
        timed = published.video(version.program, version.threads)
        if timed is not None:
            run += 1
            threads = str(version.threads) if version.in_caption else ""
            lines.append(["", "", threads, "original", number(timed), DASH, DASH, DASH])
        row = ours[name]
        if row is not None:
            shown.append(row)
        lines.append(["", "", "", "ours", *_of_row(row)])
        if name in turning:
            shown.append(turning[name])
            lines.append(["", "", "", "ours, the camera turns", *_of_row(turning[name])])
    return lines, shown, theirs, run


def one_map(name: str, versions: Dict[str, Version]) -> Callable[[Results, Published], Section]:
    """A version of a map: time of the kernel, of the copies and of the loop."""
    def make(results: Results, published: Published) -> Section:
        turning = _turning(results, {name: versions[name]})
        lines, rows, theirs, run = _lines(published, {name: versions[name]}, _rows(results, versions), turning)
        table = Table(f"videostream2021_{name.lower().replace(' ', '_')}",
                      f"{name}: {versions[name].published.replace('_', ' ')}, 1080p (ms). Published: "
                      "averages of a profiler, and the time of the whole loop; ours: median of the "
                      "kernel, and with the copies of a frame. " + f"{TURNING} " * bool(turning) + published.original
                      + (" " + describe(rows, bars=False) if rows else ""),
                      ["figure", "version", "threads", "", "kernel", "copy in", "copy out",
                       "loop, or with copies"], lines, left=4)
        return Section("", [table], rows=rows, published=theirs, originals=run)

    return make


def _ours(label: str, rows: Sequence[Optional[Row]]) -> Bars:
    """Kernel times with 5th to 95th percentile."""
    return Bars(label, [row.ms if row else math.nan for row in rows], [row.bars if row else NO_BAR for row in rows],
                [row is not None and row.is_noisy for row in rows])


def figure_18(results: Results, published: Published) -> Section:
    """Figure 18: the three noise maps side by side."""
    ours = _rows(results, NOISE_MAPS)
    turning = _turning(results, NOISE_MAPS)
    lines, rows, theirs, run = _lines(published, NOISE_MAPS, ours, turning)
    labels = [version.variant for version in NOISE_MAPS.values()]

    def draw() -> Any:
        figure, axes = drawing.canvas(3.4)
        bars = [
            Bars("kernel, published", [_value(published, version, "gpu_kernel_red_avg") or math.nan
                                   for version in NOISE_MAPS.values()]),
            Bars("kernel, original program on H200", [
                published.video(version.program, 1024) or math.nan
                for version in NOISE_MAPS.values()]),
            _ours("kernel, ours", list(ours.values()))]
        if turning:
            bars.append(_ours("ours, the camera turns", [turning.get(name) for name in NOISE_MAPS]))
        drawing.draw_bars(axes[0, 0], labels, bars)
        axes[0, 0].set_ylabel("time of the kernel (ms)")
        return drawing.finish(figure, "Noise maps at 1080p, one block of 1024 threads",
                              describe(rows, TURNING * bool(turning), noisy_mark=NOISY) if rows else "Ours: not measured.",
                              legend=axes[0, 0])

    return Section("", [Figure("videostream2021_figure_18", "The three noise maps.", draw),
                        Table("videostream2021_figure_18", f"The three noise maps at 1080p (ms). {TURNING if turning else ''}".strip(),
                              ["figure", "version", "threads", "", "kernel", "copy in", "copy out",
                               "loop, or with copies"], lines, left=4)],
                   partly=without_rows({NOISE_MAPS[name].variant: [row] for name, row in ours.items()}), rows=rows, published=theirs, originals=run)


def figure_7(results: Results, published: Published) -> Section:
    """Figure 7: heat map v3 by the number of threads of its one block."""
    every = results.where(lambda row: row.timed and row.size == SIZE and row.backend == "cuda",
                          lab=HEAT, variant="v3")
    rows = sorted(main_job(every), key=lambda row: row.integer("block_threads") or 0)
    run = [(threads, published.video("heat_map_paper_v3_int", threads)) for threads in (716, 1024)]
    values = published.where(report="videostream2021", variant="heatmap_v3_thread_sweep")
    if len(rows) < 3:
        return not_measured("lab 08, v3 by the threads of its block, on a GPU")

    def draw() -> Any:
        lines = [Line("v3, ours", [point(row.integer("block_threads") or 0, row) for row in rows],
                      variant=variant_of(rows)),
                 Line("original program", [(threads, ms, NO_BAR, False)
                                           for threads, ms in run if ms], dashed=True)]
        return line_panels("Heat map v3 by threads", describe(rows, "Published: a picture."),
                           [("", lines)], "threads of the block", "kernel (ms)")

    best = min(rows, key=lambda row: row.ms)
    return Section("", [
        Figure("videostream2021_figure_7", "Heat map v3 by the number of threads.", draw),
        f"{best.block_threads} threads are fastest of the {len(rows)} numbers of threads measured: "
        f"{number(best.ms)} ms."], rows=rows, published=len(values),
        originals=sum(ms is not None for _, ms in run))


ARTEFACTS: Dict[str, Callable[[Results, Published], Section]] = {
    **{name: one_map(name, HEAT_MAPS) for name in HEAT_MAPS}, "Figure 7": figure_7,
    **{name: one_map(name, NOISE_MAPS) for name in NOISE_MAPS}, "Figure 18": figure_18,
    **videostream2021_code.ARTEFACTS}
