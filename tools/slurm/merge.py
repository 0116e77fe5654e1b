# SPDX-License-Identifier: MIT
"""The rows of the tasks: how many there should be, how many there are, and all of them in one folder per machine."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Dict, Iterable, List, Sequence, Tuple

from plots.columns import labs_columns
from plots.files import ReportError, write_whole
from plots.sessions import NAME as SESSIONS
from plots.sessions import read_timings, text_of

from .tasks import FOLDER, JOBS, Task, read_tasks, setting

WANTED = FOLDER / "rows.txt"  # a line per task: name, number of rows
MACHINE = ("machine", "device", "gpus", "backend")  # what the machine says of itself
Row = Dict[str, str]


def rows_of(task: Task) -> List[Row]:
    """The whole rows of a task, also while it runs."""
    return [row for _, row in read_timings(task.csv, running=True)] if task.csv.exists() else []


def rows_wanted() -> Dict[str, int]:
    """By task; nothing before the first job has counted them."""
    lines = WANTED.read_text(encoding="utf-8").splitlines() if WANTED.exists() else []
    return {name: int(number) for name, number in (line.split() for line in lines)}


def done(task: Task) -> int:
    """How many of its configurations have a row, on the machine that has most."""
    rows = rows_of(task)
    if not rows:
        return 0
    names = [name for name in labs_columns().configuration if name not in MACHINE]
    each = {(row["machine"], *(row[name] for name in names)) for row in rows}
    return max(Counter(configuration[0] for configuration in each).values())


def unfinished(tasks: Sequence[Task], wanted: Dict[str, int]) -> List[Task]:
    """The tasks that have rows left, or were never counted."""
    return [task for task in tasks if task.name not in wanted or done(task) < wanted[task.name]]


def count() -> int:
    """Asks the labs how many rows each task has; keeps the numbers of labs that are not built now."""
    wanted = rows_wanted()
    for task in read_tasks():
        lab = Path(setting("BUILD") or "build", "labs", task.lab, "lab")
        if task.name in wanted and not lab.exists():
            continue
        asked = subprocess.run(
            [str(lab), "bench", *task.options, "--count"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if asked.returncode:
            raise ReportError(f"{task.name}: {asked.stderr.strip().rstrip('.')}")
        wanted[task.name] = int(asked.stdout)
    write_whole(WANTED, "".join(f"{name} {number}\n" for name, number in sorted(wanted.items())).encode())
    return 0


def status() -> int:
    """A line per file of results, and what is in the queue."""
    tasks, wanted = read_tasks(), rows_wanted()
    for file in dict.fromkeys(task.file for task in tasks):
        of_file = [task for task in tasks if task.file == file]
        print(f"{file}: {sum(map(done, of_file))} of {total(of_file, wanted)} rows")
    left = len(unfinished(tasks, wanted))
    print(f"all: {sum(map(done, tasks))} of {total(tasks, wanted)} rows; {len(tasks) - left} of {len(tasks)} tasks")
    numbers = [line.split()[1] for line in JOBS.read_text().splitlines()] if JOBS.exists() else []
    asked = (
        subprocess.run(
            ["squeue", "-r", "-h", "-o", "%j %T", "-j", ",".join(numbers)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=False,
        )
        if numbers
        else None
    )
    states = Counter(asked.stdout.splitlines()) if asked else Counter()
    print(
        *(f"{name.lower()}: {number}" for name, number in sorted(states.items()))
        if states
        else ["no job waits or runs"],
        sep="\n",
    )
    return 0


def total(tasks: Iterable[Task], wanted: Dict[str, int]) -> str:
    return str(sum(wanted[task.name] for task in tasks)) if all(task.name in wanted for task in tasks) else "?"


def final_rows(tasks: Sequence[Task]) -> Tuple[Dict[Tuple[str, str], List[Row]], List[str]]:
    """The rows by machine and file, and a sentence per row that is there twice. A row that was skipped or failed gives
    way to a later one of its task; a configuration of two tasks is taken from the first."""
    key = labs_columns().key
    files: Dict[Tuple[str, str], List[Row]] = {}
    faults: List[str] = []
    taken = set()
    for task in tasks:
        last: Dict[Tuple[str, ...], Row] = {}
        for row in rows_of(task):
            same = last.get(tuple(row[name] for name in key))
            if same and same["status"] in ("ok", "unsupported"):
                faults.append(f"{task.name}: the row of {row['variant']} {row['size']} is there twice")
            last[tuple(row[name] for name in key)] = row
        for identity, row in last.items():
            if (task.file, identity) not in taken:
                taken.add((task.file, identity))
                files.setdefault((row["machine"], task.file), []).append(row)
    return files, faults


def merge() -> int:
    """Writes FOLDER/<machine>/<lab>.csv and sessions.csv; if every row is there once, the report of each machine, too."""
    tasks, wanted = read_tasks(), rows_wanted()
    files, faults = final_rows(tasks)
    folders = {machine: FOLDER / re.sub(r"[^a-z0-9]+", "_", machine.lower()).strip("_") for machine, _ in files}
    for machine, folder in folders.items():
        write_whole(
            folder / SESSIONS,
            text_of("sessions", [row for (of, _), rows in files.items() if of == machine for row in rows]),
        )
    for (machine, file), rows in files.items():
        write_whole(folders[machine] / f"{file}.csv", text_of("timing", rows))
    faults += [
        f"{task.name}: {done(task)} of {wanted.get(task.name, '?')} rows are there"
        for task in unfinished(tasks, wanted)
    ]
    for fault in faults:
        print(fault, file=sys.stderr)
    print(
        f"{sum(map(len, files.values()))} rows of {len(tasks)} tasks in {', '.join(map(str, folders.values())) or FOLDER}",
        flush=True,
    )  # before what make prints
    if faults:
        raise ReportError(
            f"{len(faults)} tasks are not as they should be; `make slurm` runs again those that have rows left, "
            f"their words are in {FOLDER / 'logs'}"
        )
    environment = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    }
    return max(
        subprocess.run(
            ["make", "--no-print-directory", "plots", f"RESULTS={folder}"], env=environment, check=False
        ).returncode
        for folder in folders.values()
    )
