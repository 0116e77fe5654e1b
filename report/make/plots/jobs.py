# SPDX-License-Identifier: MIT
"""Which rows may stand in one table and be joined to one curve, and what they are compared with."""

from collections import Counter
from typing import Any

import pandas
from pandas import DataFrame

from .columns import labs_columns
from .results import EMULATED, alike, distinct, select, sizes
from .words import COLOURS, joined, plural, short

BASELINE = ("01_sequential", "nested")
# One work, whatever the size; all other keys than WHAT are settings.
JOB = "image channels type filter ksize border filters passes cold".split()
WHAT = [*"lab variant backend machine device width height gpus".split(), *JOB]
MOST_CURVES = 12
SIZE = ["pixels", "size"]


def job_words(row: Any) -> str:
    """ "5x5 gaussian, replicate, RGB"; the scene and bytes need no word."""
    side = f"{row.ksize}x{row.ksize} " if row.ksize else ""
    words = [
        side + row.filter,
        row.border,
        COLOURS.get(row.channels, f"{row.channels} channels"),
        row.type.replace("uint8", ""),
        row.image if row.image != "scene" else "",
        row.filters and plural(row.filters, "filter"),
        row.passes > 1 and f"{row.passes} passes",
        row.cold == "1" and "cold caches",
        row.with_copies and "with copies",
    ]
    return ", ".join(word.strip() for word in words if word and word.strip())


def hardware(rows: DataFrame) -> str:
    """ "H200 and Xeon, 16 CPUs"."""
    return joined(sorted(set(map(short, rows["machine"].where(rows["backend"] == "cpu", rows["device"])))))


def iterations_words(rows: DataFrame) -> str:
    """ "median of 100 iterations (58 at 8k)"; "median of 58 to 100 iterations" where those of one size differ."""
    counts = Counter(rows["iterations"])
    if len(rows[["pixels", "iterations"]].drop_duplicates()) > rows["pixels"].nunique():
        return f"median of {min(counts)} to {max(counts)} iterations"
    most = max(counts, key=lambda count: (counts[count], count), default=0)
    others = rows[rows["iterations"] != most].sort_values("pixels")
    words = dict.fromkeys(f"{row.iterations} at {row.size}" for row in others.itertuples())
    return f"median of {most} iterations" + (f" ({', '.join(words)})" if words else "")


def settings() -> list[str]:
    """The columns that say how a variant was called."""
    return [name for name in labs_columns().configuration if name not in WHAT]


def by_run(rows: DataFrame) -> DataFrame:
    """One row for each configuration of the protocol, and one for each of the sweeps: a sweep is a separate run."""
    return pandas.concat([select(rows[~rows["sweep"]]), select(rows[rows["sweep"]])])


def baselines(rows: DataFrame) -> DataFrame:
    """The rows that labs are compared with: of lab 01's `nested`."""
    nested = by_run(rows[(rows["lab"] == BASELINE[0]) & (rows["variant"] == BASELINE[1])])
    return nested[nested["timed"]]


