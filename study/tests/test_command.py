# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The program as it is called: files, exit codes, the README, one figure, the same bytes twice."""

import os
import re
import shutil
import subprocess
import unittest
import unittest.mock
from typing import Dict

from fabricate import MAIN, README, ROOT, Program, cpu_labs, row, write

from study.html_page import slug
from study.pdf import make_pdf
from tools.plots.files import ReportError

CHROMIUM = """#!/bin/sh
for word; do case $word in --print-to-pdf=*) out=${word#*=} ;; esac; done
printf 'PDF /CreationDate (D:20261121231714+00) of %s' "$word" > "$out"
"""


class Command(Program):
    def test_mistakes_are_one_sentence(self) -> None:
        self.refused(1, "no folder", "--out", self.out)
        self.results.mkdir(parents=True)
        self.refused(2, "usage", "--nonsense")
        self.refused(2, "required: --out")
        self.refused(1, "no measurements", "--out", self.out)
        write(self.results / "a.csv", [row("a", "v", "480p", 1), row("a", "v", "480p", 1, machine="m2")])
        self.refused(1, 'm2; toy.*ARGS="--machine m2"', "--out", self.out)
        self.refused(1, "machine m3", "--out", self.out, "--machine", "m3")
        self.assertFalse(self.out.exists())

    def test_one_figure_by_the_name_in_its_caption(self) -> None:
        """Without verdicts and the other figures; the report's captions name all of them."""
        for name, file in (("road", "road.svg"), ("ariano2023_10", "ariano2023_figure_10.svg")):
            done = self.study("figure", name, "--results", MAIN, "--out", self.out)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(self.files()[file], (ROOT / "report" / "figures" / file).read_bytes())
        done = self.study("figure", "nothing", "--results", MAIN, "--out", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no figure is named 'nothing': its name stands at the end of its caption", done.stderr)
        for text in ("report", "appendix"):
            words = (ROOT / "report" / f"{text}.md").read_text(encoding="utf-8")
            pattern = r"\(figures/(\w+)\.svg\)\n\n\*Figure A?\d+\. .* `(\w+)`\*\n"
            found = re.findall(pattern, words)
            self.assertEqual(len(found), words.count(".svg)](figures/"))
            self.assertEqual([name for file, name in found if file.replace("_figure_", "_") != name], [])

    @unittest.skipUnless(shutil.which("pdftotext"), "pdftotext is not installed (poppler-utils)")
    def test_the_committed_pdf_has_whole_tables_and_about_thirty_pages(self) -> None:
        """Chromium cuts off what is wider than a page."""
        command = ["pdftotext", "-layout", ROOT / "report/report.pdf", "-"]
        words = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        claims = words[words.rindex("Twenty claims") : words.rindex("From the first program to the fastest kernel")]
        verdicts = r"^ ?[ACDHV]\d\d  .*\b(?:holds|not hold|baseline|undecided)"
        self.assertEqual(len(re.findall(verdicts, claims, re.M)), 20)
        self.assertLessEqual(words.count("\f"), 34)

    def test_pdf(self) -> None:
        programs, page = self.base / "bin", self.base / "report.html"
        programs.mkdir(parents=True)
        page.write_text("<p>a</p>", encoding="utf-8")
        chromium = programs / "chromium"
        with unittest.mock.patch.dict(os.environ, PATH=str(programs)):
            self.assertIn("no Chromium is installed", make_pdf(page))
            self.assertFalse((self.base / "report.pdf").exists())
        with unittest.mock.patch.dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}"):
            chromium.write_text(CHROMIUM, encoding="utf-8")
            chromium.chmod(0o755)
            self.assertIn("report.pdf: 0.0 MB", make_pdf(page))
            self.assertIn(b"/CreationDate (D:20000101000000+00) of file://", (self.base / "report.pdf").read_bytes())
            chromium.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
            with self.assertRaisesRegex(ReportError, "chromium could not print"):
                make_pdf(page)

    def test_everything_twice_gives_the_same_bytes(self) -> None:
        cpu_labs(self.results, ("1080p", "4k", "8k"))
        self.written()
        first = self.files()
        self.assertIn("figures/ariano2023_table_4.svg", first)
        for name in ("report", "appendix"):
            text = first[f"{name}.md"].decode()
            for link in [part.split(")")[0] for part in text.split("](")[1:]]:
                file, _, heading = link.partition("#")
                if file.startswith("../"):  # of these rows, or of the repository
                    self.assertTrue((self.out / file).exists() or (ROOT / "report" / file).exists(), link)
                else:
                    self.assertIn(file or f"{name}.md", first, "a link leads nowhere")
                if heading:
                    there = first[file or f"{name}.md"].decode()
                    anchors = map(slug, re.findall("^##+ (.+)$", there, re.M))
                    self.assertIn(heading, [*anchors, *re.findall('<a id="(.+?)">', there)])
            self.assertNotIn("{{", text)
            self.one_page(name, first)
        self.assertNotIn(b"<dc:date>", first["figures/ariano2023_figure_7.svg"])
        self.out = self.base / "again"
        self.written(LC_ALL="C")
        self.assertEqual(first, self.files())

    def one_page(self, name: str, files: Dict[str, bytes]) -> None:
        """A page has its figures inside, every link leads to an anchor, the other page or a file here, nothing is asked for."""
        page = files[f"{name}.html"].decode()
        links = r"href=(?!\"data:|\"#|\"(report|appendix)\.html|\"\.\./)"
        for pattern in (r"src=(?!\"data:)", links, "<script", "@@"):
            self.assertNotRegex(page, pattern)
        self.assertEqual(page.count("data:image/svg+xml;base64,"), files[f"{name}.md"].count(b".svg)](figures/"))
        for anchor in re.findall(r"href=\"#([^\"]+)\"", page):
            self.assertIn(f'id="{anchor}"', page)

    def test_rows_without_times(self) -> None:
        write(self.results / "03_cuda_global.csv", [row("03_cuda_global", "naive", "480p", 777, backend="cuda_on_cpu")])
        self.written()
        files = self.files()
        self.assertEqual([name for name in files if "03_cuda" in name or "_time_" in name], [])
        self.assertIn("checked, not timed", files["appendix.md"].decode())
        self.assertNotIn("777", files["appendix.md"].decode())

    def test_readme(self) -> None:
        cpu_labs(self.results, ("1080p", "4k"))
        readme, libraries = self.base / "README.md", self.base / "tools" / "peers" / "README.md"
        readme.write_bytes(README.encode())
        libraries.parent.mkdir(parents=True)
        libraries.write_bytes(b"# Libraries\r\n<!-- peers:begin --><!-- peers:end -->\r\n")
        peers = ROOT / "results" / "reference" / "xeon_2_cpus"
        changed = []
        for _ in range(2):  # the second finds it as it should be
            self.written("--readme", readme, "--also", peers, "--texts", self.base)
            changed.append(readme.stat().st_mtime_ns)
            text, table = readme.read_bytes().decode(), libraries.read_bytes().decode()
            self.assertTrue(text.startswith("# Title\r\n<!-- results:begin -->\r\n"))
            self.assertTrue(text.endswith("<!-- results:end -->\r\ntail §\r\n"))
            self.assertIn(" | Xeon, 2 CPUs |", table)
            self.assertTrue(table.endswith("|\r\n\r\n<!-- peers:end -->\r\n"))
            for gone in ("old", "\r\r", "| 02_pthread | rows"):
                self.assertNotIn(gone, text)
            self.assertEqual(text.count("| 02_pthread | simd_rows, 16 threads | "), 1)
            self.assertIn("|\r\n\r\nwords\r\n\r\n<!--", text)
        self.assertEqual(changed[0], changed[1])
