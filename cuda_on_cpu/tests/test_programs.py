# SPDX-License-Identifier: MIT
"""Programs, with one mistake or none, and what cuda-on-cpu says about them.

Programs without a mistake are in correct/. A program that differs little from one of them is in an edits.txt, as a line
`# program name: why`, then text of the program (-) and what stands in its place (+). What cuda-on-cpu says stands behind
`check:` (of `cuda-on-cpu check`) and `run:` (of the program without check), in the program itself as comments at its beginning;
{text} means the line of the program that contains this text, as file:line; `kind:` are the kinds of its findings (finding/kinds.inc),
whose causes or remedy are in what it says, too. What is `like:` another one runs with ALL=1 only.
"""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROW = re.compile(r"^KIND\((\w+)(.*)\)$", re.MULTILINE)
KINDS = {
    kind: [ast.literal_eval(text) for text in re.findall(r'"(?:[^"\\]|\\.)*"', advice)]
    for kind, advice in ROW.findall((TESTS.parent / "finding/kinds.inc").read_text())
}
"""Each kind, with its causes or its remedy."""


@dataclass
class Program:
    name: str
    text: str
    words: str  # its lines "check: ...", "kind: ...", "run: ...", "options: ..." and "like: ..."
    base: str = ""

    def said(self, verb):
        """The words after each `verb:`, with the lines that {text} means."""
        return [self.with_places(words) for words in re.findall(rf"^{verb}: (.*)$", self.words, re.MULTILINE)]

    def with_places(self, words):
        def place(mark):
            lines = [
                i for i, line in enumerate(self.text.splitlines(), 1) if mark[1] in line and "// check:" not in line
            ]
            assert len(lines) == 1, f"{self.name}: {mark[0]} is in the lines {lines}"
            return f"{self.name}.cu:{lines[0]}"

        return re.sub(r"\{([^{}]+)\}", place, words)


def programs_in(folder):
    for path in sorted((TESTS / folder).glob("*.cu")):
        text = path.read_text()
        yield Program(path.stem, text, "\n".join(re.findall(r"^// (.*)$", text, re.MULTILINE)))
    for part in re.split(r"^# ", (TESTS / folder / "edits.txt").read_text(), flags=re.MULTILINE)[1:]:
        title, _, rest = part.partition("\n")
        base, name = title.partition(":")[0].split()
        text = (TESTS / "correct" / f"{base}.cu").read_text()
        for old, new in re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)*)", rest, re.MULTILINE):
            old, new = (re.sub(r"^[-+]", "", lines, flags=re.MULTILINE).removesuffix("\n") for lines in (old, new))
            assert text.count(old) == 1, f"{folder}/edits.txt, {name}: {text.count(old)} places in {base}.cu are\n{old}"
            text = text.replace(old, new)
        yield Program(name, text, rest, base)


CORRECT = list(programs_in("correct"))
PLANTED = list(programs_in("mistakes"))
LIMITS = [program for program in PLANTED if program.said("limit")]
MISTAKES = [program for program in PLANTED if program not in LIMITS]
# What check wrongly finds in such a program would be a second mistake in those that are made of it.
BASES = {program.base for program in MISTAKES}


def each(programs):
    def marks(program):
        return [pytest.mark.long] if program.said("like") or program.name in BASES else []

    return pytest.mark.parametrize("program", [pytest.param(p, id=p.name, marks=marks(p)) for p in programs])


def words_of(folder, program, command):
    """(exit code, what the command prints about the program in one line)"""
    header = (TESTS / "mistakes/total.hpp").read_text()
    folder.write(f"// {program.name}.cu\n{program.text}// total.hpp\n{header}// findings\n")
    command = command.format(" ".join([*program.said("options"), f"{program.name}.cu"]))
    asked = {"CUDA_ON_CPU_FINDINGS": str(folder.path / "findings")} if " check " in command else {}
    code, said = folder.run(command, **asked)
    return code, " ".join(said.split())


