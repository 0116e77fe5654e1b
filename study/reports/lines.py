# SPDX-License-Identifier: MIT
"""The shape `lines`: a number by an axis, a line for each series or for each value of a column; variants solid, the report's own
program and the published numbers dotted in the same colours. Speed-ups over the first series have a level for that one."""

import math
from dataclasses import replace
from typing import Any, Dict, List, Sequence, Tuple

from ..figures.content import MANY as DOTS
from ..figures.content import NO_BAR, RATIOS, Figure, Line, Panel, grouped, plot
from ..figures.looks import look_of
from ..figures.series import describe, variant_of
from ..measurements.points import fits
from ..measurements.results import of_how_many
from .heat import PANELS, short
from .seen import ORIGINAL, OURS, PUBLISHED, Gathered, Seen, best_of
from .specification import FIRST
from .tables import labelled, power, series_table

MANY, CROWDED = 10, 6  # places of an axis: more are not all named; more are slanted
LOGARITHMIC = ("width", "pixels")
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
Y_LABELS = {"ms": "time (ms)", "ns": "time per pixel (ns)"}


class _Lines:
    """What all panels of one figure share."""

    def __init__(self, gathered: Gathered):
        self.gathered, self.specification = gathered, gathered.specification
        self.axis, self.words = self.specification.axis("x")
        self.column = self.specification["line"]
        self.pixels = {name: pixels for pixels, name in gathered.sizes}
        drawn = self.specification["drawn"].split("=")
        self.seen = [
            one for one in gathered.seen if not (drawn[1:] and one.row and not fits(one.row.text, dict([drawn])))
        ]
        ours = dict.fromkeys(labelled(one, self.column) for one in self.seen if one.who == OURS)
        self.labels = sorted(ours, key=lambda name: -self.pixels[name]) if self.column == "size" else list(ours)
        self.places = sorted({self.x(one) for one in self.seen if one.who == OURS})

    def x(self, one: Seen) -> float:
        """Where a number is on the axis."""
        return self.pixels.get(one.at["size"], 0) if self.axis == "size" else one.at[self.axis] or 0

    def variant(self, label: str) -> str:
        """Whose colour a line of our rows has; nothing if it is of a column, or the best of several variants."""
        rows = [one.row for one in self.seen if one.row and one.series == label]
        return "" if self.column else variant_of(rows if self.specification.has("best") else rows[:1])

    def points(self, seen: Sequence[Seen], quantity: str) -> List[Any]:
        """The points of one line; of several numbers at a place the best."""
        there = [one for one in seen if one.value(quantity) is not None and self.x(one)]
        best = {x: best_of(same, quantity) for x, same in grouped(there, self.x).items()}
        return [(x, one.value(quantity), one.bars(quantity), one.is_noisy) for x, one in sorted(best.items()) if one]

    def lines(self, seen: Sequence[Seen], quantity: str) -> List[Line]:
        """Ours, then those of the program and the published ones; a published number alone is a star."""
        found: Dict[str, List[Line]] = {who: [] for who in (OURS, PUBLISHED, ORIGINAL)}
        for label in self.labels:
            for who in found:
                same = [one for one in seen if one.who == who and labelled(one, self.column) == label]
                points = self.points(same, quantity)
                if who == OURS:
                    found[who].append(Line(label, points, variant=self.variant(label)))
                elif points and who == PUBLISHED and len(points) == 1:
                    found[who].append(Line(f"{label}, published", points, dashed=True))
                elif points:
                    words = "published" if who == PUBLISHED else "original program"
                    found[who].append(Line(f"{label}, {words}", points, beside=label))
        return sum(found.values(), [])

    def across(self, words: str, points: Sequence[Tuple[float, float]]) -> List[Line]:
        """A line for comparison."""
        return [Line(words, [(x, y, NO_BAR, False) for x, y in points], dashed=True)] * (len(points) > 1)

    def levels(self, unit: str) -> List[Line]:
        """A published number without a place on the axis."""
        ends = (self.places[0], self.places[-1])
        alone = [one for one in self.gathered.of(PUBLISHED) if one.unit == unit and not self.x(one)]
        return [line for one in alone for line in self.across("published", [(x, one.ms) for x in sorted(set(ends))])]

    def axis_of(self, seen: Sequence[Seen], narrow: bool) -> Dict[str, Any]:
        """The x axis of a panel. narrow: of several beside each other."""
        if self.axis == "size":
            return {"sizes": self.gathered.sizes, "slanted": narrow}
        places = sorted({self.x(one) for one in seen if self.x(one)})
        if len(places) > 4 * MANY:
            return {"x": self.words}
        if self.axis == "pixels":
            base = {place: power(int(place)).partition("^") for place in places[::2]}
            words = {place: name + raised.translate(RAISED) for place, (name, _, raised) in base.items()}
            return {"x": "elements per channel", "log_x": 2, "ticks": words}
        shown = places[:: 1 + (narrow and len(places) > MANY)]
        log = 2 if self.axis in LOGARITHMIC else 0
        slanted = len(shown) > (CROWDED if log or narrow else MANY)
        return {"x": self.words, "log_x": log, "ticks": {at: f"{at:g}" for at in shown}, "slanted": slanted}

    def parts(self) -> List[Tuple[Sequence[Seen], str, str]]:
        """What each panel shows: the numbers, their unit, the title. A panel of one source draws it as the variants' lines."""
        kind, quantities = self.specification["panels"], self.specification.words("value") or ["ms"]
        if kind == "who":
            theirs = next((short(one.name) for one in self.seen if one.who == PUBLISHED), "")
            titles = {who: title.format(theirs) for who, title in PANELS.items()}
            found = [
                ([replace(one, who=OURS) for one in self.seen if one.who == who], title)
                for who, title in titles.items()
            ]
            return [(mine, quantities[0], title) for mine, title in found if mine]
        if kind.startswith("from "):
            large = [one for one in self.seen if self.x(one) >= float(kind[5:])]
            return [(self.seen, quantities[0], ""), (large, quantities[0], f"{kind} on")]
        if kind in ("", "value"):
            return [(self.seen, quantity, "") for quantity in quantities]
        values, named = sorted({one.at[kind] for one in self.seen}), "K {}" if kind == "ksize" else "{}"
        return [
            ([one for one in self.seen if one.at[kind] == value], quantities[0], named.format(value))
            for value in values
        ]


