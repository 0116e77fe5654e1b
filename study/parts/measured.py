# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Where the rows come from: a section of the report, and the tables of files of a folder's README."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Dict, Iterable, List, Sequence, Tuple

from tools.plots.sessions import NAME as SESSIONS
from tools.plots.sessions import holds_timings, read_timings, timing_files

from ..figures.content import DASH, Section, Table, joined, number, percent, short_name, to_markdown
from ..measurements.csv_file import read_table
from ..measurements.other_files import count_sanitized, count_verified
from ..measurements.rows import OF_COPIES, OF_CPU, OF_KERNEL, SECOND_RUN, Row, read_folder
from ..measurements.selection import Results, distinct, sessions
from .overview import emulated_notes

# How near is near, and the margin of a verdict.
NEAR = {
    "cpu": ("CPU", 0.05, OF_CPU),
    "cuda": ("GPU, kernel", 0.02, OF_KERNEL),
    "copies": ("GPU, with copies", 0.02, OF_COPIES),
}


def measured(results: Results, folder: Path) -> Section:
    """Where the rows come from: how many of each status, when, and what was verified."""
    rows = results.rows
    statuses = [f"{sum(row.status == status for row in rows)} {status}" for status in distinct(rows, "status")]
    lines = [
        f"Configurations: {len(rows)} ({', '.join(statuses)}), of which "
        f"{sum(row.is_noisy for row in rows)} noisy. Repeated measurements left out: "
        f"{results.left_out}."
    ]
    dates = sorted(distinct(rows, "date"))
    if dates:
        lines.append(f"The rows began between {dates[0]} and {dates[-1]}.")
    timed = [row for row in rows if row.timed]
    once = [row for row in timed if row.text["rounds"] == "1"]
    if once:
        lines.append(
            f"Timed in one round: {len(once)} of {len(timed)} configurations with a time, of labs "
            f"{joined(sorted(distinct(once, 'lab')))}. A slow minute would not hit all of them alike."
        )
    lines += _ceilings(results)
    same, different = count_verified(folder, results.machine)
    if same or different:
        lines.append(f"verify.csv: {same} comparisons with the reference identical, {different} different.")
    runs, faulty = count_sanitized(folder)
    if runs:
        lines.append(f"sanitize.csv: {runs} runs under compute-sanitizer's tools, {faulty} of them with faults.")
    text = "\n".join(f"- {line}" for line in lines + results.warnings() + emulated_notes(results))
    return Section(f"The rows of {short_name(results.machine)}", [text])


def _span_of(copies: Sequence[float]) -> str:
    """ "37 sessions: 120 to 340 GB/s, median 211"."""
    span = " to ".join(map(number, dict.fromkeys((copies[0], copies[-1]))))
    return f"{len(copies)} session{'s' * (len(copies) > 1)}: {span} GB/s, median {number(median(copies))}"


def copies_of(results: Results, backend: str) -> str:
    """The copies of the sessions on the processor or the GPU, in a few words; nothing without a copy."""
    devices = distinct([row for row in results.rows if row.timed and row.backend == backend], "device")
    return "; ".join(_span_of(copies) for copies in map(results.copies, devices) if copies)


def _ceilings(results: Results) -> List[str]:
    """A sentence for each device: the copies of its sessions, of which the rows' shares are."""
    return [
        f"A copy by {short_name(device)}{' of images that are not in the cache' * (cold == '1')}, in "
        f"{_span_of(results.copies(device, cold))}. A share of a copy is of the copy in the row's own session."
        for device, cold in sorted({(row.device, row.cold or "0") for row in results.rows if row.timed})
        if results.copies(device, cold)
    ]


def _span(values: Iterable[str]) -> str:
    """ "5 to 100" of whole numbers."""
    numbers = sorted({int(value) for value in values if value})
    return " to ".join(map(str, dict.fromkeys(numbers[:1] + numbers[-1:]))) or DASH


def _lines(path: Path) -> List[Tuple[str, Dict[str, str]]]:
    return read_timings(path) if holds_timings(path) else read_table(path, ())


def _file_line(path: Path) -> Sequence[str]:
    """A line of the table of files, from the columns that the file has."""
    rows = [fields for _, fields in _lines(path)]
    when = sorted(fields["date"][:16].replace("T", " ") for fields in rows if fields.get("date"))
    builds = dict.fromkeys(fields["revision"][:7] for fields in rows if fields.get("revision"))
    status = [fields.get("status", "ok") for fields in rows]
    noisy = [fields.get("noisy", "") for fields in rows]
    return [
        f"`{path.name}`",
        str(len(rows)),
        str(sum(one != "ok" for one in status)),
        str(noisy.count("1")) if any(noisy) else DASH,
        _span(fields.get("iterations") or fields.get("rounds", "") for fields in rows),
        f"{when[0]} to {when[-1]}" if when else DASH,
        joined(builds) or DASH,
    ]


