# SPDX-License-Identifier: MIT
"""The verdicts on the published conclusions as tables: counts, what does not hold and why, numbers of one machine,
a table of each report."""

from typing import List, Sequence, Tuple

from ..figures.content import DASH, Section, Table, joined
from ..measurements.keyed import Sources, filled
from .conclusions import VERDICTS, Judged, Judgements
from .rules import FAILS, HOLDS, UNDECIDED, UNTESTED

DECIDED = (HOLDS, FAILS, UNDECIDED)


def what_fails(judged: Sequence[Judged], sources: Sources) -> Table:
    """A line for each conclusion that does not hold for our variants or for the program, or of which the file says why both
    differ."""
    lines = [
        [one.conclusion.id, filled(one.conclusion.why, sources)]
        for one in judged
        if FAILS in (one.variants[0], one.original[0]) or one.conclusion.why
    ]
    caption = (
        f"The {len(lines)} conclusions that do not hold for the variant or for the original, "
        "or hold for only one of them, and why."
    )
    return Table("verdicts_failed", caption, ["", "why"], lines, left=2)


def numbers(judged: Judgements) -> Table:
    """A line for each number that a report states of its machine: it, our number and the program's."""
    lines = [
        [
            one.conclusion.id,
            one.conclusion.conclusion,
            *(
                words if words and kind != UNTESTED else DASH
                for kind, words in (one.published, one.variants, one.original)
            ),
        ]
        for one in judged.numbers
    ]
    caption = (
        f"{len(lines)} numbers that the reports state for their machines. They are not conclusions, "
        "because another machine has other numbers."
    )
    header = ["", "number", "published", "variant", "original"]
    return Table("published_numbers", caption, header, lines, left=5)


def counts(judged: Sequence[Judged]) -> Table:
    """How many conclusions of each report have which verdict: for the variants and for the originals."""
    kinds = [kind for kind in VERDICTS if any(kind in (one.variants[0], one.original[0]) for one in judged)]
    lines = []
    for report in [*dict.fromkeys(one.conclusion.report for one in judged), "all"]:
        mine = [one for one in judged if report in ("all", one.conclusion.report)]
        for head, who, words in (
            ([report, str(len(mine))], "variants", "variants"),
            (["", ""], "original", "originals"),
        ):
            found = [getattr(one, who)[0] for one in mine]
            lines.append([*head, words, *(str(found.count(kind)) for kind in kinds)])
    caption = "How many of the published conclusions have which verdict, for our variants and for the originals on the same GPU."
    return Table("verdicts", caption, ["report", "conclusions", "of", *kinds], lines, left=3)


def _both(judged: Sequence[Judged], again: Sequence[Judged]) -> List[Tuple[Judged, str]]:
    """The verdicts on our variants that both runs decide, and what the second says."""
    pairs = [(one, other.variants[0]) for one, other in zip(judged, again)]
    return [(one, other) for one, other in pairs if {one.variants[0], other} <= set(DECIDED)]


def repeated(judged: Sequence[Judged], again: Sequence[Judged]) -> Tuple[int, int]:
    """How many verdicts on our variants a second run decides alike, and how many it decides."""
    both = _both(judged, again)
    return sum(one.variants[0] == other for one, other in both), len(both)


def second_run(judged: Sequence[Judged], again: Sequence[Judged]) -> List[str]:
    """What the rows of the second run say of our variants: how many verdicts are the same, and which are not; nothing if it
    judges none."""
    alike, count = repeated(judged, again)
    apart = [
        (one.conclusion.id, {one.variants[0], other}) for one, other in _both(judged, again) if one.variants[0] != other
    ]
    opposite, one_of_two = (
        [name for name, kinds in apart if (UNDECIDED in kinds) == either] for either in (False, True)
    )

    def named(ids: List[str]) -> str:
        return f"{len(ids)}" + f" ({joined(ids)})" * bool(ids)

    words = (
        f"The second run (`results/reference/README.md`) can decide {count} of the verdicts on our variants. The same verdict: "
        f"{alike}; the opposite, and so undecided in this report: {named(opposite)}; undecided in one of the two "
        f"runs: {named(one_of_two)}."
    )
    return [words] * bool(count)


def untested(judged: Sequence[Judged]) -> List[str]:
    """A sentence that names the conclusions that nothing here tests."""
    names = [one.conclusion.id for one in judged if one.variants[0] == UNTESTED]
    return [f"Nothing here tests these conclusions, so no table below has them: {joined(names)}."] * bool(names)


def verdicts_section(
    judged: Judgements, sources: Sources, first: Sequence[Judged] = (), again: Sequence[Judged] = ()
) -> Section:
    """The table of counts, the rules, and a table of each report's conclusions. first and again: judged by each of the two runs
    alone."""
    items = [counts(judged), *second_run(first, again), *untested(judged), what_fails(judged, sources)]
    items += [numbers(judged)] * bool(judged.numbers)
    for report in dict.fromkeys(one.conclusion.report for one in judged):
        lines = [
            [
                one.conclusion.id,
                one.conclusion.conclusion,
                one.variants[0] + f" ({one.variants[1]})" * bool(one.variants[1]),
                DASH if one.original[0] == UNTESTED else one.original[0],
            ]
            for one in judged
            if one.conclusion.report == report and one.variants[0] != UNTESTED
        ]
        header, caption = ["", "conclusion", "variant", "original"], f"The conclusions of {report}."
        items.append(Table(f"verdicts_{report}", caption, header, lines, left=4, fold=True))
    return Section("Verdicts on the published conclusions", items)
