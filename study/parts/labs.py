# SPDX-License-Identifier: MIT
"""The labs: all variants at all sizes for the appendix (the tables of `make plots`), more processors on one picture (MPI ranks, several
GPUs of one host), and the fastest of each lab for README.md."""

import re
from typing import Dict, List, Optional, Sequence

import pandas
from pandas import DataFrame, Series

from tools.plots.jobs import Lab, baselines, hardware
from tools.plots.results import distinct
from tools.plots.tables import lab_table

from ..figures.content import DASH, Section, Table, cell, number, percent, plural, times
from ..figures.series import describe_job, fastest_each, jobs, runs
from ..measurements.results import BASELINES, Results
from ..measurements.selectors import matching

MPI, STREAMS = "11_mpi", "06_async_streams"
SETTINGS = {"halo_passes": "filters per halo", "in_flight": "in flight", "bands": "bands", "streams": "streams"}
IDEAS = {  # of the table in README.md, by lab and variant
    "01_sequential nested": "vectors of vectors",
    "01_sequential simd": "16-bit sums, SIMD",
    "02_pthread simd_rows": "SIMD on all cores",
    "03_cuda_global padded": "a thread per pixel",
    "03_cuda_global register_tile": "four pixels per thread",
    "04_cuda_constant unrolled": "constant taps, unrolled loops",
    "05_cuda_shared packed": "tiles, four-byte products",
    "06_async_streams frames": "copies that overlap",
    "07_separable packed": "separable, four-byte products",
    "08_heat_map grid": "a grid of threads",
    "08_heat_map table": "colours from a table",
    "09_noise_map count": "counts changed pixels",
    "10_noise_filter count": "counts what changes",
    "12_tensor wgmma": "matrix products, four warps at once",
}
CALL = [
    "variant",
    "passes",
    "halo_passes",
    "threads",
]  # what a line of a table of ranks is of, and its share or picture


def _scaling(rows: DataFrame, weak: bool) -> List[DataFrame]:
    """Rows of one variant by ranks: of one picture (strong), or of as many pixels per rank (weak); of each variant the largest."""
    texts = rows[CALL].astype(str).replace("0", "")  # the lines are in the order of words
    share = (rows["pixels"] / rows["ranks"] / 1000).round().astype(int).astype(str) if weak else _picture(rows)
    found: Dict[tuple, DataFrame] = {}
    for at, same in rows.groupby([*(texts[name] for name in CALL), share]):
        group = fastest_each(same, ["ranks"]).sort_values("ranks")
        largest = found.get(at[:-1], group)["pixels"].max()
        if len(group) > 1 and group["pixels"].nunique() == (len(group) if weak else 1):
            found[at[:-1]] = group if group["pixels"].max() >= largest else found[at[:-1]]
    return list(found.values())


def _picture(rows: DataFrame) -> Series:
    return rows["width"].astype(str) + "x" + rows["height"].astype(str)


def _label(variant: str, passes: int, halo_passes: int, threads: int) -> str:
    halo_passes = min(halo_passes, max(passes, 1))  # a halo lasts for no more passes than there are
    words = ((passes, "{} passes"), (halo_passes, "halos for {}"), (threads, "{} threads per rank"))
    return ", ".join([variant, *(text.format(value) for value, text in words if value > 1)])


def _table(kind: str, groups: Sequence[DataFrame], weak: bool) -> Table:
    """A line for each group: its time by ranks, and what the most ranks gain."""
    rows = pandas.concat(groups)
    ranks = sorted(rows["ranks"].unique())
    parts = ["exchange_ms", "wait_ms"] if rows["exchange_ms"].notna().any() else []
    lines = []
    for group in groups:
        first, last = group.iloc[0], group.iloc[-1]
        cells = {row.ranks: cell(row) for row in group.itertuples()}
        line = [_label(*first[CALL]), first["size"], *(cells.get(count, DASH) for count in ranks)]
        lines.append([*line, times(first["ms"] / last["ms"]), *map(number, last[parts])])
    passes = max(rows["passes"].iloc[0], 1)
    how = f"{passes} pass" + "es" * bool(passes != 1) + ", a GPU per rank" * bool((rows["backend"] == "cuda").all())
    caption = f"{kind} scaling, {hardware(rows)}: {describe_job(rows)}, {how}; ms by ranks. {runs(rows)}"
    head = ["variant", "size" + " per rank" * weak, *map(str, ranks), "speed-up of the most"]
    head += ["exchanging ms", "waiting ms"][: len(parts)]
    return Table("mpi_scaling", caption, head, lines, left=2)


def mpi_of(results: Results) -> List[Table]:
    """The tables of lab 11 on one machine: strong scaling of one picture, and weak, of as many pixels per rank."""
    rows = results.where(lab=MPI, ranks="!")
    rows = rows[rows["timed"]]
    return [
        _table(kind, groups, weak)
        for job in jobs(rows)
        for device in sorted(rows["device"].unique())  # a GPU per rank, or a core
        for kind, weak in (("Strong", False), ("Weak", True))
        if (groups := _scaling(job[job["device"] == device], weak))
    ]


