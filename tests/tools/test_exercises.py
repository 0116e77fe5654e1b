# SPDX-License-Identifier: MIT
"""make exercise, exercises and handout, and a new exercise, in a project of one lab with one exercise: mirror a picture."""

import csv
import glob
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from collections import Counter
from pathlib import Path

from exercise import Exercise

from tests.tools.test_verbs import make

ROOT = Path(__file__).resolve().parents[2]

LAB = "labs/01_only"
LIMIT_S = 5
BUILT = tempfile.TemporaryDirectory()  # what the programs of all exercises have in common is compiled once
JUDGE = """#include "labs/exercise/exercise.hpp"
using namespace convolab::exercise;
void mirror(const std::uint8_t* in, std::uint8_t* out, int width, int height);
static void answer(const Input& in, std::vector<std::uint8_t>& out) {
    mirror(in.samples.data(), out.data(), in.width, in.height);
}
static void expected(const Input& in, std::vector<std::uint8_t>& out) {
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) out[y * in.width + x] = in.samples[(y + 1) * in.width - 1 - x];
}
int main(int argc, char** argv) { return judge(argc, argv, {.answer = answer, .expected = expected}); }
"""
MIRROR = """#include <cstdint>
#include <cstdlib>
#include <cstring>
// BEFORE
static void row(const std::uint8_t* in, std::uint8_t* out, int width) {
    for (int x = 0; x < width; ++x) out[x] = in[width - 1 - x];
}
void mirror(const std::uint8_t* in, std::uint8_t* out, int width, int height) {
    // BEGIN
    for (int y = 0; y < height; ++y) row(in + y * width, out + y * width, width);
    // END
}
"""
STARTER = MIRROR.replace("in[width - 1 - x]", "in[x]")
NEVER_ENDS = MIRROR.replace("// BEGIN", "for (volatile int i = 0; width > 0;) i = i + 1;")
CACHED = """static std::map<std::pair<int, int>, std::vector<std::uint8_t>> all;
    std::vector<std::uint8_t>& kept = all[{width, height}];
    if (!kept.empty()) { std::memcpy(out, kept.data(), kept.size()); return; }"""
HEADS = """#include <fcntl.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <map>
#include <vector>
"""
# The mistake, the answer, and the judge's message.
WRONG = (
    (
        "does not compile",
        MIRROR.replace("x < width", "x < widht"),
        "compiles: .*(was not declared|undeclared identifier)",
    ),
    ("never ends", NEVER_ENDS, f"bytes: it was stopped after {LIMIT_S} s; is there a loop that never ends"),
    (
        "crashes",
        MIRROR.replace("// BEGIN", "*reinterpret_cast<volatile int*>(8) = 1;"),
        r"bytes: SEGV, \w+\.cpp, line 15",
    ),
    (
        "calls exit before main",
        MIRROR.replace("// BEFORE", "static const int ended = (std::exit(0), 0);"),
        r"bytes: it ended early; .* exit\(\)",
    ),
    (
        "chooses its verdict",
        MIRROR.replace("// BEFORE", 'static const int ended = (std::puts("Permission denied"), std::exit(3), 0);'),
        r"bytes: it ended early; .* exit\(\)",
    ),
    (
        "kills its parents",
        MIRROR.replace("// BEGIN", "for (;;) kill(getppid(), SIGKILL);"),
        "bytes: it ended with SIGKILL",
    ),
    (
        "takes all memory",
        MIRROR.replace("// BEGIN", "for (;; usleep(9999)) std::memset(std::malloc(1 << 26), 1, 1 << 26);"),
        "bytes: it took more than 1 GB of memory",
    ),
    (
        "fills the disk",
        MIRROR.replace("// BEGIN", 'pwrite(open("full", O_WRONLY | O_CREAT, 0600), "", 1, 1L << 30);'),
        "bytes: it wrote a file of more than 1 GB",
    ),
    (
        "has a row for the greatest picture of the pages",
        MIRROR.replace("static void row(", "static std::uint8_t line[7680];\nstatic void row(")
        .replace("out[x] = in[width - 1 - x]", "line[x] = in[width - 1 - x]")
        .replace("out + y * width, width)", "out + y * width, width), std::memcpy(out + y * width, line, width)"),
        "check: index 7680 out of bounds",
    ),
    (
        "writes beyond, and leaves a row",
        MIRROR.replace("y < height", "y < height - 1").replace("// END", "out[width * height] = 1;"),
        r"bytes: .*rows (\d+) to \1\. heap-buffer-overflow, \w+\.cpp, line 17",
    ),
    (
        "changes its input",
        MIRROR.replace("// END", "const_cast<std::uint8_t*>(in)[0] ^= 1;"),
        "bytes: .*The input was changed",
    ),
    (
        "writes beyond",
        MIRROR.replace("// END", "out[width * height] = 1;"),
        r"check: heap-buffer-overflow, \w+\.cpp, line 17",
    ),
    (
        "gives an old output again",
        MIRROR.replace("// BEGIN", CACHED).replace("// END", "kept.assign(out, out + width * height);"),
        r"bytes: \d+ x \d+, black except for one sample: .* are wrong",
    ),
)


