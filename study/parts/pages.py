# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Each variant's page next to the one before it, differences marked, for report.html; its time, and what limits it: Nsight
Compute's counters (profile/<lab>_<variant>_4k.csv, `make profile`). The first page has nothing before it."""

import difflib
import html
import re
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from ..figures.content import DASH, Table, number, short_name, why_untimed
from ..figures.series import describe_job, main_job
from ..measurements.keyed import counters
from ..measurements.rows import Row
from ..measurements.selection import Results
from .road import AT, ROAD, job

SINCE = re.compile(r"^// Since ([\w' ,()]+):(.*)$", re.M)
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
Known = Dict[Tuple[str, str], Path]  # the page of each lab and variant


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


def pages(labs: Path) -> Known:
    """The files with a field `Alone`, as 03_coalesced.cu."""
    return {
        (path.parent.name, path.stem[3:]): path
        for path in sorted(labs.glob("*/*.c*"))
        if "\n// Alone: " in path.read_text(encoding="utf-8")
    }


def before(lab: str, text: str, known: Known) -> Optional[Path]:
    """The page that the field `Since` names: in this lab, or in the lab with the number it names; else in any."""
    found = SINCE.search(text)
    if found is None:
        return None
    other = re.search(r"lab (\d\d)", found[1])
    names = re.findall(r"\w+", found[1].replace("'s", " "))
    named = [(of, path) for (of, variant), path in known.items() if variant in names]
    near = [path for of, path in named if (of.startswith(other[1]) if other else of == lab)]
    return next(iter(near or [path for _, path in named]), None)


def _body(path: Path) -> List[str]:
    """The page without its licence."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith(("// Copyright", "// SPDX"))]


def _rows(old: List[str], new: List[str]) -> str:
    parts = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for index in range(max(b - a, d - c)):
            left = html.escape(old[a + index]) if a + index < b else ""
            right = html.escape(new[c + index]) if c + index < d else ""
            parts.append(f"<tr{' class=changed' * (tag != 'equal')}><td>{left}</td><td>{right}</td></tr>")
    return "".join(parts)


def _ranks(row: Row) -> str:
    """ " with 32 ranks", " with 4 ranks and a GPU per rank" of a row of lab 11."""
    words = f" with {row.ranks} rank" + "s" * (row.ranks != "1") + " and a GPU per rank" * (row.backend == "cuda")
    return words * bool(row.ranks)


def _time(results: Results, lab: str, variant: str) -> str:
    """The time at 8k of the 5x5 Gaussian of an RGB picture, or of the job that the variant has there; where 8k was not
    timed, at the largest size; nothing without a time."""
    row = job(results.bench, lab, variant).get(AT)
    if row is not None:
        return f"{number(row.ms)} ms at {AT}{_ranks(row)}"

    def plain(row: Row) -> bool:
        return row.timed and row.ksize in ("", "5") and row.passes in ("", "1") and row.cold != "1"

    own = results.where(plain, lab=lab, variant=variant)
    largest = max((row.pixels for row in own), default=0)
    there = main_job([row for row in own if row.size_name == AT] or [row for row in own if row.pixels == largest])
    fastest = min(there, key=lambda row: row.ms, default=None)
    return (
        f"{number(fastest.ms)} ms at {fastest.size_name}{_ranks(fastest)} ({describe_job([fastest])})"
        if fastest
        else ""
    )


def times(machines: Sequence[Results], lab: str, variant: str) -> List[str]:
    """The time on the report's machine; where it has none, on each of the others, which is named."""
    here = _time(machines[0], lab, variant)
    if here:
        return [here]
    found = [(short_name(results.machine), _time(results, lab, variant)) for results in machines[1:]]
    refused = [row for results in machines for row in results.where(lab=lab, variant=variant)]
    elsewhere = [f"on {machine}: {words}" for machine, words in found if words]
    return elsewhere or [why_untimed(refused[0]) if refused else "not measured"]


def side_by_side(labs: Path, folder: Path, machines: Sequence[Results]) -> str:
    """HTML: a fold for each page; `folder`: of the first machine."""
    known, parts = pages(labs), []
    for (lab, variant), path in known.items():
        other = before(lab, path.read_text(encoding="utf-8"), known)
        was = f"{other.parent.name}/{other.name}" if other else "nothing before it"
        counted = zip(HEADER, cells(folder, lab, variant))
        said = "; ".join([*times(machines, lab, variant), *(f"{name}: {value}" for name, value in counted)])
        parts.append(
            f"<details><summary><b>{lab}/{path.name}</b> next to {was}: {html.escape(said)}</summary>"
            f"<div class=wide><table class=code><thead><tr><th>{was}</th><th>{lab}/{path.name}</th></tr></thead><tbody>"
            f"{_rows(_body(other) if other else [], _body(path))}</tbody></table></div></details>"
        )
    return "\n".join(parts)
