# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""All variants of each lab at all sizes, for the appendix."""

from pathlib import Path
from typing import Any, Dict, List, Sequence, Set, Tuple

from ..figures.content import Section, Table, percent, times
from ..figures.series import describe_hardware, describe_job, main_job, ours, series
from ..figures.shapes import cell
from ..measurements.points import DEFAULTS
from ..measurements.rows import EMULATED, Row
from ..measurements.selection import BASELINES, Results, sizes
from . import scaling
from .labs import size_to_compare

LABS = Path(__file__).resolve().parents[2] / "labs"


def overview(results: Results, rows: Sequence[Row]) -> Table:
    """A line for each variant of these rows of a lab's job: ms by size; at one size the share of a copy and the speed-up over the
    baseline."""
    timed = [row for row in rows if row.timed]
    at = size_to_compare(results, rows)
    bases = results.baselines(timed, BASELINES[0])
    place = {path.stem[3:]: path.stem[:2] for path in (LABS / rows[0].lab).glob("[0-9][0-9]_*.c*")}
    lines: List[List[str]] = []
    for label, same in sorted(series(rows), key=lambda one: place.get(one[1][0].variant, "99")):  # in reading order
        by_size: Dict[Tuple[int, str], Row] = {(row.pixels, row.size_name): row for row in same}
        one = next((row for size, row in by_size.items() if size == at and row.timed), None)
        line = [label, *(cell(by_size.get(size)) for size in sizes(rows)), percent(one.of_ceiling if one else None)]
        lines.append(line + [times(results.speed_up(one) if one else None)] * bool(bases))
    head = ["variant", *(size for _, size in sizes(rows)), "of copy", *(f"vs {BASELINES[0]}" for _ in bases[:1])]
    copies = ", with copies" * all(row.with_copies for row in timed)
    how = ours(timed, bases).replace("Variants: ", "", 1)
    return Table("overview", f"{describe_hardware(timed)}: {describe_job(rows)}{copies}; {how}", head, lines)


def _usual(rows: Sequence[Row]) -> List[Row]:
    """Those of the protocol's job, if there are any."""
    return [row for row in rows if all(row[name] == value for name, value in DEFAULTS.items())] or list(rows)


def _tables(machines: Sequence[Results], lab: str) -> List[Table]:
    """The protocol's rows, job by job, machine by machine, each with the variants that no table before has; then those of the
    sweeps. Chains and several GPUs stand elsewhere."""
    tables: List[Table] = []
    shown: Set[str] = set()

    def left(rows: Sequence[Row]) -> List[Row]:
        mine = [row for row in rows if row.lab == lab and row.backend != EMULATED and not row.filters]
        return [row for row in mine if row.variant not in shown and row.devices in ("", "1")]

    def variants(results: Results) -> int:
        return len({row.variant for row in main_job(_usual(left(results.rows))) if row.timed})

    for sweep in (False, True):
        for results in sorted(machines, key=variants, reverse=True) if sweep else machines:
            while any(row.timed for row in left(results.rows if sweep else results.bench)):
                rows = left(results.rows if sweep else results.bench)
                rows = main_job([row for row in (_usual(rows) if sweep else rows)])
                tables.append(overview(results, rows))
                shown |= {row.variant for row in rows}
    return tables


def all_sizes(machines: Sequence[Results]) -> List[Section]:
    """A section for each lab."""
    sections = []
    for lab in sorted({row.lab for results in machines for row in results.rows}):
        items: List[Any] = list(_tables(machines, lab)) if lab != scaling.MPI else []
        items += scaling.tables_of(machines, lab)
        sections.append(Section(f"All sizes: {lab}", items or ["Not measured."]))
    return sections
