# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Made-up measurements of the labs of the reports; never to be published."""

import csv
import os
import subprocess
import sys
from pathlib import Path
from typing import Dict, Iterable, List

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.tools.made_up_rows import HEADER, ROOT, SIZES, row, write  # noqa: E402, F401
from tools.plots.other_files import SHOWN  # noqa: E402

TIMELINE = SHOWN["timeline.csv"].split()


def draw_scene() -> None:
    """The picture that the defective forms run on, as `make data` draws it."""
    make_data = ROOT / os.environ.get("BUILD", "build") / "data" / "make_data"
    drawn = ("--out", ROOT / "data" / "generated", "--size", "480p")
    subprocess.run([make_data, *drawn], check=True, stdout=subprocess.DEVNULL)


def cpu_labs(folder: Path, sizes: Iterable[str] = SIZES) -> None:
    """Labs 01 and 02 with their sweep, on a machine with 16 threads."""
    cost = {"nested": 60, "flat": 45, "bounds": 80, "aos": 50, "soa": 48, "separable": 14, "simd": 0.7}
    one: List[Dict[str, str]] = []
    many: List[Dict[str, str]] = []
    sweep: List[Dict[str, str]] = []
    for size in sizes:
        width, height = SIZES[size]
        million = width * height / 1e6
        for variant, ns in cost.items():
            if variant == "nested" and size == "8k":
                one.append(
                    row(
                        "01_sequential",
                        variant,
                        size,
                        1,
                        status="skipped",
                        reason="needs 9.1 GB of memory, 4.0 GB are free",
                    )
                )
            else:
                noisy = variant == "simd" and size == "480p"
                one.append(
                    row(
                        "01_sequential",
                        variant,
                        size,
                        ns * million * (1 + 0.3 / million),
                        noisy="1" if noisy else "0",
                        layout="planar" if variant == "soa" else "interleaved",
                    )
                )
        for variant, ns in (("rows", 60), ("grid", 62), ("blocks", 65), ("queue", 61), ("simd_rows", 0.8)):
            many.append(
                row(
                    "02_pthread",
                    variant,
                    size,
                    ns * million / 9,
                    threads="16",
                    block="16" if variant in ("blocks", "queue") else "",
                )
            )
        for threads in (1, *range(2, 17, 2)):
            speed = threads / (1 + 0.05 * threads)
            for variant in ("rows", "grid"):
                sweep.append(
                    row(
                        "02_pthread",
                        variant,
                        size,
                        60 * million / speed + 0.05 * threads,
                        threads=str(threads),
                        iterations="20",
                    )
                )
            if size == "8k" or threads == 1:
                continue
            sweep.append(
                row("02_pthread", "simd_rows", size, 0.9 * million / speed, threads=str(threads), iterations="20")
            )
            for side in (4, 8, 16, 32, 64, 128, 256):
                blocks = (width // side) * (height // side)
                refused = dict(status="unsupported", reason=f"{blocks} blocks for {threads} threads")
                sweep.append(
                    row(
                        "02_pthread",
                        "blocks",
                        size,
                        (60 + 40 / side + side / 10) * million / speed,
                        threads=str(threads),
                        block=str(side),
                        iterations="20",
                        **(refused if blocks < threads else {}),
                    )
                )
    write(folder / "01_sequential.csv", one)
    write(folder / "02_pthread.csv", many)
    write(folder / "02_pthread_sweep.csv", sweep)


def cuda_labs(folder: Path, device: str = "Toy GPU") -> None:
    """Labs 03 to 06 on a GPU, with the sweeps of the reports."""
    rows: Dict[str, List[Dict[str, str]]] = {}

    def add(lab: str, variant: str, size: str, ms: float, /, sweep: bool = True, **changes: str) -> None:
        cuda = dict(backend="cuda", device=device, driver="550", compiler="nvcc 12.4", total_ms_median=f"{ms * 8:.6f}")
        if lab == "01_sequential":
            cuda = {}
        rows.setdefault(lab + "_sweep" * sweep, []).append(row(lab, variant, size, ms, **{**cuda, **changes}))

    def add_copies(variant: str, size: str, ms: float, /, sweep: bool = False, **changes: str) -> None:
        fields = dict.fromkeys([name for name in HEADER if name.startswith("kernel_ms")], "")
        add(
            "06_async_streams",
            variant,
            size,
            ms,
            sweep=sweep,
            **{
                **fields,
                "total_ms_median": f"{ms:.6f}",
                "copy_gb_per_s": "",
                "bus_in_gb_per_s": "55",
                "bus_out_gb_per_s": "54",
                "bus_both_gb_per_s": "100",
                "devices": "2" if variant == "multi_gpu" else "1",
                **changes,
            },
        )

    padded = (
        ("03_cuda_global", "padded", 1.3),
        ("04_cuda_constant", "padded", 1.0),
        ("05_cuda_shared", "input_tile", 0.9),
        ("05_cuda_shared", "two_batch", 0.7),
    )
    for size, (width, height) in SIZES.items():
        million = width * height / 1e6
        for lab, variant, cost in padded:
            add(lab, variant, size, cost * million * 0.02, sweep=False, block="16")
            for side in (2, 4, 8, 16, 32):
                if lab == "05_cuda_shared" and side < 8:
                    add(
                        lab,
                        variant,
                        size,
                        1,
                        block=str(side),
                        status="unsupported",
                        reason=f"blocks of {side} are too small for K 5",
                    )
                else:
                    add(lab, variant, size, cost * million * (0.02 + 0.2 / side), block=str(side))
        for variant, cost in (("pageable", 1.0), ("pinned", 0.6), ("graph", 0.4), ("frames", 0.3), ("multi_gpu", 0.15)):
            for side in ("3", "5"):
                add_copies(
                    variant,
                    size,
                    cost * million * 0.1,
                    ksize=side,
                    **({"streams": "3", "bands": "3"} if variant == "graph" else {}),
                )
        for streams in (1, 2, 3, 4, 8):  # pays from 1080p on
            for side in ("3", "5"):
                add_copies(
                    "streams",
                    size,
                    (0.06 * million + 0.05) * (1 + 2 / streams) / 2,
                    sweep=streams != 3,
                    streams=str(streams),
                    bands=str(streams),
                    ksize=side,
                )
        for side in (3, 5, 7, 9):
            add("01_sequential", "aos", size, 10 * million * side, ksize=str(side))
            for lab, variant in (
                ("03_cuda_global", "aos"),
                ("03_cuda_global", "soa"),
                ("04_cuda_constant", "aos"),
                ("05_cuda_shared", "two_batch"),
            ):
                add(lab, variant, size, 0.003 * million * side, ksize=str(side), block="16")
    for variant, lab in (("aos", "03_cuda_global"), ("soa", "03_cuda_global")):
        for size, (width, height) in SIZES.items():
            add(lab, variant, size, width * height * 2e-8, sweep=False)
    for power in range(3, 16):
        width = 2**power
        square = dict(
            size=f"{width}x{width}",
            width=str(width),
            height=str(width),
            channels="1",
            type="int32",
            image="random",
            filter="box",
            border="constant",
        )
        cost = width * width * 2e-8 + 0.004
        for ksize in (3, 4, 5, 6, 7, 8, 9) if width == 8192 else (5,):
            add(
                "01_sequential",
                "bounds",
                "480p",
                width * width * 1e-6 * ksize * ksize,
                **{**square, "ksize": str(ksize)},
            )
        for lab, variant in (
            ("03_cuda_global", "gray"),
            ("04_cuda_constant", "gray"),
            ("05_cuda_shared", "two_batch_gray"),
            ("05_cuda_shared", "two_batch_global"),
        ):
            add(lab, variant, "480p", cost, block="16", **square)
            if width == 8192:
                for side in range(10, 33, 2):
                    add(lab, variant, "480p", cost * (1 + 4 / side), block=str(side), **square)
                for ksize in (3, 4, 5, 6, 7, 8, 9):
                    for side in (16, 32):
                        add(lab, variant, "480p", cost * ksize / 5, block=str(side), **{**square, "ksize": str(ksize)})
    for power in range(16, 29, 2):
        width = 2 ** (power // 2)
        for ksize in (3, 5, 7, 9):
            square = dict(size=f"{width}x{width}", width=str(width), height=str(width), ksize=str(ksize))
            matrix = dict(**square, type="float32", image="random", filter="box", border="constant", block="16")
            for index, (lab, variant) in enumerate(
                (
                    ("03_cuda_global", "naive"),
                    ("05_cuda_shared", "filter_in_shared"),
                    ("05_cuda_shared", "filter_in_constant"),
                    ("05_cuda_shared", "inner_tile"),
                    ("01_sequential", "bounds"),
                )
            ):
                rate = 200 / ksize * (1 + index) * 2**power / (2**power + 2**20)
                add(lab, variant, "480p", 24 * 2**power / rate / 1e6, gb_per_s=f"{rate:.3f}", **matrix)
    for name, found in rows.items():
        write(folder / f"{name}.csv", found)
    timeline(folder)


def timeline(folder: Path, **changes: str) -> None:
    """timeline.csv: three bands on three streams; each copy is reached when its stream is free."""
    steps = []
    for part in range(3):
        for index, (what, length) in enumerate((("copy in", 0.6), ("filter", 0.2), ("copy out", 0.6))):
            end = 0.6 * part + (0.6, 0.8, 1.4)[index]
            start = 0.0 if index == 0 else end - length
            steps.append(
                {
                    **dict.fromkeys(TIMELINE, ""),
                    "lab": "06_async_streams",
                    "variant": "streams",
                    "backend": "cuda",
                    "machine": "toy",
                    "device": "Toy GPU",
                    "size": "8k",
                    "width": "7680",
                    "height": "4320",
                    "channels": "3",
                    "filter": "gaussian",
                    "ksize": "5",
                    "gpu": "0",
                    "stream": str(part),
                    "what": what,
                    "start_ms": f"{start:g}",
                    "end_ms": f"{end:g}",
                    **changes,
                }
            )
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "timeline.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, TIMELINE, lineterminator="\n")
        writer.writeheader()
        writer.writerows(steps)
