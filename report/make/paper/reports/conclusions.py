# SPDX-License-Identifier: MIT
"""The published conclusions (report/make/paper/data/conclusions.csv), each judged by its rule: by the published numbers first,
then for our variants and for the reports' own programs.

What answers are lines: a DataFrame of our rows, of the programs' times, of the published numbers or of counts, with the columns that
selectors name, `ms`, `low`, `high` (a count is a time), `pixels`, `bytes`, `operations`, `remark`, `margin`, `published` and `reason`,
why a job is not supported."""

import re
from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pandas
from pandas import DataFrame, Series

from report.make.plots.files import NUMBER, ROOT, ReportError, read_table
from report.make.plots.results import OF_COPIES, OF_KERNEL
from report.make.plots.words import number, percent

from ..measurements.machine import Results
from ..measurements.published import PIXELS, SIZES, Published
from ..measurements.selectors import matching, selected, wanted
from .rules import (
    BY_CONSTRUCTION,
    FAILS,
    HOLDS,
    MISSING,
    NUMBERS,
    PLACES,
    TIMES,
    UNDECIDED,
    UNTESTED,
    Question,
    Verdict,
    fitting,
    ratios,
    remarks,
)

COLUMNS = (
    "id report where conclusion rule axis each variants variants_other original original_other published published_other value "
    "untested note why"
).split()
VERDICTS = (HOLDS, BY_CONSTRUCTION, FAILS, UNDECIDED, MISSING, UNTESTED)
BETWEEN = re.compile(r"\.\.|\|")  # in a value: from here to there, or one of several
SAVINGS = ROOT / "labs/10_noise_filter/savings.csv"
MACHINE_CODE = ("lab", "variant", "compiler", "arch", "instructions", "loads_global", "stores_global", "revision")
PLAIN = dict(bytes=0.0, operations=0.0, remark="", margin=0.0, reason="", pixels=0, published=False)  # of a line


def of_rows(results: Results, axis: str, *selectors: str) -> DataFrame:
    """Our rows that fit one of the selectors, all of the protocol or all of a sweep as far as it has them; the time with
    copies is another line."""
    chosen = Series(False, index=results.every.index)
    for selector in filter(None, selectors):
        fields = wanted(selector, axis)
        chosen |= matching(results.every, {name: fields[name] for name in fields if name != "time"})
    rows = results.of_one_run(chosen)
    reason = rows["reason"].where(rows["status"] == "unsupported", "")
    alone = rows.assign(time="", remark="", published=False, reason=reason)
    apart = rows["timed"] & ~rows["with_copies"] & (rows["backend"] != "cpu")
    copied = dict(ms="total_ms", low="total_low", high="total_high")
    total = alone.assign(
        time="total",
        margin=rows["margin"].where(~apart, OF_COPIES),
        **{name: rows[name].where(~apart, rows[of]) for name, of in copied.items()},
        **{name: rows[name].where(~apart, 0) for name in ("bytes", "operations")},
    )
    return pandas.concat([alone, total])


def of_originals(lines: DataFrame) -> DataFrame:
    """The times of a report's own program on the GPU: its mean, from its shortest time to as far above it."""
    lines = lines[lines["where"] == "H200"]
    mean, samples = lines["mean_us"] / 1e3, lines["pixels"] * lines["channels"]
    low = lines["min_us"].fillna(lines["mean_us"]) / 1e3
    remark = ("its output: " + lines["output"]).where(lines["output"] != "right", "")
    floats = lines["report"].isin(["cazzola2024", "chisci2024"])
    amounts = dict(bytes=samples * (2 + 6 * floats), operations=2 * samples * lines["ksize"] ** 2)
    times = dict(ms=mean, low=low, high=2 * mean - low)
    return lines.assign(remark=remark, margin=OF_KERNEL, reason="", published=False, **amounts, **times)


def of_published(values: DataFrame) -> DataFrame:
    """The published numbers that are compared, each from half a unit of its last digit below it to as far above. A speed-up
    is a time where that of its baseline is 1 ms, and `baseline=1` is that baseline; a rate is the time of 1 MB or 1 Gflop."""
    values = values[values["unit"].isin(["ms", "x", "GB/s", "TFLOP/s"])]
    exact = (values["width"].astype(str) + "x" + values["height"].astype(str)).map(SIZES)
    size = exact.where(exact.notna(), values["size"])
    half = 10.0 ** -values["text"].str.partition(".")[2].str.len() / 2
    ends = dict(ms=values["value"], low=values["value"] - half, high=values["value"] + half)
    is_time = values["unit"] == "ms"
    inverse = dict(ms=1 / ends["ms"], low=1 / ends["high"], high=1 / ends["low"])
    lines = values.assign(
        **{**PLAIN, "bytes": 1e6, "operations": 1e9, "published": True},
        **{name: ends[name].where(is_time, inverse[name]) for name in ends},
    ).assign(
        size=size.where(size.isin(list(PIXELS)), ""),
        pixels=size.map(PIXELS).fillna(0).astype(int),
        block_threads=values["threads"],
        baseline="",
    )
    return pandas.concat([lines, lines.assign(baseline="1", ms=1.0, low=1.0, high=1.0)])


