# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What the committed report must have: rows for every artefact and for every verdict. `make plots` states what
is missing; `make report` ends with one sentence."""

from pathlib import Path
from typing import List, Sequence

from ..figures.content import joined
from ..measurements.csv_file import ReportError
from .artefacts import Artefact
from .conclusions import Judged
from .rules import MISSING

NAMED = 4  # of each kind; the others are counted


def artefacts_without_rows(made: Sequence[Artefact]) -> List[str]:
    """ "ariano2023 Figure 4 (lab 02, rows by threads: run `make sweep`)": those that study/data/artefacts.csv does not
    state as not measured."""
    return [f"{one.report} {one.name} ({one.gap})" for one in made if one.gap and not one.not_measured]


def verdicts_without_rows(judged: Sequence[Judged]) -> List[str]:
    """ "A04 (ours)": those whose rule found no rows to decide from."""
    return [
        f"{one.conclusion.id} ({who})"
        for one in judged
        for who, verdict in (("ours", one.ours), ("the program", one.original))
        if verdict[0] == MISSING
    ]


def _listed(one: str, names: List[str]) -> str:
    more = [f"{len(names) - NAMED} more"] * (len(names) > NAMED)
    return f"{one}{'s' * (len(names) > 1)} {joined(names[:NAMED] + more)}" if names else ""


def check_complete(folder: Path, made: Sequence[Artefact], judged: Sequence[Judged], wrong: Sequence[str] = ()) -> None:
    """An error that names the artefacts and verdicts without rows, and what sentences of the report say `wrong`."""
    lists = filter(
        None, (_listed("artefact", artefacts_without_rows(made)), _listed("verdict", verdicts_without_rows(judged)))
    )
    words = "; ".join(lists)
    if words:
        raise ReportError(
            f"{folder} has no rows for {words}: measure them, or say why not in study/data/artefacts.csv "
            "(column not_measured) or study/data/conclusions.csv (no selector, a note)"
        )
    if wrong:
        raise ReportError(f"study/templates: {'; '.join(dict.fromkeys(wrong))}: rewrite the sentence")
