# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Lab 06: the gain of overlapping copies by size and by streams, and the time by bands."""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ..figures.content import NO_BAR, Line, Point, Section, Table, number, percent, times
from ..figures.labels import RATIOS
from ..figures.series import describe, described, main_job
from ..figures.shapes import Panel, by_size, cell, pivot, plot
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results, distinct, sizes

LAB = "06_async_streams"
FASTER = ("streams", "frames", "graph")  # whose gain over the synchronous variants is drawn


def rows_with_copies(results: Results, test: Callable[[Row], bool]) -> List[Row]:
    """Timed rows of lab 06, copies included, of one job."""
    return main_job(results.where(lambda row: row.timed and row.with_copies and test(row), lab=LAB, backend="cuda"))


def _of_one_kernel(rows: Sequence[Row], column: str) -> List[Row]:
    """The rows with one value of the setting `kernel`, rows of before that setting being one group: those with most values of the
    column, then with the most complete protocol. So no figure compares two kernels."""
    groups = [[row for row in rows if row.kernel == kernel] for kernel in [*distinct(rows, "kernel"), ""]]
    return max(
        (group for group in groups if group),
        default=[],
        key=lambda group: (len(distinct(group, column)), max(row.completeness for row in group)),
    )


def _has_own_settings(row: Row) -> bool:
    """Whether the row has the lab's own settings: 3 streams, as many bands, 3 frames in flight."""
    return all(row.text[name] in ("", "3") for name in ("streams", "bands", "in_flight"))


def _gains(rows: Sequence[Row], variant: str, base: str) -> List[Point]:
    """Points (pixels, time of base / time of variant)."""
    found = {(row.variant, row.pixels): row for row in rows}
    return [
        (pixels, found[base, pixels].ms / row.ms, NO_BAR, row.is_noisy)
        for (name, pixels), row in found.items()
        if name == variant and (base, pixels) in found
    ]


def pays_from(rows: Sequence[Row], variant: str = "streams", base: str = "pinned") -> str:
    """One sentence: from which size on the variant is faster than the base."""
    gains = [(dict(sizes(rows))[int(pixels)], gain) for pixels, gain, *_ in sorted(_gains(rows, variant, base))]
    if not gains:
        return ""
    slower = [place for place, (_, gain) in enumerate(gains) if gain <= 1]
    first = slower[-1] + 1 if slower else 0
    if first == len(gains):
        return f"`{variant}` is not faster than `{base}` at {gains[-1][0]}, the largest size measured."
    (least, from_there), (most, at_last) = gains[first], gains[-1]
    where = f"from {least} on" if first else "at every size measured"
    return f"`{variant}` is faster than `{base}` {where}: {times(from_there)} at {least}, {times(at_last)} at {most}."


def gain_by_size(results: Results, _: Published) -> Section:
    """The gain of streams, frames and a graph over pageable and pinned memory, by size."""
    title = "Overlapping copies: gain by size"
    drawn = {row.configuration for row in _of_one_kernel(rows_with_copies(results, _has_own_settings), "size")}
    rows = results.of_one_run(lambda row: row.configuration in drawn)
    if not any(_gains(rows, variant, "pinned") for variant in FASTER):
        return Section(title, missing="lab 06 on a GPU: run `make sweep`")
    panels = [
        Panel(
            [Line(variant, _gains(rows, variant, base), variant=f"{LAB} {variant}") for variant in FASTER],
            y="speed-up, with copies" * (base == "pageable"),
            title=f"over {base}",
            sizes=sizes(rows),
            slanted=True,
            log_y=False,
            bottom=0,
            level=1,
        )
        for base in ("pageable", "pinned")
    ]
    caption = f"{title}; left beside copies of pageable memory, right of pinned memory."
    about = describe(rows, RATIOS, bars=False)
    figure = plot("async_gain_by_size", caption, title, about, panels, legend=1, sharey=True)
    return Section(title, [_times_by_size(rows), figure, pays_from(rows)])


