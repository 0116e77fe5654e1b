# SPDX-License-Identifier: MIT
"""Numbers by a key: each has one row, and a text says what the row says."""

import shutil
import tempfile
import unittest
from pathlib import Path

import pytest
from fabricate import ROOT, row, write

from study.measurements.keyed import Sources, worked_out
from study.measurements.results import Results, read_folder
from tools.plots.files import ReportError


class Rows(unittest.TestCase):
    """Made-up rows of a machine named toy, and the committed numbers of the reports."""

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name)
        (self.root / "study/data").mkdir(parents=True)
        for name in ("published.csv", "originals.csv"):
            shutil.copy(ROOT / "study/data" / name, self.root / "study/data")
        write(
            self.root / "results/reference/toy/a.csv",
            [row("a", "v", "480p", 12.345), row("a", "w", "480p", 3), row("a", "v", "4k", 7)],
        )
        self.sources = Sources(self.root)


class Keys(Rows):
    def test_a_column_arithmetic_and_a_ratio(self) -> None:
        for key, shown in (
            ("toy lab=a variant=v size=480p : ms", "12.3"),
            ("toy lab=a variant=v size=480p : ms ; 1", "12.3"),
            ("toy lab=a variant=v size=480p : ms/1000+width", "853"),
            ("toy variant=v size=480p : ms over variant=w", "4.12"),
            ("toy variant=v size=480p : ms over variant=w size=480p ; 0", "4"),
            ("toy variant=w : iterations", "100"),
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

    def test_a_ratio_of_two_rows_of_a_sweep_is_of_that_sweep(self) -> None:
        """The protocol's row stood below, of another time of the day."""
        write(
            self.root / "results/reference/toy/a_sweep.csv",
            [row("a", "w", "480p", 5, iterations="20"), row("a", "w", "480p", 10, block="8", iterations="20")],
        )
        assert worked_out("toy variant=w block=8 : ms over block=", self.sources) == "2.00"
        assert worked_out("toy variant=v size=480p : ms over variant=w block=", self.sources) == "4.12"

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
            ("toy/profile/a kernel=lab::convolve : time__duration/1000 ; 1", "2.0"),
            ("toy/profile/a kernel=lab::convolve : stores over kernel=original", "1.25"),
        ):
            assert worked_out(key, self.sources) == shown, key

    def test_a_time_of_another_library(self) -> None:
        (self.root / "results/reference/toy/peers.csv").write_text(
            "peer,function,size,cold,time_ms\nconvolab,device copy,4k,0,0.25\nnpp,Filter,4k,0,0.5\n", encoding="utf-8"
        )
        assert worked_out('toy/peers function="device copy" size=4k : 100/time_ms', self.sources) == "400"

    def test_a_key_without_its_row_or_number_is_an_error(self) -> None:
        for key, words in (
            ("toy variant=none : ms", "0 rows of toy have variant=none"),
            ("toy variant=v : ms", "2 rows of toy"),
            ("toy variant=w : registers", "'registers' is neither"),
            ("toy variant=w : lab", "neither"),
            ("toy variant=w : ms+", "neither"),
            ("toy variant=w : __import__('os')", "neither"),
            ("toy variant=w : ms*'a'", "neither"),
            ("toy variant=w : ms/0", "neither"),
            ("toy variant : ms", "not of the form"),
            ("toy", "expected SOURCE"),
            ("nothing variant=w : ms", "no folder"),
        ):
            with pytest.raises(ReportError, match=words):
                worked_out(key, self.sources)

    def test_the_usual_row_of_several(self) -> None:
        """5x5 Gaussian, border replicate, of the protocol; an error names what tells the others apart."""
        write(
            self.root / "results/reference/other/a.csv",
            [row("a", "v", "480p", 2), row("a", "v", "480p", 3, border="wrap"), row("a", "w", "480p", 4, block="8")],
        )
        write(self.root / "results/reference/other/a_sweep.csv", [row("a", "v", "480p", 5, block="8", iterations="20")])
        assert worked_out("other variant=v : ms", self.sources) == "2.00"
        with pytest.raises(ReportError, match="4 rows of other have size=480p.*differ in border, block$"):
            worked_out("other size=480p : ms", self.sources)
