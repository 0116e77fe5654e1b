# SPDX-License-Identifier: MIT
"""The program as it is called: files, exit codes, the README, one figure, the same bytes twice."""

import os
import re
import shutil
import unittest
import unittest.mock
from pathlib import Path

import pytest

from report.make.paper.html_page import make_pdf
from report.make.paper.measurements.claims import FILE
from report.make.paper.readmes import with_part
from report.make.plots.files import ReportError
from tests.paper.fabricate import MAIN, README, ROOT, Program, row, write

pytestmark = pytest.mark.long

CHROMIUM = """#!/bin/sh
for word; do case $word in --print-to-pdf=*) out=${word#*=} ;; esac; done
printf 'PDF /CreationDate (D:20261121231714+00) of %s' "$word" > "$out"
"""


class Command(Program):
    def test_mistakes_are_one_sentence(self) -> None:
        self.fails(1, "no folder", "--out", self.out)
        self.results.mkdir(parents=True)
        self.fails(2, "usage", "--nonsense")
        self.fails(2, "required: --out")
        self.fails(1, "no measurements", "--out", self.out)
        write(self.results / "a.csv", [row("a", "v", "480p", 1), row("a", "v", "480p", 1, machine="m2")])
        self.fails(1, 'm2; toy.*ARGS="--machine m2"', "--out", self.out)
        self.fails(1, "machine m3", "--out", self.out, "--machine", "m3")
        assert not self.out.exists()

    def test_one_figure_by_its_name(self) -> None:
        done = self.paper("figure", "road", "--results", MAIN, "--out", self.out)
        assert (done.returncode, done.stderr) == (0, "")
        drawn, committed = (
            re.sub(rb"p[0-9a-f]{10}", b"", data)  # names of clip paths: hashes of numbers that differ in their last bit
            for data in (self.files()["road.svg"], (ROOT / "report" / "figures" / "road.svg").read_bytes())
        )
        assert drawn == committed
        done = self.paper("figure", "nothing", "--results", MAIN, "--out", self.out)
        assert done.returncode == 1
        assert "no figure is named 'nothing'; there are road, " in done.stderr

    def test_pdf(self) -> None:
        programs, page = self.base / "bin", self.base / "report.html"
        programs.mkdir(parents=True)
        page.write_text("<p>a</p>", encoding="utf-8")
        chromium = programs / "chromium"
        with unittest.mock.patch.dict(os.environ, PATH=str(programs)):
            assert "no Chromium is installed" in make_pdf(page)
            assert not (self.base / "report.pdf").exists()
        with unittest.mock.patch.dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}"):
            chromium.write_text(CHROMIUM, encoding="utf-8")
            chromium.chmod(0o755)
            assert "report.pdf: 0.0 MB" in make_pdf(page)
            assert b"/CreationDate (D:20000101000000+00) of file://" in (self.base / "report.pdf").read_bytes()

    def test_everything_twice_gives_the_same_bytes(self) -> None:
        """Also the README; whatever the locale."""
        self.results.mkdir(parents=True)
        for name in ("sessions", "01_sequential", "02_pthread"):
            shutil.copy(MAIN / f"{name}.csv", self.results)
        readme, libraries = self.base / "README.md", self.base / "tools" / "peers" / "README.md"
        readme.write_bytes(README.encode())
        libraries.parent.mkdir(parents=True)
        claims = self.base / FILE
        claims.parent.mkdir(parents=True)
        claims.write_text("page,sentence,key\n")
        libraries.write_bytes(b"# Libraries\r\n<!-- peers:begin --><!-- peers:end -->\r\n")
        words = ("--also", ROOT / "results/reference/xeon_2_cpus", "--texts", self.base)
        self.written(*words)
        first, written = self.files(), readme.stat().st_mtime_ns
        assert "figures/road.svg" in first
        words_of_a_gap = "Not measured: gray kernels of labs 04 and 05 on a GPU: run `make sweep`."
        assert words_of_a_gap in first["appendix.md"].decode()
        assert b"<dc:date>" not in first["figures/road.svg"]
        for name in ("report.md", "appendix.md", "report.html", "figures/road.svg"):
            assert not re.search(rb"[ >(][48]k\b", first[name]), name  # 8K, as a person writes it
        self.written(*words, LC_ALL="C")  # finds all as it should be
        assert (self.files(), readme.stat().st_mtime_ns) == (first, written)
        text, table = readme.read_bytes().decode(), libraries.read_bytes().decode()
        assert text.startswith("# Title\r\n<!-- results:begin -->\r\n")
        assert text.endswith("<!-- results:end -->\r\ntail §\r\n")
        assert " | Xeon, 2 CPUs |" in table
        assert table.endswith("|\r\n\r\n<!-- peers:end -->\r\n")
        for gone in ("old", "\r\r", "| 02_pthread | rows"):
            assert gone not in text
        assert text.count("| 02_pthread | simd_rows, 16 threads | ") == 1
        self.fails(1, "no rows for artefact .* and \\d+ more: ", "--out", self.base / "none", "--complete")
        assert not (self.base / "none").exists()

    def test_rows_without_times(self) -> None:
        write(self.results / "03_cuda_global.csv", [row("03_cuda_global", "naive", "480p", 777, backend="cuda_on_cpu")])
        self.written()
        files = self.files()
        assert [name for name in files if "03_cuda" in name or "_time_" in name] == []
        assert "777" not in files["appendix.md"].decode()

    def test_a_readme_without_markers_is_left(self) -> None:
        for text in ("nothing", README + README, "<!-- results:end --><!-- results:begin -->"):
            with pytest.raises(ReportError, match="R was left as it is: expected one line <!-- results:begin --> and"):
                with_part(Path("R"), text.encode(), "results", "new")
        write(self.results / "a.csv", [row("a", "v", "480p", 1)])
        self.fails(1, "cannot read .*README.md", "--out", self.out, "--texts", self.base)
        assert not self.out.exists()

    def test_without_matplotlib(self) -> None:
        write(self.results / "a.csv", [row("a", "v", "480p", 1)])
        hidden = self.base / "hidden" / "matplotlib"
        hidden.mkdir(parents=True)
        (hidden / "__init__.py").write_text("raise ModuleNotFoundError('', name='matplotlib')")
        self.fails(1, "figures need matplotlib.*python3-matplotlib", "--out", self.out, PYTHONPATH=str(hidden.parent))
