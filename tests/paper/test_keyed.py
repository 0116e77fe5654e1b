# SPDX-License-Identifier: MIT
"""Numbers by a key: each has one row, and a text says what the row says; the sentences of the report."""

import re
import shutil
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path

import pytest

from report.make.paper.measurements.keyed import Sources, filled, worked_out
from report.make.paper.measurements.machine import Results, read_folder
from report.make.paper.reports.conclusions import Conclusion, Judged
from report.make.paper.reports.rules import FAILS, HOLDS
from report.make.paper.reports.verdicts import repeated
from report.make.paper.sentences import Sentences
from report.make.plots.files import ReportError
from tests.paper.fabricate import GPU, ROOT, Fields, measured, row, write


class Rows(unittest.TestCase):
    """Made-up rows of a machine named toy, and the committed numbers of the reports."""

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name)
        (self.root / "report/make/paper/data").mkdir(parents=True)
        for name in ("published.csv", "originals.csv"):
            shutil.copy(ROOT / "report/make/paper/data" / name, self.root / "report/make/paper/data")
        write(
            self.root / "results/reference/toy/a.csv",
            [row("a", "v", "480p", 12.345), row("a", "w", "480p", 3), row("a", "v", "4k", 7)],
        )
        self.sources = Sources(self.root)


class Keys(Rows):
    def test_a_column_arithmetic_and_a_ratio(self) -> None:
        for key, shown in (
            ("toy lab=a variant=v size=480p : ms", "12.3"),
            ("toy lab=a variant=v size=480p : ms/1000+width", "853"),
            ("toy variant=v size=480p : ms over variant=w", "4.12"),
            ("toy variant=v size=480p : ms over variant=w size=480p ; 0", "4"),
            ('published table="Table 7" resolution=4K block_dim=16x16 : value', "1.04"),
            ("originals program=heat_map_v1 width=1920 block=1x1024 : mean_us/1000", "9.14"),
        ):
            assert worked_out(key, self.sources) == shown, key

    def test_the_rows_that_the_report_is_made_of(self) -> None:
        """By a selector: what it does not name has its usual value, and the protocol counts before a sweep."""
        write(self.root / "here/a.csv", [row("a", "v", "480p", 4), row("a", "w", "480p", 8, ksize="3")])
        write(
            self.root / "here/a_sweep.csv",
            [row("a", "v", "480p", 1, threads="2"), row("a", "w", "480p", 6, threads="2")],
        )
        sources = Sources(self.root, Results(read_folder(self.root / "here")))
        for key, shown in (
            ("here lab=a variant=v size=480p : ms", "4.00"),
            ("here lab=a variant=w size=480p|4k : ms over variant=v", "1.50"),
            ("here lab=a variant=w ksize=3 : ms over variant=v ksize=5 of kernel_ms_median", "2.00"),
        ):
            assert worked_out(key, sources) == shown, key
        with pytest.raises(ReportError, match="0 rows of here have .*variant=x"):
            worked_out("here lab=a variant=x : ms", sources)

    def test_counters_of_a_launch(self) -> None:
        profile = self.root / "results/reference/toy/profile"
        profile.mkdir()
        (profile / "a.csv").write_text(
            "ID,Kernel Name,Block Size,Metric Name,Metric Value\n"
            '0,"void lab::convolve<View<3>>(int)","(8, 8, 1)",time__duration.sum,"2,000"\n'
            '0,"void lab::convolve<View<3>>(int)","(8, 8, 1)",stores.sum,500\n'
            '1,original(float *),"(8, 8, 1)",stores.sum,400\n',
            encoding="utf-8",
        )
        for key, shown in (
            ("toy/profile/a kernel=convolve : time__duration/1000 ; 1", "2.0"),
            ("toy/profile/a kernel=convolve : stores over kernel=original", "1.25"),
        ):
            assert worked_out(key, self.sources) == shown, key

    def test_a_key_without_its_row_or_number_is_an_error(self) -> None:
        for key, words in (
            ("toy variant=none : ms", "0 rows of toy have variant=none"),
            ("toy variant=v : ms", "2 rows of toy"),
            ("toy variant=w : registers", "'registers' is neither"),
            ("toy variant=w : __import__('os')", "neither"),
            ("toy variant=w : ms**9", "neither"),
            ("toy variant=w : ms/(ms-ms)", "neither"),
            ("toy variant : ms", "not of the form"),
        ):
            with pytest.raises(ReportError, match=words):
                worked_out(key, self.sources)