class Project(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name) / "it's a folder"
        self.exercise = self.root / LAB / "exercises/1_mirror"
        self.solutions = self.root / "solutions/01_only/1_mirror"
        for folder in (self.exercise, self.solutions):
            folder.mkdir(parents=True)
        for name in ("Makefile", "config.mk", "CONTRIBUTING.md"):
            shutil.copy(ROOT / name, self.root)
        shutil.copytree(ROOT / "tools", self.root / "tools", ignore=shutil.ignore_patterns("__pycache__"))
        programs = self.root / "tools/exercises/result.py"
        self.assertIn("\nLIMIT_S = 20\n", programs.read_text())
        programs.write_text(
            programs.read_text()
            .replace("\nLIMIT_S = 20\n", f"\nLIMIT_S = {LIMIT_S}\n")
            .replace("\nMEMORY_GB = 8\n", "\nMEMORY_GB = 1\n")
        )
        shutil.copy(ROOT / "labs/lab.mk", self.root / "labs")
        shutil.copytree(ROOT / "labs/exercise", self.root / "labs/exercise")
        shutil.copy(ROOT / "labs/01_sequential/Makefile", self.root / LAB)
        shutil.copy(ROOT / "labs/01_sequential/exercises/1_loop_order/Makefile", self.exercise)
        (self.root / LAB / "main.cpp").touch()
        (self.root / "build").mkdir()
        (self.root / "build/exercises").symlink_to(BUILT.name)
        for name, text in (
            ("README.md", "# Mirror\n\n**Task.** **Goal.**\n\n    make exercise LAB=01_only N=1\n"),
            ("solved.md", f"`{LAB}/main.cpp` mirrors, too.\nLook at its loops.\n"),
            ("hints.md", "1. Which column comes first?\n2. Draw it,\n   then count.\n"),
            ("judge.cpp", JUDGE),
            ("exercise.cpp", STARTER),
        ):
            (self.exercise / name).write_text(text)
        (self.solutions / "solution.cpp").write_text(MIRROR)
        (self.solutions / "wrong.txt").write_text("# bytes: nothing is mirrored\n-in[width - 1 - x]\n+in[x]\n")

    def judged(self, *arguments, folder=None):
        return make(folder or self.root, "exercise", "LAB=01_only", "N=1", *arguments)

    def refused(self, *arguments):
        """The one message of a call that ends with exit code 2."""
        code, words = make(self.root, *arguments)
        errors = re.findall(r"^(?:error: |\S*Makefile.*\*\*\* |\S*found.mk.*\*\*\* )(.*)$", words, re.MULTILINE)
        self.assertEqual((code, len(errors)), (2, 1), words)
        self.assertNotIn("Traceback", words)
        return errors[0]

    def listed(self):
        code, words = make(self.root, "exercises")
        self.assertEqual(code, 0, words)
        return words


