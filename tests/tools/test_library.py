# SPDX-License-Identifier: MIT
"""make library: the examples run, and a program needs only the header and the archive, or what is installed, from C++ and C.
tools/library/bench.sh: what it measures."""

import csv
import ctypes
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests.tools.test_verbs import make

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / os.environ.get("BUILD", "build") / "library"
BENCH = BUILT.parent / "tools/library/lab"


@unittest.skipUnless((BUILT / "libconvolab.a").exists(), "the library is not built: make library")
class Library(unittest.TestCase):
    def run_program(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_the_examples_run(self):
        for name in ("example_cpu", "example_gpu"):
            self.assertRegex(self.run_program(BUILT / name), r"^[a-z0-9 ,]+: 100 becomes 100\n$")

    def test_a_program_needs_the_header_and_the_archive_only(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("convolab.hpp", "example_cpu.cpp"):
                shutil.copy(ROOT / "library" / name, folder)
            source, program = Path(folder) / "example_cpu.cpp", Path(folder) / "program"
            self.compile(source, BUILT / "libconvolab.a", "-o", program)
            self.assertIn("100 becomes 100", self.run_program(program))

    def test_the_archive_can_be_a_part_of_a_shared_library(self):
        with tempfile.TemporaryDirectory() as folder:
            source, plugin = Path(folder) / "plugin.cpp", Path(folder) / "plugin.so"
            source.write_text(
                '#include "convolab.hpp"\n'
                'extern "C" int used() { return convolab::lib::Cpu({.width = 8, .height = 8, .taps = {1}}).threads(); }\n'
            )
            self.compile("-shared", "-fPIC", f"-I{ROOT}/library", source, BUILT / "libconvolab.a", "-o", plugin)
            self.assertEqual(ctypes.CDLL(str(plugin)).used(), 1)

    def test_the_shared_library_shows_its_interface_only(self):
        names = self.run_program("nm", "-DC", "--defined-only", BUILT / "libconvolab.so")
        for name in (line.split(maxsplit=2)[2] for line in names.splitlines()):
            self.assertRegex(name, r"^(convolab_\w+$|((vtable|typeinfo|typeinfo name) for )?convolab::lib::)")
        self.assertIn(" convolab_cpu_run\n", names)

    def test_programs_in_c_and_cpp_are_built_with_what_is_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            to = Path(folder) / "usr"
            environment = {**os.environ, "PREFIX": str(to), "DESTDIR": "", "BUILD": os.environ.get("BUILD", "build")}
            subprocess.run(["tools/library/install.sh"], cwd=ROOT, env=environment, check=True, capture_output=True)
            environment = {**os.environ, "PKG_CONFIG_PATH": f"{to}/lib/pkgconfig"}
            flags = subprocess.check_output(
                ["pkg-config", "--cflags", "--libs", "convolab"], env=environment, text=True
            )
            readme = (ROOT / "library/README.md").read_text(encoding="utf-8")
            in_c = re.search(r"^```c\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)[1]
            main = "\nstatic uint8_t in[3 * 1920 * 1080], out[3 * 1920 * 1080];\nint main(void) { return blur(in, out); }\n"
            Path(folder, "prog.c").write_text(in_c + main)
            for source in (Path(folder, "prog.c"), ROOT / "library/example_cpu.cpp"):
                self.compile(source, *flags.split(), f"-Wl,-rpath,{to}/lib", "-o", folder + "/program")
                self.run_program(folder + "/program")
            self.assertTrue((to / "share/convolab/convolab.py").exists())

    def compile(self, *words):
        cxx, options = os.environ.get("CXX", "g++"), ["-std=c++20", "-pthread"]
        if str(words[0]).endswith(".c"):
            cxx, options = cxx.replace("clang++", "clang").replace("g++", "gcc"), ["-Wall", "-Wextra", "-Werror"]
        self.run_program(*cxx.split(), *options, *words)


def test_a_folder_that_cannot_be_installed_into_is_named_before_anything_is_built(tmp_path):
    (tmp_path / "file").touch()
    in_file = f"The folder '{tmp_path}/file/usr' cannot be written; install as root, or in another, such as PREFIX="
    for settings, words in (
        ((f"PREFIX={tmp_path}/file/usr",), in_file),
        ((f"DESTDIR={tmp_path}/file", "PREFIX=/usr"), in_file),
        (("PREFIX=usr",), "PREFIX is 'usr'; give the whole path, such as PREFIX=/usr/local."),
    ):
        code, said = make(ROOT, "library", *settings)
        assert code != 0 and said.startswith(f"error: {words}"), said


def test_where_nvcc_is_and_no_gpu_the_library_for_nvcc_is_named():
    for nvcc, named in (("/none/nvcc", True), ("", False)):
        words = make(ROOT, "-n", "-f", "tools/build.mk", "library", f"NVCC={nvcc}", "CUDA_BACKEND=cuda_on_cpu")[1]
        assert ("for nvcc: make library CUDA_BACKEND=cuda" in words) == named


@unittest.skipUnless(BENCH.exists(), "the program is not built: make -f tools/build.mk library-bench")
class Bench(unittest.TestCase):
    def bench(self, *options):
        """What it prints."""
        done = subprocess.run([BENCH, "bench", *options], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_each_row_names_the_kernel_that_the_library_chose(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "library_sweep.csv")
            for channels in "13":
                options = ("--filter", "edge", "--ksize", "3,9", "--size", "64x8,37x8", "--iterations", "2")
                subprocess.run(
                    [BENCH, "bench", *options, "--channels", channels, "--kernel-only", "--csv", path],
                    capture_output=True,
                    check=True,
                )
            with open(path, newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        at = {(row["variant"], row["width"], row["channels"], row["ksize"]): row for row in rows}
        self.assertEqual(len(at), len(rows))
        views = [key for key in at if key[0] != "npp"]
        self.assertEqual(len(views), 2 * 2 * 2 * 2)
        for key in views:
            self.assertEqual(at[key]["status"], "ok", at[key]["reason"])
            self.assertRegex(at[key]["reason"], r"^(lab \d\d \w+|plain)(, any address)?$")
        for row in rows:
            self.assertEqual(row["backend"] == "cuda_on_cpu", row["kernel_ms_median"] == "", row)
        fast, other = (at[view, "64", "3", "3"]["reason"] for view in ("pitched", "tight"))
        self.assertTrue(fast.startswith("lab ") and "any address" not in fast, fast)
        self.assertNotEqual(fast, other)

    def test_all_sizes_filters_and_views_are_measured(self):
        variants = len(subprocess.run([BENCH, "list"], stdout=subprocess.PIPE, check=True).stdout.splitlines())
        self.assertGreaterEqual(variants, 2)
        lines = (ROOT / "tools/library/sweep.txt").read_text(encoding="utf-8").splitlines()
        sets = set()
        for options in (line.split() for line in lines if not line.startswith("#")):
            self.assertEqual(int(self.bench(*options, "--count")), variants * 5 * 4, options)  # pictures, sides
            sets.add((options[1], "--channels" in options, "--cold" in options))
        self.assertEqual(sets, {(name, gray, True) for name in ("edge", "gaussian") for gray in (False, True)})

    def test_without_a_gpu_it_says_so_and_writes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "CUDA_BACKEND": "cuda_on_cpu", "RESULTS": folder}
            done = subprocess.run(["tools/library/bench.sh"], cwd=ROOT, env=environment, capture_output=True, text=True)
            self.assertEqual((done.returncode, os.listdir(folder)), (2, []))
            self.assertTrue(done.stderr.startswith("error: The library is timed beside NPP on a GPU, with nvcc; here "))


if __name__ == "__main__":
    unittest.main()
