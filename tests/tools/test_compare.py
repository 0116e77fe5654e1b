# SPDX-License-Identifier: MIT
"""Two folders compared: what changed beyond the noise, and the exit code that guards a change."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests.tools.made_up_rows import ROOT, row, write


class Compare(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.base = Path(holder.name)

    def folder(self, name: str, *rows: dict[str, str]) -> None:
        write(self.base / name / "lab.csv", rows)

    def compare(self, *arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, str(ROOT / "report/make/plots"), "compare", *arguments],
            cwd=self.base,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        self.assertNotIn("Traceback", done.stdout)
        return done.returncode, done.stdout

    def test_faster_slower_and_as_before(self) -> None:
        self.folder(
            "a",
            row("l", "v", "480p", 2),
            row("l", "w", "480p", 2),
            row("l", "u", "480p", 2),
            row("l", "x", "480p", 2),
            row("l", "gone", "480p", 2),
        )
        self.folder(
            "b",
            row("l", "v", "480p", 1),
            row("l", "w", "480p", 3),
            row("l", "u", "480p", 2.02),
            row("l", "x", "480p", 3, kernel_ms_p05="1.5"),
        )
        code, words = self.compare("a", "b")
        self.assertEqual(code, 3, words)
        self.assertRegex(words, r"l +v +480p .* 0\.500 +faster\n")
        self.assertRegex(words, r"l +w +480p .* 1\.500 +slower\n")
        self.assertIn("4 configurations in both: 1 faster, 1 slower, 2 as before.", words)
        self.assertEqual(self.compare("a", "a")[0], 0)
        code, words = self.compare("b", "a", "--limit", "0")
        self.assertIn("2 faster, 1 slower", words)

    def test_a_noisy_row_decides_only_what_is_far_apart(self) -> None:
        self.folder("a", *(row("l", name, "480p", 2, noisy=noisy) for name, noisy in zip("uvwx", "0101")))
        self.folder("b", *(row("l", name, "480p", ms, noisy="1") for name, ms in zip("vwx", (1.8, 2.2, 4))))
        code, words = self.compare("a", "b", "--limit", "2")
        self.assertEqual(code, 3, words)
        self.assertRegex(words, r"l +v +480p .* 0\.900 +undecided, A and B noisy\n")
        self.assertRegex(words, r"l +w +480p .* 1\.100 +undecided, B noisy\n")
        self.assertRegex(words, r"l +x +480p .* 2\.000 +slower\n")
        self.assertIn("0 faster, 1 slower, 0 as before, 2 undecided: A or B is noisy; measure again.\n", words)

    def test_two_sessions_of_a_cpu_must_be_further_apart_than_those_of_a_gpu(self) -> None:
        gpu = {"backend": "cuda", "device": "Toy GPU", "gpus": "1"}
        self.folder("a", row("l", "v", "480p", 2), row("l", "g", "480p", 2, **gpu))
        self.folder("b", row("l", "v", "480p", 2.4, date="2026-01-03T03:04:05Z"), row("l", "g", "480p", 2.1, **gpu))
        code, words = self.compare("a", "b")
        self.assertEqual(code, 3, words)
        self.assertIn("2 configurations in both: 0 faster, 1 slower, 1 as before.", words)
        self.assertRegex(words, r"l +g +480p .* slower\n")
        self.assertIn("2.0 % on a GPU, 25 % on a CPU, where two sessions differ by so much.", words)
        self.assertIn("0 faster, 2 slower", self.compare("a", "b", "--limit", "2")[1])
        self.folder("b", row("l", "v", "480p", 2.6), row("l", "g", "480p", 2, **gpu))
        self.assertIn("0 faster, 1 slower", self.compare("a", "b")[1])

    def test_rows_of_the_earlier_protocol_and_other_pinning_are_not_mixed(self) -> None:
        gpu = {"backend": "cuda", "device": "Toy GPU", "gpus": "1"}
        today, earlier = {"rounds": "10", "pinning": "cores"}, {"rounds": "", "pinning": ""}
        self.folder("a", row("l", "v", "480p", 2, **gpu, **today), row("l", "w", "480p", 2, **gpu, **earlier))
        self.folder("b", row("l", "v", "480p", 9, **gpu, **earlier), row("l", "w", "480p", 2, **gpu, **earlier))
        code, words = self.compare("a", "b")
        self.assertEqual(code, 0, words)
        self.assertIn("1 configurations in both: 0 faster, 0 slower, 1 as before.", words)
        self.assertIn(
            "Not compared: 1 configuration, because one was timed by the earlier protocol, without rounds", words
        )
        self.folder("b", row("l", "v", "480p", 9, **gpu, **earlier))
        code, words = self.compare("a", "b")
        self.assertEqual((code, words.count("\n")), (1, 1), words)
        self.assertIn("nothing of the two folders can be compared: one was timed by the earlier protocol", words)
        self.folder("cores", row("l", "v", "480p", 2, **today))
        self.folder("off", row("l", "v", "480p", 9, rounds="10", pinning="off"))
        self.assertEqual(self.compare("cores", "off")[0], 1)
        self.assertIn("the threads were pinned in another way", self.compare("cores", "off")[1])

    def test_other_differences_are_noted(self) -> None:
        gpu = {"backend": "cuda", "device": "Toy GPU", "gpus": "1", "pinning": "cores"}
        self.folder("a", row("l", "v", "480p", 2, **gpu), row("l", "w", "480p", 2, **gpu))
        self.folder(
            "b",
            row("l", "v", "480p", 2, **{**gpu, "pinning": "off"}, iterations="20", compiler="g++ 13"),
            row("l", "w", "480p", 2, **gpu, iterations="50"),
        )
        code, words = self.compare("a", "b")
        self.assertEqual(code, 0, words)
        for note in (
            "Note: the iterations differ in 2 of 2 configurations: 100 in A and 20 in B in 1 of them.",
            "Note: the compiler differs in 1 of 2 configurations: g++ 12.2.0 in A and g++ 13 in B.",
            "Note: the pinning of the host's threads differs in 1 of 2 configurations: cores in A and off in B.",
        ):
            self.assertIn(note, words)
        self.assertNotIn("Note:", self.compare("a", "a")[1])

    def test_the_exit_codes_are_named(self) -> None:
        self.assertIn(
            "0 nothing became slower, 3 something became slower, 1 one sentence",
            " ".join(self.compare("--help")[1].split()),
        )

    def test_two_machines(self) -> None:
        self.folder("a", row("l", "v", "480p", 2))
        self.folder("b", row("l", "v", "480p", 1, machine="big", device="Big CPU"))
        code, words = self.compare("a", "b")
        self.assertEqual(code, 0)
        self.assertIn("1 faster", words)
        self.assertIn("The machines differ", words)

    def test_an_output_that_cannot_be_written(self) -> None:
        self.folder("a", row("l", "v", "480p", 2))
        buffered = {**os.environ, "PYTHONUNBUFFERED": ""}
        for program in (
            [str(ROOT / "report/make/plots"), "compare", "a", "a"],
            [str(ROOT / "report/make/paper"), "claims", "--help"],
        ):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run(
                    [sys.executable, *program], cwd=self.base, env=buffered, stdout=full, stderr=subprocess.PIPE
                )
            self.assertEqual(done.returncode, 1)
            self.assertRegex(
                done.stderr.decode(), r"^[a-z ]+: the output cannot be written: No space left on device\n$"
            )

    def test_a_closed_output(self) -> None:
        self.folder("a", row("l", "v", "480p", 2))
        command = [sys.executable, str(ROOT / "report/make/plots"), "compare", "a", "a"]
        closed = f"{' '.join(command)} >&-"
        self.assertEqual(subprocess.run(["bash", "-c", closed], cwd=self.base, check=False).returncode, 0)

    def test_what_cannot_be_compared(self) -> None:
        self.folder("a", row("l", "v", "480p", 2))
        self.folder("two", row("l", "v", "480p", 2), row("l", "v", "480p", 2, machine="big"))
        self.folder("other", row("l", "v", "480p", 2, ksize="3"))
        self.folder("emulated", row("l", "v", "480p", 2, backend="cuda_on_cpu"))
        for arguments, code, words in (
            (("a", "two"), 1, "2 machines"),
            (("a", "other"), 1, "no configuration in common"),
            (("a", "emulated"), 1, "emulated has no time"),
            (("a", "none"), 1, "no folder none"),
            (("a", "a", "--lab", "m"), 1, "no time of m"),
            (("a",), 2, "usage"),
            (("a", "a", "--limit", "-1"), 2, "percentage"),
        ):
            found = self.compare(*arguments)
            self.assertEqual(found[0], code, found[1])
            self.assertIn(words, found[1])


if __name__ == "__main__":
    unittest.main()
