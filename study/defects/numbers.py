# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Defects of method: what they do to a number, worked out from measured and published times."""

from typing import Optional

from ..figures.content import number, times
from ..measurements.points import wanted
from ..measurements.rows import Row
from .arrays import Given, Shown

NOT_MEASURED = Shown("Not measured.")
SAMPLES_8K = 7680 * 4320 * 3


def row(given: Given, selector: str, size: str = "8k") -> Optional[Row]:
    """The timed row of a selector at a size: the protocol's, or the fastest of a sweep."""
    fields = {**wanted(selector, "size"), "size": size}
    found = [
        one
        for one in given.results.rows
        if one.timed and all(one.text[name] == value for name, value in fields.items())
    ]
    return min(found, key=lambda one: (one.sweep, one.ms), default=None)


def pageable_for_pinned(given: Given) -> Shown:
    """What a copy from pageable memory in place of pinned memory costs."""
    pageable, pinned = (row(given, f"lab=06_async_streams variant={name}") for name in ("pageable", "pinned"))
    if pageable is None or pinned is None:
        return NOT_MEASURED
    return Shown(
        f"5x5 at 8k with its copies: {number(pageable.ms)} ms from pageable memory, "
        f"{number(pinned.ms)} ms from pinned memory ({times(pageable.ms / pinned.ms)})."
    )


def cold_launches(given: Given) -> Shown:
    """Its own protocol on its own kernels, beside the same kernels warm (study/data/originals.csv)."""
    lines = [
        line
        for line in given.published.lines
        if line["report"] == "ariano2023" and (line["width"], line["ksize"]) == ("3840", "5")
    ]
    words = []
    for line in lines:
        program = line["program"].replace("own_protocol_", "")
        warm = [other for other in lines if other["program"] == program and other["block"] == "16"]
        if line["program"] != program and warm:
            cold, time = float(line["mean_us"]), float(warm[0]["mean_us"])
            words.append(
                f"`{program}` {number(cold / 1e3)} ms cold, {number(time / 1e3)} ms warm ({times(cold / time)})"
            )
    return Shown("Its own protocol on an H200, 5x5 at 4k, B 16: " + "; ".join(words) + ".")


def two_baselines(given: Given) -> Shown:
    """One kernel over either of the two programs, and over the fastest of ours."""
    kernel = row(given, "lab=05_cuda_shared variant=two_batch")
    bases = [row(given, f"lab=01_sequential variant={name}") for name in ("nested", "flat", "simd")]
    if kernel is None or None in bases:
        return NOT_MEASURED
    over = ", ".join(f"{times(base.ms / kernel.ms)} over `{base.variant}`" for base in bases if base)
    return Shown(f"`two_batch`, 5x5 at 8k: {over}.")


def exchanged_mapping(given: Given) -> Shown:
    naive, coalesced = (row(given, f"lab=03_cuda_global variant={name}") for name in ("naive", "coalesced"))
    if naive is None or coalesced is None:
        return NOT_MEASURED
    return Shown(
        f"5x5 at 8k: {number(naive.ms)} ms with rows and columns exchanged, "
        f"{number(coalesced.ms)} ms without ({times(naive.ms / coalesced.ms)}), from the "
        "same memory."
    )


def baseline_anew(given: Given) -> Shown:
    """The speed-up of one kernel, with a baseline anywhere within its own spread."""
    gray = "image=random border=constant filter=box type=int32 channels=1 ksize=5"
    kernel = row(given, f"lab=05_cuda_shared variant=two_batch_gray block=16 {gray}", "8192x8192")
    base = row(given, f"lab=01_sequential variant=bounds {gray}", "8192x8192")
    if kernel is None or base is None:
        return NOT_MEASURED
    low, high = base.ms - base.bars[0], base.ms + base.bars[1]
    return Shown(
        f"Box 5x5, 8192 wide: the baseline's time is {number(low)} to {number(high)} ms (5th "
        "to 95th percentile), so one measurement of it gives a speed-up of "
        f"{number(low / kernel.ms)} to {number(high / kernel.ms)}."
    )


def faster_than_the_bus(given: Given) -> Shown:
    """The bandwidth that the published time would need, and that of the bus here."""
    slides = [
        value
        for value in given.published.where(report="delbimbo2024", resolution="8K")
        if value.variant == "cuda_pinned_streams" and value.metric == "mean_execution_time"
    ]
    if not slides:
        return NOT_MEASURED
    best = min(slides, key=lambda value: value.value)
    needed = 2 * SAMPLES_8K / best.value / 1e6
    buses = [one.number["bus_both_gb_per_s"] or 0 for one in given.results.rows]
    words = (
        f"; the bus of the machine measured here moves {number(max(buses))} GB/s in both directions together"
        if any(buses)
        else ""
    )
    return Shown(f"8k in {number(best.value)} ms, a byte per sample: {number(needed)} GB/s{words}.")


def layouts_apart(given: Given) -> Shown:
    """A structure of arrays over an array of structures, on either processor."""
    words = []
    for lab, where in (("01_sequential", "one CPU thread"), ("03_cuda_global", "GPU")):
        aos, soa = (row(given, f"lab={lab} variant={name}") for name in ("aos", "soa"))
        if aos is not None and soa is not None:
            words.append(f"{where} {times(aos.ms / soa.ms)}")
    return Shown(
        "Structure of arrays over array of structures, 5x5 at 8k: " + ", ".join(words) + "; published 1.03x."
        if words
        else "Not measured."
    )