def _times_by_size(rows: Sequence[Row]) -> Table:
    """The time of a frame by variant and size, and at the largest the share of the bus."""
    pixels, size = sizes(rows)[-1]
    last = {row.variant: row for row in rows if row.pixels == pixels}
    caption = f"Time of a frame with its copies. Of the bus: at {size}. {described(rows)}"
    table = by_size(
        "async_by_size", caption, rows, lambda row: row.variant, ["variant"], lines=distinct(rows, "variant")
    )
    shares = [percent(last[line[0]].of_ceiling if line[0] in last else None) for line in table.rows]
    named = [line[0] + " on 1 GPU" * (line[0] == "multi_gpu") for line in table.rows]
    table.header = [*table.header, "of the bus"]
    table.rows = [[name, *line[1:], share] for name, line, share in zip(named, table.rows, shares)]
    return table


def _at(rows: Sequence[Row], size: Tuple[int, str], variant: str) -> List[Row]:
    return [row for row in rows if (row.pixels, row.size_name) == size and row.variant == variant]


def gain_by_streams(results: Results, _: Published) -> Section:
    """The gain of 1 to 8 streams over pinned, one image; at the two largest sizes."""
    title = "Overlapping copies: gain by number of streams"
    rows = rows_with_copies(
        results,
        lambda row: row.variant == "pinned" or (row.variant in ("streams", "graph") and row.streams == row.bands),
    )
    rows = _of_one_kernel(rows, "streams")
    measured = [size for size in sizes(rows) if len(_at(rows, size, "streams")) > 1 and _at(rows, size, "pinned")][-2:]
    if not measured:
        return Section(title, missing="lab 06 on a GPU, 1 to 8 streams: run `make sweep`")
    panels, best = [], []
    for size in measured:
        pinned = _at(rows, size, "pinned")[-1]
        lines = [_by_streams(_at(rows, size, variant), pinned) for variant in ("streams", "graph")]
        ticks = {x: f"{x:g}" for x in sorted({x for line in lines for x, *_ in line.points})}
        words = "speed-up over pinned" * (size == measured[0])
        panels.append(Panel(lines, "streams, one band per stream", words, size[1], ticks=ticks, log_y=False, bottom=0))
        found = min(_at(rows, size, "streams"), key=lambda row: row.ms)
        share = percent(found.ms / pinned.ms)
        best.append(f"at {size[1]} with {found.streams} streams: {number(found.ms)} ms, {share} of `pinned`")
    caption = f"{title}: from how many on the lines are level."
    about = describe(rows, RATIOS, bars=False)
    figure = plot("async_gain_by_streams", caption, title, about, panels, sharey=True)
    words = f"With one band per stream, `streams` is fastest {'; '.join(best)}."
    return Section(title, [figure, words, *_by_bands(results)])


def _by_streams(rows: Sequence[Row], pinned: Row) -> Line:
    points = [(row.integer("streams") or 0, pinned.ms / row.ms, NO_BAR, row.is_noisy) for row in rows]
    label = rows[0].variant if rows else ""
    return Line(label, points, variant=f"{LAB} {label}")


def _by_bands(results: Results) -> List[Table]:
    """The time with 3 streams by the number of bands, at the sizes with several."""
    rows = _of_one_kernel(
        rows_with_copies(results, lambda row: row.variant in ("streams", "graph") and row.streams == "3"), "bands"
    )
    groups: Dict[Any, List[Row]] = {}
    for row in rows:
        groups.setdefault((row.variant, row.size_name), []).append(row)
    shown = [row for same in groups.values() if len(distinct(same, "bands")) > 1 for row in same]

    def bands(row: Row) -> Optional[int]:
        return row.integer("bands")

    named = list(dict.fromkeys((row.variant, row.size_name) for row in sorted(shown, key=lambda row: row.pixels)))
    order = sorted(named, key=lambda at: distinct(rows, "variant").index(at[0]))
    counts, lines = pivot(shown, lambda row: (row.variant, row.size_name), bands, cell, lines=order)
    caption = f"Time (ms) with 3 streams by the number of bands. {described(shown)}" if shown else ""
    head = ["variant", "size", *(f"{count} bands" for count in counts)]
    return [Table("async_by_bands", caption, head, lines, left=2)] if lines else []
