# SPDX-License-Identifier: MIT
"""make slurm in jobs: no row is lost or doubled when a program is killed, a task goes back into the queue,
or its time is up. If Slurm is installed, the tests start a separate one."""

import csv
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from tests.tools.slurm_cluster import CannotRun, Cluster
from tests.tools.slurm_project import LAB, Project

LONG = "# mine2024\n--variant nested,flat --size 300x200,320x240,340x240\n"


class InAJob(Project):
    """tools/slurm/task.sh, with a program that writes a row and waits, and a Slurm that only prints."""

    def start(self, state):
        for name, words in (("squeue", f"echo {state}"), ("scontrol", 'echo "$@"')):
            program = self.root / "bin" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(f"#!/bin/sh\n{words}\n")
            program.chmod(0o755)
        (self.root / f"build/{LAB}/lab").write_text(
            '#!/bin/bash\nfor csv; do [ "$before" = --csv ] && break; before=$csv; done\necho row >> "$csv"\n'
            'echo "has $(wc -l <"$csv")"\nexec sleep 100\n'
        )
        (self.state / "tasks").mkdir(parents=True, exist_ok=True)
        (self.state / "tasks.txt").write_text("other cpu 09 x\na.b cpu 01_sequential --size 64x48\n")
        job = subprocess.Popen(
            ["tools/slurm/task.sh"],
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            env={
                "PATH": f"{self.root}/bin:{os.environ['PATH']}",
                "SLURM_ARRAY_TASK_ID": "2",
                "SLURM_ARRAY_JOB_ID": "7",
                "RESULTS": "results",
                "BUILD": "build",
                "ITERATIONS": "1",
                "WARMUP": "0",
                "PINNING": "on",
            },
        )
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.wait)
        self.addCleanup(self.end, job)
        self.assertIn("a.b on ", job.stdout.readline())
        self.assertEqual(job.stdout.readline(), "has 1\n")
        return job

    @staticmethod
    def end(job):
        try:
            os.killpg(job.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def test_its_time_is_up(self):
        job = self.start("RUNNING")
        os.kill(job.pid, signal.SIGUSR1)
        self.assertEqual(job.stdout.readline(), "a.b: its time is up; it goes back into the queue\n")
        self.assertEqual(job.stdout.readline(), "requeue 7_2\n")

    def test_it_was_cancelled(self):
        job = self.start("")
        os.kill(job.pid, signal.SIGUSR1)
        self.assertEqual(job.wait(20), 1)
        self.assertEqual(job.stdout.read(), "")


class RealSlurm(Project):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        try:
            self.cluster = Cluster(folder.name)
        except CannotRun as why:
            self.skipTest(str(why))
        self.addCleanup(self.cluster.stop)
        self.slurm = self.cluster.environment
        self.put_back = {}  # when a job was first seen so
        (self.root / LAB / "sweep.txt").write_text(LONG)  # seconds each

    def logs(self):
        return "\n".join(f"{path.name}: {path.read_text()}" for path in sorted(self.state.glob("logs/*.log")))

    def until(self, condition, seconds=120):
        self.cluster.wait_until(condition, seconds, lambda: self.cluster.ask("squeue", "-r") + self.logs())

    def program(self):
        """The number of the lab's process that runs, if one does."""
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().split(b"\0")
                if (
                    words[0] == f"build/{LAB}/lab".encode()
                    and b"--csv" in words
                    and os.readlink(path.parent / "cwd") == str(self.root)
                ):
                    return int(path.parent.name), words[words.index(b"--csv") + 1].decode()
            except OSError:
                continue
        return None

    def start_now(self):
        """Slurm lets a task that was put back wait for two minutes; here it need not. But not in the second in which
        it was ended: its node would not take it."""
        for job in self.cluster.ask("squeue", "-h", "-r", "-t", "PENDING", "-o", "%A %r").splitlines():
            number, reason = job.split()
            if reason == "BeginTime" and time.monotonic() > self.put_back.setdefault(number, time.monotonic()) + 3:
                self.cluster.ask("scontrol", "update", f"JobId={number}", "StartTime=now")

    def next_program(self, *before):
        """The first program that is not of a task that was there before."""
        found = []

        def is_there():
            found[:] = self.program() or []
            return found and found[1] not in before

        self.until(is_there)
        return found

    def all_over(self):
        self.start_now()
        return not self.cluster.ask("squeue", "-h").strip()

    def test_killed_put_back_and_out_of_time(self):
        settings = ("SWEEP=mine2024", "ITERATIONS=250", "TIME=5")
        words = self.make("slurm", *settings)
        self.assertRegex(words, r"3 of 3 tasks submitted: build \d+, cpu \d+, merge \d+")
        self.assertIn("are still there", self.make("slurm", code=2))
        array = re.search(r"cpu (\d+)", words)[1]

        number, first = self.next_program()
        os.kill(number, signal.SIGKILL)
        self.until(lambda: "goes back into the queue" in self.logs())
        _, second = self.next_program(first)
        self.cluster.ask("scontrol", "requeue", *self.running(array))
        _, third = self.next_program(first, second)
        self.cluster.ask("scancel", "--batch", "--signal=USR1", *self.running(array))
        self.until(self.all_over)
        logs = self.logs()
        self.assertEqual(logs.count(" start 2: "), 2, logs)
        name = Path(third).stem
        self.assertIn(f"error: {name}: its time is up, and no row was finished", logs)
        self.assertRegex(logs, rf"{re.escape(name)}: 0 of \d rows are there\n4 rows of 3 tasks in .*\nerror: 1 task")
        self.assertNotIn("drawn", logs)

        self.assertIn("1 of 3 tasks submitted", self.make("slurm", *settings))
        self.until(self.all_over)
        logs = self.logs()
        self.assertIn("6 rows of 3 tasks", logs)
        self.assertIn("drawn: --results results/slurm/", logs)
        self.assertIn("all: 6 of 6 rows; 3 of 3 tasks\nno job waits or runs", self.make("slurm-status"))
        merged = [
            row
            for path in self.state.glob("*/01_*.csv")
            if path.parent.name != "tasks"
            for row in csv.DictReader(path.read_text().splitlines())
        ]
        self.assertEqual(len(merged), 6)
        self.assertEqual(len({(row["variant"], row["size"], row["ksize"]) for row in merged}), 6)

    def running(self, array):
        tasks = self.cluster.ask("squeue", "-h", "-r", "-t", "RUNNING", "-o", "%i", "-j", array).split()
        self.assertEqual(len(tasks), 1)
        return tasks


if __name__ == "__main__":
    unittest.main()