class Answers(Project):
    def test_each_mistake_is_told_and_costs_no_other_row(self):
        """Also if one never ends, and if all files and functions have the same names."""
        students = self.root / "students"
        files = []
        for number, (_, text, _) in enumerate(WRONG):
            files.append(students / f"{number}/answer.cpp")
            files[-1].parent.mkdir(parents=True)
            files[-1].write_text(HEADS + text)
        right = students / "right/answer.cpp"
        right.parent.mkdir()
        right.write_text(MIRROR)
        # The path is relative to the caller's folder.
        code, words = self.judged(
            f"FILES={' '.join(f'../../students/{file.parent.name}/answer.cpp' for file in [*files, right])}",
            folder=self.root / LAB,
        )
        self.assertEqual(code, 0, words)
        rows = re.findall(r"^  \S*/students/(\w+)/answer\.cpp: (.*)$", words, re.MULTILINE)
        self.assertEqual([name for name, _ in rows], [*map(str, range(len(WRONG))), "right"], words)
        for (what, _, told), (_, said) in zip(WRONG, rows):
            with self.subTest(what):
                self.assertRegex(said, told)
        self.assertEqual(rows[-1][1], "solved")
        self.assertFalse(
            (self.root / "results/exercises.csv").exists(), "others' answers are not the student's progress"
        )

    def test_what_an_answer_started_ends_with_it_and_what_it_changed_does_not_count(self):
        hostile = """if (fork() == 0) {
        setsid();
        if (fork() == 0) execlp("sleep", "sleep", "98765", nullptr);
        std::_Exit(0);
    }
    std::fclose(std::fopen("answers/victim.cpp", "w"));"""
        (self.root / "answers").mkdir()
        (self.root / "answers/a.cpp").write_text(HEADS + MIRROR.replace("// BEGIN", hostile))
        (self.root / "answers/victim.cpp").write_text(MIRROR)
        code, words = self.judged("FILES=answers/*.cpp")
        self.assertEqual((self.root / "answers/victim.cpp").read_text(), "")
        self.assertRegex(words, "answers/a.cpp: solved\n  answers/victim.cpp: solved\n$")
        left = [Path(path).read_bytes() for path in glob.glob("/proc/[0-9]*/cmdline") if Path(path).exists()]
        self.assertNotIn(b"sleep\x0098765\x00", left)

    def test_all_exercises_of_all_students_in_one_call(self):
        second = self.exercise.parent / "2_again"
        shutil.copytree(self.exercise, second)
        hand_in = self.root / "hand_in"
        for name, text in (
            ("ada/01_only/1.cpp", MIRROR),
            ("ada/01_only/2_again.cpp", MIRROR),
            ("ben/01_only/1_mirror.cpp", "/* by Ben */" + MIRROR.replace(";", " ; // mine\n")),
            ("eve/01_only/1.cpp", STARTER),
        ):
            (hand_in / name).parent.mkdir(parents=True, exist_ok=True)
            (hand_in / name).write_text(text)
        code, words = make(self.root, "exercise", "FILES=hand_in/*/*/*.c*", "CSV=verdicts.csv")
        self.assertEqual(code, 0, words)
        with (self.root / "verdicts.csv").open(newline="", encoding="utf-8") as file:
            rows = [
                tuple(row[name] for name in ("file", "exercise", "verdict", "same_as")) for row in csv.DictReader(file)
            ]
        given = str(self.exercise.relative_to(self.root) / "exercise.cpp")
        self.assertEqual(
            rows,
            [
                ("hand_in/ada/01_only/1.cpp", "01_only/1_mirror", "solved", ""),
                ("hand_in/ben/01_only/1_mirror.cpp", "01_only/1_mirror", "solved", "hand_in/ada/01_only/1.cpp"),
                ("hand_in/eve/01_only/1.cpp", "01_only/1_mirror", "bytes", given),
                ("hand_in/ada/01_only/2_again.cpp", "01_only/2_again", "solved", ""),
            ],
        )

    def test_names_of_files_are_no_formulas_and_no_options(self):
        for name in (b"=1+1.cpp", b"-rf.cpp", b"\xe9.cpp", b"b.txt"):
            with open(os.path.join(os.fsencode(self.root), name), "w") as file:
                file.write(MIRROR)
        names = "FILES==1+1.cpp -rf.cpp ?.cpp b.txt"
        subprocess.run(["make", "exercise", "LAB=01_only", "N=1", names, "CSV=a.csv"], cwd=self.root, check=True)
        with (self.root / "a.csv").open(newline="", encoding="utf-8") as file:
            rows = [(row["file"], row["verdict"], row["same_as"]) for row in csv.DictReader(file)]
        self.assertEqual(
            rows,
            [
                ("./=1+1.cpp", "solved", ""),
                ("./-rf.cpp", "solved", "./=1+1.cpp"),
                ("\\xe9.cpp", "solved", "./=1+1.cpp"),
                ("b.txt", "compiles", "./=1+1.cpp"),
            ],
        )

    def test_a_table_of_verdicts(self):
        """What was judged stays, also if another answer could not be judged, and for another call."""
        for name, text in (("b/Ada Müller.cpp", MIRROR), ("a/full.cpp", MIRROR), ("c/1.cpp", STARTER)):
            (self.root / "answers" / name).parent.mkdir(parents=True)
            (self.root / "answers" / name).write_text(text)
        cxx = self.root / "g++"
        cxx.write_text(
            '#!/bin/sh\ncase "$*" in */full.cpp*) echo "No space left ($LC_ALL)"; exit 1;; esac\nexec g++ "$@"\n'
        )
        cxx.chmod(0o755)
        table = self.root / "a table.csv"
        to_table = "FILES=../../answers/[ab]/*.cpp", "CSV=../../a table.csv", "CXX=./g++"
        code, words = self.judged(*to_table, folder=self.root / LAB)
        self.assertEqual(code, 2, words)
        self.assertIn("error: 1 of 2 answers could not be judged\n", words)
        code, words = self.judged("FILES=answers/c/1.cpp answers/b/Ada?Müller.cpp", f"CSV={table}", "SEED=3")
        self.assertEqual(code, 0, words)
        with table.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["file", "exercise", "verdict", "message", "same_as"])
        self.assertEqual({row["exercise"] for row in rows}, {"01_only/1_mirror"})
        self.assertEqual(
            [(row["file"].split("answers/")[1], row["verdict"]) for row in rows],
            [
                ("a/full.cpp", "not judged"),
                ("b/Ada Müller.cpp", "solved"),
                ("c/1.cpp", "bytes"),
                ("b/Ada Müller.cpp", "solved"),
            ],
        )
        self.assertEqual(rows[0]["message"], "No space left (C)")
        self.assertRegex(rows[2]["message"], r"^\d+ x \d+: [^.]* are wrong, [^.]*\.$")
        code, words = self.judged("FILES=answers/b/*.cpp answers/c/*.cpp", f"CSV={table}")
        self.assertEqual(len(table.read_text(encoding="utf-8").splitlines()), 5, "a row is replaced")

    def test_a_picture_of_the_way(self):
        """not begun, not yet, solved, changed since judged."""
        self.assertRegex(self.listed(), r"01_only +N=1 +not begun +Mirror\n0 of 1 solved")
        code, words = self.judged("SEED=7")
        self.assertEqual(code, 0)
        self.assertNotIn("***", words)
        self.assertRegex(
            words, r"Mirror \(exercise 1 of 01_only, SEED=7\)\n  compiles  ok\n  bytes     NO  \d+ x \d+: "
        )
        self.assertIn("\n  How this is judged: labs/01_only/exercises/1_mirror/judge.cpp\n", words)
        self.assertIn(
            "The task: labs/01_only/exercises/1_mirror/README.md; a hint: make exercise LAB=01_only N=1 HINT=1\n", words
        )
        self.assertRegex(self.listed(), r"not yet: bytes +Mirror\n0 of 1 solved")
        (self.exercise / "exercise.cpp").write_text(MIRROR)
        self.assertRegex(self.listed(), "changed since judged +Mirror\n0 of 1 solved")
        code, words = self.judged()
        self.assertEqual(code, 0, words)
        self.assertRegex(
            words, f"  Solved.\n  `{LAB}/main.cpp` mirrors, too. Look at its loops.\nAll 1 exercises are solved.\n$"
        )
        self.assertRegex(self.listed(), "solved +Mirror\n1 of 1 solved")
        (self.exercise / "exercise.cpp").write_text(MIRROR + "// \n")
        self.assertRegex(self.listed(), "changed since judged +Mirror\n0 of 1 solved")

    def test_without_a_number_it_is_the_next_unsolved_one(self):
        second = self.exercise.parent / "2_again"
        shutil.copytree(self.exercise, second)
        (second / "README.md").write_text("# Again (long)\n")
        (second / "hints.md").write_text("1. As before.\n")
        self.assertIn("Mirror (exercise 1 of 01_only", make(self.root, "exercise")[1])
        (self.exercise / "exercise.cpp").write_text(MIRROR)
        code, words = make(self.root, "exercise")
        self.assertEqual((code, words.splitlines()[-1]), (0, "  Next: make exercise LAB=01_only N=2 (Again)"), words)
        self.assertRegex(self.listed(), r"N=2  not begun +Again \(long\)\n")
        self.assertIn("Again (exercise 2 of 01_only", make(self.root / LAB, "exercise")[1])
        self.assertEqual(make(self.root, "exercise", "HINT=1"), (0, "As before.\n"))
        self.assertIn("exercise 1 of 01_only", self.judged()[1])
        # An exercise that was solved and then changed is judged again.
        (self.exercise / "exercise.cpp").write_text(MIRROR + "// \n")
        (second / "exercise.cpp").write_text(MIRROR)
        code, words = make(self.root, "exercise", "LAB=01_only", "WATCH=1")
        self.assertEqual(code, 0, words)
        self.assertRegex(
            words,
            r"(?s)Mirror \(exercise 1 .*  Solved\..*Again \(exercise 2 .*  Solved\..*All 2 exercises are solved\.\n$",
        )
        self.assertEqual(make(self.root, "exercise"), (0, "All 2 exercises are solved.\n"))

    def test_hints_one_by_one(self):
        self.assertEqual(self.judged("HINT=1"), (0, "Which column comes first?\n"))
        self.assertEqual(self.judged("HINT=2"), (0, "Draw it, then count.\n"))

    def test_settings_that_cannot_be(self):
        one = ("exercise", "LAB=01_only", "N=1")
        for arguments, words in (
            (["exercise", "N=1"], "LAB and N are needed: make exercise LAB="),
            (["exercise", "LAB=01_only", "N=7"], "N is '7'; lab 01_only has 1 to 1"),
            (["exercise", "LAB=09_none", "N=1"], "There is no lab 09_none; choose from: 01_only"),
            ([*one, "SEED=x"], "SEED is 'x'; set it to a number"),
            ([*one, "HINT=x"], "HINT is 'x'; set it to a number"),
            ([*one, "HINT=3"], "HINT is 3; exercise 1 of 01_only has hints 1 to 2"),
            ([*one, "FILES=none/*.cpp"], "There is no file none/*.cpp (in a name with spaces, write ? for each space)"),
            ([*one, "CSV=a.csv"], "CSV is 'a.csv', which is for several answers; name them: FILES='answers/*.cpp'"),
            ([*one, "FILES=Makefile", "CSV=config.mk"], "CSV is 'config.mk', which has other columns than file,"),
            ([*one, "FILES=Makefile", "CSV=no/such/a.csv"], "no/such/a.csv.new: No such file or directory"),
            ([*one, "CXX=no-compiler"], "There is no no-compiler here; 'make setup' installs what is missing"),
            (["handout"], "Say where to: make handout OUT="),
            (["handout", "OUT=labs"], "OUT is 'labs', and it exists; choose a new folder"),
            (["handout", "OUT=no/such/folder"], "OUT is 'no/such/folder', and there is no folder no/such"),
        ):
            with self.subTest(arguments):
                self.assertIn(words, self.refused(*arguments))

    def test_what_keeps_a_step_from_running(self):
        full = self.root / "full"
        full.write_text(f"#!/bin/sh\necho '{tempfile.gettempdir()}/cc.s: No space left on device'; exit 1\n")
        full.chmod(0o755)
        for settings, said in (
            ({"TMPDIR": "/none"}, "cannot write into /none: No such file or directory; set TMPDIR to"),
            ({"TMPDIR": "/dev/null"}, "cannot write into /dev/null: Not a directory; set TMPDIR to"),
            ({"CXX": "./full"}, "/cc.s: No space left on device; set TMPDIR to"),
            ({"RESULTS": "/dev/null"}, "/dev/null: File exists"),
        ):
            with self.subTest(settings):
                done = subprocess.run(
                    [sys.executable, "tools/exercises", "judge"],
                    cwd=self.root,
                    env={**os.environ, "LAB": "01_only", "N": "1", **settings},
                    capture_output=True,
                    text=True,
                )
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, f"^error: .*{said}.*\n$")

    def test_sanitizers_that_cannot_start(self):
        """A limit of memory is no fault of the answer; a library that LD_PRELOAD names is not the answer's."""
        (self.exercise / "exercise.cpp").write_text(MIRROR)
        for limit, said in (
            ("ulimit -v 8000000", r"^error: no program with -fsanitize=address,undefined starts here: "),
            ("export LD_PRELOAD=libm.so.6", "^$"),
        ):
            with self.subTest(limit):
                done = subprocess.run(
                    ["bash", "-c", f"{limit}; {sys.executable} tools/exercises judge"],
                    cwd=self.root,
                    env={**os.environ, "LAB": "01_only", "N": "1"},
                    capture_output=True,
                    text=True,
                )
                self.assertRegex(done.stderr, said)

    def test_a_pipe_that_closes(self):
        for command in ("python3 tools/exercises list", "make --no-print-directory help"):
            closed = f"{command} 2>&1 | sleep 1"
            done = subprocess.run(
                ["bash", "-c", f"{closed}; ({command} >/dev/full) 2>&1; {command} | head -1"],
                cwd=self.root,
                capture_output=True,
                text=True,
            )
            self.assertEqual(done.stderr, "")

    def test_in_the_folder_of_an_exercise(self):
        code, words = make(self.exercise, "SEED=7")
        self.assertRegex(words, r"^Mirror \(exercise 1 of 01_only, SEED=7\)\n")
        self.assertEqual(make(self.exercise, "exercise", "HINT=1"), (0, "Which column comes first?\n"))

    def test_watch_judges_at_every_save(self):
        answer = self.exercise / "exercise.cpp"
        process = subprocess.Popen(
            [sys.executable, "tools/exercises", "judge"],
            cwd=self.root,
            text=True,
            stdout=subprocess.PIPE,
            env={**os.environ, "LAB": "01_only", "N": "1", "WATCH": "1"},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        stopper = threading.Timer(120, process.kill)
        stopper.start()
        try:
            said = []
            for line in process.stdout:
                said.append(line)
                if line.startswith("Waiting") and answer.read_text() != MIRROR:
                    # As an editor saves: for a moment the file does not exist.
                    answer.rename(self.root / "kept.cpp")
                    threading.Timer(
                        1, lambda: (self.root / "new.cpp").write_text(MIRROR) and (self.root / "new.cpp").rename(answer)
                    ).start()
                    break
            for line in process.stdout:
                said.append(line)
                if line.startswith("Waiting"):
                    process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(), 130, said)
            self.assertIn("  Solved.\n", said)
            self.assertTrue(any(line.startswith("  Not yet.") for line in said), said)
        finally:
            stopper.cancel()
            process.kill()
            process.stdout.close()


