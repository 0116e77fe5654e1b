# SPDX-License-Identifier: MIT
"""The folder of a new exercise: pages to fill in, and the code of the lab's first exercise, which is to be replaced."""

import re
import shutil

from exercise import Problem, all_exercises

README = """# {title}

(What is wrong or slow in the given code, and the idea that mends it.)

**Task.** In `{file}`, (say what to change).

**Goal.** (Say what is reached, with a table of the counts.) See also [what every exercise
requires](../../../checks.md#what-every-exercise-requires).

    make exercise LAB={lab} N={number}

With the given code, you will see:

```
(what this command prints)
```
"""
HINTS = """1. (A question that leads to the idea.)
2. (What to change.)
3. (Nearly the code.)
"""
SOLVED = "(Which file of the lab does the same, and what to look at next.)\n"


def begin_with(file, comment):
    """In the place of the comments with which it begins."""
    file.write_text(re.sub(r"\A(// SPDX.*\n)?(?:// .*\n)*", lambda head: (head[1] or "") + comment, file.read_text()))


def new_exercise(lab="", title="", *more):
    if not lab or not title or more:
        raise Problem(
            "Say of which lab, and the title: python3 tools/exercises new 03_cuda_global 'One load per pixel'"
        )
    exercises = all_exercises(lab)
    if not exercises:
        raise Problem(f"Lab {lab} has no exercise to begin from")
    old = exercises[0]
    word = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")
    if not word:
        raise Problem(f"The title is '{title}'; use letters and digits")
    name = f"{exercises[-1].number + 1}_{word}"
    new = old.folder.parent / name
    shutil.copytree(old.folder, new)
    if old.solutions.is_dir():
        shutil.copytree(old.solutions, old.solutions.parent / name)
    number = exercises[-1].number + 1
    (new / "README.md").write_text(README.format(title=title, file=old.file.name, lab=lab, number=number))
    (new / "hints.md").write_text(HINTS)
    (new / "solved.md").write_text(SOLVED)
    replace = f"// (The code is that of exercise {old.number}: replace it.)\n"
    named = f"// Exercise {number} of lab {lab[:2]}, README.md: {title[0].lower()}{title[1:]}.\n{replace}"
    begin_with(new / old.judge.name, f"// (Say what is compared, and from which number on an answer fails.)\n{replace}")
    begin_with(new / old.file.name, named)
    solutions = old.solutions.parent / name
    if solutions.is_dir():
        begin_with(solutions / old.solution().name, named)
        for table in solutions.glob("*.txt"):
            table.write_text(f"(These are the answers to exercise {old.number}: replace them.)\n{table.read_text()}")
    print(
        f"{new}: change README.md, hints.md, solved.md, {old.file.name}, {old.judge.name}, and solutions/{lab}/{name}/"
    )
    return 0
