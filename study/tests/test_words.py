# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Abstract, discussion and conclusions: numbers of the rows, nothing without rows."""
import importlib.util
import re
import tempfile
import unittest
from pathlib import Path
from typing import Dict, List

from fabricate import ROOT, cpu_labs, cuda_labs, row, write
from study.measurements.keyed import Sources, filled
from study.measurements.rows import read_folder
from study.measurements.selection import Results

REFERENCE = ROOT / "results" / "reference" / "h200_16_cpus"


class Keys(unittest.TestCase):
    def test_a_text_without_its_row_says_so(self) -> None:
        sources = Sources(ROOT)
        key = "originals report=ariano2023 program=own_protocol_global : mean_us/1000"
        self.assertEqual(filled(f"takes [[{key}]] ms", sources),
                         "takes 0.489 ms")
        self.assertEqual(filled("takes [[originals program=none : mean_us]] ms", sources),
                         "takes (not measured) ms")


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Words(unittest.TestCase):
    def told(self, rows: List[Dict[str, str]]) -> List[str]:
        from study.parts import quoted, words
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder) / "a.csv", rows)
            numbers = quoted.Numbers(Results(read_folder(Path(folder))))
            return words.conclusions(numbers, []).splitlines()

    def test_nothing_measured_is_said(self) -> None:
        told = self.told([row("01_sequential", "flat", "8k", 1)])
        self.assertEqual(sum("Not measured: " in line for line in told), len(told) - 1)
        self.assertRegex(told[2], r"^3\. \*\*.*\*\* Not measured: 03_cuda_global naive at 8k\.$")

    def test_a_gain_is_that_of_the_rows(self) -> None:
        gpu = dict(backend="cuda", device="Toy GPU")
        told = self.told([row("03_cuda_global", "naive", "8k", 8, **gpu),
                          row("03_cuda_global", "coalesced", "8k", 2, **gpu)])
        self.assertIn("4.00 times as fast", told[2])

    def test_the_gain_of_tiles_names_what_it_is_over(self) -> None:
        """It was given over `padded` alone, as if it were that of shared memory."""
        gpu = dict(backend="cuda", device="Toy GPU", block="16")
        lab5 = "05_cuda_shared"
        rows = [row(lab, variant, "8k", ms, **gpu) for lab, variant, ms in (
            ("03_cuda_global", "coalesced", 8), ("03_cuda_global", "padded", 5), ("04_cuda_constant", "unrolled", 3),
            (lab5, "two_batch", 4), (lab5, "packed", 1))]
        wide = [{**one, "block": "32"} for one in rows if one["variant"] in ("padded", "two_batch")]
        found = self.told(rows + wide)[3]
        self.assertIn("2.00 times as fast as `coalesced`", found)
        self.assertIn("only 1.25 times as fast as `padded`", found)
        self.assertNotRegex(found, r"\*\*Shared memory gains")

    def test_no_comment_in_the_report(self) -> None:
        self.assertNotIn("<!--", (ROOT / "report" / "report.md").read_text(encoding="utf-8"))

    def test_captions_are_short(self) -> None:
        """They once had up to 90 words."""
        text = (ROOT / "report" / "report.md").read_text(encoding="utf-8")
        captions = re.findall(r"^\*(.+)\*$|<summary>Table: (.+)</summary>", text, re.M)
        self.assertGreater(len(captions), 200)
        for caption in map("".join, captions):
            self.assertLess(len(caption.split()), 50, caption)

    def test_machines_in_full(self) -> None:
        from study.parts.machines import machines_section
        with tempfile.TemporaryDirectory() as folder:
            cpu_labs(Path(folder), ["480p"])
            cuda_labs(Path(folder), ["480p"])
            table, = machines_section([Results(read_folder(Path(folder)))]).items
        lines = {line[0]: line[1] for line in table.rows}
        self.assertIn("g++ 12.2.0", lines["compiler"])
        self.assertNotIn("sockets", lines)


if __name__ == "__main__":
    unittest.main()
