# SPDX-License-Identifier: MIT
"""The rules by which a published conclusion is judged.

A point is a time with an interval and a margin (points.py). Two points differ if their intervals are further apart than the
margin; what they do not decide is undecided. No rule may fail on the report's own numbers: what the report calls best,
similar or growing is so for the rule.
"""

from dataclasses import dataclass
from functools import partial
from typing import Callable, Dict, List, NamedTuple, Sequence, Tuple

from ..figures.content import joined, number, percent
from ..measurements.points import Asked, Point, ratios, remarks

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided"
BY_CONSTRUCTION = "holds by construction"  # of our variants: it could not be otherwise
UNTESTED, MISSING = "cannot be tested here", "not measured"
STATED = "a number of one machine"  # no verdict
ALIKE = 0.05  # times that differ by less are similar, where the report names no two times that are
NEAR = 0.02  # a time that is longer by less may be called the best, and a step that is shorter is none
FULL = 0.90  # of the highest rate: where a rate has come to rest

Verdict = Tuple[str, str]  # one of these, and the numbers that decide
Points = List[Point]


class Quantity(NamedTuple):
    """What a rule looks at: the time, or what is made of it."""

    unit: str
    of: Callable[[Points, Points], Points] = lambda points, others: points
    two: bool = False  # of two selectors


TIME = Quantity(" ms")
RATIO = Quantity("x", ratios, two=True)
BYTES = Quantity(" GB/s", lambda points, others: [point.rate(point.bytes) for point in points])
OPERATIONS = Quantity(" Gflop/s", lambda points, others: [point.rate(point.operations) for point in points])
Test = Callable[[Points, str, Sequence[float]], Verdict]


@dataclass(frozen=True)
class Rule:
    """A test of a quantity at the places of an axis."""

    quantity: Quantity
    test: Test
    places: int = 1  # that it needs

    def __call__(self, asked: Asked) -> Verdict:
        points, others = asked.points(asked.first), []
        if not points:
            return (FAILS, f"unsupported: {asked.reason}") if asked.reason else (MISSING, "")
        if self.quantity.two:
            others = asked.points(asked.other)
            points = [point for point in points if point.at in {there.at for there in others}]
        if not points:
            return MISSING, "no place on the axis where both were timed"
        if len(points) < self.places:
            return MISSING, f"timed at {points[0].name} only"
        kind, words = self.test(self.quantity.of(points, others), self.quantity.unit, asked.values)
        return kind, words + remarks([*points, *others])


def _span(points: Points, unit: str) -> str:
    """ "1.06 at 480p to 1.21 at 8k", of the first and the last."""
    ends = points[:1] if len(points) == 1 else [points[0], points[-1]]
    return " to ".join(f"{number(point.value)}{unit} at {point.name}" for point in ends)


def faster(points: Points, unit: str, values: Sequence[float]) -> Verdict:
    won = sum(point.least > 1 for point in points)
    lost = [point.name for point in points if point.most < 1]
    if won == len(points):
        return HOLDS, _span(points, unit)
    words = f"{_span(points, unit)}; faster at {won} of {len(points)}"
    return (FAILS, words + f", slower at {', '.join(lost)}") if lost else (UNDECIDED, words)


def similar(points: Points, unit: str, values: Sequence[float]) -> Verdict:
    words, limit = _span(points, unit), max([*values, 1 + ALIKE])
    if all(1 / limit <= point.least and point.most <= limit for point in points):
        return HOLDS, words
    apart = any(point.least > limit or point.most < 1 / limit for point in points)
    return (FAILS if apart else UNDECIDED), words


def trend(points: Points, unit: str, values: Sequence[float], up: bool = True, whole: bool = True) -> Verdict:
    """The last point is above the first, or below it; with whole, no step goes the other way by more than NEAR and the
    margin, whatever the intervals say."""
    low, high = (points[0], points[-1]) if up else (points[-1], points[0])
    turns = []
    for a, b in zip(points, points[1:]):
        near = 1 + max(NEAR, a.margin, b.margin)
        if b.value * near < a.value if up else b.value > a.value * near:
            turns.append(f"from {a.name} to {b.name}")
    words = _span(points, unit) + f"; {'falls' if up else 'rises'} {joined(turns)}" * bool(turns)
    if high.below(low):
        return FAILS, words
    return (HOLDS if low.below(high) and not (whole and turns) else UNDECIDED), words


def best(points: Points, unit: str, values: Sequence[float], largest: bool = False) -> Verdict:
    """The best of the named places is the best of all; of several named ones, one is enough."""
    choose = partial(max if largest else min, key=lambda point: point.value)
    named = [point for point in points if point.at in values]
    others = [point for point in points if point.at not in values]
    if not named or not others:
        return MISSING, "what the report names as best was not measured" if others else "nothing else was measured"
    here, top = choose(named), choose(points)
    words = ", ".join(f"{number(point.value)}{unit} at {point.name}" for point in dict.fromkeys([here, top]))
    if any(here.below(point, NEAR) if largest else point.below(here, NEAR) for point in others):
        return FAILS, words
    sure = all(point.at_most(here, NEAR) if largest else here.at_most(point, NEAR) for point in others)
    return (HOLDS if sure else UNDECIDED), words


def best_at_end(points: Points, unit: str, values: Sequence[float]) -> Verdict:
    return best(points, unit, [points[-1].at])


def saturates(points: Points, unit: str, values: Sequence[float]) -> Verdict:
    top = max(point.value for point in points)
    before = [point for point in points if point.at < values[0]]
    after = [point for point in points if point.at >= values[-1]]
    if not before or not after:
        return MISSING, "points on one side only"
    most, least = max(point.value for point in before), min(point.value for point in after)
    words = f"before {percent(most / top)} of the highest, after at least {percent(least / top)}"
    if all(point.least >= FULL * top for point in after) and all(point.most < FULL * top for point in before):
        return HOLDS, words
    decided = any(point.most < FULL * top for point in after) or any(point.least > FULL * top for point in before)
    return (FAILS if decided else UNDECIDED), words


def the_most(points: Points, unit: str, values: Sequence[float], least: bool = False) -> Verdict:
    """No verdict but a number, for what a report states of its machine."""
    found = (min if least else max)(points, key=lambda point: point.value)
    return STATED, f"{number(found.value)}{unit} at {found.name}"


# a and b are the two selectors, a ratio is the time of b over that of a. A trend that has a step the other way of more than
# 2 % and the margin is undecided.
TIMES: Dict[str, Rule] = {
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
