# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The committed report as a reader sees it: its numbers of figures, and its pages."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import List

from fabricate import ROOT

REPORT = ROOT / "report"
PAGE, WIDTH, TOP, BOTTOM, TALLEST = 297, 170, 20, 22, 140  # mm, of page.html.j2
POINT = 25.4 / 72  # mm
DPI = 24


def empty_shares(pdf: Path) -> List[float]:
    """Of each page the part below its last words, without the margins."""
    shares = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["pdftoppm", "-gray", "-r", str(DPI), pdf, f"{folder}/p"], check=True)
        for path in sorted(Path(folder).glob("p-*.pgm")):
            _, width, height, _, pixels = re.split(rb"\s", path.read_bytes(), maxsplit=4)
            columns, rows = int(width), int(height)
            first, end = rows * TOP // PAGE, rows * (PAGE - BOTTOM) // PAGE
            inked = [y for y in range(first, end) if min(pixels[y * columns : (y + 1) * columns]) < 200]
            shares.append((end - 1 - max(inked, default=first)) / (end - first))
    return shares


class Pages(unittest.TestCase):
    def test_figures_are_numbered_in_order_and_the_text_names_each(self) -> None:
        for name, letter, at_least in (("report.md", "", 20), ("appendix.md", "A", 30)):
            text = (REPORT / name).read_text(encoding="utf-8")
            numbers = [int(found) for found in re.findall(rf"^\*Figure {letter}(\d+)\. ", text, re.M)]
            self.assertEqual(numbers, list(range(1, len(numbers) + 1)), name)
            self.assertGreater(len(numbers), at_least, name)
            if not letter:
                before = re.sub(r"^\*Figure .*", "", text, flags=re.M)
                self.assertEqual([one for one in numbers if not re.search(rf"\bFigure {one}\b", before)], [])

    def test_each_table_has_a_number_and_a_caption(self) -> None:
        """The tables had captions without numbers, and two had none."""
        for name, letter in (("report.md", ""), ("appendix.md", "A")):
            text = (REPORT / name).read_text(encoding="utf-8")
            captions = re.findall(rf"^(?:\*|<details><summary>)Table {letter}(\d+)\. .*\n\n(\||)", text, re.M)
            self.assertEqual(captions, [(str(place), "|") for place in range(1, len(captions) + 1)], name)
            self.assertEqual(len(captions), len(re.findall(r"^\|[-:| ]*---", text, re.M)), name)

    def test_text_of_figures_is_at_least_7_points_in_print(self) -> None:
        """Captions once had 6.6 points, and the numbers of a colour bar 5.8."""
        text = "".join((REPORT / name).read_text(encoding="utf-8") for name in ("report.md", "appendix.md"))
        names = re.findall(r"\]\((figures/\w+\.svg)\)\]", text)
        self.assertGreater(len(names), 50)
        for name in names:
            text = (REPORT / name).read_text(encoding="utf-8")
            size = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', text)
            assert size is not None, name
            scale = min(WIDTH / float(size[1]), TALLEST / float(size[2])) / POINT
            smallest = min(map(float, re.findall(r"font(?:-size)?: (?:\w+ )?([\d.]+)px", text)))
            self.assertGreaterEqual(scale * smallest, 7, name)

    @unittest.skipUnless(shutil.which("pdffonts"), "pdffonts is not installed: no font of the PDF is looked at")
    def test_print_has_one_serif_family(self) -> None:
        """Figures have DejaVu Sans, and code has its fixed width."""
        done = subprocess.run(["pdffonts", REPORT / "report.pdf"], check=True, capture_output=True, text=True)
        fonts = {line.split()[0].partition("+")[2].partition("-")[0] for line in done.stdout.splitlines()[2:]}
        self.assertEqual(fonts, {"STIXGeneral", "DejaVuSans", "DejaVuSansMono"})

    def test_page_1_has_authors_date_revision_and_gpus(self) -> None:
        lines = (REPORT / "report.md").read_text(encoding="utf-8").splitlines()
        self.assertRegex(
            lines[2],
            r"^The Convolab authors\. The newest measurement is of \d+ \w+ 20\d\d, revision `\w{7}`\. GPUs: .*H200",
        )

    @unittest.skipUnless(shutil.which("pdftoppm"), "pdftoppm is not installed: no page of the PDF is looked at")
    def test_no_page_but_the_last_is_a_quarter_empty(self) -> None:
        shares = empty_shares(REPORT / "report.pdf")
        self.assertGreater(len(shares), 20)
        self.assertLess(max(shares[:-1]), 0.25, shares)
