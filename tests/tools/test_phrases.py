# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""make lint: phrases that the texts do not use."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.lint import phrases

ROOT = Path(__file__).parents[2]
ROWS = list(phrases.phrases())


def lint(*paths):
    done = subprocess.run([sys.executable, phrases.__file__, *paths], stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout


@pytest.mark.parametrize("number", range(len(ROWS)))
def test_each_phrase_is_found_and_its_better_form_accepted(tmp_path, number):
    _, bad, better = ROWS[number]
    text = tmp_path / "text.md"
    text.write_text(f"A first line.\n{bad}\n")
    code, printed = lint(text)
    assert code == 1
    assert printed.startswith(f"{text}:2: avoid '")
    assert better in printed
    text.write_text(f"A first line.\n{better}\n")
    assert lint(text) == (0, "")


@pytest.mark.parametrize("gap", ["\n", "\n// ", "\n    /// ", "\n    # ", ' "\n        "', "\n * "])
def test_a_phrase_is_found_across_lines(tmp_path, gap):
    text = tmp_path / "text.cpp"
    bad = next(bad for _, bad, _ in ROWS if "many" in bad)
    text.write_text("// " + bad.replace(" many", gap + "many") + "\n")
    code, printed = lint(text)
    assert (code, printed.count("\n")) == (1, 1)
    assert re.match(rf"{re.escape(str(text))}:1: avoid '\w+ many'\.", printed)


def test_words_that_only_contain_a_phrase_are_accepted(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("Four hours in wordsworth's garden: the place where it stands. Hours of their ownership.\n")
    assert lint(text) == (0, "")


@pytest.mark.parametrize("mark", ['"', "'", "`"])
def test_a_name_in_quotes_is_no_phrase(tmp_path, mark):
    bad = next(bad for _, bad, _ in ROWS if "many" in bad)
    name = re.search("so.many", bad).group()
    text = tmp_path / "text.py"
    text.write_text(f"status = {mark}{name}{mark}\n")
    assert lint(text) == (0, "")
    text.write_text(f"status = {mark}{name} blocks{mark}\n")
    assert lint(text)[0] == 1


def test_the_files_of_the_clean_folders_are_clean(monkeypatch):
    monkeypatch.chdir(ROOT)
    names = {str(path) for path in phrases.clean_files()}
    assert names >= {"config.mk", "tools/bench.sh", "cuda_on_cpu/check/races.cpp"}
    assert "library/README.md" in names and "tools/lint/phrases.csv" not in names
    assert lint() == (0, "")


def test_each_line_of_the_list_of_clean_folders_is_there():
    for line in phrases.CLEAN.read_text().split():
        assert line.startswith("!") or any(ROOT.glob(line)), f"{line} in {phrases.CLEAN} is no file or folder"