def _counts(lines: DataFrame, values: Series, words: Iterable[str]) -> DataFrame:
    """Numbers that are no times, as lines, and how they are written."""
    return lines.assign(
        **{**PLAIN, "remark": list(words)}, **dict.fromkeys(("ms", "low", "high"), values.astype(float))
    )


def read_machine_code(folder: Path) -> DataFrame:
    """The counts of `make sass` (machine_code.csv); none without the file."""
    path = folder / "machine_code.csv"
    lines = read_table(path, MACHINE_CODE) if path.exists() else []
    return DataFrame([fields for _, fields in lines], columns=MACHINE_CODE)


def of_code(results: Results, axis: str, *selectors: str) -> DataFrame:
    """The store instructions in the machine code of our variants."""
    code = DataFrame(columns=MACHINE_CODE) if results.machine_code is None else results.machine_code
    return _counts(code, code["stores_global"], code["stores_global"] + " stores")


def of_savings(results: Results, axis: str, *selectors: str) -> DataFrame:
    """The share of pixels that lab 10 counts as changed in a still, noisy scene."""
    lines = DataFrame([fields for _, fields in read_table(SAVINGS, ("changed_pixels",))])
    lines = lines[lines["video"].str.startswith("static")]
    share = lines["changed_pixels"].astype(float)
    return _counts(lines, share, share.map(percent) + " of the pixels")


OURS = {"fewer_stores": of_code, "fewer_changes": of_savings}  # what answers for our variants, if no times do


def unsupported(asked: Question) -> Verdict:
    """The variant does not support the job; of a program: its output is wrong."""
    points = asked.points(asked.first)
    if asked.reason:
        return HOLDS, asked.reason
    if len(points) and (points["remark"] != "").all():
        return HOLDS, "the program accepts the job" + remarks(points)
    return (FAILS, f"takes {number(points['value'].iloc[0])} ms") if len(points) else (MISSING, "")


def fewer(asked: Question, none: bool = False) -> Verdict:
    """The first has fewer store instructions in its machine code; none: with the filter no pixel of a still, noisy scene
    changes beyond the threshold, without it some do."""
    both = pandas.concat([fitting(asked.lines, selector).head(1) for selector in (asked.first, asked.other)])
    if len(both) < 2:
        return MISSING, ""
    less, more = both["ms"]
    return (HOLDS if less < more and not (none and less) else FAILS), " against ".join(both["remark"])


def outputs(variants: str, results: Results, lines: DataFrame) -> tuple[Verdict, Verdict]:
    """Whether all outputs that were compared are right, of the variants (by construction: `make bench` times no wrong one) and of
    the original."""
    chosen = Series(False, index=results.rows.index)
    for selector in variants.split(" or "):
        chosen |= matching(results.rows, selected(selector))
    compared = results.rows[chosen & results.rows["status"].isin(["ok", "failed"])]
    failed = int((compared["status"] == "failed").sum())
    right = BY_CONSTRUCTION, f"{len(compared)} configurations give the reference's bytes"
    ours = (FAILS, f"{failed} of {len(compared)} differ") if failed else right if len(compared) else (MISSING, "")
    checked = lines[lines["output"] != "not checked"]
    bad = checked[checked["output"] != "right"]
    wrong = "; ".join(dict.fromkeys(bad["program"] + ": " + bad["output"]))
    return ours, ((FAILS if wrong else HOLDS, wrong) if len(checked) else (UNTESTED, ""))


OUTPUTS_RIGHT = "outputs_right"  # a rule of two answers: outputs()
RULES: dict[str, Callable[[Question], Verdict]] = {
    **TIMES,
    "refused": unsupported,
    "fewer_stores": fewer,
    "fewer_changes": partial(fewer, none=True),
}


Conclusion = namedtuple("Conclusion", [*COLUMNS, "numbers"], defaults=["" for _ in COLUMNS] + [None])


def question(conclusion: Conclusion, whose: str, lines: DataFrame) -> Question:
    """What our rows (variants), the program (original) or the published numbers are asked."""
    first, other = (wanted(getattr(conclusion, name), conclusion.axis) for name in (whose, f"{whose}_other"))
    return Question(
        lines, conclusion.axis, first, other, [float(value) for value in BETWEEN.split(conclusion.value) if value]
    )


def verdict(conclusion: Conclusion, whose: str, lines: DataFrame) -> Verdict:
    """Over all values of `each`: it holds where it holds for each of them."""
    if not conclusion.rule or not getattr(conclusion, whose):
        return UNTESTED, ""
    rule, asked = RULES[conclusion.rule], question(conclusion, whose, lines)
    if not conclusion.each:
        return rule(asked)
    values = fitting(lines, asked.first).sort_values("pixels", kind="stable")[conclusion.each].unique()
    verdicts = {}
    for value in filter(None, values):
        first, other = ({**fields, conclusion.each: str(value)} for fields in (asked.first, asked.other))
        verdicts[value] = rule(asked._replace(first=first, other=other))
    kinds = [kind for kind, _ in verdicts.values() if kind != MISSING]
    if not kinds:
        return MISSING, ""
    whole = next((kind for kind in (FAILS, UNDECIDED) if kind in kinds), HOLDS)
    shown = next(f"{value}: {words}" for value, (kind, words) in verdicts.items() if kind == whole)
    return whole, f"at {kinds.count(HOLDS)} of {len(kinds)} sizes; {shown}"


