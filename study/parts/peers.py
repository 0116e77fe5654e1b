# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Other libraries, from peers.csv (make peers): time relative to ours."""

import math
from pathlib import Path
from typing import Callable, Dict, List, Optional, Tuple, Union

from ..figures.content import COLOURS, DASH, Figure, Section, Table, joined, number, percent, short_name
from ..measurements.csv_file import NUMBER, ReportError, read_table

COLUMNS = (
    "peer",
    "function",
    "version",
    "backend",
    "device",
    "threads",
    "size",
    "width",
    "height",
    "channels",
    "filter",
    "ksize",
    "cold",
    "time_ms",
    "ratio",
    "ratio_q1",
    "ratio_q3",
    "differing_share",
    "largest_difference",
    "status",
    "machine",
)
Fields = Dict[str, str]
Item = Union[str, Table, Figure]


def read_peers(folder: Path, machine: Optional[str] = None) -> List[Fields]:
    """The timed rows of peers.csv, of one machine or of all; none where it was not run."""
    path = folder / "peers.csv"
    if not path.exists():
        return []
    rows = []
    for where, fields in read_table(path, COLUMNS):
        if machine not in (None, fields["machine"]) or fields["status"] != "ok":
            continue
        for name in ("width", "height", "time_ms", "ratio", "ratio_q1", "ratio_q3"):
            if not NUMBER.fullmatch(fields[name]) or not 0 < float(fields[name]) < math.inf:
                raise ReportError(f"{where}: column {name} holds '{fields[name]}', expected a number above 0")
        rows.append(fields)
    return rows


def pixels(row: Fields) -> int:
    """Of the picture."""
    return int(row["width"]) * int(row["height"])


def _name(row: Fields) -> str:
    return row["function"] if row["peer"] == "convolab" else f"{row['peer']} {row['function']}"


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


def what_it_computes(rows: List[Fields]) -> str:
    """The same bytes, another rounding or another filter; more or less work than ours."""
    largest = max(int(row["largest_difference"] or 0) for row in rows)
    name = _name(rows[0])
    words = "same bytes" if largest == 0 else "other rounding" if largest == 1 else OTHER.get(name, "other results")
    return words + (f"; {WORK[name]}" if name in WORK else "")


def same_bytes(rows: List[Fields]) -> str:
    """How much the outputs differ from ours, over all sizes of a line."""
    shares = [float(row["differing_share"]) for row in rows if row["differing_share"]]
    if not shares:
        return DASH
    if max(shares) == 0:
        return "identical"
    largest = max(int(row["largest_difference"] or 0) for row in rows)
    return f"{percent(max(shares))}, by at most {largest}"


def _where(row: Fields) -> Tuple[str, str]:
    """(part of a file name, words) for a row's device and cache."""
    if row["backend"] == "cpu":
        return f"cpu_{row['threads']}", f"{short_name(row['device'])}, threads: {row['threads']}"
    if row["cold"] == "1":
        return "gpu_cold", f"{short_name(row['device'])}, images not in the cache"
    return "gpu", f"{short_name(row['device'])}, the same images each time"


def _draw(rows: List[Fields], title: str, caption: str) -> Callable[[], object]:
    """A line for each function, the fastest on top; a point for each size."""

    def draw() -> object:
        from ..figures import drawing
        from ..figures.labels import QUARTILES
        from ..figures.looks import looks

        at_largest = {_name(row): float(row["ratio"]) for row in sorted(rows, key=pixels) if row["function"] != "ours"}
        names = sorted(at_largest, key=lambda name: at_largest[name])
        sizes = sorted({(pixels(row), row["size"]) for row in rows})
        figure, axes = drawing.canvas(1.5 + 0.32 * len(names))
        panel = axes[0, 0]
        for place, ((_, size), (colour, marker)) in enumerate(zip(sizes, looks([(name, "") for _, name in sizes]))):
            found = [row for row in rows if row["size"] == size and row["function"] != "ours"]
            ratios = [float(row["ratio"]) for row in found]
            around = [
                [max(0.0, ratio - float(row["ratio_q1"])) for ratio, row in zip(ratios, found)],
                [max(0.0, float(row["ratio_q3"]) - ratio) for ratio, row in zip(ratios, found)],
            ]
            apart = 0.14 * (place - (len(sizes) - 1) / 2)
            at = [names.index(_name(row)) + apart for row in found]
            panel.errorbar(ratios, at, xerr=around, fmt=marker, color=colour, label=size)
        panel.axvline(1, color="0.35", linestyle="--", label="ours")
        panel.set(xscale="log", xlabel="time / ours", ylim=(len(names) - 0.5, -0.5))
        panel.set_yticks(range(len(names)))
        panel.set_yticklabels(names, fontsize=9)
        drawing.plain(panel.xaxis)
        return drawing.finish(figure, title, caption, panel, QUARTILES)

    return draw


