# SPDX-License-Identifier: MIT
"""The tables of a lab's rows, and what a reader of them must know."""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .jobs import Compared, Lab, job_of, job_words
from .rows import Row
from .selection import distinct
from .words import DASH, NOISY, Table, joined, number, percent, plural, short, times

DISTURBED = "‡"
# What is known of a machine: the column, and how its values are written.
MACHINE: Dict[str, Tuple[str, Callable[[str], str]]] = {
    "processors and GPUs": ("device", str),
    "sockets": ("sockets", str),
    "cores": ("cores", str),
    "threads per core": ("threads_per_core", str),
    "caches": ("caches", lambda value: value.replace(" for 1 CPU", "")),
    "memory": ("ram_bytes", lambda value: f"{int(value) / 2**30:.0f} GiB"),
    "virtual machine": ("virtual_machine", lambda value: "yes" if value == "1" else "no"),
    "clock before (MHz)": ("cpu_mhz", lambda value: f"{float(value):.0f}"),
    "governor": ("governor", str),
    "turbo": ("turbo", str),
    "GPU clocks": ("gpu_clocks", str),
    "GPU driver": ("driver", str),
    "compiler": ("compiler", str),
    "flags": ("flags", str),
    "pinned threads": ("pinning", str),
    "revision": ("revision", lambda value: value[:7]),
    "measured (UTC)": ("date", lambda value: value[:10]),
}
MANY = 3  # values of one machine: of more these are named
FEW = 6  # iterations: fewer have no interval of the median


def cell(row: Optional[Row]) -> str:
    """The time, with a mark where it is noisy or was disturbed."""
    return DASH if row is None else number(row.ms) + NOISY * (row.is_noisy) + DISTURBED * row.disturbed


def machines_table(caption: str, machines: Sequence[Sequence[Row]]) -> Table:
    """A column for each machine, from its rows; a line for what is known of one at least."""
    lines = []
    for words, (column, written) in MACHINE.items():
        values = [list(dict.fromkeys(map(written, sorted(distinct(rows, column))))) for rows in machines]
        if any(values):
            more = [[f"{len(found) - MANY} more"] * (len(found) > MANY) for found in values]
            lines.append([words, *("; ".join(found[:MANY] + rest) or DASH for found, rest in zip(values, more))])
    head = ["", *(short(rows[0].machine) for rows in machines)]
    return Table("machines", caption, head, lines, left=len(head))


def _at(size: Tuple[int, str], rows: Sequence[Row]) -> str:
    return f"at {size[1]}" if len({row.pixels for row in rows}) > 1 else ""


def lab_table(lab: Lab, to: Compared) -> Table:
    """A line for each variant: its time at each size; speed-up and share of a copy at the largest."""
    at = lab.compared_at
    lines = [
        [
            label,
            *(cell(lab.at(label, size)) for size in lab.sizes),
            times(to.speed_up(lab, lab.at(label, at))),
            percent(row.of_ceiling if (row := lab.at(label, at)) else None),
        ]
        for label in lab.curves
    ]
    return Table(
        "lab",
        f"ms; {lab.caption()}; speed-up and share of a copy {_at(at, lab.rows)}".rstrip() + ".",
        ["variant", *(name for _, name in lab.sizes), f"over {to.name(lab)}", "of a copy"],
        lines,
    )


def rest_table(lab: Lab) -> Optional[Table]:
    """A line for each other job of the lab: how many rows, and the fastest at the largest size."""
    groups: Dict[Any, List[Row]] = {}
    for row in lab.rest:
        groups.setdefault((row.sweep, job_of(row), row.with_copies, row.iterations, row.in_rounds), []).append(row)
    lines = []
    for rows in groups.values():
        largest = [row for row in rows if row.pixels == max(row.pixels for row in rows)]
        best = min(largest, key=lambda row: row.ms)
        lines.append(
            [
                job_words(rows[0]),
                "sweep" if best.sweep else "bench",
                str(best.iterations),
                str(len(rows)),
                joined(distinct(rows, "variant")),
                f"{best.variant} at {best.size_name}",
                cell(best),
            ]
        )
    return (
        Table(
            "rest",
            f"Also timed: {plural(len(lab.rest), 'row')} of other jobs, settings or iterations, which are in the CSV files.",
            ["job", "from", "iterations", "rows", "variants", "fastest", "ms"],
            lines,
            left=2,
        )
        if lines
        else None
    )


def untimed_table(lab: Lab) -> Optional[Table]:
    """A line for each variant and reason."""
    groups: Dict[Tuple[str, str, str], List[Row]] = {}
    for row in lab.untimed:
        status = row.status if row.status != "ok" else "ok, but below the clock's resolution"
        groups.setdefault((row.variant, status, row.reason), []).append(row)
    lines = [
        [variant, status, reason or DASH, joined(dict.fromkeys(row.size_name for row in rows)), str(len(rows))]
        for (variant, status, reason), rows in groups.items()
    ]
    return (
        Table("untimed", "Not timed.", ["variant", "status", "reason", "sizes", "rows"], lines, left=4)
        if lines
        else None
    )


def emulated_words(lab: Lab) -> str:
    return (
        (
            f"{plural(lab.emulated, 'row')} of {lab.name} ran as CUDA on the CPU, which is checked, not timed: a time needs an "
            "NVIDIA GPU."
        )
        if lab.emulated
        else ""
    )


def marks(rows: Sequence[Row], at_one_size: Sequence[Row], to: Compared) -> List[str]:
    """What a reader of the tables must know; of marks only those that are there."""
    found = [
        "“Of a copy”: the bytes of the input and of the output by the time, as a share of the rate of the fastest plain copy that a "
        "row names for the same processor."
    ]
    if any((row.of_ceiling or 0) > 1 for row in at_one_size):
        found[0] += " Above 100 %: a part of the picture stays in a cache."
    if any(row.with_copies for row in rows):
        found.append(
            "“With copies”: the copies to the GPU and back are a part of the time; there a copy is the bus, both directions busy."
        )
    if any(row.is_noisy for row in rows):
        found.append(
            f"{NOISY} noisy: the 95 % interval of the median is wider than 5 % of it. In a figure its point is hollow."
        )
    if any(row.disturbed for row in rows):
        found.append(
            f"{DISTURBED} disturbed: something else ran on the machine meanwhile; measure again. In a figure its point is hollow."
        )
    if any(row.iterations < FEW for row in rows):
        found.append(f"With fewer than {FEW} iterations no row can be called noisy.")
    return found
