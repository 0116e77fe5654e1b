# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The sentences of the report: numbers of the rows, verdicts that the rows give, captions."""

import importlib.util
import re
import tempfile
import unittest
from pathlib import Path
from typing import Dict, List, Sequence

from fabricate import ROOT, cpu_labs, cuda_labs, row, write

from study.measurements.keyed import Sources, filled
from study.measurements.rows import read_folder
from study.measurements.selection import Results
from study.reports.conclusions import Conclusion, Judged
from study.reports.rules import FAILS, HOLDS
from study.sentences import Sentences

REFERENCE = ROOT / "results" / "reference" / "h200_16_cpus"


class Keys(unittest.TestCase):
    def test_a_text_without_its_row_says_so(self) -> None:
        sources = Sources(ROOT)
        key = "originals report=ariano2023 program=own_protocol_global : mean_us/1000"
        self.assertEqual(filled(f"takes [[{key}]] ms", sources), "takes 0.489 ms")
        self.assertEqual(filled("takes [[originals program=none : mean_us]] ms", sources), "takes (not measured) ms")


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Words(unittest.TestCase):
    def said(self, rows: List[Dict[str, str]], judged: Sequence[Judged] = ()) -> Sentences:
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder) / "a.csv", rows)
            return Sentences(Results(read_folder(Path(folder))), judged, Sources(ROOT))

    def test_nothing_measured_is_said(self) -> None:
        said = self.said([row("01_sequential", "flat", "8k", 1)])
        self.assertEqual(said.gain("03_cuda_global coalesced", "03_cuda_global naive"), "(not measured)")
        self.assertEqual(said.key("originals program=none : mean_us"), "(not measured)")
        self.assertEqual(said.wrong[0], "03_cuda_global coalesced at 8k was not measured")
        self.assertEqual(len(said.wrong), 3)

    def test_a_gain_is_that_of_the_rows(self) -> None:
        gpu = dict(backend="cuda", device="Toy GPU")
        said = self.said(
            [row("03_cuda_global", "naive", "8k", 8, **gpu), row("03_cuda_global", "coalesced", "8k", 2, **gpu)]
        )
        self.assertEqual(said.gain("03_cuda_global coalesced", "03_cuda_global naive"), "4.00")
        self.assertEqual(said.wrong, [])

    def test_a_sentence_that_the_rows_contradict_is_named(self) -> None:
        one = Judged(Conclusion({"id": "A1", "report": "ariano2023"}), (HOLDS, ""), (FAILS, ""))
        said = self.said([row("01_sequential", "flat", "8k", 1)], [one])
        self.assertEqual((said.holds("A1"), said.fails("A1", "original")), ("A1", "A1"))
        self.assertEqual(
            (said.wrong, said.both(), said.verdict("A1")), ([], (1, 0), "holds; its program: does not hold")
        )
        self.assertEqual(
            (said.count("holds"), said.count("holds", "cazzola2024"), said.repeated([one])), (1, 0, (1, 1))
        )
        said.fails("A1")
        self.assertEqual(said.wrong, ["A1 (ours): the text says 'does not hold', the rows say 'holds'"])

    def test_no_comment_in_the_report(self) -> None:
        for name in ("report", "appendix"):
            self.assertNotIn("<!--", (ROOT / "report" / f"{name}.md").read_text(encoding="utf-8"))

    def test_captions_are_short(self) -> None:
        """They once had up to 90 words."""
        text = "".join((ROOT / "report" / f"{name}.md").read_text(encoding="utf-8") for name in ("report", "appendix"))
        captions = re.findall(r"^\*([^*]+)\*$|<summary>Table: (.+)</summary>", text, re.M)
        self.assertGreater(len(captions), 100)
        for caption in map("".join, captions):
            self.assertLessEqual(len(caption.split()), 30, caption)

    def test_no_sentence_begins_a_list(self) -> None:
        """A number at the beginning of a line once did: "593. It is ..."."""
        text = (ROOT / "report" / "report.md").read_text(encoding="utf-8")
        numbers = re.findall(r"^(\d+)\. ", text, re.M)
        self.assertEqual(numbers, [str(place) for place in range(1, len(numbers) + 1)])
        self.assertNotRegex(text, r"(?m)^[+>] ")

    def test_the_report_has_about_thirty_pages(self) -> None:
        text = (ROOT / "report" / "report.md").read_text(encoding="utf-8")
        self.assertLess(len(text.split()), 12000)
        self.assertLessEqual(text.count("](figures/") // 2, 35)
        self.assertNotIn("(not measured)", text)

    def test_machines_in_full(self) -> None:
        from study.parts.machines import machines_section

        with tempfile.TemporaryDirectory() as folder:
            cpu_labs(Path(folder), ["480p"])
            cuda_labs(Path(folder), ["480p"])
            (table,) = machines_section([Results(read_folder(Path(folder)))]).items
        lines = {line[0]: line[1] for line in table.rows}
        self.assertIn("g++ 12.2.0", lines["compiler"])
        self.assertNotIn("sockets", lines)


if __name__ == "__main__":
    unittest.main()
