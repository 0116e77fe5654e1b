# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Rows grouped into jobs and series, and the words that name them."""

from typing import Dict, List, Sequence, Tuple

from ..measurements.rows import Row
from ..measurements.selection import distinct, key, sessions
from .content import COLOURS, NOISY, Point, joined, short_name
from .shapes import grouped

# A figure shows one job.
JOB_COLUMNS = ("image", "channels", "filters", "passes", "filter", "ksize", "border")
FEW = 5  # iterations: no interval of the median
# What tells two series of one variant apart, and how it is written.
SERIES = {
    "threads": "{} threads",
    "ranks": "{} ranks",
    "block": "block {}",
    "streams": "{} streams",
    "bands": "{} bands",
    "in_flight": "{} in flight",
    "frames": "{} frames",
    "block_threads": "{} threads per block",
    "kernel": "kernel {}",
    "halo_passes": "halos every {} passes",
    "type": "{}",
    "border": "{}",
    "cold": "cold cache",
    "backend": "{}",
    "device": "{}",
}


def jobs(rows: Sequence[Row]) -> List[List[Row]]:
    """The rows by job, the job with the most rows first."""
    return sorted(grouped(rows, lambda row: key(row, JOB_COLUMNS)).values(), key=lambda group: -len(group))


def main_job(rows: Sequence[Row]) -> List[Row]:
    """The rows of the job with the most rows, for figures of one job."""
    return next(iter(jobs(rows)), [])


def _setting(name: str, value: str) -> str:
    """ "4 ranks", "1 thread"."""
    words = SERIES[name].format(value)
    return words[:-1] if value == "1" and name in ("threads", "ranks", "streams", "bands") else words


def on_gpus(row: Row) -> str:
    """ "on 2 GPUs"."""
    return f"on {row.devices} GPU" + "s" * (row.devices != "1")


def series(rows: Sequence[Row]) -> List[Tuple[str, List[Row]]]:
    """The rows by variant, threads and what else differs: (label, rows by ascending size)."""
    found: Dict[str, List[Row]] = {}
    differing = {
        variant: [
            name
            for name in SERIES
            if name == "threads" or len({row.text[name] for row in rows if row.variant == variant}) > 1
        ]
        for variant in distinct(rows, "variant")
    }
    several = {row.variant for row in rows if row.variant == "multi_gpu" or row.devices not in ("", "1")}
    for row in rows:
        words = [_setting(name, row.text[name]) for name in differing[row.variant] if row.text[name] not in ("", "0")]
        if row.variant in several and row.devices:
            words.append(on_gpus(row))
        found.setdefault(" ".join([row.variant] + [", ".join(words)] * bool(words)), []).append(row)
    return [(label, sorted(same, key=lambda row: row.pixels)) for label, same in found.items()]


def variant_of(rows: Sequence[Row]) -> str:
    """ "03_cuda_global naive", where all rows are of one variant: whose colour a line of them has."""
    found = {f"{row.lab} {row.variant}" for row in rows}
    return found.pop() if len(found) == 1 else ""


def point(x: float, row: Row) -> Point:
    """A point of a `Line`: median time in ms, 5th to 95th percentile."""
    return x, row.ms, row.bars, row.is_noisy


def describe_job(rows: Sequence[Row]) -> str:
    """ "5x5 Gaussian, RGB"; "K 3 to 9" where K differs; borders other than replicate, images other than the scene, and sample
    types other than uint8, of which variants where they differ."""
    row = rows[0]
    sides = sorted({found.integer("ksize") or 0 for found in rows})
    side = f"{sides[0]}x{sides[0]}" if len(sides) == 1 else f"K {sides[0]} to {sides[-1]},"
    types = sorted({found.type for found in rows} - {"uint8", ""})
    odd = types
    if len({found.type for found in rows}) > 1:
        odd = [
            f"{name} samples in {joined(sorted({found.variant for found in rows if found.type == name}))}, uint8 in the others"
            for name in types
        ]
    borders, images = distinct(rows, "border"), distinct(rows, "image")
    counts = sorted({found.integer("filters") for found in rows} - {None})
    chain = (
        f"{counts[0]} to {counts[-1]} filters"
        if len(counts) > 1
        else (f"{row.filters} filter" + "s" * (row.filters != "1"))
    )
    name = row.filter.replace("gaussian", "Gaussian")
    words = [
        f"chain of {chain}" if row.filters else "",
        f"{side} {name}" if row.ksize else name,
        f"border{'s' * (len(borders) > 1)} {joined(borders)}" * (borders not in ([], ["replicate"])),
        joined(COLOURS.get(depth, f"{depth} channels") for depth in sorted(distinct(rows, "channels"))),
        *odd,
        f"image{'s' * (len(images) > 1)} {joined(images)}" * (images not in ([], ["scene"])),
    ]
    return ", ".join(word for word in words if word)


