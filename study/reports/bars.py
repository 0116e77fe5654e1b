# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The shape `bars`: the best of each series at each size, ours beside the published, or a panel of each source with the times
over those of the first series."""

import math
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ..figures.content import NO_BAR, NOISY, Bars, Figure
from ..figures.labels import RATIOS
from ..figures.looks import look_of
from ..figures.series import describe, variant_of
from ..figures.shapes import Panel, plot
from ..measurements.selection import of_how_many
from .heat import PANELS, short
from .seen import OURS, PUBLISHED, Gathered, Seen, best_of
from .series_table import series_table
from .words import candidates

Best = Dict[Tuple[str, str], List[Optional[Seen]]]  # by source and series: the best at each size


def bars_of(label: str, seen: Sequence[Optional[Seen]], quantity: str) -> Bars:
    """Bars of one colour, ours with 5th to 95th percentile; NaN for None."""
    rows = [one.row for one in seen if one and one.row]
    heights = [math.nan if one is None else one.value(quantity) for one in seen]
    errors = [one.bars(quantity) if one else NO_BAR for one in seen] if rows else None
    return Bars(label, heights, errors, [bool(one and one.is_noisy) for one in seen], variant_of(rows))


def bars(gathered: Gathered) -> List[Any]:
    """The figure, and its table where the artefact has one."""
    specification = gathered.specification
    if not gathered.rows or (specification["every series"] and gathered.absent):
        return []
    names = [name for _, name in gathered.sizes]
    best = {
        (who, label): [best_of(gathered.of(who, series=label, size=name)) for name in names]
        for who in PANELS
        for label in gathered.series
    }
    counts = of_how_many({label: candidates(gathered, label) for label in gathered.series})
    more = [gathered.note] if specification["every series"] else [counts, gathered.note]
    if specification["panels"] == "who":
        panels = [panel for who in PANELS for panel in _over_first(best, gathered.series, who, names)]
        about = describe(gathered.rows, " ".join([*more[:-1], RATIOS, *more[-1:]]), bars=False, noisy_mark=NOISY)
        layout = {"sharey": True, "gridspec_kw": {"width_ratios": [len(panel.groups) + 0.5 for panel in panels]}}
    else:
        panels, layout = [_beside(best, names, specification["value"])], {}
        about = describe(gathered.rows, " ".join(more))
    texts = specification.figure, specification["caption"], specification["title"]
    figure: Figure = plot(*texts, about, panels, **layout)
    return [figure] if specification["table"] == "no" else [figure, series_table(gathered)]


def _beside(best: Best, names: Sequence[str], quantity: str) -> Panel:
    """One panel: ours, then what is published."""
    ours = [bars_of(label, found, quantity) for (who, label), found in best.items() if who == OURS]
    theirs = [
        bars_of(f"{label}, published", found, quantity)
        for (who, label), found in best.items()
        if who == PUBLISHED and any(found)
    ]
    return Panel(bars=ours + theirs, groups=names, x="image size", y="time per pixel (ns)")


def _over_first(best: Best, series: Sequence[str], who: str, names: Sequence[str]) -> List[Panel]:
    """The panel of one source: the times over those of the first series, at the sizes that it has."""
    first, *others = series
    there = [place for place, one in enumerate(best[who, first]) if one]
    variants = {label: variant_of([one.row for one in best[OURS, label] if one]) for label in series}
    found = []
    for label in others:
        pairs = [(best[who, label][place], best[who, first][place]) for place in there]
        heights = [one.ms / base.ms if one and base else math.nan for one, base in pairs]
        found.append(Bars(label, heights, variant=variants[label]))
    hardware = next((one.name for one in best[PUBLISHED, first] if one), "")
    panel = Panel(
        bars=found,
        groups=[names[place] for place in there],
        x="image size",
        y=f"kernel time over that of {first}" if who == OURS else "",
        title=PANELS[who].format(short(hardware)).replace(", ", ",\n"),
        title_size=10,
        level=1,
        level_look={"color": look_of(variants[first])[0], "linestyle": "--", "label": first},
        slanted=True,
    )
    return [panel] if there else []
