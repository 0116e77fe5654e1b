# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The sentences of the report: numbers of the rows, verdicts that the rows give, captions."""

import re
import tempfile
import unittest
from pathlib import Path
from typing import List, Sequence

from fabricate import GPU, ROOT, Fields, measured, row, write

from study.measurements.keyed import Sources, filled, worked_out
from study.parts.machines import machines_section
from study.reports.conclusions import Conclusion, Judged
from study.reports.rules import FAILS, HOLDS
from study.sentences import Sentences, repeated
from tools.plots.files import ReportError


class Words(unittest.TestCase):
    def test_a_text_without_its_row_says_so(self) -> None:
        sources = Sources(ROOT)
        key = "originals report=ariano2023 program=own_protocol_global : mean_us/1000"
        self.assertEqual(filled(f"takes [[{key}]] ms", sources), "takes 0.489 ms")
        self.assertEqual(filled("takes [[originals program=none : mean_us]] ms", sources), "takes (not measured) ms")

    def said(
        self, rows: Sequence[Fields], judged: Sequence[Judged] = (), again: Sequence[Fields] = (), root: Path = ROOT
    ) -> Sentences:
        here = measured(*rows)
        return Sentences(here, judged, Sources(root, here, measured(*again) if again else None))

    def test_nothing_measured_is_said(self) -> None:
        said = self.said([row("01_sequential", "flat", "8k", 1)])
        self.assertEqual(said.gain("03_cuda_global coalesced", "03_cuda_global naive"), "(not measured)")
        self.assertEqual(said.key("originals program=none : mean_us"), "(not measured)")
        self.assertRegex(said.wrong[0], "variant=naive size=8k .*: 0 rows of here have")
        self.assertEqual(len(said.wrong), 2)

    def test_a_gain_is_that_of_the_rows(self) -> None:
        rows = [row("03_cuda_global", name, "8k", ms, **GPU) for name, ms in (("naive", 8), ("coalesced", 2))]
        said = self.said(rows)
        self.assertEqual(said.gain("03_cuda_global coalesced", "03_cuda_global naive"), "4.00")
        self.assertEqual(said.wrong, [])

    def test_a_gain_of_which_the_second_run_says_something_else(self) -> None:
        """1.93 times as fast as all cores was said, and 3.31 in the second run was not."""

        def rows(simd: float) -> List[Fields]:
            return [row("01_sequential", "nested", "8k", 8), row("01_sequential", "simd", "8k", simd)]

        for again, text in ((2.1, "4.00"), (4, "4.00 (in the second run 2.00)"), (9, "4.00 (in the second run 0.889)")):
            said = self.said(rows(2), again=rows(again))
            self.assertEqual(said.gain("01_sequential simd", "01_sequential nested"), text)
            self.assertEqual(len(said.wrong), int(again == 9), again)
        self.assertIn("the second run contradicts it: 0.889", said.wrong[0])
        said = self.said(rows(8.1), again=rows(7.9))
        said.gain("01_sequential simd", "01_sequential nested")
        self.assertEqual(said.wrong, [])  # the same time in both

    def test_a_key_that_the_second_run_contradicts_is_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as holder:
            root = Path(holder)
            for folder, flat in (("m", 4), ("m/second_run", 1)):
                write(
                    root / "results" / "reference" / folder / "a.csv",
                    [row("01_sequential", "nested", "8k", 2), row("01_sequential", "flat", "8k", flat)],
                )
            key = "m lab=01_sequential variant=flat : ms over variant=nested"
            with self.assertRaisesRegex(ReportError, "the second run contradicts 2.00: there it is 0.500"):
                worked_out(key, Sources(root))
            self.assertEqual(worked_out(key.replace("m lab", "m/second_run lab", 1), Sources(root)), "0.500")
            said = self.said([row("01_sequential", "nested", "8k", 2)], root=root)
            self.assertEqual(said.key(key), "2.00 (in the second run 0.500)")
            self.assertEqual(len(said.wrong), 1)

    def test_a_sentence_that_the_rows_contradict_is_named(self) -> None:
        one = Judged(Conclusion({"id": "A1", "report": "ariano2023"}), (HOLDS, ""), (FAILS, ""))
        said = self.said([row("01_sequential", "flat", "8k", 1)], [one])
        self.assertEqual((said.holds("A1"), said.fails("A1", "original")), ("A1", "A1"))
        self.assertEqual((said.wrong, said.both()), ([], (1, 0)))
        self.assertEqual(said.verdict("A1"), "holds; original: does not hold")
        self.assertEqual([said.count("holds"), said.count("holds", "cazzola2024")], [1, 0])
        self.assertEqual(repeated([one], [one]), (1, 1))
        said.fails("A1")
        self.assertEqual(said.wrong, ["A1 (ours): the text says 'does not hold', the rows say 'holds'"])

    def test_no_comment_in_the_report(self) -> None:
        for name in ("report", "appendix"):
            self.assertNotIn("<!--", (ROOT / "report" / f"{name}.md").read_text(encoding="utf-8"))

    def test_captions_are_short(self) -> None:
        """They once had up to 90 words."""
        text = "".join((ROOT / "report" / f"{name}.md").read_text(encoding="utf-8") for name in ("report", "appendix"))
        captions = re.findall(r"^\*([^*]+)\*$|<summary>(.+)</summary>", text, re.M)
        self.assertGreater(len(captions), 100)
        for caption in map("".join, captions):
            self.assertLessEqual(len(re.sub(r"^(Figure|Table) A?\d+\. | `\w+`$", "", caption).split()), 30, caption)

    def test_no_sentence_begins_a_list(self) -> None:
        """A number at the beginning of a line once did: "593. It is ..."."""
        text = (ROOT / "report" / "report.md").read_text(encoding="utf-8")
        numbers = re.findall(r"^(\d+)\. ", text, re.M)
        self.assertEqual(numbers, [str(place) for place in range(1, len(numbers) + 1)])
        self.assertNotRegex(text, r"(?m)^[+>] ")

    def test_the_report_has_about_thirty_pages(self) -> None:
        text = (ROOT / "report" / "report.md").read_text(encoding="utf-8")
        self.assertLess(len(text.split()), 12000)
        self.assertLess(len((ROOT / "report" / "appendix.md").read_text(encoding="utf-8").split()), 20000)
        self.assertLessEqual(text.count("](figures/") // 2, 35)
        self.assertNotRegex(text, r"(?m)\(not measured|^Not measured")

    def test_machines_in_full(self) -> None:
        rows = [row("01_sequential", "nested", "480p", 1), row("03_cuda_global", "naive", "480p", 1, compiler="nvcc")]
        (table,) = machines_section([measured(*rows)]).items
        lines = {line[0]: line[1] for line in table.rows}
        self.assertEqual(lines["compiler"], "g++ 12.2.0; nvcc")
        self.assertNotIn("sockets", lines)
