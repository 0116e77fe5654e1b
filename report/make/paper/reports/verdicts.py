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
        [judgement.conclusion.id, filled(judgement.conclusion.why, sources)]
        for judgement in judged
        if FAILS in (judgement.variants[0], judgement.original[0]) or judgement.conclusion.why
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
            judgement.conclusion.id,
            judgement.conclusion.conclusion,
            *(
                words if words and kind != UNTESTED else DASH
                for kind, words in (judgement.published, judgement.variants, judgement.original)
            ),
        ]
        for judgement in judged.numbers
    ]
    caption = (
        f"{len(lines)} numbers that the reports state for their machines. They are not conclusions, "
        "because another machine has other numbers."
    )
    header = ["", "number", "published", "variant", "original"]
    return Table("published_numbers", caption, header, lines, left=5)


def counts(judged: Sequence[Judged]) -> Table:
    """How many conclusions of each report have which verdict: for the variants and for the originals."""
    kinds = [
        kind for kind in VERDICTS if any(kind in (judgement.variants[0], judgement.original[0]) for judgement in judged)
    ]
    lines = []
    for report in [*dict.fromkeys(judgement.conclusion.report for judgement in judged), "all"]:
        chosen = [judgement for judgement in judged if report in ("all", judgement.conclusion.report)]
        for head, who, words in (
            ([report, str(len(chosen))], "variants", "variants"),
            (["", ""], "original", "originals"),
        ):
            given = [getattr(judgement, who)[0] for judgement in chosen]
            lines.append([*head, words, *(str(given.count(kind)) for kind in kinds)])
    caption = "How many of the published conclusions have which verdict, for our variants and for the originals on the same GPU."
    return Table("verdicts", caption, ["report", "conclusions", "of", *kinds], lines, left=3)


def _both(judged: Sequence[Judged], again: Sequence[Judged]) -> list[tuple[Judged, str]]:
    """The verdicts on our variants that both runs decide, and what the second says."""
    pairs = [(judgement, other.variants[0]) for judgement, other in zip(judged, again)]
    return [(judgement, other) for judgement, other in pairs if {judgement.variants[0], other} <= set(DECIDED)]


def repeated(judged: Sequence[Judged], again: Sequence[Judged]) -> tuple[int, int]:
    """How many verdicts on our variants another run decides alike, and how many it decides."""
    both = _both(judged, again)
    return sum(judgement.variants[0] == other for judgement, other in both), len(both)


def other_run(judged: Sequence[Judged], again: Sequence[Judged]) -> list[str]:
    """How many verdicts on our variants another run decides alike, and which not; nothing if it decides none."""
    alike, count = repeated(judged, again)
    apart = [judgement.conclusion.id for judgement, other in _both(judged, again) if judgement.variants[0] != other]
    words = (
        f"The other run can decide {count} of the verdicts on our variants, {alike} of them alike; not {joined(apart)}."
    )
    return [words] if count else []


def untested(judged: Sequence[Judged]) -> list[str]:
    """A sentence that names the conclusions that nothing here tests."""
    names = [judgement.conclusion.id for judgement in judged if judgement.variants[0] == UNTESTED]
    return [f"Nothing here tests these conclusions, so no table below has them: {joined(names)}."] if names else []


def verdicts_section(
    judged: Judgements, sources: Sources, first: Sequence[Judged] = (), again: Sequence[Judged] = ()
) -> Section:
    """The table of counts, the rules, and a table of each report's conclusions. first and again: judged by each of the two runs
    alone."""
    items = [counts(judged), *other_run(first, again), *untested(judged), what_fails(judged, sources)]
    if judged.numbers:
        items += [numbers(judged)]
    for report in dict.fromkeys(judgement.conclusion.report for judgement in judged):
        lines = [
            [
                judgement.conclusion.id,
                judgement.conclusion.conclusion,
                judgement.variants[0] + (f" ({judgement.variants[1]})" if judgement.variants[1] else ""),
                DASH if judgement.original[0] == UNTESTED else judgement.original[0],
            ]
            for judgement in judged
            if judgement.conclusion.report == report and judgement.variants[0] != UNTESTED
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
    for (program, output), rows in pairs.groupby(["name", "output"], sort=False):
        ratios = rows["ratio"].dropna()
        ours = f"{rows['lab'].iloc[0]} {joined(rows['variant'].unique())}"
        ends = [f"{ratios.min():.2f}", f"{ratios.max():.2f}", str((ratios > LIMIT).sum())]
        lines.append([program, ours, output, f"{len(ratios)} of {len(rows)}", *(ends if len(ratios) else 3 * [DASH])])
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
