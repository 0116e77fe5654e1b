# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""`make report` fails where an artefact or a verdict has no rows; without --complete the report states it."""

from pathlib import Path
from typing import Callable

import pytest
from fabricate import DATA, MAIN, Program, cpu_labs, published
from test_artefacts import FILE, made

from study.measurements.other_files import read_machine_code
from study.measurements.rows import Row, read_folder
from study.measurements.selection import Results
from study.reports import conclusions
from study.reports.complete import check_complete
from tools.plots.files import ReportError


def missing(
    kept: Callable[[Row], bool] = lambda row: True, code: bool = True, verdicts: str = "", path: Path = FILE
) -> str:
    """The sentence about the committed rows of which some were taken away, on the verdicts whose names begin so and the
    artefacts of their report; empty: nothing is missing."""
    results = Results(list(filter(kept, read_folder(MAIN))), (), read_machine_code(MAIN) if code else None)
    stated = [
        one
        for one in conclusions.read_conclusions(DATA / "conclusions.csv", published())
        if one.id.startswith(verdicts)
    ]
    every = list(made(results, stated[0].report if verdicts else "", path).values())
    try:
        check_complete(Path("folder"), every, conclusions.judge(stated, results, published().lines))
    except ReportError as error:
        return str(error)
    return ""


def test_what_has_no_rows_is_named() -> None:
    words = missing(lambda row: (row.lab, row.variant) != ("02_pthread", "grid"), verdicts="A")
    begin = (
        "folder has no rows for artefacts ariano2023 Figure 5 (lab 02, grid by threads: run `make sweep`) and ariano2023 "
        "Figure 7 (grid); verdicts A07 (ours), A08 (ours), A09 (ours) and A13 (ours): measure them, or say why not in "
    )
    assert words[: len(begin)] == begin
    words = missing(lambda row: row.variant != "soa" or row.lab != "04_cuda_constant", verdicts="D1")
    assert "artefact delbimbo2024 Figure 10 (GPU, constant memory); verdict D17 (ours):" in words
    words = missing(lambda row: row.lab != "08_heat_map" or row.variant != "v1", verdicts="V01")
    assert "artefact videostream2021 Figure 3 (no variant has a time)" in words
    assert "verdict V10 (ours)" in missing(code=False, verdicts="V10")


def test_an_artefact_may_say_why_it_was_not_measured(tmp_path: Path) -> None:
    path, shows = tmp_path / "artefacts.ini", "shows = noise filter: T by K\n"
    text = FILE.read_text(encoding="utf-8")
    path.write_text(text.replace(shows, f"{shows}not measured = no camera\n"), encoding="utf-8")
    assert "Figure 27" in missing(lambda row: row.lab != "10_noise_filter", verdicts="V14")
    assert "Figure 27" not in missing(lambda row: row.lab != "10_noise_filter", verdicts="V14", path=path)


def test_a_sentence_that_the_rows_contradict() -> None:
    with pytest.raises(ReportError, match="^study/templates: A1 is wrong; A2 is wrong: rewrite the sentence$"):
        check_complete(Path("folder"), [], [], ["A1 is wrong", "A2 is wrong", "A1 is wrong"])


class Complete(Program):
    def test_a_part_of_the_labs_is_refused_with_complete_and_drawn_without(self) -> None:
        cpu_labs(self.results, ("1080p",))
        words = "no rows for artefacts .* and \\d+ more; verdicts .* and \\d+ more: "
        self.refused(1, words, "--out", self.out, "--complete")
        self.assertFalse(self.out.exists())
        self.written()
        words = "Not measured: gray kernels of labs 04 and 05 on a GPU: run `make sweep`."
        self.assertIn(words, self.files()["appendix.md"].decode())
