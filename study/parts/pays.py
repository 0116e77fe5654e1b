# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""When does the GPU pay? One core, all cores, the kernel alone, with copies, pipelined; chains."""

from typing import Any, Dict, List, Sequence, Tuple

from ..figures import drawing
from ..figures.content import DASH, NOISY, Figure, Line, Table, joined, named_time, number
from ..figures.series import describe, point, variant_of
from ..measurements.rows import Row
from ..measurements.selection import Results, sizes
from .chains import STREAMS, chains
from .road import BASES, job

Method = Dict[str, Row]  # by size


def _fastest(variants: List[Method]) -> Method:
    """The row with the shortest time of any of the variants, by size."""
    method: Method = {}
    for rows in variants:
        for size, row in rows.items():
            if size not in method or row.ms < method[size].ms:
                method[size] = row
    return method


WARM, COLD = "all cores, picture in the caches", "all cores, picture from memory"
CREATED = "all cores, from memory, threads created"
ONE, ONE_COLD = "with copies, streams", "with copies, streams, from memory"
MANY, MANY_COLD = "pipelined frames", "pipelined frames, from memory"


def methods(results: Results) -> Dict[str, Method]:
    """Time of the 5x5 Gaussian of an RGB picture by method and size; those without a row are left out. All cores and the GPU
    with its copies are of one session, that of the cold rows, where there are such."""
    kernels = [
        job(results.bench, lab, variant)
        for lab, variant in dict.fromkeys(
            (row.lab, row.variant)
            for row in results.bench
            if row.backend == "cuda" and not row.with_copies and row.lab < "08"
        )
    ]
    rows = results.together(lambda row: (row.lab, row.variant, row.cold) == (*BASES[2], "1")) or results.bench
    found = {
        "one core": job(results.bench, *BASES[1]),
        WARM: job(rows, *BASES[2]),
        COLD: job(rows, *BASES[2], cold="1"),
        CREATED: job(rows, "02_pthread", "simd_created", "1"),
        "kernel only": _fastest(kernels),
        **{f"with copies, {name}": job(rows, STREAMS, name) for name in ("pageable", "pinned", "streams")},
        ONE_COLD: job(rows, STREAMS, "streams", "1"),
        MANY: job(rows, STREAMS, "frames"),
        MANY_COLD: job(rows, STREAMS, "frames", "1"),
    }
    return {name: method for name, method in found.items() if method}


Runs = Sequence[Tuple[str, Dict[str, Method]]]  # each with its name


def _ratios(runs: Runs, cpu: str, gpu: str) -> Dict[Tuple[int, str], List[float]]:
    """The time of all cores over that of the GPU, of each run, by size."""
    found: Dict[Tuple[int, str], List[float]] = {}
    for _, method in runs:
        for name, row in method.get(cpu, {}).items():
            other = method.get(gpu, {}).get(name)
            if other:
                found.setdefault((row.pixels, name), []).append(row.ms / other.ms)
    return dict(sorted(found.items()))


def won(runs: Runs, who: str, cold: bool) -> List[str]:
    """The sizes at which the CPU or the GPU is faster in each run with one picture."""
    by_size = _ratios(runs, COLD, ONE_COLD) if cold else _ratios(runs, WARM, ONE)
    return [name for (_, name), ratios in by_size.items() if all((ratio > 1) == (who == "GPU") for ratio in ratios)]


def _outcome(by_size: Dict[Tuple[int, str], List[float]]) -> str:
    """ "the CPU is faster in each run at 4k and 8k (by 7 and 12 % or more); at 1080p the runs do not agree"."""
    words = []
    for who, least in (("CPU", lambda ratios: min(1 / ratio for ratio in ratios)), ("GPU", min)):
        won = {name: least(ratios) - 1 for (_, name), ratios in by_size.items() if least(ratios) > 1}
        if won:
            margins = joined([f"{100 * gain:.0f}" for gain in won.values()])
            words.append(f"the {who} is faster in each run at {joined(list(won))}, by {margins} % or more")
    apart = [name for (_, name), ratios in by_size.items() if min(ratios) <= 1 <= max(ratios)]
    return "; ".join(words + [f"at {joined(apart)} the runs do not agree"] * bool(apart))


def pays(runs: Runs) -> str:
    """Where the GPU is faster for pictures in host memory, in a few sentences; nothing without rows."""
    sentences = []
    for which, cpu, gpu in (
        ("One picture in the CPU's caches", WARM, ONE),
        ("One picture from memory", COLD, ONE_COLD),
        ("Many pictures, each in the CPU's caches", WARM, MANY),
        ("Many pictures from memory", COLD, MANY_COLD),
    ):
        by_size = _ratios(runs, cpu, gpu)
        if by_size:
            count = max(map(len, by_size.values()))
            sentences.append(f"{which} ({count} run{'s' * (count > 1)}): {_outcome(by_size)}.")
    return " ".join(sentences)


def runs_table(runs: Runs) -> List[Table]:
    """The times that these sentences are of; nothing without a cold row."""
    shown = [
        name
        for name in (WARM, COLD, CREATED, ONE, ONE_COLD, MANY, MANY_COLD)
        if any(name in method for _, method in runs)
    ]
    if COLD not in shown:
        return []
    lines = []
    for run, method in runs:
        every = [row for name in shown for row in method.get(name, {}).values()]
        for _, size in sizes(every):
            cells = [method.get(name, {}).get(size) for name in shown]
            lines.append([run, size, *(number(row.ms) + NOISY * row.is_noisy if row else DASH for row in cells)])
    return [
        Table(
            "pays_runs",
            f"All cores beside the GPU with its copies, pinned memory (ms; {NOISY}: noisy).",
            ["run", "size", *shown],
            lines,
            left=2,
        )
    ]


def when_it_pays(results: Results, runs: Runs = ()) -> List[Any]:
    """A figure and a table of one filter; then the chains of filters."""
    by_method = methods(results)
    rows = list({id(row): row for method in by_method.values() for row in method.values()}.values())
    if "kernel only" not in by_method or WARM not in by_method:
        return ["Not measured: the GPU, or all cores.", *chains(results)[1:]]
    columns = [name for _, name in sizes(rows)]

    def draw() -> Any:
        figure, axes = drawing.canvas(4.2)
        drawing.draw_lines(
            axes[0, 0],
            [
                Line(
                    name, [point(row.pixels, row) for row in method.values()], variant=variant_of(list(method.values()))
                )
                for name, method in by_method.items()
            ],
        )
        drawing.size_axis(axes[0, 0], sizes(rows))
        axes[0, 0].set_ylabel("time (ms)")
        return drawing.finish(
            figure, "When does the GPU pay? 5x5 Gaussian, picture in host memory", describe(rows), legend=axes[0, 0]
        )

    return [
        Figure(
            "pays",
            "When does the GPU pay: the lines with copies against that of all cores, and the kernel alone.",
            draw,
        ),
        Table(
            "pays",
            "Median time (ms) by method and size, and the variant that took it. "
            + describe(rows, bars=False, noisy_mark=NOISY),
            ["", *columns],
            [[name, *(named_time(method.get(size)) for size in columns)] for name, method in by_method.items()],
        ),
        *runs_table(runs),
        *chains(results)[1:],
    ]
