# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Reading one CSV file, as tools/plots does."""

import re
from typing import Optional

from tools.plots.files import NUMBER, ReportError, read_table  # noqa: F401


def square(text: str) -> Optional[int]:
    """The number n of "n" or "nxn"; None for anything else."""
    match = re.fullmatch(r"(\d+)(x\1)?", text)
    return int(match.group(1)) if match else None
