# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What answers a conclusion: our rows, the times of the reports' own programs, the published numbers, and counts."""

from pathlib import Path
from typing import List, Mapping, Sequence

from tools.plots.files import read_table

from ..figures.content import percent
from .originals import PIXELS, SIZES
from .points import Line, wanted
from .rows import OF_COPIES, OF_KERNEL
from .selection import Results

SAVINGS = Path(__file__).resolve().parents[2] / "labs" / "10_noise_filter" / "savings.csv"


def of_rows(results: Results, axis: str, *selectors: str) -> List[Line]:
    """Our rows that fit one of the selectors, all of the protocol or all of a sweep as far as it has them; the time with
    copies is a line of its own."""
    every = [{**wanted(selector, axis), "time": ""} for selector in selectors if selector]
    found = []
    for row in results.of_one_run(lambda row: any(Line(row.text).fits(fields) for fields in every)):
        text = {**row.text, "size": row.size_name}
        if not row.timed:
            refused = row.reason if row.status == "unsupported" else ""
            found += [Line({**text, "time": time}, row.pixels, refused=refused) for time in ("", "total")]
            continue
        counts = {"bytes": row.number["bytes"] or 0, "operations": row.number["operations"] or 0}
        alone = Line(text, row.pixels, (row.ms, *row.interval), more={**counts, "margin": row.margin})
        found.append(alone)
        if row.with_copies or row.backend == "cpu":
            found.append(Line({**text, "time": "total"}, row.pixels, alone.time, more=alone.more))
        elif row.total_ms:
            total = row.total_ms, *row.total_interval
            found.append(Line({**text, "time": "total"}, row.pixels, total, more={"margin": OF_COPIES}))
    return found


def of_originals(lines: Sequence[Mapping[str, str]]) -> List[Line]:
    """The times of a report's own program on the GPU: its mean, from its shortest time to as far above it."""
    found = []
    for line in (line for line in lines if line["where"] == "H200"):
        blocks, _, threads = line["block"].partition("x")
        size = f"{line['width']}x{line['height']}"
        fields = {
            **line,
            "block": blocks.split("(")[0],
            "block_threads": threads if blocks == "1" else "",
            "size": SIZES.get(size, size),
        }
        pixels = int(line["width"]) * int(line["height"])
        mean, samples = float(line["mean_us"]) / 1e3, pixels * int(line["channels"])
        low = float(line["min_us"] or line["mean_us"]) / 1e3
        more = {
            "bytes": (8 if line["report"] in ("cazzola2024", "chisci2024") else 2) * samples,
            "operations": 2 * samples * int(line["ksize"]) ** 2,
            "remark": "" if line["output"] == "right" else f"its output: {line['output']}",
            "margin": OF_KERNEL,
        }
        found.append(Line(fields, pixels, (mean, low, 2 * mean - low), more=more))
    return found


def of_published(lines: Sequence[Mapping[str, str]]) -> List[Line]:
    """The published numbers that are compared, each from half a unit of its last digit below it to as far above. A speed-up
    is a time where that of its baseline is 1 ms, and `baseline=1` is that baseline; a rate is the time of 1 MB or 1 Gflop."""
    found = []
    for line in (line for line in lines if line["unit"] in ("ms", "x", "GB/s", "TFLOP/s")):
        size = SIZES.get(f"{line['width']}x{line['height']}", line["size"])
        fields = {**line, "size": size if size in PIXELS else "", "block_threads": line["threads"]}
        half = 10 ** -len(line["value"].partition(".")[2]) / 2
        value = float(line["value"])
        ends = value, value - half, value + half
        if line["unit"] != "ms":
            ends = 1 / ends[0], 1 / ends[2], 1 / ends[1]
        more = {"bytes": 1e6, "operations": 1e9}
        for baseline, time in (("", ends), ("1", (1.0, 1.0, 1.0))):
            found.append(Line({**fields, "baseline": baseline}, PIXELS.get(size, 0), time, more=more, published=True))
    return found


def _count(fields: Mapping[str, str], value: str, words: str) -> Line:
    """A number that is no time, as a line, and how it is written."""
    return Line(fields, time=(float(value),) * 3, more={"remark": words})


def of_counts(lines: Sequence[Mapping[str, str]]) -> List[Line]:
    """The published counts of pixels."""
    return [_count(line, line["value"], f"{line['value']} pixels") for line in lines if line["unit"] == "count"]


def of_code(results: Results, axis: str, *selectors: str) -> List[Line]:
    """The store instructions in the machine code of our variants."""
    return [
        _count({"lab": lab, "variant": variant}, code["stores_global"], f"{code['stores_global']} stores")
        for (lab, variant), code in results.machine_code.items()
    ]


def of_savings(results: Results, axis: str, *selectors: str) -> List[Line]:
    """The share of pixels that lab 10 counts as changed in a still, noisy scene."""
    return [
        _count(line, line["changed_pixels"], f"{percent(float(line['changed_pixels']))} of the pixels")
        for _, line in read_table(SAVINGS, ("changed_pixels",))
        if line["video"].startswith("static")
    ]
