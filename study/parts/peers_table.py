# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The tables of tools/peers/README.md: the best function of each library, at the largest sizes."""

from pathlib import Path
from typing import Dict, List, Sequence

from ..figures.content import DASH, Table, number, short_name
from .peers import Fields, pixels, read_peers, same_bytes, what_it_computes

SIZES = 3  # the largest


def _counts(row: Fields) -> bool:
    """Of a library: one CPU thread, or images that are not in the GPU's cache."""
    return row["peer"] != "convolab" and (row["threads"] == "1" if row["backend"] == "cpu" else row["cold"] == "1")


def _fastest_function(rows: List[Fields]) -> List[Fields]:
    """The rows of the function with the smallest ratio at the largest size and side."""
    best = min(rows, key=lambda row: (-pixels(row), -int(row["ksize"]), float(row["ratio"])))
    return [row for row in rows if row["function"] == best["function"]]


def _table(title: str, columns: Sequence[str], rows: Sequence[Fields]) -> Table:
    """A line for each library and device; columns: values of size, or of side."""
    groups: Dict[str, List[Fields]] = {}
    for row in rows:
        groups.setdefault(f"{row['device']}\n{row['peer']}", []).append(row)
    lines = []
    for every in groups.values():
        mine, tried = _fastest_function(every), len({row["function"] for row in every})
        ratio = {name: number(float(row["ratio"])) for row in mine for name in (row["size"], _side(row))}
        version = mine[0]["version"].replace(mine[0]["peer"], "").strip()  # "halide14"
        lines.append(
            [
                f"{mine[0]['peer']} {version}, {mine[0]['function']}",
                str(tried),
                short_name(mine[0]["device"]),
                *(ratio.get(name, DASH) for name in columns),
                same_bytes(mine),
                what_it_computes(mine),
            ]
        )
    caption = (
        f"{title}: time of each library's fastest function (of how many) over ours on the same machine; "
        "CPU: one thread; GPU: images not in the cache."
    )
    header = ["library", "of", "on", *columns, "samples that differ from ours", "computes"]
    return Table("peers", caption, header, lines, left=3)


def _side(row: Fields) -> str:
    return f"{row['ksize']}x{row['ksize']}"


def peers_tables(folders: Sequence[Path]) -> List[Table]:
    """The 5x5 Gaussian by size, and the filter that is not separable by side; without what was not timed."""
    rows = [row for folder in folders for row in filter(_counts, read_peers(folder))]
    gaussians = [row for row in rows if (row["filter"], row["ksize"]) == ("gaussian", "5")]
    edges = [row for row in rows if row["filter"] == "edge"]
    tables = []
    if gaussians:
        sizes = sorted({(pixels(row), row["size"]) for row in gaussians})[-SIZES:]
        tables.append(_table("5x5 Gaussian, RGB", [size for _, size in sizes], gaussians))
    if edges:
        largest = max(edges, key=pixels)["size"]
        edges = [row for row in edges if row["size"] == largest]
        title = f"`edge`, not separable, RGB, {largest}, by its side"
        tables.append(_table(title, sorted(set(map(_side, edges))), edges))
    return tables
