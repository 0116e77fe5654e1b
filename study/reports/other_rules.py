# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Rules of conclusions that no times decide: a refusal, counts, outputs."""

from functools import partial
from typing import Callable, Dict, Mapping, Sequence, Tuple

from ..figures.content import number
from ..measurements.points import Asked, Line, remarks
from ..measurements.selection import Results
from .rules import BY_CONSTRUCTION, FAILS, HOLDS, MISSING, TIMES, UNTESTED, Verdict


def refused(asked: Asked) -> Verdict:
    """The variant refuses the job, with a sentence; of a program: its output is wrong."""
    points = asked.points(asked.first)
    if asked.refusal:
        return HOLDS, asked.refusal
    if points and all(point.remark for point in points):
        return HOLDS, "it runs" + remarks(points)
    return (FAILS, f"takes {number(points[0].value)} ms") if points else (MISSING, "")


def fewer(asked: Asked, none: bool = False) -> Verdict:
    """The first has fewer store instructions in its machine code; none: with the filter no pixel of a still, noisy scene
    changes beyond the threshold, without it some do."""
    both = [[line for line in asked.lines if line.fits(fields)][:1] for fields in (asked.first, asked.other)]
    if [] in both:
        return MISSING, ""
    less, more = (line.time[0] for (line,) in both)
    words = " against ".join(str(line.more["remark"]) for (line,) in both)
    return (HOLDS if less < more and not (none and less) else FAILS), words


def outputs(ours: str, results: Results, lines: Sequence[Mapping[str, str]]) -> Tuple[Verdict, Verdict]:
    """Whether all outputs that were compared are right, of ours and of the program. Of ours that is so by construction: a variant
    whose output differs from the reference's is corrected, and has no time."""
    selectors = [dict(word.split("=") for word in selector.split()) for selector in ours.split(" or ")]
    rows = [row for row in results.rows if any(Line(row.text).fits(fields) for fields in selectors)]
    compared = [row for row in rows if row.status in ("ok", "failed")]
    failed = sum(row.status == "failed" for row in compared)
    mine = (
        (BY_CONSTRUCTION, f"{len(compared)} configurations give the reference's bytes") if compared else (MISSING, "")
    )
    checked = [line for line in lines if line["output"] != "not checked"]
    wrong = dict.fromkeys(f"{line['program']}: {line['output']}" for line in checked if line["output"] != "right")
    theirs = (FAILS if wrong else HOLDS, "; ".join(wrong)) if checked else (UNTESTED, "")
    return (FAILS, f"{failed} of {len(compared)} differ") if failed else mine, theirs


OUTPUTS_RIGHT = "outputs_right"  # a rule of two answers: outputs()
RULES: Dict[str, Callable[[Asked], Verdict]] = {
    **TIMES,
    "refused": refused,
    "fewer_stores": fewer,
    "fewer_changes": partial(fewer, none=True),
}
