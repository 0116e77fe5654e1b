# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Other files of a results folder: timeline.csv (make timeline), verify.csv (make verify), sanitize.csv (make sanitize),
machine_code.csv (make sass), profile/ (make profile)."""

from pathlib import Path
from typing import Dict, List, Tuple

from tools.plots.files import ReportError, read_table
from tools.plots.other_files import STEPS, lines_of

from .rows import EMULATED

# Of machine_code.csv: instructions in the code of a kernel, by kind.
MACHINE_CODE = ("lab", "variant", "compiler", "arch", "instructions", "loads_global", "stores_global", "revision")


def _read(path: Path, *columns: str) -> List[Dict[str, str]]:
    """The lines of a file; none without it."""
    return [fields for _, fields in read_table(path, columns)] if path.exists() else []


def read_timeline(folder: Path, machine: str) -> List[Dict[str, str]]:
    """The steps of timeline.csv on this machine; none without the file."""
    steps = lines_of(folder, "timeline.csv", machine)
    for step in steps:
        if step["what"] not in STEPS:
            raise ReportError(
                f"{folder / 'timeline.csv'}: column what holds '{step['what']}', expected {', '.join(STEPS)}"
            )
    return [step for step in steps if step["backend"] != EMULATED]


def read_machine_code(folder: Path) -> Dict[Tuple[str, str], Dict[str, str]]:
    """The counts of `make sass` by lab and variant (machine_code.csv); none without the file."""
    lines = _read(folder / "machine_code.csv", *MACHINE_CODE)
    return {(fields["lab"], fields["variant"]): fields for fields in lines}


def count_verified(folder: Path, machine: str) -> Tuple[int, int]:
    """Rows of verify.csv on this machine: (identical to the reference, different from it)."""
    lines = _read(folder / "verify.csv", "machine", "status")
    found = [fields["status"] for fields in lines if fields["machine"] == machine]
    return found.count("ok"), found.count("failed")


def count_sanitized(folder: Path) -> Tuple[int, int]:
    """Runs of kernels in sanitize.csv: (all, those of a tool and lab with faults)."""
    rows = _read(folder / "sanitize.csv", "lab", "tool", "runs", "status")
    return sum(int(row["runs"]) for row in rows), sum(int(row["runs"]) for row in rows if row["status"] != "ok")


def counters(path: Path) -> List[Dict[str, str]]:
    """The launches in a file of `make profile`: kernel, block and the counters, without their unit."""
    launches: Dict[str, Dict[str, str]] = {}
    for _, line in read_table(path, ("ID", "Kernel Name", "Block Size", "Metric Name", "Metric Value")):
        kernel = line["Kernel Name"].partition("(")[0].partition("<")[0].split()[-1]
        first = {"kernel": kernel, "launch": line["ID"], "block": line["Block Size"]}
        launch = launches.setdefault(line["ID"], first)
        launch[line["Metric Name"].partition(".")[0]] = line["Metric Value"].replace(",", "")
    return list(launches.values())
