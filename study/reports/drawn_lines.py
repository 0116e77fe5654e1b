# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The points, lines and x axis of the shape `lines`."""

from typing import Any, Dict, List, Sequence

from ..figures.content import Line
from ..figures.series import variant_of
from .seen import ORIGINAL, OURS, PUBLISHED, Gathered, Seen, best_of, fits
from .series_table import labelled, power

MANY, CROWDED = 10, 6  # places of an axis: more are not all named; more are slanted
LOGARITHMIC = ("width", "pixels")
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Lines:
    """What all panels of one figure share."""

    def __init__(self, gathered: Gathered):
        self.gathered, self.specification = gathered, gathered.specification
        self.axis, self.words = self.specification.axis("x")
        self.column = self.specification["line"]
        self.plain = bool(self.column) or self.specification.has("best")  # lines that are no variants
        self.pixels = {name: pixels for pixels, name in gathered.sizes}
        drawn = self.specification["drawn"].split("=")
        self.seen = [
            one for one in gathered.seen if not (drawn[1:] and one.row and not fits(one.row.text, dict([drawn])))
        ]

    def x(self, one: Seen) -> float:
        """Where a number is on the axis."""
        return self.pixels.get(one.at["size"], 0) if self.axis == "size" else one.at[self.axis] or 0

    @property
    def labels(self) -> List[str]:
        """The lines, large sizes first."""
        found = list(dict.fromkeys(labelled(one, self.column) for one in self.seen if one.who == OURS))
        return sorted(found, key=lambda name: -self.pixels[name]) if self.column == "size" else found

    def points(self, seen: Sequence[Seen], quantity: str) -> List[Any]:
        """The points of one line; of several numbers at a place the best."""
        there: Dict[float, List[Seen]] = {}
        for one in seen:
            if one.value(quantity) is not None and self.x(one):
                there.setdefault(self.x(one), []).append(one)
        best = {x: best_of(same, quantity) for x, same in there.items()}
        return [(x, one.value(quantity), one.bars(quantity), one.is_noisy) for x, one in sorted(best.items()) if one]

    def lines(self, seen: Sequence[Seen], quantity: str) -> List[Line]:
        """Ours, then those of the program and the published ones; a published number alone is a star."""
        found: Dict[str, List[Line]] = {who: [] for who in (OURS, PUBLISHED, ORIGINAL)}
        for label in self.labels:
            for who in found:
                same = [one for one in seen if one.who == who and labelled(one, self.column) == label]
                points = self.points(same, quantity)
                if who == OURS:
                    rows = [one.row for one in same if one.row]
                    found[who].append(Line(label, points, variant="" if self.plain else variant_of(rows[:1])))
                elif points and who == PUBLISHED and len(points) == 1:
                    found[who].append(Line(f"{label}, published", points, dashed=True))
                elif points:
                    words = "published" if who == PUBLISHED else "original program"
                    found[who].append(Line(f"{label}, {words}", points, beside=label))
        return sum(found.values(), [])

    def axis_of(self, narrow: bool) -> Dict[str, Any]:
        """The x axis of a panel. narrow: of several beside each other."""
        if self.axis == "size":
            return {"sizes": self.gathered.sizes, "slanted": narrow}
        places = sorted({self.x(one) for one in self.seen if self.x(one)})
        if self.axis == "pixels":
            base = {place: power(int(place)).partition("^") for place in places[::2]}
            words = {place: name + raised.translate(RAISED) for place, (name, _, raised) in base.items()}
            return {"x": "elements per channel", "log_x": 2, "ticks": words}
        shown = places[:: 1 + (narrow and len(places) > MANY)]
        log = 2 if self.axis in LOGARITHMIC else 0
        ticks = {place: f"{place:g}" for place in shown}
        return {
            "x": self.words,
            "log_x": log,
            "ticks": ticks,
            "slanted": len(shown) > (CROWDED if log or narrow else MANY),
        }
