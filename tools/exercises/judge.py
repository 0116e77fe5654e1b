# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Judges an answer: it compiles, gives the right bytes, makes no mistake that `check` finds, and reaches the exercise's goal."""

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import programs
from exercise import Problem


@dataclass
class Step:
    name: str
    passed: bool
    text: str = ""


def judge(exercise, answer, seed):
    """The steps in order; after one that failed there is none."""
    steps = []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "answer")
        for name, step in (
            ("compiles", lambda: programs.build_answer(exercise, answer, program)),
            ("bytes", lambda: right_bytes(exercise, program, seed)),
            ("check", lambda: checks(exercise, answer, Path(folder), seed)),
            ("goal", lambda: reaches_goal(exercise, answer, program, seed)),
        ):
            try:
                steps.append(Step(name, True, step() or ""))
            except Problem as problem:
                steps.append(Step(name, False, str(problem)))
                break
    return steps


def right_bytes(exercise, program, seed):
    result = programs.run_answer(exercise, program, "bytes", seed)
    if result.code != 0 or not result.judged:
        raise Problem(result.told())


def checks(exercise, answer, folder, seed):
    """CUDA: `cuda-on-cpu check`. Otherwise the sanitizers for memory and, with threads, for races."""
    if exercise.is_cuda:
        result = programs.on_cpu(["check"], exercise, answer, seed)
        if result.code != 0:
            raise Problem("\n".join(line for line in result.text.splitlines() if line != "judged"))
        return
    has_threads = "thread" in answer.read_text() and not exercise.is_mpi
    sanitizers = ["address,undefined"] + ["thread"] * has_threads
    for number, sanitizer in enumerate(sanitizers):
        program = folder / f"checked{number}"
        programs.build_answer(exercise, answer, program, sanitizer)
        result = programs.run_answer(exercise, program, "once", seed)
        if not result.judged or result.code != 0:
            raise Problem(shortened(result, answer))


def shortened(result, answer):
    """Of a sanitizer's report: what it found, and the first place in the answer."""
    found = re.search(r"(?:ERROR|WARNING): \w+Sanitizer: (.*)|runtime error: (.*)", result.text)
    place = re.search(rf"{re.escape(answer.name)}:(\d+)", result.text)
    if not found:
        return result.told()
    words = re.split(" on address| \\(pid=", next(filter(None, found.groups())))[0]
    return words + (f", {answer.name}, line {place[1]}" if place else "")


def reaches_goal(exercise, answer, program, seed):
    """With a GPU, or on a CPU, a ratio of times; else counts."""
    goals = [line.split(",") for line in programs.run_answer(exercise, program, "goals", seed).text.splitlines() if "," in line]
    times = [float(goal[1]) for goal in goals if goal[0] == "time"]
    if times and (programs.has_gpu() or not exercise.is_cuda):
        return is_fast(exercise, program, times[0], seed)
    counts = [goal[1:] for goal in goals if goal[0] == "count"]
    return reaches_counts(exercise, answer, program, counts, seed) if counts else ""


def is_fast(exercise, program, wanted, seed):
    result = programs.run_answer(exercise, program, "time", seed)
    ratio = re.search(r"^ratio: (.*)$", result.text, re.MULTILINE)
    if not ratio or not result.judged:
        raise Problem(result.told())
    text = f"{float(ratio[1]):.2f} times as fast, {wanted:g} is wanted"
    if float(ratio[1]) < wanted:
        raise Problem(text)
    return text


def reaches_counts(exercise, answer, program, goals, seed):
    counted = programs.count(exercise, answer, program, seed)
    texts = []
    for kernel, figure, at_most in goals:
        if (kernel, figure) not in counted:
            raise Problem(f"{kernel} was not called; its name is a part of the task")
        value = counted[kernel, figure]
        texts.append(f"{value:.4g} {figure} in {kernel}, at most {at_most} wanted")
        if value > float(at_most):
            raise Problem(texts[-1])
    return "; ".join(texts)
