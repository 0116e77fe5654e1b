# SPDX-License-Identifier: MIT
"""An exercise is a folder labs/NN_lab/exercises/K_title/: README.md, hints.md, solved.md (what is printed when it is
solved), exercise.cpp or exercise.cu (what a student changes) and its judge."""

import re
from pathlib import Path


class Problem(Exception):
    """A sentence for the user."""


class Failure(Exception):
    """What keeps a step from running, which is no fault of the answer."""


class Exercise:
    def __init__(self, folder):
        self.folder = folder
        self.lab = folder.parent.parent.name
        number, _, self.name = folder.name.partition("_")
        self.number = int(number)
        self.is_cuda = (folder / "judge.cu").exists()
        self.is_mpi = (folder.parent.parent / "ranks").is_dir()
        suffix = ".cu" if self.is_cuda else ".cpp"
        self.file = folder / f"exercise{suffix}"
        self.judge = folder / f"judge{suffix}"
        self.heading = (folder / "README.md").read_text().splitlines()[0].lstrip("# ")
        self.title = self.heading.removesuffix(" (long)")
        self.solutions = Path("solutions", self.lab, folder.name)

    def __str__(self):
        return f"exercise {self.number} of {self.lab}"

    def timed_flags(self):
        return re.findall(r"^// Timed with (-\S+):", self.judge.read_text(), re.MULTILINE)

    def hint(self, number):
        hints = re.split(r"^\d+\. ", (self.folder / "hints.md").read_text(), flags=re.MULTILINE)[1:]
        if not 1 <= number <= len(hints):
            raise Problem(f"HINT is {number}; {self} has hints 1 to {len(hints)}")
        return " ".join(hints[number - 1].split())

    def after(self):
        """Which file of the lab does the same, and what to look at next."""
        return " ".join((self.folder / "solved.md").read_text().split())

    def solution(self):
        return self.solutions / f"solution{self.file.suffix}"

    def wrong_solutions(self):
        """(step at which it fails, what is wrong, text) of each answer in wrong.txt: a line `# bytes: what is wrong`,
        then text of the solution (-) and what stands in its place (+). "(says: words)" at the end of the line: the test
        looks for these words, a regular expression, in the message."""
        for title, text in self.changed("wrong.txt", self.solution()):
            step, _, what = title.partition(": ")
            yield step, what, text

    def other_solutions(self):
        """(what it is, text) of each answer in right.txt, which is accepted, too: among them the least that the task asks
        for. Written as wrong.txt, but as changes of the given code."""
        return self.changed("right.txt", self.file) if (self.solutions / "right.txt").exists() else []

    def changed(self, table, file):
        for part in re.split(r"^# ", (self.solutions / table).read_text(), flags=re.MULTILINE)[1:]:
            title, _, changes = part.partition("\n")
            text = file.read_text()
            for old, new in re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)*)", changes, re.MULTILINE):
                old, new = (re.sub(r"^[-+]", "", lines, flags=re.MULTILINE).removesuffix("\n") for lines in (old, new))
                if text.count(old) != 1:
                    raise Problem(
                        f"{self.solutions}/{table}, {title}: {text.count(old)} places in {file.name} are\n{old}"
                    )
                text = text.replace(old, new)
            yield title, text


def all_exercises(lab=None):
    folders = Path("labs").glob(f"{lab or '*'}/exercises/[0-9]*_*/")
    return sorted(map(Exercise, folders), key=lambda exercise: (exercise.lab, exercise.number))


def find_in(path):
    """The exercise that a file's path names: .../03_cuda_global/2_coalesced/answer.cu, .../03_cuda_global_2.cu."""
    for exercise in reversed(all_exercises()):
        if re.search(rf"(?:^|/|_){exercise.lab}(?:/exercises/|/|_){exercise.number}[/_.]", path):
            return exercise
    raise Problem(
        f"The path {path} does not say which exercise it answers; name it .../03_cuda_global/2.cu, or set LAB= and N="
    )


def find(lab, number):
    if not lab or not number:
        raise Problem("LAB and N are needed: make exercise LAB=03_cuda_global N=1; 'make exercises' lists them")
    exercises = all_exercises(lab)
    for exercise in exercises:
        if str(exercise.number) == number:
            return exercise
    known = f"1 to {len(exercises)}" if exercises else "no exercises yet"
    raise Problem(f"N is '{number}'; lab {lab} has {known}")
