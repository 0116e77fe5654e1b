# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Each variant's page next to the one before it, differences marked: for report.html. The first page has nothing
before it, and is shown alone."""

import difflib
import html
import re
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from ..figures.content import number, short_name, why_untimed
from ..figures.series import describe_job, main_job
from ..measurements.rows import Row
from ..measurements.selection import Results
from .counters import HEADER, cells
from .road import AT, job

SINCE = re.compile(r"^// Since ([\w' ,()]+):(.*)$", re.M)


def pages(labs: Path) -> Dict[Tuple[str, str], Path]:
    """The page of each variant, by lab and variant: the files with a field `Alone`, as 03_coalesced.cu."""
    return {
        (path.parent.name, path.stem[3:]): path
        for path in sorted(labs.glob("*/*.c*"))
        if "\n// Alone: " in path.read_text(encoding="utf-8")
    }


def before(lab: str, text: str, known: Dict[Tuple[str, str], Path]) -> Optional[Path]:
    """The page that the field `Since` names: in this lab, or in the lab with the number it names."""
    found = SINCE.search(text)
    if found is None:
        return None
    words = found[1]
    number_ = re.search(r"lab (\d\d)", words)
    names = [word for word in re.findall(r"\w+", words.replace("'s", " "))]
    for (of_lab, variant), path in known.items():
        right = of_lab.startswith(number_[1]) if number_ else of_lab == lab
        if right and variant in names:
            return path
    return next((path for (_, variant), path in known.items() if variant in names), None)


def _body(path: Path) -> List[str]:
    """The page without its licence."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith(("// Copyright", "// SPDX"))]


def _rows(old: List[str], new: List[str]) -> str:
    parts = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for index in range(max(b - a, d - c)):
            left = html.escape(old[a + index]) if a + index < b else ""
            right = html.escape(new[c + index]) if c + index < d else ""
            mark = "" if tag == "equal" else " class=changed"
            parts.append(f"<tr{mark}><td>{left}</td><td>{right}</td></tr>")
    return "".join(parts)


def _ranks(row: Row) -> str:
    """ " with 32 ranks", " with 4 ranks and a GPU per rank" of a row of lab 11."""
    if not row.ranks:
        return ""
    return f" with {row.ranks} rank" + "s" * (row.ranks != "1") + " and a GPU per rank" * (row.backend == "cuda")


def _time(results: Results, lab: str, variant: str) -> str:
    """The time at 8k of the 5x5 Gaussian of an RGB picture, or of the job that the variant has there; where 8k was not
    timed, at the largest size; nothing without a time."""
    row = job(results.bench, lab, variant).get(AT)
    if row is not None:
        return f"{number(row.ms)} ms at {AT}{_ranks(row)}"
    own = results.where(
        lambda row: row.timed and row.ksize in ("", "5") and row.passes in ("", "1") and row.cold != "1",
        lab=lab,
        variant=variant,
    )
    largest = max((row.pixels for row in own), default=0)
    there = main_job([row for row in own if row.size_name == AT] or [row for row in own if row.pixels == largest])
    if not there:
        return ""
    fastest = min(there, key=lambda row: row.ms)
    return f"{number(fastest.ms)} ms at {fastest.size_name}{_ranks(fastest)} ({describe_job([fastest])})"


def times(machines: Sequence[Results], lab: str, variant: str) -> List[str]:
    """The time on the report's machine; where it has none, on each of the others, which is named."""
    here = _time(machines[0], lab, variant)
    if here:
        return [here]
    found = [(short_name(results.machine), _time(results, lab, variant)) for results in machines[1:]]
    elsewhere = [f"on {machine}: {words}" for machine, words in found if words]
    refused = [row for results in machines for row in results.where(lab=lab, variant=variant)]
    return elsewhere or [why_untimed(refused[0]) if refused else "not measured"]


def side_by_side(labs: Path, folder: Path, machines: Sequence[Results]) -> str:
    """HTML: a fold for each page; `folder`: of the first machine."""
    known = pages(labs)
    parts = []
    for (lab, variant), path in known.items():
        text = path.read_text(encoding="utf-8")
        other = before(lab, text, known)
        measured = times(machines, lab, variant)
        found = cells(folder / "profile" / f"{lab}_{variant}_4k.csv")
        if found:
            measured += [f"{name}: {value}" for name, value in zip(HEADER, found)]
        was = f"{other.parent.name}/{other.name}" if other else "nothing before it"
        parts.append(
            f"<details><summary><b>{lab}/{path.name}</b> next to {was}: "
            f"{html.escape('; '.join(measured))}</summary><div class=wide><table class=code><thead>"
            f"<tr><th>{was}</th><th>{lab}/{path.name}</th></tr></thead><tbody>"
            f"{_rows(_body(other) if other else [], _body(path))}</tbody></table></div></details>"
        )
    return "\n".join(parts)
