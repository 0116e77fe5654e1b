# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The verdicts on the published conclusions as tables: counts, what does not hold and why, numbers of one machine,
a table of each report."""

from typing import Any, List, Sequence

from ..figures.content import Section, Table, percent
from ..measurements.keyed import Sources, filled
from ..measurements.rows import OF_COPIES, OF_CPU, OF_KERNEL
from .conclusions import BETWEEN, OF_NUMBERS, VERDICTS, Judged, Judgements
from .other_rules import OTHER_RULES
from .rules import BY_CONSTRUCTION, FAILS, HOLDS, RULES, UNDECIDED, UNTESTED

NAMED = {3840 * 2160: "4k", 7680 * 4320: "8k"}  # sizes that conclusions name, by pixels


def _place(one: Judged) -> str:
    """The value of a rule as a reader writes it: a size by its name, a power of two as one."""

    def named(value: str) -> str:
        if one.conclusion.axis != "size" or not value.isdigit():
            return value
        pixels = int(value)
        power = pixels.bit_length() - 1
        return NAMED.get(pixels) or (f"2^{power} elements" if pixels == 1 << power else f"{pixels} pixels")

    return " to ".join(map(named, one.conclusion.value.split(BETWEEN))).replace(" elements to", " to")


def _words(verdict: str, evidence: str) -> str:
    return verdict + f" ({evidence})" * bool(evidence)


def _line(one: Judged, sources: Sources) -> List[str]:
    published = "–" if one.published[0] == UNTESTED else _words(*one.published)
    rule = f"{one.conclusion.rule.replace('_', ' ')} {_place(one)}".strip()
    return [
        one.conclusion.id,
        one.conclusion.where,
        one.conclusion.conclusion,
        rule or "–",
        published,
        _words(*one.ours),
        _words(*one.original),
        filled(one.conclusion.note, sources),
    ]


def differ(one: Judged) -> bool:
    """Whether the rows of ours and those of the program decide the conclusion, and differently."""
    return {one.ours[0], one.original[0]} == {HOLDS, FAILS}


def what_fails(judged: Sequence[Judged], sources: Sources) -> Table:
    """A line for each conclusion that does not hold for ours or for the program, or of which the file says why both
    differ."""
    lines = [
        [
            one.conclusion.id,
            one.conclusion.conclusion,
            one.ours[0],
            one.original[0],
            filled(one.conclusion.why, sources),
        ]
        for one in judged
        if FAILS in (one.ours[0], one.original[0]) or one.conclusion.why
    ]
    return Table(
        "verdicts_failed",
        f"The {len(lines)} conclusions that do not hold for our variants or for the report's "
        "own program, or hold for one of them alone, and why.",
        ["", "conclusion", "ours", "original program", "why"],
        lines,
        left=5,
    )


def numbers(judged: Judgements, sources: Sources) -> Table:
    """A line for each number that a report states of its machine: it, ours and the program's."""
    lines = [
        [
            one.conclusion.id,
            one.conclusion.where,
            one.conclusion.conclusion,
            *(words or verdict for verdict, words in (one.published, one.ours, one.original)),
            filled(one.conclusion.note, sources),
        ]
        for one in judged.numbers
    ]
    return Table(
        "published_numbers",
        f"{len(lines)} numbers that the reports state of their machines. They are no conclusions: "
        "another machine has another number.",
        ["", "where", "number", "published", "ours", "original program", "note"],
        lines,
        left=7,
    )


def counts(judged: Sequence[Judged]) -> Table:
    """How many conclusions of each report have which verdict: ours, original."""
    lines = []
    for report in [*dict.fromkeys(one.conclusion.report for one in judged), "all"]:
        mine = [one for one in judged if report in ("all", one.conclusion.report)]
        for who in ("published", "ours", "original"):
            kinds = [getattr(one, who)[0] for one in mine]
            lines.append(
                [
                    report if who == "published" else "",
                    str(len(mine)) if who == "published" else "",
                    who,
                    *(str(kinds.count(verdict)) for verdict in VERDICTS),
                ]
            )
    return Table(
        "verdicts",
        "The published conclusions: what the printed numbers say of them, "
        "and what the rows say, for our variants and for the reports' programs on the same GPU.",
        ["report", "conclusions", "of", *VERDICTS],
        lines,
        left=3,
    )


