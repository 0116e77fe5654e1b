# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""A chain of filters on the GPU, which copies once, beside the same chain on all cores."""

from collections import Counter
from typing import Any, Dict, List, Tuple

from ..figures.content import NO_BAR, RATIOS, Line, joined, percent, plural
from ..figures.series import describe
from ..figures.shapes import Panel, fastest_each, plot
from ..measurements.points import Point, cpu_over_gpu
from ..measurements.rows import OF_CPU
from ..measurements.selection import Results

STREAMS = "06_async_streams"
WHO = ("chain_cpu", "chain")  # on all cores, and on the GPU with its copies
Size = Tuple[int, str]


def _from_how_many(gains: Dict[Size, Dict[int, Point]]) -> str:
    """From how many filters on the GPU is faster, by more than two runs of a CPU differ. gains: by size and filters, the
    time of all cores over that of the GPU."""
    found: Dict[int, List[str]] = {}
    for (_, size), by_count in gains.items():
        lost = max((count for count, gain in by_count.items() if gain.least <= 1), default=0)
        won = [count for count in by_count if count > lost]
        if won:
            found.setdefault(min(won), []).append(size)
    apart = f"{percent(OF_CPU)} apart, by which two runs of one program on a CPU often differ"
    if not found:
        return f"No chain is faster on the GPU: the intervals of the two times are less than {apart}, or the GPU takes longer."
    measured = {count for by_count in gains.values() for count in by_count}
    text = "With its copies the GPU is faster"
    if len(measured) == 1:
        ((count, sizes),) = found.items()
        return f"{text} with {plural(count, 'filter')} at {joined(sizes)}; with fewer or more nothing was measured."
    never = [size for _, size in gains if all(size not in sizes for sizes in found.values())]
    words = joined(f"from {plural(count, 'filter')} on at {joined(sizes)}" for count, sizes in sorted(found.items()))
    text += f" {words}."
    text += f" At {joined(never)} it is not." * bool(never)
    if max(found) > min(measured):
        text += f" With fewer it is slower, or the intervals of the two times are less than {apart}."
    return text


def chains(results: Results) -> List[Any]:
    """From how many filters on the GPU is faster, in a sentence; then a figure by the number of filters. A size
    with one number of filters, as `make bench` measures it, says nothing about more or fewer: left out where others have
    several."""
    rows = [row for row in results.where(lab=STREAMS) if row.timed and row.filters and row.variant in WHO]
    cells = fastest_each(rows, lambda row: (row.variant, (row.pixels, row.size_name), row.integer("filters")))
    both = sorted(at for who, *at in cells if who == "chain" and ("chain_cpu", *at) in cells)
    several = Counter(size for size, _ in both)
    both = [at for at in both if several[at[0]] > 1] or both
    if not both:
        return ["Not measured: a chain of filters on the GPU and on all cores (lab 06, `chain` and `chain_cpu`)."]
    counts = sorted({count for _, count in both})
    gains: Dict[Size, Dict[int, Point]] = {}
    for size, count in both:
        pair = cells["chain_cpu", size, count], cells["chain", size, count]
        gains.setdefault(size, {})[count] = cpu_over_gpu(*pair)
    drawn = [
        Line(name, [(count, gain.value, NO_BAR, False) for count, gain in by_count.items()])
        for (_, name), by_count in gains.items()
    ]
    return [
        _from_how_many(gains),
        plot(
            "chain",
            "Time of a chain of filters on all cores over its time on the GPU with copies: from how many filters on "
            "is a line above 1?",
            "A chain of filters: above 1 the GPU is faster, copies included",
            describe([cells[(who, *at)] for who in ("chain", "chain_cpu") for at in both], RATIOS, bars=False),
            [
                Panel(
                    drawn,
                    "filters, one after the other",
                    "all cores\nover GPU (x)",
                    log_x=2,
                    ticks=dict(zip(counts, map(str, counts))),
                    level=1,
                )
            ],
            height=3.6,
        ),
    ]
