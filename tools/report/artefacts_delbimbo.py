# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Artefacts of delbimbo2024: Tables 1 and 2, speed-ups of three kernels over `aos` of lab 01."""
from typing import Callable, Dict, List, Tuple

from .content import Section
from .panels import not_measured
from .published import Published
from .rows import Row
from .selection import Results
from .speed_ups import speed_ups, times_of_programs

DELBIMBO = (("global", "03_cuda_global", "aos", "cuda_global"),
            ("constant", "04_cuda_constant", "aos", "cuda_constant"),
            ("shared", "05_cuda_shared", "two_batch", "cuda_shared"))


def _delbimbo(results: Results, test: Callable[[Row], bool]) -> Dict[str, List[Row]]:
    """Timed rows of the three kernels by name: Gaussian, 256 threads per block, any K."""
    return {name: results.where(
        lambda row: row.timed and row.side in (None, 16) and test(row), lab=lab, variant=variant,
        backend="cuda", type="uint8", filter="gaussian", border="replicate")
        for name, lab, variant, _ in DELBIMBO}


def delbimbo_tables(results: Results, published: Published) -> Section:
    """delbimbo2024 Tables 1 and 2: speed-up by size (3x3) and by K (1080p), three memories."""
    title = "delbimbo2024 Tables 1 and 2: global, constant and shared memory"
    section = Section(title)
    names = {kernel[3]: kernel[0] for kernel in DELBIMBO}

    def theirs(table: str, step: str) -> Dict[Tuple[str, int], float]:
        heights = {"480p": 480, "720p": 720, "1080p": 1080, "4k": 2160, "8k": 4320}
        values = published.where(report="delbimbo2024", table=table)
        return {(names[value.variant], heights[value.size_name] if step == "height"
                 else value.ksize or 0): value.value for value in values}

    source = ("Published: NVIDIA GeForce RTX 3060; its baseline takes 60 ns per tap, so its "
              "speed-ups measure the baseline.")
    by_size = _delbimbo(results, lambda row: row.ksize == "3")
    by_side = _delbimbo(results, lambda row: row.height == "1080")
    if any(by_size.values()):
        section.items += speed_ups(results, "delbimbo_table1", "3x3 Gaussian: speed-up by size",
                             "height (pixels)", "height", by_size,
                             lambda row: row.integer("height"), "aos",
                             theirs("Table 1", "height"),
                             times_of_programs(published, "delbimbo2024", DELBIMBO,
                                        lambda o: o.side == 16 and o.ksize == 3
                                        and o.program.endswith("AoS"), lambda o: o.height),
                             f"{source} {published.original}", logarithmic=True)
    if any(by_side.values()):
        section.items += speed_ups(results, "delbimbo_table2", "Gaussian at 1080p: speed-up by K",
                             "K (side of the filter)", "K", by_side,
                             lambda row: row.integer("ksize"), "aos",
                             theirs("Table 2", "ksize"), {}, source)
    if section.items:
        section.items += [f"Not measured here: {words}." for words, measured in (
            ("Table 1, 3x3 by size", by_size), ("Table 2, by K", by_side))
                          if not any(measured.values())]
    return section if section.items else not_measured(title, "labs 03, 04, 05 on a GPU, K 3 to 9")


ARTEFACTS = [delbimbo_tables]
