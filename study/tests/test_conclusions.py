# SPDX-License-Identifier: MIT
"""How a published conclusion is judged: its rule on points (rules.txt); by rows, a second run, outputs and counts."""

from pathlib import Path
from typing import Dict, Sequence, Set

import pytest
from fabricate import GPU, Fields, measured, published, row, write_csv
from pandas import DataFrame

from study.reports import conclusions, verdicts
from study.reports.rules import (
    BY_CONSTRUCTION,
    FAILS,
    HOLDS,
    MISSING,
    NUMBERS,
    POINT,
    TIMES,
    UNDECIDED,
    UNTESTED,
    ratios,
)
from tools.plots.files import ReportError
from tools.plots.results import OF_CPU

CASES = Path(__file__).with_name("rules.txt").read_text(encoding="utf-8").splitlines()


def points(text: str) -> DataFrame:
    """The times of a case."""
    words, _, margin = text.partition("%")
    found = []
    for at, word in enumerate(words.split(), 1):
        value, spread = (float(number or 0) for number in word.partition("~")[::2])
        ends = value * (1 - spread), value * (1 + spread)
        found.append((float(at), str(at), value, *ends, float(margin or 0), 1e6, 2e6, ""))
    return DataFrame(found, columns=POINT)


def test_each_rule_on_its_cases() -> None:
    kinds: Dict[str, Set[str]] = {}
    for line in (line for line in CASES if not line.startswith("#")):
        names, first, second, values, said = map(str.strip, line.split("|"))
        kind, _, words = said.partition(": ")
        for name in names.split():
            rule = TIMES[name]
            verdict = rule.tested(points(first), points(second), list(map(float, values.split())))
            assert verdict == (kind, words or verdict[1]), line
            kinds.setdefault(name, set()).add(kind)
    assert set(kinds) == set(TIMES)
    assert [name for name in kinds if name not in NUMBERS and not {HOLDS, FAILS, UNDECIDED} <= kinds[name]] == []


def test_ratios_only_where_both_were_timed() -> None:
    found = ratios(points("1 2 4 %.02"), points("2 2 %.25"))
    assert found[["at", "value", "margin"]].values.tolist() == [[1, 2, OF_CPU], [2, 1, OF_CPU]]


NESTED, FLAT = ("lab=01_sequential variant=nested", "lab=01_sequential variant=flat")
ALONE = [row("01_sequential", "nested", "480p", 2)]
BOTH = dict(id="X", rule="faster", variants=NESTED, variants_other=FLAT)


def judged(
    rows: Sequence[Fields], lines: Sequence[Fields] = (), code: Sequence[Fields] = (), **fields: str
) -> conclusions.Judged:
    results = measured(*rows)
    results.machine_code = DataFrame(code, columns=conclusions.MACHINE_CODE)
    stated = conclusions.Conclusion(**{"report": "ariano2023", "axis": "size", **fields})
    return conclusions.judge([stated], results, DataFrame(lines, columns=["report", "program", "output"]))[0]


def faster(flat: float, low: float = 0, **fields: str) -> conclusions.Judged:
    """Whether the nested image, 2 ms, is faster than the flat one."""
    other = row("01_sequential", "flat", "480p", flat, kernel_ms_p05=str(low or flat))
    return judged([*ALONE, other], **BOTH, **fields)


def test_the_interval_decides() -> None:
    assert faster(3, 1).variants[0] == UNDECIDED
    assert faster(3, 2.9).variants == (HOLDS, "1.50x at 480p")
    assert faster(3).original[0] == UNTESTED
    assert faster(3, untested="it was not run").original == (UNTESTED, "it was not run")
    assert judged(ALONE, **BOTH).variants[0] == MISSING


def test_a_range_of_places() -> None:
    times = (("480p", 4), ("720p", 1.05), ("1080p", 2.25))
    rows = [row("a", "v", size, ms, kernel_ms_p05=str(ms), **GPU) for size, ms in times]
    for value, verdict in (("921600..2073600", HOLDS), ("2073600", FAILS)):
        assert judged(rows, rule="saturates", variants="lab=a variant=v", value=value).variants[0] == verdict


def test_it_must_hold_for_each_size() -> None:
    times = (("480p", "8", 2), ("480p", "14", 1), ("4k", "8", 2), ("4k", "14", 3))
    rows = [row("02_pthread", "rows", size, ms, threads=threads) for size, threads, ms in times]
    best = dict(rule="best_at", axis="threads", variants="lab=02_pthread variant=rows", each="size", value="14")
    verdict, words = judged(rows, **best).variants
    assert verdict == FAILS
    assert "at 1 of 2 sizes; 4k: 3.00 ms" in words


