# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The shape `lines`: a number by an axis, a line for each series or for each value of a column; ours solid, the report's own
program and the published numbers dotted in the same colours. A sweep of speed-ups and two layouts beside each other are lines,
too: the second panel is the ratio of the last series to the first."""

import math
from typing import Any, Dict, List, Sequence, Tuple

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
from .series_table import labelled, rates_table, series_table
from .words import candidates, note_of

Y_LABELS = {"ms": "time (ms)", "ns": "time per pixel (ns)", "x": "speed-up (x)"}


def _panels(lines: Lines) -> List[Panel]:
    """One panel, or one of each source, unit or value of a column."""
    specification, seen = lines.specification, lines.seen
    quantities = specification.words("value") or ["ms"]
    kind, over = specification["panels"], specification["over"].partition(":")[0]
    labels = {**Y_LABELS, "x": f"speed-up (x)\nover {over}"}
    if any(one.row and one.row.with_copies for one in seen):
        labels["ms"] = "time with copies (ms)"
    log = quantities[0] != "x" or not lines.column
    bottom = None if log else 0
    if kind == "who":
        theirs = [one for one in seen if one.who == PUBLISHED]
        titles = {OURS: PANELS[OURS], PUBLISHED: PANELS[PUBLISHED].format(theirs[0].name if theirs else "")}
        return [
            Panel(
                _as_ours(lines, who, quantities[0]),
                y=labels[quantities[0]] * (who == OURS),
                title=title,
                **lines.axis_of(True),
            )
            for who, title in titles.items()
            if any(one.who == who for one in seen)
        ]
    if kind == "value":
        return [
            Panel([*lines.lines(seen, unit), *_levels(lines, unit)], y=unit, **lines.axis_of(True))
            for unit in quantities
        ]
    if kind:
        return [
            Panel(
                lines.lines([one for one in seen if one.at[kind] == value], quantities[0]),
                y=quantities[0],
                title=f"K {value}",
                title_size=10,
                **lines.axis_of(True),
            )
            for value in sorted({one.at[kind] for one in seen})
        ]
    ratio = specification["ratio"] not in ("", "of the table")
    first = [*lines.lines(seen, quantities[0]), *_diagonal(lines)]
    panel = Panel(first, y=labels[quantities[0]], log_y=log, bottom=bottom, **lines.axis_of(ratio))
    return [panel, _ratio(lines)] if ratio else [panel]


def _as_ours(lines: Lines, who: str, quantity: str) -> List[Line]:
    """The lines of one source in a panel of its own."""
    return [
        Line(
            label,
            lines.points([one for one in lines.gathered.of(who) if labelled(one, lines.column) == label], quantity),
        )
        for label in lines.labels
    ]


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
        if one.unit == unit and len(places) > 1
    ]


def _ratio(lines: Lines) -> Panel:
    """The time of the last series over that of the first; `ratio = first`: of the first over the last."""
    first, last = lines.labels[0], lines.labels[-1]
    if lines.specification["ratio"] == "first":
        first, last = last, first
    shown = lines.labels[-1]  # whose colour it has
    variants = {label: variant_of(_rows(lines, label)[:1]) for label in (first, last)}
    found = []
    for who, words in ((OURS, ""), (PUBLISHED, ", published"), (ORIGINAL, ", original program")):
        pairs = [_by_place(lines, who, label) for label in (last, first)]
        points = [
            (
                x,
                _time_over(pairs[0][x], pairs[1][x]),
                NO_BAR,
                who == OURS and (pairs[0][x].is_noisy or pairs[1][x].is_noisy),
            )
            for x in sorted(set(pairs[0]) & set(pairs[1]))
        ]
        found.append(Line(shown + words, points, beside=shown * bool(words), variant=variants[shown]))
    values = [y for line in found for _, y, *_ in line.points]
    look = {"color": look_of(variants[first])[0], "linestyle": "--"}
    return Panel(
        found,
        y=f"{last} over {first}, time",
        log_y=False,
        level=1,
        level_look=look,
        bottom=min(1, *values) - 0.05,
        top=max(1, *values) + 0.05,
        **lines.axis_of(True),
    )


def _time_over(one: Seen, other: Seen) -> float:
    """Of speed-ups, that of the other over that of the one."""
    return other.ms / one.ms if one.unit in GROWING else one.ms / other.ms


def _rows(lines: Lines, label: str) -> List[Any]:
    return [one.row for one in lines.gathered.of(OURS, series=label)]


def _by_place(lines: Lines, who: str, label: str) -> Dict[float, Seen]:
    return {lines.x(one): one for one in lines.gathered.of(who, series=label)}


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
    tables = [] if kind == "no" else [rates_table(gathered, kind) if kind else series_table(gathered)]
    drawn = [] if specification["only"] == "table" else [figure_of(gathered)]
    return [*drawn, *(tables if specification["only"] != "figure" else [])]