class ForTeachers(Project):
    def test_a_new_exercise(self):
        def new(*arguments):
            command = [sys.executable, "tools/exercises", "new", *arguments]
            return subprocess.run(command, cwd=self.root, stderr=subprocess.PIPE, text=True)

        self.assertIn("error: Say of which lab, and the title: ", new("01_only").stderr)
        self.assertIn("error: The title is '?'; use letters and digits", new("01_only", "?").stderr)
        self.assertEqual(new("01_only", "One load, per pixel").returncode, 0)
        new = self.exercise.parent / "2_one_load_per_pixel"
        page = (new / "README.md").read_text()
        self.assertTrue(page.startswith("# One load, per pixel\n\n("), page)
        self.assertIn("\n    make exercise LAB=01_only N=2\n", page)
        for file in (new / "exercise.cpp", self.solutions.parent / new.name / "solution.cpp"):
            head = "// Exercise 2 of lab 01, README.md: one load, per pixel.\n// (The code is that of exercise 1: replace it.)\n"
            self.assertTrue(file.read_text().startswith(head), file)
        for file in (new / "judge.cpp", self.solutions.parent / new.name / "wrong.txt"):
            self.assertRegex(file.read_text(), "exercise 1: replace (it|them)")
        for file in new.glob("*.md"):
            self.assertNotRegex(file.read_text(), "Mirror|column comes first|mirrors")
        self.assertRegex(self.listed(), r"N=1 .*\n.*N=2  not begun +One load, per pixel\n0 of 2 solved")
        self.assertIn("exercise 2 of 01_only has hints 1 to 3", self.judged("N=2", "HINT=9")[1])
        self.assertIn("exercise 2 of 01_only, SEED=7", self.judged("N=2", "SEED=7")[1])

    def test_a_copy_of_a_lab_has_no_exercises(self):
        """They are judged with the solutions of the old lab."""
        for name in ("README.md", "alone.cu", "sketch.svg"):
            (self.root / LAB / name).write_text("of the old lab\n")
        (self.root / LAB / "01_flat.cpp").write_text("// flat -- one array of labs/01_only\n")
        code, words = make(self.root, "new", "LAB=02_a_copy", "FROM=01_only")
        self.assertEqual(code, 0, words)
        copy = self.root / "labs/02_a_copy"
        self.assertEqual({path.name for path in copy.iterdir()}, {"01_flat.cpp", "main.cpp", "Makefile", "README.md"})
        text = (copy / "README.md").read_text()
        self.assertTrue(text.startswith("# Lab 02: a copy\n\n**You will learn to** "), text)
        self.assertIn("\n- flat: one array of labs/02_a_copy\n", text)
        self.assertIn("make verify LAB=02_a_copy ", text)

    def test_a_handout_has_no_solutions_and_its_tests_say_so(self):
        for folder in (
            "tests/exercises",
            "tests/__init__.py",
            "conftest.py",
            "pyproject.toml",
            "README.md",
            "TEACHING.md",
        ):
            source, target = ROOT / folder, self.root / folder
            target.parent.mkdir(exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.exists():
                shutil.copy(source, target)
        (self.exercise / "hints.md").write_text("".join(f"{n}. A sentence that helps.\n" for n in (1, 2, 3)))
        self.assertIn("this folder is not its top: use a clone", make(self.root, "handout", "OUT=new")[1])
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "All"]):
            subprocess.run(git + command, cwd=self.root, check=True, capture_output=True)
        (self.root / "not committed").touch()
        other = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "HOME": str(self.root)}
        self.assertIn("git config --global --add safe.directory", make(self.root, "handout", "OUT=new", **other)[1])
        for page, (mark, text), words in (
            (
                "Makefile",
                ("# teachers: end\n", ""),
                "Makefile has not as many lines 'teachers: end' as 'teachers: begin'.",
            ),
            ("README.md", (" <!-- teachers -->", ""), "README.md names what a handout does not have; mark it with"),
            ("CONTRIBUTING.md", ("teachers: ", "students: "), "CONTRIBUTING.md names what a handout does not have;"),
        ):
            whole = (self.root / page).read_text()
            self.assertIn(mark, whole)
            (self.root / page).write_text(whole.replace(mark, text))
            subprocess.run([*git, "commit", "-qam", "Mark lost"], cwd=self.root, check=True)
            self.assertIn(f"error: {words}", make(self.root, "handout", "OUT=new")[1])
            (self.root / page).write_text(whole)
            self.assertFalse((self.root / "new").exists())
        subprocess.run([*git, "commit", "-qam", "Marks"], cwd=self.root, check=True)
        code, words = make(self.root / LAB, "handout", "OUT=../../hand out")
        self.assertEqual(code, 0, words)
        handout = self.root / "hand out"
        self.assertFalse((handout / "solutions").exists())
        self.assertFalse((handout / "TEACHING.md").exists())
        for page in ("Makefile", "CONTRIBUTING.md", "README.md"):
            self.assertNotRegex((handout / page).read_text(), "solutions/|handout|[Aa]dd an exercise|TEACHING|teachers")
        self.assertIn("## Scripts for maintainers\n", (handout / "CONTRIBUTING.md").read_text())
        self.assertFalse((handout / "not committed").exists())
        self.assertTrue((handout / LAB / "exercises/1_mirror/exercise.cpp").exists())
        # Also when the student has solved it.
        (handout / LAB / "exercises/1_mirror/exercise.cpp").write_text(MIRROR)
        tested = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:xdist", "tests/exercises"],
            cwd=handout,
            env={**os.environ, "CI": "", "ALL": ""},
            capture_output=True,
            text=True,
        )
        self.assertIn("solutions/01_only/1_mirror is not here: a handout has no solutions\n", tested.stdout)
        self.assertIn("3 passed, 0 failed, 3 skipped", tested.stdout)
        code, words = make(handout, "exercise", "LAB=01_only", "N=1")
        self.assertEqual(code, 0, words)
        for name in (".venv/bin/ruff", "bin/clang-format"):
            (handout / name).parent.mkdir(parents=True)
            (handout / name).write_text('#!/bin/sh\nprintf "<%s>" "${0##*/}" "$@"; echo\n')
            (handout / name).chmod(0o755)
        code, words = make(handout, "format", PATH=f"{handout}/bin:{os.environ['PATH']}")
        self.assertRegex(words, f"\n<clang-format><-i>.*<{LAB}/exercises/1_mirror/exercise.cpp>")


