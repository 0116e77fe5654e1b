# SPDX-License-Identifier: MIT
"""CSV=verdicts.csv: a row for each answer and exercise that was judged."""

import csv
import re
import tempfile
from pathlib import Path

from exercise import Problem
from progress import write
from steps import judge

COLUMNS = ["file", "exercise", "verdict", "message", "same_as"]
SOLVED = "solved"
NOT_JUDGED = "not judged"


def rows(path):
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != COLUMNS:
            raise Problem(f"CSV is '{path}', which has other columns than {','.join(COLUMNS)}; choose a new file")
        return {(row["file"], row["exercise"]): row for row in reader}


def store(path, *new):
    """The rows of other answers and exercises stay."""
    new = [dict(zip(COLUMNS, map(cell, row))) for row in new]
    write(path, COLUMNS, (rows(path) | {(row["file"], row["exercise"]): row for row in new}).values())


def cell(text):
    """In UTF-8, whatever bytes a file's name has, and no formula of a spreadsheet."""
    text = str(text).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return f"./{text}" if text[:1] in tuple("=+-@") else text


class Answer:
    """As it was before any answer ran: what a program changes later does not count."""

    def __init__(self, exercise, name):
        self.exercise, self.name, self.path = exercise, name, Path(name)
        self.bytes = self.path.read_bytes()
        # Without comments, blanks and line breaks, so that equal answers are seen.
        self.code = re.sub(rb"//[^\n]*|/\*.*?\*/|\s", b"", self.bytes, flags=re.DOTALL)

    def verdict(self, seed):
        """(solved, the step that fails, or not judged; text). Whatever an answer does, the next one is judged."""
        suffix = self.exercise.file.suffix
        if self.path.suffix != suffix:
            return "compiles", f"The name does not end with {suffix}."
        try:
            with tempfile.TemporaryDirectory() as folder:
                copy = Path(folder, self.path.name)
                copy.write_bytes(self.bytes)
                last = judge(self.exercise, copy, seed)[-1]
                text = last.text.replace(f"{folder}/{copy.name}", self.name)
        except Exception as error:
            return NOT_JUDGED, str(error) or type(error).__name__
        return SOLVED if last.passed else last.name, text


def first_sentence(text):
    """The compiler's begins at its first error."""
    error = re.search(r"^.*(?:error: |undefined reference ).*$", text, re.MULTILINE)
    sentence = error[0] if error else re.split(r"(?<=[.?!])\s|\n(?!\s)", text.strip())[0]
    return " ".join(sentence.split())
