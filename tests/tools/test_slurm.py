# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""make slurm, in a project of one real lab: what it submits, and on a Slurm of its own that no row is lost or doubled
when a program is killed and a task goes back into the queue."""
import csv
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests.tools.slurm_cluster import CannotRun, Cluster

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
        (self.root / "tools/report/__main__.py").write_text("import sys; print('drawn:', *sys.argv[1:])\n")
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
        done = subprocess.run(["make", "SIZES=64x48", *arguments], cwd=self.root, timeout=100, text=True, check=False,
                              env={**inherited, **self.slurm}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def part(self, verb, **settings):
        """A verb of tools/slurm, as in a job."""
        return subprocess.run(["python3", "tools/slurm", verb], cwd=self.root, timeout=100, text=True, check=False,
                              env={**os.environ, "LABS": "01_sequential", "SIZES": "64x48", "RESULTS": "results",
                                   "BUILD": "build", "TIME": "10", "LAB": "", **settings}, capture_output=True)


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
        self.assertEqual([re.sub(r"\.[0-9a-f]{8} ", " ", line).split("\t")[1] for line in words[-4:]],
                         ["01_sequential.64x48 cpu 01_sequential --size 64x48",
                          "01_sequential_sweep.200x100 cpu 01_sequential --size 200x100 --variant bounds",
                          "01_sequential_sweep.320x240 cpu 01_sequential --size 320x240 --variant nested,flat --ksize 3,5",
                          "01_sequential_sweep.400x300 cpu 01_sequential --size 400x300 --variant nested,flat --ksize 3,5"])
        self.assertFalse((self.root / "results").exists())

    def test_a_report_and_the_kinds_of_machine(self):
        """SWEEP= takes the lines whose comment names the report; GPUs and nodes are asked for where a lab uses them."""
        for name, of_mpi in (("02_gpu", False), ("03_mpi", True)):
            (self.root / "labs" / name).mkdir()
            (self.root / "labs" / name / ("main.cpp" if of_mpi else "main.cu")).touch()
            (self.root / "labs" / name / "sweep.txt").write_text("# mine2024\n--size 4k,8k\n")
        (self.root / "labs/03_mpi/ranks").mkdir()
        labs = "01_sequential 02_gpu 03_mpi"
        words = self.part("submit", LABS=labs, DRY="1", SWEEP="mine2024", GRES="gpu:2", NODES="3").stdout
        asked = {re.search("convolab-([a-z]+)", line)[1]: line for line in words.splitlines() if line.startswith("sbatch ")}
        self.assertEqual(list(asked), ["build", "cpu", "gpu", "mpi", "merge"])
        self.assertEqual([kind for kind, line in asked.items() if "--gres=gpu:2" in line], ["build", "gpu", "mpi"])
        self.assertEqual([kind for kind, line in asked.items() if "--nodes=3" in line], ["mpi"])
        self.assertEqual([re.search("--array=([^ ]+)", asked[kind])[1] for kind in ("cpu", "gpu", "mpi")],
                         ["1-2", "3-4", "5-6"])
        self.assertIn("--dependency=afterany:CPU:GPU:MPI", asked["merge"])
        done = self.part("submit", DRY="1", SWEEP="yours2024")
        self.assertEqual((done.returncode, done.stderr), (1, "error: no lab's sweep.txt names yours2024 in a comment.\n"))

    def test_without_slurm(self):
        self.slurm = {"PATH": "/usr/bin-without-slurm:/bin"} if not shutil.which("sbatch", path="/bin") else {}
        if not self.slurm:
            folder = self.root / "bin"
            folder.mkdir()
            for name in ("make", "python3", "bash", "sh", "sed", "nproc", "tr", "grep", "env", "basename", "dirname"):
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
            subprocess.run([self.root / f"build/labs/{lab}/lab", "bench", *options, "--iterations", "1", "--csv",
                            self.state / f"tasks/{name}.csv"], check=True, stderr=subprocess.DEVNULL)
        self.last = self.state / f"tasks/{self.tasks[-1].split()[0]}.csv"

    def rows(self, name):
        return list(csv.DictReader(next(self.state.glob(f"*/{name}.csv")).read_text().splitlines()))

    def test_all_rows_of_a_machine_in_one_folder(self):
        done = self.part("merge")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((len(self.rows("01_sequential")), len(self.rows("01_sequential_sweep"))), (7, 9))
        self.assertRegex(done.stdout, r"16 rows of 4 tasks in results/slurm/.*\n(.*\n)*drawn: --results results/slurm/")
        self.assertIn("01_sequential_sweep: 9 of 9 rows\nall: 16 of 16 rows; 4 of 4 tasks\nno job waits", self.make("slurm-status"))
        self.assertIn("all rows of 4 tasks are there", self.make("slurm", "DRY=1"))

    def test_a_missing_row_is_named_and_submitted_again(self):
        lines = self.last.read_text().splitlines(keepends=True)
        self.last.write_text("".join(lines[:-1]) + lines[-1][:20])  # half a row
        done = self.part("merge")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"01_sequential_sweep\.400x300\.[0-9a-f]+: 3 of 4 rows are there\nerror: 1 tasks")
        self.assertNotIn("drawn", done.stdout)
        self.assertIn("--array=4 ", self.make("slurm", "DRY=1"))
        self.assertIn("all: 15 of 16 rows; 3 of 4 tasks", self.make("slurm-status"))

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
            writer.writerows([*rows[:-1], [*rows[-1][:status], "failed", *rows[-1][status + 1:]], rows[-1]])
        self.assertEqual(self.part("merge").returncode, 0)
        self.assertEqual({row["status"] for row in self.rows("01_sequential_sweep")}, {"ok"})


class InAJob(Project):
    """tools/slurm/task.sh, with a program that writes a row and waits, and a Slurm that only prints."""
    def start(self, state):
        for name, words in (("squeue", f"echo {state}"), ("scontrol", 'echo "$@"')):
            program = self.root / "bin" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(f"#!/bin/sh\n{words}\n")
            program.chmod(0o755)
        (self.root / f"build/{LAB}/lab").write_text(
            "#!/bin/bash\nfor csv; do [ \"$before\" = --csv ] && break; before=$csv; done\necho row >> \"$csv\"\n"
            "echo \"has $(wc -l <\"$csv\")\"\nexec sleep 100\n")
        (self.state / "tasks").mkdir(parents=True, exist_ok=True)
        (self.state / "tasks.txt").write_text("other cpu 09 x\na.b cpu 01_sequential --size 64x48\n")
        job = subprocess.Popen(["tools/slurm/task.sh"], cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, start_new_session=True, env={
                                   "PATH": f"{self.root}/bin:{os.environ['PATH']}", "SLURM_ARRAY_TASK_ID": "2",
                                   "SLURM_ARRAY_JOB_ID": "7", "RESULTS": "results", "BUILD": "build", "ITERATIONS": "1",
                                   "WARMUP": "0", "PINNING": "on"})
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

    def logs(self):
        return "\n".join(f"{path.name}: {path.read_text()}" for path in sorted(self.state.glob("logs/*.log")))

    def until(self, condition, seconds=40):
        self.cluster.wait_until(condition, seconds,
                                lambda: self.cluster.ask("squeue", "-r") + self.logs())

    def program(self):
        """The number of the lab's process that runs, if one does."""
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().split(b"\0")
                if words[:2] == [f"build/{LAB}/lab".encode(), b"bench"] and os.readlink(path.parent / "cwd") == str(self.root):
                    return int(path.parent.name), words[words.index(b"--csv") + 1].decode()
            except OSError:
                continue
        return None

    def start_now(self):
        """Slurm lets a task that was put back wait for two minutes; here it need not."""
        for job in self.cluster.ask("squeue", "-h", "-r", "-t", "PENDING", "-o", "%A %r").splitlines():
            if job.split()[1] == "BeginTime":
                self.cluster.ask("scontrol", "update", f"JobId={job.split()[0]}", "StartTime=now")

    def next_program(self, *before):
        """The first program that is not of a task that was there before."""
        self.until(lambda: self.program() and self.program()[1] not in before)
        return self.program()

    def all_over(self):
        self.start_now()
        return not self.cluster.ask("squeue", "-h").strip()

    def test_killed_put_back_and_out_of_time(self):
        words = self.make("slurm", "ITERATIONS=60", "TIME=5")
        self.assertRegex(words, r"4 of 4 tasks submitted: build \d+, cpu \d+, merge \d+")
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
        self.assertRegex(logs, rf"{re.escape(name)}: 0 of \d rows are there\nerror: 1 task")
        self.assertNotIn("drawn", logs)

        self.assertIn("1 of 4 tasks submitted", self.make("slurm", "ITERATIONS=60", "TIME=5"))
        self.until(self.all_over)
        logs = self.logs()
        self.assertIn("16 rows of 4 tasks", logs)
        self.assertIn("drawn: --results results/slurm/", logs)
        self.assertIn("all: 16 of 16 rows; 4 of 4 tasks\nno job waits or runs", self.make("slurm-status"))
        merged = [row for path in self.state.glob("*/01_*.csv") if path.parent.name != "tasks"
                  for row in csv.DictReader(path.read_text().splitlines())]
        self.assertEqual(len(merged), 16)
        self.assertEqual(len({(row["variant"], row["size"], row["ksize"]) for row in merged}), 16)

    def running(self, array):
        tasks = self.cluster.ask("squeue", "-h", "-r", "-t", "RUNNING", "-o", "%i", "-j", array).split()
        self.assertEqual(len(tasks), 1)
        return tasks


if __name__ == "__main__":
    unittest.main()