class Page(unittest.TestCase):
    """TEACHING.md."""

    def new_lines(self, exercise):
        """Lines of code of the solution that the given code has not."""

        def code(file):
            lines = (line.strip() for line in file.read_text().splitlines())
            return Counter(line for line in lines if line and not line.startswith("//"))

        return sum((code(ROOT / exercise.solution()) - code(exercise.file)).values())

    def test_an_exercise_is_marked_if_it_is_hard(self):
        for exercise in map(Exercise, ROOT.glob("labs/*/exercises/[0-9]*")):
            new = self.new_lines(exercise)
            self.assertEqual(exercise.heading.endswith(" (long)"), new >= 10, f"{exercise}: {new} new lines")

    def test_a_judge_begins_with_its_criterion(self):
        """In one or two lines, with the numbers of its goals."""
        exercises = list(map(Exercise, ROOT.glob("labs/*/exercises/[0-9]*")))
        self.assertGreaterEqual(len(exercises), 36)
        for exercise in exercises:
            text = exercise.judge.read_text()
            head = re.match(r"// SPDX-License-Identifier: MIT\n((?:// .*\n){1,2})(?!//)", text)
            self.assertTrue(head, f"{exercise.judge} does not begin with one or two lines that say how it judges")
            criterion = " ".join(head[1].replace("// ", " ").split())
            self.assertRegex(criterion, r"^(Compares|Tries) .*\.$", exercise.judge)
            for figure, most, unit in re.findall(r'\{"([a-z][a-z ]*)",\s*([\d.]+)(?:,\s*(k\w+))?', text):
                number = "" if unit in ("kThreads", "kThird") else f"{most} "
                self.assertIn(number + figure, criterion, exercise.judge)
            for ratio in re.findall(r"times_as_fast = ([\d.]+)", text):
                self.assertIn(f"below {ratio} times the speed", criterion, exercise.judge)

    def test_the_table_of_hours(self):
        wanted = []
        for lab in sorted(path.parent for path in ROOT.glob("labs/*/exercises")):
            exercises = sorted(map(Exercise, lab.glob("exercises/[0-9]*")), key=lambda one: one.number)
            long = [str(one.number) for one in exercises if one.heading.endswith(" (long)")]
            files = len(list(lab.glob("[0-9]*_*.c*")))
            minutes = 30 + 15 * files + 45 * len(exercises) + 45 * len(long)
            hours = math.ceil(minutes / 30) / 2
            wanted.append(f"| {lab.name} | {files} | {len(exercises)} | {', '.join(long) or '–'} | {hours:g} |")
        lines = (ROOT / "TEACHING.md").read_text(encoding="utf-8").splitlines()
        self.assertEqual([line for line in lines if re.match(r"\| \d\d_", line)], wanted)


if __name__ == "__main__":
    unittest.main()
