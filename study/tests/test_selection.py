# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Which rows of a sweep count, what speed-ups are over, and what captions say; tests/tools/test_plots.py has the rest."""

import unittest
from typing import Any, List

from fabricate import Fields, measured, read, row

from study.figures.series import describe, describe_job, runs, series
from study.measurements.answers import of_rows
from study.measurements.points import along
from study.measurements.selection import of_how_many, of_one_machine, one_time_each, sessions
from tools.plots.files import ReportError


def v(ms: float, size: str = "480p", **changes: str) -> Fields:
    return row("a", "v", size, ms, **changes)


def w(ms: float, **changes: str) -> Fields:
    return row("a", "w", "480p", ms, **changes)


def blocks(threads: str, ms: float, **changes: str) -> Fields:
    return row("02_pthread", "blocks", "1080p", ms, threads=threads, **changes)


def ms(rows: Any) -> List[float]:
    return [one.ms for one in rows]


class Selection(unittest.TestCase):
    def test_machines_are_not_mixed(self) -> None:
        rows = read([v(1), v(2, machine="big")])
        with self.assertRaisesRegex(ReportError, r'big; toy.*for make by ARGS="--machine big"$'):
            of_one_machine(rows, None)
        self.assertEqual(ms(of_one_machine(rows, "big")), [2])
        with self.assertRaisesRegex(ReportError, "big; toy"):
            of_one_machine(rows, "third")

    def test_a_sweep_is_shown_by_rows_of_its_own(self) -> None:
        """At 16 threads stood the protocol's row, which has more iterations and is of another time of the day."""
        swept = [blocks(threads, time, iterations="64") for threads, time in (("12", 17), ("14", 15), ("16", 14))]
        results = measured(blocks("16", 20), sweep=swept)
        self.assertEqual(ms(results.where(lab="02_pthread", variant="blocks")), [17, 15, 14])
        self.assertEqual([ms(results.rows), ms(results.bench)], [[20, 17, 15], [20]])
        self.assertEqual(ms(results.where(threads="16")), [20])
        points = along(of_rows(results, "threads", "lab=02_pthread variant=blocks"), {}, "threads")
        self.assertEqual([point.value for point in points], [17, 15, 14])
        one_time_each([*results.bench, *results.where(lab="02_pthread")])
        refused = blocks("16", 20, status="unsupported", date="2026-01-03T00:00:00Z")
        found = measured(refused, sweep=swept).where(lab="02_pthread")
        self.assertEqual([one.status for one in found], ["unsupported", "ok", "ok"])
        results = measured(blocks("16", 20), sweep=[*swept[:2], blocks("16", 9, status="skipped")])
        self.assertEqual(ms(results.where(lab="02_pthread")), [20, 17, 15])

    def test_a_speed_up_of_a_sweep_is_over_the_baseline_of_lab_01s_sweep(self) -> None:
        nested = [row("01_sequential", "nested", "480p", time) for time in (8, 6)]
        results = measured(nested[0], v(1), sweep=[nested[1], v(1, block="8")])
        self.assertEqual([results.speed_up(found) for found in results.where(lab="a")], [8, 6])

    def test_speed_ups(self) -> None:
        def rows(**changes: str) -> Fields:
            size = changes.pop("size", "480p")
            return row("02_pthread", "rows", size, 3, threads="4", **changes)

        base = [row("01_sequential", variant, "480p", time) for variant, time in (("nested", 12), ("flat", 6))]
        failed = row("02_pthread", "grid", "480p", 0, threads="4", status="failed")
        results = measured(*base, rows(), rows(size="720p"), rows(ksize="3"), rows(border="wrap"), failed)
        found = [(results.speed_up(one), results.speed_up(one, "flat")) for one in results.where(lab="02_pthread")]
        self.assertEqual(found, [(4, 2)] + [(None, None)] * 4)

    def test_two_times_for_one_configuration_are_an_error(self) -> None:
        rows = read([v(1, threads="4"), v(2, threads="4"), v(3, "720p", threads="4")])
        one_time_each(rows[1:] + rows[1:])
        words = "two times for one configuration: a v at 480p, K 5, threads 4.*: 1 ms .* and 2 ms"
        with self.assertRaisesRegex(ReportError, words):
            one_time_each(rows)

    def test_sweeps_are_not_in_the_protocol(self) -> None:
        results = measured(v(1), sweep=[v(2, threads="2")])
        self.assertEqual((len(results.bench), len(results.rows)), (1, 2))

    def test_of_how_many(self) -> None:
        self.assertEqual(of_how_many({"rows": [8, 8], "blocks": [56, 0, 8]}), "Best of: rows 8, blocks 8 to 56.")


