# SPDX-License-Identifier: MIT
"""Other libraries, from peers.csv (make peers): their times relative to this project's; also for tools/peers/README.md."""

from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from .other_files import lines_of, value
from .words import DASH, Table, percent, plural, short

COLUMNS = "version device cold differing_share largest_difference".split()
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


def _size(row: Fields) -> Tuple[int, str]:
    return int(row["width"]) * int(row["height"]), row["size"]


def _largest_difference(rows: Sequence[Fields]) -> int:
    return max(int(row["largest_difference"] or 0) for row in rows)


def what_it_computes(rows: Sequence[Fields]) -> str:
    """The same bytes, another rounding or another filter; more or less work than Convolab."""
    name, largest = f"{rows[0]['peer']} {rows[0]['function']}", _largest_difference(rows)
    words = "same bytes" if largest == 0 else "other rounding" if largest == 1 else OTHER.get(name, "other results")
    return words + (f"; {WORK[name]}" if name in WORK else "")


def same_bytes(rows: Sequence[Fields]) -> str:
    """How much the outputs differ from Convolab's, over all sizes of a line."""
    most = max((float(row["differing_share"]) for row in rows if row["differing_share"]), default=None)
    if not most:
        return DASH if most is None else "identical"
    return f"{percent(most)}, by at most {_largest_difference(rows)}"


def _counts(row: Fields) -> bool:
    """Of a library, timed: one CPU thread, or images that are not in the GPU's cache."""
    timed = row["status"] == "ok" and row["peer"] != "convolab"
    return timed and (row["threads"] == "1" if row["backend"] == "cpu" else row["cold"] == "1")


def _best_table(title: str, columns: Sequence[str], rows: Sequence[Fields]) -> Table:
    """A line for each library and device: of its fastest function at the largest size and side. columns: values of size or side."""
    lines = []
    groups: Dict[Tuple[str, str], List[Fields]] = {}
    for row in rows:
        groups.setdefault((row["device"], row["peer"]), []).append(row)
    for every in groups.values():
        best = min(every, key=lambda row: (-_size(row)[0], -int(row["ksize"]), float(row["ratio"])))
        mine = [row for row in every if row["function"] == best["function"]]
        ratio = {name: value(row["ratio"]) for row in mine for name in (row["size"], row["ksize"])}
        version = best["version"].replace(best["peer"], "").strip()  # "halide14"
        tried = str(len({row["function"] for row in every}))
        ratios = [ratio.get(name, DASH) for name in columns]
        first = [f"{best['peer']} {version}, {best['function']}", tried, short(best["device"])]
        lines.append([*first, *ratios, same_bytes(mine), what_it_computes(mine)])
    caption = (
        f"{title}: time of each library's fastest function (of how many) divided by Convolab's on the same machine; "
        "CPU: one thread; GPU: images not in the cache."
    )
    sides = [f"{one}x{one}" if one.isdigit() else one for one in columns]
    head = ["library", "of", "on", *sides, "samples that differ", "computes"]
    return Table("peers", caption, head, lines, left=3)


def peers_tables(folders: Sequence[Path], machine: Optional[str] = None) -> List[Table]:
    """The 5x5 Gaussian by size, and the filter that is not separable by side; without what was not timed."""
    rows = [row for folder in folders for row in lines_of(folder, "peers.csv", machine, COLUMNS) if _counts(row)]
    gaussians = [row for row in rows if (row["filter"], row["ksize"]) == ("gaussian", "5")]
    sizes = [size for _, size in sorted(set(map(_size, gaussians)))[-3:]]  # the largest
    tables = [_best_table("5x5 Gaussian, RGB", sizes, gaussians)] if gaussians else []
    edges = [row for row in rows if row["filter"] == "edge"]
    if edges:
        largest = max(map(_size, edges))[1]
        edges = [row for row in edges if row["size"] == largest]
        title = f"`edge`, not separable, RGB, {largest}, by its side"
        tables.append(_best_table(title, sorted({row["ksize"] for row in edges}), edges))
    return tables


def peers_items(folder: Path, machine: str) -> List[Table]:
    """How the libraries compare, and every function at the largest size."""
    lines = lines_of(folder, "peers.csv", machine)
    if not lines:
        return []
    largest = max(int(line["width"]) * int(line["height"]) for line in lines)
    mine = [line for line in lines if int(line["width"]) * int(line["height"]) == largest]
    rows = [
        [
            *(line["peer"], line["function"], line["backend"], line["threads"] or DASH),
            f"{line['ksize']}x{line['ksize']} {line['filter']}" if line["ksize"] else line["filter"],
            *(value(line["time_ms"]), value(line["ratio"])),
            line["status"] if line["status"] == "ok" else f"{line['status']}: {line['reason']}",
        ]
        for line in mine
    ]
    smaller = len(lines) - len(mine)
    more = f" Of smaller sizes peers.csv has {plural(smaller, 'row')}." * bool(smaller)
    caption = f"Other libraries, {mine[0]['size']}; ratio: their time by that of this project.{more}"
    head = ["library", "function", "on", "threads", "filter", "ms", "ratio", "status"]
    return [*peers_tables([folder], machine), Table("functions", caption, head, rows, left=5)]
