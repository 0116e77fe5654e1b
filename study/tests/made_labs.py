# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Made-up rows of all labs of the reports, with their sweeps; never to be published."""

import csv
from pathlib import Path
from typing import Dict, Iterable, Sequence

from tests.tools.made_up_rows import HEADER, SIZES, row, write
from tools.plots.other_files import SHOWN

Fields = Dict[str, str]
GPU = {"backend": "cuda", "device": "Toy GPU"}
NO_KERNEL = {name: "" for name in HEADER if name.startswith("kernel_ms")}


def cpu_labs(folder: Path, sizes: Iterable[str] = SIZES) -> None:
    """Labs 01 and 02 with their sweep, on a machine with 16 threads."""
    one, many, sweep = [], [], []  # type: ignore[var-annotated]
    for size in sizes:
        width, height = SIZES[size]
        million = width * height / 1e6
        cost = {"nested": 60, "flat": 45, "bounds": 80, "aos": 50, "soa": 48, "separable": 14, "simd": 0.7}
        for variant, ns in cost.items():
            changes = {"layout": "planar" if variant == "soa" else "interleaved"}
            changes["noisy"] = str(int((variant, size) == ("simd", "480p")))
            if (variant, size) == ("nested", "8k"):
                changes = dict(status="skipped", reason="needs 9.1 GB of memory, 4.0 GB are free")
            one.append(row("01_sequential", variant, size, ns * million * (1 + 0.3 / million), **changes))
        for variant, ns in (("rows", 60), ("grid", 62), ("blocks", 65), ("queue", 61), ("simd_rows", 0.8)):
            block = "16" if variant in ("blocks", "queue") else ""
            many.append(row("02_pthread", variant, size, ns * million / 9, threads="16", block=block))
        for threads in (1, *range(2, 17, 2)):
            speed = threads / (1 + 0.05 * threads)

            def swept(variant: str, ms: float, speed: float = speed, threads: int = threads, **more: str) -> None:
                sweep.append(
                    row("02_pthread", variant, size, ms / speed, threads=str(threads), iterations="20", **more)
                )

            for variant in ("rows", "grid"):
                swept(variant, 60 * million + 0.05 * threads * speed)
            if size == "8k" or threads == 1:
                continue
            swept("simd_rows", 0.9 * million)
            for side in (4, 8, 16, 32, 64, 128, 256):
                blocks = (width // side) * (height // side)
                refused = dict(status="unsupported", reason=f"{blocks} blocks for {threads} threads")
                more = refused if blocks < threads else {}
                swept("blocks", (60 + 40 / side + side / 10) * million, block=str(side), **more)
    for name, rows in (("01_sequential", one), ("02_pthread", many), ("02_pthread_sweep", sweep)):
        write(folder / f"{name}.csv", rows)


def write_csv(path: Path, columns: Sequence[str], lines: Iterable[Fields]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def timeline(folder: Path, **changes: str) -> None:
    """timeline.csv: three bands on three streams; each copy is reached when its stream is free."""
    columns, steps = SHOWN["timeline.csv"].split(), []
    job = dict(lab="06_async_streams", variant="streams", machine="toy", size="8k", width="7680", height="4320")
    job.update(GPU, channels="3", filter="gaussian", ksize="5", gpu="0")
    for part in range(3):
        for index, (what, length) in enumerate((("copy in", 0.6), ("filter", 0.2), ("copy out", 0.6))):
            end = 0.6 * part + (0.6, 0.8, 1.4)[index]
            start = 0.0 if index == 0 else end - length
            times = dict(what=what, start_ms=f"{start:g}", end_ms=f"{end:g}")
            steps.append({**dict.fromkeys(columns, ""), **job, "stream": str(part), **times, **changes})
    write_csv(folder / "timeline.csv", columns, steps)
