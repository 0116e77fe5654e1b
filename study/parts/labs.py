# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The tables of times of the READMEs: the fastest variant of each lab, and all variants of one lab or of all."""

import re
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from ..figures.content import DASH, NOISY, Table, joined, number, percent, times
from ..figures.series import describe_hardware, describe_job, main_job, on_gpus, other_borders, ours, series
from ..figures.shapes import cell
from ..measurements.rows import EMULATED, Row
from ..measurements.selection import BASELINE_LAB, BASELINES, Results, distinct, sizes

LABS = Path(__file__).resolve().parents[2] / "labs"
MANY = 4  # jobs that a note names


def _main_rows(results: Results, lab: Optional[str]) -> List[Row]:
    """The rows of the job with the most rows, without sweeps, of a lab or of all."""
    return main_job([row for row in results.bench if row.backend != EMULATED and lab in (None, row.lab)])


def size_to_compare(results: Results, rows: Sequence[Row]) -> Optional[Tuple[int, str]]:
    """The largest size at which the baseline has a time; without one the largest timed size."""
    timed = [row for row in rows if row.timed]
    based = [row for row in timed if results.baseline(row, BASELINES[0])]
    return max(sizes(based or timed), default=None)


def _fastest(results: Results, lab: Optional[str] = None) -> List[Row]:
    """The fastest row of each lab, or of one, at the size to compare."""
    rows = _main_rows(results, lab)
    at = size_to_compare(results, rows)
    timed = [row for row in rows if row.timed and (row.pixels, row.size_name) == at]
    labs = sorted(distinct(timed, "lab"))
    return [min((row for row in timed if row.lab == name), key=lambda row: row.ms) for name in labs]


def ladder(results: Results) -> Optional[Table]:
    """The baseline and the fastest variant of each lab; None where nothing was timed. A lab without rows of the common job has
    a line of its own job."""
    best = _fastest(results)
    if not best:
        return None
    missing = sorted(set(distinct(results.bench, "lab")) - {row.lab for row in best})
    others = [row for lab in missing for row in _fastest(results, lab)]
    base = results.baseline(best[0], BASELINES[0])
    shown = [base] * (base is not None and base not in best) + sorted(best + others, key=lambda row: row.lab)
    lines = []
    for row in filter(None, shown):
        step = f"{row.variant} {on_gpus(row)}" if row.devices else row.variant
        step += f", {row.threads} threads" * bool(row.threads)
        lines.append([row.lab, step, cell(row), number(results.speed_up(row)), percent(row.of_ceiling)])
    size = re.sub("k$", "K", best[0].size_name)
    words = [f"{describe_hardware(best)}; {size}, {describe_job(best)}, medians"]
    words += [f"lab {row.lab[:2]}: with its copies, and of the bus" for row in best + others if row.with_copies]
    words += [f"lab{'s' * (len(others) > 1)} {joined(row.lab[:2] for row in others)}: two frames"] * bool(others)
    words += ["a share is of the copy in the row's own session"]
    words += ["above 100 %: partly from a cache"] * any((row.of_ceiling or 0) > 1 for row in best + others)
    words += [f"{NOISY}: noisy"] * any(NOISY in line[2] for line in lines)
    head = ["lab", "step", f"ms at {size}", f"times as fast as `{BASELINES[0]}`", "share of a copy"]
    return Table("ladder", "; ".join(words), head, lines, left=2)


def bases_of(results: Results, rows: Sequence[Row]) -> List[str]:
    """The baselines that have a time for the job of one of these rows."""
    return [base for base in BASELINES if any(results.baseline(row, base) for row in rows)]


