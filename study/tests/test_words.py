# SPDX-License-Identifier: MIT
"""The sentences of the report: numbers of the rows, verdicts that the rows give, captions."""

import re
import tempfile
import unittest
from pathlib import Path
from typing import List, Sequence

import pytest
from fabricate import GPU, ROOT, Fields, measured, row, write

from study.measurements.keyed import Sources, filled, worked_out
from study.reports.conclusions import Conclusion, Judged
from study.reports.rules import FAILS, HOLDS
from study.reports.verdicts import repeated
from study.sentences import Sentences
from tools.plots.files import ReportError


class Words(unittest.TestCase):
    def test_a_text_without_its_row_says_so(self) -> None:
        sources = Sources(ROOT)
        key = "originals report=ariano2023 program=own_protocol_global : mean_us/1000"
        assert filled(f"takes [[{key}]] ms", sources) == "takes 0.489 ms"
        assert filled("takes [[originals program=none : mean_us]] ms", sources) == "takes (not measured) ms"

    def said(
        self, rows: Sequence[Fields], judged: Sequence[Judged] = (), again: Sequence[Fields] = (), root: Path = ROOT
    ) -> Sentences:
        here = measured(*rows)
        return Sentences(here, judged, Sources(root, here, measured(*again) if again else None))

    def test_nothing_measured_is_said(self) -> None:
        said = self.said([row("01_sequential", "flat", "8k", 1)])
        assert said.gain("03_cuda_global coalesced", "03_cuda_global naive") == "(not measured)"
        assert said.key("originals program=none : mean_us") == "(not measured)"
        assert re.search("variant=naive size=8k .*: 0 rows of here have", said.wrong[0])
        assert len(said.wrong) == 2

    def test_a_gain_is_that_of_the_rows(self) -> None:
        rows = [row("03_cuda_global", name, "8k", ms, **GPU) for name, ms in (("naive", 8), ("coalesced", 2))]
        said = self.said(rows)
        assert said.gain("03_cuda_global coalesced", "03_cuda_global naive") == "4.00"
        assert said.wrong == []

    def test_a_gain_of_which_the_second_run_says_something_else(self) -> None:
        """The text named a ratio of 1.93, but not the 3.31 of the second run."""

        def rows(simd: float) -> List[Fields]:
            return [row("01_sequential", "nested", "8k", 8), row("01_sequential", "simd", "8k", simd)]

        for again, text in ((2.1, "4.00"), (4, "4.00 (in the second run 2.00)"), (9, "4.00 (in the second run 0.889)")):
            said = self.said(rows(2), again=rows(again))
            assert said.gain("01_sequential simd", "01_sequential nested") == text
            assert len(said.wrong) == int(again == 9), again
        assert "the second run contradicts 4.00: there it is 0.889" in said.wrong[0]
        said = self.said(rows(8.1), again=rows(7.9))
        said.gain("01_sequential simd", "01_sequential nested")
        assert said.wrong == []  # the same time in both

    def test_a_key_that_the_second_run_contradicts_is_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as holder:
            root = Path(holder)
            for folder, flat in (("m", 4), ("m/second_run", 1)):
                write(
                    root / "results" / "reference" / folder / "a.csv",
                    [row("01_sequential", "nested", "8k", 2), row("01_sequential", "flat", "8k", flat)],
                )
            key = "m lab=01_sequential variant=flat : ms over variant=nested"
            with pytest.raises(ReportError, match="the second run contradicts 2.00: there it is 0.500"):
                worked_out(key, Sources(root))
            assert worked_out(key.replace("m lab", "m/second_run lab", 1), Sources(root)) == "0.500"
            said = self.said([row("01_sequential", "nested", "8k", 2)], root=root)
            assert said.key(key) == "2.00 (in the second run 0.500)"
            assert len(said.wrong) == 1

    def test_a_sentence_that_the_rows_contradict_is_named(self) -> None:
        one = Judged(Conclusion(id="A1", report="ariano2023"), (HOLDS, ""), (FAILS, ""))
        said = self.said([row("01_sequential", "flat", "8k", 1)], [one])
        assert (said.holds("A1"), said.fails("A1", "original")) == ("A1", "A1")
        assert (said.wrong, said.both()) == ([], (1, 0))
        assert said.verdict("A1") == "holds; original: does not hold"
        assert [said.count("holds"), said.count("holds", "cazzola2024")] == [1, 0]
        assert repeated([one], [one]) == (1, 1)
        said.fails("A1")
        assert said.wrong == ["A1 (variants): the text says 'does not hold', the rows say 'holds'"]
