# SPDX-License-Identifier: MIT
"""Judges an answer: it compiles, gives the right bytes, makes no mistake that `check` finds, and reaches the exercise's goal."""

import functools
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
    """The steps in order, up to the first that fails. One program shows whether the bytes are right and what `check` or the
    sanitizers find; for a GPU a second one is compiled."""
    steps = []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "answer")
        checked = functools.cache(lambda: programs.check(exercise, answer, seed))
        first = checked if exercise.is_cuda else functools.cache(lambda: sanitized(exercise, answer, program, seed))
        tried = (
            functools.cache(lambda: on_gpu(exercise, answer, program, seed))
            if exercise.is_cuda and programs.has_gpu()
            else first
        )
        for name, step in (
            ("compiles", tried),
            ("bytes", lambda: right_bytes(tried(), first)),
            ("check", lambda: no_mistakes(first().mistakes)),
            ("goal", lambda: reaches_goal(exercise, answer, program, tried(), seed)),
        ):
            try:
                text = step()
                steps.append(Step(name, True, text if isinstance(text, str) else ""))
            except Problem as problem:
                steps.append(Step(name, False, str(problem)))
                break
    return steps


def on_gpu(exercise, answer, program, seed):
    programs.build_answer(exercise, answer, program)
    return programs.run_answer(exercise, program, "bytes", seed)


def right_bytes(result, first):
    """If they are wrong, a race or an index may be the cause, so the first mistake is shown, too."""
    if not result.right:
        if not result.timed_out:
            result.mistakes = first().mistakes
        raise Problem(result.message())


def no_mistakes(mistakes):
    if mistakes:
        raise Problem("\n".join(mistakes[:3]))


def sanitized(exercise, answer, program, seed):
    """As programs.check: all pictures, and what the sanitizers find, for memory and, with threads, for races."""
    programs.build_answer(exercise, answer, program, programs.MEMORY)
    result = programs.run_answer(exercise, program, "bytes", seed, programs.MEMORY)
    result.mistakes = report(result, answer)
    if (
        not result.mistakes
        and not result.timed_out
        and "thread" in answer.read_text(errors="replace")
        and not exercise.is_mpi
    ):
        racing = program.with_name("racing")
        programs.build_answer(exercise, answer, racing, "thread")
        raced = programs.run_answer(exercise, racing, "races", seed, "thread")
        result.mistakes = report(raced, answer)
        if not result.mistakes and not result.wrong:
            result.mistakes = [f"In another run: {text}" for text in raced.wrong]
        if raced.timed_out:
            result.mistakes = result.mistakes or [f"While the judge looked for data races, {raced.how_it_ended()}"]
    if result.judged and result.mistakes:
        result.code = 0  # the sanitizer's
    return result


def report(result, answer):
    """Of a sanitizer's words: what it found, and the first place in the answer."""
    found = re.search(r"(?:ERROR|WARNING): \w+Sanitizer: (.*)|runtime error: (.*)", result.text)
    place = re.search(rf"{re.escape(answer.name)}:(\d+)", result.text)
    if not found:
        return []
    words = re.split(" on (?:unknown )?address| \\(pid=", next(filter(None, found.groups())))[0]
    return [words + (f", {answer.name}, line {place[1]}" if place else "")]


def reaches_goal(exercise, answer, program, tried, seed):
    """With a GPU, or on a CPU, a ratio of times; counts if there is no GPU."""
    times, counts = tried.rows("time"), tried.rows("count")
    texts = []
    if (times or counts) and not exercise.is_cuda and not exercise.is_mpi:
        program = program.with_name("without_sanitizer")
        programs.build_answer(exercise, answer, program)
    if times and (programs.has_gpu() or not exercise.is_cuda):
        texts.append(is_fast(exercise, program, float(times[0][0]), seed))
    if counts and not (texts and exercise.is_cuda):
        result, counted = programs.count(exercise, answer, program, seed)
        if not result.right:
            raise Problem(result.message())
        texts += reaches_counts(counted, counts, ",".join(tried.rows("in")[0]))
    return "\n".join(texts)


def is_fast(exercise, program, wanted, seed):
    result = programs.run_answer(exercise, program, "time", seed)
    if not result.right:
        raise Problem(result.message())
    ratio = float(result.rows("ratio")[0][0])
    text = f"{ratio:.2f} times as fast, {wanted:g} is wanted"
    if wanted < 1:
        text = f"{1 / ratio:.2f} times the time of one thread, at most {1 / wanted:.2g} times is wanted"
    if ratio < wanted:
        raise Problem(text)
    return text


def reaches_counts(counted, goals, where):
    texts = []
    for figure, most, units, unit, *if_none in goals:
        value = counted.get(figure, 0) / float(units)
        texts.append(f"{figure}{unit}: {round(value, 2):.10g}, at most {float(most):g} wanted")
        if value > float(most):
            raise Problem(f"{texts[-1]} (counted with {where})")
        if not value and any(if_none):
            raise Problem(",".join(if_none))
    return [*texts, f"counted with {where}"]
