# SPDX-License-Identifier: MIT
"""What make compiles again, by the real rules, in a project of four sources and a compiler that only logs its
calls; and how tools/compile.sh shortens a compiler's messages."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests.tools.test_verbs import ROOT, make

# For `translate` it writes a program that copies.
COMPILER = r"""#!/bin/bash
out=${!#} source=${@: -3:1}
case $* in
*ersion*) echo 12.2 ;;
*" -c "*)
    echo "$source" >>compiled
    touch "$out"
    sed -n "s|#include \"\(.*\)\"|$out: build/translated/\1|p" "$source" >"${out%.o}.d"
    sed -n "s|// warning|$source:1:1: warning: of one|p" "$source" >&2 ;;
*) printf '#!/bin/sh\nmkdir -p "${2%%/*}"; cp "$1" "$2"\n' >"$out"; chmod +x "$out" ;;
esac
"""
SOURCES = {
    "timed": "common/room/a.cpp",
    "untimed": "common/driver/b.cpp",
    "unoptimised": "data/make_data.cpp",
    "cpu": "labs/01_cpu/main.cpp",
    "fft": "labs/01_cpu/08_fft.cpp",
    "cuda": "labs/02_cuda/main.cu",
    "cufft": "labs/02_cuda/03_fft.cu",
}


class Rebuild(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name)
        for name in ("config.mk", "cuda_on_cpu/rules.mk", "tests/tests.mk"):
            (self.root / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        shutil.copytree(ROOT / "tools", self.root / "tools")
        for name in (
            *SOURCES.values(),
            "common/measurement/build_info.cpp",
            "cuda_on_cpu/translate/main.cpp",
            "cuda_on_cpu/tests/any.cu",
            "labs/02_cuda/near.hpp",
        ):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).touch()
        (self.root / SOURCES["cuda"]).write_text('#include "labs/02_cuda/near.hpp"\n')
        (self.root / "c++").write_text(COMPILER)
        (self.root / "c++").chmod(0o755)
        self.compiled()

    def compiled(self, *arguments, goal="programs", code=0):
        """The sources that a make compiles."""
        done, words = make(self.root, "-f", "tools/build.mk", goal, "CXX=./c++", "CUDA_BACKEND=cuda_on_cpu", *arguments)
        self.assertEqual(done, code, words)
        log = self.root / "compiled"
        sources = log.read_text().split() if log.exists() else []
        log.unlink(missing_ok=True)
        self.words = words
        return {
            source.removeprefix("build/translated/").removesuffix(".cpp") if ".cu" in source else source
            for source in sources
            if not source.startswith(("common/measurement", "cuda_on_cpu"))
        }

    def test_a_header_that_comes_and_goes(self):
        self.assertEqual(self.compiled(), set())
        (self.root / "labs/02_cuda/far.hpp").touch()
        self.assertEqual(self.compiled(), set())
        copy = self.root / "build/translated/labs/02_cuda/far.hpp"
        self.assertEqual(self.compiled("build/translated/labs/02_cuda/far.hpp"), set())
        self.assertTrue(copy.exists())
        (self.root / "labs/02_cuda/far.hpp").unlink()
        self.assertEqual(self.compiled(), set())
        self.assertFalse(copy.exists())
        (self.root / "labs/02_cuda/near.hpp").write_text("// new\n")
        self.assertEqual(self.compiled(), {SOURCES["cuda"]})

    def test_a_flag_that_changes(self):
        self.assertEqual(self.compiled("OPT=-O2"), {SOURCES["timed"], SOURCES["cpu"], SOURCES["fft"]})
        self.assertEqual(self.compiled("OPT=-O2"), set())
        (self.root / "c++").write_text(COMPILER.replace("12.2", "13.1"))
        self.assertEqual(self.compiled("OPT=-O2"), set(SOURCES.values()))

    def test_a_new_lab(self):
        """It made everything old that is compiled with the flags of its sources."""
        for name in ("main", "01_first"):
            page = self.root / f"labs/03_new/{name}.cpp"
            page.parent.mkdir(exist_ok=True)
            page.touch()
        new = {"labs/03_new/main.cpp", "labs/03_new/01_first.cpp"}
        self.assertEqual(self.compiled("-j2", goal="build/labs/03_new/lab"), new)

    def test_only_what_is_built_is_counted(self):
        """make -n alone takes each file for outdated, because a recipe that always runs may have changed the flags."""
        (self.root / SOURCES["cpu"]).write_text("// new\n")
        build = ("make", "--no-print-directory", "-f", "tools/build.mk", "CXX=./c++", "CUDA_BACKEND=cuda_on_cpu")
        run = ["tools/progress.sh", *build, "build/labs/01_cpu/lab"]
        words = subprocess.run(run, cwd=self.root, stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(words.splitlines()[-1], "file 2 of 2")  # the lab's object, and the lab
        self.assertEqual(subprocess.run(run, cwd=self.root, stdout=subprocess.PIPE, check=True).stdout, b"")

    def test_a_library_that_comes(self):
        self.compiled("FFTW_FLAGS=")
        self.assertEqual(self.compiled("FFTW_FLAGS=-DCONVOLAB_FFTW"), {SOURCES["fft"]})

    def test_a_library_of_the_toolkit(self):
        """The library is used if a toolkit contains it and its header."""
        nvcc = self.root / "toolkit/bin/nvcc"
        nvcc.parent.mkdir(parents=True)
        shutil.copy(self.root / "c++", nvcc)
        arguments = ("CUDA_BACKEND=cuda", "NVCC=toolkit/bin/nvcc", "V=1")
        self.compiled(*arguments)
        for name, here in (("include/cufft.h", False), ("lib64/libcublas.so", False), ("lib64/libcufft.so", True)):
            (self.root / "toolkit" / name).parent.mkdir(exist_ok=True)
            (self.root / "toolkit" / name).touch()
            self.assertEqual(self.compiled(*arguments), {SOURCES["cuda"], SOURCES["cufft"]} if here else set())
        for words in ("-DCONVOLAB_CUFFT", "-Ltoolkit/lib64/ ", " -lcufft "):
            self.assertIn(words, self.words)
        self.assertNotIn("cublas", self.words.lower())

    def test_a_warning_is_an_error_where_asked(self):
        self.assertEqual(self.compiled("WERROR=1"), set())
        (self.root / SOURCES["cpu"]).write_text("// warning\n")
        self.assertEqual(self.compiled(), {SOURCES["cpu"]})
        self.assertIn("warning: of one", self.words)
        self.assertEqual(self.compiled(), set())
        for _ in range(2):
            self.assertEqual(self.compiled("WERROR=1", code=2), {SOURCES["cpu"]})
        (self.root / SOURCES["cpu"]).write_text("")
        self.assertEqual(self.compiled("WERROR=1"), {SOURCES["cpu"]})
        self.assertEqual(self.compiled("WERROR=1"), set())


class WordsOfTheCompiler(unittest.TestCase):
    def said(self, source, code, **environment):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "labs").mkdir()
            (Path(folder) / "labs/a.cpp").write_text(source)
            done = subprocess.run(
                [
                    ROOT / "tools/compile.sh",
                    os.environ.get("CXX", "g++"),
                    "-std=c++20",
                    "-Wall",
                    "-c",
                    "labs/a.cpp",
                    "-o",
                    "a.o",
                ],
                cwd=folder,
                env={**os.environ, "V": "", "WERROR": "", **environment},
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual((done.returncode, (Path(folder) / "a.o").exists()), (code, code == 0), done.stderr)
        return done.stderr

    def test_a_warning_of_a_template_is_said_once(self):
        source = (
            "template <class T> T twice(T a) {\n    int unused = 1;\n    return a + a;\n}\n"
            "int main() { return twice(1) + twice(2L) + twice(3.0); }\n"
        )
        words = self.said(source, 0)
        self.assertEqual((words.count("warning: unused"), words.count("\n")), (1, 3), words)
        self.assertIn("labs/a.cpp:2:9: ", words)
        self.assertGreater(self.said(source, 0, V="1").count("\n"), 3)
        self.assertIn("error: Here a warning is an error.\n", self.said(source, 1, WERROR="1"))

    def test_a_potential_loss_of_performance_is_an_error(self):
        source = (
            '#pragma message("ptxas info : (C7512) Potential Performance Loss: wgmma instructions are serialized")\n'
        )
        self.assertIn("Potential Performance Loss", self.said(source, 0))
        self.assertIn("error: Here a warning is an error.\n", self.said(source, 1, WERROR="1"))

    def test_the_first_error_once(self):
        source = (
            "template <class T> int twice(T a) { return a.sise() + a.sise(); }\n"
            "struct A {} a; struct B {} b;\nint main() { return twice(a) + twice(b) + none; }\n"
        )
        words = self.said(source, 1)
        self.assertEqual(words.count("error: "), 1, words)
        self.assertLessEqual(words.count("\n"), 6, words)
        self.assertRegex(words, r"^labs/a\.cpp:[13]:")

    def test_an_error_in_a_header_names_the_line_of_the_lab(self):
        words = self.said(
            "#include <algorithm>\n#include <vector>\nstruct A {};\n"
            "void f(std::vector<A>& a) {\n    std::sort(a.begin(), a.end());\n}\n",
            1,
        )
        self.assertEqual(words.count("error: "), 1, words)
        self.assertIn("labs/a.cpp:5:", words)
        self.assertLessEqual(words.count("\n"), 12, words)


if __name__ == "__main__":
    unittest.main()
