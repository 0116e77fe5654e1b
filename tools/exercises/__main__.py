# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""make exercise, make exercises, make new-exercise. Settings are read from the environment, as make sets them."""

import os
import random
import re
import sys
import time
from pathlib import Path

import programs
import progress
from exercise import Problem, all_exercises, find
from judge import judge
from new_exercise import new_exercise


def setting(name):
    return os.environ.get(name, "").strip()


def number(name):
    """Of a setting; 0 if it is empty."""
    text = setting(name) or "0"
    if not re.fullmatch(r"\d{1,9}", text):
        raise Problem(f"{name} is '{text}'; set it to a number from 1 to 999999999")
    return int(text)


def show(exercise, steps):
    for step in steps:
        mark = "ok" if step.passed else "NO"
        lines = step.text.splitlines() or [""]
        print(f"  {step.name:<9} {mark}  {lines[0]}".rstrip())
        for line in lines[1:]:
            print(f"                {line}")
    if steps[-1].passed:
        print("  Solved.")
    else:
        hint = f"make exercise LAB={exercise.lab} N={exercise.number} HINT=1"
        print(f"  Not yet. The task: {exercise.folder}/README.md; a hint: {hint}")


def judge_once(exercise, files):
    """The student's file, or those of several students, a line for each."""
    seed = number("SEED") or random.randrange(1, 10**6)
    print(f"{exercise.title} ({exercise}, SEED={seed})", flush=True)
    solved = True
    for file in files:
        steps = judge(exercise, file, seed)
        solved = solved and steps[-1].passed
        if file == exercise.file:
            show(exercise, steps)
            progress.store(exercise, steps[-1])
        else:
            failed = next(
                (f"{step.name}: {' '.join(step.text.split())}" for step in steps if not step.passed), "solved"
            )
            print(f"  {file}: {failed}", flush=True)
    return 0 if solved else 1


def watch(exercise):
    judged = None
    while True:
        # An editor may rename its new file to this one: for a moment there is none.
        changed = exercise.file.stat().st_mtime if exercise.file.exists() else judged
        if changed != judged:
            judge_once(exercise, [exercise.file])
            print(f"Waiting for a change of {exercise.file}; Ctrl-C ends.", flush=True)
            judged = changed
        time.sleep(0.3)


def exercise_verb():
    exercise = find(setting("LAB"), setting("N"))
    if setting("HINT"):
        print(exercise.hint(number("HINT")))
        return 0
    if programs.missing(exercise):
        raise Problem(programs.missing(exercise))
    if setting("WATCH"):
        return watch(exercise)
    files = [Path(name) for name in setting("FILES").split()] or [exercise.file]
    for file in files:
        if not file.is_file():
            raise Problem(f"There is no file {file}")
    return judge_once(exercise, files)


def list_verb():
    exercises = all_exercises(setting("LAB") or None)
    states = progress.states(exercises)
    for exercise in exercises:
        print(f"{exercise.lab:<18} N={exercise.number}  {states[exercise.folder]:<20} {exercise.title}")
    print(f"{list(states.values()).count('solved')} of {len(exercises)} solved")
    return 0


VERBS = {"judge": exercise_verb, "list": list_verb, "new": lambda: new_exercise(setting("LAB"), setting("TITLE"))}

try:
    sys.exit(VERBS[sys.argv[1]]())
except Problem as problem:
    print(f"error: {problem}", file=sys.stderr)
    sys.exit(2)
except KeyboardInterrupt:
    sys.exit(130)
