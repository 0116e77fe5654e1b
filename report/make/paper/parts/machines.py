# SPDX-License-Identifier: MIT
"""Where the rows come from: the machines, and how far another run is from the first (0.05 if the larger of two numbers is 1.05
times the smaller); the labs: all variants at all sizes, times by ranks and by GPUs, and the fastest of each lab for README.md."""

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy
import pandas
from pandas import DataFrame, Series

from report.make.plots.jobs import Lab, baselines, hardware
from report.make.plots.results import DATE, OF_COPIES, OF_CPU, OF_KERNEL, configuration_columns, distinct
from report.make.plots.tables import cell, lab_table, machines_table
from report.make.plots.words import DASH, Table, joined, number, percent, plural, short, to_markdown

from ..content import Section, fastest_each, jobs
from ..measurements.machine import BASELINES, OTHER_RUN, Results, read_folder
from ..measurements.selectors import matching


def byline(results: Results) -> str:
    """Date and revision of the newest row, and the GPU, in two sentences."""
    timed = results.rows[results.rows["timed"] & (results.rows["date"] != "")]
    gpus = joined(sorted(set(map(short, timed.loc[timed["backend"] == "cuda", "device"])))) or "none"
    if timed.empty:
        return "No measurement has a date."
    newest = timed.sort_values("date", kind="stable", ascending=False).iloc[0]
    day = datetime.strptime(newest["date"], DATE)
    return f"The newest measurement is of {day.day} {day:%B %Y}, revision `{newest['revision'][:7]}`. GPU: {gpus}."


def _timed(rows: DataFrame) -> DataFrame:
    return rows[rows["timed"]]


def machines_section(machines: Sequence[Results]) -> Section:
    """A column for each machine."""
    timed = [rows for results in machines if len(rows := _timed(results.rows))]
    caption = f"What was recorded of the machines; {DASH}: nothing."
    return Section("The machines", [machines_table(caption, timed)] if timed else [])


def _copies(copies: Sequence[float]) -> str:
    """ "37 sessions: 120 to 340 GB/s, median 211"."""
    ends = " to ".join(dict.fromkeys(map(number, (copies[0], copies[-1]))))
    return f"{plural(len(copies), 'session')}: {ends} GB/s, median {number(median(copies))}"


def copies_of(results: Results, backend: str) -> str:
    """The copies of the sessions on the processor or the GPU, in a few words; nothing without a copy."""
    devices = distinct(_timed(results.where(backend=backend)), "device")
    return "; ".join(_copies(copies) for copies in map(results.copies, devices) if copies)


# How near is near, and the margin of a verdict.
KINDS = {
    "cpu": ("CPU", 0.05, OF_CPU),
    "cuda": ("GPU, kernel", 0.02, OF_KERNEL),
    "copies": ("GPU, with copies", 0.02, OF_COPIES),
}
CAPTION = (
    "How far another run differs from the one of this report. Within 5 %: the larger of two numbers is at most 1.05 times the "
    "smaller. Each ratio compares two configurations that took turns."
)
HEAD = "other run|medians|that agree|half are within|all are within|ratios|that agree|half are within"


class Agreement(NamedTuple):
    """How far the medians of both runs are apart, and the ratios of two configurations that took turns in both."""

    kind: str
    medians: Series
    ratios: Series


def other_run(folder: Path) -> Results | None:
    """The rows of the other run of a machine; None if there is none."""
    again = folder / OTHER_RUN
    return Results(read_folder(again)) if again.is_dir() else None


def _apart(factors: Series) -> Series:
    return numpy.maximum(factors, 1 / factors) - 1


def agreements(machine: Path) -> list[Agreement]:
    """One for each kind of time; none without another run."""
    again = other_run(machine)
    if again is None:
        return []
    keys = configuration_columns()
    first = Results(read_folder(machine)).rows
    pairs = first[first["timed"]].merge(again.rows[again.rows["timed"]], on=keys, suffixes=("", "_again"))
    kind = pairs["backend"].where((pairs["backend"] == "cpu") | ~pairs["with_copies"], "copies")
    # The two calls of a lab in which configurations took turns.
    call = "size lab begun sweep seed begun_again sweep_again seed_again".split()
    every = []
    for name, rows in pairs.assign(ratio=pairs["ms_again"] / pairs["ms"]).groupby(kind):
        turns = [ratio / other for _, turn in rows.groupby(call) for ratio, other in combinations(turn["ratio"], 2)]
        every.append(Agreement(name, _apart(rows["ratio"]), _apart(Series(turns, dtype=float))))
    return sorted(every, key=lambda agreement: list(KINDS).index(agreement.kind))


def _agree(apart: Series, limits: Sequence[float]) -> str:
    """ "20 % within 5 %, 74 % within 25 %"."""
    return ", ".join(f"{percent((apart <= limit).mean())} within {percent(limit)}" for limit in dict.fromkeys(limits))


def other_run_table(machine: Path) -> Table:
    """A line for each kind of time."""
    lines = []
    for kind, *both in agreements(machine):
        name, *limits = KINDS[kind]
        cells = [
            [str(len(found)), *([_agree(found, limits), percent(found.median())] if len(found) else 2 * [DASH])]
            for found in both
        ]
        lines.append([name, *cells[0], percent(both[0].max()), *cells[1]])
    return Table("other_run", CAPTION, HEAD.split("|"), lines)


