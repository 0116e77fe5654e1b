# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Where the rows come from: the machines in full, the rows of the report's machine, the files of each folder."""

from collections import Counter, defaultdict
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Dict, Iterable, List, Sequence, Tuple

from tools.plots.files import read_table
from tools.plots.sessions import NAME as SESSIONS
from tools.plots.sessions import holds_timings, read_timings, timing_files

from ..figures.content import DASH, Section, Table, joined, number, plural, short_name, to_markdown
from ..measurements.other_files import count_sanitized, count_verified
from ..measurements.rows import DATE, EMULATED, SECOND_RUN, Row, read_folder
from ..measurements.selection import Results, distinct, sessions
from .labs import emulated_notes
from .second_run import second_run_table

# What is said of a machine, and the columns that say it.
LINES = {
    "GPU driver": "driver",
    "compiler": "compiler",
    "flags": "flags",
    "sockets": "sockets",
    "cores": "cores",
    "threads per core": "threads_per_core",
    "caches": "caches",
    "memory": "ram_bytes",
    "virtual machine": "virtual_machine",
    "clock before (MHz)": "cpu_mhz",
    "governor": "governor",
    "turbo": "turbo",
    "GPU clocks": "gpu_clocks",
}
MANY = 2


def _ends(values: Iterable[float], show: object = str) -> str:
    """ "5 to 100": the smallest and the largest, or the only one; a dash without any."""
    ordered = sorted(values)
    return " to ".join(dict.fromkeys(map(show, ordered[:1] + ordered[-1:]))) or DASH  # type: ignore[arg-type]


def _said(rows: Sequence[Row], column: str) -> str:
    """The different values of a column."""
    values = distinct(rows, column)
    if column == "cpu_mhz":
        return _ends(round(float(value)) for value in values)
    if column == "ram_bytes":
        values = sorted({f"{int(value) / 2**30:.0f} GiB" for value in values})
    if column == "caches":
        values = [value.replace(" for 1 CPU", "") for value in values]
    if column == "virtual_machine":
        values = sorted({"yes" if value == "1" else "no" for value in values})
    more = f"; {len(values) - MANY} more" * (len(values) > MANY)
    return "; ".join(values[:MANY]) + more or DASH


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
    """A column for each machine; a dash where its rows do not say it."""
    timed = [[row for row in results.rows if row.timed and row.backend != EMULATED] for results in machines]
    head = ["", *(short_name(results.machine) for results in machines)]
    lines: List[List[str]] = [["processors and GPUs", *(joined(distinct(rows, "device")) or DASH for rows in timed)]]
    lines += [[words, *(_said(rows, column) for rows in timed)] for words, column in LINES.items()]
    lines.append(["configurations", *(str(len(rows)) for rows in timed)])
    lines.append(["labs", *(", ".join(sorted(lab[:2] for lab in distinct(rows, "lab"))) or DASH for rows in timed)])
    known = [line for line in lines if set(line[1:]) != {DASH}]
    same = [f"{line[0]} {line[1]}" for line in known if len(known[0]) > 2 and len(set(line[1:])) == 1]
    known = [line for line in known if f"{line[0]} {line[1]}" not in same]
    caption = f"What was recorded of the machines; {DASH}: nothing." + f" The same on all: {', '.join(same)}." * bool(
        same
    )
    return Section("The machines", [Table("machines", caption, head, known, left=len(head))])


def _copies(copies: Sequence[float]) -> str:
    """ "37 sessions: 120 to 340 GB/s, median 211"."""
    return f"{plural(len(copies), 'session')}: {_ends(copies, number)} GB/s, median {number(median(copies))}"


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
    once = [row for row in timed if row["rounds"] == "1"]
    if once:
        lines.append(
            f"Timed in one round: {len(once)} of {len(timed)} configurations with a time, of labs "
            f"{joined(sorted(distinct(once, 'lab')))}. A slow minute would not hit all of them alike."
        )
    for device, cold in sorted({(row.device, row.cold or "0") for row in timed}):
        copies = results.copies(device, cold)
        where = f"{short_name(device)}{' of images that are not in the cache' * (cold == '1')}"
        lines += [f"A copy by {where}, in {_copies(found)}." for found in [copies] if found]
    same, different = count_verified(folder, results.machine)
    if same or different:
        lines.append(f"verify.csv: {same} comparisons with the reference identical, {different} different.")
    runs, faulty = count_sanitized(folder)
    if runs:
        lines.append(f"sanitize.csv: {runs} runs under compute-sanitizer's tools, {faulty} of them with faults.")
    text = "\n".join(f"- {line}" for line in lines + results.warnings() + emulated_notes(results))
    return Section(f"The measurements on {short_name(results.machine)}", [text])


def _fields(path: Path) -> List[Dict[str, str]]:
    return [fields for _, fields in (read_timings(path) if holds_timings(path) else read_table(path, ()))]


def _file_line(path: Path) -> Sequence[str]:
    """A line of the table of files, from the columns that the file has."""
    rows = _fields(path)
    days = sorted(fields["date"][:10] for fields in rows if fields.get("date"))
    builds = dict.fromkeys(fields["revision"][:7] for fields in rows if fields.get("revision"))
    status = [fields.get("status", "ok") for fields in rows]
    noisy = [fields.get("noisy", "") for fields in rows]
    counts = [fields.get("iterations") or fields.get("rounds", "") for fields in rows]
    return [
        f"`{path.name}`",
        str(len(rows)),
        str(sum(one != "ok" for one in status)),
        str(noisy.count("1")) if any(noisy) else DASH,
        _ends(map(int, filter(None, counts))),
        " to ".join(dict.fromkeys(days[:1] + days[-1:])) or DASH,
        joined(builds) or DASH,
    ]


def _machines(folder: Path) -> List[Path]:
    """The folders of machines."""
    return sorted(path for path in folder.iterdir() if path.is_dir())


def files_table(folder: Path) -> str:
    """What is in the CSV files of each machine's folder, counted from their rows."""
    head = "file|rows|without a time|noisy|iterations or rounds|day (UTC)|revisions".split("|")
    parts = []
    for machine in _machines(folder):
        files = sorted(path for path in machine.glob("*.csv") if path.name != SESSIONS)
        if files:
            table = Table("files", "", head, list(map(_file_line, files)))
            parts.append(f"### {machine.name}\n\n{_fields(files[0])[0].get('machine', '')}\n\n{to_markdown(table)}")
    return "\n".join(parts)


def runs_table(folder: Path) -> str:
    """The sessions of each machine's folder, and how far its second run agrees."""
    parts = []
    for machine in _machines(folder):
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
