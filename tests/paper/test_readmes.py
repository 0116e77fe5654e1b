# SPDX-License-Identifier: MIT
"""The numbers in the committed texts: each is what the rows say, and none is written by hand."""

import re
import subprocess
import sys
import unittest
from collections.abc import Iterator

import pytest

from report.make.paper.measurements.claims import ALONE, FILE, cells_of, found_in, read_claims
from tests.paper.fabricate import MAIN, ROOT, also, draw_scene

pytestmark = pytest.mark.long

# A time, rate or ratio that was measured. 16 x 16 threads, "K times" and "2 times as many" are none.
# Nor is the result of arithmetic that stands there.
MEASURED = re.compile(
    r"(?<!= )(?<![\d.,])(?:\d[\d.,]*\s?(?:ms|us|µs|ns|[GT]B/s|[GT]FLOP/s|fps)\b|\d[\d.]* ?(?:x|times) (?:as (?!many)|faster|slower)"
    r"|\d[\d.]* ?% (?:faster|slower|of the (?:time|speed|bandwidth)))"
)
UNIT = re.compile(r"\b(ms|us|ns|GB/s|speed-up|times|share)\b")  # in the title of a column
# Numbers of a specification, and of a report's own slides, which report/make/paper/data/defects.csv quotes.
SPECIFIED = ("PCI Express 4.0 x16 carries 63 GB/s", "the same kernel alone takes 4.332 ms there")


def listed(*what: str) -> list[str]:
    """The committed files; none without git."""
    command = ["git", "ls-files", *what]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
    return [name for name in names if (ROOT / name).exists()]


def markdown() -> Iterator[tuple[str, str]]:
    """The committed Markdown files but the report: name, text."""
    names = listed("*.md") or [str(path.relative_to(ROOT)) for path in ROOT.glob("labs/*/README.md")]
    for name in (name for name in names if not re.fullmatch(r"report/\w+\.md", name)):
        yield name, (ROOT / name).read_text(encoding="utf-8")


class Committed(unittest.TestCase):
    def test_every_number_below_a_unit_in_the_table_of_variants_has_a_line(self) -> None:
        """A column without a line of claims.csv would be left as it is, for ever."""
        claims = read_claims(ROOT)
        for page in sorted(ROOT.glob("labs/*/*.md")):
            text = page.read_text(encoding="utf-8")
            starts = {claim.start for claim in found_in(claims.get(page, []), text)}
            for cell in cells_of(text):
                if UNIT.search(cell.column):
                    numbers = {cell.start + number.start() for number in ALONE.finditer(cell.text)}
                    assert numbers <= starts, f"{page}, '{cell.column}' of '{cell.variant}'"

    def test_no_measured_number_is_written_by_hand(self) -> None:
        """Outside of generated parts, claims.csv and code."""
        claims = read_claims(ROOT)
        assert len(claims) > 12
        for name, text in markdown():
            for claim in reversed(found_in(claims.get(ROOT / name, []), text)):
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
            where = f"{name}, line {text[: hand.start()].count(chr(10)) + 1 if hand else 0}"
            assert hand is None, f"{where}: name its row in {FILE} (report/make/paper/measurements/claims.py)"

    def test_the_texts_are_those_of_the_rows(self) -> None:
        """What `make report` would write into report.md and the READMEs is what is committed."""
        draw_scene()
        arguments = ["--results", MAIN, *"--out report --texts . --check --complete".split(), *also()]
        done = subprocess.run(
            [sys.executable, ROOT / "report/make/paper", *arguments],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
