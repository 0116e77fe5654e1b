# SPDX-License-Identifier: MIT
"""Pictures of lab 04."""

from collections.abc import Callable

from tools.drawings.sketch import BLUE, GREY, INK, ORANGE, PALE, SKY, Sheet

LANES, CELL = 32, 6.5
Panel = tuple[str, str, str, str, bool, Callable[[int], int]]  # ..., one word?, the pass that serves a lane


def broadcast() -> bytes:
    """How many passes a warp's request takes: one word or 32 of constant memory, 32 neighbours of global memory."""
    panels: tuple[Panel, ...] = (
        ("constant memory, one word", "sum += c_taps[12] * ...", "36", "1 pass: a broadcast", True, lambda _: 0),
        ("constant memory, 32 words", "x = c_table[lane]", "", "32 passes", False, lambda lane: lane),
        ("global memory, 32 neighbours", "x = d_in[lane]", "", "1 pass: coalesced", False, lambda _: 0),
    )
    left, width, pitch = 22, LANES * CELL, LANES * CELL + 26
    words, lanes, passes, row = 74, 134, 180, 3
    sheet = Sheet(int(left + 3 * pitch), 336)
    for panel, (title, code, word, count, one, serves) in enumerate(panels):
        x = left + panel * pitch
        middle = x + width / 2
        sheet.text(x, 16, title, bold=True)
        sheet.text(x, 38, code, colour=BLUE)
        if one:
            sheet.box(middle - 14, words - 10, 28, 20, SKY, word)
        for lane in range(LANES):
            at = x + (lane + 0.5) * CELL
            if not one:
                sheet.box(x + lane * CELL, words - 10, CELL, 20, SKY, edge="white", line=0.6)
            sheet.line((middle if one else at, words + 10), (at, lanes), GREY, 0.6)
            sheet.box(x + lane * CELL, lanes, CELL, 14, PALE, edge=GREY, line=0.5)
        sheet.text(middle, lanes + 24, "lanes 0 to 31", "center", 8, GREY)
        last = max(serves(lane) for lane in range(LANES))
        sheet.box(x, passes, width, (last + 1) * row, "white", edge=GREY, line=0.5)
        for lane in range(LANES):
            place = (x + lane * CELL, passes + serves(lane) * row)
            sheet.box(*place, CELL, row, ORANGE, edge=ORANGE, line=0.3)
        sheet.text(middle, passes + (last + 1) * row + 16, count, "center", 9.5, INK, True)
    sheet.text(
        left, 324, "A row of the lower boxes is a pass; orange: the lanes that get their word in it.", colour=GREY
    )
    return sheet.svg()