def files_table(folder: Path) -> str:
    """What is in the CSV files of each machine's folder, counted from their rows."""
    parts = []
    for machine in sorted(path for path in folder.iterdir() if path.is_dir()):
        files = sorted(path for path in machine.glob("*.csv") if path.name != SESSIONS)
        if files:
            name = next(_lines(file)[0][1].get("machine", "") for file in files)
            table = Table(
                "files",
                "",
                ["file", "rows", "without a time", "noisy", "iterations or rounds", "begun (UTC)", "revisions"],
                [_file_line(file) for file in files],
            )
            parts.append(f"### {machine.name}\n\n{name}\n\n{to_markdown(table)}")
            if timing_files(machine):
                parts.append(to_markdown(sessions_table(machine)))
            if (machine / SECOND_RUN).is_dir():
                parts.append(to_markdown(second_run_table(machine)))
    return "\n".join(parts)


def sessions_table(machine: Path) -> Table:
    """Which rows of a machine are of which session, by file."""
    files: Dict[Tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for row in read_folder(machine):
        for session in sessions([row]):
            files[session][f"{row.lab}{'_sweep' * row.sweep}"] += 1
    lines = [
        [begun, revision, ", ".join(f"`{name}` {rows}" for name, rows in sorted(found.items()))]
        for (begun, revision, _), found in sorted(files.items())
    ]
    return Table("sessions", "", ["session begun (UTC)", "revision", "rows with a time, by file"], lines, left=3)


@dataclass
class Apart:
    """How far a second run is from the first: 0.05 where the larger of two numbers is 1.05 times the smaller."""

    medians: List[float] = field(default_factory=list)
    ratios: List[float] = field(
        default_factory=list
    )  # of the medians of two configurations that took turns in both runs


def _twice(machine: Path) -> List[Tuple[Row, Row]]:
    """The rows of each configuration that was measured in both runs."""
    first, second = (
        {row.configuration: row for row in Results(read_folder(folder)).rows if row.timed}
        for folder in (machine, machine / SECOND_RUN)
    )
    return [(first[job], second[job]) for job in first if job in second]


def _apart(machine: Path) -> Dict[Tuple[str, int, str], Apart]:
    """How far a second run is from the first, by what was timed, pixels and size."""
    apart: Dict[Tuple[str, int, str], Apart] = defaultdict(Apart)
    turns: Dict[Tuple[str, ...], List[float]] = defaultdict(list)
    for first, second in _twice(machine):
        what = "copies" if first.backend != "cpu" and first.with_copies else first.backend
        factor = second.ms / first.ms
        apart[what, first.pixels, first.size_name].medians.append(_difference(factor))
        calls = tuple(part for row in (first, second) for part in (row.session, row.lab, str(row.sweep), row.seed))
        turns[(what, str(first.pixels), first.size_name, *calls)].append(factor)
    for (what, pixels, size, *_), factors in turns.items():
        apart[what, int(pixels), size].ratios += [_difference(one / other) for one, other in combinations(factors, 2)]
    return apart


def _difference(factor: float) -> float:
    return max(factor, 1 / factor) - 1


def _near(found: Sequence[float], near: float) -> str:
    return f"{percent(sum(one <= near for one in found) / len(found))} within {percent(near)}" if found else DASH


def _by_at_most(found: Sequence[float], *limits: float) -> str:
    """ "20 % differ by at most 5 %, 74 % by at most 25 %"."""
    return joined(
        [
            f"{percent(sum(one <= limit for one in found) / len(found))}{' differ' * (place == 0)} by at most {percent(limit)}"
            for place, limit in enumerate(limits)
        ]
    )


def second_run_words(machine: Path) -> str:
    """How well the second run agrees, in a sentence; nothing where there is none."""
    if not (machine / SECOND_RUN).is_dir():
        return ""
    apart = _apart(machine)
    words = []
    for what, (name, *limits) in NEAR.items():
        found = [one for (of, *_), one in apart.items() if of == what]
        medians = [difference for one in found for difference in one.medians]
        ratios = [difference for one in found for difference in one.ratios]
        limits = list(dict.fromkeys(limits))
        if medians:
            words.append(
                f"{name}: of {len(medians)} medians {_by_at_most(medians, *limits)}; half of all differ by at most "
                f"{percent(median(medians))}"
            )
        if ratios:
            words.append(
                f"Of {len(ratios)} ratios of two configurations that took turns {_by_at_most(ratios, *limits)}"
            )
    return (
        "A second run was made at other hours and mostly on other machines of the same name. How far it differs from the first, by "
        f"size: `results/reference/README.md`. {'. '.join(words)}."
    )


def second_run_table(machine: Path) -> Table:
    """How far the medians of a second run, and their ratios, are from those of the first, by what was timed and size."""
    lines = []
    for (what, _, size), found in sorted(
        _apart(machine).items(), key=lambda item: (list(NEAR).index(item[0][0]), item[0])
    ):
        name, near, _ = NEAR[what]
        lines.append(
            [
                name,
                size,
                str(len(found.medians)),
                _near(found.medians, near),
                percent(median(found.medians)),
                percent(max(found.medians)),
                str(len(found.ratios)),
                _near(found.ratios, near),
                percent(median(found.ratios)) if found.ratios else DASH,
            ]
        )
    return Table(
        "second_run",
        "",
        [
            "second run",
            "size",
            "medians",
            "that agree",
            "half are within",
            "all are within",
            "ratios",
            "that agree",
            "half are within",
        ],
        lines,
        left=2,
    )