def processor(row: Row) -> str:
    """ "H200", "Xeon, 16 cores"."""
    cores = row.text.get("cores", "") if row.backend == "cpu" else ""
    return short_name(row.device) + (f", {cores} core" + "s" * (cores != "1") if cores else "")


def describe_hardware(rows: Sequence[Row]) -> str:
    """The processors of timed rows: "H200 and Xeon, 16 cores"."""
    return (
        joined(dict.fromkeys(map(processor, sorted(rows, key=lambda row: row.backend == "cpu")))) or "device not named"
    )


def _iterations(rows: Sequence[Row], noisy_words: str, unit: str = "", bars: bool = False) -> str:
    """ "100 iterations, bars: 5th to 95th percentile", and a word on noisy rows."""
    counts = sorted({row.integer("iterations") or 0 for row in rows})
    many = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    text = f"{many}{unit}" + ", bars: 5th to 95th percentile" * bars
    if 0 < counts[-1] <= FEW:
        text += ", too few to call a time noisy"
    noisy = sum(row.is_noisy for row in rows)
    return text + (f"; {noisy_words} ({noisy} of {len(rows)} times)" if noisy else "")


def describe_runs(rows: Sequence[Row], bars: bool, noisy_mark: str, bases: Sequence[Row] = ()) -> str:
    """How rows were measured, and in how many sessions where there are several. bases: the rows that speed-ups are
    over; those that are not among `rows` are described beside them."""
    others = [base for base in bases if all(base is not row for row in rows)]
    text = "median of " + _iterations(rows, f"{noisy_mark}: noisy", " iterations", bars)
    if others:
        text += f"; {joined([f'`{name}`' for name in distinct(others, 'variant')])}: {_iterations(others, 'noisy')}"
    return text + describe_sessions([*rows, *others])


def runs(rows: Sequence[Row]) -> str:
    """How the rows of a table were measured, as a sentence."""
    return f"{describe_runs(rows, bars=False, noisy_mark=NOISY)}.".capitalize()


def ours(rows: Sequence[Row], bases: Sequence[Row] = ()) -> str:
    """How our rows of a table were measured, where it shows others too: "Variants: median of ..."."""
    return f"Variants: {describe_runs(rows, bars=False, noisy_mark=NOISY, bases=bases)}."


def describe_sessions(rows: Sequence[Row]) -> str:
    """ "; 2 sessions", which results/reference/README.md names; nothing for one."""
    count = len(sessions(rows))
    return f"; {count} sessions" * (count > 1)


def describe(
    rows: Sequence[Row], more: str = "", bars: bool = True, noisy_mark: str = "hollow", bases: Sequence[Row] = ()
) -> str:
    """The caption of a figure or table of timed rows: job, protocol, and `more`.

    bars: whether it has error bars; noisy_mark: how it shows noisy rows; bases: the rows that its
    speed-ups are over.
    """
    return f"{describe_job(rows)}; {describe_runs(rows, bars, noisy_mark, bases)}." + (f" {more}" if more else "")


def described(rows: Sequence[Row], more: str = "", bases: Sequence[Row] = ()) -> str:
    """The caption of a heat map or table of timed rows, without error bars."""
    return describe(rows, more, bars=False, noisy_mark=NOISY, bases=bases)
