# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The committed conclusions: all of them there, and the verdicts of the committed rows."""

import functools
import unittest
from collections import Counter
from typing import Dict, List

from fabricate import ROOT

from study.measurements.answers import of_originals, of_published
from study.measurements.csv_file import read_table
from study.measurements.keyed import Sources, filled
from study.measurements.points import along, wanted
from study.measurements.rows import OF_COPIES, OF_CPU, OF_KERNEL, read_folder
from study.measurements.selection import Results
from study.reports import conclusions
from study.reports.rules import BY_CONSTRUCTION, FAILS, HOLDS, STATED, UNDECIDED

DATA = ROOT / "study" / "data"
FILE = DATA / "conclusions.csv"


@functools.lru_cache(maxsize=None)
def original_lines() -> List[Dict[str, str]]:
    return [fields for _, fields in read_table(DATA / "originals.csv", ())]


@functools.lru_cache(maxsize=None)
def reference() -> conclusions.Judgements:
    """The verdicts of the committed rows."""
    folder = ROOT / "results" / "reference" / "h200_16_cpus"
    first, again = (
        conclusions.judge(conclusions.read_conclusions(FILE), Results(read_folder(run)), original_lines())
        for run in (folder, folder / "second_run")
    )
    return conclusions.agreed(first, again)


class Complete(unittest.TestCase):
    def test_at_least_60_conclusions_of_five_reports(self) -> None:
        found = conclusions.read_conclusions(FILE)
        self.assertGreaterEqual(len(found), 60)
        self.assertEqual(len({one.id for one in found}), len(found))
        self.assertEqual(
            set(Counter(one.report for one in found)),
            {"ariano2023", "cazzola2024", "chisci2024", "videostream2021", "delbimbo2024"},
        )
        self.assertTrue(all(one.where and one.conclusion for one in found))

    def test_no_rule_fails_by_the_numbers_of_its_report(self) -> None:
        """A10, A11, A24 to A28 and A35 once did: the rules were too strict."""
        found = {one.conclusion.id: one.published[0] for one in reference() if one.conclusion.published}
        self.assertGreaterEqual(len(found), 42)
        self.assertEqual(
            {name: kind for name, kind in found.items() if kind != HOLDS}, {"A19": UNDECIDED}
        )  # at 720p two sides of the block are printed with the same time
        self.assertTrue({"A10", "A11", "A26", "A27"} <= set(found))

    def test_numbers_of_other_machines_are_no_verdicts(self) -> None:
        numbers = {one.conclusion.id: one.published for one in reference().numbers}
        self.assertEqual(set(numbers), {"A16", "A30", "H05", "C15", "C16", "V06", "D08", "D14", "D22"})
        self.assertEqual({kind for kind, _ in numbers.values()}, {STATED})
        shown = {"A16": "6.13x at 4k", "C16": "1400 Gflop/s", "V06": "1.11x at 1080p", "D22": "0.365 ms at 8k"}
        for name, words in shown.items():
            self.assertIn(words, numbers[name][1])
        self.assertFalse(set(numbers) & {one.conclusion.id for one in reference()})

    def test_what_does_not_hold_has_its_why(self) -> None:
        failed = [one for one in reference() if FAILS in (one.ours[0], one.original[0])]
        self.assertEqual([one.conclusion.id for one in failed if not one.conclusion.why], [])
        sources = Sources(ROOT)
        texts = [filled(one.conclusion.why, sources) for one in reference() if "[[" in one.conclusion.why]
        self.assertGreaterEqual(len(texts), 10)
        self.assertEqual([text for text in texts if "(not measured)" in text], [])

    def test_single_verdicts(self) -> None:
        judged = {one.conclusion.id: one for one in reference()}
        self.assertEqual(judged["H12"].original, (HOLDS, "it is not refused; its output: wrong in places"))
        self.assertEqual(judged["A03"].ours[0], BY_CONSTRUCTION)
        self.assertEqual(judged["A27"].conclusion.value, "1.33")  # the published 0.08 over 0.06 ms
        for name in ("A13", "A31", "A32", "H13", "D15", "D19"):
            self.assertEqual(judged[name].ours[0], UNDECIDED, name)
        self.assertIn("in the second run", judged["A31"].ours[1])

    def test_the_margins_are_what_nine_of_ten_ratios_agree_within(self) -> None:
        from study.parts.second_run import _apart, _pairs, _what

        pairs = _pairs(ROOT / "results" / "reference" / "h200_16_cpus")
        for what, margin in (("cpu", OF_CPU), ("copies", OF_COPIES), ("cuda", OF_KERNEL)):
            _, found = _apart([pair for pair in pairs if _what(pair) == what])
            share = sum(difference <= margin for difference in found) / len(found)
            self.assertGreaterEqual(round(share, 1), 0.9, what)

    def test_a_wrong_output_of_a_program_is_said(self) -> None:
        lines = of_originals([line for line in original_lines() if line["report"] == "ariano2023"])
        found = along(lines, wanted("program=shared_v2 ksize=5 block=16", "size"), "size")
        self.assertEqual([point.name for point in found], ["4k", "8k"])
        self.assertIn("shifted", found[0].remark)

    def test_published_numbers_are_as_precise_as_they_are_printed(self) -> None:
        line = dict.fromkeys(("resolution", "width", "height", "kernel_size", "block_dim", "threads"), "")
        lines = of_published(
            [
                {**line, "resolution": "4K", "block_dim": "16x16", "value": "0.94", "unit": "ms"},
                {**line, "resolution": "8K", "block_dim": "32x32", "value": "20", "unit": "x"},
                {**line, "value": "3", "unit": "count"},
            ]
        )
        self.assertEqual(
            [(one.name, one.value, round(one.low, 4), round(one.high, 4)) for one in along(lines, {}, "size")],
            [("4k", 0.94, 0.935, 0.945), ("8k", 0.05, 0.0488, 0.0513)],
        )
        self.assertEqual([one.value for one in along(lines, {"baseline": "1"}, "size")], [1, 1])
        self.assertEqual([one.name for one in along(lines, {"size": "4k"}, "block")], ["B 16"])

    def test_selectors_name_what_exists(self) -> None:
        """Labs and variants of ours, programs of study/data/originals.csv."""
        programs = {(line["report"], line["program"]) for line in original_lines()}
        for one in conclusions.read_conclusions(FILE):
            selectors = [*one.ours.split(" or "), one.ours_other]
            for selector in (one for one in selectors if one.startswith("lab=")):
                fields = wanted(selector, one.axis)
                mains = [path for lab in fields["lab"].split("|") for path in (ROOT / "labs" / lab).glob("main.c*")]
                names = "".join(path.read_text(encoding="utf-8") for path in mains)
                for variant in fields["variant"].split("|"):
                    self.assertRegex(names, rf"&{variant}\b", one.id)
            for selector in filter(None, (one.original, one.original_other)):
                self.assertIn((one.report, wanted(selector, one.axis)["program"]), programs, one.id)


if __name__ == "__main__":
    unittest.main()
