# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The numbers in the committed texts: each is what the rows say, and none is written by hand."""

import re
import subprocess
import sys
import unittest
from collections import Counter
from pathlib import Path
from typing import Dict, Iterator, Tuple

from fabricate import ROOT, draw_scene

from study.html_page import slug
from study.measurements.claims import ALONE, cells_of, found_in
from study.readmes import claims_below

REFERENCE = ROOT / "results" / "reference" / "h200_16_cpus"
# A time, rate or ratio that was measured. 16 x 16 threads, "K times" and "2 times as many" are none.
MEASURED = re.compile(
    r"\d[\d.,]*\s?(?:ms|us|µs|ns|[GT]B/s|[GT]FLOP/s|fps)\b|\d[\d.]* ?(?:x|times) (?:as (?!many)|faster|slower)"
    r"|\d[\d.]* ?% (?:faster|slower|of the (?:time|speed|bandwidth))"
)
UNIT = re.compile(r"\b(ms|us|ns|GB/s|speed-up|times|share)\b")  # in the title of a column
# Numbers of a specification, and of a report's own slides, which study/data/defects.csv quotes.
SPECIFIED = ("PCI Express 4.0 x16 carries 63 GB/s", "the same kernel alone takes 4.332 ms there")


def markdown() -> Iterator[Tuple[str, str]]:
    """The committed Markdown files but the report: name, text."""
    listed = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    for name in listed or [str(path.relative_to(ROOT)) for path in ROOT.glob("labs/*/README.md")]:
        if not name.startswith("report/") and (ROOT / name).exists():
            yield name, (ROOT / name).read_text(encoding="utf-8")


def beside(table: Path) -> Dict[Path, bytes]:
    """The texts that this claims.csv is for."""
    return {page: page.read_bytes() for page in sorted(table.parent.glob("*.md"))}


def texts_of(pages: Dict[Path, bytes]) -> Dict[Path, str]:
    return {page: data.decode() for page, data in pages.items()}


class Committed(unittest.TestCase):
    def test_every_number_below_a_unit_in_the_table_of_variants_has_a_line(self) -> None:
        """A column without a line of claims.csv would be left as it is, for ever."""
        for table in sorted(ROOT.glob("labs/*/claims.csv")):
            texts = texts_of(beside(table))
            claims = {(claim.page, claim.start) for claim in found_in(table, texts)}
            for cell in cells_of(texts):
                if UNIT.search(cell.column):
                    numbers = [(cell.page, cell.start + one.start()) for one in ALONE.finditer(cell.text)]
                    self.assertLessEqual(set(numbers), claims, f"{cell.page}, '{cell.column}' of '{cell.variant}'")

    def test_a_section_has_at_most_five_numbers_outside_of_its_tables(self) -> None:
        """Sections once had 28: nobody reads them, and a table shows them better."""
        for table in claims_below(ROOT):
            texts = texts_of(beside(table))
            counts: Counter[Tuple[Path, int]] = Counter()
            for claim in found_in(table, texts):
                text = texts[claim.page]
                if not text[text.rfind("\n", 0, claim.start) + 1 :].startswith("|"):
                    counts[claim.page, text.rfind("\n#", 0, claim.start)] += 1
            self.assertEqual({at: count for at, count in counts.items() if count > 5}, {})

    def test_no_measured_number_is_written_by_hand(self) -> None:
        """Outside of generated parts, claims.csv and code."""
        claims = [claim for table in claims_below(ROOT) for claim in found_in(table, texts_of(beside(table)))]
        for name, text in markdown():
            for claim in reversed([claim for claim in claims if claim.page == ROOT / name]):
                text = text[: claim.start] + text[claim.stop :]
            for pattern in (
                r"<!-- (\w+):begin -->.*?<!-- \1:end -->",
                r"^```.*?^```",
                r"^ {4,}.*?$",
                r"`[^`\n]+`",
                r"^\*\*Goal\.\*\*.*?^$",
            ):  # the last: of an exercise
                text = re.sub(pattern, lambda part: "\n" * part[0].count("\n"), text, flags=re.S | re.M)
            for words in SPECIFIED:
                text = re.sub(r"\s+".join(map(re.escape, words.split())), "", text)
            hand = MEASURED.search(text)
            self.assertIsNone(
                hand,
                f"{name}, line {text[: hand.start()].count(chr(10)) + 1 if hand else 0}: name its row in "
                "claims.csv (study/measurements/claims.py)",
            )

    def test_no_comment_in_a_sentence_and_no_long_line(self) -> None:
        """Of the READMEs with measurements; tables, code and the marks of generated parts excepted."""
        for name, text in markdown():
            if not name.startswith(("README", "labs/", "results/")):
                continue
            text = re.sub(r"^```.*?^```", lambda part: "\n" * part[0].count("\n"), text, flags=re.S | re.M)
            for number, line in enumerate(text.split("\n"), 1):
                where = f"{name}, line {number}"
                self.assertTrue("<!--" not in line or re.fullmatch(r"<!-- \w+:(begin|end) -->", line), where)
                if not line.startswith(("|", "    ", "!", "<")):
                    self.assertLessEqual(len(line), 140, where)

    def test_links_into_the_report_lead_to_a_heading(self) -> None:
        found = 0
        for name, text in markdown():
            for path, heading in re.findall(r"\]\(([^)#\s]*report/(?:report|appendix)\.md)#?([^)]*)\)", text):
                there = ((ROOT / name).parent / path).read_text(encoding="utf-8")
                headings = [*map(slug, re.findall("^#+ (.+)$", there, re.M)), *re.findall('<a id="(.+?)">', there), ""]
                self.assertIn(heading, headings, name)
                found += 1
        self.assertGreater(found, 5)

    def test_no_measured_number_in_a_comment(self) -> None:
        listed = subprocess.run(
            ["git", "ls-files", "labs", "common"], cwd=ROOT, check=False, capture_output=True, text=True
        ).stdout.splitlines()
        for name in listed:
            if name.endswith((".cu", ".cuh", ".cpp", ".hpp")):
                for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
                    comment = line.partition("//")[2]
                    if "always 0 ms" not in comment:
                        self.assertNotRegex(comment, MEASURED, name)

    def test_the_texts_are_those_of_the_rows(self) -> None:
        """What `make report` would write into report.md and the READMEs is what is committed."""
        draw_scene()
        words = "--out report --readme README.md --texts . --check --complete"
        arguments = ["--results", REFERENCE, *words.split()]
        for folder in sorted((ROOT / "results" / "reference").glob("*/")):
            if folder.is_dir() and folder != REFERENCE:
                arguments += ["--also", folder.relative_to(ROOT)]
        done = subprocess.run(
            [sys.executable, ROOT / "study", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
