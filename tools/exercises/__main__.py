# SPDX-License-Identifier: MIT
"""make exercise (judge) and make exercises (list), whose settings are read from the environment, as make sets them; and
new LAB TITLE, which begins a new exercise."""

import glob
import os
import random
import re
import sys
import textwrap
import time
from pathlib import Path

import programs
import progress
import verdicts
from exercise import Failure, Problem, all_exercises, find, find_in
from new_exercise import new_exercise
from result import require_temporary_folder
from steps import judge


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
    print(f"  How this is judged: {exercise.judge}")
    if not steps[-1].passed:
        hint = f"make exercise LAB={exercise.lab} N={exercise.number} HINT=1"
        print(f"  Not yet. The task: {exercise.folder}/README.md; a hint: {hint}")
        return
    print("  Solved.")
    print(textwrap.fill(exercise.after(), 100, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False))


def unsolved(lab=None):
    """The first exercise that is not solved, of a lab or of all labs; None if all are solved. One that needs what is not
    installed comes last."""
    exercises = all_exercises(lab)
    states = progress.states(exercises)
    left = [exercise for exercise in exercises if states[exercise.folder] != "solved"]
    return min(left, key=lambda exercise: programs.missing(exercise) != "", default=None)


def all_solved(lab=None):
    print(f"All {len(all_exercises(lab))} exercises{f' of {lab}' if lab else ''} are solved.", flush=True)
    return 0


def show_next(exercise):
    following = unsolved(exercise.lab) or unsolved()
    if following:
        print(f"  Next: make exercise LAB={following.lab} N={following.number} ({following.title})", flush=True)
    else:
        all_solved()


def seed_of():
    return number("SEED") or random.randrange(1, 10**6)


def begin(exercise, seed):
    """Returns the seed."""
    require_temporary_folder()
    print(f"{exercise.title} ({exercise}, SEED={seed})", flush=True)
    return seed


def judge_once(exercise):
    """The student's file. Returns whether it is solved."""
    steps = judge(exercise, exercise.file, begin(exercise, seed_of()))
    show(exercise, steps)
    progress.store(exercise, steps[-1])
    if steps[-1].passed:
        show_next(exercise)
    return steps[-1].passed


def judge_several(answers, table):
    """A line for each answer and, if there is a table, a row."""
    if table:
        verdicts.store(table)  # ends here if it cannot be written
    sys.stdout.reconfigure(errors="surrogateescape")  # of the files' names
    seed, begun, not_judged = seed_of(), None, 0
    same = {}
    for answer in answers:
        if answer.exercise.folder != begun:
            begin(answer.exercise, seed)
            begun = answer.exercise.folder
            same = {verdicts.Answer(answer.exercise, str(answer.exercise.file)).code: answer.exercise.file}
        same_as = same.setdefault(answer.code, answer.name)
        same_as = "" if same_as == answer.name else same_as
        verdict, text = answer.verdict(seed)
        not_judged += verdict == verdicts.NOT_JUDGED
        said = verdict if verdict == verdicts.SOLVED else f"{verdict}: {' '.join(text.split())}"
        print(f"  {answer.name}: {said}" + (f" [the same as {same_as}]" if same_as else ""), flush=True)
        if table:
            name = f"{answer.exercise.lab}/{answer.exercise.folder.name}"
            verdicts.store(table, (answer.name, name, verdict, verdicts.first_sentence(text), same_as))
    if not_judged:
        raise Failure(f"{not_judged} of {len(answers)} answers could not be judged")
    return 0


def several():
    """The answers of FILES, whose patterns stand for names that may have spaces, exercise by exercise."""
    one = find(setting("LAB"), setting("N")) if setting("N") else None
    answers = []
    for pattern in setting("FILES").split():
        found = [name for name in sorted(glob.glob(pattern)) if Path(name).is_file()]
        if not found:
            raise Problem(f"There is no file {pattern} (in a name with spaces, write ? for each space)")
        answers += [verdicts.Answer(one or find_in(name), name) for name in found]
    needed = {programs.missing(answer.exercise) for answer in answers} - {""}
    if needed:
        raise Problem(needed.pop())
    return sorted(answers, key=lambda answer: (answer.exercise.lab, answer.exercise.number))


def watch(exercise, goes_on):
    """Judges at every save. With goes_on, the next unsolved exercise follows one that is solved."""
    judged = None
    while exercise:
        # An editor may rename its new file to this one: for a moment there is none.
        changed = exercise.file.stat().st_mtime if exercise.file.exists() else judged
        if changed != judged:
            solved = judge_once(exercise)
            judged = changed
            if goes_on and solved:
                exercise, judged = unsolved(setting("LAB")), None
                continue
            print(f"Waiting for a change of {exercise.file}; Ctrl-C ends.", flush=True)
        time.sleep(0.3)
    return 0


def chosen():
    """The exercise LAB= N=. Without N the next unsolved one, of LAB or of all labs; None if all are solved."""
    if setting("N"):
        return find(setting("LAB"), setting("N"))
    if not all_exercises(setting("LAB")):
        raise Problem(f"Lab {setting('LAB')} has no exercises yet")
    return unsolved(setting("LAB"))


def exercise_verb():
    table = setting("CSV") and Path(setting("CSV"))
    if setting("FILES"):
        return judge_several(several(), table)
    exercise = chosen()
    if not exercise:
        return all_solved(setting("LAB"))
    if setting("HINT"):
        print(exercise.hint(number("HINT")))
        return 0
    if programs.missing(exercise):
        raise Problem(programs.missing(exercise))
    if setting("WATCH"):
        return watch(exercise, goes_on=not setting("N"))
    if table:
        raise Problem(
            f"CSV is '{table}', which is for several answers; name them: FILES='answers/*{exercise.file.suffix}'"
        )
    judge_once(exercise)
    return 0  # also for a wrong answer, of which make has nothing to add


def list_verb():
    exercises = all_exercises(setting("LAB") or None)
    states = progress.states(exercises)
    for exercise in exercises:
        print(f"{exercise.lab:<18} N={exercise.number}  {states[exercise.folder]:<20} {exercise.heading}")
    print(f"{list(states.values()).count('solved')} of {len(exercises)} solved")
    return 0


VERBS = {"judge": exercise_verb, "list": list_verb, "new": lambda: new_exercise(*sys.argv[2:])}

try:
    code = VERBS[sys.argv[1]]()
    sys.stdout.flush()
    sys.exit(code)
except BrokenPipeError:  # make exercises | head
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
except Problem as problem:
    print(f"error: {problem}", file=sys.stderr)
    sys.exit(2)
except Failure as failure:
    print(f"error: {failure}", file=sys.stderr)
    sys.exit(1)
except OSError as error:
    print(f"error: {error.filename}: {error.strerror}", file=sys.stderr)
    sys.exit(1)
except KeyboardInterrupt:
    sys.exit(130)
