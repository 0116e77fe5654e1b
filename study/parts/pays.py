# SPDX-License-Identifier: MIT
"""When does the GPU pay? One core, all cores, the kernel alone, with copies, pipelined; chains."""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from tools.plots.rows import OF_CPU, Row
from tools.plots.selection import sizes

from ..figures.content import (
    NO_BAR,
    NOISY,
    RATIOS,
    Line,
    Panel,
    Table,
    cell,
    fastest_each,
    joined,
    percent,
    plot,
    plural,
)
from ..figures.series import describe, point, variant_of
from ..measurements.points import Point, cpu_over_gpu
from ..measurements.results import Results
from .road import BASES, job

STREAMS = "06_async_streams"
NONE = "Not measured: a chain of filters on the GPU and on all cores (lab 06, `chain` and `chain_cpu`)."
Gains = Dict[Tuple[int, str], Dict[int, Point]]  # by size and filters: time of all cores over the GPU's


def _from_how_many(gains: Gains) -> str:
    """From how many filters on the GPU is faster, by more than two runs of a CPU differ."""
    found: Dict[int, List[str]] = {}
    for (_, size), by_count in gains.items():
        lost = max((count for count, gain in by_count.items() if gain.least <= 1), default=0)
        won = [count for count in by_count if count > lost]
        if won:
            found.setdefault(min(won), []).append(size)
    apart = f"{percent(OF_CPU)} apart, by which two runs of one program on a CPU often differ"
    if not found:
        return f"No chain is faster on the GPU: the intervals of the two times are less than {apart}, or the GPU takes longer."
    never = [size for _, size in gains if all(size not in sizes for sizes in found.values())]
    words = joined(f"from {plural(count, 'filter')} on at {joined(sizes)}" for count, sizes in sorted(found.items()))
    text = f"With its copies the GPU is faster {words}." + f" At {joined(never)} it is not." * bool(never)
    if max(found) > min(count for by_count in gains.values() for count in by_count):
        text += f" With fewer it is slower, or the intervals of the two times are less than {apart}."
    return text


def chains(results: Results) -> List[Any]:
    """A sentence, from how many filters on the GPU is faster; then a figure by the number of filters, of the sizes that have
    several numbers."""
    rows = [row for row in results.where(lab=STREAMS) if row.timed and row.filters]
    cells = fastest_each(rows, lambda row: (row.variant, (row.pixels, row.size_name), row.integer("filters")))
    every: Gains = {}
    for variant, size, count in sorted(cells):
        if variant == "chain" and ("chain_cpu", size, count) in cells:
            gain = cpu_over_gpu(cells["chain_cpu", size, count], cells[variant, size, count])
            every.setdefault(size, {})[count] = gain
    gains = {size: by_count for size, by_count in every.items() if len(by_count) > 1}
    if not gains:
        return [NONE]
    lines = [
        Line(name, [(count, gain.value, NO_BAR, False) for count, gain in by_count.items()])
        for (_, name), by_count in gains.items()
    ]
    drawn = [cells[who, size, count] for who in ("chain", "chain_cpu") for size in gains for count in gains[size]]
    ticks = {count: str(count) for count in sorted({count for by_count in gains.values() for count in by_count})}
    axes = ("filters, one after the other", "all cores\nover GPU (x)")
    return [
        _from_how_many(gains),
        plot(
            "chain",
            "Time of a chain of filters on all cores over its time on the GPU with copies: from how many filters on "
            "is a line above 1?",
            "A chain of filters: above 1 the GPU is faster, copies included",
            describe(drawn, RATIOS, bars=False),
            [Panel(lines, *axes, log_x=2, ticks=ticks, level=1)],
            height=3.6,
        ),
    ]


WARM, COLD = "all cores, picture in the caches", "all cores, picture from memory"
CREATED = "all cores, from memory, threads created"
ONE, ONE_COLD = "with copies, streams", "with copies, streams, from memory"
MANY, MANY_COLD = "pipelined frames", "pipelined frames, from memory"
Method = Dict[str, Row]  # by size
Runs = Sequence[Tuple[str, Dict[str, Method]]]  # each with its name


def methods(results: Results) -> Dict[str, Method]:
    """Time of the 5x5 Gaussian of an RGB picture by method and size; those without a row are left out. All cores and the GPU
    with its copies are of one session: of the cold rows, if there are any."""
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


def won(runs: Runs, who: str, cold: bool) -> List[str]:
    """The sizes at which the CPU or the GPU is faster in each run with one picture."""
    cpu, gpu = (COLD, ONE_COLD) if cold else (WARM, ONE)
    faster: Dict[str, List[bool]] = {}
    for _, method in runs:
        for size, row in method.get(cpu, {}).items():
            if size in method.get(gpu, {}):
                faster.setdefault(size, []).append((row.ms > method[gpu][size].ms) == (who == "GPU"))
    return [size for size, each in faster.items() if all(each)]


def runs_table(runs: Runs) -> List[Table]:
    """All cores beside the GPU in each run; nothing without a cold row."""
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
    """A figure of one filter and the table of all runs; then the chains of filters."""
    by_method = methods(results)
    if "kernel only" not in by_method or WARM not in by_method:
        return ["Not measured: the GPU, or all cores.", *chains(results)[1:]]
    rows = list({id(row): row for method in by_method.values() for row in method.values()}.values())
    lines = [
        Line(name, [point(row.pixels, row) for row in method.values()], variant=variant_of(list(method.values())))
        for name, method in by_method.items()
    ]
    caption = "Time of one filter by method and size: compare the lines with copies with the line of all cores."
    title = "When does the GPU pay? 5x5 Gaussian, picture in host memory"
    return [
        plot("pays", caption, title, describe(rows), [Panel(lines, "", "time (ms)", sizes=sizes(rows))], height=4.2),
        *runs_table(runs),
        *chains(results)[1:],
    ]
