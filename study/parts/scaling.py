# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""More processors on one picture: MPI ranks (lab 11)."""

from typing import Any, Dict, List, Sequence, Tuple

from ..figures import drawing
from ..figures.content import (
    NO_BAR,
    NOISY,
    Figure,
    Line,
    Section,
    Table,
    joined,
    number,
    percent,
    short_name,
    times,
    to_markdown,
)
from ..figures.labels import RATIOS
from ..figures.series import describe, describe_hardware, describe_job, jobs, processor, runs
from ..measurements.rows import EMULATED, Row
from ..measurements.selection import Results
from . import several_gpus

MPI = "11_mpi"
FEW = 3  # numbers of ranks, of which the first has a speed-up of 1: a table says it
MOST_ON_LINEAR = 8  # ranks; from there on the axes are logarithmic
Group = Dict[int, Row]  # rows by number of ranks


def _parts_words(rows: Sequence[Row]) -> str:
    """What the columns of a rank's parts mean, where a row has them."""
    if any(row.number["compute_ms"] is not None for row in rows):
        return "; parts: of the slowest rank"
    return "; parts not recorded"


def readme_scaling(machines: Sequence[Results], lab: str) -> str:
    """The tables of several GPUs or ranks for a lab's README, of all machines; empty: none has them."""
    parts = []
    for results in machines:
        tables = [
            item
            for item in (several_gpus.tables(results) if lab == several_gpus.LAB else _mpi_of(results))
            if isinstance(item, Table)
        ]
        for table in tables:
            text = f"{table.caption}\n\n{to_markdown(table)}"
            parts.append(
                text
                if not table.fold
                else f"<details><summary>{table.caption}</summary>\n\n{to_markdown(table)}\n</details>\n"
            )
    return "\n".join(parts)


def _groups(rows: Sequence[Row], weak: bool) -> Dict[Tuple[str, ...], Group]:
    """Rows of one variant by ranks: of one picture (strong), or of as many pixels per rank (weak)."""
    found: Dict[Tuple[str, ...], Group] = {}
    for row in rows:
        ranks = row.integer("ranks") or 1
        size = f"{round(row.pixels / ranks / 1000)}" if weak else f"{row.width}x{row.height}"
        at = (row.variant, row.passes, row.halo_passes, row.threads, size)
        other = found.setdefault(at, {}).get(ranks)
        if other is None or row.ms < other.ms:
            found[at][ranks] = row
    return {
        at: group
        for at, group in found.items()
        if len(group) > 1 and len({row.pixels for row in group.values()}) == (len(group) if weak else 1)
    }


def _label(at: Tuple[str, ...]) -> str:
    variant, passes, halo_passes, threads, _ = at
    if halo_passes:  # a halo lasts for no more passes than there are
        halo_passes = str(min(int(halo_passes), int(passes or 1)))
    words = [
        f"{passes} passes" if passes not in ("", "1") else "",
        f"halos for {halo_passes}" if halo_passes not in ("", "1") else "",
        f"{threads} threads per rank" if threads not in ("", "1") else "",
    ]
    return ", ".join([variant, *filter(None, words)])


def _lines(groups: Dict[Tuple[str, ...], Group], weak: bool) -> List[List[str]]:
    lines = []
    for at, group in sorted(groups.items()):
        first = min(group)
        for ranks, row in sorted(group.items()):
            gain = group[first].ms / row.ms
            efficiency = gain if weak else gain * first / ranks
            parts = [row.number[name] for name in ("compute_ms", "exchange_ms", "wait_ms")]
            lines.append(
                [
                    _label(at),
                    row.size_name,
                    str(ranks),
                    number(row.ms) + NOISY * row.is_noisy,
                    times(gain),
                    percent(efficiency),
                    *map(number, parts),
                ]
            )
    return lines


Panel = Tuple[str, Dict[Tuple[str, ...], Group], bool]


