# SPDX-License-Identifier: MIT
"""The committed conclusions: all of them there, and the verdicts of the committed rows."""

import re
from functools import lru_cache
from pathlib import Path

import pytest
from fabricate import DATA, MAIN, ROOT, published, write_csv

from study.measurements.keyed import Sources, filled
from study.measurements.published import COLUMNS, read_values
from study.measurements.results import Results, read_folder
from study.measurements.selectors import wanted
from study.reports import conclusions
from study.reports.conclusions import of_originals, of_published
from study.reports.rules import BY_CONSTRUCTION, FAILS, HOLDS, NUMBERS, STATED, UNDECIDED, along

pytestmark = pytest.mark.long

CONCLUSIONS = conclusions.read_conclusions(DATA / "conclusions.csv", published())


@lru_cache(maxsize=None)
def reference() -> conclusions.Judgements:
    """The verdicts of the committed rows."""
    first, again = (
        conclusions.judge(CONCLUSIONS, Results(read_folder(run)), published().lines)
        for run in (MAIN, MAIN / "second_run")
    )
    return conclusions.agreed(first, again)


def test_no_rule_fails_by_the_numbers_of_its_report() -> None:
    """A10, A11, A24 to A28 and A35 once did: the rules were too strict."""
    found = {one.conclusion.id: one.published[0] for one in reference() if one.conclusion.published}
    assert len(found) >= 42
    assert {"A10", "A11", "A26", "A27"} <= set(found)
    # At 720p two sides of the block are printed with the same time.
    assert {name: kind for name, kind in found.items() if kind != HOLDS} == {"A19": UNDECIDED}


def test_numbers_of_other_machines_are_no_verdicts() -> None:
    numbers = {one.conclusion.id: one for one in reference().numbers}
    assert set(numbers) == {one.id for one in CONCLUSIONS if one.rule in NUMBERS}
    assert {one.published[0] for one in numbers.values()} == {STATED}
    assert "6.13x at 4k" in numbers["A16"].published[1]
    assert not set(numbers) & {one.conclusion.id for one in reference()}


def test_what_does_not_hold_has_its_why() -> None:
    failed = [one for one in reference() if FAILS in (one.variants[0], one.original[0])]
    assert [one.conclusion.id for one in failed if not one.conclusion.why] == []
    texts = [filled(one.conclusion.why, Sources(ROOT)) for one in reference() if "[[" in one.conclusion.why]
    assert len(texts) >= 10
    assert [text for text in texts if "(not measured)" in text] == []


def test_single_verdicts() -> None:
    judged = {one.conclusion.id: one for one in reference()}
    assert judged["H12"].original == (HOLDS, "the program accepts the job; its output: wrong in places")
    assert judged["A03"].variants[0] == BY_CONSTRUCTION
    assert judged["A27"].conclusion.value == f"{0.08 / 0.06:.3g}"  # of the two published times
    for name in ("A13", "A31", "A32", "H13", "D15", "D19"):
        assert judged[name].variants[0] == UNDECIDED, name
    assert "in the second run" in judged["A31"].variants[1]


def test_a_wrong_output_of_a_program_is_said() -> None:
    lines = of_originals(published().lines[published().lines["report"] == "ariano2023"])
    found = along(lines, wanted("program=shared_v2 ksize=5 block=16", "size"), "size")
    assert list(found["name"]) == ["4k", "8k"]
    assert "shifted" in found["remark"].iloc[0]


def test_published_numbers_are_as_precise_as_they_are_printed(tmp_path: Path) -> None:
    line = dict.fromkeys(COLUMNS, "")
    small = {**line, "resolution": "4K", "block_dim": "16x16", "value": "0.94", "unit": "ms"}
    large = {**line, "resolution": "8K", "block_dim": "32x32", "value": "20", "unit": "x"}
    write_csv(tmp_path / "p.csv", COLUMNS, (small, large, {**line, "value": "3", "unit": "count"}))
    lines = of_published(read_values(tmp_path / "p.csv"))
    found = along(lines, {}, "size")[["name", "value", "low", "high"]].round(4).values.tolist()
    assert found == [["4k", 0.94, 0.935, 0.945], ["8k", 0.05, 0.0488, 0.0513]]
    assert list(along(lines, {"baseline": "1"}, "size")["value"]) == [1, 1]
    assert list(along(lines, {"size": "4k"}, "block")["name"]) == ["B 16"]


def test_selectors_name_what_exists() -> None:
    """Our labs and variants, programs of study/data/originals.csv."""
    programs = set(zip(published().lines["report"], published().lines["program"]))
    for one in CONCLUSIONS:
        selectors = [*one.variants.split(" or "), one.variants_other]
        for selector in (one for one in selectors if one.startswith("lab=")):
            fields = wanted(selector, one.axis)
            mains = [path for lab in fields["lab"].split("|") for path in (ROOT / "labs" / lab).glob("main.c*")]
            names = "".join(path.read_text(encoding="utf-8") for path in mains)
            for variant in fields["variant"].split("|"):
                assert re.search(rf"&{variant}\b", names), one.id
        for selector in filter(None, (one.original, one.original_other)):
            assert (one.report, wanted(selector, one.axis)["program"]) in programs, one.id