class Captions(unittest.TestCase):
    def test_a_caption_names_the_variants_of_another_pixel_type(self) -> None:
        """The first row's type was once given for all."""
        rows = read([v(1, type="int32"), w(1)])
        self.assertIn("int32 samples in v, uint8 in the others", describe_job(rows))
        self.assertIn("RGB, int32", describe_job(rows[:1]))
        self.assertNotIn("int32", describe_job(rows[1:]))

    def test_a_caption_says_that_few_iterations_mark_no_noise(self) -> None:
        rows = read([v(1, iterations=iterations) for iterations in ("5", "6")])
        few = "iterations, too few to call a time noisy"
        self.assertEqual([few in runs(found) for found in (rows[:1], rows[1:], rows)], [True, False, False])

    def test_several_sessions_are_named(self) -> None:
        self.assertIn("2 sessions", " ".join(measured(v(1, revision="r1"), w(1, revision="r2")).warnings()))

    def test_a_caption_counts_the_sessions(self) -> None:
        """Two hours of one day, and two machines of one name, were once one session."""
        boot = {"boot": "5b3a0e0d"}
        for count, rows in (
            (2, [v(1), w(1, revision="r2", date="2026-01-03T03:04:05Z")]),
            (2, [v(1), w(1, revision="r2", date="2026-01-02T03:30:00Z")]),
            (2, [v(1, **boot), v(1, "720p", boot="77aa0102", date="2026-01-02T03:20:00Z")]),
            (2, [v(1, **boot), v(1, "720p", boot="77aa0102")]),
            (1, [v(1, **boot), v(1, "720p", **boot)]),
        ):
            found = read(rows)
            self.assertEqual(len(sessions(found)), count)
            self.assertEqual("; 2 sessions" in describe(found), count == 2)

    def test_an_hour_without_a_row_ends_a_session(self) -> None:
        hours = ("03:04:05", "04:04:05", "04:50:00", "06:00:00")
        rows = read([v(1, threads=str(n), date=f"2026-01-02T{hour}Z") for n, hour in enumerate(hours)])
        self.assertEqual([found.session for found in rows], ["2026-01-02 03:04"] * 3 + ["2026-01-02 06:00"])
        self.assertNotIn("sessions", describe(rows[:3]))

    def test_a_caption_counts_the_sessions_of_the_baseline(self) -> None:
        """Speed-ups were once over rows of a session that no caption named."""
        nested = row("01_sequential", "nested", "480p", 9, iterations="20", date="2026-01-02T09:00:00Z")
        flat = row("01_sequential", "flat", "480p", 8, iterations="20")
        results = measured(row("02_pthread", "rows", "480p", 1, threads="4"), nested, flat)
        rows = results.rows
        self.assertEqual(results.baselines(rows[:1] * 2, "nested", "flat"), rows[1:])
        words = describe(rows[:1], bases=results.baselines(rows[:1], "nested"))
        self.assertIn("median of 100 iterations, bars: 5th to 95th percentile; `nested`: 20; 2 sessions.", words)
        self.assertNotIn("`nested`", describe(rows, bases=results.baselines(rows, "nested")))

    def test_series_are_named_by_what_differs(self) -> None:
        u = row("a", "u", "480p", 1)
        rows = read([v(1, threads="2"), v(1, threads="4"), w(1, threads="4"), u, {**u, "cold": "1"}])
        found = ", ".join(label for label, _ in series(rows))
        self.assertEqual(found, "v 2 threads, v 4 threads, w 4 threads, u, u cold cache")
