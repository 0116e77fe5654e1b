# SPDX-License-Identifier: MIT
"""The numbers that the five course reports published (study/data/published.csv), the times of their programs
(study/data/originals.csv), and which of our variants stands for each program."""

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Sequence

from tools.plots.files import NUMBER, ReportError, read_table
from tools.plots.rows import Row

from .results import Results

ORIGINAL_COLUMNS = ("report", "program", "width", "height", "channels", "ksize", "block", "where", "mean_us", "output")


def square(text: str) -> Optional[int]:
    """The number n of "n" or "nxn"; None for anything else."""
    match = re.fullmatch(r"(\d+)(x\1)?", text)
    return int(match[1]) if match else None


# Our variant of a program, the one for tiles with more cells than two rounds load (beyond), and the job that is the program's.
PROGRAMS = Path(__file__).resolve().parents[1] / "data" / "programs.csv"
OURS = ("report", "program", "lab", "variant", "beyond", "border", "type", "channels")
SIZES = {"1920x1080": "1080p", "3840x2160": "4k", "7680x4320": "8k"}
PIXELS = {"480p": 853 * 480, "720p": 1280 * 720, "1440p": 2560 * 1440}
PIXELS.update({name: math.prod(map(int, size.split("x"))) for size, name in SIZES.items()})


def ns_per_tap(line: Mapping[str, str]) -> float:
    """Time of a line of the file per tap and sample."""
    width, height, channels, ksize = (int(line[name]) for name in ("width", "height", "channels", "ksize"))
    return float(line["mean_us"]) * 1e3 / (width * height * channels * ksize**2)


COLUMNS = (
    "report table hardware variant resolution width height kernel_size block_dim threads metric value unit".split()
)
Fields = Dict[str, str]
# Names of one size in the reports and here.
HERE = {"2K": "1440p", "4K": "4k", "HD": "1080p", "8K": "8k"}
# ariano2023 never states its widths. Its times grow from size to size like those of 4:3 images
# of these widths; height = 3/4 width.
ARIANO_WIDTH = {"480p": 640, "720p": 960, "1080p": 1440, "2K": 2560, "4K": 3840}


def ariano_size(size_name: str) -> str:
    """ "2560x1920", the published size that we call 1440p; nothing if there is none."""
    widths = {HERE.get(size, size): width for size, width in ARIANO_WIDTH.items()}
    return f"{widths[size_name]}x{widths[size_name] * 3 // 4}" if size_name in widths else ""


@dataclass(frozen=True)
class Published:
    """Both files, with the names of columns that our rows have."""

    values: Sequence[Fields] = ()  # the lines of published.csv
    lines: Sequence[Fields] = ()  # those of originals.csv

    @property
    def originals(self) -> List[Fields]:
        """The times of the programs that one of our variants stands for."""
        return [line for line in self.lines if "variant" in line]


def named(line: Fields) -> Fields:
    """The published number with what selectors ask of our rows, too: size, ksize, and the side of a square block."""
    size = HERE.get(line["resolution"], line["resolution"])  # "2K" is 1440p
    ksize, block = (str(square(line[column]) or "") for column in ("kernel_size", "block_dim"))
    return {**line, "size": size, "ksize": ksize, "block": block}


def _program(line: Fields, ours: Optional[Fields]) -> Fields:
    """The time of a program with what selectors ask of our rows, too: size, side of the block or of its tile (B or T), threads in a
    single block, and the variant that stands for the program with the time of its job: where that has one channel, of one."""
    size, (block, _, threads) = f"{line['width']}x{line['height']}", line["block"].partition("x")
    tile = re.search(r"tile (\d+)", line["block"])
    found = {
        **line,
        "launched": line["block"],
        "size": SIZES.get(size, size),
        "block_threads": threads * (block == "1"),
    }
    found["block"] = tile[1] if tile else block * (block != "1")
    if ours and found["block"]:
        side, ksize = int(found["block"]), int(line["ksize"])
        beyond = ours["beyond"] and (side + ksize - 1) ** 2 > 2 * side**2
        ms = float(line["mean_us"]) / 1e3 * int(ours["channels"]) / int(line["channels"])
        found.update(ours, channels=line["channels"], our_channels=ours["channels"], ms=str(ms))
        found["variant"] = ours["beyond" if beyond else "variant"]
    return found


def our_row(results: Results, line: Fields) -> Optional[Row]:
    """Our row of a program's job with the same block on the same kind of GPU: of random numbers where the type is not
    uint8, as in the reports' sweeps; of several the latest."""
    names = ("lab", "variant", "border", "type", "ksize", "width", "height", "block")
    job = {**{name: line[name] for name in names}, "channels": line["our_channels"], "backend": "cuda", "cold": "0"}
    found = results.where(lambda row: bool(re.search(rf"\b{line['where']}\b", row.device)), **job)
    image = "scene" if line["type"] == "uint8" else "random"
    return max(found, key=lambda row: (row.image == image, row.date, row.order), default=None)


def read_published(path: Path, originals: Path) -> Published:
    """Reads both files; a value that is no number is an error in one sentence."""
    values, lines = read_table(path, COLUMNS), read_table(originals, ORIGINAL_COLUMNS)
    numbers = {"width", "height", "channels", "ksize", "mean_us"}
    for where, fields in [*values, *lines]:
        for name in {"value"} & set(fields) or numbers:
            if not NUMBER.fullmatch(fields[name]) or (name in numbers and float(fields[name]) <= 0):
                expected = "a number" + " above 0" * (name in numbers)
                raise ReportError(f"{where}: column {name} holds '{fields[name]}', expected {expected}")
    ours = {(line["report"], line["program"]): line for _, line in read_table(PROGRAMS, OURS)}
    programs = [_program(line, ours.get((line["report"], line["program"]))) for _, line in lines]
    return Published([named(fields) for _, fields in values], programs)
