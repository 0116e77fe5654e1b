# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""study/savings.py: rows and figure of lab 10, from a made-up `lab savings`."""

import contextlib
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
try:
    spec = importlib.util.spec_from_file_location("savings", ROOT / "study/savings.py")
    savings = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(savings)
except ImportError:
    savings = None


CLIP = "import sys; from pathlib import Path; at = sys.argv.index; clip = sys.argv[at('--video') + 1]\n"
ROWS = (
    "video,filter,ksize,threshold,stream_share,ffv1_share",
    "{clip},none,,5,0.25,{ffv1}",
    "{clip},median,3,20,0.05,{ffv1}",
)


@unittest.skipIf(savings is None, "matplotlib is not installed")
class Savings(unittest.TestCase):
    def made(self, ffv1):
        """The files that are written, with a lab that prints two rows for each clip; and what the program says."""
        with tempfile.TemporaryDirectory() as base, contextlib.redirect_stdout(io.StringIO()) as said:
            folder, lab = pathlib.Path(base) / "10_noise_filter", pathlib.Path(base) / "labs/10_noise_filter/lab"
            folder.mkdir()
            lab.parent.mkdir(parents=True)
            rows = "\\n".join(ROWS).format(clip="' + clip + '", ffv1=ffv1)
            lab.write_text(f"#!{sys.executable}\n{CLIP}Path(sys.argv[-1]).write_text('{rows}\\n')\n")
            lab.chmod(0o755)
            savings.main(base, base)
            return {path.name: path.read_text() for path in folder.iterdir()}, said.getvalue()

    def test_rows_and_figure(self):
        found, _ = self.made("0.5")
        lines = found["savings.csv"].splitlines()
        self.assertEqual((lines[0], len(lines)), (ROWS[0], 1 + 2 * len(savings.CLIPS)))
        self.assertEqual(lines[1], "black:853x480,none,,5,0.25,0.5")
        for words in ("static: a still scene", "stream, threshold 20", "median 3"):
            self.assertIn(words, found["savings.svg"])

    def test_without_ffmpeg_the_files_stay_as_they_are(self):
        found, said = self.made("")
        self.assertEqual(found, {})
        self.assertIn("left as they are: install an ffmpeg", said)
