# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""A chain of filters on the GPU, which copies once, beside the same chain on all cores."""

from collections import Counter
from typing import Any, Dict, List, Tuple

from ..figures import drawing
from ..figures.content import NO_BAR, NOISY, Figure, Line, Table, joined, number, percent, times
from ..figures.labels import RATIOS
from ..figures.panels import described
from ..figures.series import describe
from ..measurements.points import Point, cpu_over_gpu
from ..measurements.rows import EMULATED, OF_CPU, Row
from ..measurements.selection import Results

STREAMS = "06_async_streams"


def _from_how_many(gains: Dict[int, Dict[int, Point]], names: Dict[int, str]) -> str:
    """From how many filters on the GPU is faster, by more than two runs of a CPU differ. gains: by pixels and filters, the
    time of all cores over that of the GPU."""
    found: Dict[int, List[str]] = {}
    for pixels, by_count in gains.items():
        won = [count for count in by_count if all(gain.least > 1 for more, gain in by_count.items() if more >= count)]
        if won:
            found.setdefault(min(won), []).append(names[pixels])
    measured = {count for by_count in gains.values() for count in by_count}
    if found and len(measured) == 1:
        count, sizes = found.popitem()
        return (
            f"With its copies the GPU is faster with {count} filter{'s' * (count > 1)} at {joined(sizes)}; with fewer or "
            "more nothing was measured."
        )
    apart = f"{percent(OF_CPU)} apart, by which two runs of one program on a CPU often differ"
    if not found:
        return f"No chain is faster on the GPU: the intervals of the two times are less than {apart}, or the GPU takes longer."
    words = joined(
        f"from {count} filter{'s' * (count > 1)} on at {joined(sizes)}" for count, sizes in sorted(found.items())
    )
    never = [names[pixels] for pixels in gains if names[pixels] not in sum(found.values(), [])]
    text = f"With its copies the GPU is faster {words}."
    text += f" At {joined(never)} it is not." * bool(never)
    if any(count > min(measured) for count in found):
        text += f" With fewer it is slower, or the intervals of the two times are less than {apart}."
    return text


def chains(results: Results) -> List[Any]:
    """From how many filters on the GPU is faster, in a sentence; then a figure and a table: `chain` on the GPU beside `chain_cpu` on all cores, by the number of filters. A size with one number of filters, as
    `make bench` measures it, says nothing about more or fewer: left out where others have several."""
    rows = [
        row
        for row in results.where(lab=STREAMS)
        if row.timed and row.filters and row.variant in ("chain", "chain_cpu") and row.backend != EMULATED
    ]
    cells: Dict[Tuple[str, int, int], Row] = {}
    for row in rows:
        at = row.variant, row.pixels, row.integer("filters") or 0
        if at not in cells or row.ms < cells[at].ms:
            cells[at] = row
    both = sorted({at[1:] for at in cells if ("chain", *at[1:]) in cells and ("chain_cpu", *at[1:]) in cells})
    several = Counter(pixels for pixels, _ in both)
    both = [at for at in both if several[at[0]] > 1] or both
    if not both:
        return ["Not measured: a chain of filters on the GPU and on all cores (lab 06, `chain` and `chain_cpu`)."]
    names = {row.pixels: row.size_name for row in rows}
    counts = sorted({count for _, count in both})
    gains: Dict[int, Dict[int, Point]] = {}
    for pixels, count in both:
        gains.setdefault(pixels, {})[count] = cpu_over_gpu(
            cells["chain_cpu", pixels, count], cells["chain", pixels, count]
        )
    shown = [row for (_, *at), row in cells.items() if at[0] in gains and at[1] in counts]
    lines = []
    for pixels in gains:
        for variant, words in (("chain_cpu", "all cores"), ("chain", "GPU with its copies")):
            lines.append(
                [
                    names[pixels],
                    words,
                    *(
                        number(cells[variant, pixels, count].ms) + NOISY * cells[variant, pixels, count].is_noisy
                        if (variant, pixels, count) in cells
                        else "not measured"
                        for count in counts
                    ),
                ]
            )
        lines.append(
            [
                "",
                "all cores over GPU",
                *(times(gains[pixels][count].value) if count in gains[pixels] else "not measured" for count in counts),
            ]
        )

    def draw() -> Any:
        figure, axes = drawing.canvas(3.6)
        drawing.draw_lines(
            axes[0, 0],
            [
                Line(names[pixels], [(count, gain.value, NO_BAR, False) for count, gain in by_count.items()])
                for pixels, by_count in gains.items()
            ],
        )
        axes[0, 0].axhline(1, color="0.4", linewidth=1, linestyle="--")
        axes[0, 0].set_xscale("log", base=2)
        axes[0, 0].set_xticks(counts)
        axes[0, 0].set_xticklabels(counts)
        axes[0, 0].minorticks_off()
        axes[0, 0].set(xlabel="filters, one after the other", ylabel="all cores\nover GPU (x)")
        return drawing.finish(
            figure,
            "A chain of filters: above 1 the GPU is faster, copies included",
            describe([cells[(name, *at)] for name in ("chain", "chain_cpu") for at in both], RATIOS, bars=False),
            legend=axes[0, 0],
        )

    return [
        _from_how_many(gains, names),
        Figure(
            "chain",
            "A chain of filters, time of all cores over that of the GPU with its copies: from how many "
            "filters on a line is above 1.",
            draw,
        ),
        Table(
            "chain",
            "A chain of filters from host to host (ms). " + described(shown),
            ["size", "", *(f"{count} filter" + "s" * (count != 1) for count in counts)],
            lines,
            left=2,
        ),
    ]
