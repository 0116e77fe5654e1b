# SPDX-License-Identifier: MIT
"""Pictures of lab 09."""

from tools.drawings.sketch import GREY, INK, PALE, Sheet

COUNTS = [3, 0, 1, 2, 0, 0, 4, 1]  # changed pixels of each lane
LANES = ("#a9c4ee", "#ffffff", "#f6c28b", "#b6dca8", "#ffffff", "#ffffff", "#e3b5d3", "#ece48f")
CELL, HEIGHT, PITCH, TOP = 34, 26, 60, 62
Step = tuple[str, list[int], list[tuple[int, int]]]  # its name, the lanes' values after it, who reads whom


def _reduction() -> list[Step]:
    values, steps, distance = list(COUNTS), [], len(COUNTS) // 2
    while distance > 0:
        values = [values[lane] + values[lane + distance] for lane in range(distance)]
        steps.append(
            (f"+ the lane {distance} further on", values, [(lane + distance, lane) for lane in range(distance)])
        )
        distance //= 2
    return steps


def _scan() -> list[Step]:
    values, steps, distance = list(COUNTS), [], 1
    while distance < len(COUNTS):
        readers = range(distance, len(COUNTS))
        values = [value + (values[lane - distance] if lane in readers else 0) for lane, value in enumerate(values)]
        steps.append((f"+ the lane {distance} before", values, [(lane - distance, lane) for lane in readers]))
        distance *= 2
    return steps


def _panel(sheet: Sheet, left: float, title: str, steps: list[Step], result: list[int]) -> None:
    sheet.text(left, 14, title, bold=True, size=10)
    for lane in range(len(COUNTS)):
        x = left + lane * CELL
        sheet.text(x + CELL / 2, TOP - 14, lane, "center", size=8, colour=GREY)
        sheet.box(x, TOP, CELL, HEIGHT, LANES[lane], COUNTS[lane], line=0.6)
    for step, (name, values, reads) in enumerate(steps, 1):
        y = TOP + step * PITCH
        for source, target in reads:
            start = left + (source + 0.5) * CELL, y - PITCH + HEIGHT + 3
            sheet.arrow(start, (left + (target + 0.5) * CELL + (4 if source > target else -4), y - 2), GREY, line=0.9)
        last = step == len(steps)
        for lane, value in enumerate(values):
            chosen = last and lane in result
            sheet.box(
                left + lane * CELL, y, CELL, HEIGHT, PALE if chosen else "white", value, line=1.6 if chosen else 0.6
            )
        sheet.text(left + len(values) * CELL + 6, y + HEIGHT / 2, name, size=8)


def reduction_and_scan() -> bytes:
    """Eight lanes add up their counts, in three steps: one sum in lane 0, or the sums up to each lane; then the list."""
    reduction, scan = _reduction(), _scan()
    left, right = 20, 382
    sheet = Sheet(right + 8 * CELL + 134, 412)
    _panel(sheet, left, "reduction: one sum, in lane 0", reduction, [0])
    _panel(sheet, right, "scan: the sum up to each lane", scan, list(range(8)))
    below = TOP + 4 * PITCH
    ends = scan[-1][1]
    for lane, (end, count) in enumerate(zip(ends, COUNTS)):
        sheet.box(right + lane * CELL, below, CELL, HEIGHT, LANES[lane], end - count, line=0.6)
        sheet.arrow(
            (right + (lane + 0.5) * CELL, below - PITCH + HEIGHT + 3), (right + (lane + 0.5) * CELL, below - 2), GREY
        )
    sheet.text(right + 8 * CELL + 6, below + HEIGHT / 2, "- own count", size=8)
    sheet.text(right - 12, below + HEIGHT / 2, "first place of each lane in the list:", "right")
    y, list_left = below + 72, 190
    sheet.text(list_left - 14, y + HEIGHT / 2, "the list, by lane:", "right")
    owners = [lane for lane, count in enumerate(COUNTS) for _ in range(count)]
    for place, lane in enumerate(owners):
        x = list_left + place * CELL
        sheet.text(x + CELL / 2, y - 10, place, "center", size=8, colour=GREY)
        sheet.box(x, y, CELL, HEIGHT, LANES[lane], lane, line=0.6)
    sheet.text(list_left + len(owners) * CELL + 10, y + HEIGHT / 2, "11 changed pixels", colour=INK)
    return sheet.svg()
