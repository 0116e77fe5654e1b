# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Prints the `lab bench` commands that give a row of ours for every row of study/data/originals.csv.

    python3 study plan | bash -ex         on a machine with the GPU of that file

The protocol is that of the file: 50 launches after 5. One command holds all variants and blocks of
a picture, because bench computes the slow reference once for each picture of a command; so it also
measures some configurations that the file does not have.
"""

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from typing import Dict, Iterable, List, Optional, Tuple

from tools.plots.files import ReportError

from .figures.shapes import grouped
from .measurements.originals import Original, read_originals

ROOT = Path(__file__).resolve().parents[1]
Job = Tuple[str, str, int, str]  # lab, type, channels, border
Runs = Tuple[Tuple[str, ...], Tuple[int, ...]]  # variants, blocks


def listed(values: Iterable[object]) -> str:
    return ",".join(map(str, values))


def commands(originals: List[Original]) -> List[Tuple[Job, Runs, List[str], List[int]]]:
    """Commands as (job, what runs, sizes, filter sides), the smallest pictures first."""
    pixels = {one.size_name: one.width * one.height for one in originals}

    def picture(one: Original) -> Tuple[Job, str, int]:
        ours = one.ours
        return (ours.lab, ours.type, ours.channels, ours.border), one.size_name, one.ksize

    # Pictures on which the same runs: first by filter side, then those with the same sides by size.
    sides: Dict[Tuple[Job, Runs, str], List[int]] = defaultdict(list)
    for (job, size, ksize), same in sorted(grouped(originals, picture).items()):
        runs = tuple(dict.fromkeys(one.variant for one in same)), tuple(sorted({one.side for one in same}))
        sides[job, runs, size].append(ksize)
    found: Dict[Tuple[Job, Runs, Tuple[int, ...]], List[str]] = defaultdict(list)
    for (job, runs, size), ksizes in sides.items():
        found[job, runs, tuple(ksizes)].append(size)
    result = [(job, runs, sorted(sizes, key=pixels.__getitem__), list(ks)) for (job, runs, ks), sizes in found.items()]
    return sorted(result, key=lambda one: (max(pixels[size] for size in one[2]), one))


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="study plan", allow_abbrev=False, description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--build", default="build", metavar="DIR", help="where the labs are built")
    parser.add_argument(
        "--results", default="results", metavar="DIR", help="where <lab>_sweep.csv is written (default: results)"
    )
    options = parser.parse_args(arguments)
    try:
        originals = read_originals(ROOT / "study" / "data" / "originals.csv")
    except ReportError as error:
        print(f"study plan: {error}", file=sys.stderr)
        return 1
    for (lab, type_, channels, border), (variants, blocks), sizes, ksizes in commands(originals):
        picture = "" if type_ == "uint8" else "--image random --filter box "
        print(
            f"{options.build}/labs/{lab}/lab bench --variant {listed(variants)} --type {type_} "
            f"--channels {channels} --border {border} {picture}--ksize {listed(ksizes)} "
            f"--block {listed(blocks)} --size {listed(sizes)} --iterations 50 --warmup 5 --kernel-only "
            f"--csv {options.results}/{lab}_sweep.csv"
        )
    return 0
