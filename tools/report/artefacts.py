# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The tables and figures of the five reports, made again from this machine's rows.

An artefact is a function (results, published) -> Section; without rows, the Section says what is
missing. To add some, write a module with a list ARTEFACTS and name it below.
"""
from typing import Callable, List

from . import artefacts_async
from . import artefacts_blocks
from . import artefacts_chisci
from . import artefacts_cuda
from . import artefacts_cuda_blocks
from . import artefacts_delbimbo
from . import artefacts_originals
from . import artefacts_pairs
from . import artefacts_pthread
from . import artefacts_rates
from . import artefacts_timeline
from .content import Section
from .published import Published
from .selection import Results

Artefact = Callable[[Results, Published], Section]
MODULES = (artefacts_originals, artefacts_pairs, artefacts_pthread, artefacts_blocks,
           artefacts_cuda_blocks, artefacts_cuda, artefacts_rates, artefacts_chisci,
           artefacts_delbimbo, artefacts_async, artefacts_timeline)
ARTEFACTS: List[Artefact] = [artefact for module in MODULES for artefact in module.ARTEFACTS]


def all_sections(results: Results, published: Published) -> List[Section]:
    """All artefacts, then a list of those that were not measured."""
    sections = [artefact(results, published) for artefact in ARTEFACTS]
    missing = "\n".join(f"- {section.title} ({section.missing})"
                        for section in sections if section.missing)
    found = [section for section in sections if not section.missing]
    return found + [Section("Not measured on this machine", [missing])] * bool(missing)
