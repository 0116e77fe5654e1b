# SPDX-License-Identifier: MIT
"""Every exercise: the starter fails, the solution passes, wrong solutions fail at the step that they name. Each lab's first
exercise is judged at each change; the others, and the wrong solutions, with ALL=1."""

import os
import re
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import programs
import pytest
import result
from exercise import all_exercises
from result import Result
from steps import judge, sanitized

ROOT = Path(__file__).resolve().parents[2]
os.chdir(ROOT)

SEED = 20


def failed_step(exercise, answer):
    """(step, message) or None."""
    last = judge(exercise, answer, SEED)[-1]
    return None if last.passed else (last.name, last.text)


def plain(transcript):
    """Without line breaks, folders, and numbers; except the numbers of a count, which do not depend on the machine."""
    words = re.sub(r"labs/\S*/", "", " ".join(transcript.split()))
    return words if "counted with" in words else re.sub(r"\d+(\.\d+)?", "#", words)


def is_timed(exercise):
    """On a CPU."""
    return "times_as_fast" in exercise.judge.read_text() and not exercise.is_cuda


def first_of(test, lab):
    """Its first exercise."""
    return next(iter(all_exercises(lab)), None) or test.skipTest(f"lab {lab} is not here")


class OfALab(unittest.TestCase):
    def read(self, exercise):
        """Its pages."""
        page = (exercise.folder / "README.md").read_text()
        for part in ("**Task.**", "**Goal.**", f"make exercise LAB={exercise.lab} N={exercise.number}"):
            self.assertIn(part, page, exercise.folder)
        for number in (1, 2, 3):
            self.assertGreater(len(exercise.hint(number)), 20)
        files = re.findall(r"`(?:\w+ )*((?:labs|common)/[\w/.]+\.\w+)", exercise.after())
        self.assertTrue(files, f"{exercise.folder}/solved.md names no file of a lab")
        for name in files:
            self.assertTrue((ROOT / name).is_file(), f"{exercise.folder}/solved.md: {name}")

    def judge(self, exercise):
        """The given code, and whether its page shows what it prints; the solution."""
        self.require(exercise)
        steps = judge(exercise, exercise.file, SEED)
        last = steps[-1]
        self.assertFalse(last.passed, f"the starter of {exercise} passes")
        self.assertNotEqual(last.name, "compiles", f"the starter of {exercise}: {last.text}")
        self.assertNotRegex(last.text, "Remedy|put __sync", "the answer is the hints' matter")
        _, given, shown = (exercise.folder / "README.md").read_text().partition("\nWith the given code")
        if given:
            shown = re.search(r"^```\n(.*?)^```$", shown, re.DOTALL | re.MULTILINE)[1]
            said = "".join(f"{step.name} {'ok' if step.passed else 'NO'} {step.text}\n" for step in steps)
            self.assertTrue(plain(said).startswith(plain(shown)), f"{exercise.folder}/README.md shows not\n{said}")
        self.assertIsNone(failed_step(exercise, exercise.solution()), f"the solution of {exercise}")

    def judge_right(self, exercise):
        """Other right answers; with a goal of time in each of several sizes."""
        self.require(exercise)
        others = list(exercise.other_solutions())
        self.assertTrue(others, f"{exercise.solutions}/right.txt has not the least that the task asks for")
        for what, text in others:
            with tempfile.TemporaryDirectory() as folder:
                answer, program = Path(folder, f"right{exercise.file.suffix}"), Path(folder, "program")
                answer.write_text(text)
                self.assertIsNone(failed_step(exercise, answer), f"{exercise} refuses: {what}")
                if is_timed(exercise):
                    programs.build_answer(exercise, answer, program)
                    for seed in range(1, 9):
                        timed = programs.run_answer(exercise, program, "time", seed)
                        ratio, wanted = float(timed.rows("ratio")[0][0]), float(timed.rows("time")[0][0])
                        self.assertGreater(ratio, wanted, f"{exercise}, SEED={seed}: {what}")

    def judge_wrong(self, exercise):
        self.require(exercise)
        wrong = list(exercise.wrong_solutions())
        self.assertGreaterEqual(len(wrong), 2, exercise.solutions)
        for step, what, text in wrong:
            with tempfile.TemporaryDirectory() as folder:
                answer = Path(folder, f"wrong{exercise.file.suffix}")
                answer.write_text(text)
                found = failed_step(exercise, answer)
            self.assertIsNotNone(found, f"{exercise} passes a wrong solution: {what}")
            self.assertEqual(step, found[0], f"{exercise}: {what}: {found[1]}")
            says = re.search(r"\(says: (.*)\)$", what)
            self.assertRegex(" ".join(found[1].split()), says[1] if says else ".", what)
            if "barrier" in what and exercise.is_cuda and step != "goal":
                self.assertRegex(found[1], "race|barrier", "the bytes alone do not tell why")

    def require(self, exercise):
        if not exercise.solutions.is_dir():
            self.skipTest(f"{exercise.solutions} is not here: a handout has no solutions")
        if programs.missing(exercise):
            self.skipTest(programs.missing(exercise))


