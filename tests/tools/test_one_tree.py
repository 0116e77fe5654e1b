# SPDX-License-Identifier: MIT
"""The verbs one after the other in one folder of results: the files of one do not stop another."""

import csv
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests.tools.test_verbs import ROOT, make

sys.path.insert(0, str(ROOT / "tools" / "peers"))
from measure import write_rows  # noqa: E402

LAB = "LAB=01_sequential"


class OneTree(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.results = Path(holder.name) / "my results"
        # Uses the programs that the make which runs the tests has built.
        build = [f"{name}={os.environ[name]}" for name in ("BUILD", "CUDA_BACKEND") if os.environ.get(name)]
        self.settings = [f"RESULTS={self.results}", f"PYTHON={sys.executable}", "ITERATIONS=2", "SIZES=480p", *build]

    def verb(self, *arguments, code=0):
        """The output of a verb of the project itself."""
        done, words = make(ROOT, *arguments, *self.settings, CCACHE_DIR=os.environ.get("CCACHE_DIR", ""))
        self.assertEqual(done, code, words)
        return words

    def peers(self):
        """The file of `make peers`, written by hand because its libraries take minutes to compile."""
        with open(self.results / "clips.csv", newline="", encoding="utf-8") as file:
            machine = next(csv.DictReader(file))["machine"]
        row = {"peer": "scipy", "size": "480p", "width": 853, "height": 480, "ksize": 5, "machine": machine}
        write_rows(self.results / "peers.csv", [{**row, "time_ms": 1, "ratio": 2}])

    def library(self):
        """Rows of `make bench-library`, which needs a GPU, of a tiny picture."""
        program = ROOT / os.environ.get("BUILD", "build") / "tools/library/lab"
        options = "bench --ksize 3 --size 64x8 --iterations 2 --csv".split()
        subprocess.run([program, *options, self.results / "library_sweep.csv"], stderr=subprocess.DEVNULL, check=True)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed: no figure is drawn")
    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not installed: no clip is written")
    def test_each_verb_after_all_others(self):
        self.verb("exercise", LAB, "N=1", code=2)  # the starter
        self.assertIn("run `make bench` first", self.verb("plots", code=2))
        self.verb("verify", LAB, "VARIANT=simd")
        self.verb("bench", LAB, "VARIANT=simd")
        self.verb("clips", "VIDEO=moving:96x64")
        self.peers()
        self.library()
        if not shutil.which("nvidia-smi"):
            for verb in ("timeline", "bench-library"):
                self.assertIn(f"'make {verb}' needs a GPU", self.verb(verb, code=2))
        words = self.verb("plots")
        self.assertIn("Identical to the reference, byte for byte: 1 variant", words)
        page = (self.results / "report/report.md").read_text(encoding="utf-8")
        for part in ("## Clips", "## Other libraries", "## library", "The folder also has exercises.csv."):
            self.assertIn(part, page)
        self.assertIn("0 slower", self.verb("compare", f"A={self.results}", f"B={self.results}"))
        self.assertIn("measured already", self.verb("bench", LAB, "VARIANT=simd"))


if __name__ == "__main__":
    unittest.main()
