# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The published conclusions (study/data/conclusions.csv), each judged by its rule: by the published numbers first,
then for our variants and for the reports' own programs."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable, Dict, Iterable, List, Mapping, Sequence, Tuple

from ..figures.content import number
from ..measurements.csv_file import NUMBER, ReportError, read_table
from ..measurements.points import AXES, Point, of_one_run, of_originals, of_published, of_rows, ratios, wanted
from ..measurements.published import COLUMNS as PUBLISHED_COLUMNS
from ..measurements.rows import Row
from ..measurements.selection import Results
from .other_rules import OTHER_RULES
from .rules import (
    BY_CONSTRUCTION,
    FAILS,
    HOLDS,
    MISSING,
    NUMBERS,
    OF_ENDS,
    OF_TWO,
    RULES,
    STATED,
    UNDECIDED,
    UNTESTED,
    Verdict,
)

COLUMNS = (
    "id",
    "report",
    "where",
    "conclusion",
    "rule",
    "axis",
    "each",
    "ours",
    "ours_other",
    "original",
    "original_other",
    "published",
    "published_other",
    "value",
    "untested",
    "note",
    "why",
)
REFUSED = "refused"  # the job cannot be done
BETWEEN = ".."  # in a value: anywhere from here to there
VERDICTS = (HOLDS, BY_CONSTRUCTION, FAILS, UNDECIDED, MISSING, UNTESTED)
PREFERRED = (HOLDS, UNDECIDED, FAILS, MISSING, STATED)  # of the verdicts on several places that a conclusion names
TWO, ENDS, OF_NUMBERS = (tuple(rule.__name__ for rule in rules) for rules in (OF_TWO, OF_ENDS, NUMBERS))
Find = Callable[[Mapping[str, str], str], Tuple[List[Point], List[Row]]]


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


@dataclass(frozen=True)
class Judged:
    """A conclusion with its verdicts: of our rows, of the program, of the published numbers."""

    conclusion: Conclusion
    ours: Verdict
    original: Verdict
    published: Verdict = (UNTESTED, "")


class Judgements(List[Judged]):
    """The verdicts; apart from them the `numbers` that a report states of its own machine."""

    def __init__(self, every: Iterable[Judged]):
        every = list(every)
        super().__init__(one for one in every if one.conclusion.rule not in OF_NUMBERS)
        self.numbers = [one for one in every if one.conclusion.rule in OF_NUMBERS]


def read_conclusions(path: Path) -> List[Conclusion]:
    """Reads the file, and published.csv beside it; a rule, an axis or a value that does not exist is an error."""
    found = []
    for where, fields in read_table(path, COLUMNS):
        if fields["rule"] and (fields["rule"] not in (*RULES, REFUSED, *OTHER_RULES) or fields["axis"] not in AXES):
            raise ReportError(f"{where}: no rule '{fields['rule']}' on an axis '{fields['axis']}'")
        values = fields["value"].split(BETWEEN if fields["rule"] == "saturates" else "|")
        if fields["value"] and not all(map(NUMBER.fullmatch, values)):
            raise ReportError(f"{where}: column value holds '{fields['value']}', expected a number, or several: 14|16")
        if not fields["rule"] and not fields["note"]:
            raise ReportError(f"{where}: neither a rule nor a note why it cannot be tested")
        if bool(fields["untested"]) != (
            bool(fields["rule"]) and not fields["original"] and fields["rule"] != "outputs_right"
        ):
            raise ReportError(
                f"{where}: column untested holds '{fields['untested']}', expected why the report's program is not asked, where "
                "there is a rule and no selector in column original"
            )
        found.append(Conclusion(fields))
    numbers = [fields for _, fields in read_table(path.with_name("published.csv"), PUBLISHED_COLUMNS)]
    return [replace(one, numbers=[line for line in numbers if line["report"] == one.report]) for one in found]


def _remarks(points: Sequence[Point]) -> str:
    return "".join(f"; {remark}" for remark in dict.fromkeys(point.remark for point in points) if remark)


