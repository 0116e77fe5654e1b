# SPDX-License-Identifier: MIT
"""The rules by which a published conclusion is judged.

They look at points: a DataFrame with a time at each place of an axis (`at`, and its `name`), its interval (`low`, `high`) and a
margin, by which two runs differ (0 of a published number). Two points differ if their intervals are further apart than the
larger margin; what they do not decide is undecided. No rule may fail on the report's own numbers: what the report calls best,
similar or growing is so for the rule.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from pandas import DataFrame

from report.make.plots.words import joined, number, percent

from ..measurements.selectors import matching

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided"
BY_CONSTRUCTION = "holds by construction"  # of our variants: it could not be otherwise
UNTESTED, MISSING = "cannot be tested here", "not measured"
STATED = "a number of one machine"  # no verdict
ALIKE = 0.05  # times that differ by less are similar, where the report names no two times that are
NEAR = 0.02  # a time that is longer by less may be called the best, and a step that is shorter is none
FULL = 0.90  # of the highest rate: where a rate has come to rest
PLACES = {
    "size": "{}",
    "width": "width {}",
    "ksize": "K {}",
    "block": "B {}",
    "threads": "{} threads",
    "block_threads": "{} threads per block",
}
UNSTATED = {"size": "a size", "ksize": "a filter"}
POINT = ["at", "name", "value", "low", "high", "margin", "bytes", "operations", "remark"]

Verdict = tuple[str, str]  # one of these, and the numbers that decide
Selector = dict[str, str]


def fitting(lines: DataFrame, selector: Selector) -> DataFrame:
    """What a selector means of lines that answer (conclusions.py): times without copies and no baseline, if it does not say
    otherwise."""
    return lines[matching(lines, {"time": "", "baseline": "", **selector})]


def along(lines: DataFrame, selector: Selector, axis: str) -> DataFrame:
    """The fastest point of the selected lines at each place of the axis. A published number may be at no place."""
    rows = fitting(lines, selector)
    stated = rows[axis].astype(bool)
    rows = rows[rows["ms"].notna() & (stated | rows["published"])]
    unstated = f"{UNSTATED.get(axis, axis)} that is not stated"
    names = [PLACES[axis].format(value) if value else unstated for value in rows[axis]]
    points = rows.assign(at=rows["pixels" if axis == "size" else axis].astype(float), name=names, value=rows["ms"])
    return points.sort_values(["at", "value"], kind="stable").drop_duplicates("at")[POINT]


def ratios(first: DataFrame, second: DataFrame) -> DataFrame:
    """Time of the second over time of the first, where both were measured."""
    both = second.merge(first, on="at", suffixes=("", "_first"))
    return both.assign(
        value=both["value"] / both["value_first"],
        low=both["low"] / both["high_first"],
        high=both["high"] / both["low_first"],
        margin=both[["margin", "margin_first"]].max(axis=1),
    )


def rates(amount: str, points: DataFrame, others: DataFrame) -> DataFrame:
    """GB/s or Gflop/s of times."""
    return points.assign(
        value=points[amount] / points["value"] / 1e6,
        low=points[amount] / points["high"] / 1e6,
        high=points[amount] / points["low"] / 1e6,
    )


def remarks(*points: DataFrame) -> str:
    """What is to be known of these points, each once."""
    texts = dict.fromkeys(remark for some in points for remark in some["remark"] if remark)
    return "".join(f"; {remark}" for remark in texts)


def below(point: Any, other: Any, by: float = 0.0) -> bool:
    """Whether a point is surely less than the other: by more than this share, their intervals and the margin allowed for."""
    return point.high * (1 + max(point.margin, other.margin)) * (1 + by) < other.low


def at_most(point: Any, other: Any, by: float = 0.0) -> bool:
    """Whether a point is surely not more than the other, or by this share at most."""
    return point.high * (1 + max(point.margin, other.margin)) <= other.low * (1 + by)


class Quantity(NamedTuple):
    """What a rule looks at: the time, or what is made of it."""

    unit: str
    of: Callable[[DataFrame, DataFrame], DataFrame] = lambda points, others: points
    two: bool = False  # of two selectors


TIME = Quantity(" ms")
RATIO = Quantity("x", ratios, two=True)
BYTES = Quantity(" GB/s", partial(rates, "bytes"))
OPERATIONS = Quantity(" Gflop/s", partial(rates, "operations"))


class Question(NamedTuple):
    """What a rule is asked: two selectors along an axis, the places or limits that the conclusion names, and the lines that
    answer: of the variants, of the original or of the report."""

    lines: DataFrame
    axis: str
    first: Selector
    other: Selector
    values: Sequence[float] = ()

    def points(self, selector: Selector) -> DataFrame:
        return along(self.lines, selector, self.axis)

    @property
    def reason(self) -> str:
        """Why the first selector's job is not supported."""
        return next(filter(None, fitting(self.lines, self.first)["reason"]), "")