def runs_table(folder: Path) -> str:
    """How far the other run of each machine agrees with the first."""
    machines = sorted(path.parent for path in folder.glob(f"*/{OTHER_RUN}"))
    return "\n".join(f"### {machine.name}\n\n{to_markdown(other_run_table(machine))}" for machine in machines)


MPI, STREAMS = "11_mpi", "06_async_streams"
COUNTS = {MPI: ("ranks", "rank"), STREAMS: ("devices", "GPU")}  # the column whose values get a column each, by lab
LINE = ["variant", "size", "passes", "halo_passes", "threads", "filters", "streams", "bands", "in_flight"]


def by_count(results: Results, lab: str) -> list[Table]:
    """Each processor's jobs that were timed with several ranks or GPUs: ms by their number."""
    column, word = COUNTS[lab]
    rows = results.where(lab=lab, **{column: "!"})
    tables = []
    for device, timed in rows[rows["timed"]].groupby("device"):
        lines, counts = [], sorted(timed[column].unique())
        for at, job in timed.groupby(["pixels", *LINE], sort=False):
            cells = {getattr(row, column): cell(row) for row in fastest_each(job, [column]).itertuples()}
            settings = joined(f"{name.replace('_', ' ')} {value}" for name, value in zip(LINE[2:], at[3:]) if value)
            if len(cells) > 1:
                lines += [[*at[1:3], settings, *(cells.get(count, DASH) for count in counts)]]
        caption = f"{hardware(timed)}: ms by the number of {word}s."
        head = ["variant", "size", "settings", *(plural(count, word) for count in counts)]
        if lines:
            tables += [Table(f"by_{column}", caption, head, lines, left=3, fold=True)]
    return tables


def _fastest(results: Results, rows: DataFrame) -> DataFrame:
    """The fastest of each lab of the job with the most rows, at the largest size that the baseline has, or else that was timed."""
    timed = next(iter(jobs(rows[rows["timed"]])), rows[:0])
    based = timed.loc[results.baseline(timed, BASELINES[0]).index]
    pixels = (timed if based.empty else based)["pixels"].max()
    return fastest_each(timed[timed["pixels"] == pixels], ["lab"])


IDEAS = {  # of the table in README.md, by lab and variant
    "01_sequential nested": "vectors of vectors",
    "01_sequential simd": "16-bit sums, SIMD",
    "02_pthread simd_rows": "SIMD on all cores",
    "03_cuda_global padded": "a thread per pixel",
    "03_cuda_global register_tile": "four pixels per thread",
    "04_cuda_constant unrolled": "constant taps, unrolled loops",
    "05_cuda_shared packed": "tiles, four-byte products",
    "06_async_streams frames": "copies that overlap",
    "07_separable packed": "separable, packed bytes",
    "08_heat_map grid": "a grid of threads",
    "08_heat_map table": "colours from a table",
    "09_noise_map count": "counts changed pixels",
    "10_noise_filter pair_count": "both frames in registers, packed bytes",
    "12_tensor wgmma": "matrix products, four warps at once",
}


def ladder(results: Results) -> Table | None:
    """The baseline and the fastest variant of each lab, None if nothing was timed. A lab without rows of the common
    job has a line for another job."""
    bench = results.bench
    best = [_fastest(results, bench)]
    if best[0].empty:
        return None
    others = [lab for lab in distinct(bench, "lab") if lab not in set(best[0]["lab"])]
    best += [_fastest(results, bench[bench["lab"] == lab]) for lab in others]
    base = results.baseline(best[0].head(1), BASELINES[0])
    rows = pandas.concat(best).sort_values("lab", kind="stable")
    rows = pandas.concat([results.every.loc[base["order"]], rows]).drop_duplicates("order")
    rows = rows.assign(gain=results.speed_up(rows))
    lines = []
    for row in rows.itertuples():
        step = row.variant + (f", {row.threads} threads" if row.threads else "")
        idea = IDEAS.get(f"{row.lab} {row.variant}", DASH)
        lines.append([row.lab, step, idea, cell(row), number(row.gain), percent(row.of_ceiling)])
    size = re.sub("k$", "K", best[0]["size"].iloc[0])
    head = ["lab", "variant", "idea", f"ms at {size}", f"speed-up over `{BASELINES[0]}`", "share of a copy's bandwidth"]
    return Table("ladder", "", head, lines, left=3)


def _tables(machines: Sequence[Results], nested: Sequence[DataFrame], lab: str) -> list[Table]:
    """One job of one machine in each, with the variants that no table before has. Chains and several GPUs stand elsewhere."""
    tables: list[Table] = []
    shown: list[str] = []
    for results, bases in zip(machines, nested):
        rows = results.every[matching(results.every, {"lab": lab, "filters": "", "devices": "|1"})]
        rows = rows[~rows["variant"].isin(shown)]
        while rows["timed"].any() and (made := Lab(lab, rows, bases)).labels:
            tables.append(lab_table(made))
            shown += distinct(made.rows, "variant")
            rows = rows[~rows["variant"].isin(shown)]
    return tables


def all_sizes(machines: Sequence[Results]) -> list[Section]:
    """A section for each lab."""
    labs = sorted({lab for results in machines for lab in distinct(results.rows, "lab")})
    nested = [baselines(results.every) for results in machines]
    items = {lab: _tables(machines, nested, lab) if lab != MPI else [] for lab in labs}
    for lab in set(COUNTS) & set(labs):
        items[lab] += [table for results in machines for table in by_count(results, lab)]
    return [Section(f"All sizes: {lab}", list(found) or ["Not measured."]) for lab, found in items.items()]