@dataclass(frozen=True)
class Judged:
    """A conclusion with its verdicts: of our rows, of the program, of the published numbers."""

    conclusion: Conclusion
    variants: Verdict
    original: Verdict
    published: Verdict = (UNTESTED, "")


class Judgements(list[Judged]):
    """The verdicts; apart from them the `numbers` that a report states of its machine."""

    def __init__(self, every: Iterable[Judged]):
        every = list(every)
        super().__init__(judgement for judgement in every if judgement.conclusion.rule not in NUMBERS)
        self.numbers = [judgement for judgement in every if judgement.conclusion.rule in NUMBERS]


def _check(where: str, conclusion: Conclusion) -> None:
    """An error if a line names a rule, an axis or a value that does not exist, or says nothing why it has none."""
    if conclusion.rule and (conclusion.rule not in (*RULES, OUTPUTS_RIGHT) or conclusion.axis not in PLACES):
        raise ReportError(f"{where}: no rule '{conclusion.rule}' on an axis '{conclusion.axis}'")
    if conclusion.value and not all(map(NUMBER.fullmatch, BETWEEN.split(conclusion.value))):
        raise ReportError(f"{where}: column value holds '{conclusion.value}', expected a number, or several: 14|16")
    if not conclusion.rule and not conclusion.note:
        raise ReportError(f"{where}: neither a rule nor a note why it cannot be tested")
    if bool(conclusion.untested) != (conclusion.rule not in ("", OUTPUTS_RIGHT) and not conclusion.original):
        raise ReportError(
            f"{where}: column untested holds '{conclusion.untested}', expected why the report's program is not asked, where "
            "there is a rule and no selector in column original"
        )


def read_conclusions(path: Path, published: Published) -> list[Conclusion]:
    """Reads the file."""
    conclusions = []
    for where, fields in read_table(path, COLUMNS):
        conclusion = Conclusion(*(fields[name] for name in COLUMNS))
        _check(where, conclusion)
        conclusions.append(
            conclusion._replace(numbers=published.values[published.values["report"] == conclusion.report])
        )
    return conclusions


def _of_published(conclusion: Conclusion) -> tuple[Conclusion, Verdict]:
    """The verdict of the report's own numbers, and the conclusion by which the others are judged: two times that the
    report calls similar say how far apart similar times are."""
    if not conclusion.published:
        return conclusion, (UNTESTED, "")
    counted = conclusion.numbers[conclusion.numbers["unit"] == "count"]
    counts = _counts(counted, counted["value"], counted["text"] + " pixels")
    lines = counts if conclusion.rule == "fewer_changes" else of_published(conclusion.numbers)
    if conclusion.rule != "similar":
        return conclusion, verdict(conclusion, "published", lines)
    asked = question(conclusion, "published", lines)
    apart = ratios(asked.points(asked.first), asked.points(asked.other))["value"]
    limit = max(apart.max(), (1 / apart).max())
    return conclusion._replace(value=f"{limit:.3g}"), (HOLDS, RULES[conclusion.rule](asked)[1])


def judge(conclusions: Sequence[Conclusion], results: Results, originals: DataFrame) -> Judgements:
    """The verdicts of every conclusion."""
    judged = []
    for stated in conclusions:
        conclusion, published = _of_published(stated)
        lines = originals[originals["report"] == conclusion.report]
        if conclusion.rule == OUTPUTS_RIGHT:
            variants, original = outputs(conclusion.variants, results, lines)
        else:
            ours = OURS.get(conclusion.rule, of_rows)(
                results, conclusion.axis, conclusion.variants, conclusion.variants_other
            )
            variants = verdict(conclusion, "variants", ours)
            original = verdict(conclusion, "original", of_originals(lines)) if conclusion.original else (UNTESTED, "")
        judged.append(
            Judged(
                conclusion, variants, (UNTESTED, conclusion.untested) if conclusion.untested else original, published
            )
        )
    return Judgements(judged)


def agreed(judged: Judgements, again: Sequence[Judged]) -> Judgements:
    """The verdicts that the report states: if the other run says the opposite, the verdict on our rows is undecided."""
    other = {judgement.conclusion.id: judgement.variants for judgement in again}

    def stated(judgement: Judged) -> Judged:
        second = other.get(judgement.conclusion.id, (UNTESTED, ""))
        if {judgement.variants[0], second[0]} != {HOLDS, FAILS}:
            return judgement
        words = f"{judgement.variants[1]}: {judgement.variants[0]}; in another run {second[1]}: {second[0]}"
        return replace(judgement, variants=(UNDECIDED, words))

    return Judgements(map(stated, [*judged, *judged.numbers]))
