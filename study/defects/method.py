# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Defects of what was measured, and of how it is described: each with a number."""

import math
from typing import List, Mapping

from ..figures.content import number, percent, times
from ..measurements.originals import ns_per_tap
from .arrays import Given, Shown
from .numbers import NOT_MEASURED, row


def wide_blocks(given: Given) -> Shown:
    """A block of B x B outputs that loads its halo has (B + K - 1)^2 threads."""
    side, ksize = 16, 9
    threads = (side + ksize - 1) ** 2
    return Shown(
        f'9x9, "16x16": {threads} threads per block, of which {side**2} ({percent(side**2 / threads)}) '
        "compute an output."
    )


def square_images(given: Given) -> Shown:
    """How many of the published numbers are of square images, and the hardware that they name."""
    values = given.published.where(report="chisci2024")
    square = sum(value.resolution == f"{value.width}x{value.width}" for value in values)
    return Shown(
        f"{square} of {len(values)} published numbers are of square images; their hardware: "
        f"{'; '.join(dict.fromkeys(value.hardware for value in values))}."
    )


def _compared(given: Given, size: str, slower: str, faster: str, words: str) -> Shown:
    """The times of two selectors at a size, and their ratio, in these words."""
    rows = [row(given, selector, size) for selector in (slower, faster)]
    found = [one.ms for one in rows if one is not None]
    if len(found) < 2:
        return NOT_MEASURED
    return Shown(words.format(*map(number, found), times(found[0] / found[1])))


def one_block(given: Given) -> Shown:
    """The fastest of its versions, in one block, and the whole GPU."""
    return _compared(
        given,
        "4k",
        "lab=08_heat_map variant=v3 image=moving",
        "lab=08_heat_map variant=grid image=moving",
        "Heat map at 4k: {} ms in one block, {} ms on all multiprocessors with coalesced accesses ({}).",
    )


def formula_per_pixel(given: Given) -> Shown:
    """The formula for every pixel, and a table of its 766 results."""
    return _compared(
        given,
        "1080p",
        "lab=08_heat_map variant=cpu image=moving",
        "lab=08_heat_map variant=cpu_simd image=moving",
        "Heat map at 1080p on one CPU thread: {} ms with the formula in double precision, {} ms with a table, "
        "64 pixels at a time ({}).",
    )


def covered_camera(given: Given) -> Shown:
    """The version whose time depends on the picture, while everything moves and on a black picture."""
    return _compared(
        given,
        "4k",
        "lab=09_noise_map variant=v3 image=panning",
        "lab=09_noise_map variant=v3 image=black",
        "Noise map `v3` at 4k: {} ms while the camera turns, {} ms with a covered camera ({}).",
    )


def root_of_side(given: Given) -> Shown:
    """The side of a Gaussian of standard deviation 1."""
    side = 6 * 1 - 1
    return Shown(
        f"sigma 1: 6 sigma - 1 = {side}; its square root, {number(math.sqrt(side))}, is the side of no filter."
    )


def nine_by_nine(given: Given) -> Shown:
    """Why two rounds of loads cannot do 9x9 with blocks of 16 x 16."""
    refused = given.results.where(lambda one: one.status == "unsupported", lab="05_cuda_shared", ksize="9", block="16")
    reasons = [one.reason for one in refused if one.variant.startswith("two_batch")]
    return Shown(f'Ours refuses: "{reasons[0]}"' if reasons else "Not measured.")


def _one_thread(given: Given) -> List[Mapping[str, str]]:
    """The times with 3x3 of the reports' programs of one thread, all with -O3 on one CPU, the fastest per tap first."""
    return sorted(
        (line for line in given.published.lines if line["program"].startswith("cpu_") and line["ksize"] == "3"),
        key=ns_per_tap,
    )


def built_without_optimisation(given: Given) -> Shown:
    """Its CPU function with the optimisation that its own build does not ask for."""
    mine = [line for line in _one_thread(given) if line["report"] == "cazzola2024" and line["width"] == line["height"]]
    if not mine:
        return NOT_MEASURED
    return Shown(
        f"Not run as it is built: that times the compiler's setting. With -O3, 3x3 on one CPU, which was not recorded: "
        f"{number(ns_per_tap(mine[0]))} ns per tap."
    )


def unoptimised_code(given: Given) -> Shown:
    """The stores in optimised code of ours, of the two versions that the report compares."""
    codes = [given.results.machine_code.get(("09_noise_map", variant)) for variant in ("v1", "v2")]
    if None in codes:
        return NOT_MEASURED
    first, second = (code["stores_global"] for code in codes if code)
    return Shown(
        f"Noise maps `v1` and `v2` of ours, optimised: {first} and {second} stores in the code for 16 pixels. The report's "
        "listing is not made again: today's compiler does not know its GPU."
    )


def baselines_apart(given: Given) -> Shown:
    """The slowest and the fastest program of one thread of the five reports."""
    lines = _one_thread(given)
    if len(lines) < 2:
        return NOT_MEASURED
    fast, slow = lines[0], lines[-1]
    return Shown(
        f"3x3 on one CPU, which was not recorded, all with -O3: {number(ns_per_tap(fast))} ns per tap ({fast['report']}) to "
        f"{number(ns_per_tap(slow))} ns ({slow['report']}), {times(ns_per_tap(slow) / ns_per_tap(fast))}."
    )


def slow_baseline(given: Given) -> Shown:
    """Its program of one thread beside the fastest one of the other reports, on one CPU."""
    lines = _one_thread(given)
    mine = [line for line in lines if line["report"] == "delbimbo2024"]
    if not mine:
        return NOT_MEASURED
    best = lines[0]
    return Shown(
        f"3x3 on one CPU, which was not recorded: {number(ns_per_tap(mine[0]))} ns per tap, the program of "
        f"{best['report']} {number(ns_per_tap(best))} ns ({times(ns_per_tap(mine[0]) / ns_per_tap(best))})."
    )


def no_multiple_of_4(given: Given) -> Shown:
    """The two numbers of threads that the text calls best."""
    best = given.published.where(report="videostream2021", variant="heatmap_v3_thread_sweep", unit="count")
    return Shown(" ".join(f"{value.value:g} modulo 4 is {value.value % 4:g}." for value in best))


def copies_alike(given: Given) -> Shown:
    """The numbers of Figure 13 of the copies to the device, and of those back."""
    both = []
    for way in ("HtoD", "DtoH"):
        values = given.published.where(report="videostream2021", table="Figure 13", unit="ms")
        both.append([f"{one.value:g}" for one in values if one.metric.startswith(f"gpu_memcpy_{way}_")])
    return Shown(f"In: {', '.join(both[0])} ms. Out: {', '.join(both[1])} ms.")
