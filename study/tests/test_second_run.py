# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""A second run of a machine: how far it is from the first, and the sessions of a folder."""

import tempfile
import unittest
from pathlib import Path
from typing import Dict

from fabricate import row, write

from study.parts.machines import files_table
from study.parts.second_run import second_run_words


class SecondRun(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.base = Path(holder.name)

    def folder(self, name: str, *rows: Dict[str, str]) -> None:
        write(self.base / name / "lab.csv", rows)

    def test_a_second_run(self) -> None:
        gpu = {"backend": "cuda", "device": "Toy GPU", "gpus": "1"}
        copies = {**gpu, "kernel_ms_median": "", "total_ms_median": "4", "bus_both_gb_per_s": "100"}
        self.folder(
            "m",
            row("l", "v", "480p", 2),
            row("l", "w", "480p", 2),
            row("l", "once", "480p", 2),
            row("l", "g", "480p", 2, **gpu),
            row("l", "c", "480p", 2, **copies),
        )
        self.folder(
            "m/second_run",
            row("l", "v", "480p", 2.08),
            row("l", "w", "480p", 3),
            row("l", "g", "480p", 2.02, **gpu),
            row("l", "c", "480p", 2, **{**copies, "total_ms_median": "5"}),
        )
        text = files_table(self.base)
        self.assertIn("| CPU | 480p | 2 | 50 % within 5.0 % | 27 % | 50 % | 1 | 0 % within 5.0 % | 44 % |", text)
        self.assertIn("| GPU, kernel | 480p | 1 | 100 % within 2.0 % | 1.0 % | 1.0 % | 0 | – | – |", text)
        self.assertIn("| GPU, with copies | 480p | 1 | 0 % within 2.0 % | 25 % | 25 % | 0 | – | – |", text)

    def test_ratios_of_a_second_run_are_of_configurations_that_took_turns_in_both(self) -> None:
        """A slower host changes times, not ratios; ratios of two calls of a lab do not count."""
        turns, later = {"seed": "1"}, {"seed": "2"}
        self.folder(
            "m",
            row("l", "v", "480p", 2, **turns),
            row("l", "w", "480p", 4, **turns),
            row("l", "x", "480p", 6, **later),
            row("l", "v", "720p", 5, **turns),
        )
        self.folder(
            "m/second_run",
            row("l", "v", "480p", 3, **turns),
            row("l", "w", "480p", 6, **turns),
            row("l", "x", "480p", 6, **turns),
            row("l", "v", "720p", 5, **turns),
        )
        self.assertIn(
            "| CPU | 480p | 3 | 33 % within 5.0 % | 50 % | 50 % | 1 | 100 % within 5.0 % | 0 % |",
            files_table(self.base),
        )
        words = second_run_words(self.base / "m")
        self.assertIn(
            "CPU: of 4 medians 50 % differ by at most 5.0 % and 50 % by at most 25 %; half of all differ by at most 25 %. Of 1 "
            "ratios of two configurations that took turns 100 % differ by at most 5.0 % and 100 % by at most 25 %.",
            words,
        )

    def test_the_sessions_of_a_folder_and_their_rows(self) -> None:
        early = {"date": "2026-11-23T03:58:11Z", "revision": "aaaaaaa1"}
        late = {"date": "2026-11-23T06:52:03Z", "revision": "aaaaaaa1"}
        write(
            self.base / "m" / "01_sequential.csv",
            [row("01_sequential", "v", "480p", 2, **early), row("01_sequential", "w", "480p", 2, **late)],
        )
        write(
            self.base / "m" / "01_sequential_sweep.csv",
            [
                row("01_sequential", "v", "480p", 2, ksize="3", **late),
                row("01_sequential", "w", "480p", 2, ksize="3", **late),
            ],
        )
        text = files_table(self.base)
        self.assertIn("| 2026-11-23 03:58 | aaaaaaa | `01_sequential` 1 |", text)
        self.assertIn("| 2026-11-23 06:52 | aaaaaaa | `01_sequential` 1, `01_sequential_sweep` 2 |", text)


if __name__ == "__main__":
    unittest.main()
