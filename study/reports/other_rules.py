# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Rules of conclusions that no times decide: outputs, stores in machine code, pixels that change."""

from pathlib import Path
from typing import Callable, Dict, List, Mapping, Tuple

from ..figures.content import percent
from ..measurements.csv_file import read_table
from ..measurements.points import wanted
from ..measurements.selection import Results
from .rules import BY_CONSTRUCTION, FAILS, HOLDS, MISSING, UNTESTED, Verdict

SAVINGS = Path(__file__).resolve().parents[2] / "labs" / "10_noise_filter" / "savings.csv"
Lines = List[Mapping[str, str]]
Both = Tuple[Verdict, Verdict]  # of ours, of the program
NOT_RUN: Verdict = (UNTESTED, "")


def outputs_right(ours: str, other: str, results: Results, lines: Lines) -> Both:
    """The outputs were compared, and all were right. Of ours that is so by construction: a variant whose output differs
    from the reference's is corrected, and has no time."""
    rows = [
        row for selector in ours.split(" or ") for row in _rows(results, selector) if row.status in ("ok", "failed")
    ]
    failed = [row for row in rows if row.status == "failed"]
    mine = (
        (MISSING, "")
        if not rows
        else (FAILS, f"{len(failed)} of {len(rows)} differ")
        if failed
        else (BY_CONSTRUCTION, f"{len(rows)} configurations give the reference's bytes")
    )
    compared = [line for line in lines if line["output"] != "not checked"]
    wrong = dict.fromkeys(f"{line['program']}: {line['output']}" for line in compared if line["output"] != "right")
    theirs = (UNTESTED, "") if not compared else (FAILS, "; ".join(wrong)) if wrong else (HOLDS, "")
    return mine, theirs


def _rows(results: Results, selector: str) -> list:
    fields = {name: value for name, value in wanted(selector, "size").items() if name in ("lab", "variant")}
    return [row for row in results.rows if all(row.text[name] in value.split("|") for name, value in fields.items())]


def fewer_stores(ours: str, other: str, results: Results, lines: Lines) -> Both:
    """The first has fewer store instructions in its machine code than the second."""
    counts = []
    for selector in (ours, other):
        fields = wanted(selector, "size")
        code = results.machine_code.get((fields["lab"], fields["variant"]))
        if code is None:
            return (MISSING, "make sass"), NOT_RUN
        counts.append(int(code["stores_global"]))
    return (HOLDS if counts[0] < counts[1] else FAILS, f"{counts[0]} stores against {counts[1]}"), NOT_RUN


def fewer_changes(ours: str, other: str, results: Results, lines: Lines) -> Both:
    """With the filter no pixel of a still, noisy scene changes beyond the threshold; without it some do."""
    shares = []
    for selector in (ours, other):
        fields = dict(word.split("=", 1) for word in selector.split())
        found = [
            float(line["changed_pixels"])
            for _, line in read_table(SAVINGS, ("changed_pixels",))
            if line["video"].startswith("static") and all(line[name] == value for name, value in fields.items())
        ]
        if not found:
            return (MISSING, "lab savings"), NOT_RUN
        shares.append(found[0])
    return (
        HOLDS if shares[0] == 0 < shares[1] else FAILS,
        f"{percent(shares[0])} of the pixels change, {percent(shares[1])} without the filter",
    ), NOT_RUN


OTHER_RULES: Dict[str, Callable[[str, str, Results, Lines], Both]] = {
    rule.__name__: rule for rule in (outputs_right, fewer_stores, fewer_changes)
}
