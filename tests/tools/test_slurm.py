# SPDX-License-Identifier: MIT
"""The job scripts of tools/slurm. If Slurm is installed, a separate one runs a job."""

import csv
import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import pytest

from tests.tools.slurm_cluster import CannotRun, Cluster

ROOT = Path(__file__).resolve().parents[2]
LAB = "labs/01_sequential"
SWEEP = "--variant nested,flat --size 300x200,320x240,340x240\n"  # seconds each


class Scripts(unittest.TestCase):
    def test_each_lab_is_a_task_of_its_kind(self):
        kinds = {}
        for main in sorted(ROOT.glob("labs/*/main.c*")):
            kind = "mpi" if (main.parent / "ranks").is_dir() else "gpu" if main.suffix == ".cu" else "cpu"
            kinds.setdefault(kind, set()).add(int(main.parent.name[:2]))
        for kind, labs in kinds.items():
            array = re.search("--array=(.*)", (ROOT / f"tools/slurm/{kind}.sbatch").read_text())[1]
            ends = [list(map(int, part.split("-"))) for part in array.split(",")]
            self.assertEqual({lab for end in ends for lab in range(end[0], end[-1] + 1)}, labs, kind)


class Jobs(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name) / "a folder"
        build = self.root / "build/slurm/01_sequential"
        for folder in (self.root / LAB, self.root / "data/generated", build / "data", build / LAB):
            folder.mkdir(parents=True)
        for name in ("Makefile", "config.mk"):
            shutil.copy(ROOT / name, self.root)
        shutil.copytree(ROOT / "tools", self.root / "tools")
        (self.root / "tools/build.mk").write_text(".DEFAULT: ; @true\n")
        (self.root / LAB / "main.cpp").touch()
        (self.root / LAB / "sweep.txt").write_text(SWEEP)
        (build / "data/make_data").symlink_to("/bin/true")
        lab = ROOT / os.environ.get("CONVOLAB_BUILD", "build") / LAB / "lab"
        if not lab.exists():
            self.skipTest(f"{lab} is not built")
        shutil.copy(lab, build / LAB)
        (Path(holder.name) / "slurm").mkdir()
        try:
            self.cluster = Cluster(Path(holder.name) / "slurm")
        except CannotRun as why:
            self.skipTest(str(why))
        self.addCleanup(self.cluster.stop)

    def submit(self):
        arguments = ("--parsable", "--array=1", "tools/slurm/cpu.sbatch", "SIZES=64x48", "ITERATIONS=250")
        return self.cluster.ask("sbatch", *arguments, cwd=self.root).strip()

    def words(self):
        return self.cluster.ask("squeue") + "".join(path.read_text() for path in self.root.glob("slurm-*.log"))

    def until(self, condition):
        self.cluster.wait_until(condition, 120, self.words)

    def is_over(self):
        return not self.cluster.ask("squeue", "-h").strip()

    def rows(self, name):
        path = self.root / f"results/slurm/{name}.csv"
        return list(csv.DictReader(path.read_text().splitlines())) if path.exists() else []

    @pytest.mark.long
    def test_an_ended_job_that_is_sent_again_measures_what_is_missing(self):
        job = self.submit()
        self.until(lambda: self.rows("01_sequential_sweep") or self.is_over())
        self.cluster.ask("scancel", job)
        self.until(self.is_over)
        before = self.rows("01_sequential_sweep")
        self.assertLess(len(before), 6, self.words())
        self.submit()
        self.until(self.is_over)
        rows = self.rows("01_sequential_sweep")
        self.assertEqual(rows[: len(before)], before, self.words())
        self.assertEqual((len(rows), len({(row["variant"], row["size"]) for row in rows})), (6, 6), self.words())
        self.assertEqual({row["status"] for row in rows}, {"ok"})
        measured = self.rows("01_sequential")
        self.assertEqual(len({row["variant"] for row in measured}), len(measured))
        self.assertEqual({row["size"] for row in measured}, {"64x48"})


if __name__ == "__main__":
    unittest.main()
