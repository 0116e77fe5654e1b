# SPDX-License-Identifier: MIT
"""make new: a new lab is built, verified, timed and plotted without editing another file; and a student's
mistakes, planted in a copy of a CUDA lab, are reported without a GPU, with their place."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import pytest

from tests.driver.test_lab import BUILD, rows

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("Makefile", "config.mk", "common", "cuda_on_cpu", "data", "labs", "tests", "tools", "report")
# What the build needs: what a lab is linked with, and precompiled headers.
KEPT = ("common", "cuda_on_cpu", "flags", "std", "translated", "libconvolab.a", "libconvolab_cuda.a")


class CopyOfTheProject(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """A copy of the project in a folder with a space in its name, with the parts of the build that labs share."""
        cls.holder = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.holder.name) / "a copy"
        for part in PARTS:
            source = ROOT / part
            ignore = shutil.ignore_patterns("generated", "__pycache__", "build")
            copy = shutil.copytree if source.is_dir() else shutil.copy2
            cls.root.mkdir(exist_ok=True)
            copy(source, cls.root / part, **({"ignore": ignore} if source.is_dir() else {}))
        (cls.root / "build").mkdir()
        for source in filter(pathlib.Path.exists, (ROOT / BUILD / part for part in KEPT)):
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, cls.root / "build" / source.name)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def make(self, *arguments):
        # The jobserver and settings of a make that runs these tests must not apply.
        environment = {
            k: v
            for k, v in os.environ.items()
            if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "BUILD", "LAB")
        }
        return subprocess.run(
            ["make", *arguments], cwd=self.root, capture_output=True, text=True, env=environment, timeout=600
        )


class NewLab(CopyOfTheProject):
    def test_from_nothing_to_the_report(self):
        for arguments in (["new", "LAB=77_mine", "FROM=01_sequential"], ["-j2", "all", "LAB=77_mine"]):
            result = self.make(*arguments)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        lab = self.root / "build/labs/77_mine/lab"
        results = self.root / "results"
        results.mkdir()
        for arguments in (
            ["verify", "--quick", "--variant", "flat,simd", "--csv", results / "verify.csv"],
            ["bench", "--size", "64x48,96x64", "--iterations", "2", "--csv", results / "77_mine.csv"],
        ):
            result = subprocess.run([lab, *arguments], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual({r["lab"] for r in rows(results / "77_mine.csv")}, {"77_mine"})
        before = (self.root / "report/report.md").read_bytes()
        result = self.make("plots")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("results/report/report.md", result.stdout)
        self.assertIn("77_mine", (results / "report/report.md").read_text())
        self.assertEqual((self.root / "report/report.md").read_bytes(), before)

    @pytest.mark.long
    def test_a_part_of_the_copy_is_the_one_that_is_linked(self):
        """A copied lab was linked with the old lab's parts."""
        made = self.make("new", "LAB=79_parts", "FROM=02_pthread")
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        part = self.root / "labs/79_parts/shared/nested_part.cpp"
        text = part.read_text()
        self.assertEqual(text.count("sum += filter"), 1)
        part.write_text(text.replace("sum += filter", "sum -= filter"))
        made = self.make("-j2", "build/labs/79_parts/lab")
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        result = subprocess.run(
            [self.root / "build/labs/79_parts/lab", "verify", "--quick", "--variant", "rows"],
            capture_output=True,
            text=True,
        )
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)


