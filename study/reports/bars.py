# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The shape `bars`: the best of each series at each size, ours beside the published, or a panel of each source with the times
over those of the first series."""

import math
from typing import Any, List, Optional, Sequence

from ..figures.content import NO_BAR, NOISY, Bars, Figure
from ..figures.labels import RATIOS
from ..figures.looks import look_of
from ..figures.series import describe, variant_of
from ..figures.shapes import Panel, plot
from ..measurements.selection import of_how_many
from .heat import PANELS
from .seen import OURS, PUBLISHED, Gathered, Seen, best_of
from .series_table import series_table
from .words import candidates


def bars_of(label: str, seen: Sequence[Optional[Seen]], quantity: str, scales: Sequence[float] = ()) -> Bars:
    """Bars of one colour, with 5th to 95th percentile where they are no ratios; NaN for None."""
    rows = [one.row for one in seen if one and one.row]
    heights = [math.nan if one is None else one.value(quantity) for one in seen]
    if scales:
        return Bars(label, [height / scale for height, scale in zip(heights, scales)], variant=variant_of(rows))
    errors = [one.bars(quantity) if one else NO_BAR for one in seen] if rows else None
    return Bars(label, heights, errors, [bool(one and one.is_noisy) for one in seen], variant_of(rows))


def bars(gathered: Gathered) -> List[Any]:
    """The figure, and its table where the artefact has one."""
    specification = gathered.specification
    quantity, who_panels = specification["value"], specification["panels"] == "who"
    names = [name for _, name in gathered.sizes]
    best = {
        (who, label): [best_of(gathered.of(who, series=label, size=name)) for name in names]
        for who in PANELS
        for label in gathered.series
    }
    shown = gathered.rows
    if not shown or (specification["every series"] and gathered.absent):
        return []
    panels = (
        [_over_first(best, gathered.series, who, names) for who in PANELS]
        if who_panels
        else [_beside(best, names, quantity)]
    )
    panels = [panel for panel in panels if panel]
    counts = {label: candidates(gathered, label) for label in gathered.series}
    more = [of_how_many(counts)] * (not specification["every series"]) + [RATIOS] * who_panels + [gathered.note]
    about = describe(shown, " ".join(more), bars=not who_panels, noisy_mark=NOISY if who_panels else "hollow")
    layout = (
        {"sharey": True, "gridspec_kw": {"width_ratios": [len(panel.groups) + 0.5 for panel in panels]}}
        if who_panels
        else {}
    )
    figure: Figure = plot(
        specification.figure, specification["caption"], specification["title"], about, panels, **layout
    )
    return [figure] if specification["table"] == "no" else [figure, series_table(gathered)]


def _beside(best: Any, names: Sequence[str], quantity: str) -> Panel:
    """One panel: ours, then what is published."""
    words = {OURS: "{}", PUBLISHED: "{}, published"}
    drawn = [
        bars_of(words[who].format(label), found, quantity)
        for (who, label), found in sorted(best.items(), key=lambda one: one[0][0] == PUBLISHED)
        if who in words and any(found)
    ]
    return Panel(bars=drawn, groups=names, x="image size", y="time per pixel (ns)")


def _over_first(best: Any, series: Sequence[str], who: str, names: Sequence[str]) -> Optional[Panel]:
    """A panel of one source: the times over those of the first series, at the sizes that it has."""
    first, *others = series
    there = [place for place, one in enumerate(best[who, first]) if one]
    if not there:
        return None
    scales = [best[who, first][place].ms for place in there]
    found = [bars_of(label, [best[who, label][place] for place in there], "ms", scales) for label in others]
    variant = variant_of([one.row for one in best[OURS, first] if one])
    published = next((one.name for one in best[PUBLISHED, first] if one), "")
    title = PANELS[who].format(published.replace("GeForce ", "")).replace(", ", ",\n")
    return Panel(
        bars=found,
        groups=[names[place] for place in there],
        x="image size",
        y=f"kernel time over that of {first}" if who == OURS else "",
        title=title,
        title_size=10,
        level=1,
        level_look={"color": look_of(variant)[0], "linestyle": "--", "label": first},
        slanted=True,
    )
