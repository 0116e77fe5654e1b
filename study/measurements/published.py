# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The numbers that the five course reports published (study/data/published.csv), and the times of their
programs (study/data/originals.csv)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Sequence

from tools.plots.files import NUMBER, ReportError, read_table

from .originals import COLUMNS as ORIGINAL_COLUMNS
from .originals import Original, read_originals, square

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
    """ "2560x1920", the published size that we call 1440p; nothing where there is none."""
    widths = {HERE.get(size, size): width for size, width in ARIANO_WIDTH.items()}
    return f"{widths[size_name]}x{widths[size_name] * 3 // 4}" if size_name in widths else ""


@dataclass(frozen=True)
class Published:
    """Both files."""

    values: Sequence[Fields] = ()  # the lines of published.csv, with the names of columns that our rows have
    lines: Sequence[Fields] = ()  # those of originals.csv: also programs of other labs
    originals: Sequence[Original] = ()  # the times of the programs that a variant of ours stands for


def named(line: Fields) -> Fields:
    """The published number with what selectors ask of our rows, too: size, ksize, and the side of a square block."""
    size = HERE.get(line["resolution"], line["resolution"])  # "2K" is 1440p
    sides = {
        name: str(square(line[column]) or "") for name, column in (("ksize", "kernel_size"), ("block", "block_dim"))
    }
    return {**line, "size": size, **sides}


def read_published(path: Path, originals: Path) -> Published:
    """Reads both files; a value that is no number is an error in one sentence."""
    values = []
    for where, fields in read_table(path, COLUMNS):
        if not NUMBER.fullmatch(fields["value"]):
            raise ReportError(f"{where}: column value holds '{fields['value']}', expected a number")
        values.append(named(fields))
    lines = [fields for _, fields in read_table(originals, ORIGINAL_COLUMNS)]
    return Published(values, lines, read_originals(originals))
