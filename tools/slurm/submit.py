# SPDX-License-Identifier: MIT
"""Submits three sorts of jobs to Slurm: one builds on the machine that computes, an array per kind of machine runs the
tasks that have rows left, the last one merges."""

import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Dict, List, Sequence

from plots.files import ReportError, write_whole

from .merge import rows_wanted, unfinished
from .tasks import FOLDER, JOBS, TASKS, Task, read_tasks, setting, tasks_to_run

HERE = Path(__file__).resolve().parent
BUILD_COMMAND = (
    "unset MAKEFLAGS MAKELEVEL MFLAGS; make --no-print-directory all data SIZES=all && python3 tools/slurm count"
)


def ranges(numbers: Sequence[int]) -> str:
    """ "1-3,7" of 1, 2, 3, 7."""
    found: List[List[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found)


def options_of(kind: str) -> List[str]:
    """What a job of this kind asks Slurm for. Times need a machine without other jobs."""
    asked = [
        "--parsable",
        "--export=ALL",
        "--exclusive",
        "--mem=0",
        f"--time={setting('TIME')}",
        "--requeue",
        "--open-mode=append",
    ]
    asked += [f"--{name.lower()}={setting(name)}" for name in ("PARTITION", "ACCOUNT") if setting(name)]
    if kind == "gpu" or (kind == "mpi" and setting("GRES")):
        asked.append(f"--gres={setting('GRES')}")
    return asked + [f"--nodes={setting('NODES') if kind == 'mpi' and setting('NODES') else 1}"]


def still_there() -> List[str]:
    """The jobs of the last submission that wait or run."""
    numbers = [line.split()[1] for line in JOBS.read_text().splitlines()] if JOBS.exists() else []
    if not numbers:
        return []
    done = subprocess.run(
        ["squeue", "-h", "-r", "-o", "%F", "-j", ",".join(numbers)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    return sorted(set(done.stdout.split()))


class Queue:
    """sbatch, or with DRY=1 its command lines."""

    def __init__(self) -> None:
        self.dry = bool(setting("DRY"))
        self.jobs: Dict[str, str] = {}

    def add(self, what: str, options: List[str], command: List[str]) -> None:
        log = FOLDER / "logs" / ("%A_%a.log" if what in ("cpu", "gpu", "mpi") else "%j.log")
        words = ["sbatch", f"--job-name=convolab-{what}", f"--output={log}", *options, *command]
        if self.dry:
            print(shlex.join(words))
            self.jobs[what] = what.upper()
            return
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            if self.jobs:
                subprocess.run(["scancel", *self.jobs.values()], check=False)
            raise ReportError(f"sbatch: {done.stderr.strip().rstrip('.')}; nothing was submitted")
        self.jobs[what] = done.stdout.strip().split(";")[0]


def submit_all(queue: Queue, tasks: List[Task], incomplete: List[Task]) -> None:
    kinds = [kind for kind in ("cpu", "gpu", "mpi") if any(task.kind == kind for task in incomplete)]
    builder = "gpu" if "gpu" in kinds else kinds[0]
    queue.add("build", options_of(builder), [f"--wrap={BUILD_COMMAND}"])
    after = f"--dependency=afterok:{queue.jobs['build']}"
    for kind in kinds:
        numbers = [number for number, task in enumerate(tasks, 1) if task.kind == kind and task in incomplete]
        queue.add(
            kind,
            [*options_of(kind), after, "--kill-on-invalid-dep=yes", "--signal=B:USR1@60", f"--array={ranges(numbers)}"],
            [str((HERE / "task.sh").relative_to(Path.cwd()))],
        )
    last = ":".join(queue.jobs[kind] for kind in kinds)
    queue.add("merge", [*options_of("cpu"), f"--dependency=afterany:{last}"], ["--wrap=python3 tools/slurm merge"])


def submit() -> int:
    """Tasks that are complete are not submitted again, so a second call continues where jobs were ended. Tasks of earlier
    submissions stay: their rows are merged, too."""
    asked = {task.name: task for task in tasks_to_run()}
    tasks = list({**({task.name: task for task in read_tasks()} if TASKS.exists() else {}), **asked}.values())
    queue = Queue()
    if not queue.dry and not shutil.which("sbatch"):
        raise ReportError(
            "there is no sbatch here; run this on a machine that submits to Slurm, or only print with DRY=1"
        )
    there = [] if queue.dry else still_there()
    if there:
        raise ReportError(
            f"the jobs {', '.join(there)} are still there; `make slurm-status` shows them, `scancel` ends them"
        )
    incomplete = unfinished(list(asked.values()), rows_wanted())
    if not incomplete:
        print(f"all rows of {len(asked)} tasks are there; `python3 tools/slurm merge` merges them into {FOLDER}")
        return 0
    if not queue.dry:
        for folder in ("tasks", "logs"):
            (FOLDER / folder).mkdir(parents=True, exist_ok=True)
        write_whole(TASKS, "".join(f"{task.line()}\n" for task in tasks).encode())
    submit_all(queue, tasks, incomplete)
    if queue.dry:
        print(*(f"{number}\t{task.line()}" for number, task in enumerate(tasks, 1)), sep="\n")
        return 0
    write_whole(JOBS, "".join(f"{what} {number}\n" for what, number in queue.jobs.items()).encode())
    print(
        f"{len(incomplete)} of {len(asked)} tasks submitted: "
        + ", ".join(f"{what} {number}" for what, number in queue.jobs.items())
        + f"; `make slurm-status` shows how far they are, results come to {FOLDER}"
    )
    return 0