def assert_kinds(folder, program, said):
    """The findings are of the kinds that the program names, and their advice is on the screen."""
    kinds = [line.split("\t")[1] for line in folder.read("findings").split("\n")[:-1]]
    assert kinds == program.said("kind"), said
    for kind in kinds:
        for advice in KINDS[kind]:
            assert advice in said or (advice.startswith("none,") and "1 mistake." in said)


@each(CORRECT)
def test_check_finds_nothing(folder, program):
    code, said = words_of(folder, program, "cuda-on-cpu check {}")
    assert code == 0, said
    for words in program.said("check") or ["nothing found, with the threads in three orders. Not looked for"]:
        assert words in said
    assert_kinds(folder, program, said)


@each(MISTAKES)
def test_check_finds_the_mistake(folder, program):
    code, said = words_of(folder, program, "cuda-on-cpu check {}")
    assert code == 1, said
    assert f"{program.name}.cu: 1 mistake." in said
    assert program.said("check")
    for words in program.said("check"):
        assert words in said
    assert_kinds(folder, program, said)


def test_every_kind_is_found_by_a_test():
    tested = {kind for program in [*MISTAKES, *CORRECT, *LIMITS] for kind in program.said("kind")}
    for path in TESTS.glob("*.cu"):
        tested.update(re.findall(r"Kind::(\w+)", path.read_text()))
    assert len(KINDS) > 80
    assert set(KINDS) - {"none"} == tested


@each(LIMITS)
def test_what_cannot_be_checked_is_no_mistake(folder, program):
    code, said = words_of(folder, program, "cuda-on-cpu check {}")
    assert code == 3, said
    assert f"{program.name}.cu: cannot be checked. " in said
    for words in program.said("check"):
        assert words in said
    assert_kinds(folder, program, said)


@each(program for program in MISTAKES if program.said("run"))
def test_a_run_without_check_tells_the_mistake(folder, program):
    _, said = words_of(folder, program, "cuda-on-cpu {} && ./a.out")
    for words in program.said("run"):
        assert words in said


@pytest.mark.parametrize("seconds", [pytest.param("10", marks=pytest.mark.long), "1"])
def test_check_runs_a_program_whose_kernel_never_ends_once(folder, seconds):
    stops = (TESTS / "correct/managed_stop_flag.cu").read_text()
    noted = 'std::fputs(getenv("CUDA_ON_CPU_TIMEOUT"), std::fopen("runs", "a"));'
    folder.write("// endless.cu\n" + stops.replace("*static_cast<volatile int*>(stop) = 1;", noted))
    chosen = {} if seconds == "10" else {"CUDA_ON_CPU_TIMEOUT": seconds}
    _, said = folder.run("cuda-on-cpu check endless.cu", **chosen)
    said = " ".join(said.split())
    assert f"thread (0,0,0) has run for {seconds} s without returning or waiting for others, at endless.cu:6" in said
    assert folder.read("runs") == seconds


def test_check_ends_a_host_that_repeats_what_changes_nothing(folder):
    program = next(program for program in MISTAKES if program.name == "flag_never_set_back")
    folder.write(f"// flag.cu\n{program.text}")
    code, said = folder.run("cuda-on-cpu check flag.cu", CUDA_ON_CPU_TIMEOUT="1")
    assert code == 1
    assert "launches in the last 1 s have changed nothing, so its loop does not end." in " ".join(said.split())


@pytest.mark.parametrize(
    "ends_with, says",
    [
        (3, "But it ends with exit code 3 and says: one two FAIL to stderr"),
        (0, "The program's output ends with: two FAIL"),
    ],
)
def test_check_shows_what_a_program_prints(folder, ends_with, says):
    folder.write(f"""
// ending.cu
#include <cstdio>
int main() {{
    std::puts("one\\ntwo\\nFAIL");
    std::fputs("to stderr\\n", stderr);
    return {ends_with};
}}
""")
    code, said = folder.run("cuda-on-cpu check ending.cu")
    assert code == 0
    assert " ".join(said.split()).endswith(says)
