# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The table of times and speed-ups over all labs: for the README and for the terminal."""

from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from ..figures.content import DASH, NOISY, Table, joined, number, percent, times, why_untimed
from ..figures.series import describe_hardware, describe_job, describe_runs, main_job, other_borders, series
from ..measurements.rows import EMULATED, Row
from ..measurements.selection import BASELINE_LAB, BASELINES, Results, distinct, sizes

LABS = Path(__file__).resolve().parents[2] / "labs"
MANY = 4  # jobs that a note names


def _in_reading_order(lab: str, found: List[Tuple[str, List[Row]]]) -> List[Tuple[str, List[Row]]]:
    """The series of a lab in the order of its files, 01_nested.cpp first; those without a file last."""
    place = {path.stem[3:]: path.stem[:2] for path in (LABS / lab).glob("[0-9][0-9]_*.c*")}
    return sorted(found, key=lambda one: place.get(one[1][0].variant, "99"))


def _cell(row: Optional[Row]) -> str:
    if row is None:
        return DASH
    return number(row.ms) + NOISY * row.is_noisy if row.timed else why_untimed(row)


def size_to_compare(results: Results, rows: Sequence[Row]) -> Optional[Tuple[int, str]]:
    """The largest size at which the baseline has a time; without one the largest timed size."""
    timed = [row for row in rows if row.timed]
    based = [row for row in timed if results.baseline(row, BASELINES[0])]
    found = sizes(based or timed)
    return found[-1] if found else None


def bases_of(results: Results, rows: Sequence[Row]) -> List[str]:
    """The baselines that have a time for the job of one of these rows."""
    return [base for base in BASELINES if any(results.baseline(row, base) for row in rows)]


def overview(results: Results, lab: Optional[str] = None) -> Optional[Table]:
    """A line for each variant: ms by size, rates and speed-ups at one size; of one lab or of all.

    Of the job with the most rows, without sweeps; None where nothing was timed.
    """
    rows = main_job([row for row in results.bench if row.backend != EMULATED and lab in (None, row.lab)])
    at = size_to_compare(results, rows)
    if at is None:
        return None
    columns = sizes(rows)
    timed_rows = [row for row in rows if row.timed]
    bases = bases_of(results, timed_rows)
    lines: List[List[str]] = []
    for name in sorted(distinct(rows, "lab")):
        for label, same in _in_reading_order(name, series([row for row in rows if row.lab == name])):
            by_size: Dict[Tuple[int, str], Row] = {(r.pixels, r.size_name): r for r in same}
            row = by_size.get(at)
            timed = row if row is not None and row.timed else None
            lines.append(
                [name] * (lab is None)
                + [label]
                + [_cell(by_size.get(size)) for size in columns]
                + [
                    number(timed.rate("bytes") if timed else None),
                    percent(timed.of_ceiling if timed else None),
                ]
                + [times(results.speed_up(timed, base) if timed else None) for base in bases]
            )
    header = (
        ["lab"] * (lab is None)
        + ["variant"]
        + [f"{name} ms" for _, name in columns]
        + [f"{at[1]} GB/s", "of copy"]
        + [f"vs {base}" for base in bases]
    )
    caption = (
        f"{describe_hardware(timed_rows)}: {describe_job(rows)}{', with copies' * all(row.with_copies for row in timed_rows)}; "
        f"{describe_runs(timed_rows, bars=False, noisy_mark=NOISY, bases=results.baselines(timed_rows, *bases))}."
    )
    return Table("overview", caption, header, lines, left=2 - (lab is not None))


def overview_notes(results: Results, table: Table, lab: Optional[str] = None) -> List[str]:
    """The sentences below the overview of all labs, or of one."""
    timed = [row for row in results.bench if row.timed]
    labs = {lab or line[0] for line in table.rows}
    bases = bases_of(results, [row for row in timed if row.lab in labs])
    notes = [
        "“Of copy”: bandwidth, with each sample read once and written once, as a share of that of the fastest copy of an 8K "
        "picture in the same session."
    ]
    copied = {row.text["copy_how"].partition(",")[0] for row in timed if row.lab in labs and row.backend == "cpu"}
    if copied - {""}:
        notes[0] += f" A CPU's copy has {joined(sorted(copied - {''}))}, whatever the variant has."
    if any(cell.endswith(" %") and float(cell[:-2]) > 100 for line in table.rows for cell in line):
        notes[0] += " Above 100 %: a part of the pictures may stay in a cache."
    if bases:
        notes[0] += (
            f" Speed-ups: over {' and '.join(f'`{base}`' for base in bases)} of lab {BASELINE_LAB}, one thread"
            + (" (ariano2023: threads over the first, CUDA over the second)." if len(bases) > 1 else ".")
        )
    without = {
        (lab, line[0]) if lab else (line[0], line[1]) for line in table.rows if bases and DASH in line[-len(bases) :]
    }
    others = {
        row.type: row.variant for row in timed if (row.lab, row.variant) in without and row.type not in ("", "uint8")
    }
    for type_, variant in others.items():
        notes[0] += (
            f" `{variant}` has {type_} samples, of 4 bytes: so it has no speed-up, and more GB/s in the same time."
        )
    of_bus = sorted(distinct([row for row in timed if row.with_copies], "lab"))
    if labs & set(of_bus):
        notes.append(
            f"Times of {', '.join(of_bus)} include the copies to the device and back; there, “of copy” is the share of the "
            "bus's bandwidth in the same session, both directions busy."
        )
    missing = [f"`{base}`" for base in BASELINES if base not in bases]
    if missing and any(row.ksize for row in timed if row.lab in labs):
        notes.append(
            f"There is no time of {joined(missing)} for this job, so there is no speed-up over "
            f"{'them' if len(missing) > 1 else 'it'}."
        )
    if any(NOISY in cell for line in table.rows for cell in line):
        notes.append(f"{NOISY} noisy: the 95 % interval of the median is wider than 5 % of it.")
    first, borders = other_borders([row for row in results.bench if row.backend != EMULATED and row.lab in labs])
    left_out = first[1:] + borders
    if left_out:
        jobs = (
            f"{len(left_out)} more jobs, of other pictures, borders, sample types or numbers of filters"
            if len(left_out) > MANY
            else "; ".join(describe_job(group) for group in left_out)
        )
        notes.append(f"Also measured, in `results/reference/`: {jobs}.")
    return notes + emulated_notes(results)


def emulated_notes(results: Results) -> List[str]:
    """A sentence on rows of CUDA on the CPU, which are never timed."""
    emulated = [row for row in results.rows if row.backend == EMULATED]
    if not emulated:
        return []
    labs = ", ".join(sorted(distinct(emulated, "lab")))
    return [f"{len(emulated)} rows of {labs} ran as CUDA on the CPU: checked, not timed."]
