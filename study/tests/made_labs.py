# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Made-up rows of all labs of the reports, with their sweeps; never to be published."""

import csv
from collections import defaultdict
from pathlib import Path
from typing import Dict, Iterable, List, Sequence

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


class CudaLabs:
    """Labs 03 to 06 on a GPU, with the sweeps of the reports."""

    PADDED = {"03_cuda_global padded": 1.3, "04_cuda_constant padded": 1.0, "05_cuda_shared input_tile": 0.9}
    PADDED["05_cuda_shared two_batch"] = 0.7
    BY_SIDE = "03_cuda_global aos|03_cuda_global soa|04_cuda_constant aos|05_cuda_shared two_batch".split("|")
    GRAY = "03_cuda_global gray|04_cuda_constant gray|05_cuda_shared two_batch_gray|05_cuda_shared two_batch_global"
    FLOAT = "naive|filter_in_shared|filter_in_constant|inner_tile|bounds".split("|")
    LAB_OF = {"naive": "03_cuda_global", "bounds": "01_sequential"}  # the others: 05_cuda_shared

    def __init__(self, device: str):
        self.cuda = {**GPU, "device": device, "driver": "550", "compiler": "nvcc 12.4"}
        self.files: Dict[str, List[Fields]] = defaultdict(list)
        for size, (width, height) in SIZES.items():
            self.of_size(size, width * height / 1e6)
        for power in range(3, 16):
            self.gray(2**power)
        for power in range(16, 29, 2):
            self.floats(2 ** (power // 2))

    def add(self, lab: str, variant: str, size: str, ms: float, sweep: bool = True, /, **changes: str) -> None:
        cuda = {} if lab == "01_sequential" else {**self.cuda, "total_ms_median": f"{ms * 8:.6f}"}
        self.files[lab + "_sweep" * sweep].append(row(lab, variant, size, ms, **{**cuda, **changes}))

    def copies(self, variant: str, size: str, ms: float, sweep: bool = False, /, **changes: str) -> None:
        bus = dict(copy_gb_per_s="", bus_in_gb_per_s="55", bus_out_gb_per_s="54", bus_both_gb_per_s="100")
        devices = "2" if variant == "multi_gpu" else "1"
        fields = {**NO_KERNEL, **bus, "total_ms_median": f"{ms:.6f}", "devices": devices, **changes}
        self.add("06_async_streams", variant, size, ms, sweep, **fields)

    def of_size(self, size: str, million: float) -> None:
        for name, cost in self.PADDED.items():
            lab, variant = name.split()
            self.add(lab, variant, size, cost * million * 0.02, False, block="16")
            for side in (2, 4, 8, 16, 32):
                small = lab == "05_cuda_shared" and side < 8
                refused = dict(status="unsupported", reason=f"blocks of {side} are too small for K 5") if small else {}
                self.add(lab, variant, size, cost * million * (0.02 + 0.2 / side), block=str(side), **refused)
        for ksize in ("3", "5"):
            for variant, cost in dict(pageable=1.0, pinned=0.6, graph=0.4, frames=0.3, multi_gpu=0.15).items():
                more = dict(streams="3", bands="3") if variant == "graph" else {}
                self.copies(variant, size, cost * million * 0.1, ksize=ksize, **more)
            for streams in (1, 2, 3, 4, 8):  # pays from 1080p on
                ms, many = (0.06 * million + 0.05) * (1 + 2 / streams) / 2, str(streams)
                self.copies("streams", size, ms, streams != 3, streams=many, bands=many, ksize=ksize)
        for side in (3, 5, 7, 9):
            self.add("01_sequential", "aos", size, 10 * million * side, ksize=str(side))
            for lab, variant in map(str.split, self.BY_SIDE):
                self.add(lab, variant, size, 0.003 * million * side, ksize=str(side), block="16")
        for variant in ("aos", "soa"):
            self.add("03_cuda_global", variant, size, million * 2e-2, False)

    def gray(self, width: int) -> None:
        square = dict(size=f"{width}x{width}", width=str(width), height=str(width), channels="1", type="int32")
        square.update(image="random", filter="box", border="constant")
        cost = width * width * 2e-8 + 0.004
        for ksize in (3, 4, 5, 6, 7, 8, 9) if width == 8192 else (5,):
            ms = width * width * 1e-6 * ksize * ksize
            self.add("01_sequential", "bounds", "480p", ms, **{**square, "ksize": str(ksize)})
        for lab, variant in map(str.split, self.GRAY.split("|")):
            self.add(lab, variant, "480p", cost, block="16", **square)
            for side in range(10, 33, 2) if width == 8192 else ():
                self.add(lab, variant, "480p", cost * (1 + 4 / side), block=str(side), **square)
            for ksize in (3, 4, 5, 6, 7, 8, 9) if width == 8192 else ():
                for side in ("16", "32"):
                    self.add(lab, variant, "480p", cost * ksize / 5, block=side, **{**square, "ksize": str(ksize)})

    def floats(self, width: int) -> None:
        for ksize in (3, 5, 7, 9):
            square = dict(size=f"{width}x{width}", width=str(width), height=str(width), ksize=str(ksize))
            matrix = dict(**square, type="float32", image="random", filter="box", border="constant", block="16")
            for index, variant in enumerate(self.FLOAT):
                rate = 200 / ksize * (1 + index) * width**2 / (width**2 + 2**20)
                ms = 24 * width**2 / rate / 1e6
                lab = self.LAB_OF.get(variant, "05_cuda_shared")
                self.add(lab, variant, "480p", ms, gb_per_s=f"{rate:.3f}", **matrix)


def cuda_labs(folder: Path, device: str = "Toy GPU") -> None:
    for name, rows in CudaLabs(device).files.items():
        write(folder / f"{name}.csv", rows)
    timeline(folder)


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
