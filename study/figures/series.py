# SPDX-License-Identifier: MIT
"""Rows grouped into jobs, and the words that name them."""

from typing import List, Sequence

from tools.plots.rows import Row
from tools.plots.selection import distinct

from ..measurements.results import key, sessions
from .content import COLOURS, NOISY, Point, grouped, joined, plural

# A figure shows one job.
JOB_COLUMNS = ("image", "channels", "filters", "passes", "filter", "ksize", "border")
FEW = 5  # iterations: no interval of the median


def jobs(rows: Sequence[Row]) -> List[List[Row]]:
    """The rows by job, the job with the most rows first."""
    return sorted(grouped(rows, lambda row: key(row, JOB_COLUMNS)).values(), key=lambda group: -len(group))


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
    odd = types = sorted({found.type for found in rows} - {"uint8", ""})
    if len({found.type for found in rows}) > 1:
        odd = [
            f"{name} samples in {joined(sorted({found.variant for found in rows if found.type == name}))}, uint8 in the others"
            for name in types
        ]
    borders, images = distinct(rows, "border"), distinct(rows, "image")
    counts = sorted({found.integer("filters") for found in rows} - {None})
    chain = f"{counts[0]} to {counts[-1]} filters" if len(counts) > 1 else plural(int(row.filters or 0), "filter")
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
    count = len(sessions([*rows, *others]))  # those of each folder: results/reference/details.md
    return text + f"; {count} sessions" * (count > 1)


def runs(rows: Sequence[Row]) -> str:
    """How the rows of a table were measured, as a sentence."""
    return f"{describe_runs(rows, bars=False, noisy_mark=NOISY)}.".capitalize()


def ours(rows: Sequence[Row], bases: Sequence[Row] = ()) -> str:
    """How our rows of a table were measured, where it shows others too: "Variants: median of ..."."""
    return f"Variants: {describe_runs(rows, bars=False, noisy_mark=NOISY, bases=bases)}."


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
