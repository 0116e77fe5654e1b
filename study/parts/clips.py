# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Clips from file to file (clips.csv, of `make clips`): frames per second and the time of each stage."""

from pathlib import Path
from typing import Dict, List, Sequence

from ..figures.content import Section, Table, number, short_name
from ..measurements.other_files import read_clips


def _line(row: Dict[str, str]) -> List[str]:
    return [
        short_name(row["machine"]),
        f"{row['lab']} {row['variant']}",
        Path(row["video"]).name,
        f"{row['width']}x{row['height']}",
        *(
            number(float(value))
            for value in (
                row["rate"],
                str(int(row["frames"]) / float(row["seconds"])),
                row["reading_ms"],
                row["computing_ms"],
                row["writing_ms"],
            )
        ),
        row["slowest"],
    ]


def clips_sections(folders: Sequence[Path]) -> List[Section]:
    """One section with a line for each clip and lab; none where `make clips` was not run."""
    rows = [row for folder in folders for row in read_clips(folder)]
    if not rows:
        return []
    table = Table(
        "clips",
        "Clips decoded, computed and encoded at the same time, from file to file. The times are of one "
        "frame, without waiting for the other stages.",
        [
            "machine",
            "variant",
            "clip",
            "size",
            "frames/s of the clip",
            "frames/s",
            "reading ms",
            "computing ms",
            "writing ms",
            "sets the speed",
        ],
        [_line(row) for row in rows],
        left=4,
    )
    return [Section("Clips from file to file", [table])]
