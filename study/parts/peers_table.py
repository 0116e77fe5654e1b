# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The table of tools/peers/README.md: the best function of each library, at the largest sizes."""

from pathlib import Path
from typing import Dict, List, Optional, Sequence

from ..figures.content import DASH, Table, number, short_name
from .peers import Fields, pixels, read_peers, same_bytes, what_it_computes

SIZES = 3  # the largest


def _counts(row: Fields) -> bool:
    """The 5x5 Gaussian of a library: one CPU thread, or images that are not in the GPU's cache."""
    return (
        (row["filter"], row["ksize"]) == ("gaussian", "5")
        and row["peer"] != "convolab"
        and (row["threads"] == "1" if row["backend"] == "cpu" else row["cold"] == "1")
    )


def _fastest_function(rows: List[Fields]) -> List[Fields]:
    """The rows of the function with the smallest ratio at the largest size."""
    best = min(rows, key=lambda row: (-pixels(row), float(row["ratio"])))
    return [row for row in rows if row["function"] == best["function"]]


def peers_table(folders: Sequence[Path]) -> Optional[Table]:
    """A line for each library and device; None where `make peers` was not run."""
    groups: Dict[str, List[Fields]] = {}
    for folder in folders:
        for row in filter(_counts, read_peers(folder)):
            groups.setdefault(f"{row['device']}\n{row['peer']}", []).append(row)
    if not groups:
        return None
    names = sorted({(pixels(row), row["size"]) for rows in groups.values() for row in rows})
    columns = [size for _, size in names[-SIZES:]]
    lines = []
    for every in groups.values():
        rows, tried = _fastest_function(every), len({row["function"] for row in every})
        ratio = {row["size"]: number(float(row["ratio"])) for row in rows}
        version = rows[0]["version"].replace(rows[0]["peer"], "").strip()  # "halide14"
        lines.append(
            [
                f"{rows[0]['peer']} {version}, {rows[0]['function']}",
                str(tried),
                short_name(rows[0]["device"]),
                *(ratio.get(size, DASH) for size in columns),
                same_bytes(rows),
                what_it_computes(rows),
            ]
        )
    return Table(
        "peers",
        "5x5 Gaussian, RGB: time of each library's fastest function (of how many) over ours on the same machine; "
        "CPU: one thread; GPU: images not in the cache.",
        ["library", "of", "on", *columns, "samples that differ from ours", "computes"],
        lines,
        left=3,
    )
