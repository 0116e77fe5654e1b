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


@pytest.mark.parametrize(
    ("name", "before", "gap", "after"),
    [
        ("text.md", "", "\n", ""),
        ("text.cpp", "// ", "\n// ", ""),
        ("text.cpp", "    /// ", "\n    /// ", ""),
        ("text.cpp", "/* ", "\n * ", " */"),
        ("text.cpp", 'f("', ' "\n        "', '");'),
        ("text.py", "    # ", "\n    # ", ""),
    ],
)
def test_a_phrase_is_found_across_lines(tmp_path, name, before, gap, after):
    text = tmp_path / name
    bad = next(bad for _, bad, _ in ROWS if "many" in bad)
    text.write_text(before + bad.replace(" many", gap + "many") + after + "\n")
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
    text = tmp_path / "text.md"
    text.write_text(f"status = {mark}{name}{mark}\n")
    assert lint(text) == (0, "")
    text.write_text(f"status = {mark}{name} blocks{mark}\n")
    assert lint(text)[0] == 1


@pytest.mark.parametrize("name", ["program.cpp", "program.py"])
def test_names_in_code_are_no_phrases_but_comments_and_strings_are(tmp_path, name):
    bad = next(bad for _, bad, _ in ROWS if "refuse" in bad)
    word = re.search("refus[a-z]*", bad).group()
    program = tmp_path / name
    program.write_text(f"{word} = first({word}, 'a', \"b\", 2);\nfor (x in {word}) {word}();\n#define {word} 1\n")
    assert lint(program) == (0, "")
    texts = [f"# {bad}", f"f(x);  // {bad}", f'{word}("{bad}");', f"{word} = 'it {word} it';"]
    for text in [*texts, f'f("\\"", "{bad}");', f"n = 10'000;  // It's here. {bad}"]:
        program.write_text(f"{word}();\n{text}\n")
        code, printed = lint(program)
        assert (code, printed.count("\n")) == (1, 1), text
        assert printed.startswith(f"{program}:2: avoid '{word}'")
    for text in (f'R"(first line\n{bad})"', f'"""A docstring.\n\n{bad}"""'):
        program.write_text(f"f({text});\n{word}();\n")
        assert lint(program)[1].count("\n") == 1, text


def test_the_project_has_none(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert set(phrases.texts()) >= {"config.mk", "tools/bench.sh", "cuda_on_cpu/check/races.cpp", "library/README.md"}
    assert "tools/lint/phrases.csv" not in phrases.texts()
    assert lint() == (0, "")


def test_without_git_it_has_to_be_told_the_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = subprocess.run([sys.executable, phrases.__file__], stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("error: The phrases are looked for in the files that git knows")