def said(
    rows: Sequence[Fields], judged: Sequence[Judged] = (), again: Sequence[Fields] = (), root: Path = ROOT
) -> Sentences:
    here = measured(*rows)
    return Sentences(here, judged, Sources(root, here, measured(*again) if again else None))


def test_a_text_without_its_row_says_so() -> None:
    sources = Sources(ROOT)
    key = "originals report=ariano2023 program=own_protocol_global : mean_us/1000"
    assert filled(f"takes [[{key}]] ms", sources) == "takes 0.489 ms"
    assert filled("takes [[originals program=none : mean_us]] ms", sources) == "takes (not measured) ms"
    nothing = said([row("01_sequential", "flat", "8k", 1)])
    assert nothing.gain("03_cuda_global coalesced", "03_cuda_global naive") == "(not measured)"
    assert re.search("variant=naive size=8k .*: 0 rows of here have", nothing.wrong[0])


def test_a_gain_of_which_the_other_run_says_something_else() -> None:
    """The text named a ratio of 1.93, but not the 3.31 of the other run."""
    rows = [row("03_cuda_global", name, "8k", ms, **GPU) for name, ms in (("naive", 8), ("coalesced", 2))]
    assert said(rows).gain("03_cuda_global coalesced", "03_cuda_global naive") == "4.00"

    def both(simd: float) -> list[Fields]:
        return [row("01_sequential", "nested", "8k", 8), row("01_sequential", "simd", "8k", simd)]

    for again, text in ((2.1, "4.00"), (4, "4.00 (in another run 2.00)"), (9, "4.00 (in another run 0.889)")):
        made = said(both(2), again=both(again))
        assert made.gain("01_sequential simd", "01_sequential nested") == text
        assert len(made.wrong) == int(again == 9), again
    assert "the other run contradicts 4.00: there it is 0.889" in made.wrong[0]
    same = said(both(8.1), again=both(7.9))
    same.gain("01_sequential simd", "01_sequential nested")
    assert same.wrong == []  # the same time in both


def test_a_noisy_time_and_a_ratio_of_two_starts_are_marked() -> None:
    """Table 7 printed a noisy 25.2, and ratios of one H200 were of five starts."""
    simd = row("01_sequential", "simd", "8k", 2, noisy="1", boot="b1")
    made = said(
        [row("01_sequential", "nested", "8k", 8, boot="b1"), simd, row("01_sequential", "flat", "8k", 6, boot="b2")]
    )
    assert [made.ms(f"01_sequential {name}") for name in ("nested", "simd")] == ["8.00", "2.00†"]
    assert made.gain("01_sequential simd", "01_sequential nested") == "4.00"
    assert made.gain("01_sequential simd", "01_sequential flat") == "3.00‡"


def test_a_sentence_that_the_rows_contradict_is_named() -> None:
    one = Judged(Conclusion(id="A1", report="ariano2023"), (HOLDS, ""), (FAILS, ""))
    made = said([row("01_sequential", "flat", "8k", 1)], [one])
    assert (made.holds("A1"), made.fails("A1", "original")) == ("A1", "A1")
    assert (made.wrong, made.both()) == ([], (1, 0))
    assert [made.count("holds"), made.count("holds", "cazzola2024")] == [1, 0]
    assert repeated([one], [one]) == (1, 1)
    made.fails("A1")
    assert made.wrong == ["A1 (variants): the text says 'does not hold', the rows say 'holds'"]
