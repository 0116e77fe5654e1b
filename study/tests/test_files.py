# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Where rows come from: the files of a folder, its sessions and their copies, and a second run."""

from pathlib import Path

from fabricate import GPU, Case, Fields, measured, row, write

from study.parts import machines
from study.parts.second_run import second_run_words


class Files(Case):
    def folder(self, name: str, *rows: Fields) -> None:
        write(self.base / name / "lab.csv", rows)

    def test_a_second_run(self) -> None:
        gpu = {**GPU, "gpus": "1"}
        copies = {**gpu, "kernel_ms_median": "", "total_ms_median": "4", "bus_both_gb_per_s": "100"}
        first = [row("l", name, "480p", 2) for name in ("v", "w", "once")]
        self.folder("m", *first, row("l", "g", "480p", 2, **gpu), row("l", "c", "480p", 2, **copies))
        again = [row("l", "v", "480p", 2.08), row("l", "w", "480p", 3), row("l", "g", "480p", 2.02, **gpu)]
        self.folder("m/second_run", *again, row("l", "c", "480p", 2, **{**copies, "total_ms_median": "5"}))
        text = machines.runs_table(self.base)
        for line in (
            "| CPU | 480p | 2 | 50 % within 5.0 % | 27 % | 50 % | 1 | 0 % within 5.0 % | 44 % |",
            "| GPU, kernel | 480p | 1 | 100 % within 2.0 % | 1.0 % | 1.0 % | 0 | – | – |",
            "| GPU, with copies | 480p | 1 | 0 % within 2.0 % | 25 % | 25 % | 0 | – | – |",
        ):
            self.assertIn(line, text)

    def test_ratios_of_a_second_run_are_of_configurations_that_took_turns_in_both(self) -> None:
        """A slower host changes times, not ratios; ratios of two calls of a lab do not count."""

        def run(name: str, v: float, w: float, seed: str) -> None:
            turns = {"seed": "1"}
            rows = [row("l", "v", "480p", v, **turns), row("l", "w", "480p", w, **turns)]
            self.folder(name, *rows, row("l", "x", "480p", 6, seed=seed), row("l", "v", "720p", 5, **turns))

        run("m", 2, 4, "2")
        run("m/second_run", 3, 6, "1")
        line = "| CPU | 480p | 3 | 33 % within 5.0 % | 50 % | 50 % | 1 | 100 % within 5.0 % | 0 % |"
        self.assertIn(line, machines.runs_table(self.base))
        words = (
            "CPU: of 4 medians, 50 % differ by at most 5.0 % and 50 % by at most 25 %; half of all differ by at most 25 %. Of 1 "
            "ratios of two configurations that took turns, 100 % differ by at most 5.0 % and 100 % by at most 25 %."
        )
        self.assertIn(words, second_run_words(self.base / "m"))

    def test_the_sessions_of_a_folder_and_their_rows(self) -> None:
        early, late = ({"date": f"2026-11-23T{hour}Z", "revision": "aaaaaaa1"} for hour in ("03:58:11", "06:52:03"))
        rows = [row("01_sequential", "v", "480p", 2, **early), row("01_sequential", "w", "480p", 2, **late)]
        write(self.base / "m" / "01_sequential.csv", rows)
        swept = [row("01_sequential", name, "480p", 2, ksize="3", **late) for name in "vw"]
        write(self.base / "m" / "01_sequential_sweep.csv", swept)
        self.assertIn(
            "| `01_sequential.csv` | 2 | 0 | 0 | 100 | 2026-11-23 | aaaaaaa |", machines.files_table(self.base)
        )
        text = machines.runs_table(self.base)
        self.assertIn("| 2026-11-23 03:58 | aaaaaaa | `01_sequential` 1 |", text)
        self.assertIn("| 2026-11-23 06:52 | aaaaaaa | `01_sequential` 1, `01_sequential_sweep` 2 |", text)

    def test_the_copies_of_all_sessions(self) -> None:
        rows = [
            row("01_sequential", "simd", size, 1, copy_gb_per_s=rate, copy_how=how, cold=cold)
            for size, rate, how, cold in (
                ("480p", "40", "16 threads, memcpy", "0"),
                ("720p", "20", "16 threads, memcpy", "0"),
                ("1080p", "30", "16 threads, 64-byte stores", "0"),
                ("1440p", "5", "1 thread, memcpy", "0"),
                ("4k", "10", "16 threads, memcpy", "1"),
            )
        ]
        results = measured(*rows)
        self.assertEqual(results.copies("Toy CPU, 2 cores"), [20, 30, 40])
        self.assertEqual(results.copies("Toy CPU, 2 cores", "1"), [10])
        words = str(machines.measured(results, Path("nowhere")).items[0])
        self.assertIn("A copy by Toy, 2 cores, in 3 sessions: 20.0 to 40.0 GB/s, median 30.0.", words)
        self.assertIn("of images that are not in the cache, in 1 session: 10.0 GB/s, median 10.0.", words)
