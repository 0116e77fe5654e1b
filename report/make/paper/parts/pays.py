# SPDX-License-Identifier: MIT
"""When does a GPU pay off? All cores beside the GPU with its copies, in rounds on one host (copies/round_N); chains of filters."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas
from pandas import DataFrame

from report.make.plots import style
from report.make.plots.results import OF_CPU, sizes
from report.make.plots.tables import cell
from report.make.plots.words import DASH, NOISY, Figure, Table, joined, number, percent, plural, short

from ..content import describe, fastest_each
from ..measurements.machine import Results, read_folder

STREAMS = "06_async_streams"
CORES, ONE, MANY, PAGEABLE = "all cores", "GPU, streams", "GPU, frames", "GPU, pageable"
DRAWN = {CORES: "o", ONE: "s", MANY: "D"}  # and their markers
LEGEND = {CORES: CORES, ONE: "GPU, one picture in three streams", MANY: "GPU, many pictures that overlap"}
METHODS = {"simd_rows": CORES, "streams": ONE, "frames": MANY, "pageable": PAGEABLE}
COLUMNS = "round size cold method ms low high is_noisy".split()
WHERE = {"0": "in the caches", "1": "in memory"}  # the picture, by the column `cold`


def rounds(folder: Path) -> DataFrame:
    """The row of each method by round, size and place of the picture; of several settings, the fastest."""
    fastest, searched = [], {}
    for path in sorted(folder.glob("copies/round_*")):
        rows = read_folder(path)
        rows = rows[rows["timed"] & rows["variant"].isin(list(METHODS))]
        rows = rows.assign(round=path.name[-1], method=rows["variant"].map(METHODS), cold=rows["cold"].replace("", "0"))
        fastest.append(fastest_each(rows, ["size", "cold", "method"]))
        searched = {what: sorted(set(rows[what]) - {0}) for what in ("threads", "bands")}
    every = pandas.concat(fastest, ignore_index=True) if fastest else DataFrame(columns=COLUMNS, dtype=float)
    every.attrs = searched
    return every


def _searched(timed: DataFrame) -> bool:
    return any(len(values) > 1 for values in timed.attrs.values())


def _settings(timed: DataFrame) -> str:
    """ "16 threads, 8 bands", or among which the best were looked for."""
    words = [f"{joined(map(str, values))} {what}" for what, values in timed.attrs.items() if values]
    return f"best of {' and of '.join(words)}" if _searched(timed) else ", ".join(words)


def times_of(timed: DataFrame, method: str, size: str, cold: str) -> list[str]:
    """The times of all rounds, with the marks of the noisy ones."""
    rows = timed[(timed["method"] == method) & (timed["size"] == size) & (timed["cold"] == cold)]
    return [cell(row) for row in rows.itertuples()]


def range_of(timed: DataFrame, method: str, size: str, cold: str) -> str:
    """ "2.09 to 2.19†": the shortest and the longest of all rounds."""
    times = sorted(times_of(timed, method, size, cold), key=lambda text: float(text.rstrip(NOISY)))
    return " to ".join(dict.fromkeys((times[0], times[-1]))) if times else "(not measured)"


class Ahead(NamedTuple):
    """Who is faster in each round, by which factors, and in how many rounds by more than the margin."""

    who: str  # "CPU", "GPU", or "neither": not the same in all rounds
    least: float
    most: float
    decided: int
    rounds: int

    def __str__(self) -> str:
        ends = f"{number(self.least)} to {number(self.most)}"
        return "neither" if self.who == "neither" else f"{self.who} {ends} ({self.decided}/{self.rounds})"


def ahead(timed: DataFrame, size: str, cold: str, method: str = ONE) -> Ahead:
    """All cores against one method of the GPU. A round is decided if the intervals of both times are further apart than two runs of
    a program on a CPU differ."""
    rows = timed[(timed["size"] == size) & (timed["cold"] == cold)].set_index("round")
    cpu, gpu = (rows[rows["method"] == name] for name in (CORES, method))
    ratio = gpu["ms"] / cpu["ms"]
    who = "CPU" if (ratio > 1).all() else "GPU" if (ratio < 1).all() else "neither"
    who = "neither" if ratio.empty else who
    factors = ratio if who == "CPU" else 1 / ratio
    slow, fast = (gpu, cpu) if who == "CPU" else (cpu, gpu)
    decided = (slow["low"] / fast["high"] > 1 + OF_CPU).sum()
    return Ahead(who, factors.min(), factors.max(), int(decided), len(ratio))


def rounds_table(timed: DataFrame, name: str = "rounds") -> Table:
    """A line for each size and place of the picture, with the times of all rounds."""
    places = [(cold, size) for cold in WHERE for _, size in sizes(timed)]
    with_pageable = all(times_of(timed, PAGEABLE, size, cold) for cold, size in places) and not _searched(timed)
    methods = [CORES, *([PAGEABLE] if with_pageable else []), ONE, MANY]
    lines = []
    for cold, size in places:
        each = [", ".join(times_of(timed, method, size, cold)) or DASH for method in methods]
        ends = [str(ahead(timed, size, cold, method)) for method in (ONE, MANY)]
        lines.append([WHERE[cold], size, *each, *ends])
    shown = timed[timed["method"].isin(methods)]
    noisy = shown["is_noisy"].sum()
    marked = f"; {NOISY}: noisy ({noisy} of {len(shown)} times)" if noisy else ""
    gpu = short(timed.loc[timed["method"] == ONE, "device"].iloc[0])
    caption = (
        f"Time (ms) on all cores and on an {gpu} with its copies, from pinned memory where the column does not say pageable, in "
        f"{plural(timed['round'].nunique(), 'round')} on {plural(timed['boot'].nunique(), 'host')}: who is ahead, by which factors, and in "
        f"how many rounds the intervals are more than {percent(OF_CPU)} apart. 5x5 Gaussian, RGB; revision "
        f"{joined(sorted(set(timed['revision'].str[:7])))}; {_settings(timed)}{marked}."
    )
    head = ["picture", "size", *methods, f"ahead: {CORES} or streams", f"{CORES} or frames"]
    return Table(name, caption, head, lines, left=len(head))


def _draw(timed: DataFrame) -> Any:
    """A line for each size and place of the picture; the rounds as points beside each other."""
    places = [(cold, size) for cold in WHERE for _, size in sizes(timed)]
    figure, axes = style.canvas(0.9 + 0.3 * len(places))
    panel = axes[0, 0]
    panel.set_xscale("log")
    for index, (name, marker) in enumerate(DRAWN.items()):
        for row in timed[timed["method"] == name].itertuples():
            at = places.index((row.cold, row.size)) + 0.22 * (index - 1)
            panel.plot([row.ms], [at], **style.point_look(style.PALETTE[index], marker, row.is_noisy))
        panel.plot([], [], label=LEGEND[name], **style.point_look(style.PALETTE[index], marker, False))
    style.name_axis(panel, [f"{size}, {WHERE[cold]}" for cold, size in places])
    panel.axhline(len(places) / 2 - 0.5, color="0.6", linewidth=0.8)
    style.plain(panel.xaxis, more=True)
    panel.set_xlabel("time (ms)")
    panel.legend(loc="upper right")
    return style.finish(figure)


def _from_how_many(gains: DataFrame) -> str:
    """From how many filters on the GPU is faster, by more than two runs of a CPU differ."""
    won_from: dict[int, list[str]] = {}
    never = []
    for (_, size), rows in gains.groupby(["pixels", "size"]):
        lost = rows.loc[rows["least"] <= 1, "filters"].max()
        won = rows.loc[~(rows["filters"] <= lost), "filters"]
        if won.empty:
            never.append(size)
        else:
            won_from.setdefault(won.min(), []).append(size)
    words = joined(f"from {plural(count, 'filter')} on at {joined(at)}" for count, at in sorted(won_from.items()))
    return f"the GPU is faster by more than {percent(OF_CPU)} {words or 'with no number of filters'}" + (
        f"; at {joined(never)} it is not" if never else ""
    )


def _draw_chain(gains: DataFrame) -> Any:
    figure, axes = style.canvas(2.8)
    panel = axes[0, 0]
    panel.set_xscale("log", base=2)
    panel.set_yscale("log", base=2)
    for index, ((_, size), rows) in enumerate(gains.groupby(["pixels", "size"])):
        colour, marker = style.PALETTE[index], "os^Dv"[index % 5]
        panel.plot(rows["filters"], rows["gain"], marker=marker, color=colour, label=size)
        noisy = rows[rows["is_noisy"] | rows["is_noisy_cpu"]]
        panel.plot(noisy["filters"], noisy["gain"], **style.point_look(colour, marker, True))
    panel.axhline(1, color="0.45", linewidth=1, linestyle="--")
    counts = sorted(gains["filters"].unique())
    panel.set_xticks(counts, list(map(str, counts)))
    panel.annotate("equal", (counts[-1], 1), (0, -3), textcoords="offset points", ha="right", va="top", color="0.3")
    panel.set(xlabel="filters, one after the other", ylabel="GPU is faster\nby a factor of")
    panel.minorticks_off()
    style.plain(panel.yaxis)
    panel.legend()
    return style.finish(figure)


def chains(results: Results) -> list[Any]:
    """A sentence, from how many filters on the GPU is faster; then a figure by the number of filters, of the sizes that have
    several numbers."""
    rows = results.where(lab=STREAMS, filters="!")
    at = ["pixels", "size", "filters"]
    rows = fastest_each(rows[rows["timed"]], ["variant", *at])
    gpu, cpu = (rows[rows["variant"] == name] for name in ("chain", "chain_cpu"))
    gains = gpu.merge(cpu, on=at, suffixes=("", "_cpu")).sort_values(at)
    # Time of all cores over the GPU's. Another run would give another time: `least` allows for it.
    gains["gain"] = gains["ms_cpu"] / gains["ms"]
    gains["least"] = gains["low_cpu"] / gains["high"] / (1 + OF_CPU)
    gains = gains[gains.groupby("size")["filters"].transform("size") > 1]
    if gains.empty:
        return ["Not measured: a chain of filters on the GPU and on all cores (lab 06, `chain` and `chain_cpu`)."]
    drawn = rows.loc[[*gains["order"], *gains["order_cpu"]]]
    caption = (
        "Time of a chain of filters on all cores over its time on the GPU with its copies; hollow: one of the two times is noisy. "
        f"Warm caches, {describe(drawn)}"
    )
    return [_from_how_many(gains), Figure("chain", caption, partial(_draw_chain, gains))]


def when_it_pays(results: Results, timed: DataFrame, others: Sequence[DataFrame] = ()) -> list[Any]:
    """The rounds as a figure and a table; those of other machines as tables; then the chains of filters."""
    more = [rounds_table(rows, "rounds_elsewhere") for rows in others if len(rows)]
    if timed.empty:
        return ["Not measured: all cores beside the GPU with its copies, in rounds.", *chains(results)[1:]]
    caption = (
        "Time of one filter on all cores and on the H200 with its copies; a point is a round, a hollow one is noisy."
    )
    return [Figure("pays", caption, partial(_draw, timed)), rounds_table(timed), *more, *chains(results)[1:]]
