# SPDX-License-Identifier: MIT
"""make slurm: what it submits, and how the last job merges the rows."""

import csv
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from tests.tools.slurm_project import Project


class Submission(Project):
    def test_dry_prints_and_writes_nothing(self):
        words = self.make("slurm", "DRY=1", "PARTITION=fast", "ACCOUNT=me", "TIME=20", "LAB=01_sequential").splitlines()
        jobs = [line for line in words if line.startswith("sbatch ")]
        self.assertEqual([re.search("convolab-([a-z]+)", job)[1] for job in jobs], ["build", "cpu", "merge"])
        for job in jobs:
            for option in ("--partition=fast", "--account=me", "--time=20", "--nodes=1", "--exclusive"):
                self.assertIn(f" {option} ", job)
            self.assertNotIn("--gres", job)
        self.assertIn(" --dependency=afterok:BUILD ", jobs[1])
        self.assertIn(" --array=1-4 ", jobs[1])
        self.assertIn(" --dependency=afterany:CPU ", jobs[2])
        self.assertEqual(
            [re.sub(r"\.[0-9a-f]{8} ", " ", line).split("\t")[1] for line in words[-4:]],
            [
                "01_sequential.64x48 cpu 01_sequential --size 64x48",
                "01_sequential_sweep.200x100 cpu 01_sequential --size 200x100 --variant bounds",
                "01_sequential_sweep.320x240 cpu 01_sequential --size 320x240 --variant nested,flat --ksize 3,5",
                "01_sequential_sweep.400x300 cpu 01_sequential --size 400x300 --variant nested,flat --ksize 3,5",
            ],
        )
        self.assertFalse((self.root / "results").exists())

    def test_a_report_and_the_kinds_of_machine(self):
        """SWEEP= takes the lines whose comment names the report; jobs ask for GPUs and nodes if a lab uses them."""
        for name, of_mpi in (("02_gpu", False), ("03_mpi", True)):
            (self.root / "labs" / name).mkdir()
            (self.root / "labs" / name / ("main.cpp" if of_mpi else "main.cu")).touch()
            (self.root / "labs" / name / "sweep.txt").write_text("# mine2024\n--size 4k,8k\n")
        (self.root / "labs/03_mpi/ranks").mkdir()
        labs = "01_sequential 02_gpu 03_mpi"
        words = self.part("submit", LABS=labs, DRY="1", SWEEP="mine2024", GRES="gpu:2", NODES="3").stdout
        asked = {
            re.search("convolab-([a-z]+)", line)[1]: line for line in words.splitlines() if line.startswith("sbatch ")
        }
        self.assertEqual(list(asked), ["build", "cpu", "gpu", "mpi", "merge"])
        self.assertEqual([kind for kind, line in asked.items() if "--gres=gpu:2" in line], ["build", "gpu", "mpi"])
        self.assertEqual([kind for kind, line in asked.items() if "--nodes=3" in line], ["mpi"])
        self.assertEqual(
            [re.search("--array=([^ ]+)", asked[kind])[1] for kind in ("cpu", "gpu", "mpi")], ["1-2", "3-4", "5-6"]
        )
        self.assertIn("--dependency=afterany:CPU:GPU:MPI", asked["merge"])
        done = self.part("submit", DRY="1", SWEEP="yours2024")
        self.assertEqual(
            (done.returncode, done.stderr), (1, "error: no lab's sweep.txt names yours2024 in a comment.\n")
        )

    def test_without_slurm(self):
        self.slurm = {"PATH": "/usr/bin-without-slurm:/bin"} if not shutil.which("sbatch", path="/bin") else {}
        if not self.slurm:
            folder = self.root / "bin"
            folder.mkdir()
            (folder / "python3").symlink_to(Path(sys.executable).resolve())  # the one on the PATH may be a script
            for name in ("make", "bash", "sh", "sed", "nproc", "tr", "grep", "env", "basename", "dirname"):
                (folder / name).symlink_to(shutil.which(name))
            self.slurm = {"PATH": str(folder)}
        self.assertIn("error: there is no sbatch here", self.make("slurm", code=2))
        self.assertIn("run `make slurm` first", self.make("slurm-status", code=2))