def _panels(lines: _Lines) -> List[Panel]:
    """One panel, or one of each source, unit or value of a column."""
    specification, parts = lines.specification, lines.parts()
    labels = {**Y_LABELS, "x": f"speed-up (x)\nover {lines.gathered.base_name}"}
    if any(one.row and one.row.with_copies for one in lines.seen):
        labels["ms"] = "time with copies (ms)"
    found = []
    for place, (seen, quantity, title) in enumerate(parts):
        over_first = quantity == "x" and specification["over"] == FIRST
        if over_first:
            seen = [one for one in seen if one.series != lines.labels[0]]
        linear = over_first or (quantity == "x" and bool(lines.column)) or title.startswith("from ")
        drawn = lines.lines(seen, quantity)
        if specification["diagonal"]:  # the speed-up that would be as large as the axis says
            drawn += lines.across(specification["diagonal"], [(at, at) for at in lines.places])
        look = {"color": look_of(lines.variant(lines.labels[0]))[0], "linestyle": "--"} if over_first else {}
        panel = Panel(
            [*drawn, *lines.levels(quantity)],
            y=labels.get(quantity, quantity) * (specification["panels"] != "who" or place == 0),
            title=title,
            log_y=not linear,
            bottom=0 if linear and lines.column else None,
            level=1 if over_first else None,
            **lines.axis_of(seen, len(parts) > 1),
        )
        panel.level_look = {**panel.level_look, **look}
        found.append(panel)
    return found


def figure_of(gathered: Gathered) -> Figure:
    """The figure of lines."""
    lines, specification = _Lines(gathered), gathered.specification
    panels = _panels(lines)
    rows = [row for row in gathered.rows if any(one.row is row for one in lines.seen)]
    counts = {label: gathered.candidates(label) for label in gathered.series} if specification.has("best") else {}
    ratios = specification["value"] == "x"
    more = [RATIOS] * ratios + [of_how_many(counts), gathered.note]
    about = describe(
        rows, " ".join(filter(None, more)), bars=not ratios and len(lines.places) <= DOTS, bases=gathered.bases
    )
    columns = 2 if len(panels) > 2 else 0
    height = 1.2 + 2.9 * math.ceil(len(panels) / 2) if columns else 4.0
    layout = {"sharey": True} if specification["panels"] == "who" else {"legend": -1}
    texts = specification.figure, specification["caption"], specification["title"]
    return plot(*texts, about, panels, height, columns, **layout)


def lines(gathered: Gathered) -> List[Any]:
    """The figure and its table, or the one of the two that the artefact is."""
    specification = gathered.specification
    quantity = (specification.words("value") or ["ms"])[0]
    if (specification["every series"] and gathered.absent) or not _Lines(gathered).places:
        return []
    if all(one.value(quantity) is None for one in gathered.of(OURS)):
        if not gathered.of(OURS) or specification["over"] == FIRST or ": " in specification["over"]:
            return []
        return [
            series_table(gathered),
            f"There is no time of `{specification['over']}` of lab 01 for this job, so no speed-up.",
        ]
    tables = [] if specification["table"] == "no" else [series_table(gathered)]
    drawn = [] if specification["only"] == "table" else [figure_of(gathered)]
    return [*drawn, *(tables if specification["only"] != "figure" else [])]