@pytest.mark.long
class PlantedMistakes(CopyOfTheProject):
    """Makes each mistake in n_batch's file, in a copy of lab 05 with few variants, built for the CPU."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        lab = cls.root / "labs/78_planted"
        shutil.copytree(cls.root / "labs/05_cuda_shared", lab)
        for page in set(lab.glob("[0-9]*.cu")) - set(lab.glob("*_batch.cu")):  # the others take a minute to compile
            page.unlink()
        main = (lab / "main.cu").read_text()
        (lab / "main.cu").write_text(re.sub(r"\{&input_tile,[^}]*\}", "{&two_batch, &n_batch}", main))

    def verify(self, right, wrong):
        """Replaces `right` by `wrong` in the kernel; (exit code, output) of verify."""
        text = (ROOT / "labs/05_cuda_shared/08_n_batch.cu").read_text()
        self.assertEqual(text.count(right), 1)
        (self.root / "labs/78_planted/08_n_batch.cu").write_text(text.replace(right, wrong))
        made = self.make("-j2", "build/labs/78_planted/lab", "CUDA_BACKEND=cuda_on_cpu")
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        result = subprocess.run(
            [self.root / "build/labs/78_planted/lab", "verify", "--quick", "--variant", "n_batch"],
            capture_output=True,
            text=True,
        )
        return result.returncode, result.stdout + result.stderr

    def test_the_kernel_as_it_is(self):
        code, words = self.verify("    __syncthreads();\n", "    __syncthreads();\n")
        self.assertEqual(code, 0, words)
        checked = self.make("check", "LAB=78_planted", "VARIANT=n_batch", "CUDA_BACKEND=cuda_on_cpu")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.assertIn("78_planted n_batch: nothing found.\n", checked.stdout)

    def test_a_missing_syncthreads(self):
        code, words = self.verify("    __syncthreads();\n", "")
        self.assertEqual(code, 1)
        self.assertRegex(words, r"FAILED, first: .*block \d+: at \(\d+, \d+\) channel \d")

    def test_make_check_names_the_lines_and_threads_of_a_missing_syncthreads(self):
        self.verify("    __syncthreads();\n", "")
        checked = self.make("check", "LAB=78_planted", "VARIANT=n_batch", "CUDA_BACKEND=cuda_on_cpu")
        self.assertEqual(checked.returncode, 2, checked.stdout + checked.stderr)
        self.assertRegex(
            " ".join(checked.stdout.split()),
            r"A race in kernel convolve, .*: thread \(\d+,\d+,0\) .* writes element \d+ of the dynamic shared memory at "
            r".*tile.hpp:\d+, and thread .* reads it at labs/78_planted/08_n_batch.cu:\d+",
        )

    def test_a_halo_off_by_one(self):
        code, words = self.verify("x - tx + image.origin;", "x - tx + image.origin + 1;")
        self.assertEqual(code, 1)
        self.assertRegex(words, r"FAILED, first: .*block \d+: at \(\d+, \d+\) channel \d")
        self.assertRegex(
            words,
            r"FAILED, first: \w+ \dx\d, border [\w:]+, (random|scene|white):\S+, \d channels?, "
            r"uint8, \w+, block \d+: at .*; \d+ of \d+ samples \(\S+ %\) are wrong",
        )
        again = re.search(r"    again: (.* --check)\n", words).group(1)
        result = subprocess.run(again, shell=True, capture_output=True, text=True)
        self.assertEqual(result.returncode, 1, result.stderr)
        first = re.search(r"FAILED, first: (.*)\n", words).group(1)
        self.assertIn("n_batch differs from the reference, " + first, result.stderr)

    def test_an_array_too_small_for_the_taps(self):
        code, words = self.verify("c_taps[kMaxConstantTaps]", "c_taps[25]")
        self.assertEqual(code, 1)
        self.assertRegex(
            words,
            r"FAILED, first: .*A filter of side [79] has (49|81) taps and the variant's array in "
            r"constant memory 25;",
        )

    def test_grid_and_block_exchanged(self):
        code, words = self.verify("<<<v.grid, v.block, v.shared_bytes>>>", "<<<v.block, v.grid, v.shared_bytes>>>")
        self.assertEqual(code, 1)
        self.assertIn("FAILED, first: ", words)

    def test_an_index_of_16_bits(self):
        code, words = self.verify("d_out[image.out(x, y, c)]", "d_out[static_cast<unsigned short>(image.out(x, y, c))]")
        self.assertEqual(code, 1)
        self.assertRegex(words, r"FAILED, first: .*random:257x257:\d+")

    def test_a_fault_costs_no_other_variant_its_row(self):
        """An illegal address makes the GPU useless for the rest of the process, on the emulator, too."""
        code, words = self.verify(
            "    __syncthreads();\n", "    *reinterpret_cast<volatile int*>(8) = 1;\n    __syncthreads();\n"
        )
        self.assertEqual(code, 1, words)
        timed = self.root / "timed.csv"
        result = subprocess.run(
            [
                self.root / "build/labs/78_planted/lab",
                "bench",
                "--variant",
                "n_batch,two_batch",
                "--size",
                "64x48",
                "--csv",
                timed,
            ],
            capture_output=True,
            text=True,
        )
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual({r["variant"]: r["status"] for r in rows(timed)}, {"n_batch": "failed", "two_batch": "ok"})

    def test_a_return_before_the_barrier_is_right_since_volta(self):
        code, words = self.verify(
            "    __syncthreads();\n",
            "    if (x >= image.out_width || y >= image.out_height) return;\n    __syncthreads();\n",
        )
        self.assertEqual(code, 0, words)


@pytest.mark.long
class FailingVariants(CopyOfTheProject):
    """Variants that crash, never end, end the program or throw do not prevent the others' rows."""

    FAILURES = {
        "02_flat": "if (result.width() > 20) *static_cast<volatile int*>(nullptr) = 1;",
        "03_bounds": "while (result.width() > 20) pause();",
        "04_aos": "if (result.width() > 20) std::exit(3);",
        "05_soa": "if (result.width() > 20) throw 42;",
    }
    HOW = {
        "flat": "crashed (Segmentation fault)",
        "bounds": "did not end within 10 s",
        "aos": "ended the program with exit code 3",
        "soa": "not a std::exception.",
    }

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.root / "labs/76_failing"
        shutil.copytree(cls.root / "labs/01_sequential", cls.folder)

    def test_each_failure_is_its_own_row(self):
        for page, failure in self.FAILURES.items():
            path = self.folder / (page + ".cpp")
            text = path.read_text()
            begin = re.search(r"^void convolve\w*\([^{]*Image& result\) \{\n", text, re.MULTILINE)
            self.assertIsNotNone(begin, page)
            path.write_text(
                "#include <unistd.h>\n#include <cstdlib>\n" + text[: begin.end()] + failure + "\n" + text[begin.end() :]
            )
        made = self.make("-j2", "build/labs/76_failing/lab")
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        lab = self.root / "build/labs/76_failing/lab"
        names = ["nested", *self.HOW, "simd"]
        common = ["--variant", ",".join(names), "--time-limit", "10", "--csv"]

        verified = self.root / "verify.csv"
        result = subprocess.run([lab, "verify", "--quick", *common, verified], capture_output=True, text=True)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        for name, how in self.HOW.items():
            self.assertRegex(result.stdout, rf"    {name} FAILED, first: .*{re.escape(how)}\n(?:    .*\n)?    again: ")
            self.assertTrue(any(r["variant"] == name and how in r["reason"] for r in rows(verified)))
        self.assertEqual({r["variant"] for r in rows(verified) if r["status"] == "failed"}, set(self.HOW))
        self.assertEqual(
            {r["status"] for r in rows(verified) if r["variant"] in ("nested", "simd")}, {"ok", "unsupported"}
        )

        timed = self.root / "timed.csv"
        result = subprocess.run(
            [lab, "bench", "--size", "16x16,64x48", "--iterations", "2", *common, timed], capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(
            sorted(r["variant"] + " " + r["size"] for r in rows(timed)),
            sorted(f"{name} {size}" for name in names for size in ("16x16", "64x48")),
        )
        for row in rows(timed):
            if row["variant"] in self.HOW and row["size"] == "64x48":
                self.assertEqual(row["status"], "failed")
                self.assertIn(self.HOW[row["variant"]], row["reason"])
            elif row["variant"] not in self.HOW:
                self.assertEqual(row["status"], "ok")
        self.assertIn("some configurations failed; their rows in", result.stderr)


if __name__ == "__main__":
    unittest.main()
