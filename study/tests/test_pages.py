# SPDX-License-Identifier: MIT
"""The committed report as a reader sees it: its numbers of figures, and its pages."""

import re
import subprocess
import tempfile
from pathlib import Path
from typing import List

from fabricate import ROOT

REPORT = ROOT / "report"
TEXT, APPENDIX = ((REPORT / f"{name}.md").read_text(encoding="utf-8") for name in ("report", "appendix"))
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


def test_figures_are_numbered_in_order_and_the_text_names_each() -> None:
    for text, letter, at_least in ((TEXT, "", 20), (APPENDIX, "A", 30)):
        numbers = [int(found) for found in re.findall(rf"^\*Figure {letter}(\d+)\. ", text, re.M)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) > at_least
        found = re.findall(
            r"\(figures/(\w+)\.svg\)\n\n\*Figure A?\d+\. .* `(\w+)`\*\n", text
        )  # the names for make figure
        assert [name for file, name in found if file.replace("_figure_", "_") != name] == []
        assert len(found) == text.count(".svg)](figures/")
    before = re.sub(r"^\*Figure .*", "", TEXT, flags=re.M)
    named = {int(found) for found in re.findall(r"\bFigures? (\d+)\b", before)}
    assert set(range(1, TEXT.count("](figures/") // 2 + 1)) - named == set()


def test_each_table_has_a_number_and_a_caption() -> None:
    """The tables had captions without numbers, and two had none."""
    for text, letter in ((TEXT, ""), (APPENDIX, "A")):
        captions = re.findall(rf"^(?:\*|<details><summary>)Table {letter}(\d+)\. .*\n\n(\||)", text, re.M)
        assert captions == [(str(place), "|") for place in range(1, len(captions) + 1)]
        assert len(captions) == len(re.findall(r"^\|[-:| ]*---", text, re.M))


def test_text_of_figures_is_at_least_7_points_in_print() -> None:
    """Captions once had 6.6 points, and the numbers of a colour bar 5.8."""
    names = re.findall(r"\]\((figures/\w+\.svg)\)\]", TEXT + APPENDIX)
    assert len(names) > 50
    for name in names:
        text = (REPORT / name).read_text(encoding="utf-8")
        size = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', text)
        assert size is not None, name
        scale = min(WIDTH / float(size[1]), TALLEST / float(size[2])) / POINT
        smallest = min(map(float, re.findall(r"font(?:-size)?: (?:\w+ )?([\d.]+)px", text)))
        assert scale * smallest >= 7, name


def test_print_has_one_serif_family() -> None:
    """Figures have DejaVu Sans, and code has its fixed width."""
    done = subprocess.run(["pdffonts", REPORT / "report.pdf"], check=True, capture_output=True, text=True)
    fonts = {line.split()[0].partition("+")[2].partition("-")[0] for line in done.stdout.splitlines()[2:]}
    assert fonts == {"STIXGeneral", "DejaVuSans", "DejaVuSansMono"}


def test_page_1_has_authors_date_revision_and_gpus() -> None:
    line = r"\nThe Convolab authors\. The newest measurement is of \d+ \w+ 20\d\d, revision `\w{7}`\. GPUs: .*H200"
    assert re.search(line, TEXT[:1000])


def test_captions_are_short() -> None:
    """They once had up to 90 words."""
    captions = re.findall(r"^\*([^*]+)\*$|<summary>(.+)</summary>", TEXT + APPENDIX, re.M)
    assert len(captions) > 100
    for caption in map("".join, captions):
        assert len(re.sub(r"^(Figure|Table) A?\d+\. | `\w+`$", "", caption).split()) <= 31, caption


def test_the_report_has_about_thirty_pages_without_comments() -> None:
    """A number at the beginning of a line once began a list: "593. It is ..."."""
    numbers = re.findall(r"^(\d+)\. ", TEXT, re.M)
    assert numbers == [str(place) for place in range(1, len(numbers) + 1)]
    assert not re.search(r"(?m)^[+>] |<!--|\(not measured|^Not measured", TEXT)
    assert "<!--" not in APPENDIX
    assert (len(TEXT.split()) < 12000, len(APPENDIX.split()) < 20000) == (True, True)
    assert TEXT.count("](figures/") // 2 <= 35


def test_no_page_but_the_last_is_a_quarter_empty() -> None:
    shares = empty_shares(REPORT / "report.pdf")
    assert len(shares) > 20
    assert max(shares[:-1]) < 0.25, shares
