# SPDX-License-Identifier: MIT
"""tools/verify.sh with labs that are scripts: a lab's result counts, whatever others do."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOOD = """echo table of $0
while [ $# -gt 0 ]; do [ "$1" = --csv ] && printf 'lab,status\\n%s,ok\\n' "$(basename $(dirname $0))" >"$2"; shift; done
"""


class VerifyScript(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.verified = self.folder / "results" / "verify.csv"

    def lab(self, name, text):
        program = self.folder / "build" / "labs" / name / "lab"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/bash\n" + text)
        program.chmod(0o755)

    def verify(self, *labs, before="", start=subprocess.run, **settings):
        environment = {
            **os.environ,
            "BUILD": str(self.folder / "build"),
            "LABS": " ".join(labs),
            "LAB": "",
            "VARIANT": "",
            "RESULTS": str(self.folder / "results"),
            "SIZES": "all",
            "IMAGE": "",
            **settings,
        }
        return start(
            ["bash", "-c", before + "exec tools/verify.sh"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def test_all_good(self):
        self.lab("01_a", GOOD)
        self.lab("02_b", GOOD)
        done = self.verify("01_a", "02_b")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.verified.read_text(), "lab,status\n01_a,ok\n02_b,ok\n")
        self.assertEqual(os.listdir(self.folder / "results"), ["verify.csv"])

    def test_one_line_a_lab_unless_more_is_asked_for(self):
        self.lab("01_a", 'echo "${*: -1}"\n' + GOOD)
        last = f"all as the reference; what was unsupported, and why: {self.verified}, or VERBOSE=1\n"
        for settings, option in (({}, "--brief"), ({"VERBOSE": "1"}, f"{self.verified.parent}/verify")):
            said = self.verify("01_a", **settings).stdout
            self.assertTrue(said.startswith(f"{option}\n"), said)
            self.assertTrue(said.endswith(last), said)

    def test_pictures_are_named_when_this_run_drew_some(self):
        pictures = self.folder / "results/verify"
        pictures.mkdir(parents=True)
        (pictures / "older.png").touch()
        for draws, ends in (("", "verify.csv"), (f"touch {pictures}/new.png; ", f"differences in {pictures}/")):
            self.lab(f"01_a{len(draws)}", draws + GOOD + "exit 1\n")
            self.assertTrue(self.verify(f"01_a{len(draws)}").stderr.endswith(f"{ends}\n"))

    def test_of_one_lab_or_variant_only_their_rows_are_replaced(self):
        header, other = "lab,variant,status,reason\n", '02_b,one,ok,\n02_b,two,failed,"two lines,\n01_a,one"\n'
        older = header + "01_a,one,ok,older\n01_a,one_more,ok,older\n" + other
        new = "01_a,one,ok,new\n"
        self.lab("01_a", GOOD.replace("lab,status\\n%s,ok\\n", header.replace("\n", "\\n") + "%s,one,ok,new\\n"))
        self.verified.parent.mkdir()
        for settings, expected in (
            ({"LAB": "01_a"}, header + other + new),
            ({"LAB": "01_a", "VARIANT": "one"}, header + "01_a,one_more,ok,older\n" + other + new),
            ({}, header + new),
        ):
            with self.subTest(settings=settings):
                self.verified.write_text(older)
                done = self.verify("01_a", **settings)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(self.verified.read_text(), expected)
        self.verified.write_text("lab,variant\n02_b,one\n")
        self.assertIn("had the columns of another version; it is replaced", self.verify("01_a", LAB="01_a").stderr)
        self.assertEqual(self.verified.read_text(), header + new)

    def test_a_lab_that_crashes_has_no_older_rows(self):
        self.lab("01_a", "kill -SEGV $$")
        self.verified.parent.mkdir()
        self.verified.write_text("lab,variant\n01_a,one\n02_b,one\n")
        self.assertEqual(self.verify("01_a", LAB="01_a").returncode, 1)
        self.assertEqual(self.verified.read_text(), "lab,variant\n02_b,one\n")

    def test_a_crash_does_not_lose_the_tables_of_the_others(self):
        self.lab("01_a", GOOD)
        self.lab("02_crash", "echo started; kill -SEGV $$")
        self.lab("03_early", "echo 'error: it ends' >&2; exit 1")
        self.lab("04_b", GOOD)
        done = self.verify("01_a", "02_crash", "03_early", "04_b")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.count("table of"), 2)
        self.assertIn("02_crash ended with signal SEGV and gave no rows", done.stdout)
        self.assertIn("03_early ended with exit code 1", done.stdout)
        self.assertIn("not compared to the end: 02_crash 03_early;", done.stderr)
        self.assertEqual(self.verified.read_text(), "lab,status\n01_a,ok\n04_b,ok\n")

    def test_a_full_disk_is_said_to_be_one(self):
        """It once printed "[: : integer expression expected". A limit on the size of files replaces a full disk."""
        self.lab("01_a", GOOD)
        (self.folder / "results").mkdir()
        self.verified.write_text("older")
        done = self.verify("01_a", before="trap '' XFSZ; ulimit -f 0; ")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.splitlines()[-1].split(":")[0], "error")
        self.assertIn("results': make room, or choose another", done.stderr.splitlines()[-1])
        self.assertNotIn("integer expression", done.stderr)
        self.assertEqual(self.verified.read_text(), "older")

    def test_a_difference_is_a_failure(self):
        self.lab("01_a", GOOD + "exit 1")
        done = self.verify("01_a")
        self.assertEqual(done.returncode, 1)
        self.assertIn("some variants failed", done.stderr)

    def test_a_table_is_shown_when_its_lab_has_ended(self):
        gate = self.folder / "gate"
        os.mkfifo(gate)
        self.lab("01_slow", f"read -r < {gate}; echo slow")
        self.lab("02_fast", "echo fast")
        with self.verify("01_slow", "02_fast", start=subprocess.Popen) as running:
            self.assertEqual(running.stdout.readline(), "fast\n")
            gate.write_text("\n")
            self.assertIn("slow\n", running.communicate()[0])

    def test_a_wrong_option_ends_it(self):
        self.lab("01_a", "echo 'error: Option --size' >&2; exit 2")
        done = self.verify("01_a")
        self.assertEqual(done.returncode, 2)
        self.assertIn("error: Option --size", done.stderr)


if __name__ == "__main__":
    unittest.main()