class Merge(Project):
    def setUp(self):
        super().setUp()
        (self.state / "tasks").mkdir(parents=True)
        words = self.make("slurm", "DRY=1").splitlines()
        self.tasks = [line.split("\t")[1] for line in words if "\t" in line]
        (self.state / "tasks.txt").write_text("".join(f"{task}\n" for task in self.tasks))
        self.assertEqual(self.part("count").returncode, 0)
        for task in self.tasks:
            name, _, lab, *options = task.split()
            subprocess.run(
                [
                    self.root / f"build/labs/{lab}/lab",
                    "bench",
                    *options,
                    "--iterations",
                    "1",
                    "--csv",
                    self.state / f"tasks/{name}.csv",
                ],
                check=True,
                stderr=subprocess.DEVNULL,
            )
        self.last = self.state / f"tasks/{self.tasks[-1].split()[0]}.csv"

    def rows(self, name):
        merged = next(path for path in self.state.glob(f"*/{name}.csv") if path.parent.name != "tasks")
        return list(csv.DictReader(merged.read_text().splitlines()))

    def test_all_rows_of_a_machine_in_one_folder(self):
        done = self.part("merge")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((len(self.rows("01_sequential")), len(self.rows("01_sequential_sweep"))), (8, 9))
        self.assertRegex(done.stdout, r"17 rows of 4 tasks in results/slurm/.*\n(.*\n)*drawn: --results results/slurm/")
        there = {row["session"] for row in self.rows("sessions")}
        self.assertEqual(
            there, {row["session"] for name in ("01_sequential", "01_sequential_sweep") for row in self.rows(name)}
        )
        self.assertEqual(len(there), len(self.tasks))
        self.assertIn(
            "01_sequential_sweep: 9 of 9 rows\nall: 17 of 17 rows; 4 of 4 tasks\nno job waits",
            self.make("slurm-status"),
        )
        self.assertIn("all rows of 4 tasks are there", self.make("slurm", "DRY=1"))

    def test_a_missing_row_is_named_and_submitted_again(self):
        lines = self.last.read_text().splitlines(keepends=True)
        self.last.write_text("".join(lines[:-1]) + lines[-1][:20])  # half a row
        done = self.part("merge")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"01_sequential_sweep\.400x300\.[0-9a-f]+: 3 of 4 rows are there\nerror: 1 tasks")
        self.assertNotIn("drawn", done.stdout)
        self.assertIn("--array=4 ", self.make("slurm", "DRY=1"))
        self.assertIn("all: 16 of 17 rows; 3 of 4 tasks", self.make("slurm-status"))

    def test_a_task_that_has_only_begun_has_no_row(self):
        self.last.write_text("")
        self.assertIn("all: 13 of 17 rows; 3 of 4 tasks", self.make("slurm-status"))
        self.assertIn("400x300", self.part("merge").stderr)
        self.assertEqual(len(self.rows("01_sequential_sweep")), 5)

    def test_a_row_that_is_there_twice(self):
        lines = self.last.read_text().splitlines(keepends=True)
        self.last.write_text("".join([*lines, lines[-1]]))
        done = self.part("merge")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the row of flat 400x300 is there twice", done.stderr)
        self.assertEqual(len(self.rows("01_sequential_sweep")), 9)

    def test_a_row_that_failed_gives_way_to_a_later_one(self):
        rows = list(csv.reader(self.last.read_text().splitlines()))
        status = rows[0].index("status")
        with open(self.last, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerows([*rows[:-1], [*rows[-1][:status], "failed", *rows[-1][status + 1 :]], rows[-1]])
        self.assertEqual(self.part("merge").returncode, 0)
        self.assertEqual({row["status"] for row in self.rows("01_sequential_sweep")}, {"ok"})


if __name__ == "__main__":
    unittest.main()
