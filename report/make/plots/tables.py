# SPDX-License-Identifier: MIT
"""The tables of a lab's rows, and what a reader of them must know."""

from collections.abc import Callable, Sequence
from typing import Any

from pandas import DataFrame

from .jobs import JOB, Lab, job_words
from .results import EMULATED, distinct
from .words import DASH, NOISY, Table, joined, number, percent, plural, short, times

# What is known of a machine: the column, and how its values are written.
MACHINE: dict[str, tuple[str, Callable[[Any], str]]] = {
    "processors and GPUs": ("device", str),
    "sockets": ("sockets", str),
    "cores": ("cores", str),
    "threads per core": ("threads_per_core", str),
    "caches": ("caches", lambda value: value.replace(" for 1 CPU", "")),
    "memory": ("ram_bytes", lambda value: f"{value / 2**30:.0f} GiB"),
    "virtual machine": ("virtual_machine", lambda value: "yes" if value == "1" else "no"),
    "clock before (MHz)": ("cpu_mhz", lambda value: f"{value:.0f}"),
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


def cell(row: Any, missing: str = DASH) -> str:
    """A time, with the mark of a noisy row; or in one or two words why it has none."""
    if row is None:
        return missing
    if row.timed:
        return number(row.ms) + (NOISY if row.is_noisy else "")
    emulated = "emulated" if row.backend == EMULATED else "below the clock"
    return row.status if row.status != "ok" else emulated


def machines_table(caption: str, machines: Sequence[DataFrame]) -> Table:
    """A column for each machine, from its rows; a line for what is known of one at least."""
    lines = []
    for words, (column, written) in MACHINE.items():
        known = [sorted(value for value in distinct(rows, column) if value == value) for rows in machines]
        values = [list(dict.fromkeys(map(written, column_values))) for column_values in known]
        if any(values):
            more = [f"; {len(texts) - MANY} more" if len(texts) > MANY else "" for texts in values]
            lines.append([words, *("; ".join(texts[:MANY]) + rest or DASH for texts, rest in zip(values, more))])
    head = ["", *(short(rows["machine"].iloc[0]) for rows in machines)]
    return Table("machines", caption, head, lines, left=len(head))


def lab_table(lab: Lab) -> Table:
    """A line for each variant: its time at each size; speed-up and share of a copy at the largest."""
    cells = {(row.label, row.pixels): cell(row) for row in lab.rows.itertuples()}
    gains = lab.compared.set_index("label")
    lines = [
        [
            label,
            *(cells.get((label, pixels), DASH) for pixels, _ in lab.sizes),
            times(gains["speed_up"].get(label)),
            percent(gains["of_ceiling"].get(label)),
        ]
        for label in lab.labels
    ]
    at = f"at {lab.compared_at[1]}" if lab.rows["pixels"].nunique() > 1 else ""
    return Table(
        "lab",
        f"ms; {lab.caption()}; speed-up and share of a copy {at}".rstrip() + ".",
        ["variant", *(name for _, name in lab.sizes), f"over {lab.baseline}", "of a copy"],
        lines,
    )


def rest_table(lab: Lab) -> Table | None:
    """A line for each other job of the lab: how many rows, and the fastest at the largest size."""
    lines = []
    for _, rows in lab.rest.groupby(["sweep", *JOB, "with_copies", "iterations", "in_rounds"], sort=False):
        largest = rows[rows["pixels"] == rows["pixels"].max()]
        best = next(largest.loc[[largest["ms"].idxmin()]].itertuples())
        lines.append(
            [
                job_words(best),
                "sweep" if best.sweep else "bench",
                str(best.iterations),
                str(len(rows)),
                joined(distinct(rows, "variant")),
                f"{best.variant} at {best.size}",
                cell(best),
            ]
        )
    caption = (
        f"Also timed: {plural(len(lab.rest), 'row')} of other jobs, settings or iterations, which are in the CSV files."
    )
    head = ["job", "from", "iterations", "rows", "variants", "fastest", "ms"]
    return Table("rest", caption, head, lines, left=2) if lines else None


def untimed_table(lab: Lab) -> Table | None:
    """A line for each variant and reason."""
    status = lab.untimed["status"].replace("ok", "ok, but below the clock's resolution")
    lines = [
        [variant, said, reason or DASH, joined(rows["size"].unique()), str(len(rows))]
        for (variant, said, reason), rows in lab.untimed.groupby(["variant", status, "reason"], sort=False)
    ]
    head = ["variant", "status", "reason", "sizes", "rows"]
    return Table("untimed", "Not timed.", head, lines, left=4) if lines else None


def emulated_words(lab: Lab) -> str:
    words = f"{plural(lab.emulated, 'row')} of {lab.name} ran as CUDA on the CPU, which is checked, not timed: a time needs an NVIDIA GPU."
    return words if lab.emulated else ""


def marks(rows: DataFrame, at_one_size: DataFrame) -> list[str]:
    """What a reader of the tables must know; of marks only those that are there."""
    sentences = [
        "“Of a copy”: the bytes of the input and of the output by the time, as a share of the rate of the fastest plain copy that a "
        "row names for the same processor."
    ]
    if (at_one_size["of_ceiling"] > 1).any():
        sentences[0] += " Above 100 %: a part of the picture stays in a cache."
    if rows["with_copies"].any():
        sentences.append(
            "“With copies”: the copies to the GPU and back are a part of the time; there a copy is the bus, both directions busy."
        )
    if rows["is_noisy"].any():
        sentences.append(
            f"{NOISY} noisy: the 95 % interval of the median is wider than 5 % of it. In a figure its point is hollow."
        )
    if (rows["iterations"] < FEW).any():
        sentences.append(f"With fewer than {FEW} iterations no row can be called noisy.")
    return sentences
