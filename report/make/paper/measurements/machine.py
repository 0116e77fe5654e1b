# SPDX-License-Identifier: MIT
"""What was measured on one machine: its rows, as plots/results.py reads them, with their sessions, copies and baselines."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas
from pandas import DataFrame, Series

from report.make.plots import results
from report.make.plots.results import alike, select

from .selectors import matching

OTHER_RUN = "other_run"  # a folder in that of a machine: the same configurations, measured again
# The baseline of every speed-up: ariano2023, sections 3.3 and 3.6. The report compares its pthread
# programs with the first (5.1) and its CUDA kernels with the second (5.2); here both are shown.
BASELINE_LAB = "01_sequential"
BASELINES = ("nested", "flat")

# Rows that agree in these columns did the same work and may be compared, whatever the variant.
JOB = "machine image width height channels type filter ksize border filters passes".split()
SESSION = ["begun", "revision", "boot"]


@lru_cache(maxsize=None)
def _read(folder: Path, *state: Any) -> DataFrame:
    return results.read_folder(folder)


def read_folder(folder: Path) -> DataFrame:
    """All rows of the folder's CSV files; of a folder that has not changed, those that were read before."""
    return _read(
        folder, *((path, path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(folder.glob("*.csv")))
    )


def sessions(rows: DataFrame) -> list[tuple[str, str, str]]:
    """The different (begin of the session, revision, boot) of timed rows, in the order of time."""
    timed = rows[rows["timed"]].drop_duplicates(SESSION)
    return sorted(set(zip(timed["begun"], timed["revision"].str[:7], timed["boot"])))


def starts(rows: DataFrame) -> str:
    """How many starts of machines the rows are of, in words; nothing for one. Rows of before 25 November do not name theirs.
    Another start may be another machine."""
    boots = rows.loc[rows["timed"], ["machine", "boot"]].drop_duplicates()
    recorded = ~boots["boot"].isin(["", "not shown"])
    if recorded.all():
        return f"{len(boots)} starts" if len(boots) > 1 else ""
    if recorded.any():
        return f"at least {recorded.sum() + 1} starts"
    return "starts not recorded" if len(sessions(rows)) > 1 else ""


class Results:
    """What was measured on one machine: `rows`, one for each configuration, and of these `bench`, the
    configurations of the protocol. What is compared along a setting is asked for by `of_one_run` or `where`."""

    def __init__(self, rows: DataFrame, machine_code: DataFrame | None = None):
        self.machine_code = machine_code  # counts of `make sass`
        self.every = rows.assign(order=rows.index)  # also those of repeated measurements
        self.rows, self.swept = select(self.every), select(self.every, sweep=True)
        self.left_out = len(rows) - len(self.rows)
        protocol = rows.loc[~rows["sweep"], "configuration"]
        self.bench = self.rows[self.rows["configuration"].isin(protocol)]
        self.machine = rows["machine"].iloc[0]
        self.both = pandas.concat([self.rows.assign(run=False), self.swept.assign(run=True)])  # run: of the sweeps
        bases = self.both[self.both["timed"] & (self.both["lab"] == BASELINE_LAB)]
        self._bases = bases.drop_duplicates(["run", "variant", *JOB])

    def where(self, **fields: str) -> DataFrame:
        """Rows with these fields (`lab="02_pthread", variant="rows"`)."""
        return self.of_one_run(matching(self.every, fields))

    def of_one_run(self, wanted: Series) -> DataFrame:
        """Those of `every` that are wanted, of the run that timed most of them: the protocol or the sweeps."""
        timed = self.every[wanted & self.every["timed"]].drop_duplicates(["configuration", "sweep"])
        run = self.swept if 2 * timed["sweep"].sum() > len(timed) else self.rows
        return run[wanted.loc[run.index]]

    def together(self, wanted: Series) -> DataFrame:
        """All rows of the newest session that has a timed row that is wanted; none without one."""
        timed = self.every[self.every["timed"]]
        newest = timed[wanted.loc[timed.index]].sort_values(SESSION, kind="stable").tail(1)
        return select(alike(timed, newest, SESSION))

    def baseline(self, rows: DataFrame, variant: str) -> DataFrame:
        """For each of these rows the timed row of lab 01's `variant` that did the same job, by the row's index: for a row of a
        sweep that of lab 01's sweep, if it has one. Rows without one have none."""
        jobs = rows[["sweep", *JOB]].rename(columns={"sweep": "run"}).reset_index()
        bases = self._bases[self._bases["variant"] == variant]
        return jobs.merge(bases, on=["run", *JOB]).set_index("index")

    def speed_up(self, rows: DataFrame, variant: str = BASELINES[0]) -> Series:
        """Time of the baseline over time of each row; NaN if either has no time."""
        return (self.baseline(rows, variant)["ms"] / rows["ms"]).reindex(rows.index)

    def copies(self, device: str, cold: str = "0") -> list[float]:
        """GB/s of the copies of the sessions on a device, slowest first: what one session's copy may be, and the middle one for
        what joins sessions. Where some copied with more threads than others, of those with the most."""
        rows = self.rows[(self.rows["device"] == device) & (self.rows["cold"].replace("", "0") == cold)]
        rows = rows[rows["timed"] & ~rows["with_copies"] & rows["ceiling"].notna()].drop_duplicates(
            "session", keep="last"
        )
        threads = rows["copy_how"].str.extract(r"^(\d+) threads?", expand=False).fillna("0").astype(int)
        return sorted(rows.loc[threads == threads.max(), "ceiling"])
