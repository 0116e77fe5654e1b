# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""More processors on one picture: MPI ranks (lab 11), several GPUs of one host (lab 06)."""

from typing import Any, Dict, List, Sequence, Set, Tuple

from ..figures.content import (
    DASH,
    NO_BAR,
    RATIOS,
    Figure,
    Line,
    Section,
    Table,
    joined,
    number,
    plural,
    times,
)
from ..figures.series import describe, describe_hardware, describe_job, jobs, processor, runs
from ..figures.shapes import Panel, cell, fastest_each, grouped, plot
from ..measurements.rows import Row
from ..measurements.selection import Results

MPI, STREAMS = "11_mpi", "06_async_streams"
FEW = 3  # numbers of ranks, of which the first has a speed-up of 1: a table says it
MOST_ON_LINEAR = 8  # ranks; from there on the axes are logarithmic
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


def _largest(groups: Groups) -> Groups:
    """The groups of the picture (or share) that most of them have, of these the largest."""
    by_size = grouped(groups, lambda key: key[-1])
    pixels = {size: max(row.pixels for key in keys for row in groups[key].values()) for size, keys in by_size.items()}
    chosen = max(by_size, key=lambda size: (len(by_size[size]), pixels[size]))
    return {key: groups[key] for key in by_size[chosen]}


def _label(at: At) -> str:
    variant, passes, halo_passes, threads, _ = at
    if halo_passes:  # a halo lasts for no more passes than there are
        halo_passes = str(min(int(halo_passes), int(passes or 1)))
    words = ((passes, "{} passes"), (halo_passes, "halos for {}"), (threads, "{} threads per rank"))
    return ", ".join([variant, *(text.format(value) for value, text in words if value not in ("", "1"))])


def _passes(row: Row) -> str:
    many = row.passes or "1"
    return f"{many} pass" + "es" * (many != "1") + ", a GPU per rank" * (row.backend == "cuda")


def _panel(words: str, groups: Groups, weak: bool) -> Panel:
    """A line for each group: the time of its fewest ranks over that of more."""
    lines = []
    for at, group in groups.items():
        points = [(ranks, group[min(group)].ms / row.ms, NO_BAR, row.is_noisy) for ranks, row in group.items()]
        lines.append(Line(_label(at), points, variant=f"{MPI} {at[0]}"))
    ranks = sorted({count for group in groups.values() for count in group})
    ideal = [(count, 1.0 if weak else count / ranks[0], NO_BAR, False) for count in ranks]
    many = max(ranks) > MOST_ON_LINEAR
    sizes = sorted({row.size_name for group in groups.values() for row in group.values()})
    return Panel(
        [*lines, Line("ideal", ideal, dashed=True)],
        "ranks",
        "efficiency" if weak else "speed-up (x)",
        words if weak else f"{words}, {joined(sizes)}",
        ticks={count: str(count) for count in ranks},
        log_x=10 * many,
        log_y=many and not weak,
        from_zero=not many or weak,
    )


def _table(name: str, kind: str, groups: Groups, weak: bool) -> Table:
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
    caption = f"{kind} scaling, {describe_hardware(rows)}: {describe_job(rows)}, {_passes(rows[0])}; ms by ranks. {runs(rows)}"
    head = ["variant", "size" + " per rank" * weak, *map(str, ranks), "speed-up of the most"]
    head += ["exchanging ms", "waiting ms"][: len(parts)]
    return Table(f"{name}_{kind.lower()}", caption, head, lines, left=2)


