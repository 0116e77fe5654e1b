# SPDX-License-Identifier: MIT
"""Which rows of a sweep count, what speed-ups are over, and what captions say; tests/tools/test_plots.py has the rest."""

from typing import List

import pandas
import pytest
from fabricate import Fields, measured, row

from study.figures.series import describe
from study.measurements.results import one_time_each, sessions
from study.reports.conclusions import of_rows
from study.reports.rules import along
from tools.plots.files import ReportError


def v(ms: float, size: str = "480p", **changes: str) -> Fields:
    return row("a", "v", size, ms, **changes)


def w(ms: float, **changes: str) -> Fields:
    return row("a", "w", "480p", ms, **changes)


def blocks(threads: str, ms: float, **changes: str) -> Fields:
    return row("02_pthread", "blocks", "1080p", ms, threads=threads, **changes)


def ms(rows: pandas.DataFrame) -> List[float]:
    return list(rows["ms"])


def test_a_sweep_is_shown_by_its_own_rows() -> None:
    """At 16 threads stood the protocol's row, which has more iterations and is of another time of the day."""
    swept = [blocks(threads, time, iterations="64") for threads, time in (("12", 17), ("14", 15), ("16", 14))]
    results = measured(blocks("16", 20), sweep=swept)
    assert ms(results.where(lab="02_pthread", variant="blocks")) == [17, 15, 14]
    assert [ms(results.rows), ms(results.bench), ms(results.where(threads="16"))] == [[20, 17, 15], [20], [20]]
    points = along(of_rows(results, "threads", "lab=02_pthread variant=blocks"), {}, "threads")
    assert list(points["value"]) == [17, 15, 14]
    one_time_each(pandas.concat([results.bench, results.where(lab="02_pthread")]))
    other = blocks("16", 20, status="unsupported", date="2026-01-03T00:00:00Z")
    found = measured(other, sweep=swept).where(lab="02_pthread")
    assert list(found["status"]) == ["unsupported", "ok", "ok"]
    results = measured(blocks("16", 20), sweep=[*swept[:2], blocks("16", 9, status="skipped")])
    assert ms(results.where(lab="02_pthread")) == [20, 17, 15]


def test_speed_ups() -> None:
    """Over the same job; in a sweep over the baseline of lab 01's sweep."""

    def rows(size: str = "480p", **changes: str) -> Fields:
        return row("02_pthread", "rows", size, 3, threads="4", **changes)

    base = [row("01_sequential", variant, "480p", time) for variant, time in (("nested", 12), ("flat", 6))]
    failed = row("02_pthread", "grid", "480p", 0, threads="4", status="failed")
    results = measured(*base, rows(), rows("720p"), rows(ksize="3"), rows(border="wrap"), failed)
    found = results.where(lab="02_pthread")
    assert [list(results.speed_up(found, name).fillna(0)) for name in ("nested", "flat")] == [
        [4, 0, 0, 0, 0],
        [2, 0, 0, 0, 0],
    ]
    nested = [row("01_sequential", "nested", "480p", time) for time in (8, 6)]
    results = measured(nested[0], v(1), sweep=[nested[1], v(1, block="8")])
    assert list(results.speed_up(results.where(lab="a"))) == [8, 6]


def test_two_times_for_one_configuration_are_an_error() -> None:
    rows = measured(v(1, threads="4"), v(2, threads="4"), v(3, "720p", threads="4")).every
    one_time_each(pandas.concat([rows[1:], rows[1:]]))
    words = "two times for one configuration: a v at 480p, K 5, threads 4.*: 1 ms .* and 2 ms"
    with pytest.raises(ReportError, match=words):
        one_time_each(rows)


BOOT = {"boot": "5b3a0e0d"}


@pytest.mark.parametrize(
    "count, rows",
    [
        (2, [v(1), w(1, revision="r2", date="2026-01-03T03:04:05Z")]),
        (2, [v(1), w(1, revision="r2", date="2026-01-02T03:30:00Z")]),
        (2, [v(1, **BOOT), v(1, "720p", boot="77aa0102", date="2026-01-02T03:20:00Z")]),
        (2, [v(1, **BOOT), v(1, "720p", boot="77aa0102")]),
        (1, [v(1, **BOOT), v(1, "720p", **BOOT)]),
        (2, [v(1, threads=str(hour), date=f"2026-01-02T{hour}:50:00Z") for hour in (10, 11, 13)]),  # an hour's pause
    ],
)
def test_a_caption_counts_the_sessions(count: int, rows: List[Fields]) -> None:
    """Two hours of one day, and two machines of one name, were once one session."""
    found = measured(*rows).every
    assert len(sessions(found)) == count
    assert ("; 2 sessions" in describe(found)) == (count == 2)


def test_a_caption_counts_the_sessions_of_the_baseline() -> None:
    """Speed-ups were once over rows of a session that no caption named."""
    nested = row("01_sequential", "nested", "480p", 9, iterations="20", date="2026-01-02T09:00:00Z")
    flat = row("01_sequential", "flat", "480p", 8, iterations="20")
    results = measured(row("02_pthread", "rows", "480p", 1, threads="4"), nested, flat)
    rows = results.rows
    assert list(results.baseline(rows[:1], "flat")["ms"]) == [8]
    words = describe(rows[:1], bases=results.baseline(rows[:1], "nested"))
    assert "median of 100 iterations, bars: 5th to 95th percentile; `nested`: 20; 2 sessions." in words
    assert "`nested`" not in describe(rows, bases=results.baseline(rows, "nested"))
