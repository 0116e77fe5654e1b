# SPDX-License-Identifier: MIT
"""The shape `lines`: a number by an axis, a line for each series or for each value of a column; variants solid, the report's own
program and the published numbers dotted in the same colours. Speed-ups over the first series have a level for that one."""

import math
from typing import Any, Dict, List, Sequence, Tuple

from pandas import DataFrame

from ..figures.content import MANY as DOTS
from ..figures.content import NO_BAR, RATIOS, Figure, Line, Panel, plot
from ..figures.drawing import look_of
from ..figures.series import describe, variant_of
from ..measurements.results import of_how_many
from ..measurements.selectors import matching
from .gather import ORIGINAL, OURS, PUBLISHED, Gathered, best_each, in_unit
from .heat import PANELS, short
from .specification import FIRST
from .tables import labels_of, power, series_table

MANY, CROWDED = 10, 6  # places of an axis: more are not all named; more are slanted
LOGARITHMIC = ("width", "pixels")
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
Y_LABELS = {"ms": "time (ms)", "ns": "time per pixel (ns)"}


class _Lines:
    """What all panels of one figure share. `seen` has a `label` for each line, and `x` on the axis, 0 where there is no place."""

    def __init__(self, gathered: Gathered):
        self.gathered, self.specification = gathered, gathered.specification
        self.axis, self.words = self.specification.axis("x")
        self.column = self.specification["line"]
        self.pixels = {name: pixels for pixels, name in gathered.sizes}
        seen = gathered.seen
        name, _, value = self.specification["drawn"].partition("=")
        if name:
            drawn = gathered.results.every.index[matching(gathered.results.every, {name: value})]
            seen = seen[(seen["order"] < 0) | seen["order"].isin(drawn)]
        x = seen["size"].map(self.pixels).fillna(0) if self.axis == "size" else seen[self.axis]
        self.seen = seen.assign(label=labels_of(seen, self.column), x=x.astype(int))
        mine = self.of(OURS)
        labels = list(mine["label"].unique())
        self.labels = sorted(labels, key=lambda name: -self.pixels[name]) if self.column == "size" else labels
        self.places = sorted(mine["x"].unique())
        self.rows = gathered.rows[gathered.rows.index.isin(mine["order"])]

    def of(self, who: str) -> DataFrame:
        return self.seen[self.seen["who"] == who]

    def variant(self, label: str) -> str:
        """Whose colour a line of our rows has; nothing if it is of a column, or the best of several variants."""
        mine = self.of(OURS)
        rows = self.gathered.results.every.loc[mine.loc[mine["series"] == label, "order"]]
        return "" if self.column else variant_of(rows if self.specification.has("best") else rows[:1])

    def points(self, seen: DataFrame, quantity: str) -> List[Any]:
        """The points of one line; of several numbers at a place the best."""
        there = best_each(seen[seen["x"] > 0], quantity, ["x"]).sort_values("x")
        return [(one.x, one.value, (one.low, one.high), one.is_noisy) for one in there.itertuples()]

    def lines(self, seen: DataFrame, quantity: str) -> List[Line]:
        """Ours, then those of the program and the published ones; a published number alone is a star."""
        found: Dict[str, List[Line]] = {who: [] for who in (OURS, PUBLISHED, ORIGINAL)}
        for label in self.labels:
            for who in found:
                points = self.points(seen[(seen["who"] == who) & (seen["label"] == label)], quantity)
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
        ends = sorted({self.places[0], self.places[-1]})
        theirs = self.of(PUBLISHED)
        alone = theirs.loc[(theirs["unit"] == unit) & (theirs["x"] == 0), "ms"]
        return [line for value in alone for line in self.across("published", [(x, value) for x in ends])]

    def axis_of(self, seen: DataFrame, narrow: bool) -> Dict[str, Any]:
        """The x axis of a panel. narrow: of several beside each other."""
        if self.axis == "size":
            return {"sizes": self.gathered.sizes, "slanted": narrow}
        places = sorted(set(seen["x"]) - {0})
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

    def parts(self) -> List[Tuple[DataFrame, str, str]]:
        """What each panel shows: the numbers, their unit, the title. A panel of one source draws it as the variants' lines."""
        kind, quantities = self.specification["panels"], self.specification.words("value") or ["ms"]
        if kind == "who":
            theirs = next(map(short, self.of(PUBLISHED)["name"]), "")
            found = [(self.of(who).assign(who=OURS), title.format(theirs)) for who, title in PANELS.items()]
            return [(mine, quantities[0], title) for mine, title in found if len(mine)]
        if kind.startswith("from "):
            large = self.seen[self.seen["x"] >= float(kind[5:])]
            return [(self.seen, quantities[0], ""), (large, quantities[0], f"{kind} on")]
        if kind in ("", "value"):
            return [(self.seen, quantity, "") for quantity in quantities]
        named = "K {}" if kind == "ksize" else "{}"
        return [(same, quantities[0], named.format(value)) for value, same in self.seen.groupby(kind)]


def _panels(lines: _Lines) -> List[Panel]:
    """One panel, or one of each source, unit or value of a column."""
    specification, parts = lines.specification, lines.parts()
    labels = {**Y_LABELS, "x": f"speed-up (x)\nover {lines.gathered.base_name}"}
    if lines.rows["with_copies"].any():
        labels["ms"] = "time with copies (ms)"
    found = []
    for place, (seen, quantity, title) in enumerate(parts):
        over_first = quantity == "x" and specification["over"] == FIRST
        if over_first:
            seen = seen[seen["series"] != lines.labels[0]]
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
    counts = {label: gathered.candidates(label) for label in gathered.series} if specification.has("best") else {}
    ratios = specification["value"] == "x"
    more = " ".join(filter(None, [RATIOS] * ratios + [of_how_many(counts), gathered.note]))
    about = describe(lines.rows, more, bars=not ratios and len(lines.places) <= DOTS, bases=gathered.bases)
    columns = 2 if len(panels) > 2 else 0
    height = 1.2 + 2.9 * math.ceil(len(panels) / 2) if columns else 4.0
    layout = {"sharey": True} if specification["panels"] == "who" else {"legend": -1}
    texts = specification.figure, specification["caption"], specification["title"]
    return plot(*texts, about, panels, height, columns, **layout)


def lines(gathered: Gathered) -> List[Any]:
    """The figure and its table, or the one of the two that the artefact is."""
    specification = gathered.specification
    quantity = (specification.words("value") or ["ms"])[0]
    mine = gathered.of(OURS)
    if (specification["every series"] and gathered.absent) or not _Lines(gathered).places:
        return []
    if in_unit(mine, quantity).isna().all():
        if mine.empty or specification["over"] == FIRST or ": " in specification["over"]:
            return []
        words = f"There is no time of `{specification['over']}` of lab 01 for this job, so no speed-up."
        return [series_table(gathered), words]
    tables = [] if specification["table"] == "no" else [series_table(gathered)]
    drawn = [] if specification["only"] == "table" else [figure_of(gathered)]
    return [*drawn, *(tables if specification["only"] != "figure" else [])]
