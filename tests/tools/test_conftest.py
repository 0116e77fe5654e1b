# SPDX-License-Identifier: MIT
"""conftest.py: how pytest runs programs of Catch2 versions 2 and 3, and reports skips and failures."""

import os
import shutil
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
FORMS = {
    "--list-test-names-only": "<Catch><Group>%s</Group></Catch>",
    "--list-tests": "<Catch2TestRun>%s</Catch2TestRun>",
}

PROGRAM = """#!/bin/bash
case $1 in
%s) cat names ;;
--list*) echo "Unrecognised token: $1"; exit 255 ;;
*) echo words of the program; cat "$1.xml" >"$5"; exit $(cat "$1.code") ;;
esac
"""
TWO_WAIT = f"""#!/bin/bash
[[ $1 != --list* ]] || {{ printf '%s\\n' one two; exit; }}
touch "began $1"
for try in {{1..200}}; do
    [[ ! -e "began one" || ! -e "began two" ]] || break
    sleep 0.1
done
[[ -e "began one" && -e "began two" ]] || exit 1
echo '<Catch2TestRun>{PASSED}</Catch2TestRun>' > "$5"
"""
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


class Conftest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        for name in ("conftest.py", "pytest.ini"):
            shutil.copy(ROOT / name, self.folder)

    def pytest(self, *arguments, **environment):
        """(exit code, lines) of pytest in a new folder."""
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *(() if "-n" in arguments else ("-p", "no:xdist")), *arguments],
            cwd=self.folder,
            env={**os.environ, "CI": "", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout.splitlines()

    def catch2(self, *cases, code=0, listed="--list-test-names-only", **environment):
        """pytest of a program with test cases that write this XML as Catch2 does; with one that fails it ends with `code`."""
        program = self.folder / "program"
        program.write_text(PROGRAM % listed)
        program.chmod(0o755)
        names = [f"case {number}" for number in range(len(cases))]
        (self.folder / "names").write_text("\n".join(names))
        for name, xml in zip(names, cases):
            (self.folder / f"{name}.xml").write_text(xml)
            (self.folder / f"{name}.code").write_text(str(code if xml == cases[-1] else 0))
        return self.pytest("program", **environment)

    def test_versions_2_and_3(self):
        for listed, form in FORMS.items():
            cases = [form % case for case in (PASSED, SKIPPED, SKIPPED_3, PASSED, FAILED)]
            code, lines = self.catch2(*cases, code=1, listed=listed)
            self.assertEqual((code, lines[-1]), (1, "2 passed, 1 failed, 2 skipped"), lines)
            # The name of the test, then the line, then the rest.
            name = next(number for number, line in enumerate(lines) if line.strip("_") == " case 4 ")
            self.assertEqual(lines[name + 1], "two_test.cpp:7: CHECK( a == b ), which is 1 == 2")
            self.assertIn("words of the program", lines[name:])
            self.assertIn("FAILED program::case 4", lines)
            self.assertTrue(any("no GPU" in line for line in lines), lines)
            self.assertEqual(self.catch2(*cases[:2], listed=listed)[0], 0)

    def test_what_is_no_test_of_a_program_is_not_counted(self):
        code, lines = self.catch2(PASSED, LEFT_OUT)
        self.assertEqual((code, lines[-1]), (0, "1 passed, 0 failed, 0 skipped"))
        code, lines = self.catch2(PASSED, LEFT_OUT, CI="1")
        self.assertEqual((code, lines[-1]), (0, "1 passed, 0 failed, 0 skipped"))

    def test_with_all_tests_only_a_gpu_may_be_missing(self):
        cases = (PASSED, SKIPPED, SKIPPED_3)
        self.assertEqual(self.catch2(*cases)[1][-1], "1 passed, 0 failed, 2 skipped")
        code, lines = self.catch2(*cases, CI="1")
        self.assertEqual((code, lines[-1]), (1, "1 passed, 1 failed, 1 skipped"))
        self.assertIn("skipped: no locale; in CI this test has to run", lines)

    def test_two_processes_share_the_cases_of_a_program(self):
        """Each case waits until the other has begun."""
        program = self.folder / "program"
        program.write_text(TWO_WAIT)
        program.chmod(0o755)
        code, lines = self.pytest("-n", "2", "--dist", "loadscope", "program")
        self.assertEqual((code, lines[-1]), (0, "2 passed, 0 failed, 0 skipped"), lines)

    def test_a_program_that_did_not_end_well_has_failed(self):
        self.assertEqual(self.catch2(PASSED)[0], 0)
        for xml, code in ((PASSED, 1), (PASSED, 139), (PASSED[:-3], 0), ("", 0), ("<Catch/>", 0)):
            with self.subTest(xml=xml, code=code):
                done, lines = self.catch2(xml, code=code)
                self.assertEqual((done, lines[-1]), (1, "0 passed, 1 failed, 0 skipped"))
                self.assertIn(f"program ended with code {code}", lines)
        self.assertNotEqual(self.catch2()[0], 0)  # names no test

    def test_unittest(self):
        test = self.folder / "test_some.py"
        test.write_text(UNITTESTS)
        code, lines = self.pytest("test_some.py")
        self.assertEqual((code, lines[-1]), (1, "1 passed, 4 failed, 1 skipped"))
        self.assertTrue(any("not here" in line for line in lines))
        self.assertTrue(any("on purpose" in line for line in lines))
        first = next(i for i, line in enumerate(lines) if line.startswith("FAILED test_some.py::"))
        self.assertLess(first, next(i for i, line in enumerate(lines) if "= FAILURES =" in line))
        self.assertEqual(self.pytest("test_some.py", CI="1")[1][-1], "1 passed, 5 failed, 0 skipped")
        test.write_text("import nothing_of_this_name\n")
        self.assertEqual(self.pytest("test_some.py")[1][-1], "0 passed, 1 failed, 0 skipped")
        test.write_text(UNITTESTS.split("    def test_fails")[0])
        code, lines = self.pytest("test_some.py")
        self.assertEqual((code, lines[-1]), (0, "1 passed, 0 failed, 0 skipped"))
        test.write_text("")
        self.assertNotEqual(self.pytest("test_some.py")[0], 0)


if __name__ == "__main__":
    unittest.main()
