# SPDX-License-Identifier: MIT
"""CSV=verdicts.csv: a row for each answer and exercise that was judged."""

import csv
import re

from exercise import Problem
from progress import write
from steps import judge

COLUMNS = ["file", "exercise", "verdict", "message"]
SOLVED = "solved"
NOT_JUDGED = "not judged"


def rows(path):
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8", errors="surrogateescape") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != COLUMNS:
            raise Problem(f"CSV is '{path}', which has other columns than {','.join(COLUMNS)}; choose a new file")
        return {(row["file"], row["exercise"]): row for row in reader}


def store(path, *new):
    """The rows of other answers and exercises stay."""
    new = [dict(zip(COLUMNS, map(str, row))) for row in new]
    write(path, COLUMNS, (rows(path) | {(row["file"], row["exercise"]): row for row in new}).values())


def verdict(exercise, file, seed):
    """(solved, the step that fails, or not judged; text). Whatever an answer does, the next one is judged."""
    try:
        last = judge(exercise, file, seed)[-1]
    except Exception as error:
        return NOT_JUDGED, str(error) or type(error).__name__
    return SOLVED if last.passed else last.name, last.text


def first_sentence(text):
    """The compiler's begins at its first error."""
    error = re.search(r"^.*(?:error: |undefined reference ).*$", text, re.MULTILINE)
    sentence = error[0] if error else re.split(r"(?<=[.?!])\s|\n(?!\s)", text.strip())[0]
    return " ".join(sentence.split())
