# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Defects of what was measured, and of how it is described: each with a number."""
import math
from typing import Mapping

from ..figures.content import number, percent, times
from .arrays import Given, Shown
from .numbers import NOT_MEASURED, row


def wide_blocks(given: Given) -> Shown:
    """A block of B x B outputs that loads its halo has (B + K - 1)^2 threads."""
    side, ksize = 16, 9
    threads = (side + ksize - 1) ** 2
    return Shown(f"9x9, \"16x16\": {threads} threads per block, of which {side ** 2} ({percent(side ** 2 / threads)}) "
                 "compute an output.")


def square_images(given: Given) -> Shown:
    """How many of the published numbers are of square images, and the hardware that they name."""
    values = given.published.where(report="chisci2024")
    square = sum(value.resolution == f"{value.width}x{value.width}" for value in values)
    return Shown(f"{square} of {len(values)} published numbers are of square images; their hardware: "
                 f"{'; '.join(dict.fromkeys(value.hardware for value in values))}.")


def one_block(given: Given) -> Shown:
    """The fastest of its versions, in one block, and the whole GPU."""
    v3, grid = (row(given, f"lab=08_heat_map variant={name} image=moving", "4k") for name in ("v3", "grid"))
    if v3 is None or grid is None:
        return NOT_MEASURED
    return Shown(f"Heat map at 4k: {number(v3.ms)} ms in one block, {number(grid.ms)} ms on all multiprocessors with "
                 f"coalesced accesses ({times(v3.ms / grid.ms)}).")


def formula_per_pixel(given: Given) -> Shown:
    """The formula for every pixel, and a table of its 766 results."""
    formula, table = (row(given, f"lab=08_heat_map variant={name} image=moving", "1080p") for name in ("cpu", "cpu_simd"))
    if formula is None or table is None:
        return NOT_MEASURED
    return Shown(f"Heat map at 1080p on one CPU thread: {number(formula.ms)} ms with the formula in double precision, "
                 f"{number(table.ms)} ms with a table, 64 pixels at a time ({times(formula.ms / table.ms)}).")


def root_of_side(given: Given) -> Shown:
    """The side of a Gaussian of standard deviation 1."""
    side = 6 * 1 - 1
    return Shown(f"sigma 1: 6 sigma - 1 = {side}; its square root, {number(math.sqrt(side))}, is the side of no filter.")


def covered_camera(given: Given) -> Shown:
    """The version whose time depends on the picture, on a black one and on one that moves."""
    black, turning = (row(given, f"lab=09_noise_map variant=v3 image={image}", "4k") for image in ("black", "panning"))
    if black is None or turning is None:
        return NOT_MEASURED
    return Shown(f"Noise map `v3` at 4k: {number(black.ms)} ms with a covered camera, {number(turning.ms)} ms while it turns "
                 f"({times(turning.ms / black.ms)}).")


def nine_by_nine(given: Given) -> Shown:
    """Why two rounds of loads cannot do 9x9 with blocks of 16 x 16."""
    refused = given.results.where(lambda one: one.status == "unsupported", lab="05_cuda_shared", ksize="9", block="16")
    reasons = [one.reason for one in refused if one.variant.startswith("two_batch")]
    return Shown(f"Ours refuses: \"{reasons[0]}\"" if reasons else "Not measured.")


def _ns_per_tap(line: Mapping[str, str]) -> float:
    return float(line["mean_us"]) * 1e3 / (int(line["width"]) * int(line["height"]) * int(line["channels"])
                                           * int(line["ksize"]) ** 2)


def slow_baseline(given: Given) -> Shown:
    """Its program of one thread beside the fastest one of the other reports, on one CPU."""
    lines = [line for line in given.published.lines if line["program"].startswith("cpu_") and line["ksize"] == "3"]
    mine = [line for line in lines if line["report"] == "delbimbo2024"]
    if not mine:
        return NOT_MEASURED
    best = min(lines, key=_ns_per_tap)
    return Shown(f"3x3 on one CPU, which was not recorded: {number(_ns_per_tap(mine[0]))} ns per tap, the program of "
                 f"{best['report']} {number(_ns_per_tap(best))} ns ({times(_ns_per_tap(mine[0]) / _ns_per_tap(best))}).")
