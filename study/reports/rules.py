# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The rules by which a published conclusion is judged: functions of measured points.

A point is a time with an interval and a margin (points.py). Two points differ if their intervals are further apart than the
margin; what they do not decide is undecided. No rule may fail on the report's own numbers: what the report calls best,
similar or growing is so for the rule.
"""

from typing import Callable, Dict, List, Optional, Sequence, Tuple

from ..figures.content import joined, number, percent
from ..measurements.points import Point, ratios

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided"
BY_CONSTRUCTION = "holds by construction"  # of ours: it could not be otherwise
UNTESTED, MISSING = "cannot be tested here", "not measured"
STATED = "a number of one machine"  # no verdict
ALIKE = 0.05  # times that differ by less are similar, where the report names no two times that are
NEAR = 0.02  # a time that is longer by less may be called the best, and a step that is shorter is none
FULL = 0.90  # of the highest rate: where a rate has come to rest


Verdict = Tuple[str, str]  # one of these, and the numbers that decide


def _span(points: Sequence[Point], unit: str = "") -> str:
    """ "1.06 at 480p to 1.21 at 8k", of the first and the last."""
    ends = points[:1] if len(points) == 1 else [points[0], points[-1]]
    return " to ".join(f"{number(point.value)}{unit} at {point.name}" for point in ends)


def _turns(points: Sequence[Point], up: bool) -> List[str]:
    """The steps against the trend by more than NEAR and the margin, whatever the intervals say."""
    steps = ((a, b, 1 + max(NEAR, a.margin, b.margin)) for a, b in zip(points, points[1:]))
    return [
        f"from {a.name} to {b.name}"
        for a, b, near in steps
        if (b.value * near < a.value if up else b.value > a.value * near)
    ]


def _ends(points: Sequence[Point], unit: str, up: bool, whole: bool) -> Verdict:
    """The last point is above the first, or below it; with whole, no step goes the other way."""
    if len(points) < 2:
        return MISSING, "one point only"
    low, high = (points[0], points[-1]) if up else (points[-1], points[0])
    turns = _turns(points, up)
    words = _span(points, unit) + f"; {'falls' if up else 'rises'} {joined(turns)}" * bool(turns)
    if high.below(low):
        return FAILS, words
    return (HOLDS if low.below(high) and not (whole and turns) else UNDECIDED), words


def _trend(points: Sequence[Point], unit: str, up: bool) -> Verdict:
    return _ends(points, unit, up, whole=True)


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
    """The time of b over that of a is larger at the end of the axis than at its start. With a step down of more
    than 2 % and the margin it is undecided."""
    return _trend(ratios(points, others), "x", up=True)


def gain_larger(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The time of b over that of a is larger at the end of the axis than at its start, whatever is between."""
    return _ends(ratios(points, others), "x", up=True, whole=False)


