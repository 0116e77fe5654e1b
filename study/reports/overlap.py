# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Lab 06: the gain of overlapping copies by size and by streams, and the time by bands."""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ..figures import drawing
from ..figures.content import DASH, NO_BAR, NOISY, Figure, Line, Point, Section, Table, number, percent, times
from ..figures.labels import RATIOS
from ..figures.panels import at_size, described, line_panels, values_of
from ..figures.series import describe, main_job
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
    kernels = distinct(rows, "kernel") + [""]
    groups = [[row for row in rows if row.kernel == kernel] for kernel in kernels]
    return max(
        (group for group in groups if group),
        default=[],
        key=lambda group: (len(distinct(group, column)), max(row.completeness for row in group)),
    )


def has_own_settings(row: Row) -> bool:
    """Whether the row has the lab's own settings: 3 streams, as many bands, 3 frames in flight."""
    return all(row.text[name] in ("", "3") for name in ("streams", "bands", "in_flight"))


def _by_variant(rows: Sequence[Row]) -> Dict[Tuple[str, int], Row]:
    """The row of each variant and number of pixels."""
    return {(row.variant, row.pixels): row for row in rows}


def _gains(rows: Sequence[Row], variant: str, base: str) -> List[Point]:
    """Points (pixels, time of base / time of variant)."""
    found = _by_variant(rows)
    return [
        (pixels, found[base, pixels].ms / row.ms, NO_BAR, row.is_noisy)
        for (name, pixels), row in found.items()
        if name == variant and (base, pixels) in found
    ]


def pays_from(rows: Sequence[Row], variant: str = "streams", base: str = "pinned") -> str:
    """One sentence: from which size on the variant is faster than the base."""
    gains = sorted(_gains(rows, variant, base))
    if not gains:
        return ""
    names = dict(sizes(rows))
    first: Optional[int] = None
    for index in range(len(gains) - 1, -1, -1):
        if gains[index][1] <= 1:
            break
        first = index
    if first is None:
        return f"`{variant}` is not faster than `{base}` at {names[int(gains[-1][0])]}, the largest size measured."
    where = f"from {names[int(gains[first][0])]} on" if first else "at every size measured"
    return (
        f"`{variant}` is faster than `{base}` {where}: {times(gains[first][1])} at "
        f"{names[int(gains[first][0])]}, {times(gains[-1][1])} at {names[int(gains[-1][0])]}."
    )


def gain_by_size(results: Results, _: Published) -> Section:
    """The gain of streams, frames and a graph over pageable and pinned memory, by size."""
    title = "Overlapping copies: gain by size"
    drawn = {row.configuration for row in _of_one_kernel(rows_with_copies(results, has_own_settings), "size")}
    rows = results.of_one_run(lambda row: row.configuration in drawn)
    if not any(_gains(rows, variant, "pinned") for variant in FASTER):
        return Section(title, missing="lab 06 on a GPU: run `make sweep`")

    def draw() -> Any:
        figure, axes = drawing.canvas(4.0, columns=2, sharey=True)
        for panel, base in zip(axes[0], ("pageable", "pinned")):
            lines = [Line(variant, _gains(rows, variant, base), variant=f"{LAB} {variant}") for variant in FASTER]
            drawing.draw_lines(panel, lines, log_y=False)
            drawing.size_axis(panel, sizes(rows))
            panel.axhline(1, color="0.45", linewidth=1, linestyle="--")
            panel.set_title(f"over {base}", loc="left")
            panel.set_ylim(bottom=0)
            panel.tick_params(axis="x", rotation=45)
        axes[0, 0].set_ylabel("speed-up, with copies")
        return drawing.finish(figure, title, describe(rows, RATIOS, bars=False), legend=axes[0, 1])

    head = ["variant"] + [f"{name} ms" for _, name in sizes(rows)] + ["of the bus"]
    found = _by_variant(rows)
    largest = max(row.pixels for row in rows)
    lines = []
    for variant in distinct(rows, "variant"):
        last = found.get((variant, largest))
        lines.append(
            [variant + " on 1 GPU" * (variant == "multi_gpu")]
            + [
                number(found[variant, pixels].ms) + NOISY * found[variant, pixels].is_noisy
                if (variant, pixels) in found
                else DASH
                for pixels, _ in sizes(rows)
            ]
            + [percent(last.of_ceiling if last else None)]
        )
    table = Table(
        "async_by_size",
        f"Time of a frame with its copies. Of the bus: at {dict(sizes(rows))[largest]}. " + described(rows),
        head,
        lines,
    )
    return Section(
        title,
        [
            table,
            Figure(
                "async_gain_by_size", f"{title}; left beside copies of pageable memory, right of pinned memory.", draw
            ),
            pays_from(rows),
        ],
    )


