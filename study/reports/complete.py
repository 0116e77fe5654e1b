# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What the committed report must have: rows for every artefact and for every verdict. `make plots` states what
is missing; `make report` ends with one sentence."""

from pathlib import Path
from typing import Sequence

from tools.plots.files import ReportError

from ..figures.content import joined
from .artefacts import Artefact
from .conclusions import Judged
from .rules import MISSING

NAMED = 4  # of each kind; the others are counted


def check_complete(folder: Path, made: Sequence[Artefact], judged: Sequence[Judged], wrong: Sequence[str] = ()) -> None:
    """An error that names the artefacts and verdicts without rows, and what sentences of the report say `wrong`."""
    missing = {
        "artefact": [f"{one.report} {one.name} ({one.gap})" for one in made if one.gap and not one.not_measured],
        "verdict": [
            f"{one.conclusion.id} ({who})"
            for one in judged
            for who, verdict in (("ours", one.ours), ("the program", one.original))
            if verdict[0] == MISSING
        ],
    }
    listed = []
    for kind, names in missing.items():
        more = [f"{len(names) - NAMED} more"] * (len(names) > NAMED)
        listed += [f"{kind}{'s' * (len(names) > 1)} {joined(names[:NAMED] + more)}"] * bool(names)
    if listed:
        raise ReportError(
            f"{folder} has no rows for {'; '.join(listed)}: measure them, or say why not in study/data/artefacts.ini "
            "(column not_measured) or study/data/conclusions.csv (no selector, a note)"
        )
    if wrong:
        raise ReportError(f"study/templates: {'; '.join(dict.fromkeys(wrong))}: rewrite the sentence")
