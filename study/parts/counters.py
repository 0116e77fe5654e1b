# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What limits each kernel: Nsight Compute's counters (profile/<lab>_<variant>_4k.csv, `make profile`)."""

from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from ..figures.content import DASH, Table, number
from ..measurements.keyed import counters

PIXELS = 3840 * 2160
# What may be busiest, by counter: per cent of the peak.
UNITS = {
    "dram__throughput": "DRAM",
    "lts__throughput": "L2 cache",
    "l1tex__throughput": "L1 cache and shared memory",
    "sm__throughput": "multiprocessor",
}


def _value(launch: Dict[str, str], name: str) -> Optional[float]:
    try:
        return float(launch[name])
    except (KeyError, ValueError):
        return None


def _sum(launches: List[Dict[str, str]], *names: str) -> Optional[float]:
    values = [_value(launch, name) for launch in launches for name in names]
    return None if None in values else sum(value or 0 for value in values)


def busiest(launch: Dict[str, str]) -> str:
    """ "L1 cache and shared memory, 98 %"."""
    found = {words: _value(launch, name) for name, words in UNITS.items()}
    known = {words: value for words, value in found.items() if value is not None}
    if not known:
        return DASH
    words = max(known, key=lambda name: known[name])
    return f"{words}, {known[words]:.0f} %"


def cells(path: Path) -> Optional[List[str]]:
    """Instructions and bytes of memory per pixel, the busiest unit, active warps, registers, shared
    memory; None without the file. Of several kernels the sums, the busiest unit of each, and the last one's rest."""
    if not path.exists():
        return None
    launches = counters(path)
    if not launches:
        return None
    instructions = _sum(launches, "smsp__inst_executed")
    moved = _sum(launches, "dram__bytes_read", "dram__bytes_write")
    last = launches[-1]
    return [
        number(instructions * 32 / PIXELS if instructions else None),
        number(moved / PIXELS if moved else None),
        "; ".join(map(busiest, launches)),
        f"{_value(last, 'sm__warps_active') or 0:.0f} %",
        last.get("launch__registers_per_thread", DASH),
        last.get("launch__shared_mem_per_block", DASH),
    ]


HEADER = [
    "instructions per pixel",
    "bytes of memory per pixel",
    "busiest unit",
    "active warps",
    "registers",
    "shared memory (bytes)",
]


def counters_table(folder: Path, kernels: Sequence[Tuple[str, str]]) -> List[Table]:
    """A line for each lab and variant that was profiled at 4K; nothing where none was."""
    lines = []
    for lab, variant in kernels:
        found = cells(folder / "profile" / f"{lab}_{variant}_4k.csv")
        if found:
            lines.append([f"{lab} {variant}", *found])
    return (
        [
            Table(
                "counters",
                "What limits each kernel of these steps at 4k: one launch, by Nsight Compute.",
                ["kernel", *HEADER],
                lines,
            )
        ]
        if lines
        else []
    )