class Judges(unittest.TestCase):
    def test_an_answer_whose_races_could_not_be_looked_for(self):
        exercise = first_of(self, "02_pthread")
        runs = iter([Result(0, "", words=["right", "judged"]), Result(-9, "", timed_out=20)])
        with (
            mock.patch.object(programs, "build_answer"),
            mock.patch.object(programs, "run_answer", lambda *_: next(runs)),
        ):
            found = sanitized(exercise, exercise.file, Path("answer"), SEED)
        self.assertRegex(found.mistakes[0], "looked for data races, it was stopped after 20 s")

    def test_a_program_that_writes_for_ever(self):
        """It does not fill the memory."""
        stopped = result.run(["yes"], 1)
        self.assertEqual((stopped.timed_out, len(stopped.text)), (1, result.KEPT))

    def test_nothing_runs_on_after_ctrl_c(self):
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(result, "ended", side_effect=[KeyboardInterrupt, 1, 1, 1]),
        ):
            with self.assertRaises(KeyboardInterrupt):
                result.run(["sh", "-c", f"sleep 0.5; touch {folder}/ran_on"])
            time.sleep(1)
            self.assertFalse(Path(folder, "ran_on").exists())

    def test_an_answer_that_calls_exit(self):
        """Memory that the judge allocated is no mistake of the answer."""
        exercise = next((one for one in all_exercises("03_cuda_global") if one.solutions.is_dir()), None)
        if exercise is None:
            self.skipTest("a handout has no solutions")
        with tempfile.TemporaryDirectory() as folder:
            answer = Path(folder, "answer.cu")
            text = exercise.solution().read_text().replace("const dim3 block(", "std::exit(0);\n    const dim3 block(")
            answer.write_text(f"#include <cstdlib>\n{text}")
            step, said = failed_step(exercise, answer)
        self.assertEqual(step, "bytes")
        self.assertRegex(said, "^it ended early; does the answer call exit")


def add_tests():
    """A class for each lab."""
    for exercise in all_exercises():
        name = f"Lab_{exercise.lab}"
        tests = globals().setdefault(name, type(name, (OfALab,), {}))
        is_first = not any(test.startswith("test_") for test in vars(tests))
        for what, proof, is_long in (
            ("pages", OfALab.read, False),
            ("judged", OfALab.judge, not is_first),
            ("right", OfALab.judge_right, not is_first),
            ("wrong", OfALab.judge_wrong, True),
        ):
            if what == "right" and not is_timed(exercise) and not list(exercise.other_solutions()):
                continue

            def test(self, exercise=exercise, proof=proof):
                proof(self, exercise)

            setattr(tests, f"test_{exercise.folder.name}_{what}", pytest.mark.long(test) if is_long else test)


add_tests()
