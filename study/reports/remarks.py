# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What two artefacts have that no other has: the loop by the threads of one block (videostream2021 Figure 7), and why a
published time is impossible (delbimbo2024 Figure 11)."""

from typing import Any, Dict, List, Optional, Sequence

from ..figures.content import Figure, Table, number
from ..figures.series import describe, ours, variant_of
from ..measurements.rows import Row
from .seen import ORIGINAL, OURS, PUBLISHED, Gathered
from .versions import copied, copies_ms

TIMED = (716, 1024)  # threads of the program's times
FLAT = 128  # threads: from here on a scale of its own
# GB/s of PCI Express 4.0 x16, the bus of an RTX 3060, in one direction: 16 GT/s, 128 bits in 130.
PCI_EXPRESS_4 = 16 * 16 / 8 * 128 / 130


def by_threads(gathered: Gathered) -> List[Any]:
    """The loop by the number of threads: figure, a table of the published numbers of threads, and the best number."""
    rows = sorted(gathered.rows, key=lambda row: row.integer("block_threads") or 0)
    other = copied(gathered.results, rows[0]) if len(rows) >= 3 else None
    if other is None:
        return []
    copies = copies_ms(other)
    sums = f"The loop: the kernel, and the copies of the row with {other.block_threads} threads, {number(copies)} ms."
    stated = {one.metric: one.value for one in gathered.values if one.variant.endswith("_sweep")}
    best = min(rows, key=lambda row: row.ms)
    words = (
        "Published: from about 280 threads on, a heat map takes {loop_time_oscillation_low:g} to "
        "{loop_time_oscillation_high:g} ms; {best_threads_stated_first:.0f} threads are named as best, "
        "{best_threads_used:.0f} are used then. "
    )
    return [
        Figure(
            gathered.specification.figure,
            gathered.specification["caption"],
            lambda: _drawn(gathered.specification["title"], rows, copies, sums),
        ),
        _beside(gathered, copies),
        f"{sums} {words.format(**stated) if stated else ''}Ours: {best.block_threads} threads are fastest of the {len(rows)} "
        f"numbers of threads measured: the kernel takes {number(best.ms)} ms, the loop {number(best.ms + copies)} ms.",
    ]


def _drawn(title: str, rows: Sequence[Row], copies: float, sums: str) -> Any:
    """A point for each number of threads, left of all, right without the smallest."""
    from ..figures import drawing

    figure, axes = drawing.canvas(3.8, columns=2)
    for panel, words, least in zip(axes[0], ("all", f"from {FLAT} threads on"), (0, FLAT)):
        shown = [row for row in rows if (row.integer("block_threads") or 0) >= least]
        threads, loops = [row.integer("block_threads") for row in shown], [row.ms + copies for row in shown]
        panel.plot(threads, loops, ".", color=drawing.look_of(variant_of(rows))[0])
        for count in TIMED:
            panel.axvline(count, color="0.6", linewidth=0.8, linestyle="--", zorder=0)
        panel.set_title(words, loc="left", fontsize=10)
        panel.set(xlabel="threads of the block", xticks=[least or 4, 256, 512, *TIMED])
        panel.tick_params(axis="x", labelsize=9)
    axes[0, 0].set_yscale("log")
    drawing.plain(axes[0, 0].yaxis)
    axes[0, 0].yaxis.set_major_locator(drawing.ticker.LogLocator(subs=(1, 2, 5)))
    axes[0, 0].set_ylabel("loop (ms)")
    about = describe(rows, f"{sums} Dashed: {TIMED[0]} and {TIMED[1]} threads.", bars=False)
    return drawing.finish(figure, title, about)


def _beside(gathered: Gathered, copies: float) -> Table:
    """Our times and those of the program at the numbers of threads for which the report has a time."""
    kernels = {one.at["block_threads"]: one.ms for one in gathered.of(OURS)}
    forms: Dict[str, Dict[int, float]] = {}
    for one in gathered.of(ORIGINAL):
        forms.setdefault(one.series, {})[one.at["block_threads"]] = one.ms

    def loop(threads: int) -> Optional[float]:
        return next((one.ms for one in gathered.of(PUBLISHED, series=str(threads))), None)

    lines = [
        [
            str(threads),
            number(loop(threads)),
            number(kernels[threads] + copies if threads in kernels else None),
            number(kernels.get(threads)),
            *(number(found.get(threads)) for found in forms.values()),
        ]
        for threads in TIMED
    ]
    caption = f"Heat map v3 (ms) at the published numbers of threads; 716: the report has 718. {ours(gathered.rows)}"
    head = [
        "threads",
        "loop, published",
        "loop, ours",
        "kernel, ours",
        *(f"kernel, original, {form}" for form in forms),
    ]
    return Table(gathered.specification.figure, caption, head, lines)


def impossible(gathered: Gathered) -> str:
    """Why delbimbo2024's time of a frame with its copies is impossible: the bandwidth that it needs, and that of the bus."""
    sentences = []
    for value in gathered.values:
        megabytes = 2 * 3 * 7680 * 4320 / 1e6
        rate = megabytes / value.value
        sentences.append(
            f"Its {value.value:g} ms for 8K (its slides, page 23; the clock of its program includes the copies) are impossible: "
            f"{megabytes:.0f} MB are copied in and out (3 bytes per pixel). In that time this needs {rate:.0f} GB/s, "
            f"{rate / (2 * PCI_EXPRESS_4):.1f} times the bandwidth of PCI Express 4.0 x16, the bus of its {value.hardware}, in "
            f"both directions together ({2 * PCI_EXPRESS_4:.0f} GB/s)."
        )
        speed = max((row.ceiling or 0 for row in gathered.rows if row.size_name == "8k"), default=0)
        if speed:
            sentences.append(
                f"The bus measured here has {speed:.0f} GB/s at most and needs {number(megabytes / speed)} ms."
            )
    return " ".join(sentences)
