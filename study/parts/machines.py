# SPDX-License-Identifier: MIT
"""Where the rows come from: the machines in full, the rows of the report's machine, the sessions of each folder, and how
far a second run of a machine is from the first: 0.05 if the larger of two numbers is 1.05 times the smaller."""

from datetime import datetime
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import List, NamedTuple, Optional, Sequence

import numpy
import pandas
from pandas import DataFrame, Series

from tools.plots.files import read_table
from tools.plots.other_files import verified_words
from tools.plots.results import DATE, EMULATED, OF_COPIES, OF_CPU, OF_KERNEL, configuration_columns, distinct
from tools.plots.sessions import timing_files
from tools.plots.tables import machines_table

from ..figures.content import DASH, Section, Table, joined, number, percent, plural, short_name, to_markdown
from ..measurements.results import SECOND_RUN, SESSION, Results, read_folder, sessions


def byline(machines: Sequence[Results]) -> str:
    """Date and revision of the newest row, and the GPUs, in two sentences."""
    rows = pandas.concat([results.rows for results in machines])
    timed = rows[rows["timed"] & (rows["date"] != "")]
    gpus = joined(sorted(set(map(short_name, timed.loc[timed["backend"] == "cuda", "device"])))) or "none"
    if timed.empty:
        return f"No measurement has a date. GPUs: {gpus}."
    newest = timed.sort_values("date", kind="stable", ascending=False).iloc[0]
    day = datetime.strptime(newest["date"], DATE)
    return f"The newest measurement is of {day.day} {day:%B %Y}, revision `{newest['revision'][:7]}`. GPUs: {gpus}."


def _timed(rows: DataFrame) -> DataFrame:
    return rows[rows["timed"]]


def machines_section(machines: Sequence[Results]) -> Section:
    """A column for each machine."""
    timed = [rows for results in machines if len(rows := _timed(results.rows))]
    caption = f"What was recorded of the machines; {DASH}: nothing."
    return Section("The machines", [machines_table(caption, timed)] if timed else [])


def _copies(copies: Sequence[float]) -> str:
    """ "37 sessions: 120 to 340 GB/s, median 211"."""
    ends = " to ".join(dict.fromkeys(map(number, (copies[0], copies[-1]))))
    return f"{plural(len(copies), 'session')}: {ends} GB/s, median {number(median(copies))}"


def copies_of(results: Results, backend: str) -> str:
    """The copies of the sessions on the processor or the GPU, in a few words; nothing without a copy."""
    devices = distinct(_timed(results.where(backend=backend)), "device")
    return "; ".join(_copies(copies) for copies in map(results.copies, devices) if copies)


def measured(results: Results, folder: Path) -> Section:
    """How many rows of each status, when, beside which copies, and what was verified."""
    rows, timed = results.rows, _timed(results.rows)
    statuses = [f"{count} {status}" for status, count in rows.groupby("status", sort=False).size().items()]
    lines = [
        f"Configurations: {len(rows)} ({', '.join(statuses)}), of which {rows['is_noisy'].sum()} noisy. "
        f"Repeated measurements left out: {results.left_out}."
    ]
    dates = sorted(distinct(rows, "date"))
    if dates:
        lines.append(f"The measurements began between {dates[0]} and {dates[-1]}.")
    if len(once := timed[timed["rounds"] == 1]):
        lines.append(
            f"Timed in one round: {len(once)} of {len(timed)} configurations with a time, of labs "
            f"{joined(sorted(distinct(once, 'lab')))}. A slow minute would not hit all of them alike."
        )
    for device, cold in sorted(set(zip(timed["device"], timed["cold"].replace("", "0")))):
        if copies := results.copies(device, cold):
            where = f"{short_name(device)}{' of images that are not in the cache' * (cold == '1')}"
            lines.append(f"A copy by {where}, in {_copies(copies)}.")
    lines.append(verified_words(folder, results.machine))
    if (path := folder / "sanitize.csv").exists():
        every = [(int(fields["runs"]), fields["status"]) for _, fields in read_table(path, ("runs", "status"))]
        runs, faulty = sum(one for one, _ in every), sum(one for one, status in every if status != "ok")
        lines.append(f"sanitize.csv: {runs} runs under compute-sanitizer's tools, {faulty} of them with faults.")
    if len(emulated := rows[rows["backend"] == EMULATED]):
        labs = joined(sorted(distinct(emulated, "lab")))
        lines.append(f"{plural(len(emulated), 'configuration')} of {labs} ran as CUDA on the CPU: checked, not timed.")
    lines.append(
        f"{plural(len(sessions(timed)), 'session')}, each of one revision and boot, without a pause of an hour."
    )
    lines += ["Some times were measured on code with uncommitted changes."] * bool((timed["dirty"] == "1").any())
    text = "\n".join(f"- {line}" for line in lines)
    return Section(f"The measurements on {short_name(results.machine)}", [text])


