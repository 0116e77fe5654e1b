# SPDX-License-Identifier: MIT
"""The tables of library/README.md: `make library` and NPP on buffers as programs have them (tools/library/bench.sh)."""

from collections.abc import Sequence
from pathlib import Path

from pandas import DataFrame

from report.make.plots.results import distinct, read_folder, select
from report.make.plots.words import DASH, NOISY, Table, joined, number, percent, short, to_markdown

LAB = "library"  # of the rows
FILE = f"{LAB}_sweep.csv"
HEAD = ("filter", "picture", "kernel")
LAST = ("of a copy", "other views", "NPP")


def _range(values: Sequence[str]) -> str:
    """ "1.02 to 1.31" of numbers from small to large."""
    return " to ".join(dict.fromkeys([values[0], values[-1]])) if values else DASH


def _line(rows: DataFrame, sides: Sequence[int]) -> list[str]:
    """What was measured of one filter on one picture."""
    pitched = rows[rows["variant"] == "pitched"].set_index("ksize")
    us = {row.Index: number(1000 * row.ms) + (NOISY if row.is_noisy else "") for row in pitched.itertuples()}

    def ratios(variant: str) -> str:
        ratio = rows[rows["variant"] == variant].set_index("ksize")["ms"] / pitched["ms"]
        return _range([number(value) for value in sorted(ratio.dropna())])

    shares = sorted(pitched["of_ceiling"].dropna())
    picture = f"{rows['width'].iloc[0]} x {rows['height'].iloc[0]}"
    kernel = joined(distinct(pitched.sort_index(), "reason"))
    ends = [_range([percent(share) for share in shares]), ratios("tight"), ratios("npp")]
    return [rows["filter"].iloc[0], picture, kernel, *(us.get(side, DASH) for side in sides), *ends]


def _table(rows: DataFrame) -> Table:
    sides = sorted(distinct(rows, "ksize"))
    lines = [_line(group, sides) for _, group in rows.groupby(["filter", "pixels"])]
    caption = f"{short(rows['device'].iloc[0])}, {'gray' if rows['channels'].iloc[0] == 1 else 'RGB'}:"
    return Table("library", caption, [*HEAD, *(f"{side}x{side}" for side in sides), *LAST], lines, left=len(HEAD))


def library_tables(reference: Path) -> str:
    """A table for RGB and one for gray, for each machine that has rows of tools/library/bench.sh."""
    tables = []
    for path in sorted(reference.glob(f"*/{FILE}")):
        rows = select(read_folder(path.parent), sweep=True)
        rows = rows[(rows["lab"] == LAB) & rows["timed"] & (rows["cold"] == "1")]
        groups = [rows[rows["channels"] == channels] for channels in (3, 1)]
        tables += [_table(group) for group in groups if len(group)]
    return "\n".join(f"{table.caption}\n\n{to_markdown(table)}" for table in tables) or "Not measured yet."