def _against(first: Mapping[str, str], second: Mapping[str, str]) -> str:
    """ "05 input_tile against 03 padded: ", from the fields of two selectors: what they name, and in what else they differ."""
    labs = first.get("lab", "") != second.get("lab", "")
    names = [
        " ".join(
            [fields.get("lab", "")[:2]] * labs
            + [
                "its baseline"
                if "baseline" in fields
                else fields.get("variant") or fields.get("program") or fields.get("table", "")
            ]
        )
        for fields in (first, second)
    ]
    also = [
        name
        for name in {**first, **second}
        if name not in ("lab", "variant", "program", "time", "table", "metric", "baseline")
        and first.get(name) != second.get(name)
        and (name == "threads" or names[0] == names[1])
    ]
    words = [
        " ".join([named, *(f"with {name} {fields[name]}" for name in also if name in fields)])
        for named, fields in zip(names, (first, second))
    ]
    copies = ", copies included" * ("total" in (first.get("time"), second.get("time")))
    return f"{' against '.join(words)}{copies}: ".replace("|", " or ")


def _once(one: Conclusion, find: Find, first: str, second: str, group: Dict[str, str]) -> Verdict:
    points, others = find({**wanted(first, one.axis), **group}, one.axis)
    if one.rule == REFUSED:
        refused = [row for row in others if row.status == "unsupported"]
        if not refused and points and all(point.remark for point in points):
            return HOLDS, "it is not refused" + _remarks(points)
        return (
            (HOLDS, refused[0].reason)
            if refused
            else (MISSING, "")
            if not points
            else (FAILS, f"takes {number(points[0].value)} ms")
        )
    if not points:
        refused = [row for row in others if row.status == "unsupported"]
        if refused:
            return FAILS, f"refused: {refused[0].reason}"
        return MISSING, ""
    against: Sequence[Point] = ()
    if one.rule in TWO:
        against = find({**wanted(second, one.axis), **group}, one.axis)[0]
        points = [point for point in points if point.at in {there.at for there in against}]
        if not points:
            return MISSING, "no place on the axis where both were timed"
    if one.rule in ENDS and len(points) < 2:
        return MISSING, f"timed at {points[0].name} only"
    names = _against(wanted(first, one.axis), wanted(second, one.axis)) if one.rule in TWO else ""
    if BETWEEN in one.value:
        kind, words = RULES[one.rule](points, against, *map(float, one.value.split(BETWEEN)))
        return kind, words + _remarks(points)
    values = [float(value) for value in (one.value or "0").split("|")]
    named = [value for value in values if value in {point.at for point in points}] or values[:1]
    others = [point for point in points if point.at not in named]
    if len(values) > 1 and not others:
        return MISSING, "nothing else was measured"
    found: List[Tuple[int, float, Verdict]] = []  # "14 or 16 are best": one of them, beside the others
    for value in named:
        mine = [point for point in points if point.at == value or point in others] if len(values) > 1 else points
        kind, words = RULES[one.rule](mine, against, value)
        time = min((point.value for point in mine if point.at == value), default=0.0)
        found.append((PREFERRED.index(kind), time, (kind, names + words + _remarks([*mine, *against]))))
    return min(found)[2]


def _verdict(one: Conclusion, find: Find, first: str, second: str, groups: Callable[[str], List[str]]) -> Verdict:
    """Over all values of `each`: it holds where it holds for each of them."""
    if not one.rule:
        return UNTESTED, ""
    if not first:
        return UNTESTED, ""
    if not one.each:
        return _once(one, find, first, second, {})
    found = [(value, _once(one, find, first, second, {one.each: value})) for value in groups(one.each)]
    found = [(value, verdict) for value, verdict in found if verdict[0] != MISSING]
    if not found:
        return MISSING, ""
    kinds = [verdict[0] for _, verdict in found]
    whole = FAILS if FAILS in kinds else UNDECIDED if UNDECIDED in kinds else HOLDS
    shown = next(pair for pair in found if pair[1][0] == whole)
    return whole, (f"holds at {kinds.count(HOLDS)} of {len(kinds)} sizes; {shown[0]}: {shown[1][1]}")


