# SPDX-License-Identifier: MIT
"""The rows of a results folder (`make bench`, `make sweep`) as a DataFrame, and which of several for one configuration counts.

A row is a line that `lab bench` wrote; the index is its place in the folder: files by name, then lines. Columns are those that
`lab columns` prints: of the row, of its session, and one for each setting. `gpus` counts those that computed, 0 on a CPU. A
number is never guessed: integers (int64) are 0 and decimals (float64) NaN where the file has nothing; texts and flags are str.
Worked out here:

| column | meaning |
|---|---|
| `where`, `sweep` | "file, line n"; whether the file is a *_sweep.csv |
| `configuration` | a number: rows of one configuration measured the same thing in the same way |
| `pixels`, `size` | "1080p"; "600x400" where the file has no name |
| `with_copies` | the copies belong to the run (lab 06): there is no time without them |
| `timed` | it has a time: output correct, real hardware, above 0; all times of other rows are NaN |
| `ms`, `below`, `above` | the median of the convolution or, `with_copies`, of a frame; how far the 5th percentile is below, the 95th above |
| `low`, `high` (ms) | where the median is with a probability of 95 %; where the row does not say, those percentiles |
| `total_ms`, `total_low`, `total_high` | the same with the copies to the GPU and back; NaN on a CPU |
| `margin` | the share that two runs of it may differ by |
| `rate` (GB/s), `gops` | bytes and operations by the median time |
| `ceiling` (GB/s), `of_ceiling` | the fastest copy of the row's own session, of rows with copies the bus; the row's share of it |
| `is_noisy`, `in_rounds` | noisy; timed in rounds |
| `begun` | the time of the first row of its session: "2026-11-23 06:52" (UTC) |
"""

import shlex
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy
import pandas
from pandas import DataFrame, Series

from .columns import labs_columns
from .files import ReportError
from .sessions import read_timings, timing_files

STATUSES = ("ok", "unsupported", "skipped", "failed")
EMULATED = "cuda_on_cpu"  # the backend that is checked, not timed
DATE = "%Y-%m-%dT%H:%M:%SZ"  # of the column `date`
# Two numbers differ if they are this far apart: of a CPU, of a GPU's kernel, of a GPU with its copies. For in another run
# (results/reference/README.md) nine of ten ratios of two configurations that took turns are within it.
OF_CPU, OF_KERNEL, OF_COPIES = 0.25, 0.02, 0.10
LARGEST = 2**53  # of whole numbers: all are exact as float64
PAUSE = pandas.Timedelta(hours=1)  # without a row: what follows is another session
NUMBERS = {
    "integer": ("[0-9]*", "a whole number"),
    "decimal": (r"([+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?)?", "a number with a decimal point"),
}


def _refuse(rows: DataFrame, column: str, wrong: Series, words: str) -> None:
    """An error that names the first row that is wrong."""
    for where, value in rows.loc[wrong, ["where", column]].values[:1]:
        raise ReportError(f"{where}: column {column} {words.format(value)}")


def _is_date(text: str) -> bool:
    try:
        return not text or 1970 <= datetime.strptime(text, DATE).year < 2200  # within pandas' years
    except ValueError:
        return False


def _typed(text: DataFrame) -> DataFrame:
    """The rows with numbers as numbers; an error for a field that cannot be."""
    for name in ("lab", "variant", "backend", "machine"):
        _refuse(text, name, text[name] == "", "is empty")
    for name, allowed in (("status", STATUSES), ("noisy", ("", "0", "1"))):
        expected = ", ".join(value or "nothing" for value in allowed)
        _refuse(text, name, ~text[name].isin(allowed), f"holds '{{}}', expected one of {expected}")
    words = "holds '{}', expected a time like 2026-01-31T23:59:59Z"
    _refuse(text, "date", ~text["date"].map(_is_date), words)
    numbers = {}
    for name, kind in labs_columns().kinds.items():
        if kind in NUMBERS:
            pattern, expected = NUMBERS[kind]
            _refuse(text, name, ~text[name].str.fullmatch(pattern), f"holds '{{}}', expected {expected} or nothing")
            number = text[name].replace("", "nan").astype(float)
            wrong = (number < 0) | numpy.isinf(number) | ((kind == "integer") & (number > LARGEST))
            _refuse(text, name, wrong, "holds {}, which cannot be measured")
            numbers[name] = number.fillna(0).astype("int64") if kind == "integer" else number
    too_large = numbers["width"] * 1.0 * numbers["height"] > LARGEST
    _refuse(text, "width", too_large, "holds {}, which is too much for that height")
    return text.assign(**numbers)


