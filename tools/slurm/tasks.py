# SPDX-License-Identifier: MIT
"""What `make slurm` runs: a task per lab and size, and one per line of a lab's sweep.txt and size. Each task
has a name, by which a later submission finds its rows again."""

import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import List, Tuple

from plots.files import ReportError

STANDARD_SIZES = ["480p", "720p", "1080p", "1440p", "4k", "8k"]


def setting(name: str) -> str:
    """A setting of config.mk; "" if it is empty."""
    return os.environ.get(name, "").strip()


FOLDER = Path(setting("RESULTS") or "results") / "slurm"
TASKS = FOLDER / "tasks.txt"  # a line per task: name, kind of machine, lab, options; an array counts these lines
JOBS = FOLDER / "jobs.txt"  # a line per job of the last submission: what, number


@dataclass(frozen=True)
class Task:
    name: str
    kind: str  # the machine: cpu, gpu, or mpi (NODES= nodes)
    lab: str
    options: Tuple[str, ...]

    @property
    def csv(self) -> Path:
        """Its rows."""
        return FOLDER / "tasks" / f"{self.name}.csv"

    @property
    def file(self) -> str:
        """The file of results to which its rows belong: 03_cuda_global or 03_cuda_global_sweep."""
        return self.name.split(".")[0]

    def line(self) -> str:
        return " ".join([self.name, self.kind, self.lab, *self.options])


def kind_of(lab: str) -> str:
    """A CUDA lab runs on the GPUs that GRES= asks for; without GRES= all machines are of one kind."""
    if Path("labs", lab, "ranks").is_dir():
        return "mpi"
    return "gpu" if setting("GRES") and Path("labs", lab, "main.cu").exists() else "cpu"


def sizes_of(text: str) -> List[str]:
    return STANDARD_SIZES if text in ("", "all") else text.split(",")


def sweep_lines(lab: str, wanted: List[str]) -> List[List[str]]:
    """The options of each line; wanted: only of lines whose comment names one of these."""
    path = Path("labs", lab, "sweep.txt")
    lines: List[List[str]] = []
    comment, new = "", True
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        if line.startswith("#"):
            comment, new = (line if new is False else comment + line), True
            continue
        new = False
        if line.strip() and (not wanted or any(name in comment for name in wanted)):
            lines.append(line.split("#")[0].split())
    return lines


def tasks_to_run() -> List[Task]:
    """By the settings LABS, SIZES and SWEEP."""
    wanted = [name for name in setting("SWEEP").split(",") if name]
    found: List[Task] = []
    for lab in setting("LABS").split():
        if not wanted:
            found += [Task(f"{lab}.{size}", kind_of(lab), lab, ("--size", size)) for size in sizes_of(setting("SIZES"))]
        for options in sweep_lines(lab, wanted):
            at = options.index("--size") if "--size" in options else len(options)
            rest = options[:at] + options[at + 2 :]
            line = zlib.crc32(" ".join(rest).encode())
            found += [
                Task(f"{lab}_sweep.{size}.{line:08x}", kind_of(lab), lab, ("--size", size, *rest))
                for size in sizes_of("".join(options[at + 1 : at + 2]))
            ]
    if not found:
        raise ReportError(
            f"no lab's sweep.txt names {' or '.join(wanted)} in a comment" if wanted else "there is no lab"
        )
    return list(dict.fromkeys(found))


def read_tasks() -> List[Task]:
    """Those of all submissions."""
    if not TASKS.exists():
        raise ReportError(f"there is no {TASKS}: run `make slurm` first")
    lines = [line.split() for line in TASKS.read_text(encoding="utf-8").splitlines()]
    return [Task(name, kind, lab, tuple(options)) for name, kind, lab, *options in lines]