def mpi_of(results: Results, before: int = 0) -> List[Any]:
    """Figures and tables of lab 11 on one machine; `before`: how many figures there are of other machines."""
    rows = [row for row in results.where(lab=MPI) if row.timed and row.ranks]
    processors = sorted({row.device for row in rows})  # a GPU per rank, or a core
    items: List[Any] = []
    for job in [[row for row in job if row.device == device] for job in jobs(rows) for device in processors]:
        kinds = [
            (words, groups, weak)
            for words, weak in (("strong: one picture", False), ("weak: as many pixels per rank", True))
            for groups in [_groups(job, weak)]
            if groups
        ]
        place = before + 1 + sum(isinstance(item, Figure) for item in items)
        name = "mpi_scaling" + f"_{place}" * (place > 1)
        if kinds and len({row.ranks for row in job}) > FEW:
            drawn = [(words, _largest(groups), weak) for words, groups, weak in kinds]
            shown = [row for _, groups, _ in drawn for group in groups.values() for row in group.values()]
            caption = (
                f"MPI, {describe_job(job)}, {_passes(job[0])}, {processor(job[0])}: time of the fewest ranks "
                "over that of more: how far does each line stay below the ideal?"
            )
            title = f"MPI: {joined(words.partition(':')[0] for words, *_ in kinds)} scaling, {_passes(job[0])}"
            about = f"{describe_hardware(shown)}. Over the time of the fewest ranks. {RATIOS}"
            panels = [_panel(*one) for one in drawn]
            items.append(plot(name, caption, title, describe(shown, about, bars=False), panels, legend=-1))
        items += [_table(name, words.partition(":")[0].capitalize(), groups, weak) for words, groups, weak in kinds]
    return items


def mpi(machines: Sequence[Results]) -> Section:
    """The figures of lab 11 on every machine that has its rows."""
    items: List[Any] = []
    for results in machines:
        items += [item for item in mpi_of(results, len(items)) if isinstance(item, Figure)]
    return Section("MPI: strong and weak scaling", items or ["Not measured: lab 11, MPI."])


def gpus_of(results: Results, shown: Set[At]) -> List[Table]:
    """A table of the variants of lab 06 that ran on several GPUs: ms by GPUs. shown: what a table of more GPUs has."""
    timed = [row for row in results.where(lab=STREAMS, backend="cuda") if row.timed and row.devices]
    names = {row.variant for row in timed if int(row.devices) > 1}
    found: Dict[Tuple[int, At], Dict[int, Tuple[str, Row]]] = {}
    for row in (row for row in timed if row.variant in names):
        settings = [plural(int(row.filters or 0), "filter")] * bool(row.filters)
        settings += [f"{row[name]} {text}" for name, text in SETTINGS.items() if row[name]]
        copies = [(row.with_copies, cell(row))] + [(True, number(row.total_ms))] * (not row.with_copies)
        for with_copies, ms in copies:
            at = row.variant, row.size_name, ", ".join(settings + ["with copies"] * with_copies)
            if at not in shown:
                found.setdefault((row.pixels, at), {})[int(row.devices)] = ms, row
    several = {at: times for (_, at), times in sorted(found.items()) if len(times) > 1}
    shown |= set(several)
    rows = list({id(row): row for times in several.values() for _, row in times.values()}.values())
    counts = sorted({int(row.devices) for row in rows})
    lines = [[*at, *(ms[count][0] if count in ms else DASH for count in counts)] for at, ms in several.items()]
    caption = f"{describe_hardware(rows)}: ms per picture by the number of GPUs. {runs(rows)}" if lines else ""
    head = ["variant", "size", "", *(plural(count, "GPU") for count in counts)]
    return [Table("several_gpus", caption, head, lines, left=3)] * bool(lines)


def _most_gpus(results: Results) -> int:
    return max((int(row.devices or 0) for row in results.where(lab=STREAMS) if row.timed), default=0)


def tables_of(machines: Sequence[Results], lab: str) -> List[Table]:
    """The tables of several GPUs or ranks of this lab, each job on the machine that had most."""
    if lab == STREAMS:
        shown: Set[At] = set()
        return [table for one in sorted(machines, key=_most_gpus, reverse=True) for table in gpus_of(one, shown)]
    found: Dict[str, Table] = {}
    for table in (item for results in machines if lab == MPI for item in mpi_of(results) if isinstance(item, Table)):
        kind, _, job = table.caption.partition(";")[0].partition(": ")
        at = kind.split()[0] + job
        if at not in found or len(found[at].header) < len(table.header):
            found[at] = table
    return list(found.values())