# How near is near, and the margin of a verdict.
KINDS = {
    "cpu": ("CPU", 0.05, OF_CPU),
    "cuda": ("GPU, kernel", 0.02, OF_KERNEL),
    "copies": ("GPU, with copies", 0.02, OF_COPIES),
}
CAPTION = (
    "How far the second run differs from the first. Within 5 %: the larger of two numbers is at most 1.05 times the "
    "smaller. Ratios: of two configurations that took turns."
)
HEAD = "second run|medians|that agree|half are within|all are within|ratios|that agree|half are within"


class Agreement(NamedTuple):
    """How far the medians of both runs are apart, and the ratios of two configurations that took turns in both."""

    kind: str
    medians: Series
    ratios: Series


def second_run(folder: Path) -> Optional[Results]:
    """The rows of the second run of a machine; None if there is none."""
    again = folder / SECOND_RUN
    return Results(read_folder(again)) if again.is_dir() else None


def _apart(factors: Series) -> Series:
    return numpy.maximum(factors, 1 / factors) - 1


def agreements(machine: Path) -> List[Agreement]:
    """One for each kind of time; none without a second run."""
    again = second_run(machine)
    if again is None:
        return []
    keys = configuration_columns()
    first = Results(read_folder(machine)).rows
    pairs = first[first["timed"]].merge(again.rows[again.rows["timed"]], on=keys, suffixes=("", "_again"))
    kind = pairs["backend"].where((pairs["backend"] == "cpu") | ~pairs["with_copies"], "copies")
    # The two calls of a lab in which configurations took turns.
    call = "size lab begun sweep seed begun_again sweep_again seed_again".split()
    found = []
    for name, same in pairs.assign(ratio=pairs["ms_again"] / pairs["ms"]).groupby(kind):
        turns = [one / other for _, turn in same.groupby(call) for one, other in combinations(turn["ratio"], 2)]
        found.append(Agreement(name, _apart(same["ratio"]), _apart(Series(turns, dtype=float))))
    return sorted(found, key=lambda one: list(KINDS).index(one.kind))


def _agree(found: Series, limits: Sequence[float]) -> str:
    """ "20 % within 5 %, 74 % within 25 %"."""
    return ", ".join(f"{percent((found <= limit).mean())} within {percent(limit)}" for limit in dict.fromkeys(limits))


def second_run_table(machine: Path) -> Table:
    """A line for each kind of time."""
    lines = []
    for kind, *both in agreements(machine):
        name, *limits = KINDS[kind]
        cells = [
            [str(len(found)), *([_agree(found, limits), percent(found.median())] if len(found) else 2 * [DASH])]
            for found in both
        ]
        lines.append([name, *cells[0], percent(both[0].max()), *cells[1]])
    return Table("second_run", CAPTION, HEAD.split("|"), lines)


def runs_table(folder: Path) -> str:
    """The sessions of each machine's folder, and how far its second run agrees."""
    parts = []
    for machine in sorted(path for path in folder.iterdir() if path.is_dir()):
        tables = [sessions_table] * bool(timing_files(machine)) + [second_run_table] * (machine / SECOND_RUN).is_dir()
        if tables:
            parts += [f"### {machine.name}\n", *(to_markdown(make(machine)) for make in tables)]
    return "\n".join(parts)


def sessions_table(machine: Path) -> Table:
    """Which rows of a machine are of which session, by file."""
    rows = _timed(read_folder(machine))
    rows = rows.assign(
        file=rows["lab"] + rows["sweep"].map({True: "_sweep", False: ""}), revision=rows["revision"].str[:7]
    )
    lines = [
        [begun, revision, ", ".join(f"`{name}` {count}" for name, count in same.groupby("file").size().items())]
        for (begun, revision, _), same in rows.groupby(SESSION)
    ]
    return Table("sessions", "", ["session begun (UTC)", "revision", "rows with a time, by file"], lines, left=3)
