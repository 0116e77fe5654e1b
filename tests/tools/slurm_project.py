# SPDX-License-Identifier: MIT
"""A project of one real lab, in a new folder, for the tests of make slurm."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAB = "labs/01_sequential"
SWEEP = """# Of nobody's report.
--variant bounds --size 200x100
# mine2024, Table 1: two sizes
# and two filters.
--variant nested,flat --ksize 3,5 --size 320x240,400x300
"""


class Project(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name) / "a folder"
        for folder in (LAB, "build/data", f"build/{LAB}"):
            (self.root / folder).mkdir(parents=True)
        for name in ("Makefile", "config.mk"):
            shutil.copy(ROOT / name, self.root)
        shutil.copytree(ROOT / "tools", self.root / "tools")
        (self.root / "tools/build.mk").write_text(".DEFAULT: ; @true\n")
        (self.root / "tools/plots/__main__.py").write_text("import sys; print('drawn:', *sys.argv[1:])\n")
        (self.root / "tools/find_python.sh").write_text("#!/bin/sh\ncommand -v python3\n")
        (self.root / LAB / "main.cpp").touch()
        (self.root / LAB / "sweep.txt").write_text(SWEEP)
        make_data = self.root / "build/data/make_data"
        make_data.write_text("#!/bin/sh\nmkdir -p data/generated\n")
        make_data.chmod(0o755)
        lab = ROOT / os.environ.get("CONVOLAB_BUILD", "build") / LAB / "lab"
        if not lab.exists():
            self.skipTest(f"{lab} is not built")
        shutil.copy(lab, self.root / f"build/{LAB}")
        self.slurm = {}
        self.state = self.root / "results/slurm"

    def make(self, *arguments, code=0):
        inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        done = subprocess.run(
            ["make", "SIZES=64x48", *arguments],
            cwd=self.root,
            timeout=100,
            text=True,
            check=False,
            env={**inherited, **self.slurm},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def part(self, verb, **settings):
        """A verb of tools/slurm, as in a job."""
        return subprocess.run(
            ["python3", "tools/slurm", verb],
            cwd=self.root,
            timeout=100,
            text=True,
            check=False,
            env={
                **os.environ,
                "LABS": "01_sequential",
                "SIZES": "64x48",
                "RESULTS": "results",
                "BUILD": "build",
                "TIME": "10",
                "LAB": "",
                **settings,
            },
            capture_output=True,
        )
