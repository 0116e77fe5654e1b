# SPDX-License-Identifier: MIT
"""Other libraries, from peers.csv (tools/peers/peers.sh): their times relative to this project's; also for tools/peers/README.md."""

from collections.abc import Sequence
from pathlib import Path

import pandas
from pandas import DataFrame

from .other_files import lines_of
from .words import DASH, Table, number, percent, plural, short

COLUMNS = "version device cold differing_share largest_difference".split()
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


def what_it_computes(name: str, largest: float) -> str:
    """The same bytes, another rounding or another filter; more or less work than Convolab."""
    words = "same bytes" if largest == 0 else "other rounding" if largest == 1 else OTHER.get(name, "other results")
    return words + (f"; {WORK[name]}" if name in WORK else "")


def same_bytes(most: float, largest: float) -> str:
    """How much the outputs differ from Convolab's, over all sizes of a line."""
    return f"{percent(most)}, by at most {largest:.0f}" if most > 0 else "identical" if most == 0 else DASH


def _lines(folder: Path, machine: str | None, more: Sequence[str] = ()) -> DataFrame:
    lines = lines_of(folder, "peers.csv", machine, more)
    return lines.assign(pixels=lines["width"] * lines["height"])


def _best_table(title: str, by: str, columns: Sequence[str], rows: DataFrame) -> Table:
    """A line for each library and device: of its fastest function at the largest size and side. columns: values of by, size or
    ksize."""
    lines = []
    rows = rows.assign(side=rows["ksize"].astype(int))
    ordered = rows.sort_values(["pixels", "side", "ratio"], ascending=[False, False, True], kind="stable")
    for _, every in rows.groupby(["device", "peer"], sort=False):
        best = ordered.loc[ordered.index.isin(every.index)].iloc[0]
        fastest = every[every["function"] == best["function"]]
        ratio = dict(zip(fastest[by], map(number, fastest["ratio"])))
        version = best["version"].replace(best["peer"], "").strip()  # "halide14"
        most, largest = fastest["differing_share"].max(), fastest["largest_difference"].fillna(0).max()
        first = [
            f"{best['peer']} {version}, {best['function']}",
            str(every["function"].nunique()),
            short(best["device"]),
        ]
        computes = what_it_computes(f"{best['peer']} {best['function']}", largest)
        lines.append([*first, *(ratio.get(name, DASH) for name in columns), same_bytes(most, largest), computes])
    caption = (
        f"{title}: the time of each library's fastest function (of how many: column `of`), divided by Convolab's on the "
        "same machine; CPU: one thread; GPU: images not in the cache."
    )
    sides = [f"{column}x{column}" if by == "ksize" else column for column in columns]
    head = ["library", "of", "on", *sides, "samples that differ", "computes"]
    return Table("peers", caption, head, lines, left=3)


def peers_tables(folders: Sequence[Path], machine: str | None = None) -> list[Table]:
    """The 5x5 Gaussian by size, and the filter that is not separable by side; without what was not timed. Of a library, timed: one
    CPU thread, or images that are not in the GPU's cache."""
    rows = pandas.concat([_lines(folder, machine, COLUMNS) for folder in folders], ignore_index=True)
    alone = (rows["threads"] == "1").where(rows["backend"] == "cpu", rows["cold"] == "1")
    rows = rows[(rows["status"] == "ok") & (rows["peer"] != "convolab") & alone]
    gaussians = rows[(rows["filter"] == "gaussian") & (rows["ksize"] == "5")]
    largest = [size for _, size in sorted(set(zip(gaussians["pixels"], gaussians["size"])))[-3:]]
    tables = [] if gaussians.empty else [_best_table("5x5 Gaussian, RGB", "size", largest, gaussians)]
    edges = rows[rows["filter"] == "edge"]
    edges = edges[edges["pixels"] == edges["pixels"].max()]
    if len(edges):
        title = f"`edge` (not separable), RGB, {edges['size'].iloc[0]}"
        tables.append(_best_table(title, "ksize", sorted(edges["ksize"].unique()), edges))
    return tables


def peers_items(folder: Path, machine: str) -> list[Table]:
    """How the libraries compare, and every function at the largest size."""
    lines = _lines(folder, machine)
    if lines.empty:
        return []
    largest = lines[lines["pixels"] == lines["pixels"].max()]
    rows = [
        [
            *(line.peer, line.function, line.backend, line.threads or DASH),
            f"{line.ksize}x{line.ksize} {line.filter}" if line.ksize else line.filter,
            *map(number, (line.time_ms, line.ratio)),
            line.status if line.status == "ok" else f"{line.status}: {line.reason}",
        ]
        for line in largest.itertuples()
    ]
    smaller = len(lines) - len(largest)
    more = f" Of smaller sizes peers.csv has {plural(smaller, 'row')}." if smaller else ""
    caption = f"Other libraries, {largest['size'].iloc[0]}; ratio: their time by that of this project.{more}"
    head = ["library", "function", "on", "threads", "filter", "ms", "ratio", "status"]
    return [*peers_tables([folder], machine), Table("functions", caption, head, rows, left=5)]