def overview(results: Results, lab: Optional[str] = None) -> Optional[Table]:
    """A line for each variant: ms by size, rates and speed-ups at one size; of one lab or of all. None where nothing was
    timed."""
    rows = _main_rows(results, lab)
    at = size_to_compare(results, rows)
    if at is None:
        return None
    timed = [row for row in rows if row.timed]
    bases = bases_of(results, timed)
    lines: List[List[str]] = []
    for name in sorted(distinct(rows, "lab")):
        place = {path.stem[3:]: path.stem[:2] for path in (LABS / name).glob("[0-9][0-9]_*.c*")}
        found = series([row for row in rows if row.lab == name])
        for label, same in sorted(found, key=lambda one: place.get(one[1][0].variant, "99")):  # in reading order
            by_size: Dict[Tuple[int, str], Row] = {(row.pixels, row.size_name): row for row in same}
            one = by_size.get(at)
            one = one if one and one.timed else None
            rates = [number(one.rate("bytes") if one else None), percent(one.of_ceiling if one else None)]
            gains = [times(results.speed_up(one, base) if one else None) for base in bases]
            lines.append([name] * (lab is None) + [label, *(cell(by_size.get(size)) for size in sizes(rows))])
            lines[-1] += rates + gains
    head = ["lab"] * (lab is None) + ["variant", *(f"{size} ms" for _, size in sizes(rows))]
    head += [f"{at[1]} GB/s", "of copy", *(f"vs {base}" for base in bases)]
    copies = ", with copies" * all(row.with_copies for row in timed)
    how = ours(timed, results.baselines(timed, *bases)).replace("Ours: ", "", 1)
    caption = f"{describe_hardware(timed)}: {describe_job(rows)}{copies}; {how}"
    return Table("overview", caption, head, lines, left=2 - (lab is not None))


def _of_copy_note(timed: Sequence[Row], table: Table, bases: Sequence[str], lab: Optional[str]) -> str:
    """What the shares and the speed-ups of the table are over."""
    note = (
        "“Of copy”: bandwidth, with each sample read once and written once, as a share of that of the fastest copy of an 8K "
        "picture in the same session."
    )
    copied = {row["copy_how"].partition(",")[0] for row in timed if row.backend == "cpu"} - {""}
    if copied:
        note += f" A CPU's copy has {joined(sorted(copied))}, whatever the variant has."
    if any(share.endswith(" %") and float(share[:-2]) > 100 for line in table.rows for share in line):
        note += " Above 100 %: a part of the pictures may stay in a cache."
    if bases:
        note += f" Speed-ups: over {' and '.join(f'`{base}`' for base in bases)} of lab {BASELINE_LAB}, one thread"
        note += " (ariano2023: threads over the first, CUDA over the second)" * (len(bases) > 1) + "."
    without = {(lab or line[0], line[lab is None]) for line in table.rows if bases and DASH in line[-len(bases) :]}
    others = {
        row.type: row.variant for row in timed if (row.lab, row.variant) in without and row.type not in ("", "uint8")
    }
    for kind, variant in others.items():
        note += f" `{variant}` has {kind} samples, of 4 bytes: so it has no speed-up, and more GB/s in the same time."
    return note


def overview_notes(results: Results, table: Table, lab: Optional[str] = None) -> List[str]:
    """The sentences below the overview of all labs, or of one."""
    labs = {lab or line[0] for line in table.rows}
    every = [row for row in results.bench if row.timed]
    timed = [row for row in every if row.lab in labs]
    bases = bases_of(results, timed)
    notes = [_of_copy_note(timed, table, bases, lab)]
    of_bus = sorted(distinct([row for row in every if row.with_copies], "lab"))
    if labs & set(of_bus):
        notes.append(
            f"Times of {', '.join(of_bus)} include the copies to the device and back; there, “of copy” is the share of the "
            "bus's bandwidth in the same session, both directions busy."
        )
    missing = [f"`{base}`" for base in BASELINES if base not in bases]
    if missing and any(row.ksize for row in timed):
        which = "them" if len(missing) > 1 else "it"
        notes.append(f"There is no time of {joined(missing)} for this job, so there is no speed-up over {which}.")
    if any(NOISY in one for line in table.rows for one in line):
        notes.append(f"{NOISY} noisy: the 95 % interval of the median is wider than 5 % of it.")
    first, borders = other_borders([row for row in results.bench if row.backend != EMULATED and row.lab in labs])
    left_out = first[1:] + borders
    jobs = "; ".join(map(describe_job, left_out))
    if len(left_out) > MANY:
        jobs = f"{len(left_out)} more jobs, of other pictures, borders, sample types or numbers of filters"
    notes += [f"Also measured, in `results/reference/`: {jobs}."] * bool(left_out)
    return notes + emulated_notes(results)


def emulated_notes(results: Results) -> List[str]:
    """A sentence on rows of CUDA on the CPU, which are never timed."""
    emulated = [row for row in results.rows if row.backend == EMULATED]
    labs = ", ".join(sorted(distinct(emulated, "lab")))
    return [f"{len(emulated)} rows of {labs} ran as CUDA on the CPU: checked, not timed."] * bool(emulated)
