# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""`make report` fails where an artefact or a verdict has no rows; `make plots` states it."""

import importlib.util
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from typing import Callable, Dict, List, Tuple

from fabricate import ROOT, cpu_labs, row, write

from study.measurements.csv_file import ReportError
from study.measurements.other_files import read_machine_code
from study.measurements.published import Published, read_published
from study.measurements.rows import Row, read_folder
from study.measurements.selection import Results

DATA = ROOT / "study" / "data"
REFERENCE = ROOT / "results" / "reference" / "h200_16_cpus"


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Complete(unittest.TestCase):
    rows: List[Row]
    code: Dict[Tuple[str, str], Dict[str, str]]
    published: Published

    @classmethod
    def setUpClass(cls) -> None:
        cls.rows, cls.code = read_folder(REFERENCE), read_machine_code(REFERENCE)
        cls.published = read_published(DATA / "published.csv", DATA / "originals.csv")

    def check(
        self,
        kept: Callable[[Row], bool] = lambda row: True,
        code: bool = True,
        verdicts: str = "",
        artefacts_file: Path = DATA / "artefacts.ini",
    ) -> str:
        """The sentence about the committed rows of which some were taken away, on the verdicts whose names begin
        so and the artefacts of their report; empty: nothing is missing."""
        from study.reports import artefacts, complete, conclusions

        results = Results([row for row in self.rows if kept(row)], (), self.code if code else None)
        stated = [one for one in conclusions.read_conclusions(DATA / "conclusions.csv") if one.id.startswith(verdicts)]
        only = stated[0].report if verdicts else ""
        made = artefacts.make_all(artefacts_file, results, self.published, only)
        judged = conclusions.judge(stated, results, self.published.lines)
        try:
            complete.check_complete(Path("folder"), made, judged)
        except ReportError as error:
            return str(error)
        return ""

    def test_the_committed_rows_are_complete(self) -> None:
        self.assertEqual(self.check(), "")

    def test_an_artefact_and_verdicts_without_rows(self) -> None:
        words = self.check(lambda row: (row.lab, row.variant) != ("02_pthread", "grid"), verdicts="A")
        self.assertRegex(
            words,
            r"^folder has no rows for artefacts ariano2023 Figure 5 \(lab 02, grid by threads: run "
            r"`make sweep`\) and ariano2023 Figure 7 \(grid\); verdicts A07 \(ours\), A08 \(ours\), "
            r"A09 \(ours\) and A13 \(ours\): measure them, or say why not in ",
        )

    def test_a_part_of_an_artefact_without_rows(self) -> None:
        words = self.check(lambda row: row.variant != "soa" or row.lab != "04_cuda_constant", verdicts="D1")
        self.assertIn("artefact delbimbo2024 Figure 10 (GPU, constant memory); verdict D17 (ours):", words)
        words = self.check(lambda row: row.lab != "08_heat_map" or row.variant != "v1", verdicts="V01")
        self.assertIn("artefact videostream2021 Figure 3 (no row of ours has a time)", words)

    def test_machine_code(self) -> None:
        words = self.check(code=False, verdicts="V10")
        self.assertIn("videostream2021 Figure 14 (the machine code of noise map v1: run `make sass", words)
        self.assertIn("verdict V10 (ours)", words)

    def test_an_artefact_may_say_why_it_was_not_measured(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "artefacts.ini"
            text = (DATA / "artefacts.ini").read_text(encoding="utf-8")
            path.write_text(
                text.replace(
                    "shows = noise filter: T by K\n", "shows = noise filter: T by K\nnot measured = no camera\n"
                ),
                encoding="utf-8",
            )

            def kept(row: Row) -> bool:
                return row.lab != "10_noise_filter"

            self.assertIn("Figure 27", self.check(kept, verdicts="V14"))
            self.assertNotIn("Figure 27", self.check(kept, verdicts="V14", artefacts_file=path))

    def test_51_artefacts_each_with_a_module(self) -> None:
        from study.reports import artefacts

        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder) / "a.csv", [row("a", "v", "480p", 1)])
            results = Results(read_folder(Path(folder)))
            made = artefacts.make_all(DATA / "artefacts.ini", results, self.published)
            reports = {"ariano2023": 20, "cazzola2024": 2, "chisci2024": 5, "videostream2021": 17, "delbimbo2024": 7}
            self.assertEqual(Counter(one.report for one in made), reports)
            table = artefacts.coverage(made)
            self.assertEqual(sum(int(line[1]) for line in table.rows), 51)
            self.assertIn("[Figure 4](#ariano2023-figure-4): lab 02, rows by threads", table.rows[0][-1])
            path = Path(folder) / "artefacts.ini"
            for text, words in (
                (
                    "[chisci2024 Figure 99]\nshape = pie",
                    "chisci2024 Figure 99 has the shape 'pie', known are heat, lines, ",
                ),
                ("[chisci2024 Figure 99]\ntitle = a", "chisci2024 Figure 99.*expected .* with a key 'shape'"),
                ("[chisci2024 Figure 99]\nlike = chisci2024 Figure 98", r"no section \[chisci2024 Figure 98\]"),
                ("[chisci2024 Figure 99]\nshape = list\ntitel = a", "unknown key 'titel'; known are .*title"),
                ("title = a", "artefacts.ini.*no section headers"),
            ):
                path.write_text(text, encoding="utf-8")
                with self.assertRaisesRegex(ReportError, words):
                    artefacts.make_all(path, results, self.published)

    def test_a_sentence_that_the_rows_contradict(self) -> None:
        from study.reports.complete import check_complete

        with self.assertRaisesRegex(ReportError, "^study/templates: A1 is wrong; A2 is wrong: rewrite the sentence$"):
            check_complete(Path("folder"), [], [], ["A1 is wrong", "A2 is wrong", "A1 is wrong"])

    def test_a_part_of_the_labs_is_refused_with_complete_and_drawn_without(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            cpu_labs(Path(folder) / "rows", ("1080p",))
            command = [sys.executable, str(ROOT / "study"), "--results", "rows", "--out", "out"]
            done = subprocess.run([*command, "--complete"], cwd=folder, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
            self.assertRegex(done.stderr, r"rows has no rows for artefacts .* and \d+ more; verdicts .* and \d+ more: ")
            self.assertFalse((Path(folder) / "out").exists())
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(
                "Not measured: gray kernels of labs 04 and 05 on a GPU: run `make sweep`.",
                (Path(folder) / "out" / "appendix.md").read_text(encoding="utf-8"),
            )


if __name__ == "__main__":
    unittest.main()
