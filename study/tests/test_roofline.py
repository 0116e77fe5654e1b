# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Rooflines: which copy the sloped roof is, and when there is a flat one."""

import importlib.util
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

from fabricate import row, write

from study.measurements.rows import read_folder
from study.measurements.selection import Results


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Rooflines(unittest.TestCase):
    def drawn(self, *more: Dict[str, str]) -> List[Any]:
        from study.parts.roofline import rooflines

        rows = [
            row("01_sequential", name, "8k", ms, copy_gb_per_s=rate, copy_how="16 threads, memcpy")
            for name, ms, rate in (("nested", 40, "50"), ("flat", 30, "100"), ("simd", 10, "90"))
        ]
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder) / "a.csv", [*rows, *more])
            return rooflines([Results(read_folder(Path(folder)))])

    def test_the_sloped_roof_is_the_median_copy_and_no_program_is_its_own_flat_roof(self) -> None:
        """The roof was the fastest copy of all sessions, and a CPU's best program stood at 100 % of itself."""
        figure, table, _ = self.drawn()
        share = 7680 * 4320 * 6 / 10e6 / 90
        self.assertEqual(table.rows[0][0], "01_sequential simd")
        self.assertEqual(table.rows[0][4:], [f"{100 * share:.0f} %", "copy"])
        self.assertNotIn("highest rate of operations", figure.caption)

    def test_the_flat_roof_is_of_a_row_that_is_not_drawn(self) -> None:
        figure, table, _ = self.drawn(row("01_sequential", "simd", "8k", 5, ksize="9", operations=str(10**10)))
        self.assertIn("highest rate of operations", figure.caption)
        self.assertEqual({line[5] for line in table.rows}, {"operations"})


if __name__ == "__main__":
    unittest.main()
