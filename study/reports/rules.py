# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The rules by which a published conclusion is judged: functions of measured points.

A point is a time with an interval. Two points differ where their intervals do not overlap (on a CPU, of two
sessions: where they are TWO_SESSIONS apart); what they do not decide is undecided.
"""
from typing import Callable, Dict, Optional, Sequence, Tuple

from ..figures.content import joined, number, percent
from ..measurements.points import Point, ratios

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided within the spread"
UNTESTED, MISSING = "cannot be tested here", "not measured"
ALIKE = 0.05  # times that differ by less are similar
FULL = 0.90  # of the highest rate: where a rate has come to rest


Verdict = Tuple[str, str]  # one of the five, and the numbers that decide


def _span(points: Sequence[Point], unit: str = "") -> str:
    """"1.06 at 480p to 1.21 at 8k", of the first and the last."""
    ends = points[:1] if len(points) == 1 else [points[0], points[-1]]
    return " to ".join(f"{number(point.value)}{unit} at {point.name}" for point in ends)


def _trend(points: Sequence[Point], unit: str, up: bool) -> Verdict:
    """The last point is above the first, or below it, and no step goes the other way by more than the intervals."""
    if len(points) < 2:
        return MISSING, "one point only"

    def against(a: Point, b: Point) -> bool:
        return b.below(a) if up else a.below(b)

    def seems_against(a: Point, b: Point) -> bool:
        return b.value < (1 - ALIKE) * a.value if up else b.value > (1 + ALIKE) * a.value

    steps = list(zip(points, points[1:]))
    words = _span(points, unit)
    turns = [f"from {a.name} to {b.name}" for a, b in steps if against(a, b)]
    unclear = [f"{number(b.value)}{unit} at {b.name}" for a, b in steps if seems_against(a, b)]
    if turns:
        words += f"; {'falls' if up else 'rises'} {turns[0]}"
    elif unclear:
        words += f"; against it, within the spread: {joined(unclear)}"
    if turns or against(points[0], points[-1]):
        return FAILS, words
    return (HOLDS if against(points[-1], points[0]) else UNDECIDED), words


def faster(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """a takes less time than b at every point."""
    found = ratios(points, others)
    won = sum(point.least > 1 for point in found)
    lost = [point for point in found if point.most < 1]
    words = f"{_span(found, 'x')}; faster at {won} of {len(found)}"
    if lost:
        return FAILS, words + f", slower at {', '.join(point.name for point in lost)}"
    return (HOLDS if won == len(found) else UNDECIDED), words


def gain_grows(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The time of b over that of a is larger at the end of the axis, and no step is down by more than the intervals."""
    return _trend(ratios(points, others), "x", up=True)


def gain_at_least(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The time of b over that of a reaches the value at some point."""
    return _reaches(ratios(points, others), value, "x")


def gain_best_at(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The time of b over that of a is largest at this place of the axis."""
    found = ratios(points, others)
    return _extreme(found, value, "x", lambda one, other: other.below(one))


def similar(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The times of a and b differ by less than 5 % at every point, wherever in their intervals they lie."""
    found = ratios(points, others)
    words = _span(found, "x")
    if all(1 - ALIKE < point.least and point.most < 1 + ALIKE and not point.apart for point in found):
        return HOLDS, words
    apart = any(point.least > 1 + ALIKE or point.most < 1 - ALIKE for point in found)
    return (FAILS if apart else UNDECIDED), words


def time_grows(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The time is larger at the end of the axis, and no step is down by more than the intervals."""
    return _trend(points, " ms", up=True)


def time_falls(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The time is smaller at the end of the axis, and no step is up by more than the intervals."""
    return _trend(points, " ms", up=False)


def flops_grow(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The operations per second are more at the end of the axis, and no step is down by more than the intervals."""
    return _trend([point.rate(point.operations) for point in points], " Gflop/s", up=True)


def bandwidth_falls(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The bytes per second are fewer at the end of the axis, and no step is up by more than the intervals."""
    return _trend([point.rate(point.bytes) for point in points], " GB/s", up=False)


def saturates(points: Sequence[Point], others: Sequence[Point], value: float, end: Optional[float] = None) -> Verdict:
    """Before the first of these two places the rate is below 90 % of the highest, and from the second on it is not."""
    found = [point.rate(point.bytes) for point in points]
    top = max(point.value for point in found)
    after = [point for point in found if point.at >= (value if end is None else end)]
    before = [point for point in found if point.at < value]
    if not before or not after:
        return MISSING, "points on one side only"
    words = f"before {percent(max(p.value for p in before) / top)} of the highest, after at least " \
        f"{percent(min(p.value for p in after) / top)}"
    if all(point.value >= FULL * top for point in after) and all(
            point.value < FULL * top for point in before):
        return HOLDS, words
    decided = any(p.high < FULL * top for p in after) or any(p.low > FULL * top for p in before)
    return (FAILS if decided else UNDECIDED), words


def bandwidth_at_least(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The bytes per second reach this many GB/s at some point."""
    return _reaches([point.rate(point.bytes) for point in points], value, " GB/s")


def flops_at_least(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The operations per second reach this many Gflop/s at some point."""
    return _reaches([point.rate(point.operations) for point in points], value, " Gflop/s")


def _reaches(points: Sequence[Point], value: float, unit: str) -> Verdict:
    best = max(points, key=lambda point: point.value)
    words = f"{number(best.value)}{unit} at {best.name}, published {number(value)}{unit}"
    if any(point.least >= value for point in points):
        return HOLDS, words
    return (FAILS if all(point.most < value for point in points) else UNDECIDED), words


def time_at_most(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The time is at most this many ms at some point."""
    best = min(points, key=lambda point: point.value)
    words = f"{number(best.value)} ms at {best.name}, published {number(value)} ms"
    if any(point.high <= value for point in points):
        return HOLDS, words
    return (FAILS if all(point.low > value for point in points) else UNDECIDED), words


def _extreme(points: Sequence[Point], value: float, unit: str,
             better: Callable[[Point, Point], bool]) -> Verdict:
    here = next((point for point in points if point.at == value), None)
    if here is None or len(points) < 2:
        return MISSING, "what the report names as best was not measured"
    beaten = [point for point in points if better(point, here)]
    words = f"{number(here.value)}{unit} at {here.name}"
    if beaten:
        return FAILS, words + f", {number(beaten[0].value)}{unit} at {beaten[0].name}"
    clear = all(better(here, point) for point in points if point is not here)
    return (HOLDS if clear else UNDECIDED), words


def best_at(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The time is shortest at this place of the axis."""
    return _extreme(points, value, " ms", lambda one, other: one.below(other))


# Rules of two kinds of point, of the first alone, and those that are no rule on times.
OF_TWO = (faster, gain_grows, gain_at_least, gain_best_at, similar)
OF_ONE = (time_grows, time_falls, flops_grow, bandwidth_falls, saturates, bandwidth_at_least,
          flops_at_least, time_at_most, best_at)
RULES: Dict[str, Callable[..., Verdict]] = {
    rule.__name__: rule for rule in OF_TWO + OF_ONE}
