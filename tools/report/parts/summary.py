# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The abstract and the discussion; and the sections of the road, of what pays, of the roofline."""
from typing import Dict, List, Sequence

from ..figures.content import Section, number
from ..measurements.selection import Results
from .pays import pays, when_it_pays
from .road import AT, ROAD, job, road
from .roofline import rooflines
from .scaling import mpi, several_gpus


def sections(results: Results, others: Sequence[Results]) -> List[Section]:
    """The road, when the GPU pays, several processors, the rooflines; `others`: other machines."""
    machines = [results, *others]
    return [Section("The road", road(results)),
            Section("When does the GPU pay?", when_it_pays(results)),
            several_gpus(machines), mpi(machines), Section("Rooflines", rooflines(machines))]


def words(results: Results) -> Dict[str, str]:
    """The abstract and the discussion, with numbers from the rows."""
    steps = [job(results, *step).get(AT) for step in ROAD]
    timed = [row for row in steps if row is not None]
    abstract = (f"{len(results.rows)} configurations of the labs were measured on "
                f"{results.machine}.")
    if len(timed) > 1:
        abstract += (f" From `{timed[0].variant}` ({number(timed[0].ms)} ms at {AT}) to `"
                     f"{timed[-1].variant}` of lab {timed[-1].lab} ({number(timed[-1].ms)} ms) the "
                     f"same bytes are computed {number(timed[0].ms / timed[-1].ms)} times as fast. ")
    return {"abstract": abstract + pays(results),
            "discussion": "The reports compare a kernel with a baseline of their own, leave the "
            "copies out, and give no spread. The table of verdicts shows which of their conclusions "
            "do not depend on that. " + pays(results)}