def _with_times(rows: DataFrame) -> DataFrame:
    """The rows with the columns that are worked out of each."""
    copies = rows["kernel_ms_median"].isna() & rows["total_ms_median"].notna()
    time = {
        part: rows[f"total_ms_{part}"].where(copies, rows[f"kernel_ms_{part}"])
        for part in ("median", "median_low", "median_high", "p05", "p95")
    }
    timed = (rows["status"] == "ok") & (rows["backend"] != EMULATED) & (time["median"] > 0)
    ms, cpu = time["median"].where(timed), rows["backend"] == "cpu"
    below = (ms - time["p05"].where(time["p05"] > 0, ms)).clip(lower=0)
    above = (time["p95"].where(time["p95"] > 0, ms) - ms).clip(lower=0)
    stated = (time["median_low"] > 0) & (time["median_high"] > 0)
    low, high = time["median_low"].where(stated, ms - below), time["median_high"].where(stated, ms + above)
    total = rows["total_ms_median"].where(timed & ~cpu)
    stated = (rows["total_ms_median_low"] > 0) & (rows["total_ms_median_high"] > 0)
    scale = total.where(total > 0, ms) / ms
    ceiling = rows["bus_both_gb_per_s"].where(copies, rows["copy_gb_per_s"])
    ceiling, rate = ceiling.where(ceiling > 0), rows["bytes"] / (ms * 1e6)
    timed_rows = rows.assign(
        gpus=rows["devices"].clip(lower=1).where(~cpu, 0),
        pixels=rows["width"] * rows["height"],
        size=rows["size"].where(rows["size"] != "", rows["width"].astype(str) + "x" + rows["height"].astype(str)),
        with_copies=copies,
        timed=timed,
        ms=ms,
        below=below,
        above=above,
        low=low.where(timed),
        high=high.where(timed),
        total_ms=total,
        total_low=rows["total_ms_median_low"].where(stated, low * scale),
        total_high=rows["total_ms_median_high"].where(stated, high * scale),
        margin=numpy.select([cpu, copies], [OF_CPU, OF_COPIES], OF_KERNEL),
        rate=rate,
        gops=rows["operations"] / (ms * 1e6),
        ceiling=ceiling,
        of_ceiling=rate / ceiling,
        is_noisy=rows["noisy"] == "1",
        in_rounds=rows["rounds"] > 0,
    )
    real = (timed_rows["status"] == "ok") & (timed_rows["backend"] != EMULATED)
    no_time = rows["kernel_ms_median"].isna() & (rows["total_ms_median"].isna() | rows["bus_both_gb_per_s"].isna())
    wrong = real & (no_time | (timed_rows["pixels"] == 0))
    _refuse(rows, "status", wrong, "is ok, but kernel_ms_median, width or height is missing")
    return timed_rows


def _begun(rows: DataFrame) -> Series:
    """When the session of each row began: a session is of one machine, revision and boot, with no PAUSE between its rows."""
    dated = rows[rows["date"] != ""].sort_values("date", kind="stable")
    time = pandas.to_datetime(dated["date"], format=DATE)
    boot = dated.groupby(["machine", "revision", "boot"], sort=False).ngroup()
    count = (time.groupby(boot).diff() > PAUSE).groupby(boot).cumsum()
    first = time.groupby([boot, count]).transform("min")
    return first.dt.strftime("%Y-%m-%d %H:%M").reindex(rows.index, fill_value="")


def configuration_columns() -> list[str]:
    """What tells one configuration from another."""
    return [name for name in labs_columns().configuration if name != "devices"]


