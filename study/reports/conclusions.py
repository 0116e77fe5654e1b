# SPDX-License-Identifier: MIT
"""The published conclusions (study/data/conclusions.csv), each judged by its rule: by the published numbers first,
then for our variants and for the reports' own programs."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, Iterable, List, Mapping, Sequence, Tuple

from tools.plots.files import NUMBER, ReportError, read_table

from ..figures.content import grouped
from ..measurements.points import PLACES, Asked, Line, ratios, wanted
from ..measurements.published import Published
from ..measurements.results import Results
from .answers import OUTPUTS_RIGHT, RULES, of_code, of_counts, of_originals, of_published, of_rows, of_savings, outputs
from .rules import BY_CONSTRUCTION, FAILS, HOLDS, MISSING, NUMBERS, TIMES, UNDECIDED, UNTESTED, Verdict

COLUMNS = (
    "id report where conclusion rule axis each variants variants_other original original_other published published_other value "
    "untested note why"
).split()
VERDICTS = (HOLDS, BY_CONSTRUCTION, FAILS, UNDECIDED, MISSING, UNTESTED)
BETWEEN = re.compile(r"\.\.|\|")  # in a value: from here to there, or one of several
OURS = {"fewer_stores": of_code, "fewer_changes": of_savings}  # what answers for our variants, if no times do


@dataclass(frozen=True)
class Conclusion:
    """One published conclusion, where it stands, how it is tested, and the numbers of its report."""

    text: Dict[str, str]
    numbers: Sequence[Mapping[str, str]] = ()  # lines of published.csv

    def __getattr__(self, name: str) -> str:
        try:
            return self.text[name]
        except KeyError:
            raise AttributeError(name) from None

    def asked(self, whose: str, lines: Sequence[Line]) -> Asked:
        """The question to our rows, to the program (original), or to the published numbers."""
        first, other = (wanted(self.text[f"{whose}{which}"], self.axis) for which in ("", "_other"))
        return Asked(lines, self.axis, first, other, [float(value) for value in BETWEEN.split(self.value) if value])

    def verdict(self, whose: str, lines: Sequence[Line]) -> Verdict:
        """Over all values of `each`: it holds where it holds for each of them."""
        if not self.rule or not self.text[whose]:
            return UNTESTED, ""
        rule, asked = RULES[self.rule], self.asked(whose, lines)
        if not self.each:
            return rule(asked)
        mine = sorted((line for line in lines if line.fits(asked.first)), key=lambda line: line.pixels)
        values = filter(None, dict.fromkeys(line.fields[self.each] for line in mine))
        found = {value: rule(asked.at(self.each, value)) for value in values}
        kinds = [kind for kind, _ in found.values() if kind != MISSING]
        if not kinds:
            return MISSING, ""
        whole = next((kind for kind in (FAILS, UNDECIDED) if kind in kinds), HOLDS)
        shown = next(f"{value}: {words}" for value, (kind, words) in found.items() if kind == whole)
        return whole, f"at {kinds.count(HOLDS)} of {len(kinds)} sizes; {shown}"


@dataclass(frozen=True)
class Judged:
    """A conclusion with its verdicts: of our rows, of the program, of the published numbers."""

    conclusion: Conclusion
    variants: Verdict
    original: Verdict
    published: Verdict = (UNTESTED, "")


class Judgements(List[Judged]):
    """The verdicts; apart from them the `numbers` that a report states of its machine."""

    def __init__(self, every: Iterable[Judged]):
        every = list(every)
        super().__init__(one for one in every if one.conclusion.rule not in NUMBERS)
        self.numbers = [one for one in every if one.conclusion.rule in NUMBERS]


def _check(where: str, fields: Mapping[str, str]) -> None:
    """An error if a line names a rule, an axis or a value that does not exist, or says nothing why it has none."""
    if fields["rule"] and (fields["rule"] not in (*RULES, OUTPUTS_RIGHT) or fields["axis"] not in PLACES):
        raise ReportError(f"{where}: no rule '{fields['rule']}' on an axis '{fields['axis']}'")
    if fields["value"] and not all(map(NUMBER.fullmatch, BETWEEN.split(fields["value"]))):
        raise ReportError(f"{where}: column value holds '{fields['value']}', expected a number, or several: 14|16")
    if not fields["rule"] and not fields["note"]:
        raise ReportError(f"{where}: neither a rule nor a note why it cannot be tested")
    for whose in ("variants", "original", "published"):
        rule = TIMES.get(fields["rule"])
        if rule and rule.quantity.two and bool(fields[whose]) != bool(fields[f"{whose}_other"]):
            raise ReportError(f"{where}: two selectors are compared, and column {whose} or {whose}_other is empty")
    if bool(fields["untested"]) != (fields["rule"] not in ("", OUTPUTS_RIGHT) and not fields["original"]):
        raise ReportError(
            f"{where}: column untested holds '{fields['untested']}', expected why the report's program is not asked, where "
            "there is a rule and no selector in column original"
        )


def read_conclusions(path: Path, published: Published) -> List[Conclusion]:
    """Reads the file."""
    lines = read_table(path, COLUMNS)
    for where, fields in lines:
        _check(where, fields)
    numbers = grouped(published.values, lambda line: line["report"])
    return [Conclusion(fields, numbers.get(fields["report"], ())) for _, fields in lines]


def _of_published(one: Conclusion) -> Tuple[Conclusion, Verdict]:
    """The verdict of the report's own numbers, and the conclusion by which the others are judged: two times that the
    report calls similar say how far apart similar times are."""
    lines = of_counts(one.numbers) if one.rule == "fewer_changes" else of_published(one.numbers)
    if one.rule != "similar" or not one.published:
        return one, one.verdict("published", lines)
    asked = one.asked("published", lines)
    limit = max(
        max(point.value, 1 / point.value) for point in ratios(asked.points(asked.first), asked.points(asked.other))
    )
    return replace(one, text={**one.text, "value": f"{limit:.3g}"}), (HOLDS, RULES[one.rule](asked)[1])


def judge(conclusions: Sequence[Conclusion], results: Results, originals: Sequence[Mapping[str, str]]) -> Judgements:
    """The verdicts of every conclusion."""
    judged = []
    for stated in conclusions:
        one, published = _of_published(stated)
        lines = [line for line in originals if line["report"] == one.report]
        if one.rule == OUTPUTS_RIGHT:
            variants, original = outputs(one.variants, results, lines)
        else:
            variants = one.verdict(
                "variants", OURS.get(one.rule, of_rows)(results, one.axis, one.variants, one.variants_other)
            )
            original = one.verdict("original", of_originals(lines) if one.original else [])
        judged.append(Judged(one, variants, (UNTESTED, one.untested) if one.untested else original, published))
    return Judgements(judged)


def agreed(judged: Judgements, again: Sequence[Judged]) -> Judgements:
    """The verdicts that the report states: if the second run says the opposite, the verdict on our rows is undecided."""
    other = {one.conclusion.id: one.variants for one in again}

    def stated(one: Judged) -> Judged:
        second = other.get(one.conclusion.id, (UNTESTED, ""))
        if {one.variants[0], second[0]} != {HOLDS, FAILS}:
            return one
        words = f"{one.variants[1]}: {one.variants[0]}; in the second run {second[1]}: {second[0]}"
        return replace(one, variants=(UNDECIDED, words))

    return Judgements(map(stated, [*judged, *judged.numbers]))
