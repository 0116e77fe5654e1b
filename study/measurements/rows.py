# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The rows of a folder, read once: one model of rows for tools/plots and the study."""

from pathlib import Path
from typing import Dict, List, Sequence, Tuple

from tools.plots.rows import DATE, EMULATED, OF_COPIES, OF_CPU, OF_KERNEL, Row  # noqa: F401
from tools.plots.selection import read_folder as _read_folder
from tools.plots.sessions import timing_files

SECOND_RUN = "second_run"  # a folder in that of a machine: the same configurations, measured again
_read: Dict[Tuple[object, ...], List[Row]] = {}


def read_folder(folder: Path) -> List[Row]:
    """All rows of the folder's CSV files; of a folder that has not changed, those that were read before."""
    state = [(path, path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(folder.glob("*.csv"))]
    at = (folder, *state)
    if at not in _read:
        _read[at] = _read_folder(folder)
    return _read[at]


def with_labs(folders: Sequence[Path]) -> List[Path]:
    """The folders that have files of labs."""
    return [folder for folder in folders if timing_files(folder)]
