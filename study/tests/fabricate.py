# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Made-up measurements of the labs of the reports, never to be published; and what the tests share."""

import os
import subprocess
import sys
import tempfile
import unittest
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, Iterable, List, Sequence

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from made_labs import GPU, NO_KERNEL, Fields, cpu_labs, timeline, write_csv  # noqa: E402, F401

from study.figures.content import Figure, Table  # noqa: E402
from study.measurements.published import Published, read_published  # noqa: E402
from study.measurements.rows import Row, read_folder  # noqa: E402
from study.measurements.selection import Results  # noqa: E402
from tests.tools.made_up_rows import HEADER, ROOT, SIZES, row, write  # noqa: E402, F401

DATA = ROOT / "study" / "data"
REFERENCE = ROOT / "results" / "reference"
MAIN = REFERENCE / "h200_16_cpus"  # the machine of the report
README = "# Title\r\n<!-- results:begin -->\r\n| old |\r\nwords\r\n<!-- results:end -->\r\ntail §\r\n"


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.base = Path(holder.name)


class Program(Case):
    """The program as it is called, on made-up rows."""

    def setUp(self) -> None:
        super().setUp()
        self.base = self.base / "a folder"
        self.results, self.out, self.labs = self.base / "results", self.base / "report", self.base / "labs"

    def study(self, *words: object, **environment: str) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, ROOT / "study", *map(str, words)],
            capture_output=True,
            check=False,
            encoding="utf-8",
            cwd=self.base.parent,
            env={**os.environ, **environment},
        )
        self.assertNotIn("Traceback", done.stderr)
        return done

    def refused(self, code: int, words: str, *more: object, **environment: str) -> None:
        done = self.study("--results", self.results, *more, **environment)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertRegex(done.stderr, words)
        self.assertTrue(code != 1 or done.stderr.count("\n") == 1, done.stderr)

    def written(self, *more: object, **environment: str) -> str:
        """What it prints."""
        done = self.study("--results", self.results, "--out", self.out, *more, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def files(self) -> Dict[str, bytes]:
        return {str(path.relative_to(self.out)): path.read_bytes() for path in self.out.rglob("*") if path.is_file()}


def read(rows: Iterable[Fields], sweep: Iterable[Fields] = ()) -> List[Row]:
    """The rows, written to files and read again."""
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in (("a", list(rows)), ("a_sweep", list(sweep))):
            if lines:
                write(Path(folder) / f"{name}.csv", lines)
        return read_folder(Path(folder))


def measured(*rows: Fields, sweep: Iterable[Fields] = ()) -> Results:
    return Results(read(rows, sweep))


@lru_cache(maxsize=None)
def published() -> Published:
    return read_published(DATA / "published.csv", DATA / "originals.csv")


def drawn(figure: Figure) -> Any:
    """The matplotlib figure, no longer kept by pyplot."""
    from matplotlib import pyplot

    made = figure.draw()
    pyplot.close(made)
    return made


def tables(items: Sequence[Any]) -> List[Table]:
    """The tables of a section; its figures are drawn."""
    for item in items:
        if isinstance(item, Figure):
            drawn(item)
    return [item for item in items if isinstance(item, Table)]


def legend(figure: Any) -> List[str]:
    return [text.get_text() for one in figure.legends for text in one.get_texts()]


def also() -> List[str]:
    """The options for the committed machines beside that of the report."""
    others = [folder for folder in sorted(REFERENCE.iterdir()) if folder.is_dir() and folder != MAIN]
    return [word for folder in others for word in ("--also", str(folder.relative_to(ROOT)))]


def draw_scene() -> None:
    """The picture that the defective forms run on, as `make data` draws it."""
    make_data = ROOT / os.environ.get("BUILD", "build") / "data" / "make_data"
    options = ("--out", ROOT / "data" / "generated", "--size", "480p")
    subprocess.run([make_data, *options], check=True, stdout=subprocess.DEVNULL)
