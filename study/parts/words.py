# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Abstract, discussion and conclusions, with numbers from the rows and from the verdicts."""
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from ..figures.content import Table, number, to_markdown
from ..figures.series import describe_hardware
from ..measurements.originals import ns_per_tap
from ..reports.conclusions import Judged
from ..reports.rules import FAILS, HOLDS, UNDECIDED
from ..reports.verdicts import differ
from .findings import told
from .pays import pays
from .quoted import AT, Missing, Numbers


def _are(count: int) -> str:
    return f"{count} {'is' if count == 1 else 'are'}"


def _of_verdicts(judged: Sequence[Judged]) -> str:
    """How many conclusions hold, in words."""
    kinds = [one.ours[0] for one in judged]
    rest = len(kinds) - sum(map(kinds.count, (HOLDS, FAILS, UNDECIDED)))
    return (f"Of {len(kinds)} published conclusions, {kinds.count(HOLDS)} hold for our variants on this "
            f"machine, {kinds.count(FAILS)} do not, {_are(kinds.count(UNDECIDED))} undecided within the "
            f"spread of the times, and {rest} {'was' if rest == 1 else 'were'} not measured or cannot be "
            "tested.")


def _programs_too(judged: Sequence[Judged]) -> str:
    both = [one for one in judged if {one.ours[0], one.original[0]} <= {HOLDS, FAILS}]
    apart = sum(map(differ, both))
    return (f"{len(both)} of the {len(judged)} could be decided both for our variant and for the report's own program on the same GPU: in "
            f"{len(both) - apart} the two verdicts agree, in {apart} they differ.")


def abstract(numbers: Numbers, judged: Sequence[Judged], defects: int) -> str:
    """The abstract, with its numbers."""
    results = numbers.results
    timed = [row for row in results.rows if row.timed]
    variants = {(row.lab, row.variant) for row in timed}
    text = (f"Five course reports program filters of pictures for one core and for CUDA, one of them for threads, too, and "
            f"draw conclusions from the measured times. In four the filter is a two-dimensional convolution; in videostream2021 that "
            f"is one part, and most is maps of what changes in a video. We rebuilt their programs so that all of them "
            f"compute the same bytes, added faster ones, and measured {len(variants)} variants in "
            f"{len(timed)} configurations on machines of one kind ({describe_hardware(timed)}). The reports' public CUDA programs ran on a "
            f"GPU of the same kind. {_of_verdicts(judged)} {_programs_too(judged)} {defects} defects of "
            "the reports were found; each is shown with a picture or a number. ")
    try:
        first, last = numbers.row("01_sequential nested"), numbers.row("07_separable packed")
        text += (f"From `nested`, the simplest program, to `packed`, the fastest kernel, the time of a 5x5 "
                 f"Gaussian at {AT} falls from {numbers.ms(first)} ms to {numbers.ms(last)} ms, without "
                 f"copies. ")
    except Missing as missing:
        text += f"Not measured: {missing}. "
    return (text + pays(results)).strip()


def of_report(judged: Sequence[Judged], report: str) -> str:
    """What the rows say of one report's conclusions."""
    mine = [one for one in judged if one.conclusion.report == report]
    run = [one.original[0] for one in mine]
    text = _of_verdicts(mine).replace("published conclusions", f"conclusions of {report}")
    if any(kind in (HOLDS, FAILS) for kind in run):
        text += (f" For its own program on the H200 {run.count(HOLDS)} hold and {run.count(FAILS)} do not; the "
                 "others are undecided, were not measured or could not be tested on it.")
    return text + " Its tables and figures follow, each under its own name."


def baselines(lines: Sequence[Mapping[str, str]]) -> Optional[Table]:
    """The reports' programs of one thread on one CPU: time per tap (study/data/originals.csv)."""
    found: Dict[Tuple[str, str], List[Mapping[str, str]]] = {}
    for line in lines:
        if line["program"].startswith("cpu_") and line["ksize"] != "1":
            found.setdefault((line["report"], line["program"]), []).append(line)
    rows = []
    for (report, program), same in found.items():
        taps = [ns_per_tap(line) for line in same]
        rows.append((min(taps), [report, f"`{program}`", f"{number(min(taps))} to {number(max(taps))}"
                                 if len(taps) > 1 else number(taps[0])]))
    rows.sort(key=lambda row: row[0])
    return Table("baselines", "The reports' own programs of one thread, compiled with -O3, all on one CPU that was not "
                 "recorded; one to three runs: time per tap and sample.", ["report", "program", "ns per tap"],
                 [cells for _, cells in rows], left=2) if rows else None


def discussion(lines: Sequence[Mapping[str, str]], judged: Sequence[Judged]) -> str:
    """Why the published numbers differ, and what does not depend on that."""
    table = baselines(lines)
    parts = ["**Speed-ups of different reports cannot be compared.** ariano2023, chisci2024 and delbimbo2024 each divide by a "
             "sequential program of their own, and the reports' sequential programs are not equally fast"
             + (f": on one CPU, which was not recorded, they need between {table.rows[0][2].split(' to ')[0]} and "
                f"{table.rows[-1][2].split(' to ')[-1]} ns per tap." if table else "."),
             to_markdown(table) if table else "",
             "The reports also round, cut or keep floats, repeat, mirror or zero the border, and take 5 to 100 runs, with or without a "
             "warm-up. ariano2023, chisci2024 and delbimbo2024 give no spread of a time; cazzola2024's Figures 5 and 6 show the "
             "standard deviation, and videostream2021's Figures 12, 13 and 17 minimum and maximum. Only chisci2024 (4.2) compares "
             "outputs, and the kernel behind the highest published speed-up of ariano2023 (Figure 11) is one of those whose output "
             "is wrong.",
             "**What does not depend on the baseline.** Which of two kernels is faster, and how times grow "
             "with the image, the filter and the block, needs no baseline: most verdicts are of this kind. "
             + _programs_too(judged) + " Where they differ, a table beside the verdicts says why, if the rows show it.",
             "**What we cannot say.** The published times come from other GPUs and CPUs. We reproduce the "
             "programs, not the machines: that a conclusion does not hold here does not mean that it was "
             "wrong there."]
    return "\n\n".join(filter(None, parts))


def conclusions(numbers: Numbers, judged: Sequence[Judged]) -> str:
    """The conclusions as a numbered list."""
    found = told(numbers)
    found.append("**Most published conclusions can be tested, and not all hold.** "
                + f"{_of_verdicts(judged)} {_programs_too(judged)}")
    return "\n".join(f"{place}. {text}" for place, text in enumerate(found, 1))
