# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""A table and a figure of speed-ups of GPU kernels over one CPU thread, by one swept number."""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ..measurements.originals import Original
from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results
from . import drawing
from .coincident import coincident
from .content import DASH, NO_BAR, Figure, Line, Table, number, times
from .labels import RATIOS
from .series import describe, ours, variant_of


def speed_ups(
    results: Results,
    name: str,
    title: str,
    swept: str,
    label: str,
    measured: Dict[str, List[Row]],
    of: Callable[[Row], Optional[int]],
    base: str,
    published: Dict[Tuple[str, int], float],
    originals: Dict[Tuple[str, int], float],
    source: str,
    logarithmic: bool = False,
    beside: bool = False,
) -> List[Any]:
    """A table of time and speed-up by one swept number, and a figure of the speed-ups.

    measured: rows by kernel, timed or refused; of: the swept number of a row; base: variant of lab 01; by
    (kernel, swept number): speed-ups as published, times (ms) of the report's own program as originals; beside: a second
    panel, with the time of the first kernel over that of the last, which many decades would hide.
    """
    refused = {(kernel, of(row)) for kernel, same in measured.items() for row in same if not row.timed}
    measured = {kernel: [row for row in same if row.timed] for kernel, same in measured.items()}
    rows = sum(measured.values(), [])
    bases = results.baselines(rows, base)
    steps = sorted(
        {of(row) or 0 for row in rows} | {step for _, step in published} | {step or 0 for _, step in refused}
    )
    cells = {(kernel, of(row) or 0): row for kernel, same in measured.items() for row in same}
    header = [label]
    for kernel in measured:
        header += (
            [f"{kernel} ms"]
            + ["original ms"] * bool(originals)
            + [f"{kernel} vs {base}"]
            + ["published"] * bool(published)
        )
    lines = []
    for step in steps:
        line = [str(step)]
        for kernel in measured:
            row = cells.get((kernel, step))
            line.append(number(row.ms) if row else "refused" if (kernel, step) in refused else DASH)
            line += [number(originals.get((kernel, step)))] * bool(originals)
            line.append(times(results.speed_up(row, base) if row else None))
            line += [times(published.get((kernel, step)))] * bool(published)
        lines.append(line)
    table = Table(name, " ".join(filter(None, (f"{title}.", source, ours(rows, bases) if rows else ""))), header, lines)
    drawn = [
        Line(
            kernel,
            [
                (step, results.speed_up(row, base) or 0, NO_BAR, row.is_noisy)
                for (of_kernel, step), row in cells.items()
                if of_kernel == kernel and results.speed_up(row, base)
            ],
            variant=variant_of(same[:1]),
        )
        for kernel, same in measured.items()
    ]
    if not any(line.points for line in drawn):
        return [table, f"There is no time of `{base}` of lab 01 for this job, so no speed-up."]
    theirs = (
        [
            Line(
                f"{kernel}, published",
                [(step, value, NO_BAR, False) for (of_kernel, step), value in published.items() if of_kernel == kernel],
                beside=kernel,
            )
            for kernel in measured
        ]
        if published
        else []
    )
    run = []
    for kernel in measured:
        based = [(step, results.baseline(row, base)) for (of_kernel, step), row in cells.items() if of_kernel == kernel]
        run.append(
            Line(
                f"{kernel}, original program",
                [
                    (step, row.ms / originals[kernel, step], NO_BAR, False)
                    for step, row in based
                    if row is not None and (kernel, step) in originals
                ],
                beside=kernel,
            )
        )
    theirs += [line for line in run if line.points]

    one, other = [*measured][0], [*measured][-1]
    of_time = {at: 1 / row.ms for at, row in cells.items()}
    ratios = [
        Line(
            other + words,
            [
                (at, found[other, at] / found[one, at], NO_BAR, False)
                for at in steps
                if {(one, at), (other, at)} <= set(found)
            ],
            beside=other * bool(words),
            variant=variant_of(measured[other][:1]),
        )
        for words, found in (
            ("", of_time),
            (", published", published),
            (", original program", {at: 1 / ms for at, ms in originals.items()}),
        )
    ]

    def draw() -> Any:
        figure, axes = drawing.canvas(4.0, columns=1 + beside)
        drawing.draw_lines(axes[0, 0], drawn + theirs)
        if beside:
            drawing.draw_lines(axes[0, 1], ratios, log_y=False)
            axes[0, 1].axhline(1, color="0.45", linewidth=1)
            axes[0, 1].set_ylabel(f"{one} over {other}, time")
        for panel in axes[0]:
            if logarithmic:
                panel.set_xscale("log", base=2)
            shown = steps[:: 1 + beside]
            panel.set_xticks(shown)
            panel.set_xticklabels(shown, rotation=45 if len(shown) > 6 else 0)
            panel.minorticks_off()
            panel.set_xlabel(swept)
        axes[0, 0].set_ylabel(f"speed-up (x)\nover {base}")
        more = " ".join(filter(None, (RATIOS, source, coincident(drawn))))
        return drawing.finish(figure, title, describe(rows, more, bars=False, bases=bases), legend=axes[0, 0])

    return [
        Figure(name, f"{title}; which line is on top{', and right, above 1, where the tile pays' * beside}.", draw),
        table,
    ]


def times_of_programs(
    published: Published,
    report: str,
    kernels: Sequence[Tuple[str, ...]],
    test: Callable[[Original], bool],
    step: Callable[[Original], int],
) -> Dict[Tuple[str, int], float]:
    """Times of the report's own program by kernel and swept number."""
    return {
        (name, step(original)): original.ms
        for name, lab, variant, *_ in kernels
        for original in published.programs(report, lab, variant)
        if test(original)
    }