def _draw(panels: Sequence[Panel], rows: Sequence[Row]) -> Any:
    figure, axes = drawing.canvas(4.0, columns=len(panels))
    for panel, (title, groups, weak) in zip(axes[0], panels):
        lines = []
        for at, group in sorted(groups.items()):
            first = min(group)
            lines.append(
                Line(
                    _label(at),
                    [(ranks, group[first].ms / row.ms, NO_BAR, row.is_noisy) for ranks, row in sorted(group.items())],
                    variant=f"{MPI} {at[0]}",
                )
            )
        ticks = sorted({ranks for group in groups.values() for ranks in group})
        ideal = [(ranks, 1.0 if weak else ranks / ticks[0], NO_BAR, False) for ranks in ticks]
        many = max(ticks) > MOST_ON_LINEAR
        drawing.draw_lines(panel, [*lines, Line("ideal", ideal, dashed=True)], log_y=many and not weak)
        if many:
            panel.set_xscale("log")
            drawing.plain(panel.xaxis)
            panel.xaxis.set_minor_locator(drawing.ticker.NullLocator())
        if not many or weak:
            panel.set_ylim(0, panel.get_ylim()[1] * 1.08)
        panel.set_xticks(ticks)
        names = sorted({row.size_name for group in groups.values() for row in group.values()})
        panel.set_title(title if weak else f"{title}, {joined(names)}", loc="left")
        panel.set(xlabel="ranks", ylabel="efficiency" if weak else "speed-up (x)")
    shown = [row for _, groups, _ in panels for group in groups.values() for row in group.values()]
    kinds = joined(title.partition(":")[0] for title, *_ in panels)
    return drawing.finish(
        figure,
        f"MPI: {kinds} scaling, {_passes(rows)}",
        describe(shown, f"{describe_hardware(shown)}. Over the time of the fewest ranks. {RATIOS}", bars=False),
        legend=axes[0],
    )


def _passes(rows: Sequence[Row]) -> str:
    many = rows[0].passes or "1"
    return f"{many} pass" + "es" * (many != "1") + ", a GPU per rank" * (rows[0].backend == "cuda")


def _largest(groups: Dict[Tuple[str, ...], Group]) -> Dict[Tuple[str, ...], Group]:
    """The groups of the picture (or share) that most of them have, of these the largest."""
    sizes: Dict[str, int] = {}
    for at in groups:
        sizes[at[-1]] = sizes.get(at[-1], 0) + 1
    pixels = {at[-1]: max(row.pixels for row in group.values()) for at, group in groups.items()}
    if not sizes:
        return {}
    chosen = max(sizes, key=lambda size: (sizes[size], pixels[size]))
    return {at: group for at, group in groups.items() if at[-1] == chosen}


def _mpi_of(results: Results, before: int = 0) -> List[Any]:
    """Figures and tables of lab 11 on one machine; `before`: how many figures there are of other machines."""
    rows = [row for row in results.where(lab=MPI) if row.timed and row.ranks and row.backend != EMULATED]
    items: List[Any] = []
    processors = sorted({row.device for row in rows})  # a GPU per rank, or a core
    parts = [[row for row in job if row.device == device] for job in jobs(rows) for device in processors]
    for job in filter(None, parts):
        strong, weak = _groups(job, False), _groups(job, True)
        panels = [
            (words, _largest(groups), is_weak)
            for words, groups, is_weak in (
                ("strong: one picture", strong, False),
                ("weak: as many pixels per rank", weak, True),
            )
            if groups
        ]
        if not panels:
            continue
        place = before + 1 + sum(isinstance(item, Figure) for item in items)
        name = "mpi_scaling" + f"_{place}" * (place > 1)
        if len({row.ranks for row in job}) > FEW:
            items.append(
                Figure(
                    name,
                    f"MPI, {describe_job(job)}, {_passes(job)}, {processor(job[0])}: time of the fewest ranks "
                    "over that of more; how far each line stays below the ideal.",
                    lambda panels=panels, job=job: _draw(panels, job),
                )
            )
        for kind, groups, is_weak in (("strong", strong, False), ("weak", weak, True)):
            if groups:
                shown = [row for group in groups.values() for row in group.values()]
                items.append(
                    Table(
                        f"{name}_{kind}",
                        f"{kind.capitalize()} scaling, {describe_hardware(job)}: {describe_job(job)}, {_passes(job)}{_parts_words(shown)}. "
                        f"{'Efficiency: the speed-up. ' * is_weak}{runs(shown)}",
                        [
                            "variant",
                            "size",
                            "ranks",
                            "ms",
                            "speed-up",
                            "efficiency",
                            "computing ms",
                            "exchanging ms",
                            "waiting ms",
                        ],
                        _lines(groups, is_weak),
                        left=2,
                        fold=len(groups) > 6,
                    )
                )
    return items


def mpi(machines: Sequence[Results]) -> Section:
    """Strong and weak scaling of lab 11 on every machine that has its rows."""
    items: List[Any] = []
    for results in machines:
        found = _mpi_of(results, sum(isinstance(item, Figure) for item in items))
        items += [f"Machine: {short_name(results.machine)}."] * bool(found) + found
    return Section("MPI: strong and weak scaling", items or ["Not measured: lab 11, MPI."], rows=[])