def gain_best_at(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The time of b over that of a is largest at this place of the axis."""
    return _extreme(ratios(points, others), value, "x", largest=True)


def similar(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The times of a and b differ by less than a factor at every point, wherever in their intervals and margins they lie. The
    factor is that of the two times that the report calls similar; if it prints none, or a smaller one, 1.05."""
    found = ratios(points, others)
    words, limit = _span(found, "x"), max(value, 1 + ALIKE)
    if all(1 / limit <= point.least and point.most <= limit for point in found):
        return HOLDS, words
    apart = any(point.least > limit or point.most < 1 / limit for point in found)
    return (FAILS if apart else UNDECIDED), words


def time_grows(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The time is larger at the end of the axis than at its start. With a step down of more than 2 %
    and the margin it is undecided."""
    return _trend(points, " ms", up=True)


def time_falls(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The time is smaller at the end of the axis than at its start. With a step up of more than 2 %
    and the margin it is undecided."""
    return _trend(points, " ms", up=False)


def flops_grow(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The operations per second are more at the end of the axis than at its start. With a step down of more than 2 %
    and the margin it is undecided."""
    return _trend([point.rate(point.operations) for point in points], " Gflop/s", up=True)


def bandwidth_falls(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The bytes per second are fewer at the end of the axis than at its start. With a step up of more than 2 %
    and the margin it is undecided."""
    return _trend([point.rate(point.bytes) for point in points], " GB/s", up=False)


def saturates(points: Sequence[Point], others: Sequence[Point], value: float, end: Optional[float] = None) -> Verdict:
    """Before the first of these two places the rate is below 90 % of the highest, and from the second on it is not, wherever in
    their intervals and margins they lie."""
    found = [point.rate(point.bytes) for point in points]
    top = max(point.value for point in found)
    after = [point for point in found if point.at >= (value if end is None else end)]
    before = [point for point in found if point.at < value]
    if not before or not after:
        return MISSING, "points on one side only"
    words = (
        f"before {percent(max(p.value for p in before) / top)} of the highest, after at least "
        f"{percent(min(p.value for p in after) / top)}"
    )
    if all(point.least >= FULL * top for point in after) and all(point.most < FULL * top for point in before):
        return HOLDS, words
    decided = any(p.most < FULL * top for p in after) or any(p.least > FULL * top for p in before)
    return (FAILS if decided else UNDECIDED), words


def _extreme(points: Sequence[Point], value: float, unit: str, largest: bool = False) -> Verdict:
    here = next((point for point in points if point.at == value), None)
    if here is None or len(points) < 2:
        return MISSING, "what the report names as best was not measured"

    words = f"{number(here.value)}{unit} at {here.name}"
    best = (max if largest else min)(points, key=lambda point: point.value)
    if best is not here:
        words += f", {number(best.value)}{unit} at {best.name}"
    others = [point for point in points if point is not here]
    if any(here.below(point, NEAR) if largest else point.below(here, NEAR) for point in others):
        return FAILS, words
    sure = all(point.at_most(here, NEAR) if largest else here.at_most(point, NEAR) for point in others)
    return (HOLDS if sure else UNDECIDED), words


def best_at(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """No time is shorter than that at this place of the axis by more than 2 % (as in ariano2023's Tables 2 and 3), wherever in
    their intervals and margins they lie; it fails if one surely is."""
    return _extreme(points, value, " ms")


def best_at_end(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """No time is shorter than that at the end of the axis by more than 2 %, as for `best at`."""
    return _extreme(points, points[-1].at, " ms")


def highest_gain(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The largest of the ratios."""
    return _number(ratios(points, others), "x", max)


def highest_bandwidth(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The most bytes per second."""
    return _number([point.rate(point.bytes) for point in points], " GB/s", max)


def highest_flops(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The most operations per second."""
    return _number([point.rate(point.operations) for point in points], " Gflop/s", max)


def shortest_time(points: Sequence[Point], others: Sequence[Point], value: float) -> Verdict:
    """The shortest time."""
    return _number(points, " ms", min)


def _number(points: Sequence[Point], unit: str, best: Callable[..., Point]) -> Verdict:
    found = best(points, key=lambda point: point.value)
    return STATED, f"{number(found.value)}{unit} at {found.name}"


# Rules of two kinds of point, of the first alone, and those that give no verdict but a number.
OF_TWO = (faster, gain_grows, gain_larger, gain_best_at, similar, highest_gain)
OF_ONE = (
    time_grows,
    time_falls,
    flops_grow,
    bandwidth_falls,
    saturates,
    best_at,
    best_at_end,
    highest_bandwidth,
    highest_flops,
    shortest_time,
)
OF_ENDS = (
    gain_grows,
    gain_larger,
    time_grows,
    time_falls,
    flops_grow,
    bandwidth_falls,
    gain_best_at,
    best_at,
    best_at_end,
)
NUMBERS = (highest_gain, highest_bandwidth, highest_flops, shortest_time)
RULES: Dict[str, Callable[..., Verdict]] = {rule.__name__: rule for rule in OF_TWO + OF_ONE}
