# SPDX-License-Identifier: MIT
"""Rounds, ratios, comparison of outputs, and the file of results, for any library."""

import csv
import os
import random
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# One row per contender and configuration. time_ms: median of the rounds; ratio: time relative to
# Convolab's in the same round (2: takes twice as long), median and quartiles; differing_share: share
# of the samples that differ from Convolab's, largest_difference: of 0 to 255; both empty for the
# copies. cold: 1 if the images were not in the GPU's cache. status: "ok", or "refused" with the reason.
COLUMNS = (
    "peer",
    "function",
    "version",
    "backend",
    "device",
    "threads",
    "size",
    "width",
    "height",
    "channels",
    "filter",
    "ksize",
    "border",
    "cold",
    "rounds",
    "time_ms",
    "ratio",
    "ratio_q1",
    "ratio_q3",
    "differing_share",
    "largest_difference",
    "status",
    "reason",
    "machine",
    "revision",
    "date",
)
BASE = "ours"  # the function of Convolab's rows, to which the ratios refer


def rounds(
    contenders: dict[str, Any], count: int, min_ms: float, budget_ms: float, seed: int = 1
) -> dict[str, list[float | None]]:
    """Milliseconds per call, by contender and round; None for a round that it did not run.

    Each round runs the contenders in a new random order, each with as many calls as take about
    min_ms. After two rounds, a contender that has used budget_ms is not run again. One call of each
    before the first round is the warm-up.
    """
    order = random.Random(seed)
    calls: dict[str, int] = {}
    for name, contender in contenders.items():
        calls[name] = max(1, round(min_ms / max(contender.time_ms(1), 1e-4)))
    times: dict[str, list[float | None]] = {name: [] for name in contenders}
    used = dict.fromkeys(contenders, 0.0)
    for number in range(count):
        names = list(contenders)
        order.shuffle(names)
        for name in names:
            if name != BASE and number >= 2 and used[name] > budget_ms:
                times[name].append(None)
                continue
            spent = contenders[name].time_ms(calls[name])
            used[name] += spent
            times[name].append(spent / calls[name])
    return times


def ratios(times: Sequence[float | None], base: Sequence[float | None]) -> tuple[float, ...]:
    """(median, first quartile, third quartile) of time / base, round by round."""
    each = [time / one for time, one in zip(times, base) if time is not None and one]
    if len(each) < 2:
        return (each[0],) * 3
    quartiles = statistics.quantiles(each, n=4, method="inclusive")
    return quartiles[1], quartiles[0], quartiles[2]


def median(times: Sequence[float | None]) -> float:
    """The median of the rounds that were run."""
    return statistics.median(value for value in times if value is not None)


def difference(output: Any, expected: Any) -> tuple[float, int]:
    """(share of samples that differ, largest difference) of two uint8 arrays of the same shape."""
    import numpy

    if output.shape != expected.shape or output.dtype != expected.dtype:
        raise ValueError(f"an output of {output.dtype} {output.shape}, expected {expected.dtype} {expected.shape}")
    apart = numpy.abs(output.astype(numpy.int16) - expected.astype(numpy.int16))
    return float(numpy.count_nonzero(apart)) / apart.size, int(apart.max())


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Writes a temporary file and renames it, so that the file is never half-written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
            writer.writeheader()
            for row in rows:
                writer.writerow(
                    {name: f"{value:.6g}" if isinstance(value, float) else value for name, value in row.items()}
                )
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        if temporary.exists():
            temporary.unlink()
