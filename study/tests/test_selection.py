# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Which rows count, how they compare and how values are written."""

import importlib.util
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Dict, List, Optional

from fabricate import row, write

from study.figures.content import Table, number, percent, spread, times, to_markdown
from study.figures.series import describe, describe_job, runs, series
from study.measurements.answers import of_rows
from study.measurements.csv_file import ReportError
from study.measurements.points import along
from study.measurements.rows import Row, read_folder
from study.measurements.selection import Results, of_how_many, of_one_machine, one_time_each, select, sessions
from study.parts.labs import ladder, overview, overview_notes
from study.parts.machines import measured


def read(rows: List[Dict[str, str]], sweep: Optional[List[Dict[str, str]]] = None) -> List[Row]:
    """The rows, written to a file and read again."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "x.csv", rows)
        if sweep:
            write(Path(folder) / "x_sweep.csv", sweep)
        return read_folder(Path(folder))


class Selection(unittest.TestCase):
    def test_machines_are_not_mixed(self) -> None:
        rows = read([row("a", "v", "480p", 1), row("a", "v", "480p", 2, machine="big")])
        with self.assertRaisesRegex(ReportError, r'big; toy.*for make by ARGS="--machine big"$'):
            of_one_machine(rows, None)
        self.assertEqual([found.ms for found in of_one_machine(rows, "big")], [2])
        with self.assertRaisesRegex(ReportError, "big; toy"):
            of_one_machine(rows, "third")

    def test_a_caption_names_the_variants_of_another_pixel_type(self) -> None:
        """The first row's type was once given for all."""
        rows = read([row("a", "v", "480p", 1, type="int32"), row("a", "w", "480p", 1)])
        self.assertIn("int32 samples in v, uint8 in the others", describe_job(rows))
        self.assertIn("RGB, int32", describe_job(rows[:1]))
        self.assertNotIn("int32", describe_job(rows[1:]))

    def test_a_caption_says_that_few_iterations_mark_no_noise(self) -> None:
        rows = read([row("a", "v", "480p", 1, iterations=iterations) for iterations in ("5", "6")])
        few = "iterations, too few to call a row noisy"
        self.assertEqual([few in runs(found) for found in (rows[:1], rows[1:], rows)], [True, False, False])

    def test_variants_stand_in_reading_order(self) -> None:
        """They stood in that of the file, which is the alphabet's."""
        rows = read([row("01_sequential", name, "480p", 1) for name in ("aos", "flat", "mine", "nested")])
        table = overview(Results(rows), "01_sequential")
        assert table is not None
        self.assertEqual([line[0] for line in table.rows], ["nested", "flat", "aos", "mine"])

    def test_the_notes_below_a_table_are_of_that_table(self) -> None:
        rows = [
            row("01_sequential", "nested", "480p", 9),
            row("01_sequential", "bounds", "480p", 9, type="int32"),
            row("08_heat_map", "cpu", "480p", 9, image="moving", filter="", ksize="", border=""),
        ]
        results = Results(read(rows))
        table = overview(results, "01_sequential")
        assert table is not None
        notes = " ".join(overview_notes(results, table, "01_sequential"))
        self.assertIn("`bounds` has int32 samples, of 4 bytes", notes)
        self.assertIn("of the fastest copy of an 8K picture in the same session.", notes)
        self.assertNotIn("Above 100 %", notes)
        both = replace(table, rows=[["01_sequential", *table.rows[0]], ["08_heat_map", "cpu", *table.rows[0][1:]]])
        self.assertNotIn("int32", " ".join(overview_notes(results, both)))
        self.assertIn("Also measured", " ".join(overview_notes(results, both)))

    def test_the_later_of_two_equal_keys_counts(self) -> None:
        self.assertEqual(
            [found.ms for found in select(read([row("a", "v", "480p", 1), row("a", "v", "480p", 2)]))], [2]
        )

    def test_of_rows_as_complete_the_newest_counts(self) -> None:
        rows = read(
            [
                row("a", "v", "480p", 1, build="new", date="2026-02-01T00:00:00Z"),
                row("a", "v", "480p", 2, build="old", date="2026-01-01T00:00:00Z"),
            ]
        )
        self.assertEqual([found.ms for found in select(rows)], [1])
        self.assertIn(
            "2 sessions",
            " ".join(
                Results(
                    read([row("a", "v", "480p", 1, revision="r1"), row("a", "w", "480p", 1, revision="r2")])
                ).warnings()
            ),
        )

    def test_a_quiet_row_of_the_same_day_counts_before_a_noisy_one(self) -> None:
        quiet = row("a", "v", "480p", 1, date="2026-01-02T03:04:05Z")
        for later, ms in (({}, 1), ({"revision": "r2"}, 2), ({"date": "2026-01-03T00:00:00Z"}, 2)):
            noisy = row("a", "v", "480p", 2, noisy="1", **{"date": "2026-01-02T03:04:06Z", **later})
            self.assertEqual([found.ms for found in select(read([quiet, noisy]))], [ms])

    def test_compilers_that_differ_are_named(self) -> None:
        results = Results(read([row("a", "v", "480p", 1), row("a", "w", "480p", 1, compiler="clang")]))
        self.assertIn("g++ 12.2.0; clang", " ".join(results.warnings()))

    def test_a_short_trial_never_replaces_a_long_run(self) -> None:
        long_run = row("a", "v", "480p", 1)
        trial = row("a", "v", "480p", 2, iterations="10", date="2026-03-01T00:00:00Z")
        self.assertEqual([found.ms for found in select(read([long_run, trial]))], [1])
        trial["build"] = "changed"
        self.assertEqual([found.ms for found in select(read([long_run], [trial]))], [1])

    def test_a_sweep_is_shown_by_rows_of_its_own(self) -> None:
        """At 16 threads stood the protocol's row, which has more iterations and is of another time of the day."""

        def one(threads: str, ms: float, **changes: str) -> Dict[str, str]:
            return row("02_pthread", "blocks", "1080p", ms, threads=threads, **changes)

        swept = [one(threads, ms, iterations="64") for threads, ms in (("12", 17), ("14", 15), ("16", 14))]
        results = Results(read([one("16", 20)], swept))
        self.assertEqual([found.ms for found in results.where(lab="02_pthread", variant="blocks")], [17, 15, 14])
        self.assertEqual([[found.ms for found in rows] for rows in (results.rows, results.bench)], [[20, 17, 15], [20]])
        self.assertEqual([found.ms for found in results.where(threads="16")], [20])
        points = along(of_rows(results, "threads", "lab=02_pthread variant=blocks"), {}, "threads")
        self.assertEqual([point.value for point in points], [17, 15, 14])
        one_time_each([*results.bench, *results.where(lab="02_pthread")])
        refused = one("16", 20, status="unsupported", date="2026-01-03T00:00:00Z")
        results = Results(read([refused], swept))
        self.assertEqual([found.status for found in results.where(lab="02_pthread")], ["unsupported", "ok", "ok"])
        results = Results(read([one("16", 20)], [*swept[:2], one("16", 9, status="skipped")]))
        self.assertEqual([found.ms for found in results.where(lab="02_pthread")], [20, 17, 15])

    def test_a_speed_up_of_a_sweep_is_over_the_baseline_of_lab_01s_sweep(self) -> None:
        nested = [row("01_sequential", "nested", "480p", ms) for ms in (8, 6)]
        results = Results(
            [*read([nested[0], row("a", "v", "480p", 1)], [nested[1], row("a", "v", "480p", 1, block="8")])]
        )
        self.assertEqual([results.speed_up(found) for found in results.where(lab="a")], [8, 6])

    def test_one_configuration_written_in_two_ways(self) -> None:
        """A size without its name is the size of its width and height."""
        first = row("a", "v", "480p", 1, block="16")
        second = row("a", "v", "480p", 2, block="16", size="", iterations="50")
        self.assertEqual([found.ms for found in select(read([first, second]))], [1])

    def test_two_times_for_one_configuration_are_an_error(self) -> None:
        rows = read(
            [
                row("a", "v", "480p", 1, threads="4"),
                row("a", "v", "480p", 2, threads="4"),
                row("a", "v", "720p", 3, threads="4"),
            ]
        )
        one_time_each(rows[1:] + rows[1:])
        with self.assertRaisesRegex(
            ReportError, "two times for one configuration: a v at 480p, K 5, threads 4.*: 1 ms .* and 2 ms"
        ):
            one_time_each(rows)

    def test_a_caption_counts_the_sessions(self) -> None:
        rows = read(
            [
                row("a", "v", "480p", 1),
                row("a", "w", "480p", 1, revision="r2", iterations="5", date="2026-01-03T03:04:05Z"),
            ]
        )
        self.assertEqual(len(sessions(rows)), 2)
        self.assertIn("; 2 sessions.", describe(rows))
        self.assertNotIn("sessions", describe(rows[:1]))

    def test_two_hours_of_one_day_are_two_sessions(self) -> None:
        """They were once one, so a caption and the rule for a CPU's times did not tell them apart."""
        hours = ("03:04:05", "04:04:05", "04:50:00", "06:00:00")
        rows = read(
            [row("a", "v", "480p", 1, threads=str(n), date=f"2026-01-02T{hour}Z") for n, hour in enumerate(hours)]
        )
        self.assertEqual([found.session for found in rows], ["2026-01-02 03:04"] * 3 + ["2026-01-02 06:00"])
        self.assertEqual(len(sessions(rows[1:])), 2)
        other = read([row("a", "v", "480p", 1), row("a", "w", "480p", 1, revision="r2", date="2026-01-02T03:30:00Z")])
        self.assertIn("; 2 sessions", describe(other))
        self.assertNotIn("sessions", describe(rows[:3]))

    def test_two_machines_of_one_name_are_two_sessions(self) -> None:
        """As in a room of equal computers: their rows were once one session."""
        rows = read(
            [
                row("a", "v", "480p", 1, boot="5b3a0e0d"),
                row("a", "v", "720p", 1, boot="77aa0102", date="2026-01-02T03:20:00Z"),
            ]
        )
        self.assertIn("; 2 sessions", describe(rows))
        at_once = read([row("a", "v", "480p", 1, boot="5b3a0e0d"), row("a", "v", "720p", 1, boot="77aa0102")])
        self.assertEqual(len(sessions(at_once)), 2)

    def test_a_caption_counts_the_sessions_of_the_baseline(self) -> None:
        """Speed-ups were once over rows of a session that no caption named."""
        rows = read(
            [
                row("02_pthread", "rows", "480p", 1, threads="4"),
                row("01_sequential", "nested", "480p", 9, iterations="20", date="2026-01-02T09:00:00Z"),
                row("01_sequential", "flat", "480p", 8, iterations="20"),
            ]
        )
        results = Results(rows)
        self.assertEqual(results.baselines(rows[:1] * 2, "nested", "flat"), rows[1:])
        words = describe(rows[:1], bases=results.baselines(rows[:1], "nested"))
        self.assertIn("median of 100 iterations, bars: 5th to 95th percentile; `nested`: 20; 2 sessions.", words)
        self.assertNotIn("`nested`", describe(rows, bases=results.baselines(rows, "nested")))
        table = overview(results, "02_pthread")
        self.assertIn("; 2 sessions", table.caption if table else "")

    def test_of_how_many(self) -> None:
        self.assertEqual(of_how_many({"rows": [8, 8], "blocks": [56, 0, 8]}), "Best of: rows 8, blocks 8 to 56.")

    def test_a_share_is_of_the_copy_of_the_rows_own_session(self) -> None:
        """It was once of the fastest copy of all sessions: 1.39 ms were 42 % of it, and 70 % of their own session's."""
        rows = read(
            [
                row("a", "v", "480p", 1, copy_gb_per_s="10"),
                row("b", "w", "480p", 1, copy_gb_per_s="40", threads="4"),
                row("a", "v", "720p", 1, copy_gb_per_s=""),
            ]
        )
        self.assertEqual([one.ceiling for one in rows], [10, 40, None])
        self.assertAlmostEqual(rows[0].of_ceiling or 0, 853 * 480 * 6 / 1e6 / 10)
        self.assertIsNone(rows[2].of_ceiling)
        copies = {"backend": "cuda", "kernel_ms_median": "", "total_ms_median": "2"}
        bus = read([row("a", "v", "480p", 1, **copies, bus_both_gb_per_s=rate) for rate in ("10", "20")])
        self.assertEqual([one.ceiling for one in bus], [10, 20])
        self.assertAlmostEqual(bus[1].of_ceiling or 0, 853 * 480 * 6 / 2e6 / 20)

    def test_the_copies_of_all_sessions(self) -> None:
        rows = read(
            [
                row("01_sequential", "simd", size, 1, copy_gb_per_s=rate, copy_how=how, cold=cold)
                for size, rate, how, cold in (
                    ("480p", "40", "16 threads, memcpy", "0"),
                    ("720p", "20", "16 threads, memcpy", "0"),
                    ("1080p", "30", "16 threads, 64-byte stores", "0"),
                    ("1440p", "5", "1 thread, memcpy", "0"),
                    ("4k", "10", "16 threads, memcpy", "1"),
                )
            ]
        )
        results = Results(rows)
        self.assertEqual(results.copies("Toy CPU, 2 cores"), [20, 30, 40])
        self.assertEqual(results.copies("Toy CPU, 2 cores", "1"), [10])
        words = str(measured(results, Path("nowhere")).items[0])
        self.assertIn("A copy by Toy, 2 cores, in 3 sessions: 20.0 to 40.0 GB/s, median 30.0.", words)
        self.assertIn("of images that are not in the cache, in 1 session: 10.0 GB/s, median 10.0.", words)

    def test_a_later_failure_is_not_hidden(self) -> None:
        failed = row("a", "v", "480p", 1, status="failed", reason="3 samples differ", layout="")
        found = select(read([row("a", "v", "480p", 1), failed]))
        self.assertEqual([one.status for one in found], ["failed"])

    def test_a_row_tried_again_replaces_the_skipped_one(self) -> None:
        skipped = row("a", "v", "480p", 1, status="skipped", layout="")
        found = select(read([skipped, row("a", "v", "480p", 1)]))
        self.assertEqual([one.status for one in found], ["ok"])

    def test_speed_ups(self) -> None:
        results = Results(
            read(
                [
                    row("01_sequential", "nested", "480p", 12),
                    row("01_sequential", "flat", "480p", 6),
                    row("02_pthread", "rows", "480p", 3, threads="4"),
                    row("02_pthread", "rows", "720p", 3, threads="4"),
                    row("02_pthread", "rows", "480p", 3, threads="4", ksize="3"),
                    row("02_pthread", "rows", "480p", 3, threads="4", border="wrap"),
                    row("02_pthread", "grid", "480p", 0, threads="4", status="failed"),
                ]
            )
        )
        self.assertEqual(
            [(results.speed_up(found), results.speed_up(found, "flat")) for found in results.where(lab="02_pthread")],
            [(4, 2)] + [(None, None)] * 4,
        )

    def test_sweeps_are_not_in_the_overview(self) -> None:
        results = Results(read([row("a", "v", "480p", 1)], [row("a", "v", "480p", 2, threads="2")]))
        self.assertEqual((len(results.bench), len(results.rows)), (1, 2))

    def test_series_are_named_by_what_differs(self) -> None:
        rows = read(
            [
                row("a", "v", "480p", 1, threads="2"),
                row("a", "v", "480p", 1, threads="4"),
                row("a", "w", "480p", 1, threads="4"),
                row("a", "u", "480p", 1),
                row("a", "u", "480p", 1, cold="1"),
            ]
        )
        self.assertEqual(
            [label for label, _ in series(rows)], ["v 2 threads", "v 4 threads", "w 4 threads", "u", "u cold cache"]
        )


