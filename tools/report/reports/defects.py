# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What the reports got wrong (data/defects.csv): what ours does, what runs the defective form, and how
many samples of the public program's output were wrong (data/originals.csv)."""
import re
from pathlib import Path
from typing import List, Mapping, Optional, Sequence

from ..figures.content import DASH, Section, Table, percent
from ..measurements.csv_file import ReportError, read_table

COLUMNS = ("report", "defect", "ours", "shown_by", "program")
WRONG = re.compile(r"wrong: (\d+) of (\d+) samples")


def wrong_samples(lines: Sequence[Mapping[str, str]], report: str, program: str) -> Optional[str]:
    """"594135 of 594612 samples (100 %), K 3", of the first configuration that was wrong."""
    for line in lines:
        found = WRONG.findall(line["note"]) if (line["report"], line["program"]) == (
            report, program) and line["output"] != "right" else []
        if found:
            wrong, samples = (sum(int(pair[index]) for pair in found) for index in (0, 1))
            return (f"{wrong} of {samples} samples ({percent(wrong / samples)}), K {line['ksize']}, "
                    f"block {line['block']}")
    return None


def defects_section(path: Path, lines: Sequence[Mapping[str, str]]) -> Section:
    """A line for each defect."""
    rows: List[List[str]] = []
    for where, fields in read_table(path, COLUMNS):
        wrong = wrong_samples(lines, fields["report"], fields["program"])
        if fields["program"] and wrong is None:
            raise ReportError(f"{where}: originals.csv has no wrong output of {fields['program']}")
        shown = f"`{fields['shown_by']}`" if fields["shown_by"] else DASH
        rows.append([fields["report"], fields["defect"], fields["ours"], shown, wrong or DASH])
    return Section("What the reports got wrong", [Table(
        "defects", "The defects, what our variants do instead, the file that runs the defective form or "
        "shows ours, and how much of the public program's output was wrong where it was compared.",
        ["report", "defect", "ours", "shown by", "wrong in the program's output"], rows, left=5)])
