# SPDX-License-Identifier: MIT
"""The labs: all variants at all sizes for the appendix (the tables of `make plots`), more processors on one picture (MPI ranks, several
GPUs of one host), and the fastest of each lab for README.md."""

import re
from typing import Dict, List, Optional, Sequence, Set, Tuple

from tools.plots.jobs import Lab, compared, hardware
from tools.plots.rows import Row
from tools.plots.selection import distinct
from tools.plots.tables import lab_table

from ..figures.content import DASH, Section, Table, cell, fastest_each, grouped, number, percent, plural, times
from ..figures.series import describe_job, jobs, runs
from ..measurements.results import BASELINES, Results

MPI, STREAMS = "11_mpi", "06_async_streams"
SETTINGS = {"halo_passes": "filters per halo", "in_flight": "in flight", "bands": "bands", "streams": "streams"}
At = Tuple[str, ...]  # what a line of a figure is of: variant, passes, passes of a halo, threads, size or share
Groups = Dict[At, Dict[int, Row]]  # rows by number of ranks


def _groups(rows: Sequence[Row], weak: bool) -> Groups:
    """Rows of one variant by ranks: of one picture (strong), or of as many pixels per rank (weak)."""

    def at(row: Row) -> At:
        share = str(round(row.pixels / (row.integer("ranks") or 1) / 1000))
        return row.variant, row.passes, row.halo_passes, row.threads, share if weak else f"{row.width}x{row.height}"

    found = {key: fastest_each(same, lambda row: row.integer("ranks") or 1) for key, same in grouped(rows, at).items()}
    return {
        key: dict(sorted(group.items()))
        for key, group in sorted(found.items())
        if len(group) > 1 and len({row.pixels for row in group.values()}) == (len(group) if weak else 1)
    }


def _label(at: At) -> str:
    variant, passes, halo_passes, threads, _ = at
    if halo_passes:  # a halo lasts for no more passes than there are
        halo_passes = str(min(int(halo_passes), int(passes or 1)))
    words = ((passes, "{} passes"), (halo_passes, "halos for {}"), (threads, "{} threads per rank"))
    return ", ".join([variant, *(text.format(value) for value, text in words if value not in ("", "1"))])


def _passes(row: Row) -> str:
    many = row.passes or "1"
    return f"{many} pass" + "es" * (many != "1") + ", a GPU per rank" * (row.backend == "cuda")


def _table(kind: str, groups: Groups, weak: bool) -> Table:
    """A line for each group, of a variant the largest picture: its time by ranks, and what the most ranks gain."""
    kept = {at[:-1]: at for at in sorted(groups, key=lambda at: max(row.pixels for row in groups[at].values()))}
    groups = {at: groups[at] for at in sorted(kept.values())}
    ranks = sorted({count for group in groups.values() for count in group})
    rows = [row for group in groups.values() for row in group.values()]
    parts = ("exchange_ms", "wait_ms") if any(row.number["exchange_ms"] is not None for row in rows) else ()
    lines = []
    for at, group in groups.items():
        last = group[max(group)]
        line = [_label(at), group[min(group)].size_name, *(cell(group.get(count)) for count in ranks)]
        lines.append([*line, times(group[min(group)].ms / last.ms), *(number(last.number[part]) for part in parts)])
    caption = f"{kind} scaling, {hardware(rows)}: {describe_job(rows)}, {_passes(rows[0])}; ms by ranks. {runs(rows)}"
    head = ["variant", "size" + " per rank" * weak, *map(str, ranks), "speed-up of the most"]
    head += ["exchanging ms", "waiting ms"][: len(parts)]
    return Table("mpi_scaling", caption, head, lines, left=2)


def mpi_of(results: Results) -> List[Table]:
    """The tables of lab 11 on one machine: strong scaling of one picture, and weak, of as many pixels per rank."""
    rows = [row for row in results.where(lab=MPI) if row.timed and row.ranks]
    processors = sorted({row.device for row in rows})  # a GPU per rank, or a core
    return [
        _table(kind, groups, weak)
        for job in jobs(rows)
        for device in processors
        for kind, weak in (("Strong", False), ("Weak", True))
        if (groups := _groups([row for row in job if row.device == device], weak))
    ]


