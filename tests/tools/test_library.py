# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""make library: the examples run, and a program needs only the header and the archive."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / os.environ.get("BUILD", "build") / "library"


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
            self.run_program(
                *os.environ.get("CXX", "g++").split(),
                *("-std=c++20", "-pthread", source, BUILT / "libconvolab.a", "-o", program),
            )
            self.assertIn("100 becomes 100", self.run_program(program))


if __name__ == "__main__":
    unittest.main()