def gain_by_streams(results: Results, _: Published) -> Section:
    """The gain of 1 to 8 streams over pinned, one image; at the two largest sizes."""
    title = "Overlapping copies: gain by number of streams"
    rows = rows_with_copies(
        results,
        lambda row: row.variant == "pinned" or (row.variant in ("streams", "graph") and row.streams == row.bands),
    )
    rows = _of_one_kernel(rows, "streams")
    measured = [
        size
        for size in sizes(rows)
        if len(values_of(at_size(rows, size), "streams")) > 1
        and any(row.variant == "pinned" for row in at_size(rows, size))
    ][-2:]
    if not measured:
        return Section(title, missing="lab 06 on a GPU, 1 to 8 streams: run `make sweep`")

    def gains(size: Tuple[int, str], variant: str) -> Line:
        same = at_size(rows, size)
        pinned = [row for row in same if row.variant == "pinned"][-1]
        return Line(
            variant,
            [
                (row.integer("streams") or 0, pinned.ms / row.ms, NO_BAR, row.is_noisy)
                for row in same
                if row.variant == variant
            ],
            variant=f"{LAB} {variant}",
        )

    def draw() -> Any:
        panels = [(size[1], [gains(size, variant) for variant in ("streams", "graph")]) for size in measured]
        return line_panels(
            title,
            describe(rows, RATIOS, bars=False),
            panels,
            "streams, one band per stream",
            "speed-up over pinned",
            log_y=False,
        )

    best = []
    for size in measured:
        found = min((row for row in at_size(rows, size) if row.variant == "streams"), key=lambda row: row.ms)
        pinned = [row for row in at_size(rows, size) if row.variant == "pinned"][-1]
        best.append(
            f"at {size[1]} with {found.streams} streams: {number(found.ms)} ms, "
            f"{percent(found.ms / pinned.ms)} of `pinned`"
        )
    return Section(
        title,
        [
            Figure("async_gain_by_streams", f"{title}: from how many on the lines are level.", draw),
            f"With one band per stream, `streams` is fastest {'; '.join(best)}.",
            *_by_bands(results),
        ],
    )


def _by_bands(results: Results) -> List[Table]:
    """The time with 3 streams by the number of bands, at the sizes with several."""
    rows = _of_one_kernel(
        rows_with_copies(results, lambda row: row.variant in ("streams", "graph") and row.streams == "3"), "bands"
    )
    counts = values_of(rows, "bands")
    lines: List[List[str]] = []
    shown: List[Row] = []
    for variant in distinct(rows, "variant"):
        for size in sizes(rows):
            found = {row.integer("bands"): row for row in at_size(rows, size) if row.variant == variant}
            if len(found) > 1:
                shown += found.values()
                lines.append(
                    [
                        variant,
                        size[1],
                        *(
                            number(found[count].ms) + NOISY * found[count].is_noisy if count in found else DASH
                            for count in counts
                        ),
                    ]
                )
    return (
        [
            Table(
                "async_by_bands",
                "Time (ms) with 3 streams by the number of bands. " + described(shown),
                ["variant", "size", *(f"{count} bands" for count in counts)],
                lines,
                left=2,
            )
        ]
        if lines
        else []
    )