def _by_size(rows: List[Fields]) -> List[Item]:
    """Figure and table of the 5x5 Gaussian on one device, warm or cold."""
    part, words = _where(rows[0])
    sizes = sorted({(pixels(row), row["size"]) for row in rows})
    depths = joined(COLOURS.get(depth, f"{depth} channels") for depth in sorted({row["channels"] for row in rows}))
    caption = f"5x5 Gaussian, {depths}, {words}: time over ours in the same round (median; bars: quartiles)."
    lines = []
    for name in dict.fromkeys(map(_name, rows)):
        mine = {row["size"]: row for row in rows if _name(row) == name}
        lines.append(
            [name]
            + [number(float(mine[size]["ratio"])) if size in mine else DASH for _, size in sizes]
            + [same_bytes(list(mine.values())), what_it_computes(list(mine.values()))]
        )
    header = ["contender"] + [size for _, size in sizes] + ["samples that differ from ours", "computes"]
    return [
        Figure(
            f"peers_{part}",
            f"{caption} The fastest function on top.",
            _draw(rows, f"Other libraries: {words}", caption),
        ),
        Table(
            f"peers_{part}",
            f"The same as a table, {words}; how much the outputs differ from ours, and what the function computes.",
            header,
            lines,
        ),
    ]


def _other_filters(rows: List[Fields]) -> List[Item]:
    """A table of the other filters on one device, warm or cold."""
    part, words = _where(rows[0])
    jobs = sorted({(pixels(row), row["size"], int(row["ksize"]), row["filter"]) for row in rows})
    lines = []
    for name in dict.fromkeys(map(_name, rows)):
        mine = {(pixels(row), row["size"], int(row["ksize"]), row["filter"]): row for row in rows if _name(row) == name}
        lines.append(
            [name]
            + [number(float(mine[job]["ratio"])) if job in mine else DASH for job in jobs]
            + [same_bytes(list(mine.values()))]
        )
    header = (
        ["contender"]
        + [f"{size} {k}x{k} {filter_}".replace(" gaussian", "") for _, size, k, filter_ in jobs]
        + ["samples that differ"]
    )
    caption = f"Other filters (without a name: Gaussians), {words}: time relative to ours in the same round (median)."
    return [Table(f"peers_{part}_filters", caption, header, lines, fold=True)]


def peers_sections(folder: Path, machine: Optional[str] = None) -> List[Section]:
    """A section for each machine of the folder's peers.csv, or for one."""
    rows = read_peers(folder, machine)
    if not rows:
        return [Section("Other libraries", ["Not measured on this machine: run `make peers`."])]
    return [
        _of_machine([row for row in rows if row["machine"] == name], name)
        for name in dict.fromkeys(row["machine"] for row in rows)
    ]


def _of_machine(rows: List[Fields], machine: str) -> Section:
    """Figures and tables of all devices of a machine."""
    section = Section(f"Other libraries on {short_name(machine)}")
    versions = sorted({f"{row['peer']} {row['version']}" for row in rows if row["peer"] != "convolab"})
    builds = sorted({f"{row['revision'][:7]} of {row['date'][:10]}" for row in rows})
    section.items.append(
        f"Timed in the same rounds as ours, of revision {joined(builds)}: {joined(versions)}. The head of each "
        "file in `tools/peers/` says what the library does, and where it does "
        "less work than ours."
    )
    gpu = {row["version"] for row in rows if row["backend"] == "cuda" and row["function"] == "ours"}
    if gpu:
        section.items.append(
            f"Ours on the GPU is {joined(sorted(gpu))}; on the CPU 01_sequential "
            "simd with one thread, 02_pthread simd_rows with more."
        )
    for where in dict.fromkeys(map(_where, rows)):
        here = [row for row in rows if _where(row) == where]
        if all(row["peer"] == "convolab" for row in here):
            section.items.append(f"{where[1]}: no other library was installed.")
            continue
        main = [row for row in here if (row["filter"], row["ksize"]) == ("gaussian", "5")]
        section.items += _by_size(main) if main else []
        others = [row for row in here if row not in main]
        section.items += _other_filters(others) if others else []
    return section