class Overview(unittest.TestCase):
    def test_cells(self) -> None:
        results = Results(
            read(
                [
                    row("01_sequential", "nested", "480p", 12),
                    row("01_sequential", "nested", "720p", 24),
                    row("01_sequential", "nested", "8k", 1, status="skipped", reason="memory"),
                    row("02_pthread", "rows", "720p", 6, noisy="1", threads="2"),
                    row("02_pthread", "grid", "720p", 6, status="failed"),
                    row("03_cuda_global", "naive", "720p", 0.1, backend="cuda_on_cpu"),
                ]
            )
        )
        table = overview(results)
        assert table is not None
        self.assertEqual(
            [line[:5] for line in table.rows],
            [
                ["01_sequential", "nested", "12.0", "24.0", "skipped"],
                ["02_pthread", "rows 2 threads", "–", "6.00†", "–"],
                ["02_pthread", "grid", "–", "failed", "–"],
            ],
        )
        self.assertEqual(table.header[-2:], ["of copy", "vs nested"])  # no column for `flat`
        self.assertEqual([line[-1] for line in table.rows], ["1.00x", "4.00x", "–"])
        notes = " ".join(overview_notes(results, table))
        for word in ("no time of `flat`", "† noisy", "CUDA on the CPU"):
            self.assertIn(word, notes)

    def test_nothing_timed(self) -> None:
        self.assertIsNone(overview(Results(read([row("a", "v", "480p", 1, status="failed")]))))


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Ladder(unittest.TestCase):
    def test_a_line_for_each_lab(self) -> None:
        """The fastest at the largest size that the baseline has; copies where there are any."""
        cuda = dict(backend="cuda", device="Toy GPU", total_ms_median="9")
        table = ladder(
            Results(
                read(
                    [
                        row("01_sequential", "nested", "720p", 24),
                        row("01_sequential", "flat", "720p", 20),
                        row("02_pthread", "rows", "720p", 8, threads="4", noisy="1"),
                        row("03_cuda_global", "aos", "720p", 2, **cuda),
                        row("03_cuda_global", "soa", "720p", 1, devices="1", **cuda),
                        row("03_cuda_global", "aos", "8k", 3, **cuda),
                        row("08_heat_map", "v1", "1080p", 5, filter="", ksize="", border="", **cuda),
                    ]
                )
            )
        )
        assert table is not None
        self.assertEqual(
            [line[:4] for line in table.rows],
            [
                ["01_sequential", "nested", "24.0", "1.00"],
                ["01_sequential", "flat", "20.0", "1.20"],
                ["02_pthread", "rows, 4 threads", "8.00†", "3.00"],
                ["03_cuda_global", "soa on 1 GPU", "1.00", "24.0"],
                ["08_heat_map", "v1", "5.00", "–"],
            ],
        )
        self.assertEqual(table.header[2:4], ["ms at 720p", "times as fast as `nested`"])
        self.assertTrue(
            table.caption.startswith("Toy GPU and Toy, 2 cores; 720p, 5x5 Gaussian, RGB, medians; lab 08: two frames")
        )
        self.assertIn("†: noisy", table.caption)

    def test_nothing_timed(self) -> None:
        self.assertIsNone(ladder(Results(read([row("a", "v", "480p", 1, status="failed")]))))


