# SPDX-License-Identifier: MIT
"""Where the rows come from: the machines in full, the rows of the report's machine, the sessions of each folder."""

from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Sequence

import pandas
from pandas import DataFrame

from tools.plots.files import read_table
from tools.plots.other_files import verified_words
from tools.plots.results import DATE, EMULATED, distinct
from tools.plots.sessions import timing_files
from tools.plots.tables import machines_table

from ..figures.content import DASH, Section, Table, joined, number, plural, short_name, to_markdown
from ..measurements.results import SECOND_RUN, SESSION, Results, read_folder, sessions
from .second_run import second_run_table


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
