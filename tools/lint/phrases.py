# SPDX-License-Identifier: MIT
"""Finds phrases that the project's texts do not use, and prints each with a better example (phrases.csv).

python3 tools/lint/phrases.py [FILE ...]     without FILE: the whole project
"""

import csv
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

PHRASES = Path(__file__).with_name("phrases.csv")
EXCEPT = ("results/*.csv", "tools/lint/phrases.csv")  # kernels' names; the examples
# Between two words: spaces, or the end of a line with the marks of a comment or of a string around it.
GAP = r'(?:\s|"|//[/!<]*|#|\*)+'
QUOTES = "\"'`,"  # around the name of a value, of a column or in code, which is not a phrase
CODE = (".c", ".cpp", ".cu", ".h", ".hpp", ".py")  # in these files only comments and strings are texts
TEXT = re.compile(
    r'''R"\((?s:.)*?\)"|"""(?s:.)*?"""|//.*|# .*|/\*(?s:.)*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\d)'(?:\\.|[^'\\\n])*[']'''
)


def phrases():
    """(pattern, an example of the phrase, a better form of the example) for each phrase."""
    with PHRASES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            pattern = re.compile(row["pattern"].replace(" ", GAP), re.IGNORECASE)
            yield pattern, row["instead of"], row["better"]


def without_code(text):
    """The text with each character of code replaced, so that a name such as `refused` is no phrase."""
    begin, parts = 0, []
    for found in TEXT.finditer(text):
        parts += [re.sub(r"\S", "~", text[begin : found.start()]), found.group()]
        begin = found.end()
    return "".join(parts) + re.sub(r"\S", "~", text[begin:])


def findings(path):
    """A line of text for each phrase in the file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return  # a picture
    if Path(path).suffix in CODE:
        text = without_code(text)
    for pattern, example, better in phrases():
        for found in pattern.finditer(text):
            if text[found.start() - 1] in QUOTES and text[found.end() : found.end() + 1] in QUOTES:
                continue
            line = text.count("\n", 0, found.start()) + 1
            phrase = " ".join(re.split(GAP, found.group()))
            yield f'{path}:{line}: avoid \'{phrase}\'. Instead of "{example}" write "{better}"'


def texts():
    """The project's files."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], stdout=subprocess.PIPE, text=True, check=False
    )
    if listed.returncode != 0:
        sys.exit(
            "error: The phrases are looked for in the files that git knows; run this in a clone, or name the files."
        )
    found = (name for name in listed.stdout.splitlines() if Path(name).is_file())
    return [name for name in found if not any(fnmatch(name, pattern) for pattern in EXCEPT)]


def main(paths):
    found = [line for path in paths or texts() for line in findings(path)]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
