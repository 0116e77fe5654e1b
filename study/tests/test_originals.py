# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The reports' own programs: which variant stands for each, which row, the tables, the commands."""

import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Dict, List

from fabricate import ROOT, row, write

from study.measurements.csv_file import ReportError
from study.measurements.originals import Original, read_originals
from study.measurements.rows import read_folder
from study.measurements.selection import Results
from study.reports.own_programs import comparison, pairs_of, summary

FILE = ROOT / "study" / "data" / "originals.csv"
BUILD = Path(os.environ.get("CONVOLAB_BUILD", ROOT / "build"))
GPU = dict(backend="cuda", device="NVIDIA H200")
SQUARE = dict(
    size="8192x8192", width="8192", height="8192", channels="1", type="int32", border="constant", filter="box"
)


def measured(*rows: Dict[str, str]) -> Results:
    """The rows, written to a file and read again."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "a_sweep.csv", rows)
        return Results(read_folder(Path(folder)))


def gray(ms: float, /, **changes: str) -> Dict[str, str]:
    """Our row of chisci2024's const at 8192x8192, 5x5, B 16."""
    return row("04_cuda_constant", "gray", "480p", ms, **{**GPU, **SQUARE, "block": "16", **changes})


class Originals(unittest.TestCase):
    originals: List[Original]

    @classmethod
    def setUpClass(cls) -> None:
        cls.originals = read_originals(FILE)

    def one(self, program: str, *job: int) -> Original:
        """The time of a program with this width, side of the filter and of the block."""
        (found,) = [one for one in self.originals if (one.program, one.width, one.ksize, one.side) == (program, *job)]
        return found

    def test_what_is_read(self) -> None:
        """The four reports on convolution; no CPU times, no cold launches, no videostream2021."""
        self.assertEqual(len(self.originals), 372)
        self.assertEqual({one.gpu for one in self.originals}, {"H200"})
        reports = {"ariano2023", "cazzola2024", "chisci2024", "delbimbo2024"}
        self.assertEqual({one.report for one in self.originals}, reports)
        self.assertEqual(self.one("shared_v2", 7680, 5, 16).ms, 0.741256)
        # three launches of one channel are three times our job
        self.assertAlmostEqual(self.one("global", 3840, 9, 16).ms, 1.035702 / 3)
        self.assertEqual(self.one("global", 8192, 9, 16).ms, 2.753181)

    def test_a_tile_of_more_than_two_rounds_has_another_variant(self) -> None:
        for ksize, side, variant in ((9, 16, "n_batch"), (7, 16, "two_batch"), (9, 32, "two_batch")):
            self.assertEqual(self.one("shared_AoS", 3840, ksize, side).variant, variant)

    def test_every_variant_exists(self) -> None:
        for one in self.originals:
            names = (ROOT / "labs" / one.ours.lab / "main.cu").read_text(encoding="utf-8")
            self.assertIn(f"&{one.variant}", names, one.ours.lab)

    def test_no_number(self) -> None:
        header = "report,program,width,height,channels,ksize,block,where,mean_us,output"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "originals.csv"
            for value in ("fast", "0", "-1", ""):
                path.write_text(f"{header}\nariano2023,global,8,8,3,5,16,H200,{value},right\n")
                with self.assertRaisesRegex(ReportError, f"line 2.*mean_us holds '{value}'"):
                    read_originals(path)

    def test_only_the_same_job_on_the_same_gpu_is_compared(self) -> None:
        original = self.one("const", 8192, 5, 16)
        found = original.row(measured(gray(2.5)))
        assert found is not None
        self.assertEqual(found.ms, 2.5)
        for change in (
            "device=NVIDIA H100",
            "device=NVIDIA GH200",
            "block=32",
            "border=replicate",
            "type=uint8",
            "channels=3",
            "ksize=3",
            "width=4096",
            "variant=soa",
            "cold=1",
            "lab=03_cuda_global",
            "backend=cuda_on_cpu",
        ):
            self.assertIsNone(original.row(measured(gray(2.5, **dict([change.split("=")])))), change)

    def test_the_latest_row_and_its_median_count(self) -> None:
        rows = [
            gray(9, filter="gaussian", date="2026-01-01T00:00:00Z"),
            gray(4, kernel_ms_median="2.0", date="2026-03-01T00:00:00Z"),
        ]
        (pair,) = [pair for pair in pairs_of(measured(*rows), self.originals) if pair.row]
        self.assertAlmostEqual(pair.ratio or 0, 2.0 / 1.039217)

    def test_a_row_of_random_numbers_stands_for_a_program_that_ran_on_them(self) -> None:
        """The latest row once counted, of whatever picture, so the one time of a kernel was two in the report."""
        random = gray(8, image="random", date="2026-02-01T00:00:00Z")
        scene = gray(4, image="scene", filter="gaussian", date="2026-03-01T00:00:00Z")
        found = self.one("const", 8192, 5, 16).row(measured(random, scene))
        assert found is not None
        self.assertEqual((found.image, found.ms), ("random", 8))

    def test_summary_and_tables(self) -> None:
        refused = gray(1, ksize="9", status="unsupported", reason="too large")
        pairs = pairs_of(measured(gray(2), gray(1.224, block="32"), refused), self.originals, "04_cuda_constant")
        words, by_program = comparison("x", pairs)
        self.assertEqual(words, summary(pairs))
        self.assertRegex(
            words,
            r"^In the median our variant takes 1\.46 times as long as the report's own program\. The largest "
            r"ratio is 1\.92 \(chisci2024 const, 8192x8192, K 5, B 16\); above 1\.03: 1\. Compared: "
            r"2 of 66 configurations; our variant refuses 1\.$",
        )
        self.assertIn(["chisci2024 const", "gray", "right", "2 of 30", "1.01", "1.92", "1"], by_program.rows)
        self.assertIn(["ariano2023 constant", "padded", "right", "0 of 12", "–", "–", "–"], by_program.rows)
        nothing = pairs_of(measured(gray(2, device="other")), self.originals, "04_cuda_constant")
        self.assertIn("None of the 66", summary(nothing))

    def test_the_commands_cover_every_row(self) -> None:
        """Each configuration is in one command, and the lab takes the command's options."""
        command = [sys.executable, str(ROOT / "study"), "plan", "--build", str(BUILD)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8")
        covered: Dict[tuple, Dict[str, str]] = {}
        for line in done.stdout.splitlines():
            words = shlex.split(line)
            self.assertEqual(words[1], "bench")
            option = dict(zip(words[2::2], words[3::2]))
            for size in option["--size"].split(","):
                for ksize in option["--ksize"].split(","):
                    job = (option["--type"], option["--channels"], option["--border"])
                    picture = (Path(words[0]).parent.name, *job, size, ksize)
                    self.assertNotIn(picture, covered, "a picture in two commands")
                    covered[picture] = option
            if Path(words[0]).exists():
                small = [word if word != option["--size"] else "40x30" for word in words]
                small[small.index("--csv") :] = ["--plan"]
                planned = subprocess.run(small, capture_output=True, encoding="utf-8", check=False)
                self.assertEqual((planned.returncode, planned.stderr), (0, ""), line)
        for one in self.originals:
            ours = one.ours
            picture = (ours.lab, ours.type, str(ours.channels), ours.border, one.size_name, str(one.ksize))
            self.assertIn(one.variant, covered[picture]["--variant"].split(","))
            self.assertIn(str(one.side), covered[picture]["--block"].split(","))


if __name__ == "__main__":
    unittest.main()
