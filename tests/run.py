#!/usr/bin/env python3
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Runs Catch2 programs and folders of unittests; the last line is the sum: N passed, N failed, N skipped.

    run.py [PROGRAM | FOLDER]...

Two run at the same time, each in a process of its own; name first what takes long. Catch2 (2 and 3) is read in its XML,
unittest through its own result. A test that cannot run here prints "skipped: why" (tests/catch.hpp) and counts as
skipped; one that prints "left out: why" has no meaning for its program and is not counted. With ALL_TESTS=1 a skip fails
unless it is for want of a GPU or of the CUDA Toolkit. Exit codes: 0 all passed, 1 not.
"""

import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

sys.dont_write_bytecode = True
CLOSING_LINES = 60  # shown of what a failed program said
AT_ONCE = 2  # more would disturb the tests that wait for something
IN_WORDS = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped")


MAY_BE_MISSING = re.compile(r"\bGPU\b|cuFFT|cuBLAS|emulator|nvcc", re.IGNORECASE)


def reasons(case):
    """Why a Catch2 test case was skipped or left out; nothing if it ran."""
    lines = [line.strip() for text in case.iter("StdOut") for line in (text.text or "").splitlines()]
    return [line for line in lines if line.startswith(("skipped: ", "left out: "))] + [
        f"skipped: {(skip.text or '').strip()}" for skip in case.iter("Skip")
    ]


def skip(why):
    """"failed" if ALL_TESTS=1 and only a package is missing, else "skipped"; prints why."""
    failed = os.environ.get("ALL_TESTS") == "1" and not MAY_BE_MISSING.search(why)
    print(f"FAILED: {why}; with ALL_TESTS=1 this test has to run" if failed else why)
    return "failed" if failed else "skipped"


def show(case):
    """A failed Catch2 test case in words."""
    print(f"FAILED: {case.get('name')}")
    for part in case.iter():
        where = f"  {part.get('filename')}:{part.get('line')}: "
        if part.tag == "Expression" and part.get("success") == "false":
            print(
                where + f"{part.get('type')}( {(part.findtext('Original') or '').strip()} ), "
                f"which is {(part.findtext('Expanded') or '').strip()}"
            )
        elif part.tag in ("Failure", "Exception", "FatalErrorCondition", "Info", "Warning"):
            print((where if part.get("line") else "  ") + (part.text or "").strip())


def catch2(program):
    """Counts of one Catch2 program."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        done = subprocess.run(
            [program, "--reporter", "xml", "--out", report],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        try:
            cases = list(ElementTree.parse(report).getroot().iter("TestCase"))
        except (OSError, ElementTree.ParseError):
            cases = []
    counts = Counter()
    for case in cases:
        result = case.find("OverallResult")
        skips = reasons(case)
        if result is None or result.get("success") != "true":
            show(case)
            counts["failed"] += 1
        elif skips:
            if not skips[0].startswith("left out: "):
                counts[skip(skips[0])] += 1
        else:
            counts["passed"] += 1
    if (done.returncode != 0 or not cases) and not counts["failed"]:
        print(f"{program}: ended with code {done.returncode} after {len(cases)} tests")
        counts["failed"] = 1
    if counts["failed"]:
        print(*done.stdout.splitlines()[-CLOSING_LINES:], sep="\n")
    return counts


class Result(unittest.TextTestResult):
    """Counts what passed: all its subtests did, too."""

    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def unittests(folder):
    """Counts of the unittests in a folder."""
    words = io.StringIO()
    runner = unittest.TextTestRunner(stream=words, resultclass=Result)
    result = runner.run(unittest.TestLoader().discover(folder, "test_*.py", "."))
    failed = {getattr(test, "test_case", test).id() for test, _ in result.failures + result.errors}
    failed |= {test.id() for test in result.unexpectedSuccesses}
    skipped = {getattr(test, "test_case", test).id(): why for test, why in result.skipped}
    counts = Counter(passed=result.passed, failed=len(failed))
    for why in (why for test, why in sorted(skipped.items()) if test not in failed):
        counts[skip(f"skipped: {why}")] += 1
    if failed:
        print(words.getvalue())
    elif not sum(counts.values()):
        print(f"{folder}: has no tests")
        counts["failed"] = 1
    return counts


def in_words(counts):
    """N passed, N failed, N skipped."""
    return ", ".join(f"{counts[what]} {what}" for what in ("passed", "failed", "skipped"))


def apart(test):
    """Counts of one test, which another run.py runs; shows what that printed."""
    done = subprocess.run(
        [sys.executable, __file__, test], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    *lines, last = done.stdout.splitlines() or [""]
    numbers = IN_WORDS.fullmatch(last)
    if numbers:
        counts = Counter(dict(zip(("passed", "failed", "skipped"), map(int, numbers.groups()))))
    else:
        lines = [*done.stdout.splitlines(), f"{test}: its run ended with code {done.returncode}"]
        counts = Counter(failed=1)
    print("\n".join(lines), flush=True)
    return counts


def main(tests):
    """Returns the exit code."""
    os.environ["CONVOLAB_BUILD"] = os.environ.get("BUILD", "build")
    sys.path[0] = os.getcwd()  # not this file's folder: there tests/tools would be the package `tools`
    total = Counter()
    if len(tests) == 1:
        total = unittests(tests[0]) if os.path.isdir(tests[0]) else catch2(tests[0])
        print(f"{tests[0]}: {in_words(total)}", flush=True)
    else:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for counts in pool.map(apart, tests):
                total += counts
    print(in_words(total))
    return 0 if total["passed"] and not total["failed"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
