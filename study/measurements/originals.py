# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The reports' own programs (study/data/originals.csv), and which variant of ours stands for each."""

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Tuple

from tools.plots.files import NUMBER, ReportError, read_table

from .rows import Row
from .selection import Results

COLUMNS = ("report", "program", "width", "height", "channels", "ksize", "block", "where", "mean_us", "output")


def square(text: str) -> Optional[int]:
    """The number n of "n" or "nxn"; None for anything else."""
    match = re.fullmatch(r"(\d+)(x\1)?", text)
    return int(match[1]) if match else None


@dataclass(frozen=True)
class Ours:
    """Our variant of a program, and the job that is the program's."""

    lab: str
    variant: str
    border: str
    type: str = "uint8"
    channels: int = 3
    beyond: str = ""  # the variant for tiles with more cells than two rounds load


GLOBAL, CONSTANT, SHARED = "03_cuda_global", "04_cuda_constant", "05_cuda_shared"
OURS: Dict[Tuple[str, str], Ours] = {
    # Padded images of float; the padding repeats the border.
    ("ariano2023", "global"): Ours(GLOBAL, "padded", "replicate"),
    ("ariano2023", "constant"): Ours(CONSTANT, "padded", "replicate"),
    ("ariano2023", "shared_v1"): Ours(SHARED, "input_tile", "replicate"),
    ("ariano2023", "shared_v2"): Ours(SHARED, "two_batch", "replicate"),
    # Compiled for a filter of 3x3: a smaller tile than shared_v2's, which is always for 5x5.
    ("ariano2023", "shared_v2_mask3"): Ours(SHARED, "two_batch", "replicate"),
    ("chisci2024", "global"): Ours(GLOBAL, "gray", "constant", "int32", 1),
    ("chisci2024", "const"): Ours(CONSTANT, "gray", "constant", "int32", 1),
    ("chisci2024", "global_tiling"): Ours(SHARED, "two_batch_global", "constant", "int32", 1),
    ("chisci2024", "const_tiling"): Ours(SHARED, "two_batch_gray", "constant", "int32", 1),
    ("delbimbo2024", "global_AoS"): Ours(GLOBAL, "aos", "reflect101"),
    ("delbimbo2024", "global_SoA"): Ours(GLOBAL, "soa", "reflect101"),
    ("delbimbo2024", "constant_AoS"): Ours(CONSTANT, "aos", "reflect101"),
    ("delbimbo2024", "constant_SoA"): Ours(CONSTANT, "soa", "reflect101"),
    # The program loads in as many rounds as it takes; ours of two rounds knows one layout.
    ("delbimbo2024", "shared_AoS"): Ours(SHARED, "two_batch", "reflect101", beyond="n_batch"),
    ("delbimbo2024", "shared_SoA"): Ours(SHARED, "two_batch", "reflect101", beyond="n_batch"),
    ("cazzola2024", "naive"): Ours(GLOBAL, "naive", "constant", "float32"),
    ("cazzola2024", "shared"): Ours(SHARED, "filter_in_shared", "constant", "float32"),
    ("cazzola2024", "shared_constk"): Ours(SHARED, "filter_in_constant", "constant", "float32"),
    ("cazzola2024", "shared_constk_cached"): Ours(SHARED, "inner_tile", "constant", "float32"),
}
SIZES = {"1920x1080": "1080p", "3840x2160": "4k", "7680x4320": "8k"}
PIXELS = {"480p": 853 * 480, "720p": 1280 * 720, "1440p": 2560 * 1440}
PIXELS.update({name: math.prod(map(int, size.split("x"))) for size, name in SIZES.items()})


@dataclass(frozen=True)
class Original:
    """The time of a kernel of a report's program on a GPU, and our variant of it."""

    report: str
    program: str
    width: int
    height: int
    ksize: int
    side: int  # B, or T where the block is larger than the output tile
    gpu: str  # "H200"
    ms: float  # of the job of `ours`: where that has one channel, of one
    output: str  # "right", or where it is not
    ours: Ours

    @property
    def variant(self) -> str:
        """Our variant for this tile."""
        cells, loaded = (self.side + self.ksize - 1) ** 2, 2 * self.side**2
        return self.ours.beyond if self.ours.beyond and cells > loaded else self.ours.variant

    @property
    def size_name(self) -> str:
        """The size in words: "4k"; "8192x8192" where it has no name."""
        size = f"{self.width}x{self.height}"
        return SIZES.get(size, size)

    def row(self, results: Results) -> Optional[Row]:
        """Our row of the same job with the same block on the same kind of GPU: of random numbers where the type is not
        uint8, as in the reports' sweeps; of several the latest."""
        ours, image = self.ours, "scene" if self.ours.type == "uint8" else "random"
        job = dict(lab=ours.lab, variant=self.variant, border=ours.border, type=ours.type, channels=str(ours.channels))
        size = dict(ksize=str(self.ksize), width=str(self.width), height=str(self.height), backend="cuda", cold="0")
        found = results.where(
            lambda row: row.side == self.side and re.search(rf"\b{re.escape(self.gpu)}\b", row.device) is not None,
            **job,
            **size,
        )
        return max(found, key=lambda row: (row.image == image, row.date, row.order), default=None)


def ns_per_tap(line: Mapping[str, str]) -> float:
    """Time of a line of the file per tap and sample."""
    width, height, channels, ksize = (int(line[name]) for name in ("width", "height", "channels", "ksize"))
    return float(line["mean_us"]) * 1e3 / (width * height * channels * ksize**2)


def _number(where: str, fields: Dict[str, str], name: str) -> float:
    if not NUMBER.fullmatch(fields[name]) or float(fields[name]) <= 0:
        raise ReportError(f"{where}: column {name} holds '{fields[name]}', expected a number above 0")
    return float(fields[name])


def read_originals(path: Path) -> List[Original]:
    """The rows of originals.csv that a variant of ours stands for."""
    found = []
    for where, fields in read_table(path, COLUMNS):
        names = ("width", "height", "channels", "ksize")
        width, height, channels, ksize = (int(_number(where, fields, name)) for name in names)
        ms = _number(where, fields, "mean_us") / 1e3
        report, program, side = fields["report"], fields["program"], square(fields["block"])
        ours = OURS.get((report, program))
        if ours is not None and side is not None:
            job = width, height, ksize, side, fields["where"], ms * ours.channels / channels
            found.append(Original(report, program, *job, fields["output"], ours))
    return found