def read_folder(folder: Path) -> DataFrame:
    """All rows of the folder's CSV files; those of other verbs and folders inside it are not read."""
    if not folder.is_dir():
        raise ReportError(f"no folder {folder}: run `make bench` first")
    files = [
        DataFrame([fields for _, fields in lines]).assign(
            where=[where for where, _ in lines], sweep=path.stem.endswith("_sweep")
        )
        for path in timing_files(folder)
        if (lines := read_timings(path))
    ]
    if not files:
        raise ReportError(f"no measurements in {folder}: run `make bench` first")
    rows = _with_times(_typed(pandas.concat(files, ignore_index=True)))
    group = rows.groupby(configuration_columns(), sort=False)
    return rows.assign(configuration=group.ngroup(), begun=_begun(rows)).copy()


def one_of(machines: Iterable[str], machine: str | None) -> str:
    """The machine that is chosen, or the only one; an error if there are several and none is chosen."""
    there = sorted(set(machines))
    if machine is None and len(there) > 1:
        raise ReportError(
            f"measurements of {len(there)} machines in one folder ({'; '.join(there)}): choose one, for make by "
            f'ARGS="--machine {shlex.quote(there[0])}"'
        )
    if machine not in (None, *there):
        raise ReportError(f"no measurements of machine {machine}: the folder holds {'; '.join(there)}")
    return machine or there[0]


def of_one_machine(rows: DataFrame, machine: str | None) -> DataFrame:
    """The rows of the machine that is chosen, or of the only one."""
    return rows[rows["machine"] == one_of(rows["machine"], machine)]


def alike(rows: DataFrame, others: DataFrame, columns: Sequence[str]) -> DataFrame:
    """The rows that agree with one of the others in these columns."""
    keys, wanted = (pandas.MultiIndex.from_frame(some[list(columns)]) for some in (rows, others))
    return rows[keys.isin(wanted)]


def _one_each(rows: DataFrame) -> DataFrame:
    """The row of each configuration with the most complete protocol (in rounds before in one go, then by iterations), of these the
    newest, so that a short trial never replaces a long run. A noisy one gives way to a quiet one of the same protocol, revision
    and day. But if the newest says that the variant fails or does not support the job, that counts."""

    def last(some: DataFrame, *columns: str) -> DataFrame:
        return some.sort_values([*columns, "date"], kind="stable").groupby("configuration").tail(1)

    newest = last(rows)
    refused = newest.loc[newest["status"].isin(["failed", "unsupported"]), "configuration"]
    timed = rows[rows["timed"] & ~rows["configuration"].isin(refused)]
    run = ["configuration", "in_rounds", "iterations", "revision", "day"]
    best = last(alike(timed, last(timed, "in_rounds", "iterations"), run), "quiet")
    return pandas.concat([best, newest[~newest["configuration"].isin(best["configuration"])]])


def select(rows: DataFrame, sweep: bool = False) -> DataFrame:
    """One row for each configuration, in the order of the files. sweep: of what was timed in the protocol and in a sweep, the
    protocol's (False) or the sweep's: on a CPU the same program may take another time minutes later."""
    told = rows[["configuration", "sweep", "timed", "status", "in_rounds", "iterations", "revision", "date"]]
    told = told.assign(day=told["date"].str[:10], quiet=~rows["is_noisy"])
    every, own = _one_each(told), told[told["sweep"] == sweep]
    times = every.loc[every["timed"], "configuration"]
    own = own[own["configuration"].isin(own.loc[own["timed"], "configuration"]) & own["configuration"].isin(times)]
    other = every[~every["configuration"].isin(own["configuration"])]
    return rows.loc[sorted([*other.index, *_one_each(own).index])]


def distinct(rows: DataFrame, column: str) -> list[Any]:
    """The different values of a column, in the order of appearance; none for nothing."""
    return [value for value in rows[column].unique() if value]


def sizes(rows: DataFrame) -> list[tuple[int, str]]:
    """The different sizes as (pixels, name), smallest first."""
    return sorted(set(zip(rows["pixels"], rows["size"])))
