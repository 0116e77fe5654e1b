# SPDX-License-Identifier: MIT
"""pytest also runs programs of Catch2 (versions 2 and 3), each test case as a test.

    python3 -m pytest build/tests/unit tests/tools -k "png or rows"

A test case that cannot run here prints "skipped: why" (tests/catch.hpp) and counts as skipped; one that prints "left out: why"
has no meaning for its program and is not counted. Where CI is set, as in .ci/run, a skip fails unless it is for want of a GPU or
of the CUDA Toolkit. A test that takes long and seldom fails, which has the mark `long` (Catch2: the tag [long]), runs only with
ALL=1 in the environment. The last line is the sum: N passed, N failed, N skipped.
"""

import os
import re
import signal
import subprocess
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

CLOSING_LINES = 60  # shown of what a failed test case printed
LEFT_OUT = "left out: "
ALL = os.environ.get("ALL") == "1"
MAY_BE_MISSING = re.compile(r"\bGPU\b|cuFFT|cuBLAS|emulator|nvcc", re.IGNORECASE)


def pytest_configure():
    # A script's `make test &` ignores Ctrl-C, and so would the programs that the tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["CONVOLAB_BUILD"] = os.environ.get("BUILD", "build")


@pytest.hookimpl(optionalhook=True)  # of xdist
def pytest_xdist_make_scheduler(config, log):
    """Each test goes to the process that is free; but the tests of a class in Python, which may share what is set up, stay
    together. Exercises and the emulator's tests share nothing."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            stays = ".py::" in nodeid and not nodeid.startswith(("cuda_on_cpu/", "tests/exercises/"))
            return super()._split_scope(nodeid) if stays else nodeid

    return Scheduling(config, log)


def pytest_collect_file(file_path, parent):
    """A program that is named on the command line has test cases."""
    if (
        file_path.suffix not in (".py", ".sh")
        and os.access(file_path, os.X_OK)
        and parent.session.isinitpath(file_path)
    ):
        return Program.from_parent(parent, path=file_path)
    return None


def run(*command):
    """(exit code, what it printed)"""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False
    )
    return done.returncode, done.stdout


def pytest_collection_modifyitems(config, items):
    if not ALL:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("long")])
        items[:] = [item for item in items if not item.get_closest_marker("long")]


class Program(pytest.File):
    def collect(self):
        which = () if ALL else ("~[long]",)
        # Of version 2, which ends with the number of tests.
        code, names = run(self.path, *which, "--list-test-names-only")
        if "nrecognised token" in names:
            code, names = run(self.path, *which, "--list-tests", "--verbosity", "quiet")
        if code < 0 or not names:
            raise self.CollectError(f"{self.path} names no tests and ends with code {code}")
        return [Case.from_parent(self, name=name) for name in names.splitlines()]


class Failure(Exception):
    """What to show of a test case that failed."""


class Case(pytest.Item):
    def runtest(self):
        spec = re.sub(r'([\\,\["*~])', r"\\\1", self.name)
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder, "report.xml")
            code, printed = run(self.path, spec, "--reporter", "xml", "--out", report)
            try:
                case = next(ElementTree.parse(report).iter("TestCase"))
            except (OSError, ElementTree.ParseError, StopIteration):
                case = ElementTree.Element("none")
        result = case.find("OverallResult")
        if code != 0 or result is None or result.get("success") != "true":
            last = printed.splitlines()[-CLOSING_LINES:]
            raise Failure("\n".join([*failures(case), f"{self.parent.nodeid} ended with code {code}", *last]))
        for why in reasons(case):
            pytest.skip(why.removeprefix("skipped: "))

    def repr_failure(self, excinfo, style=None):
        return str(excinfo.value) if excinfo.errisinstance(Failure) else super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, self.name


def failures(case):
    """Each failed check of a test case: its line and its values."""
    for part in case.iter():
        where = f"{part.get('filename')}:{part.get('line')}: "
        if part.tag == "Expression" and part.get("success") == "false":
            original, expanded = ((part.findtext(which) or "").strip() for which in ("Original", "Expanded"))
            yield f"{where}{part.get('type')}( {original} ), which is {expanded}"
        elif part.tag in ("Failure", "Exception", "FatalErrorCondition", "Info", "Warning"):
            yield (where if part.get("line") else "  ") + (part.text or "").strip()


def reasons(case):
    """Why a test case was skipped or left out."""
    for text in case.iter("StdOut"):
        yield from re.findall(r"^\s*((?:skipped|left out): .*)", text.text or "", re.MULTILINE)
    yield from ((skip.text or "").strip() for skip in case.iter("Skip"))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport():
    report = (yield).get_result()
    if report.skipped and not hasattr(report, "wasxfail"):
        why = report.longrepr[2].removeprefix("Skipped: ")
        report.left_out = why.startswith(LEFT_OUT)
        if os.environ.get("CI") and not report.left_out and not MAY_BE_MISSING.search(why):
            report.outcome = "failed"
            report.longrepr = f"skipped: {why}; in CI this test has to run"


def pytest_runtest_logreport(report):
    """The name of a failed test and its first message, at once."""
    if report.failed:
        lines = report.longreprtext.splitlines() or [""]
        print(
            f"\nFAILED {report.nodeid}: {next((line[1:] for line in lines if line.startswith('E ')), lines[0]).strip()}"
        )


def pytest_report_teststatus(report):
    return ("left out", "", "") if getattr(report, "left_out", False) else None


def pytest_unconfigure(config):
    """The last line. A worker of xdist has none."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter and not hasattr(config, "workerinput") and not config.option.collectonly:
        passed, failed, errors, skipped = (
            len(reporter.stats.get(w, ())) for w in ("passed", "failed", "error", "skipped")
        )
        print(f"{passed} passed, {failed + errors} failed, {skipped} skipped")
