# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Other files of a results folder: timeline.csv (make timeline), verify.csv (make verify),
sanitize.csv (make sanitize), machine_code.csv (make sass), clips.csv (make clips)."""

from pathlib import Path
from typing import Dict, List, Tuple

from .csv_file import NUMBER, ReportError, read_table
from .rows import EMULATED

# Columns of timeline.csv: a row for each step of one run.
TIMELINE = (
    "lab",
    "variant",
    "backend",
    "machine",
    "device",
    "size",
    "width",
    "height",
    "channels",
    "type",
    "filter",
    "ksize",
    "border",
    "gpu",
    "stream",
    "part",
    "what",
    "start_ms",
    "end_ms",
    "revision",
    "date",
)

# Of machine_code.csv: instructions in the code of a kernel, by kind.
MACHINE_CODE = ("lab", "variant", "compiler", "arch", "instructions", "loads_global", "stores_global", "revision")


# Of clips.csv: a row for each clip and lab.
CLIP = (
    "lab",
    "variant",
    "backend",
    "machine",
    "device",
    "video",
    "out",
    "width",
    "height",
    "rate",
    "frames",
    "seconds",
    "reading_ms",
    "computing_ms",
    "writing_ms",
    "slowest",
    "revision",
    "date",
)


def read_timeline(folder: Path, machine: str) -> List[Dict[str, str]]:
    """The steps of timeline.csv on this machine; none without the file."""
    path = folder / "timeline.csv"
    if not path.exists():
        return []
    steps = []
    for where, step in read_table(path, TIMELINE):
        for name in ("gpu", "stream", "part", "start_ms", "end_ms"):
            if not NUMBER.fullmatch(step[name]):
                raise ReportError(f"{where}: column {name} holds '{step[name]}', expected a number")
        if step["what"] not in ("copy in", "filter", "copy out"):
            raise ReportError(f"{where}: column what holds '{step['what']}', expected copy in, filter or copy out")
        if step["machine"] == machine and step["backend"] != EMULATED:
            steps.append(step)
    return steps


def read_machine_code(folder: Path) -> Dict[Tuple[str, str], Dict[str, str]]:
    """The counts of `make sass` by lab and variant (machine_code.csv); none without the file."""
    path = folder / "machine_code.csv"
    if not path.exists():
        return {}
    return {(fields["lab"], fields["variant"]): fields for _, fields in read_table(path, MACHINE_CODE)}


def read_clips(folder: Path) -> List[Dict[str, str]]:
    """The rows of clips.csv; none without the file."""
    path = folder / "clips.csv"
    return [fields for _, fields in read_table(path, CLIP)] if path.exists() else []


def count_verified(folder: Path, machine: str) -> Tuple[int, int]:
    """Rows of verify.csv on this machine: (identical to the reference, different from it)."""
    path = folder / "verify.csv"
    if not path.exists():
        return 0, 0
    found = [fields["status"] for _, fields in read_table(path, ("machine", "status")) if fields["machine"] == machine]
    return found.count("ok"), found.count("failed")


def count_sanitized(folder: Path) -> Tuple[int, int]:
    """Runs of kernels in sanitize.csv: (all, those of a tool and lab with faults)."""
    path = folder / "sanitize.csv"
    if not path.exists():
        return 0, 0
    rows = [fields for _, fields in read_table(path, ("lab", "tool", "runs", "status"))]
    return (sum(int(row["runs"]) for row in rows), sum(int(row["runs"]) for row in rows if row["status"] != "ok"))
