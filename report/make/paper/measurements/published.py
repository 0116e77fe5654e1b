# SPDX-License-Identifier: MIT
"""The numbers that the five course reports published (report/make/paper/data/published.csv), the times of their programs
(report/make/paper/data/originals.csv), and which of our variants stands for each program: DataFrames with the columns of our rows, in which
whole numbers are 0 where there is none."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy
from pandas import DataFrame, Series

from report.make.plots.files import NUMBER, ReportError, read_table

from .machine import Results

ORIGINAL_COLUMNS = ("report", "program", "width", "height", "channels", "ksize", "block", "where", "mean_us", "output")
DATA = Path(__file__).resolve().parents[1] / "data"
# Our variant of a program, the one for tiles with more cells than two rounds load (beyond), and the job that is the program's.
PROGRAMS = DATA / "programs.csv"
OURS = ("report", "program", "lab", "variant", "beyond", "border", "type", "channels")
SIZES = {"1920x1080": "1080p", "3840x2160": "4k", "7680x4320": "8k"}
PIXELS = {"480p": 853 * 480, "720p": 1280 * 720, "1440p": 2560 * 1440}
PIXELS.update({name: math.prod(map(int, size.split("x"))) for size, name in SIZES.items()})
COLUMNS = (
    "report table hardware variant resolution width height kernel_size block_dim threads metric value unit".split()
)
# Names of one size in the reports and here.
HERE = {"2K": "1440p", "4K": "4k", "HD": "1080p", "8K": "8k"}
LIKE_OURS = "lab variant border type ksize width height block channels backend cold".split()


class Published(NamedTuple):
    """Both files."""

    values: DataFrame  # of published.csv: `size`, `ksize` and `block` as in our rows; `value` is a number, `text` as it is printed
    lines: DataFrame  # of originals.csv: `ms` of the job of the variant that stands for the program, or of the program itself

    @property
    def originals(self) -> DataFrame:
        """The times of the programs that one of our variants stands for."""
        return self.lines[self.lines["variant"] != ""]


def _whole(texts: Series) -> Series:
    return texts.replace("", "0").astype("int64")


def _square(texts: Series) -> Series:
    """The side n of "n" or "nxn"; 0 for anything else."""
    return texts.str.extract(r"^(\d+)(?:x\1)?$", expand=False).fillna("0").astype("int64")


def _table(path: Path, columns: Sequence[str], above_0: set[str]) -> DataFrame:
    """The lines of a file; an error for a field of a number that holds none."""
    lines = read_table(path, columns)
    for where, fields in lines:
        for name in above_0 | ({"value"} & set(fields)):
            if not NUMBER.fullmatch(fields[name]) or (name in above_0 and float(fields[name]) <= 0):
                expected = "a number" + (" above 0" if name in above_0 else "")
                raise ReportError(f"{where}: column {name} holds '{fields[name]}', expected {expected}")
    return DataFrame([fields for _, fields in lines])


def read_values(path: Path) -> DataFrame:
    """The published numbers."""
    values = _table(path, COLUMNS, set())
    whole = {name: _whole(values[name]) for name in ("width", "height", "threads")}
    sizes = values["resolution"].replace(HERE)
    sides = {"ksize": _square(values["kernel_size"]), "block": _square(values["block_dim"])}
    return values.assign(**whole, **sides, size=sizes, text=values["value"], value=values["value"].astype(float))


def read_programs(path: Path) -> DataFrame:
    """The times of the programs: `block` is the side of the block or of its tile (B or T), `block_threads` the threads in a single
    block, `our_channels` those of the variant: where it has one, `ms` is of one, as is `share` of the work."""
    lines = _table(path, ORIGINAL_COLUMNS, {"width", "height", "channels", "ksize", "mean_us"})
    parts = lines["block"].str.partition("x")
    tile, single = lines["block"].str.extract(r"tile (\d+)", expand=False), parts[0] == "1"
    lines = lines.assign(
        launched=lines["block"],
        size=(lines["width"] + "x" + lines["height"]).replace(SIZES),
        block=_whole(tile.fillna(parts[0].where(~single, ""))),
        block_threads=_whole(parts[2].where(single, "")),
        **{name: _whole(lines[name]) for name in ("width", "height", "channels", "ksize")},
        **{name: lines[name].replace("", "nan").astype(float) for name in ("mean_us", "min_us") if name in lines},
    )
    ours = DataFrame([fields for _, fields in read_table(PROGRAMS, OURS)]).rename(columns={"channels": "our_channels"})
    lines = lines.merge(ours, how="left", on=["report", "program"])
    known = lines["lab"].notna() & (lines["block"] > 0)
    ours_alone = ["lab", "variant", "beyond", "border", "type"]
    lines[ours_alone] = lines[ours_alone].where(known, "")
    lines["our_channels"] = lines["our_channels"].astype(float).where(known, lines["channels"]).astype("int64")
    cells = (lines["block"] + lines["ksize"] - 1) ** 2
    lines["variant"] = lines["beyond"].where(
        (lines["beyond"] != "") & (cells > 2 * lines["block"] ** 2), lines["variant"]
    )
    pixels = lines["width"] * lines["height"]
    own_ms = lines["mean_us"] / 1e3
    ms = own_ms * lines["our_channels"] / lines["channels"]
    taps = pixels * lines["channels"] * lines["ksize"] ** 2
    return lines.assign(pixels=pixels, ms=ms, share=ms / own_ms, ns_per_tap=lines["mean_us"] * 1e3 / taps)


def read_published(path: Path, originals: Path) -> Published:
    """Reads both files; a value that is no number is an error in one sentence."""
    return Published(read_values(path), read_programs(originals))


def our_rows(results: Results, lines: DataFrame) -> DataFrame:
    """Our row of each program's job with the same block on the same kind of GPU, by the line's index: of random numbers where the
    type is not uint8, as in the reports' sweeps; of several the latest."""
    asked = lines.assign(channels=lines["our_channels"], backend="cuda", cold="0")
    asked = asked[[*LIKE_OURS, "where"]].rename(columns={"where": "gpu"}).reset_index()

    def those(rows: DataFrame, *more: str) -> DataFrame:
        pairs = asked.merge(rows, on=[*LIKE_OURS, *more])
        fits = [gpu in device.split() for gpu, device in zip(pairs["gpu"], pairs["device"])]
        return pairs[numpy.array(fits, dtype=bool)]

    timed = those(results.every[results.every["timed"]].drop_duplicates(["configuration", "sweep"]))
    swept = timed.groupby("index")["sweep"].mean() > 0.5  # as Results.of_one_run
    asked["run"] = asked["index"].map(swept).eq(True)
    rows = those(results.both, "run")
    usual = (rows["image"] == "scene") == (rows["type"] == "uint8")
    rows = rows.assign(usual=usual).sort_values(["usual", "date", "order"])
    return rows.drop_duplicates("index", keep="last").set_index("index")
