# SPDX-License-Identifier: MIT
"""When does the GPU pay? One core, all cores, the kernel alone, with copies, pipelined; chains."""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import pandas
from pandas import DataFrame

from tools.plots.results import OF_CPU, sizes

from ..figures.content import DASH, NO_BAR, NOISY, RATIOS, Line, Panel, Table, cell, joined, percent, plot, plural
from ..figures.series import describe, fastest_each, point, variant_of
from ..measurements.results import Results
from ..measurements.selectors import matching
from .road import BASES, job

STREAMS = "06_async_streams"
NONE = "Not measured: a chain of filters on the GPU and on all cores (lab 06, `chain` and `chain_cpu`)."


def _from_how_many(gains: DataFrame) -> str:
    """From how many filters on the GPU is faster, by more than two runs of a CPU differ."""
    found: Dict[int, List[str]] = {}
    never = []
    for (_, size), mine in gains.groupby(["pixels", "size"]):
        won = mine.loc[mine["filters"] > mine.loc[mine["least"] <= 1, "filters"].max(skipna=True), "filters"]
        won = mine["filters"] if (mine["least"] > 1).all() else won
        if won.empty:
            never.append(size)
        else:
            found.setdefault(won.min(), []).append(size)
    apart = f"{percent(OF_CPU)} apart, by which two runs of one program on a CPU often differ"
    if not found:
        return f"No chain is faster on the GPU: the intervals of the two times are less than {apart}, or the GPU takes longer."
    words = joined(f"from {plural(count, 'filter')} on at {joined(sizes)}" for count, sizes in sorted(found.items()))
    text = f"With its copies the GPU is faster {words}." + f" At {joined(never)} it is not." * bool(never)
    if max(found) > gains["filters"].min():
        text += f" With fewer it is slower, or the intervals of the two times are less than {apart}."
    return text


def chains(results: Results) -> List[Any]:
    """A sentence, from how many filters on the GPU is faster; then a figure by the number of filters, of the sizes that have
    several numbers."""
    rows = results.where(lab=STREAMS, filters="!")
    at = ["pixels", "size", "filters"]
    rows = fastest_each(rows[rows["timed"]], ["variant", *at])
    gpu, cpu = (rows[rows["variant"] == name] for name in ("chain", "chain_cpu"))
    gains = gpu.merge(cpu, on=at, suffixes=("", "_cpu")).sort_values(at)
    # Time of all cores over the GPU's. Another run would give another time: `least` allows for it.
    gains["gain"] = gains["ms_cpu"] / gains["ms"]
    gains["least"] = gains["low_cpu"] / gains["high"] / (1 + OF_CPU)
    gains = gains[gains.groupby("size")["filters"].transform("size") > 1]
    if gains.empty:
        return [NONE]
    lines = [
        Line(size, [(row.filters, row.gain, NO_BAR, False) for row in mine.itertuples()])
        for (_, size), mine in gains.groupby(["pixels", "size"])
    ]
    drawn = rows.loc[[*gains["order"], *gains["order_cpu"]]]
    ticks = {count: str(count) for count in sorted(gains["filters"].unique())}
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
Runs = Sequence[Tuple[str, DataFrame]]  # each with its name, and the times of all methods


def methods(results: Results) -> DataFrame:
    """Time of the 5x5 Gaussian of an RGB picture by `method` and size; those without a row are left out. All cores and the GPU
    with its copies are of one session: of the cold rows, if there are any."""
    bench, every = results.bench, results.every
    lab, variant = BASES[2]
    rows = results.together(matching(every, dict(lab=lab, variant=variant, cold="1")))
    rows = bench if rows.empty else rows
    kernels = bench[(bench["backend"] == "cuda") & ~bench["with_copies"] & (bench["lab"] < "08")]
    kernels = kernels[["lab", "variant"]].drop_duplicates()
    alone = pandas.concat([bench[:0], *(job(bench, *kernel) for kernel in kernels.itertuples(index=False))])
    found = {
        "one core": job(bench, *BASES[1]),
        WARM: job(rows, *BASES[2]),
        COLD: job(rows, *BASES[2], cold="1"),
        CREATED: job(rows, "02_pthread", "simd_created", "1"),
        "kernel only": fastest_each(alone, ["size"]),
        **{f"with copies, {name}": job(rows, STREAMS, name) for name in ("pageable", "pinned", "streams")},
        ONE_COLD: job(rows, STREAMS, "streams", "1"),
        MANY: job(rows, STREAMS, "frames"),
        MANY_COLD: job(rows, STREAMS, "frames", "1"),
    }
    return pandas.concat([method.assign(method=name) for name, method in found.items()])


def runs_of(machines: Mapping[str, Tuple[Results, Optional[Results]]]) -> Runs:
    """The runs that time all cores beside the GPU with its copies. machines: by name, the first run and the second."""
    every = [
        (name + words, methods(found))
        for name, both in machines.items()
        for words, found in zip(("", ", second run"), both)
        if found
    ]
    return [(name, found) for name, found in every if {WARM, ONE} <= set(found["method"])]


def won(runs: Runs, who: str, cold: bool) -> List[str]:
    """The sizes at which the CPU or the GPU is faster in each run with one picture."""
    cpu, gpu = (COLD, ONE_COLD) if cold else (WARM, ONE)
    if not runs:
        return []
    both = pandas.concat([found.pivot(index="size", columns="method", values="ms") for _, found in runs])
    both = both.reindex(columns=[cpu, gpu]).dropna()
    faster = ((both[cpu] > both[gpu]) == (who == "GPU")).groupby(level=0).all()
    return list(faster.index[faster])


def runs_table(runs: Runs) -> List[Table]:
    """All cores beside the GPU in each run; nothing without a cold row."""
    every = (WARM, COLD, CREATED, ONE, ONE_COLD, MANY, MANY_COLD)
    shown = [name for name in every if any((found["method"] == name).any() for _, found in runs)]
    if COLD not in shown:
        return []
    lines = []
    for run, found in runs:
        found = found[found["method"].isin(shown)]
        cells = {(row.method, row.size): cell(row) for row in found.itertuples()}
        lines += [[run, size, *(cells.get((name, size), DASH) for name in shown)] for _, size in sizes(found)]
    caption = f"Time (ms) on all cores and on the GPU with its copies from pinned memory ({NOISY}: noisy)."
    return [Table("pays_runs", caption, ["run", "size", *shown], lines, left=2)]


def when_it_pays(results: Results, runs: Runs = ()) -> List[Any]:
    """A figure of one filter and the table of all runs; then the chains of filters."""
    rows = methods(results)
    if not {"kernel only", WARM} <= set(rows["method"]):
        return ["Not measured: the GPU, or all cores.", *chains(results)[1:]]
    lines = [
        Line(name, [point(row.pixels, row) for row in mine.itertuples()], variant=variant_of(mine))
        for name, mine in rows.groupby("method", sort=False)
    ]
    rows = rows.drop_duplicates("order")
    caption = "Time of one filter by method and size: compare the lines with copies with the line of all cores."
    title = "When does the GPU pay? 5x5 Gaussian, picture in host memory"
    return [
        plot("pays", caption, title, describe(rows), [Panel(lines, "", "time (ms)", sizes=sizes(rows))], height=4.2),
        *runs_table(runs),
        *chains(results)[1:],
    ]
