# SPDX-License-Identifier: MIT
"""The tables of library/README.md: `make library` and NPP on buffers as programs have them (make bench-library)."""

from pathlib import Path
from typing import Dict, List, Sequence, Tuple

from tools.plots.rows import Row
from tools.plots.selection import distinct, select

from ..figures.content import DASH, NOISY, Table, joined, number, percent, short_name, to_markdown
from ..measurements.results import read_folder

LAB = "library"  # of the rows
FILE = f"{LAB}_sweep.csv"
HEAD = ("filter", "picture", "kernel")
LAST = ("of a copy", "other views", "NPP")


def _range(values: Sequence[str]) -> str:
    """ "1.02 to 1.31" of numbers from small to large."""
    return " to ".join(dict.fromkeys([values[0], values[-1]])) if values else DASH


def _line(rows: Sequence[Row], sides: Sequence[str]) -> List[str]:
    """What was measured of one filter on one picture."""
    at: Dict[Tuple[str, str], Row] = {(row.variant, row.ksize): row for row in rows}
    mine = {side: at["pitched", side] for side in sides if ("pitched", side) in at}

    def ratios(variant: str) -> str:
        both = [at[variant, side].ms / row.ms for side, row in mine.items() if (variant, side) in at]
        return _range([number(one) for one in sorted(both)])

    us = {side: number(1000 * row.ms) + NOISY * row.is_noisy for side, row in mine.items()}
    shares = sorted(row.of_ceiling for row in mine.values() if row.of_ceiling)
    picture = f"{rows[0].width} x {rows[0].height}"
    kernel = joined(distinct(mine.values(), "reason"))
    ends = [_range([percent(share) for share in shares]), ratios("tight"), ratios("npp")]
    return [rows[0]["filter"], picture, kernel, *(us.get(side, DASH) for side in sides), *ends]


def _table(rows: Sequence[Row]) -> Table:
    sides = sorted(distinct(rows, "ksize"), key=int)
    groups: Dict[Tuple[str, int], List[Row]] = {}
    for row in rows:
        groups.setdefault((row["filter"], row.pixels), []).append(row)
    lines = [_line(groups[at], sides) for at in sorted(groups)]
    head = [*HEAD, *(f"{side}x{side}" for side in sides), *LAST]
    return Table(
        "library",
        f"{short_name(rows[0].device)}, {'gray' if rows[0].channels == '1' else 'RGB'}:",
        head,
        lines,
        left=len(HEAD),
    )


def library_tables(reference: Path) -> str:
    """A table for RGB and one for gray, for each machine that has rows of `make bench-library`."""
    found = []
    for path in sorted(reference.glob(f"*/{FILE}")):
        rows = [row for row in select(read_folder(path.parent), sweep=True) if row.lab == LAB and row.timed]
        for channels in ("3", "1"):
            same = [row for row in rows if (row.cold, row.channels) == ("1", channels)]
            found += [_table(same)] if same else []
    return "\n".join(f"{table.caption}\n\n{to_markdown(table)}" for table in found) or "Not measured yet."
