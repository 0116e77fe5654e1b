# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The program as it is called: files, exit codes, the README, the same bytes twice."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path
from typing import Dict

from fabricate import ROOT, cpu_labs, cuda_labs, row, write

CHROMIUM = """#!/bin/sh
for word; do case $word in --print-to-pdf=*) out=${word#*=} ;; esac; done
printf 'PDF /CreationDate (D:20261121231714+00) of %s' "$word" > "$out"
"""
HAVE_MATPLOTLIB = all(map(importlib.util.find_spec, ("matplotlib", "jinja2", "markdown")))
needs_matplotlib = unittest.skipUnless(
    HAVE_MATPLOTLIB, "matplotlib is not installed for this Python: figures cannot be tested"
)
README = "# Title\r\n<!-- results:begin -->\r\nold\r\n<!-- results:end -->\r\ntail §\r\n"


class Plots(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.base = Path(holder.name) / "a folder"
        self.results = self.base / "results"
        self.out = self.base / "report"

    def plots(self, *arguments: object, **environment: str) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, str(ROOT / "study"), "--results", str(self.results), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
            encoding="utf-8",
            cwd=str(self.base.parent),
            env={**os.environ, **environment},
        )
        self.assertNotIn("Traceback", done.stderr)
        return done

    def refused(self, code: int, words: str, *arguments: object) -> None:
        done = self.plots(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertRegex(done.stderr, words)
        if code == 1:
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def files(self) -> Dict[str, bytes]:
        return {str(path.relative_to(self.out)): path.read_bytes() for path in self.out.rglob("*") if path.is_file()}

    def test_usage(self) -> None:
        self.results.mkdir(parents=True)
        self.refused(2, "usage", "--nonsense")
        self.refused(2, "required: --out")

    @unittest.skipUnless(shutil.which("pdftotext"), "pdftotext is not installed (poppler-utils)")
    def test_the_committed_pdf_has_whole_tables_and_about_thirty_pages(self) -> None:
        """Chromium cuts off what is wider than a page."""
        words = subprocess.run(
            ["pdftotext", "-layout", ROOT / "report/report.pdf", "-"], check=True, capture_output=True, text=True
        ).stdout
        claims = words[words.rindex("Twenty claims") : words.rindex("From the first program to the fastest kernel")]
        self.assertEqual(
            len(re.findall(r"^ ?[ACDHV]\d\d  .*\b(?:holds|not hold|baseline|undecided)", claims, re.M)), 20
        )
        self.assertLessEqual(words.count("\f"), 34)

    def test_pdf(self) -> None:
        from study.measurements.csv_file import ReportError
        from study.pdf import make_pdf

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

    def test_mistakes_are_one_sentence(self) -> None:
        self.refused(1, "no folder", "--out", self.out)
        self.results.mkdir(parents=True)
        self.refused(1, "no measurements", "--out", self.out)
        write(self.results / "a.csv", [row("a", "v", "480p", 1), row("a", "v", "480p", 1, machine="m2")])
        self.refused(1, 'm2; toy.*ARGS="--machine m2"', "--out", self.out)
        self.refused(1, "machine m3", "--out", self.out, "--machine", "m3")
        self.assertFalse(self.out.exists())

    @needs_matplotlib
    def test_everything_twice_gives_the_same_bytes(self) -> None:
        from study.html_page import slug

        cpu_labs(self.results, ("1080p", "4k", "8k"))
        self.assertEqual(self.plots("--out", self.out).returncode, 0)
        first = self.files()
        self.assertIn("figures/ariano2023_table_4.svg", first)
        for name in ("report", "appendix"):
            text = first[f"{name}.md"].decode()
            for link in [part.split(")")[0] for part in text.split("](")[1:]]:
                file, _, heading = link.partition("#")
                if file != "../results/reference/README.md":
                    self.assertIn(file or f"{name}.md", first, "a link leads nowhere")
                if heading:
                    there = first[file or f"{name}.md"].decode()
                    self.assertIn(
                        heading,
                        [*map(slug, re.findall("^##+ (.+)$", there, re.M)), *re.findall('<a id="(.+?)">', there)],
                    )
            self.assertNotIn("{{", text)
            self.one_page(name, first)
        self.assertNotIn(b"<dc:date>", first["figures/ariano2023_figure_7.svg"])
        self.out = self.base / "again"
        self.assertEqual(self.plots("--out", self.out, LC_ALL="C").returncode, 0)
        self.assertEqual(first, self.files())

    def one_page(self, name: str, files: Dict[str, bytes]) -> None:
        """A page has its figures inside, every link leads to an anchor or the other page, nothing is asked for."""
        page = files[f"{name}.html"].decode()
        self.assertNotRegex(
            page, r"src=(?!\"data:)|href=(?!\"data:|\"#|\"(report|appendix)\.html|\"\.\./results/reference/README\.md)"
        )
        self.assertNotIn("<script", page)
        self.assertNotIn("@@", page)
        self.assertEqual(page.count("data:image/svg+xml;base64,"), files[f"{name}.md"].count(b".svg)](figures/"))
        for anchor in re.findall(r"href=\"#([^\"]+)\"", page):
            self.assertIn(f'id="{anchor}"', page)

    @needs_matplotlib
    def test_cuda_labs(self) -> None:
        cpu_labs(self.results)
        cuda_labs(self.results, device="NVIDIA H200")
        for lab, *parts in (
            ("03_cuda_global",),
            ("04_cuda_constant", "generality", "originals"),
            ("06_async_streams",),
        ):
            (self.base / "labs" / lab).mkdir(parents=True)
            (self.base / "labs" / lab / "README.md").write_text(
                README + "".join(f"<!-- {part}:begin -->old one<!-- {part}:end -->\nend\n" for part in parts)
            )
        done = self.plots("--out", self.out, "--labs", self.base / "labs")
        self.assertEqual(done.returncode, 0, done.stderr)
        files = self.files()
        for name in (
            "ariano2023_table_10",
            "ariano2023_figure_10",
            "ariano2023_figure_11",
            "ariano2023_figure_13",
            "cazzola2024_figure_5",
            "cazzola2024_figure_6_bytes",
            "chisci2024_table_1",
            "chisci2024_figure_7",
            "chisci2024_figure_10",
            "delbimbo2024_by_size",
            "delbimbo2024_by_side",
            "delbimbo2024_figure_11",
            "videostream2021_figure_18",
            "road",
            "pays",
            "roofline_NVIDIA_H200_toy",
            "roofline_Toy_CPU_2_cores_toy",
        ):
            self.assertIn(f"figures/{name}.svg", files)
        text = files["appendix.md"].decode()
        missing = [line for line in text.splitlines() if line.startswith("Not measured: lab")]
        scene = "lab 08, a moving scene: run `make bench`."
        self.assertEqual(
            missing,
            [
                f"Not measured: {what}"
                for what in (
                    scene,
                    "lab 08, v3 by the threads of its block, on a GPU, and its copies: run `make sweep`.",
                    scene,
                    scene,
                    scene.replace("08", "09"),
                    "lab 11, MPI.",
                )
            ],
        )
        self.assertRegex(text, r"\| 8 \| .*0\.756x")
        self.own_programs(files, done.stdout)

    def own_programs(self, files: Dict[str, bytes], printed: str) -> None:
        """A section of the report, lines in the tables of artefacts, a part of a lab's README."""
        self.assertIn("03_cuda_global/README.md: no line <!-- originals:begin -->", printed)
        self.assertIn("03_cuda_global/README.md: no line <!-- generality:begin -->", printed)
        self.assertNotIn("06_async_streams/README.md", printed)
        text = (self.base / "labs" / "04_cuda_constant" / "README.md").read_text()
        self.assertNotIn("old one", text)
        self.assertRegex(
            text, r"generality:begin -->\s+Not measured with one revision of this lab.\s+<!-- generality:end"
        )
        self.assertRegex(
            text,
            r"originals:begin -->\s+In the median our variant takes [\d.]+ times [\s\S]*? Compared: \d+ of 66\sconfigurations",
        )
        self.assertIn("| chisci2024 const | gray | right | 9 of 30 |", text)
        self.assertNotIn("<details>", text)
        self.assertIn(
            "chisci2024 const | right | 8192x8192 | 5 | 16 | 1.04 | 1.35 | 1.30 |", files["appendix.md"].decode()
        )
        self.assertTrue(text.endswith("<!-- originals:end -->\nend\n"))
        self.assertIn("The reports' own programs compared with ours", files["appendix.md"].decode())
        for cells in ("original | – | – | – | – | 0.191", "plain ms | original ms |", "|  | original | 1050, "):
            self.assertIn(cells, files["appendix.md"].decode())

    @needs_matplotlib
    def test_rows_without_times(self) -> None:
        write(self.results / "03_cuda_global.csv", [row("03_cuda_global", "naive", "480p", 777, backend="cuda_on_cpu")])
        self.assertEqual(self.plots("--out", self.out).returncode, 0)
        files = self.files()
        self.assertEqual([name for name in files if "03_cuda" in name or "_time_" in name], [])
        self.assertIn("checked, not timed", files["appendix.md"].decode())
        self.assertNotIn("777", files["appendix.md"].decode())

    @needs_matplotlib
    def test_readme(self) -> None:
        cpu_labs(self.results, ("1080p", "4k"))
        peers = ROOT / "results" / "reference" / "xeon_2_cpus"
        readme = self.base / "README.md"
        readme.write_bytes(README.encode())
        libraries = self.base / "tools" / "peers" / "README.md"
        libraries.parent.mkdir(parents=True)
        libraries.write_bytes(b"# Libraries\r\n<!-- peers:begin --><!-- peers:end -->\r\n")
        for _ in range(2):
            self.assertEqual(
                self.plots("--out", self.out, "--readme", readme, "--also", peers, "--texts", self.base).returncode, 0
            )
            text = readme.read_bytes().decode()
            self.assertTrue(text.startswith("# Title\r\n<!-- results:begin -->\r\n"))
            self.assertTrue(text.endswith("<!-- results:end -->\r\ntail §\r\n"))
            table = libraries.read_bytes().decode()
            self.assertIn(" | Xeon, 2 CPUs |", table)
            self.assertTrue(table.endswith("|\r\n\r\n<!-- peers:end -->\r\n"))
            self.assertNotIn("old", text)
            self.assertNotIn("\r\r", text)
            self.assertEqual(text.count("| 02_pthread | simd_rows, 16 threads | "), 1)
            self.assertNotIn("| 02_pthread | rows", text)
            self.assertIn("(report/report.md)", text)
            first = readme.stat().st_mtime_ns
        # the second run found it as it should be
        self.assertEqual(first, readme.stat().st_mtime_ns)

    @needs_matplotlib
    def test_each_lab_gets_its_own_table(self) -> None:
        """A lab's README holds its rows and no other's; a lab without a README is left out."""
        cpu_labs(self.results)
        for lab in ("01_sequential", "02_pthread"):
            (self.base / "labs" / lab).mkdir(parents=True)
        readme = self.base / "labs" / "02_pthread" / "README.md"
        readme.write_bytes(README.encode())
        self.assertEqual(self.plots("--out", self.out, "--labs", self.base / "labs").returncode, 0)
        text = readme.read_bytes().decode()
        self.assertIn("| rows 16 threads", text)
        self.assertNotIn("| nested |", text)
        self.assertEqual(list((self.base / "labs" / "01_sequential").iterdir()), [])

    def test_half_a_part_of_a_readme_is_refused(self) -> None:
        cuda_labs(self.results)
        readme = self.base / "labs" / "04_cuda_constant" / "README.md"
        readme.parent.mkdir(parents=True)
        readme.write_text(README + "<!-- originals:begin -->")
        self.refused(
            1,
            "left as it is: expected one line <!-- originals:begin -->",
            "--out",
            self.out,
            "--labs",
            self.base / "labs",
        )
        self.assertFalse(self.out.exists())

    def test_readme_without_markers_is_left(self) -> None:
        write(self.results / "a.csv", [row("a", "v", "480p", 1)])
        readme = self.base / "README.md"
        for text in ("nothing", README + README, "<!-- results:end --><!-- results:begin -->"):
            readme.write_bytes(text.encode())
            self.refused(1, "left as it is", "--out", self.out, "--readme", readme)
            self.assertEqual(readme.read_bytes(), text.encode())
        self.assertFalse(self.out.exists())
        self.refused(1, "cannot read", "--out", self.out, "--readme", self.base / "none.md")

    @needs_matplotlib
    def test_folder_that_cannot_be_written(self) -> None:
        write(self.results / "a.csv", [row("a", "v", "480p", 1)])
        self.out.write_text("a file, not a folder")
        self.refused(1, "cannot write", "--out", self.out)
        self.assertEqual(self.out.read_text(), "a file, not a folder")
        self.refused(1, "cannot write", "--out", "/dev/full/report")

    @needs_matplotlib
    def test_names_cannot_leave_the_folder(self) -> None:
        from study.figures.content import Figure, Section
        from study.output import give_file_names

        figures = [Figure(name, "", lambda: None) for name in ("../../escape", "a b", "a_b")]
        give_file_names([Section("", list(figures))])
        self.assertEqual([figure.name for figure in figures], ["_escape", "a_b", "a_b_2"])

    def test_without_matplotlib(self) -> None:
        write(self.results / "a.csv", [row("a", "v", "480p", 1)])
        hidden = self.base / "hidden" / "matplotlib"
        hidden.mkdir(parents=True)
        (hidden / "__init__.py").write_text("raise ImportError('hidden', name='matplotlib')")
        environment = {"PYTHONPATH": str(hidden.parent)}
        done = self.plots("--out", self.out, **environment)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
        self.assertIn("python3-matplotlib", done.stderr)


if __name__ == "__main__":
    unittest.main()