def _of_published(one: Conclusion) -> Tuple[Conclusion, Verdict]:
    """The verdict of the report's own numbers, and the conclusion by which the others are judged: two times that the
    report calls similar say how far apart similar times are."""
    if one.rule == "fewer_changes" and one.published:
        first, second = (
            float(line["value"])
            for selector in (one.published, one.published_other)
            for line in one.numbers
            if line["variant"] == wanted(selector, one.axis)["variant"]
        )
        return one, (
            HOLDS if first == 0 < second else FAILS,
            f"{number(first)} pixels change, {number(second)} without the filter",
        )

    def find(fields: Mapping[str, str], axis: str) -> Tuple[List[Point], List[Row]]:
        return of_published(one.numbers, fields, axis)

    if one.rule == "similar" and one.published:
        found = ratios(
            *(find(wanted(selector, one.axis), one.axis)[0] for selector in (one.published, one.published_other))
        )
        value = f"{max(max(point.value, 1 / point.value) for point in found):.3g}"
        words = _against(*(wanted(selector, one.axis) for selector in (one.published, one.published_other)))
        return replace(one, text={**one.text, "value": value}), (
            HOLDS,
            f"{words}{number(found[0].value)}x at {found[0].name}: what the report calls similar",
        )
    sizes = list(dict.fromkeys(point.name for point in find({}, "size")[0]))
    return one, _verdict(one, find, one.published, one.published_other, lambda _: sizes)


def judge(conclusions: Sequence[Conclusion], results: Results, originals: Sequence[Mapping[str, str]]) -> Judgements:
    """The verdicts of every conclusion."""

    def groups(column: str) -> List[str]:
        return list(
            dict.fromkeys(
                row.text[column] for row in sorted(results.rows, key=lambda row: row.pixels) if row.text[column]
            )
        )

    judged = []
    for stated in conclusions:
        one, published = _of_published(stated)
        mine = [line for line in originals if line["report"] == one.report]
        if one.rule in OTHER_RULES:
            both = OTHER_RULES[one.rule](one.ours, one.ours_other, results, mine)
            judged.append(Judged(one, both[0], (UNTESTED, one.untested) if one.untested else both[1], published))
            continue

        rows = of_one_run(results, one.axis, one.ours, one.ours_other)

        def ours(fields: Mapping[str, str], axis: str, rows: Sequence[Row] = rows) -> Tuple[List[Point], List[Row]]:
            return of_rows(rows, fields, axis)

        def theirs(
            fields: Mapping[str, str], axis: str, lines: Sequence[Mapping[str, str]] = mine
        ) -> Tuple[List[Point], List[Row]]:
            return of_originals(lines, fields, axis)

        judged.append(
            Judged(
                one,
                _verdict(one, ours, one.ours, one.ours_other, groups),
                (UNTESTED, one.untested)
                if one.untested
                else _verdict(one, theirs, one.original, one.original_other, lambda _: ["4k", "8k"]),
                published,
            )
        )
    return Judgements(judged)


def agreed(judged: Judgements, again: Sequence[Judged]) -> Judgements:
    """The verdicts that the report states: where the second run says the opposite of ours, ours is undecided."""
    other = {one.conclusion.id: one.ours for one in again}

    def stated(one: Judged) -> Judged:
        second = other.get(one.conclusion.id, (UNTESTED, ""))
        if {one.ours[0], second[0]} != {HOLDS, FAILS}:
            return one
        words = f"{one.ours[1]}: {one.ours[0]}; in the second run {second[1]}: {second[0]}"
        return replace(one, ours=(UNDECIDED, words))

    return Judgements(map(stated, [*judged, *judged.numbers]))
