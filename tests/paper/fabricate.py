# SPDX-License-Identifier: MIT
"""Made-up measurements of the labs of the reports, never to be published; and what the tests share."""

import csv
import os
import re
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pandas import DataFrame

from report.make.paper.measurements.machine import Results, read_folder
from report.make.paper.measurements.published import Published, read_published
from report.make.plots.words import Figure
from tests.tools.made_up_rows import HEADER, ROOT, SIZES, row, write  # noqa: F401

DATA = ROOT / "report/make/paper/data"
REFERENCE = ROOT / "results" / "reference"
MAIN = REFERENCE / "h200_16_cpus"  # the machine of the report
README = "# Title\r\n<!-- results:begin -->\r\n| old |\r\n<!-- results:end -->\r\ntail §\r\n"
Fields = dict[str, str]
GPU = {"backend": "cuda", "device": "Toy GPU"}
NO_KERNEL = {name: "" for name in HEADER if name.startswith("kernel_ms")}


class Program(unittest.TestCase):
    """The program as it is called, on made-up rows, in a new folder."""

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.base = Path(holder.name) / "a folder"
        self.results, self.out = self.base / "results", self.base / "report"

    def paper(self, *words: object, **environment: str) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, ROOT / "report/make/paper", *map(str, words)],
            capture_output=True,
            check=False,
            encoding="utf-8",
            cwd=self.base.parent,
            env={**os.environ, **environment},
        )
        assert "Traceback" not in done.stderr
        return done

    def fails(self, code: int, words: str, *more: object, **environment: str) -> None:
        done = self.paper("--results", self.results, *more, **environment)
        assert done.returncode == code, done.stderr
        assert re.search(words, done.stderr)
        assert code != 1 or done.stderr.count("\n") == 1, done.stderr

    def written(self, *more: object, **environment: str) -> str:
        """What it prints."""
        done = self.paper("--results", self.results, "--out", self.out, *more, **environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def files(self) -> dict[str, bytes]:
        return {str(path.relative_to(self.out)): path.read_bytes() for path in self.out.rglob("*") if path.is_file()}


def read(rows: Iterable[Fields], sweep: Iterable[Fields] = ()) -> DataFrame:
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


def also() -> list[str]:
    """The options for the committed machines beside the report's machine."""
    others = [folder for folder in sorted(REFERENCE.iterdir()) if folder.is_dir() and folder != MAIN]
    return [word for folder in others for word in ("--also", str(folder.relative_to(ROOT)))]


def draw_scene() -> None:
    """The picture that the defective forms run on, as `make data` draws it."""
    make_data = ROOT / os.environ.get("BUILD", "build") / "data" / "make_data"
    options = ("--out", ROOT / "data" / "generated", "--size", "480p")
    subprocess.run([make_data, *options], check=True, stdout=subprocess.DEVNULL)


def write_csv(path: Path, columns: Sequence[str], lines: Iterable[Fields]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
