# SPDX-License-Identifier: MIT
"""Where the rows come from: the machines in full, the rows of the report's machine, the sessions of each folder."""

from collections import Counter, defaultdict
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Dict, Sequence, Tuple

from tools.plots.files import read_table
from tools.plots.other_files import verified_words
from tools.plots.rows import DATE, EMULATED
from tools.plots.selection import distinct
from tools.plots.sessions import timing_files
from tools.plots.tables import machines_table

from ..figures.content import DASH, Section, Table, joined, number, plural, short_name, to_markdown
from ..measurements.results import SECOND_RUN, Results, read_folder, sessions
from .second_run import second_run_table


def byline(machines: Sequence[Results]) -> str:
    """Date and revision of the newest row, and the GPUs, in two sentences."""
    timed = [row for results in machines for row in results.rows if row.timed and row.date]
    newest = max(timed, key=lambda row: row.date, default=None)
    gpus = joined(sorted({short_name(row.device) for row in timed if row.backend == "cuda"})) or "none"
    if newest is None:
        return f"No measurement has a date. GPUs: {gpus}."
    day = datetime.strptime(newest.date, DATE)
    return f"The newest measurement is of {day.day} {day:%B %Y}, revision `{newest.revision[:7]}`. GPUs: {gpus}."


def machines_section(machines: Sequence[Results]) -> Section:
    """A column for each machine."""
    timed = [rows for results in machines if (rows := [row for row in results.rows if row.timed])]
    caption = f"What was recorded of the machines; {DASH}: nothing."
    return Section("The machines", [machines_table(caption, timed)] if timed else [])


def _copies(copies: Sequence[float]) -> str:
    """ "37 sessions: 120 to 340 GB/s, median 211"."""
    ends = " to ".join(dict.fromkeys(map(number, (copies[0], copies[-1]))))
    return f"{plural(len(copies), 'session')}: {ends} GB/s, median {number(median(copies))}"


def copies_of(results: Results, backend: str) -> str:
    """The copies of the sessions on the processor or the GPU, in a few words; nothing without a copy."""
    devices = distinct([row for row in results.rows if row.timed and row.backend == backend], "device")
    return "; ".join(_copies(copies) for copies in map(results.copies, devices) if copies)


def measured(results: Results, folder: Path) -> Section:
    """How many rows of each status, when, beside which copies, and what was verified."""
    rows, timed = results.rows, [row for row in results.rows if row.timed]
    statuses = [f"{sum(row.status == status for row in rows)} {status}" for status in distinct(rows, "status")]
    lines = [
        f"Configurations: {len(rows)} ({', '.join(statuses)}), of which {sum(row.is_noisy for row in rows)} noisy. "
        f"Repeated measurements left out: {results.left_out}."
    ]
    dates = sorted(distinct(rows, "date"))
    if dates:
        lines.append(f"The measurements began between {dates[0]} and {dates[-1]}.")
    if once := [row for row in timed if row["rounds"] == "1"]:
        lines.append(
            f"Timed in one round: {len(once)} of {len(timed)} configurations with a time, of labs "
            f"{joined(sorted(distinct(once, 'lab')))}. A slow minute would not hit all of them alike."
        )
    for device, cold in sorted({(row.device, row.cold or "0") for row in timed}):
        if copies := results.copies(device, cold):
            where = f"{short_name(device)}{' of images that are not in the cache' * (cold == '1')}"
            lines.append(f"A copy by {where}, in {_copies(copies)}.")
    lines.append(verified_words(folder, results.machine))
    if (path := folder / "sanitize.csv").exists():
        every = [(int(fields["runs"]), fields["status"]) for _, fields in read_table(path, ("runs", "status"))]
        runs, faulty = sum(one for one, _ in every), sum(one for one, status in every if status != "ok")
        lines.append(f"sanitize.csv: {runs} runs under compute-sanitizer's tools, {faulty} of them with faults.")
    if emulated := [row for row in rows if row.backend == EMULATED]:
        labs = joined(sorted(distinct(emulated, "lab")))
        lines.append(f"{plural(len(emulated), 'configuration')} of {labs} ran as CUDA on the CPU: checked, not timed.")
    lines.append(
        f"{plural(len(sessions(timed)), 'session')}, each of one revision and boot, without a pause of an hour."
    )
    lines += ["Some times were measured on code with uncommitted changes."] * any(row.dirty == "1" for row in timed)
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
    files: Dict[Tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for row in read_folder(machine):
        for session in sessions([row]):
            files[session][f"{row.lab}{'_sweep' * row.sweep}"] += 1
    lines = [
        [begun, revision, ", ".join(f"`{name}` {rows}" for name, rows in sorted(found.items()))]
        for (begun, revision, _), found in sorted(files.items())
    ]
    return Table("sessions", "", ["session begun (UTC)", "revision", "rows with a time, by file"], lines, left=3)
