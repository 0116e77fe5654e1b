# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The shape `lines`: a number by an axis, a line for each series or for each value of a column; ours solid, the report's own
program and the published numbers dotted in the same colours. A sweep of speed-ups and two layouts beside each other are lines,
too: the second panel is the ratio of the last series to the first."""

import math
from dataclasses import replace
from typing import Any, List, Sequence, Tuple

from ..figures.coincident import coincident
from ..figures.content import NO_BAR, Figure, Line
from ..figures.labels import RATIOS
from ..figures.looks import look_of
from ..figures.series import describe, variant_of
from ..figures.shapes import Panel, plot
from ..measurements.selection import of_how_many
from .drawn_lines import Lines
from .heat import PANELS
from .seen import GROWING, ORIGINAL, OURS, PUBLISHED, Gathered, Seen
from .series_table import rates_table, series_table
from .words import candidates, note_of

Y_LABELS = {"ms": "time (ms)", "ns": "time per pixel (ns)", "x": "speed-up (x)"}


def _parts(lines: Lines) -> List[Tuple[Sequence[Seen], str, str]]:
    """What each panel shows: the numbers, their unit, the title. A panel of one source draws it as ours."""
    seen, kind = lines.seen, lines.specification["panels"]
    quantities = lines.specification.words("value") or ["ms"]
    if kind == "who":
        theirs = next((one.name for one in seen if one.who == PUBLISHED), "")
        titles = {OURS: PANELS[OURS], PUBLISHED: PANELS[PUBLISHED].format(theirs)}
        found = [([replace(one, who=OURS) for one in seen if one.who == who], title) for who, title in titles.items()]
        return [(mine, quantities[0], title) for mine, title in found if mine]
    if kind in ("", "value"):
        return [(seen, quantity, "") for quantity in quantities]
    values = sorted({one.at[kind] for one in seen})
    return [([one for one in seen if one.at[kind] == value], quantities[0], f"K {value}") for value in values]


def _panels(lines: Lines) -> List[Panel]:
    """One panel, or one of each source, unit or value of a column; and that of the ratio, where there is one."""
    specification, parts = lines.specification, _parts(lines)
    labels = {**Y_LABELS, "x": f"speed-up (x)\nover {specification['over'].partition(':')[0]}"}
    if any(one.row and one.row.with_copies for one in lines.seen):
        labels["ms"] = "time with copies (ms)"
    ratio = specification["ratio"] not in ("", "of the table")
    log = specification["value"] != "x" or not lines.column
    found = [
        Panel(
            [*lines.lines(seen, quantity), *_diagonal(lines), *_levels(lines, quantity)],
            y=labels.get(quantity, quantity) * (specification["panels"] != "who" or place == 0),
            title=title,
            log_y=log,
            bottom=None if log else 0,
            **lines.axis_of(ratio or len(parts) > 1),
        )
        for place, (seen, quantity, title) in enumerate(parts)
    ]
    return [*found, _ratio(lines)] if ratio else found


def _diagonal(lines: Lines) -> List[Line]:
    """The speed-up that would be as large as the axis says."""
    places = sorted({lines.x(one) for one in lines.seen if one.who == OURS})
    words = lines.specification["diagonal"]
    return [Line(words, [(at, at, NO_BAR, False) for at in places], dashed=True)] if words else []


def _levels(lines: Lines, unit: str) -> List[Line]:
    """A published number without a place on the axis: a level."""
    places = sorted({lines.x(one) for one in lines.seen if one.who == OURS})
    return [
        Line("published best", [(x, one.ms, NO_BAR, False) for x in (places[0], places[-1])], dashed=True)
        for one in lines.gathered.of(PUBLISHED)
        if one.unit == unit and not lines.x(one) and len(places) > 1
    ]


def _ratio(lines: Lines) -> Panel:
    """The time of the last series over that of the first; `ratio = first`: of the first over the last."""
    first, last = lines.labels[0], lines.labels[-1]
    if lines.specification["ratio"] == "first":
        first, last = last, first
    shown, found = lines.labels[-1], []  # whose colour it has
    rows = {label: [one.row for one in lines.gathered.of(OURS, series=label)] for label in (first, last)}
    for who, words in ((OURS, ""), (PUBLISHED, ", published"), (ORIGINAL, ", original program")):
        over, under = ({lines.x(one): one for one in lines.gathered.of(who, series=name)} for name in (last, first))
        points = []
        for x in sorted(set(over) & set(under)):
            one, other = over[x], under[x]
            if one.unit in GROWING:  # of speed-ups, that of the other over that of the one
                one, other = other, one
            points.append((x, one.ms / other.ms, NO_BAR, one.is_noisy or other.is_noisy))
        found.append(Line(shown + words, points, beside=shown * bool(words), variant=variant_of(rows[shown][:1])))
    values = [1.0, *(y for line in found for _, y, *_ in line.points)]
    look = {"color": look_of(variant_of(rows[first][:1]))[0], "linestyle": "--"}
    ends = {"bottom": min(values) - 0.05, "top": max(values) + 0.05}
    y = f"{last} over {first}, time"
    return Panel(found, y=y, log_y=False, level=1, level_look=look, **ends, **lines.axis_of(True))


def _about(lines: Lines, panels: Sequence[Panel]) -> Tuple[List[Any], str, bool]:
    """The rows drawn, what the caption says beside them, and whether the figure has error bars."""
    gathered, specification = lines.gathered, lines.specification
    rows = [row for row in gathered.rows if any(one.row is row for one in lines.seen)]
    speed_ups = specification["value"] == "x"
    counts = {label: candidates(gathered, label) for label in gathered.series} if specification.has("best") else {}
    hidden = coincident(panels[0].lines) if speed_ups else ""
    more = [RATIOS] * speed_ups + [of_how_many(counts), note_of(gathered), hidden]
    return rows, " ".join(filter(None, more)), not speed_ups


def figure_of(gathered: Gathered) -> Figure:
    """The figure of lines."""
    lines, specification = Lines(gathered), gathered.specification
    panels = _panels(lines)
    rows, more, bars = _about(lines, panels)
    about = describe(rows, more, bars=bars, bases=gathered.bases)
    columns = 2 if len(panels) > 2 else 0
    height = 1.2 + 2.9 * math.ceil(len(panels) / 2) if columns else 4.0
    layout = {"sharey": True} if specification["panels"] == "who" else {}
    return plot(
        specification.figure, specification["caption"], specification["title"], about, panels, height, columns, **layout
    )


def lines(gathered: Gathered) -> List[Any]:
    """The figure and its table, or the one of the two that the artefact is."""
    specification = gathered.specification
    quantity = (specification.words("value") or ["ms"])[0]
    if all(one.value(quantity) is None for one in gathered.of(OURS)):
        if not gathered.of(OURS) or "lab=" in specification["over"]:
            return []
        return [
            series_table(gathered),
            f"There is no time of `{specification['over']}` of lab 01 for this job, so no speed-up.",
        ]
    if specification["every series"] and gathered.absent:
        return []
    kind = specification["table"]
    tables = [] if kind == "no" else [rates_table(gathered) if kind else series_table(gathered)]
    drawn = [] if specification["only"] == "table" else [figure_of(gathered)]
    return [*drawn, *(tables if specification["only"] != "figure" else [])]
