# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""When does the GPU pay? One core, all cores, the kernel alone, with copies, pipelined; chains."""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from ..figures.content import NOISY, Line, Table, joined, named_time, plural
from ..figures.series import describe, described, point, variant_of
from ..figures.shapes import Panel, cell, fastest_each, plot
from ..measurements.rows import Row
from ..measurements.selection import Results, sizes
from .chains import STREAMS, chains
from .road import BASES, job

WARM, COLD = "all cores, picture in the caches", "all cores, picture from memory"
CREATED = "all cores, from memory, threads created"
ONE, ONE_COLD = "with copies, streams", "with copies, streams, from memory"
MANY, MANY_COLD = "pipelined frames", "pipelined frames, from memory"
Method = Dict[str, Row]  # by size
Runs = Sequence[Tuple[str, Dict[str, Method]]]  # each with its name
Ratios = Dict[Tuple[int, str], List[float]]  # of each run, by size


def methods(results: Results) -> Dict[str, Method]:
    """Time of the 5x5 Gaussian of an RGB picture by method and size; those without a row are left out. All cores and the GPU
    with its copies are of one session, that of the cold rows, where there are such."""
    kernels = {
        (row.lab, row.variant): None
        for row in results.bench
        if row.backend == "cuda" and not row.with_copies and row.lab < "08"
    }
    alone = [row for kernel in kernels for row in job(results.bench, *kernel).values()]
    rows = results.together(lambda row: (row.lab, row.variant, row.cold) == (*BASES[2], "1")) or results.bench
    found = {
        "one core": job(results.bench, *BASES[1]),
        WARM: job(rows, *BASES[2]),
        COLD: job(rows, *BASES[2], cold="1"),
        CREATED: job(rows, "02_pthread", "simd_created", "1"),
        "kernel only": fastest_each(alone, lambda row: row.size_name),
        **{f"with copies, {name}": job(rows, STREAMS, name) for name in ("pageable", "pinned", "streams")},
        ONE_COLD: job(rows, STREAMS, "streams", "1"),
        MANY: job(rows, STREAMS, "frames"),
        MANY_COLD: job(rows, STREAMS, "frames", "1"),
    }
    return {name: method for name, method in found.items() if method}


def runs_of(machines: Mapping[str, Tuple[Results, Optional[Results]]]) -> Runs:
    """The runs that time all cores beside the GPU with its copies. machines: by name, the first run and the second."""
    every = [
        (name + words, methods(found))
        for name, both in machines.items()
        for words, found in zip(("", ", second run"), both)
        if found
    ]
    return [(name, method) for name, method in every if WARM in method and ONE in method]


def _ratios(runs: Runs, cpu: str, gpu: str) -> Ratios:
    """The time of all cores over that of the GPU."""
    found: Ratios = {}
    for _, method in runs:
        for name, row in method.get(cpu, {}).items():
            if name in method.get(gpu, {}):
                found.setdefault((row.pixels, name), []).append(row.ms / method[gpu][name].ms)
    return dict(sorted(found.items()))


def won(runs: Runs, who: str, cold: bool) -> List[str]:
    """The sizes at which the CPU or the GPU is faster in each run with one picture."""
    by_size = _ratios(runs, COLD, ONE_COLD) if cold else _ratios(runs, WARM, ONE)
    return [name for (_, name), ratios in by_size.items() if all((ratio > 1) == (who == "GPU") for ratio in ratios)]


def _outcome(by_size: Ratios) -> str:
    """ "the CPU is faster in each run at 4k and 8k (by 7 and 12 % or more); at 1080p the runs do not agree"."""
    words = []
    for who, least in (("CPU", lambda ratios: 1 / max(ratios)), ("GPU", min)):
        gains = {name: least(ratios) - 1 for (_, name), ratios in by_size.items() if least(ratios) > 1}
        if gains:
            margins = joined(f"{100 * gain:.0f}" for gain in gains.values())
            words.append(f"the {who} is faster in each run at {joined(gains)}, by {margins} % or more")
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
            sentences.append(f"{which} ({plural(max(map(len, by_size.values())), 'run')}): {_outcome(by_size)}.")
    return " ".join(sentences)


def runs_table(runs: Runs) -> List[Table]:
    """The times that these sentences are of; nothing without a cold row."""
    every = (WARM, COLD, CREATED, ONE, ONE_COLD, MANY, MANY_COLD)
    shown = [name for name in every if any(name in method for _, method in runs)]
    if COLD not in shown:
        return []
    lines = []
    for run, method in runs:
        columns = [method.get(name, {}) for name in shown]
        for _, size in sizes(row for column in columns for row in column.values()):
            lines.append([run, size, *(cell(column.get(size)) for column in columns)])
    caption = f"Time (ms) on all cores and on the GPU with its copies from pinned memory ({NOISY}: noisy)."
    return [Table("pays_runs", caption, ["run", "size", *shown], lines, left=2)]


def when_it_pays(results: Results, runs: Runs = ()) -> List[Any]:
    """A figure and a table of one filter; then the chains of filters."""
    by_method = methods(results)
    if "kernel only" not in by_method or WARM not in by_method:
        return ["Not measured: the GPU, or all cores.", *chains(results)[1:]]
    rows = list({id(row): row for method in by_method.values() for row in method.values()}.values())
    columns = [name for _, name in sizes(rows)]
    lines = [
        Line(name, [point(row.pixels, row) for row in method.values()], variant=variant_of(list(method.values())))
        for name, method in by_method.items()
    ]
    caption = "Time of one filter by method and size: compare the lines with copies with the line of all cores."
    title = "When does the GPU pay? 5x5 Gaussian, picture in host memory"
    return [
        plot("pays", caption, title, describe(rows), [Panel(lines, "", "time (ms)", sizes=sizes(rows))], height=4.2),
        Table(
            "pays",
            "Median time (ms) by method and size, and the variant that took it. " + described(rows),
            ["", *columns],
            [[name, *(named_time(method.get(size)) for size in columns)] for name, method in by_method.items()],
        ),
        *runs_table(runs),
        *chains(results)[1:],
    ]
