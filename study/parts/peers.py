# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Other libraries, from peers.csv (make peers): time relative to ours, for tools/peers/README.md."""

from pathlib import Path
from typing import Dict, List, Sequence, Tuple

from tools.plots.files import ReportError
from tools.plots.other_files import lines_of, value

from ..figures.content import DASH, Table, percent, short_name
from ..figures.shapes import grouped

COLUMNS = "version device channels cold ratio_q1 ratio_q3 differing_share largest_difference revision date".split()
POSITIVE = ("width", "height", "time_ms", "ratio", "ratio_q1", "ratio_q3")
Fields = Dict[str, str]
# What a function computes where the samples differ by more than a rounding, and how much work it does.
OTHER = {
    "torchvision gaussian_blur": "another border, reflect",
    "pillow Kernel": "border pixels copied",
    "pillow GaussianBlur": "another filter, box blurs",
    "npp FilterGaussBorder": "another filter, NPP's own Gaussian",
}
WORK = {
    "torch conv2d": "less work: half precision, border not timed",
    "torch conv2d graph": "less work: half precision, border not timed",
    "cupy correlate float32": "K x K products of floats, conversion not timed",
    "cupy correlate uint8": "K x K products",
    "cupy correlate1d float32": "two passes of floats, conversion not timed",
    "cupy correlate1d uint8": "two passes",
    "scipy correlate": "K x K products",
}


def read_peers(folder: Path) -> List[Fields]:
    """The timed rows of peers.csv; none where it was not run."""
    rows = [row for row in lines_of(folder, "peers.csv", None, COLUMNS) if row["status"] == "ok"]
    for row in rows:
        for name in POSITIVE:
            if not row[name] or not 0 < float(row[name]) < float("inf"):
                raise ReportError(
                    f"{folder / 'peers.csv'}: column {name} holds '{row[name]}', expected a number above 0"
                )
    return rows


def _size(row: Fields) -> Tuple[int, str]:
    return int(row["width"]) * int(row["height"]), row["size"]


def _main(rows: Sequence[Fields]) -> List[Fields]:
    return [row for row in rows if (row["filter"], row["ksize"]) == ("gaussian", "5")]


def _name(row: Fields) -> str:
    return row["function"] if row["peer"] == "convolab" else f"{row['peer']} {row['function']}"


def _largest_difference(rows: Sequence[Fields]) -> int:
    return max(int(row["largest_difference"] or 0) for row in rows)


def what_it_computes(rows: Sequence[Fields]) -> str:
    """The same bytes, another rounding or another filter; more or less work than ours."""
    name, largest = _name(rows[0]), _largest_difference(rows)
    words = "same bytes" if largest == 0 else "other rounding" if largest == 1 else OTHER.get(name, "other results")
    return words + (f"; {WORK[name]}" if name in WORK else "")


def same_bytes(rows: Sequence[Fields]) -> str:
    """How much the outputs differ from ours, over all sizes of a line."""
    most = max((float(row["differing_share"]) for row in rows if row["differing_share"]), default=None)
    if not most:
        return DASH if most is None else "identical"
    return f"{percent(most)}, by at most {_largest_difference(rows)}"


def _counts(row: Fields) -> bool:
    """Of a library: one CPU thread, or images that are not in the GPU's cache."""
    return row["peer"] != "convolab" and (row["threads"] == "1" if row["backend"] == "cpu" else row["cold"] == "1")


def _best_table(title: str, columns: Sequence[str], rows: Sequence[Fields]) -> Table:
    """A line for each library and device: of its fastest function at the largest size and side. columns: values of size or side."""
    lines = []
    for every in grouped(rows, lambda row: (row["device"], row["peer"])).values():
        best = min(every, key=lambda row: (-_size(row)[0], -int(row["ksize"]), float(row["ratio"])))
        mine = [row for row in every if row["function"] == best["function"]]
        ratio = {name: value(row["ratio"]) for row in mine for name in (row["size"], row["ksize"])}
        version = best["version"].replace(best["peer"], "").strip()  # "halide14"
        tried = str(len({row["function"] for row in every}))
        ratios = [ratio.get(name, DASH) for name in columns]
        first = [f"{best['peer']} {version}, {best['function']}", tried, short_name(best["device"])]
        lines.append([*first, *ratios, same_bytes(mine), what_it_computes(mine)])
    caption = (
        f"{title}: time of each library's fastest function (of how many) divided by Convolab's on the same machine; "
    )
    caption += "CPU: one thread; GPU: images not in the cache."
    head = [
        "library",
        "of",
        "on",
        *(f"{one}x{one}" if one.isdigit() else one for one in columns),
        "samples that differ",
        "computes",
    ]
    return Table("peers", caption, head, lines, left=3)


def peers_tables(folders: Sequence[Path]) -> List[Table]:
    """The 5x5 Gaussian by size, and the filter that is not separable by side; without what was not timed."""
    rows = [row for folder in folders for row in filter(_counts, read_peers(folder))]
    gaussians = _main(rows)
    sizes = [size for _, size in sorted(set(map(_size, gaussians)))[-3:]]  # the largest
    tables = [_best_table("5x5 Gaussian, RGB", sizes, gaussians)] if gaussians else []
    edges = [row for row in rows if row["filter"] == "edge"]
    if edges:
        largest = max(map(_size, edges))[1]
        edges = [row for row in edges if row["size"] == largest]
        title = f"`edge`, not separable, RGB, {largest}, by its side"
        tables.append(_best_table(title, sorted({row["ksize"] for row in edges}), edges))
    return tables