class Writing(unittest.TestCase):
    def test_numbers(self) -> None:
        self.assertEqual(
            [number(v) for v in (0.012345, 1.2345, 12.345, 123.45, 1234.5, 0, None)],
            ["0.0123", "1.23", "12.3", "123", "1234", "0.00", "–"],
        )
        self.assertEqual(
            (times(2.5), percent(0.414), percent(0.0048), percent(0.998), percent(None)),
            ("2.50x", "41 %", "0.48 %", "99.8 %", "–"),
        )

    def test_spread(self) -> None:
        rows = read(
            [
                row("a", "v", "480p", 12.34, noisy="1", kernel_ms_p05="11.1", kernel_ms_p95="13"),
                row("a", "w", "480p", 0, status="unsupported"),
                row("a", "u", "480p", 0, backend="cuda_on_cpu"),
                row("a", "z", "480p", 0),
            ]
        )
        self.assertEqual(
            [spread(found) for found in rows], ["12.3† (11.1 to 13.0)", "refused", "emulated", "below the clock"]
        )

    def test_tables(self) -> None:
        table = Table("t", "50 % of a_b", ["name", "ms"], [["a|b", "1.0 ± 0.1"], ["c_d", "10"]])
        self.assertEqual(to_markdown(table).splitlines()[1:3], ["| --- | ---: |", r"| a\|b | 1.0 ± 0.1 |"])


if __name__ == "__main__":
    unittest.main()
