# SPDX-License-Identifier: MIT
"""The artefacts of the reports: what tables show of a few made-up rows; and `make report` fails if an artefact has no rows."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from report.make.paper.content import Section
from report.make.paper.measurements.keyed import Sources
from report.make.paper.measurements.machine import Results
from report.make.paper.reports.artefacts import Artefact, check_complete, make_all
from report.make.paper.reports.conclusions import Conclusion, Judged
from report.make.paper.reports.rules import HOLDS, MISSING
from report.make.plots.files import ReportError
from report.make.plots.words import Table
from tests.paper.fabricate import DATA, GPU, ROOT, Fields, measured, published, row

pytestmark = pytest.mark.long

FILE = DATA / "artefacts.ini"


def made(results: Results, path: Any = FILE) -> dict[str, Artefact]:
    """The artefacts, "chisci2024 Figure 8", of these results."""
    every = make_all(path, results, published(), Sources(ROOT, results))
    return {one.at: one for one in every}


def section(name: str, *rows: Fields) -> Section:
    """An artefact of a few made-up rows."""
    return made(measured(*rows))[name].section


def tables(name: str, *rows: Fields) -> list[Table]:
    return [item for item in section(name, *rows).items if isinstance(item, Table)]


def test_a_table_of_two_columns() -> None:
    """The variant, the original, and the published numbers of ariano2023's Table 10."""
    rows = [row("05_cuda_shared", "two_batch", "4k", ms, block=block, **GPU) for block, ms in (("16", 3), ("32", 2))]
    ours, original, theirs = tables("ariano2023 Table 10", *rows)
    assert (ours.header, ours.rows) == (["B", "4k"], [["16", "3.00"], ["32", "2.00"]])
    assert ["16", "0.191"] in [line[:2] for line in original.rows]
    assert ["16", "0.94"] in [[line[0], line[-1][:4]] for line in theirs.rows]


def test_speed_ups_over_the_first_series_and_the_best_of_several() -> None:
    names = (
        "03_cuda_global padded",
        "04_cuda_constant padded",
        "05_cuda_shared input_tile",
        "05_cuda_shared two_batch",
    )
    times = [(name, ms + more, block) for name, ms in zip(names, (8, 4, 2, 1)) for block, more in (("8", 5), ("16", 0))]
    rows = [row(*name.split(), "4k", ms, block=block, **GPU) for name, ms, block in times]
    (table,) = tables("ariano2023 Figure 10", *rows)
    (line,) = table.rows
    assert [cell for cell, title in zip(line, table.header) if " vs " in title] == ["2.00x", "4.00x", "8.00x"]
    assert "8.00 (B 16)" in line


def test_the_speed_up_of_threads_is_over_one_thread_of_the_same_sweep() -> None:
    nested = row("01_sequential", "nested", "480p", 60)
    blocks = [row("02_pthread", "blocks", "480p", 40 / count, block="16", threads=str(count)) for count in (2, 4)]
    assert "rows with one thread" in section("ariano2023 Figure 9", nested, *blocks).missing
    one = row("02_pthread", "rows", "480p", 50, threads="1")
    (table,) = tables("ariano2023 Figure 9", nested, one, *blocks)
    assert [list(line) for line in table.rows] == [["2", "2.50x"], ["4", "5.00x"]]


def test_without_rows_an_artefact_is_missing_and_says_what_it_needs() -> None:
    every = made(measured(row("a", "v", "480p", 1)))
    reports = {"ariano2023": 20, "cazzola2024": 2, "chisci2024": 5, "videostream2021": 17, "delbimbo2024": 7}
    assert Counter(one.specification.report for one in every.values()) == {**reports, "async": 3}
    for name, one in every.items():
        if one.specification["shape"] not in ("text", "versions"):
            assert re.search(r"run `make \w+", one.section.missing), name
            assert one.section.items == []


@pytest.mark.parametrize(
    "text, words",
    [
        ("[chisci2024 Figure 99]\nshape = pie", "chisci2024 Figure 99 has the shape 'pie', known are heat, lines, "),
        ("[chisci2024 Figure 99]\nlike = chisci2024 Figure 98", r"no section \[chisci2024 Figure 98\]"),
        ("[chisci2024 Figure 99]\nshape = text\ntitel = a", "unknown key 'titel'; known are .*title"),
    ],
)
def test_mistakes_in_the_file(tmp_path: Any, text: str, words: str) -> None:
    path = tmp_path / "artefacts.ini"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReportError, match=words):
        made(measured(row("a", "v", "480p", 1)), path=path)


def test_what_has_no_rows_is_named() -> None:
    """An artefact, a verdict, and a sentence of the templates."""
    every = [one for one in made(measured(row("a", "v", "480p", 1))).values() if one.specification.name == "Figure 27"]
    verdict = Judged(Conclusion(id="V10", report="a"), (MISSING, ""), (HOLDS, ""))
    words = (
        "^folder has no rows for artefact videostream2021 Figure 27 .*, verdict V10 .variants.: measure them, or give"
    )
    with pytest.raises(ReportError, match=words):
        check_complete(Path("folder"), every, [verdict])
    with pytest.raises(
        ReportError, match="^report/make/paper/templates: A1 is wrong; A2 is wrong: rewrite the sentence$"
    ):
        check_complete(Path("folder"), [], [], ["A1 is wrong", "A2 is wrong", "A1 is wrong"])