def gpus_of(results: Results) -> List[Table]:
    """A table of the variants of lab 06 that ran on several GPUs: ms by GPUs."""
    timed = [row for row in results.where(lab=STREAMS, backend="cuda") if row.timed and row.devices]
    names = {row.variant for row in timed if int(row.devices) > 1}
    found: Dict[Tuple[int, At], Dict[int, Tuple[str, Row]]] = {}
    for row in (row for row in timed if row.variant in names):
        settings = [plural(int(row.filters or 0), "filter")] * bool(row.filters)
        settings += [f"{row[name]} {text}" for name, text in SETTINGS.items() if row[name]]
        copies = [(row.with_copies, cell(row))] + [(True, number(row.total_ms))] * (not row.with_copies)
        for with_copies, ms in copies:
            at = row.variant, row.size_name, ", ".join(settings + ["with copies"] * with_copies)
            found.setdefault((row.pixels, at), {})[int(row.devices)] = ms, row
    several = {at: times for (_, at), times in sorted(found.items()) if len(times) > 1}
    rows = list({id(row): row for times in several.values() for _, row in times.values()}.values())
    counts = sorted({int(row.devices) for row in rows})
    lines = [[*at, *(ms[count][0] if count in ms else DASH for count in counts)] for at, ms in several.items()]
    caption = f"{hardware(rows)}: ms per picture by the number of GPUs. {runs(rows)}" if lines else ""
    head = ["variant", "size", "", *(plural(count, "GPU") for count in counts)]
    return [Table("several_gpus", caption, head, lines, left=3)] * bool(lines)


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


def _fastest(results: Results, rows: Sequence[Row]) -> List[Row]:
    """Of the job with the most rows the fastest of each lab, at the largest size that the baseline has, or else that was timed."""
    timed = next(iter(jobs([row for row in rows if row.timed])), [])
    based = [row for row in timed if results.baseline(row, BASELINES[0])] or timed
    pixels = max((row.pixels for row in based), default=0)
    return list(fastest_each((row for row in timed if row.pixels == pixels), lambda row: row.lab).values())


def ladder(results: Results) -> Optional[Table]:
    """The baseline and the fastest variant of each lab, None if nothing was timed. A lab without rows of the common
    job has a line for another job."""
    best = _fastest(results, results.bench)
    if not best:
        return None
    labs = [lab for lab in distinct(results.bench, "lab") if lab not in {row.lab for row in best}]
    best += [row for lab in labs for row in _fastest(results, [row for row in results.bench if row.lab == lab])]
    base = results.baseline(best[0], BASELINES[0])
    first = [base] if base is not None and base not in best else []
    lines = []
    for row in first + sorted(best, key=lambda row: row.lab):
        step = row.variant + f", {row.threads} threads" * bool(row.threads)
        lines.append([row.lab, step, cell(row), number(results.speed_up(row)), percent(row.of_ceiling)])
    size = re.sub("k$", "K", best[0].size_name)
    head = ["lab", "variant", f"ms at {size}", f"speed-up over `{BASELINES[0]}`", "share of a copy's bandwidth"]
    return Table("ladder", "", head, lines, left=2)


def _tables(machines: Sequence[Results], lab: str) -> List[Table]:
    """One job of one machine in each, with the variants that no table before has. Chains and several GPUs stand elsewhere."""
    tables: List[Table] = []
    shown: Set[str] = set()
    for results in machines:
        rows = [row for row in results.every if not row.filters and row.devices in ("", "1")]
        while (mine := Lab(lab, [row for row in rows if row.variant not in shown])).curves:
            tables.append(lab_table(mine, compared(results.every)))
            shown |= set(distinct(mine.rows, "variant"))
    return tables


def all_sizes(machines: Sequence[Results]) -> List[Section]:
    """A section for each lab."""
    labs = sorted({lab for results in machines for lab in distinct(results.rows, "lab")})
    items = {lab: (_tables(machines, lab) if lab != MPI else []) + tables_of(machines, lab) for lab in labs}
    return [Section(f"All sizes: {lab}", list(found) or ["Not measured."]) for lab, found in items.items()]
