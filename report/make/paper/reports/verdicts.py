# SPDX-License-Identifier: MIT
"""The verdicts on the published conclusions as tables: counts, what does not hold and why, numbers of one machine, a table of each
report; and the reports' own programs compared with our variants."""

from collections.abc import Sequence

from pandas import DataFrame

from report.make.plots.words import DASH, Table, joined, percent

from ..content import Section
from ..measurements.keyed import Sources, filled
from ..measurements.machine import Results
from ..measurements.published import Published, our_rows
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


def _both(judged: Sequence[Judged], again: Sequence[Judged]) -> list[tuple[Judged, str]]:
    """The verdicts on our variants that both runs decide, and what the second says."""
    pairs = [(one, other.variants[0]) for one, other in zip(judged, again)]
    return [(one, other) for one, other in pairs if {one.variants[0], other} <= set(DECIDED)]


def repeated(judged: Sequence[Judged], again: Sequence[Judged]) -> tuple[int, int]:
    """How many verdicts on our variants a second run decides alike, and how many it decides."""
    both = _both(judged, again)
    return sum(one.variants[0] == other for one, other in both), len(both)


def second_run(judged: Sequence[Judged], again: Sequence[Judged]) -> list[str]:
    """How many verdicts on our variants a second run decides alike, and which not; nothing if it decides none."""
    alike, count = repeated(judged, again)
    apart = [one.conclusion.id for one, other in _both(judged, again) if one.variants[0] != other]
    words = f"The second run can decide {count} of the verdicts on our variants, {alike} of them alike; not {joined(apart)}."
    return [words] * bool(count)


def untested(judged: Sequence[Judged]) -> list[str]:
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


LIMIT = 1.03  # our time over the program's: what the timing may differ for the same speed


def pairs_of(results: Results, published: Published) -> DataFrame:
    """All configurations of the programs: `name`, the `status` of our row of the same configuration, and `ratio`, our time over the
    program's; NaN where there is none."""
    lines = published.originals
    ours = our_rows(results, lines).reindex(lines.index)
    name = lines["report"] + " " + lines["program"]
    return lines.assign(name=name, status=ours["status"], ratio=ours["ms"] / lines["ms"])


def summary(pairs: DataFrame) -> str:
    """The usual ratio, the largest, how many are above the limit, and how many configurations were compared."""
    ratios = pairs["ratio"].dropna()
    if ratios.empty:
        return f"None of the {len(pairs)} configurations was measured with a variant on that GPU."
    worst = pairs.loc[ratios.idxmax()]
    unsupported = int((pairs["status"] == "unsupported").sum())
    words = f" The variants do not support {unsupported}." if unsupported else ""
    return (
        f"The median variant takes {percent(ratios.median())} of the original's time. The slowest takes {percent(ratios.max())} "
        f"({worst['name']}, {worst['size']}, K {worst['ksize']}, B {worst['block']}). Of {len(pairs)} configurations, {len(ratios)} "
        f"were compared; in {(ratios > LIMIT).sum()} of them, the variant takes more than {percent(LIMIT)} of the original's time.{words}"
    )


def by_program(pairs: DataFrame) -> Table:
    """A line for each program, and for each way in which its output is wrong."""
    lines = []
    for (program, output), same in pairs.groupby(["name", "output"], sort=False):
        ratios = same["ratio"].dropna()
        ours = f"{same['lab'].iloc[0]} {joined(same['variant'].unique())}"
        ends = [f"{ratios.min():.2f}", f"{ratios.max():.2f}", str((ratios > LIMIT).sum())]
        lines.append([program, ours, output, f"{len(ratios)} of {len(same)}", *(ends if len(ratios) else 3 * [DASH])])
    caption = (
        f"Time of the variant divided by the time of the original, {joined(pairs['where'].unique())}, "
        "without copies: median of the variant, mean of 50 launches of the original. chisci2024: time of one channel."
    )
    header = "original|variant|output of the original|measured|smallest ratio|largest ratio".split("|")
    return Table("originals", caption, [*header, f"over {LIMIT}"], lines, left=3)


def originals(results: Results, published: Published) -> Section:
    """The programs of all reports compared with our variants."""
    pairs = pairs_of(results, published)
    return Section("The originals compared with our variants", [summary(pairs), by_program(pairs)])
