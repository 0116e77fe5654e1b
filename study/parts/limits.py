# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What limits each variant of a lab: the field `Limit` of its page."""
import re
from pathlib import Path
from typing import List

from ..figures.content import Table
from .side_by_side import pages

LIMIT = re.compile(r"^// Limit: (.*(?:\n//     .*)*)", re.M)


def limits_table(labs: Path, lab: str) -> List[Table]:
    """A line for each variant; nothing where no page has the field."""
    lines = []
    for (of_lab, variant), path in pages(labs).items():
        found = LIMIT.search(path.read_text(encoding="utf-8")) if of_lab == lab else None
        if found:
            lines.append([variant, " ".join(found[1].replace("\n//", " ").split())])
    return [Table(f"{lab}_limits", f"Lab {lab}: what limits each variant, from the comment at the head of its file.", ["variant", "limit"], lines,
                  left=2)] if lines else []