class Lab:
    """The rows of a lab. `rows`: those of its table, with a `label` of variant and setting for each curve, by size. All are of one
    job, and those of one size have the same number of iterations; `base_ms`, `base_iterations`, `base_is_noisy` are of the row that
    they are compared with, and `speed_up` is over it. `rest`: what else was timed."""

    def __init__(self, name: str, rows: DataFrame, nested: DataFrame):
        self.name = name
        every = rows[rows["lab"] == name]
        rows = by_run(every)
        self.repeated = len(every) - len(rows)
        emulated = (rows["backend"] == EMULATED) & (rows["status"] == "ok")
        self.emulated = int(emulated.sum())
        self.untimed = rows[~rows["timed"] & ~emulated]
        timed = rows[rows["timed"]]
        self.rows = _with_labels(_one_count(_main_job(timed)))
        self.labels = list(self.rows["label"].unique())
        self.rest = timed[~timed.index.isin(self.rows.index)]
        self.sizes = sizes(self.rows)
        counts = self.rows.groupby(SIZE).size()
        # The largest of the sizes with a time of most variants.
        self.compared_at: tuple[int, str] = max(counts.index, key=lambda at: (counts[at], at), default=(0, ""))
        self.compared = self.rows[self.rows["pixels"] == self.compared_at[0]]
        self._compare(nested)

    def _compare(self, nested: DataFrame) -> None:
        """With lab 01's `nested` of the same job; where no row has it, with the first variant that has a time at `compared_at`."""
        keys = ["sweep", *JOB, "pixels"]
        base = alike(nested, self.rows, keys)
        self.baseline = " ".join(BASELINE)
        if base.empty and self.labels:
            self.baseline, keys = self.compared["label"].iloc[0], SIZE
            base = self.rows[self.rows["label"] == self.baseline]
        names = {name: f"base_{name}" for name in ("ms", "iterations", "is_noisy")}
        base = base.drop_duplicates(keys, keep="last")[[*keys, *names]].rename(columns=names)
        rows = self.rows.reset_index().merge(base, how="left", on=keys).set_index("index")
        self.rows = rows.assign(speed_up=rows["base_ms"] / rows["ms"])
        self.compared = self.rows[self.rows["pixels"] == self.compared_at[0]]

    @property
    def only_baseline(self) -> bool:
        """Whether the lab has nothing to compare with its baseline."""
        return self.labels == [self.baseline]

    @property
    def whole_baseline(self) -> str:
        """The baseline with its lab, for tables of several labs."""
        return self.baseline if self.baseline == " ".join(BASELINE) else f"{self.name} {self.baseline}"

    def caption(self) -> str:
        """The machine, the job, the settings that all rows have, the statistic."""
        shared = [
            f"{name.replace('_', ' ')} {values[0]}"
            for name, values in ((name, distinct(self.rows, name)) for name in settings())
            if len(values) == 1 and values[0] != 1
        ]
        job = job_words(next(self.rows.itertuples()))
        return ", ".join(filter(None, [hardware(self.rows), job, *shared, iterations_words(self.rows)]))


def _main_job(timed: DataFrame) -> DataFrame:
    """The rows of the job with the most, of the protocol where it has any."""
    protocol = timed[~timed["sweep"]]
    rows = timed if protocol.empty else protocol
    keys = [*JOB, "with_copies"]
    count = rows.groupby(keys)["ms"].transform("size")
    return alike(rows, rows[count == count.max()].head(1), keys)


def _one_count(rows: DataFrame) -> DataFrame:
    """The rows of each size with the number of iterations that most of them have, and the same protocol."""
    how = ["pixels", "in_rounds", "iterations"]
    counted = rows.assign(count=rows.groupby(how)["ms"].transform("size"))
    most = counted.sort_values(["count", "in_rounds", "iterations"]).groupby("pixels").tail(1)
    return alike(rows, most, how).sort_index()


def _setting(name: str, value: Any) -> str:
    return f"{name.replace('_', ' ')} {value}" if value and (name, value) != ("devices", 1) else ""


def _with_labels(rows: DataFrame) -> DataFrame:
    """The rows with a label of the variant and of the settings in which rows differ; where these are many, of each variant the
    setting that is fastest at the largest size."""
    several = rows.groupby("variant")
    differ = [name for name in ("backend", "device", "pinning", *settings()) if len(distinct(rows, name)) > 1]
    labels = rows["variant"].copy()
    for name in differ:
        told = several[name].transform("nunique") > 1 if name not in settings() else True
        words = rows[name].map(lambda value: _setting(name, value))  # noqa: B023
        labels += (", " + words).where((words != "") & told, "")
    rows = rows.assign(label=labels, place=pandas.factorize(labels)[0]).sort_values(["place", "pixels"], kind="stable")
    if rows["place"].nunique() > MOST_CURVES:
        last = rows.groupby("place").tail(1).sort_values("pixels", kind="stable", ascending=False)
        best = last[last["pixels"] == last.groupby("variant")["pixels"].transform("max")]
        best = best.sort_values(["ms", "place"]).groupby("variant").head(1)
        rows = rows[rows["place"].isin(best["place"])]
    return rows
