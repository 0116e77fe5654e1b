# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What limits a kernel: Nsight Compute's counters (profile/<lab>_<variant>_4k.csv, `make profile`)."""

from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from ..figures.content import DASH, Table, number
from ..measurements.other_files import counters
from .road import ROAD

PIXELS = 3840 * 2160
# What may be busiest, by counter: per cent of the peak.
UNITS = {
    "dram__throughput": "DRAM",
    "lts__throughput": "L2 cache",
    "l1tex__throughput": "L1 cache and shared memory",
    "sm__throughput": "multiprocessor",
}
HEADER = [
    "instructions per pixel",
    "bytes of memory per pixel",
    "busiest unit",
    "active warps",
    "registers",
    "shared memory (bytes)",
]
Launch = Dict[str, str]


def _value(launch: Launch, name: str) -> Optional[float]:
    try:
        return float(launch[name])
    except (KeyError, ValueError):
        return None


def _per_pixel(launches: Sequence[Launch], factor: float, *names: str) -> str:
    """The sum of these counters over all launches; a dash where one is missing."""
    values = [_value(launch, name) for launch in launches for name in names]
    total = None if None in values else sum(value or 0 for value in values)
    return number(total * factor / PIXELS if total else None)


def busiest(launch: Launch) -> str:
    """ "L1 cache and shared memory, 98 %"."""
    known = {words: value for name, words in UNITS.items() if (value := _value(launch, name)) is not None}
    words = max(known, key=lambda name: known[name], default="")
    return f"{words}, {known[words]:.0f} %" if words else DASH


def cells(folder: Path, lab: str, variant: str) -> List[str]:
    """What HEADER names, of a variant that was profiled at 4k; nothing without its file. Of several kernels the sums, the
    busiest unit of each, and the last one's rest."""
    path = folder / "profile" / f"{lab}_{variant}_4k.csv"
    launches = counters(path) if path.exists() else []
    if not launches:
        return []
    return [
        _per_pixel(launches, 32, "smsp__inst_executed"),
        _per_pixel(launches, 1, "dram__bytes_read", "dram__bytes_write"),
        "; ".join(map(busiest, launches)),
        f"{_value(launches[-1], 'sm__warps_active') or 0:.0f} %",
        launches[-1].get("launch__registers_per_thread", DASH),
        launches[-1].get("launch__shared_mem_per_block", DASH),
    ]


def counters_table(folder: Path, kernels: Sequence[Tuple[str, str]] = ROAD) -> List[Table]:
    """A line for each lab and variant that was profiled; nothing where none was."""
    lines = [[f"{lab} {variant}", *found] for lab, variant in kernels if (found := cells(folder, lab, variant))]
    caption = "What limits each kernel of these steps at 4k: one launch, by Nsight Compute."
    return [Table("counters", caption, ["kernel", *HEADER], lines)] if lines else []