def second_run(judged: Sequence[Judged], again: Sequence[Judged]) -> List[Any]:
    """What the rows of the second run say of ours: how many verdicts are the same, and a table of the others; nothing
    where it judges none."""
    decided = (HOLDS, FAILS, UNDECIDED)
    both = [(one, other) for one, other in zip(judged, again) if one.ours[0] in decided and other.ours[0] in decided]
    apart = [(one, other) for one, other in both if one.ours[0] != other.ours[0]]
    reversed_ = sum(UNDECIDED not in (one.ours[0], other.ours[0]) for one, other in apart)
    if not both:
        return []
    words = (
        f"The second run (`results/reference/README.md`) has rows for {len(both)} of the verdicts on our variants. The same verdict: "
        f"{len(both) - len(apart)}; the opposite, and so undecided in this report: {reversed_}; undecided in one of the two runs: "
        f"{len(apart) - reversed_}."
    )
    lines = [
        [
            one.conclusion.id,
            one.conclusion.conclusion,
            *(f"{verdict} ({evidence})" for verdict, evidence in (one.ours, other.ours)),
        ]
        for one, other in apart
    ]
    return (
        [
            words,
            Table(
                "verdicts_again",
                f"The {len(apart)} conclusions of which the second run says something else.",
                ["", "conclusion", "the first run", "the second run"],
                lines,
                left=4,
            ),
        ]
        if apart
        else [words]
    )


def verdicts_section(
    judged: Judgements, sources: Sources, first: Sequence[Judged] = (), again: Sequence[Judged] = ()
) -> Section:
    """The table of counts, the rules, and a table of each report's conclusions. first and again: judged by each of the two runs
    alone."""
    rules = "\n".join(
        f"- `{name.replace('_', ' ')}`: {' '.join((rule.__doc__ or '').split())}"
        for name, rule in {**RULES, **OTHER_RULES}.items()
        if name not in OF_NUMBERS
    )
    rules += "\n- `refused`: The variant refuses the job, with a sentence; of a program: its output is wrong."
    section = Section(
        "What the rows say of the published conclusions",
        [
            counts(judged),
            *second_run(first, again),
            what_fails(judged, sources),
            *([numbers(judged, sources)] if judged.numbers else []),
            "A conclusion is restated in our words; `study/data/conclusions.csv` says where it stands and "
            "which rows test it. The axis is what it varies: the size of the image, the side of the filter or of the block, the number of "
            "threads. Of several rows at one place of the axis the fastest counts. "
            f'"{BY_CONSTRUCTION.capitalize()}" is counted apart: it says nothing of the report.\n\n'
            "Each rule was run on the published numbers first, where the report prints them. By none of the rules a report's own numbers "
            "fail: what a report calls best, similar or growing is so for the rule. The numbers are taken as precise as they are printed.\n\n"
            "Intervals: for our medians the 95 % interval (5th to 95th percentile for a row without one); for the reports' programs "
            "from the shortest time to the same distance above the mean; for a published number half a unit of its last digit. Two "
            "times differ if their intervals are further apart than a margin, which is what two runs differ by: "
            f"{percent(OF_CPU)} if one of the two is a CPU's, of one session or of two; {percent(OF_COPIES)} if one has a GPU's "
            f"copies and none is a CPU's; {percent(OF_KERNEL)} between kernels of a GPU, ours or a report's program; nothing between "
            "published numbers. A ratio, also of a CPU and a GPU, has the larger margin of its two times, and is compared like a time. "
            "In the second run nine of ten ratios of two configurations that took turns are within these margins "
            "(`results/reference/README.md`). What is less apart is undecided, and so is a verdict on ours of which the second run says "
            "the opposite. A conclusion about the time of a job does not hold if the variant refuses the job.\n\n"
            "The rules. `a against b` names the two variants of a rule that compares times; its numbers are the time of b over that of a, "
            "so above 1 a is faster:\n\n" + rules,
        ],
    )
    for report in dict.fromkeys(one.conclusion.report for one in judged):
        section.items.append(
            Table(
                f"verdicts_{report}",
                f"{report}: its conclusions.",
                ["", "where", "conclusion", "rule", "published", "ours", "original program", "note"],
                [_line(one, sources) for one in judged if one.conclusion.report == report],
                left=8,
                fold=True,
            )
        )
    return section