def gpus_of(results: Results) -> List[Table]:
    """A table of the variants of lab 06 that ran on several GPUs: ms by GPUs."""
    rows = results.where(lab=STREAMS, backend="cuda", devices="!")
    rows = rows[rows["timed"]]
    rows = rows[rows["variant"].isin(rows.loc[rows["devices"] > 1, "variant"])]
    every = []
    for row in rows.itertuples():
        settings = [plural(row.filters, "filter")] * bool(row.filters)
        settings += [f"{getattr(row, name)} {text}" for name, text in SETTINGS.items() if getattr(row, name)]
        copies = [(row.with_copies, cell(row))] + [(True, number(row.total_ms))] * (not row.with_copies)
        for with_copies, ms in copies:
            how = ", ".join(settings + ["with copies"] * with_copies)
            every.append((row.pixels, row.variant, row.size, how, row.devices, ms, row.order))
    at = ["pixels", "variant", "size", "how"]
    found = DataFrame(every, columns=[*at, "devices", "ms", "order"]).drop_duplicates([*at, "devices"], keep="last")
    found = found[found.groupby(at)["devices"].transform("size") > 1].sort_values(at, kind="stable")
    if found.empty:
        return []
    counts = sorted(found["devices"].unique())
    lines = []
    for (_, *words), same in found.groupby(at):
        ms = dict(zip(same["devices"], same["ms"]))
        lines.append([*words, *(ms.get(count, DASH) for count in counts)])
    shown = results.every.loc[found["order"].unique()]
    caption = f"{hardware(shown)}: ms per picture by the number of GPUs. {runs(shown)}"
    head = ["variant", "size", "", *(plural(count, "GPU") for count in counts)]
    return [Table("several_gpus", caption, head, lines, left=3)]


def tables_of(machines: Sequence[Results], lab: str) -> List[Table]:
    """The tables of several GPUs, of the machine that had most, or of ranks, each job on the machine that had most."""
    if lab == STREAMS:
        tables = [table for results in machines for table in gpus_of(results)]
        return sorted(tables, key=lambda table: int(table.header[-1].split()[0]))[-1:]
    found: Dict[str, Table] = {}

    def most(table: Table) -> int:
        return max(int(name) for name in table.header if name.isdigit())

    for table in (table for results in machines if lab == MPI for table in mpi_of(results)):
        kind, _, job = table.caption.partition(";")[0].partition(": ")
        at = kind.split()[0] + job
        if at not in found or most(found[at]) < most(table):
            found[at] = table
    return list(found.values())


def _fastest(results: Results, rows: DataFrame) -> DataFrame:
    """Of the job with the most rows the fastest of each lab, at the largest size that the baseline has, or else that was timed."""
    timed = next(iter(jobs(rows[rows["timed"]])), rows[:0])
    based = timed.loc[results.baseline(timed, BASELINES[0]).index]
    pixels = (timed if based.empty else based)["pixels"].max()
    return fastest_each(timed[timed["pixels"] == pixels], ["lab"])


def ladder(results: Results) -> Optional[Table]:
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
        step = row.variant + f", {row.threads} threads" * bool(row.threads)
        idea = IDEAS.get(f"{row.lab} {row.variant}", DASH)
        lines.append([row.lab, step, idea, cell(row), number(row.gain), percent(row.of_ceiling)])
    size = re.sub("k$", "K", best[0]["size"].iloc[0])
    head = ["lab", "variant", "idea", f"ms at {size}", f"speed-up over `{BASELINES[0]}`", "share of a copy's bandwidth"]
    return Table("ladder", "", head, lines, left=3)


def _tables(machines: Sequence[Results], nested: Sequence[DataFrame], lab: str) -> List[Table]:
    """One job of one machine in each, with the variants that no table before has. Chains and several GPUs stand elsewhere."""
    tables: List[Table] = []
    shown: List[str] = []
    for results, bases in zip(machines, nested):
        rows = results.every[matching(results.every, {"lab": lab, "filters": "", "devices": "|1"})]
        rows = rows[~rows["variant"].isin(shown)]
        while rows["timed"].any() and (mine := Lab(lab, rows, bases)).labels:
            tables.append(lab_table(mine))
            shown += distinct(mine.rows, "variant")
            rows = rows[~rows["variant"].isin(shown)]
    return tables


def all_sizes(machines: Sequence[Results]) -> List[Section]:
    """A section for each lab."""
    labs = sorted({lab for results in machines for lab in distinct(results.rows, "lab")})
    nested = [baselines(results.every) for results in machines]
    items = {lab: (_tables(machines, nested, lab) if lab != MPI else []) + tables_of(machines, lab) for lab in labs}
    return [Section(f"All sizes: {lab}", list(found) or ["Not measured."]) for lab, found in items.items()]
