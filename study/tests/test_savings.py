# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""study/savings.py: the table of lab 10's savings.md from rows of `lab savings`."""

import contextlib
import importlib.util
import io
import pathlib
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
try:
    spec = importlib.util.spec_from_file_location("savings", ROOT / "study/savings.py")
    savings = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(savings)
except ImportError:
    savings = None


@unittest.skipIf(savings is None, "matplotlib is not installed")
class Table(unittest.TestCase):
    def rows(self, **changes):
        return [
            {
                "clip": clip,
                "filter": kind,
                "ksize": ksize,
                "threshold": threshold,
                "changed_pixels": "0.25",
                "stream_share": f"0.{threshold}",
                "ffv1_share": "0.5",
                "filtered_psnr_db": "" if kind == "none" else "23.45",
                **changes,
            }
            for clip in savings.CLIPS
            for kind, ksize in savings.IN_TABLE
            for threshold in ("0", "5", "20")
        ]

    def test_a_line_per_clip_and_filter(self):
        lines = savings.table(self.rows()).splitlines()
        self.assertEqual(len(lines), 2 + len(savings.CLIPS) * len(savings.IN_TABLE))
        self.assertEqual(lines[2], "| black | none | 25.0 % | 0.0 % | 50.0 % | 20.0 % | 50.0 % | exact |")
        self.assertTrue(lines[3].startswith("| black | mean 3 |"))
        self.assertTrue(lines[3].endswith("| 23.4 dB |") or lines[3].endswith("| 23.5 dB |"))

    def test_without_ffmpeg_the_files_stay_as_they_are(self):
        with tempfile.TemporaryDirectory() as labs, contextlib.redirect_stdout(io.StringIO()) as said:
            folder = pathlib.Path(labs) / "10_noise_filter"
            folder.mkdir()
            (folder / "savings.csv").write_text("rows\n")
            with mock.patch.object(savings, "measure", lambda build: self.rows(ffv1_share="")):
                savings.main("build", labs)
            self.assertEqual([path.name for path in folder.iterdir()], ["savings.csv"])
            self.assertEqual((folder / "savings.csv").read_text(), "rows\n")
        self.assertIn("left as they are: no ffmpeg", said.getvalue())

    def test_the_committed_table_is_that_of_the_committed_rows(self):
        folder = ROOT / "labs/10_noise_filter"
        with open(folder / "savings.csv", newline="") as file:
            rows = [{**row, "clip": row["video"].split(":")[0]} for row in savings.csv.DictReader(file)]
        self.assertIn(savings.table(rows), (folder / "savings.md").read_text())


if __name__ == "__main__":
    unittest.main()