class Rule(NamedTuple):
    """A test of a quantity at the places of an axis."""

    quantity: Quantity
    test: Callable[[DataFrame, str, Sequence[float]], Verdict]
    places: int = 1  # that it needs

    def __call__(self, asked: Question) -> Verdict:
        points = asked.points(asked.first)
        others = asked.points(asked.other) if self.quantity.two else points[:0]
        if points.empty:
            return (FAILS, f"unsupported: {asked.reason}") if asked.reason else (MISSING, "")
        if self.quantity.two:
            points = points[points["at"].isin(others["at"])]
        if points.empty:
            return MISSING, "no place on the axis where both were timed"
        if len(points) < self.places:
            return MISSING, f"timed at {points['name'].iloc[0]} only"
        kind, words = self.tested(points, others, asked.values)
        return kind, words + remarks(points, others)

    def tested(self, points: DataFrame, others: DataFrame, values: Sequence[float]) -> Verdict:
        """The verdict on points; `least` and `most` are the ends of what another run may give."""
        of = self.quantity.of(points, others)
        of = of.assign(least=of["low"] / (1 + of["margin"]), most=of["high"] * (1 + of["margin"]))
        return self.test(of, self.quantity.unit, values)


def _span(points: DataFrame, unit: str) -> str:
    """ "1.06 at 480p to 1.21 at 8k", of the first and the last."""
    ends = points.iloc[[0, -1][: len(points)]]
    return " to ".join(f"{number(point.value)}{unit} at {point.name}" for point in ends.itertuples())


def faster(points: DataFrame, unit: str, values: Sequence[float]) -> Verdict:
    won = int((points["least"] > 1).sum())
    lost = points.loc[points["most"] < 1, "name"]
    if won == len(points):
        return HOLDS, _span(points, unit)
    words = f"{_span(points, unit)}; faster at {won} of {len(points)}"
    return (FAILS, words + f", slower at {', '.join(lost)}") if len(lost) else (UNDECIDED, words)


def similar(points: DataFrame, unit: str, values: Sequence[float]) -> Verdict:
    words, limit = _span(points, unit), max([*values, 1 + ALIKE])
    if ((1 / limit <= points["least"]) & (points["most"] <= limit)).all():
        return HOLDS, words
    apart = ((points["least"] > limit) | (points["most"] < 1 / limit)).any()
    return (FAILS if apart else UNDECIDED), words


def trend(points: DataFrame, unit: str, values: Sequence[float], up: bool = True, whole: bool = True) -> Verdict:
    """The last point is above the first, or below it; with whole, no step goes the other way by more than NEAR and the
    margin, whatever the intervals say."""
    every = list(points.itertuples())
    low, high = (every[0], every[-1]) if up else (every[-1], every[0])
    turns = []
    for a, b in zip(every, every[1:]):
        near = 1 + max(NEAR, a.margin, b.margin)
        if b.value * near < a.value if up else b.value > a.value * near:
            turns.append(f"from {a.name} to {b.name}")
    words = _span(points, unit) + (f"; {'falls' if up else 'rises'} {joined(turns)}" if turns else "")
    if below(high, low):
        return FAILS, words
    return (HOLDS if below(low, high) and not (whole and turns) else UNDECIDED), words


