# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The numbers that the five course reports published (study/data/published.csv), and the times of their
programs (study/data/originals.csv)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from .csv_file import NUMBER, ReportError, read_table, square
from .originals import COLUMNS as ORIGINAL_COLUMNS
from .originals import Original, read_originals

COLUMNS = (
    "report table hardware variant resolution width height kernel_size block_dim threads metric value unit".split()
)
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
class Value:
    """One published number with what it was measured on; empty strings where not stated."""

    report: str
    table: str
    hardware: str
    variant: str
    resolution: str
    ksize: Optional[int]
    side: Optional[int]  # of a square block
    width: Optional[int]  # of the image, as stated
    threads: Optional[int]
    metric: str
    value: float
    unit: str

    @property
    def size_name(self) -> str:
        """The name this project gives the size: "2K" is 1440p."""
        return HERE.get(self.resolution, self.resolution)

    @property
    def pixels(self) -> int:
        """Pixels of an ariano2023 image, by the assumed width."""
        width = ARIANO_WIDTH[self.resolution]
        return width * (width * 3 // 4)


class Published:
    """All published values, to be asked for by report, table, variant, metric …; and `originals`:
    the times of the reports' programs."""

    def __init__(self, values: List[Value], originals: Sequence[Original] = (), lines: Sequence[Dict[str, str]] = ()):
        self.values = values
        self.originals = list(originals)
        self.lines = list(lines)  # of originals.csv as it is: also programs of other labs

    def where(self, **fields: object) -> List[Value]:
        """Values with these fields."""
        return [
            value for value in self.values if all(getattr(value, name) == wanted for name, wanted in fields.items())
        ]


def read_published(path: Path, originals: Path) -> Published:
    """Reads both files; a value that is no number is an error in one sentence."""
    values = []
    for where, fields in read_table(path, COLUMNS):
        if not NUMBER.fullmatch(fields["value"]):
            raise ReportError(f"{where}: column value holds '{fields['value']}', expected a number")
        names = (fields[name] for name in ("report", "table", "hardware", "variant", "resolution"))
        numbers = (square(fields[name]) for name in ("kernel_size", "block_dim", "width", "threads"))
        values.append(Value(*names, *numbers, fields["metric"], float(fields["value"]), fields["unit"]))
    lines = [fields for _, fields in read_table(originals, ORIGINAL_COLUMNS)]
    return Published(values, read_originals(originals), lines)
