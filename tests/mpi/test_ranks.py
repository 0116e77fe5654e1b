# SPDX-License-Identifier: MIT
"""Lab 11 as a user calls it: the bytes on 1 to 7 ranks, errors, and a run whose rank dies."""

import os
import pathlib
import select
import signal
import subprocess
import tempfile
import time
import unittest

import pytest

from tests.driver.test_lab import BUILD, call, rows

LAB = BUILD / "labs/11_mpi/lab"
LONG = ("--size", "480p", "--passes", "20", "--iterations", "1000000")
BORDERS = ("constant:77", "replicate", "reflect", "reflect101", "wrap", "valid", "renormalise")
ON_CPU = ("--variant", "scatter,halo,overlap,wide_halo,grid,io")
CPU_VARIANTS = ["scatter", "halo", "overlap", "wide_halo", "grid", "io"]
GPU_VARIANTS = ["gpu", "gpu_overlap", "gpu_direct", "gpu_nccl"]


def heed():
    """Ctrl-C works, even if these tests run in a script's background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def is_cuda_aware():
    """Whether the installed Open MPI is CUDA-aware."""
    words = call("ompi_info", "--parsable", "--all").stdout
    return "mpi_built_with_cuda_support:value:true" in words


@unittest.skipUnless(LAB.exists(), "lab 11 is not built: it needs MPI (openmpi-bin and libopenmpi-dev)")
class MpiTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.csv = self.folder / "rows.csv"

    def bench(self, *options):
        """The rows of a bench, for tests that do not use the times."""
        done = call(
            LAB,
            "bench",
            "--iterations",
            "1",
            "--warmup",
            "0",
            "--no-pinning",
            "--kernel-only",
            "--csv",
            self.csv,
            *options,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return rows(self.csv)

    def refused(self, done, code, *words):
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(errors), 1, done.stderr)
        for word in words:
            self.assertIn(word, errors[0])


class TheBytes(MpiTest):
    """bench compares the output with the reference before and after it takes times."""

    @pytest.mark.long
    def test_every_border_on_1_to_7_ranks_with_uneven_bands(self):
        for place, border in enumerate(BORDERS):
            with self.subTest(border=border):
                found = self.bench(
                    *ON_CPU,
                    "--border",
                    border,
                    "--filter",
                    "box",
                    "--ksize",
                    ("3", "5")[place % 2],
                    "--ranks",
                    "1,2,3,5,7",
                    "--passes",
                    "1,5",
                    "--halo-passes",
                    "2",
                    "--image",
                    "random",
                    "--size",
                    "61x45",
                )
                wrong = [
                    (row["variant"], row["ranks"], row["passes"], row["ksize"], row["status"], row["reason"])
                    for row in found
                    if row["status"] != "ok"
                ]
                self.assertEqual(wrong, [])
                self.assertEqual(len(found), len(CPU_VARIANTS) * 5 * 2)
                self.csv.unlink()

    def test_verify_compares_every_variant_with_every_border(self):
        done = call(LAB, "verify", "--quick", "--csv", self.csv)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("reachable", done.stderr)  # a message of Open MPI 5.0.7
        found = rows(self.csv)
        compared = {(row["variant"], row["border"], row["ksize"]) for row in found if row["status"] == "ok"}
        self.assertLessEqual(
            {
                (variant, border, ksize)
                for variant in CPU_VARIANTS + self.possible(found)
                for border in BORDERS
                for ksize in ("3", "5")
            },
            compared,
        )

    def possible(self, found):
        """The emulator runs all variants; on GPUs it depends on the libraries."""
        if not any(row["backend"] == "cuda" for row in found):
            return GPU_VARIANTS
        return ["gpu", "gpu_overlap"] + ["gpu_direct"] * is_cuda_aware()

    @pytest.mark.long
    def test_a_gpu_per_rank_with_both_kernels_and_every_border(self):
        for border in BORDERS:
            kernels = ("1",) if border == "renormalise" else ("1", "2")  # 2 cannot do it
            found = self.bench(
                "--variant",
                ",".join(GPU_VARIANTS),
                "--border",
                border,
                "--filter",
                "box",
                "--ksize",
                "3,5",
                "--ranks",
                "1,2,3,5,7",
                "--passes",
                "1,5",
                "--kernel",
                ",".join(kernels),
                "--image",
                "random",
                "--size",
                "61x45",
                "--fresh",
            )
            found = [row for row in found if row["variant"] in self.possible(found)]
            wrong = [
                (row["variant"], row["ranks"], row["passes"], row["ksize"], row["kernel"], row["reason"])
                for row in found
                if row["status"] != "ok"
            ]
            self.assertEqual(wrong, [], border)
            self.assertEqual(len(found), len(self.possible(found)) * 2 * 5 * 2 * len(kernels))

    def test_messages_too_long_for_the_librarys_own_memory(self):
        for row in self.bench(
            "--variant",
            ",".join(GPU_VARIANTS),
            "--border",
            "wrap",
            "--ksize",
            "3",
            "--ranks",
            "2",
            "--passes",
            "2",
            "--image",
            "random",
            "--size",
            "20000x6",
        ):
            if row["variant"] in self.possible([row]):
                self.assertEqual((row["status"], row["reason"]), ("ok", ""), row["variant"])

    def test_a_picture_smaller_than_the_filter_on_one_rank(self):
        for border in ("reflect", "wrap"):
            for row in self.bench(
                *ON_CPU,
                "--border",
                border,
                "--size",
                "2x1",
                "--image",
                "random",
                "--ranks",
                "1",
                "--passes",
                "5",
                "--fresh",
            ):
                self.assertEqual((row["status"], row["reason"]), ("ok", ""), row["variant"])

    def test_ranks_that_the_caller_has_started(self):
        environment = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        mpirun = ["mpirun", "--oversubscribe", "-n", "3", LAB]
        done = call(*mpirun, "run", "--image", "random:40x30:1", "--check", env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("identical to the reference", done.stdout)
        done = call(
            *mpirun,
            "bench",
            "--variant",
            "halo",
            "--size",
            "40x30",
            "--ranks",
            "2,4",
            "--iterations",
            "1",
            "--csv",
            self.csv,
            env=environment,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([(row["ranks"], row["status"]) for row in rows(self.csv)], [("2", "ok"), ("4", "skipped")])
        self.assertIn("3 were started", rows(self.csv)[1]["reason"])


class TheRows(MpiTest):
    def test_where_the_time_went(self):
        for row in self.bench(*ON_CPU, "--ranks", "2", "--passes", "3", "--size", "480p"):
            times = {name: float(row[name]) for name in ("compute_ms", "exchange_ms", "wait_ms", "kernel_ms_median")}
            self.assertGreater(times["compute_ms"], 0, row["variant"])
            self.assertGreater(times["exchange_ms"], 0, row["variant"])
            for part in ("compute_ms", "exchange_ms", "wait_ms"):
                self.assertLessEqual(times[part], times["kernel_ms_median"], row["variant"])
            self.assertEqual((row["backend"], row["ranks"], row["passes"]), ("cpu", "2", "3"))
            samples = 853 * 480 * 3
            self.assertEqual((int(row["bytes"]), int(row["operations"])), (2 * samples, 3 * 50 * samples))

    def test_a_run_continues_with_what_is_missing(self):
        options = ("--variant", "halo", "--size", "40x30", "--passes", "2")
        self.assertEqual(len(self.bench(*options, "--ranks", "1")), 1)
        self.assertEqual([row["ranks"] for row in self.bench(*options, "--ranks", "1,2")], ["1", "2"])


class WhatIsRefused(MpiTest):
    def run_lab(self, *options):
        return call(LAB, "run", "--out", self.folder / "out.png", *options)

    def test_more_ranks_than_rows_and_bands_thinner_than_the_halo(self):
        for variant, size, ranks, words in (
            ("scatter", "20x4", 5, ("5 parts are too many for 4 rows", "use at most 4")),
            ("halo", "20x12", 7, ("7 parts", "12 rows", "halo of 2 rows", "use at most 6")),
            ("overlap", "20x12", 7, ("use at most 6",)),
            ("wide_halo", "20x12", 2, ("halo of 8 rows", "use at most 1")),
            ("grid", "3x40", 4, ("2 parts are too many for 3 columns",)),
        ):
            with self.subTest(variant=variant):
                done = self.run_lab(
                    "--variant",
                    variant,
                    "--image",
                    f"random:{size}:1",
                    "--ranks",
                    ranks,
                    "--passes",
                    "4",
                    "--ksize",
                    "5",
                )
                self.refused(done, 2, *words)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_as_many_ranks_as_are_possible_are_not_refused(self):
        for variant, ranks in (("scatter", 4), ("halo", 2), ("overlap", 2)):
            done = self.run_lab("--variant", variant, "--image", "random:20x4:1", "--ranks", ranks, "--check")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_in_bench_it_is_a_row(self):
        found = self.bench("--variant", "halo", "--ranks", "2,7", "--size", "20x12")
        self.assertEqual([row["status"] for row in found], ["ok", "unsupported"])
        self.assertIn("use at most 6", found[1]["reason"])

    def test_valid_that_leaves_nothing_of_the_last_pass(self):
        done = self.run_lab("--image", "random:20x20:1", "--border", "valid", "--passes", "5", "--ranks", "1")
        self.refused(done, 1, "5 passes make the image smaller by 20 pixels")

    def test_bad_options_keep_their_exit_code_and_start_nothing(self):
        nothing = {"PATH": str(self.folder)}
        for options in (["--ranks", "0"], ["--ranks", "x"], ["--rank", "2"]):
            self.refused(call(LAB, "bench", *options, env=nothing), 2, "rank")
        self.refused(self.run_lab("--image", "random:20x20:1", "--ranks", "1,2"), 2, "--ranks")
        self.assertEqual(call(LAB, "list", env=nothing).returncode, 0)
        self.assertIn("--ranks", call(LAB, "bench", "--help", env=nothing).stdout)

    def made_by_nvcc(self):
        """A program without the emulator, whose libraries support everything."""
        on_gpu = self.bench("--variant", "gpu", "--size", "40x30", "--ranks", "1")[0]["backend"] == "cuda"
        for path in (self.csv, self.folder / "sessions.csv"):
            path.unlink()
        if not on_gpu:
            self.skipTest("needs a GPU")
        return LAB

    def test_gpu_direct_without_a_cuda_aware_mpi(self):
        lab = self.made_by_nvcc()
        if is_cuda_aware():
            self.skipTest("this Open MPI is CUDA-aware")
        done = call(
            lab,
            "run",
            "--variant",
            "gpu_direct",
            "--image",
            "random:40x30:1",
            "--ranks",
            "2",
            "--out",
            self.folder / "out.png",
        )
        self.refused(done, 1, "not CUDA-aware", "--with-cuda", "MPICXX=")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_gpu_nccl_without_nccl_or_without_a_gpu_per_rank(self):
        lab = self.made_by_nvcc()
        has_nccl = "libnccl" in call("ldd", lab).stdout
        done = call(
            lab,
            "run",
            "--variant",
            "gpu_nccl",
            "--image",
            "random:400x300:1",
            "--ranks",
            "7",
            "--out",
            self.folder / "out.png",
        )
        if not has_nccl:
            self.refused(done, 1, "built without NCCL", "libnccl-dev", "NCCL=")
        elif "fewer GPUs" in done.stderr:
            self.refused(done, 2, "a GPU for each rank", "use at most")
        else:
            self.refused(done, 1, "cudaGetDeviceCount")  # no GPU at all
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_without_mpirun(self):
        self.refused(call(LAB, "bench", "--size", "40x30", env={"PATH": str(self.folder)}), 1, "mpirun", "openmpi-bin")

    def test_an_mpirun_that_cannot_says_why(self):
        mpich = self.folder / "mpirun"
        mpich.write_text("#!/bin/sh\n[ $1 != --version ] || exec echo HYDRA\necho home $HOME\nexit 255\n")
        mpich.chmod(0o755)
        run = ("run", "--variant", "halo", "--ranks", 2, "--image", "scene:64x48", "--check")
        other = {"PATH": f"{self.folder}:{os.environ['PATH']}"}
        done = call("env", "-u", "HOME", LAB, *run, env=other)
        self.assertEqual(done.stdout, "home /tmp\n")
        self.refused(done, 1, "not Open MPI's ('HYDRA'); put that of Open MPI first")
        done = call(LAB, *run, env={"OMPI_MCA_rmaps": "nosuch", "PRTE_MCA_rmaps": "nosuch"})  # Open MPI 4 and 5
        done.stderr = done.stderr.replace("\0", "")  # after the words of Open MPI 5
        self.refused(done, 1)
        self.assertRegex(done.stderr, "error: (A rank failed|mpirun could not start the ranks)")
        self.assertIn("A requested component was not found", done.stderr)


class DeadRanks(MpiTest):
    """A long bench in its own session, so that nothing else is hit."""

    def start(self, *options):
        self.addCleanup(lambda: self.lab.poll() is None and self.lab.kill())
        self.lab = subprocess.Popen(
            [LAB, "bench", "--variant", "halo", "--ranks", "3", "--csv", self.csv, *options],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            text=True,
            preexec_fn=heed,
        )
        while self.lab.poll() is None:
            ranks = self.children(*self.children(self.lab.pid))  # mpirun's
            if len(ranks) == 3 and self.is_busy(self.lab.pid):
                return ranks
            time.sleep(0.01)
        self.fail(self.lab.communicate()[1])

    def children(self, *parents):
        found = []
        for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rpartition(")")[2].split()
            except OSError:  # it has ended
                continue
            if int(fields[1]) in parents:
                found.append(int(status.parent.name))
        return sorted(found)

    def is_busy(self, pid):
        """Whether the row was begun: its name then stands in the memory that the lab shares with its ranks."""
        for link in pathlib.Path(f"/proc/{pid}/fd").iterdir():
            try:
                if "memfd:supervisor" in os.readlink(link):
                    return b"halo 480p" in link.read_bytes()
            except OSError:  # closed meanwhile
                continue
        return False

    def test_a_killed_rank_ends_the_run(self):
        for victim in (0, 2):
            with self.subTest(rank=victim):
                ranks = self.start(*LONG)
                os.kill(ranks[victim], signal.SIGKILL)
                words = self.lab.communicate()[1]
                self.assertEqual(self.lab.returncode, 1, words)
                errors = [line for line in words.splitlines() if line.startswith("error: ")]
                self.assertEqual(
                    errors[0], "error: A rank died: Killed. The others were stopped; of its output nothing was written."
                )
                self.assertIn("variant halo: was killed (perhaps the machine had not enough memory) at halo", errors[1])
                self.assertEqual({(row["variant"], row["status"]) for row in rows(self.csv)}, {("halo", "failed")})
                self.csv.unlink()

    def test_rows_that_were_finished_stay(self):
        self.bench("--variant", "halo", "--ranks", "3", "--size", "40x30")
        before = self.csv.read_bytes()
        ranks = self.start(*LONG)
        os.kill(ranks[1], signal.SIGKILL)
        self.lab.communicate()
        self.assertTrue(self.csv.read_bytes().startswith(before))

    def test_an_interrupt_ends_all_ranks(self):
        """Also if rank 0 does not heed it: mpirun kills it then."""
        for sent, is_deaf in ((signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGINT, True)):
            ranks = self.start(*LONG)
            ends = [os.pidfd_open(pid) for pid in ranks]
            if is_deaf:
                os.kill(ranks[0], signal.SIGSTOP)
            self.lab.send_signal(sent)
            self.lab.communicate()
            self.assertEqual(self.lab.returncode, 128 + sent)
            self.assertFalse(self.csv.exists())
            for end in ends:
                select.select([end], [], [])
                os.close(end)

    def test_a_second_interrupt_kills_an_mpirun_that_ignores_the_first_and_its_ranks(self):
        deaf = self.folder / "mpirun"
        deaf.write_text("#!/bin/sh\ntrap 'echo heard' TERM\nsleep 1000 &\necho $!\nwhile :; do wait; done\n")
        deaf.chmod(0o755)
        lab = subprocess.Popen(
            [LAB, "bench", "--ranks", "2", *LONG],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=heed,
            env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"},
        )
        self.addCleanup(lab.kill)
        rank = os.pidfd_open(int(lab.stdout.readline()))
        lab.send_signal(signal.SIGINT)
        self.assertEqual(lab.stdout.readline(), "heard\n")
        lab.send_signal(signal.SIGINT)
        self.assertEqual(lab.wait(), 128 + signal.SIGINT)
        select.select([rank], [], [])
        os.close(rank)
        lab.stdout.close()


class WithoutMpi(unittest.TestCase):
    """make on a machine that has no mpicxx."""

    def make(self, *arguments):
        environment = {name: os.environ[name] for name in ("PATH", "HOME", "CXX") if name in os.environ}
        return subprocess.run(
            ["make", "MAKE=true", "MPICXX=", *arguments],
            capture_output=True,
            text=True,
            env=environment,
            timeout=100,
            check=False,
        )

    def test_the_other_labs_are_built_and_the_packages_named(self):
        done = self.make("all")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(
            "not built: 11_mpi: it needs MPI (on Debian and Ubuntu the packages openmpi-bin and libopenmpi-dev)",
            done.stdout,
        )
        self.assertNotIn("labs/11_mpi", done.stdout)
        labs = len(list(pathlib.Path("labs").glob("*/main.c*")))
        self.assertIn(f"{labs - 1} labs with ", done.stdout)

    def test_nothing_of_the_lab_is_compiled(self):
        done = self.make("-n", "-f", "tools/build.mk", "BUILD=build/none", "programs")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(" -c labs/06_async_streams/parts/chain.cpp", done.stdout)
        self.assertNotIn(" -c labs/11_mpi", done.stdout)

    def test_the_lab_alone_is_an_error(self):
        done = self.make("bench", "LAB=11_mpi")
        self.assertEqual(done.returncode, 2)
        self.assertIn("Lab 11_mpi cannot be built: it needs MPI", done.stderr)


if __name__ == "__main__":
    unittest.main()
