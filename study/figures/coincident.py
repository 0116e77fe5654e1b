# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Lines of a figure that hide each other: the later one is drawn dashed, and the caption names both."""

from typing import List, Sequence

from .content import Line, joined

ALIKE = 0.03  # lines that differ by less hide each other


def coincide(one: Line, other: Line) -> bool:
    """Whether two lines are hard to tell apart: within 3 % at most places where both have a point."""
    there = {x: y for x, y, *_ in other.points}
    both = [(y, there[x]) for x, y, *_ in one.points if there.get(x)]
    near = sum(abs(y / at - 1) < ALIKE for y, at in both)
    return len(both) > 1 and 3 * near >= 2 * len(both)


def coincident(lines: Sequence[Line]) -> str:
    """ "Within 3 %: frames and multi_gpu." of the lines that hide each other; nothing without any."""
    groups: List[List[Line]] = []
    for line in lines:
        if line.dashed or line.beside:
            continue
        group = next((group for group in groups if all(coincide(line, one) for one in group)), None)
        if group is None:
            groups.append([line])
        else:
            group.append(line)
    named = [joined(line.label for line in group) for group in groups if len(group) > 1]
    return f"Within 3 % of each other at most points, drawn dashed over solid: {'; '.join(named)}." if named else ""