def test_a_time_with_its_copies_has_an_interval_of_its_own() -> None:
    """It once was the kernel's, stretched."""
    times = {"kernel_ms_median_low": "0.5", "kernel_ms_median_high": "1.9", "total_ms_median": "2", **GPU}
    asked = dict(variants="lab=08_heat_map variant=v1 time=total", variants_other="lab=08_heat_map variant=cpu")
    for high, verdict in (("2.1", HOLDS), ("3.5", UNDECIDED)):
        ends = {"total_ms_median_low": "1.9", "total_ms_median_high": high}
        rows = [row("08_heat_map", "cpu", "4k", 3), row("08_heat_map", "v1", "4k", 1, **times, **ends)]
        assert judged(rows, rule="faster", **asked).variants[0] == verdict


def test_a_job_that_is_not_supported() -> None:
    rows = [row("05_cuda_shared", "two_batch", "480p", 1, block="8", status="unsupported", reason="144 cells")]
    variants = "lab=05_cuda_shared variant=two_batch block=8"
    assert judged(rows, rule="refused", variants=variants).variants == (HOLDS, "144 cells")
    assert judged(rows, rule="time_grows", variants=variants).variants == (FAILS, "unsupported: 144 cells")
    timed = [row("05_cuda_shared", "two_batch", "480p", 1, block="8")]
    assert judged(timed, rule="refused", variants=variants).variants[0] == FAILS


def test_what_a_second_run_says_of_the_verdicts() -> None:
    (words,) = verdicts.second_run([faster(3)] * 4, [faster(3), faster(1), faster(3, 1), judged(ALONE, **BOTH)])
    said = (
        "can decide 3 of the verdicts on our variants. The same verdict: 1; the opposite, and so undecided in this report: 1 "
        "(X); undecided in one of the two runs: 1 (X)."
    )
    assert said in words
    assert verdicts.second_run([faster(3)], []) == []


def test_what_the_second_run_reverses_is_undecided() -> None:
    """A31 once held, and the second run said the opposite."""
    first, slower, near = (conclusions.Judgements([faster(flat)]) for flat in (3, 1, 2))
    (reversed_,) = conclusions.agreed(first, slower)
    assert reversed_.variants[0] == UNDECIDED
    assert "1.50x at 480p: holds; in the second run" in reversed_.variants[1]
    for again in (first, near, conclusions.Judgements([])):
        assert conclusions.agreed(first, again)[0].variants == first[0].variants


def test_what_no_times_decide() -> None:
    rows = [row("02_pthread", "rows", "480p", 1)]
    for variant, output, kinds in (
        ("rows", "shifted", [BY_CONSTRUCTION, FAILS]),
        ("grid", "right", [MISSING, HOLDS]),
        ("rows", "not checked", [BY_CONSTRUCTION, UNTESTED]),
    ):
        lines = [{"report": "ariano2023", "program": "global", "output": output}]
        found = judged(rows, lines, rule="outputs_right", variants=f"lab=02_pthread variant={variant}")
        assert [found.variants[0], found.original[0]] == kinds, (variant, output)
    wrong = judged([{**rows[0], "status": "failed"}], rule="outputs_right", variants="lab=02_pthread variant=rows")
    assert wrong.variants == (FAILS, "1 of 1 differ")
    stores = (("v1", "51"), ("v2", "17"))
    code = [{"lab": "09_noise_map", "variant": name, "stores_global": count} for name, count in stores]
    v1, v2 = (f"lab=09_noise_map variant={name}" for name in ("v1", "v2"))
    for first, other, counts, verdict in (
        (v2, v1, code, (HOLDS, "17 stores against 51 stores")),
        (v1, v2, code, (FAILS, "51 stores against 17 stores")),
        (v1, v2, (), (MISSING, "")),
    ):
        assert judged(rows, code=counts, rule="fewer_stores", variants=first, variants_other=other).variants == verdict
    for threshold, kind in (("20", HOLDS), ("0", FAILS)):
        mean, none = (f"filter={name} threshold={threshold}" for name in ("box ksize=3", "none"))
        assert judged(rows, rule="fewer_changes", variants=mean, variants_other=none).variants[0] == kind


@pytest.mark.parametrize(
    "fields, words",
    [
        (dict(rule="wins"), "no rule 'wins'"),
        (dict(rule="faster", axis="colour"), "no rule 'faster' on an axis 'colour'"),
        ({}, "neither a rule"),
        (dict(rule="faster", axis="size", value="x"), "column value holds 'x'"),
        (
            dict(rule="faster", axis="size", variants="lab=a"),
            "two selectors are compared, and column variants or variants_other is",
        ),
        (dict(rule="faster", axis="size"), "column untested holds ''"),
        (
            dict(rule="faster", axis="size", original="program=x", original_other="program=y", untested="y"),
            "column untested holds 'y'",
        ),
    ],
)
def test_mistakes_in_the_file(tmp_path: Path, fields: Fields, words: str) -> None:
    write_csv(tmp_path / "c.csv", conclusions.COLUMNS, [fields])
    with pytest.raises(ReportError, match=f"c.csv, line 2: {words}"):
        conclusions.read_conclusions(tmp_path / "c.csv", published())
