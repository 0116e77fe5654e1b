# SPDX-License-Identifier: MIT
"""The folder of a new exercise, from the lab's first one."""

import re
import shutil

from exercise import Problem, all_exercises


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
    page = new / "README.md"
    _, _, rest = page.read_text().partition("\n")
    page.write_text(f"# {title}\n{rest}".replace(f" N={old.number}", f" N={exercises[-1].number + 1}"))
    print(
        f"{new}: change README.md, hints.md, solved.md, {old.file.name}, {old.judge.name}, and solutions/{lab}/{name}/"
    )
    return 0