def best(points: DataFrame, unit: str, values: Sequence[float], largest: bool = False) -> Verdict:
    """The best of the named places is the best of all; of several named ones, one is enough."""
    ordered = points.sort_values("value", kind="stable", ascending=not largest)
    is_named = ordered["at"].isin(values)
    named, others = (list(some.itertuples()) for some in (ordered[is_named], ordered[~is_named]))
    if not named or not others:
        return MISSING, "what the report names as best was not measured" if others else "nothing else was measured"
    here, top = named[0], next(ordered.itertuples())
    words = ", ".join(f"{number(point.value)}{unit} at {point.name}" for point in dict.fromkeys([here, top]))
    if any(below(here, point, NEAR) if largest else below(point, here, NEAR) for point in others):
        return FAILS, words
    sure = all(at_most(point, here, NEAR) if largest else at_most(here, point, NEAR) for point in others)
    return (HOLDS if sure else UNDECIDED), words


def best_at_end(points: DataFrame, unit: str, values: Sequence[float]) -> Verdict:
    return best(points, unit, [points["at"].iloc[-1]])


def saturates(points: DataFrame, unit: str, values: Sequence[float]) -> Verdict:
    top = points["value"].max()
    before, after = points[points["at"] < values[0]], points[points["at"] >= values[-1]]
    if before.empty or after.empty:
        return MISSING, "points on one side only"
    most, least = before["value"].max(), after["value"].min()
    words = f"before {percent(most / top)} of the highest, after at least {percent(least / top)}"
    if (after["least"] >= FULL * top).all() and (before["most"] < FULL * top).all():
        return HOLDS, words
    decided = (after["most"] < FULL * top).any() or (before["least"] > FULL * top).any()
    return (FAILS if decided else UNDECIDED), words


def the_most(points: DataFrame, unit: str, values: Sequence[float], least: bool = False) -> Verdict:
    """No verdict but a number, for what a report states of its machine."""
    row = points.sort_values("value", kind="stable", ascending=least).iloc[0]
    return STATED, f"{number(row['value'])}{unit} at {row['name']}"


# a and b are the two selectors, a ratio is the time of b over that of a. A trend that has a step the other way of more than
# 2 % and the margin is undecided.
TIMES: dict[str, Rule] = {
    "faster": Rule(RATIO, faster),  # a takes less time than b at every point
    "gain_grows": Rule(RATIO, trend, 2),  # the ratio is larger at the end of the axis than at its start
    "gain_larger": Rule(RATIO, partial(trend, whole=False), 2),  # the same, whatever is between the ends
    "gain_best_at": Rule(RATIO, partial(best, largest=True), 2),  # the ratio is largest at this place
    # The times differ by less than a factor at every point: the factor of the two times that the report calls similar; if it
    # prints none, or a smaller one, 1.05.
    "similar": Rule(RATIO, similar),
    "time_grows": Rule(TIME, trend, 2),
    "time_falls": Rule(TIME, partial(trend, up=False), 2),
    "flops_grow": Rule(OPERATIONS, trend, 2),
    "bandwidth_falls": Rule(BYTES, partial(trend, up=False), 2),
    # Before the first place below 90 % of the highest rate, from the second on not.
    "saturates": Rule(BYTES, saturates),
    # No time is shorter than that at this place by more than 2 % (as in ariano2023's Tables 2 and 3); it fails if one surely is.
    "best_at": Rule(TIME, best, 2),
    "best_at_end": Rule(TIME, best_at_end, 2),
    "highest_gain": Rule(RATIO, the_most),
    "highest_bandwidth": Rule(BYTES, the_most),
    "highest_flops": Rule(OPERATIONS, the_most),
    "shortest_time": Rule(TIME, partial(the_most, least=True)),
}
NUMBERS = ("highest_gain", "highest_bandwidth", "highest_flops", "shortest_time")
