# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""tests/run.py: what it counts of Catch2's XML, in the forms of versions 2 and 3, and of unittest."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PASSED = '<TestCase name="one"><OverallResult success="true"/></TestCase>'
FAILED = """<TestCase name="two"><Section name="s"><Expression success="false" type="CHECK" filename="two_test.cpp" line="7">
<Original> a == b </Original><Expanded> 1 == 2 </Expanded></Expression></Section>
<OverallResult success="false"/></TestCase>"""
SKIPPED = """<TestCase name="three"><OverallResult success="true"><StdOut>
skipped: no GPU
</StdOut></OverallResult></TestCase>"""
LEFT_OUT = SKIPPED.replace("skipped: no GPU", "left out: another lab's")
SKIPPED_3 = """<TestCase name="four"><Skip filename="f" line="1"> no locale </Skip>
<OverallResult success="true" skips="1"/></TestCase>"""

UNITTESTS = """
import unittest
class Some(unittest.TestCase):
    def test_passes(self): pass
    def test_fails(self): self.fail("on purpose")
    def test_an_error(self): raise RuntimeError
    def test_skips(self): self.skipTest("not here")
    def test_two_subtests_fail(self):
        for number in (1, 2, 3):
            with self.subTest(number): self.assertEqual(number, 3)
class NeverSetUp(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError("no set-up")
    def test_never_runs(self): pass
"""


class Run(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def run_py(self, *tests, **environment):
        """(exit code, lines) of run.py, started in a folder of its own."""
        done = subprocess.run(
            [sys.executable, ROOT / "tests" / "run.py", *map(str, tests)],
            cwd=self.folder,
            env={**os.environ, "ALL_TESTS": "", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout.splitlines()

    def catch2(self, xml, code=0, **environment):
        """run.py of a program that writes this XML as Catch2 does, and ends with this code."""
        program = self.folder / "program"
        program.write_text(f"#!/bin/sh\necho words of the program\ncat >\"$4\" <<'END'\n{xml}\nEND\nexit {code}\n")
        program.chmod(0o755)
        return self.run_py(program, **environment)

    def test_versions_2_and_3(self):
        for xml in ("<Catch><Group>%s</Group></Catch>", "<Catch2TestRun>%s</Catch2TestRun>"):
            code, lines = self.catch2(xml % (PASSED + FAILED + SKIPPED + SKIPPED_3 + PASSED), 1)
            self.assertEqual(lines[-1], "2 passed, 1 failed, 2 skipped")
            self.assertEqual(code, 1)
            self.assertIn("  two_test.cpp:7: CHECK( a == b ), which is 1 == 2", lines)
            self.assertIn("skipped: no GPU", lines)
            self.assertIn("skipped: no locale", lines)
            self.assertIn("words of the program", lines)
            self.assertEqual(self.catch2(xml % (PASSED + SKIPPED))[0], 0)

    def test_what_is_no_test_of_a_program_is_not_counted(self):
        code, lines = self.catch2(f"<Catch>{PASSED}{LEFT_OUT}</Catch>")
        self.assertEqual((code, lines[-1]), (0, "1 passed, 0 failed, 0 skipped"))

    def test_with_all_tests_only_a_gpu_may_be_missing(self):
        xml = f"<Catch>{PASSED}{SKIPPED}{SKIPPED_3}</Catch>"
        self.assertEqual(self.catch2(xml)[1][-1], "1 passed, 0 failed, 2 skipped")
        code, lines = self.catch2(xml, ALL_TESTS="1")
        self.assertEqual((code, lines[-1]), (1, "1 passed, 1 failed, 1 skipped"))
        self.assertIn("FAILED: skipped: no locale; with ALL_TESTS=1 this test has to run", lines)

    def test_a_program_that_did_not_end_well_has_failed(self):
        whole = f"<Catch>{PASSED}</Catch>"
        self.assertEqual(self.catch2(whole)[0], 0)
        for xml, code in ((whole, 1), (whole, 139), (f"<Catch>{PASSED}", 0), ("", 0), ("<Catch/>", 0)):
            with self.subTest(xml=xml, code=code):
                code, lines = self.catch2(xml, code)
                self.assertEqual(code, 1)
                self.assertRegex(lines[-1], r"^\d passed, 1 failed, 0 skipped$")
        self.assertEqual(self.run_py()[0], 1)

    def test_unittest(self):
        tests = self.folder / "tests_here"
        tests.mkdir()
        (tests / "__init__.py").touch()
        code, lines = self.run_py("tests_here")
        self.assertEqual((code, lines[-1]), (1, "0 passed, 1 failed, 0 skipped"))
        (tests / "test_some.py").write_text(UNITTESTS)
        code, lines = self.run_py("tests_here")
        self.assertEqual((code, lines[-1]), (1, "1 passed, 4 failed, 1 skipped"))
        self.assertIn("skipped: not here", lines)
        self.assertTrue(any("on purpose" in line for line in lines))
        (tests / "test_some.py").write_text("import nothing_of_this_name\n")
        self.assertEqual(self.run_py("tests_here")[1][-1], "0 passed, 1 failed, 0 skipped")
        (tests / "test_some.py").write_text(UNITTESTS.split("    def test_fails")[0])
        self.assertEqual(
            self.run_py("tests_here"),
            (0, ["tests_here: 1 passed, 0 failed, 0 skipped", "1 passed, 0 failed, 0 skipped"]),
        )

    def test_several_are_added_up_and_one_that_dies_has_failed(self):
        for name, text in (("some", UNITTESTS.split("    def test_fails")[0]), ("dies", "import os\nos._exit(3)\n")):
            (self.folder / name).mkdir()
            (self.folder / name / "__init__.py").touch()
            (self.folder / name / "test_it.py").write_text(text)
        code, lines = self.run_py("some", "dies", "some")
        self.assertEqual(code, 1)
        self.assertEqual(lines.count("some: 1 passed, 0 failed, 0 skipped"), 2)
        self.assertIn("dies: its run ended with code 3", lines)
        self.assertEqual(lines[-1], "2 passed, 1 failed, 0 skipped")


if __name__ == "__main__":
    unittest.main()
