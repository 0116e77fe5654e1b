# SPDX-License-Identifier: MIT
"""Pictures of lab 12."""

from collections.abc import Sequence

from tools.drawings.sketch import GREY, INK, PALE, Sheet

SAMPLES = (5, 7, 2, 4, 1, 3)
FIRST, SECOND, BOTH = "#a9c4ee", "#f6c28b", "#d9c9d6"
TINTS = ("#e3ecf9", "#c3d6f2")
CHUNKS = ("#a9c4ee", "#f6c28b", "#b6dca8")  # of columns 0, 1 and 2
LANE, RED = "#f6c28b", "#c00000"


def _column(sheet: Sheet, x: float, y: float, numbers: Sequence[object], cell: float, fill: str) -> None:
    for line, number in enumerate(numbers):
        sheet.box(x, y + line * cell, cell, cell, fill, number, edge=GREY, line=0.6)


def small() -> bytes:
    """Two shifted copies of the filter 1 2 3, times two columns that overlap in the image."""
    sheet = Sheet(580, 262)
    cell, left, top = 34, 30, 96
    sheet.text(left + 2 * cell, top - 14, "filter, twice", "center", bold=True)
    for line in range(2):
        for place in range(4):
            tap = place - line
            is_tap = 0 <= tap < 3
            x, y = left + place * cell, top + cell + line * cell
            sheet.box(x, y, cell, cell, PALE if is_tap else "white", tap + 1 if is_tap else 0, edge=GREY, line=0.6)
    sheet.text(left + 4 * cell + 22, top + 2 * cell, "x", "center", 12)
    right = left + 4 * cell + 44
    sheet.text(right + cell, top - 14, "columns of samples", "center", bold=True)
    _column(sheet, right, top, SAMPLES[:4], cell, FIRST)
    _column(sheet, right + cell, top, SAMPLES[2:], cell, SECOND)
    sheet.text(right + 2 * cell + 22, top + 2 * cell, "=", "center", 12)
    sums = right + 2 * cell + 44
    sheet.text(sums + cell, top + cell - 14, "sums", "center", bold=True)
    _column(sheet, sums, top + cell, (25, 23), cell, FIRST)
    _column(sheet, sums + cell, top + cell, (13, 15), cell, SECOND)
    sheet.text(sums + 2 * cell + 18, top + 1.5 * cell, "outputs 0 and 2", size=8)
    sheet.text(sums + 2 * cell + 18, top + 2.5 * cell, "outputs 1 and 3", size=8)
    # The samples in memory, and the columns in them.
    row, y = 300, 22
    sheet.text(row - 12, y + cell / 2, "in memory", "right")
    for place, sample in enumerate(SAMPLES):
        fill = FIRST if place < 2 else SECOND if place > 3 else BOTH
        sheet.box(row + place * cell, y, cell, cell, fill, sample, edge=GREY, line=0.6)
    for first, height, name in ((0, 10, "column 0"), (2, 10, "column 1")):
        x, line = row + first * cell, y - height if first == 0 else y + cell + height
        sheet.line((x + 2, line), (x + 4 * cell - 2, line), INK, 1.4)
        sheet.text(x - 8 if first == 0 else x + 4 * cell + 8, line, name, "right" if first == 0 else "left", 8)
    sheet.text(left, top + 4 * cell + 18, "25 = 1 x 5 + 2 x 7 + 3 x 2 + 0 x 4", size=8, colour=GREY)
    return sheet.svg()


def _is_tap(row: int, column: int) -> int:
    """The number of the tap, 1 to 9, in part 0 of a 9x9 filter for RGB, or 0: Toeplitz::weight()."""
    j = column // 32 - row // 8  # row of the filter
    i = column % 32 - row % 8  # bytes from its left column
    return i // 3 + 1 if j in (0, 1) and 0 <= i < 27 and i % 3 == 0 else 0


def band() -> bytes:
    """Part 0 of a 9x9 filter for RGB, 16 x 64, the bytes of the image that it multiplies, and the sums."""
    sheet = Sheet(700, 474)
    cell, left, top = 9, 104, 52
    right = left + 64 * cell
    shades = [f"#{255 - 15 * n:02x}{255 - 11 * n:02x}{255 - 5 * n:02x}" for n in range(3, 12)]
    sheet.text(left, 14, "part 0 of the filter's matrix: 16 rows for 16 output bytes, 64 columns", bold=True)
    for half in range(2):
        sheet.text(left + (16 + 32 * half) * cell, top - 14, f"a window of input row {half}", "center", 8)
        sheet.text(left - 8, top + (4 + 8 * half) * cell, ("output row 0", "output row 1")[half], "right", 8)
    for row in range(16):
        for column in range(64):
            tap = _is_tap(row, column)
            if tap:
                sheet.box(left + column * cell, top + row * cell, cell, cell, shades[tap - 1], edge="white", line=0.2)
    for column in range(0, 65, 4):
        x, is_half = left + column * cell, column % 32 == 0
        sheet.line((x, top), (x, top + 16 * cell), INK if is_half else "#cccccc", 1 if is_half else 0.4)
    for row in (0, 8, 16):
        sheet.line((left, top + row * cell), (right, top + row * cell), INK, 0.8)
    sheet.box(left, top, 4 * cell, cell, edge=RED, line=1.6)
    sheet.arrow((left + 10, top + 16 * cell + 14), (left + 2 * cell, top + cell + 2), RED)
    sheet.text(
        left, top + 16 * cell + 22, "four places, two taps: only these two are stored, with their places 0 and 3"
    )
    # The image: two input rows with windows of three columns; the sums below their windows.
    byte, y, high = 6.5, 296, 22
    sheet.text(left, y - 46, "times the windows of eight columns, which begin 8 bytes apart:", bold=True)
    for row in range(2):
        sheet.box(left, y + row * (high + 2), 88 * byte, high, TINTS[0], edge=GREY, line=0.6)
        sheet.text(left - 8, y + row * (high + 2) + high / 2, f"input row {row}", "right", 8)
    for first, column in ((0, 0), (56, 7)):
        sheet.line((left + first * byte + 1, y - 8), (left + (first + 32) * byte - 1, y - 8), INK, 1.4)
        sheet.text(left + (first + 16) * byte, y - 20, f"window of column {column}", "center", 8)
    line = y + 2 * high + 12
    sheet.line((left + 8 * byte + 1, line), (left + 40 * byte - 1, line), INK, 1.4)
    sheet.text(left + 24 * byte, line + 12, "window of column 1", "center", 8)
    sheet.box(left + 24 * byte, y, 16 * byte, high, LANE, "lane 5", edge=INK, line=1.6, size=8)
    y = line + 56
    sheet.text(left, y - 20, "gives 16 sums for each column:", bold=True)
    for row in range(2):
        for column in range(8):
            x = left + (12 + 8 * column) * byte
            sheet.box(x, y + row * (high + 2), 8 * byte, high, TINTS[1], edge="white", line=1.2)
            if row == 0 and column in (2, 3):
                sheet.box(x + 2 * byte, y, 2 * byte, high, LANE, edge=INK, line=1.6)
            elif row == 1:
                sheet.text(x + 4 * byte, y + 1.5 * high + 2, f"{column}", "center", 8)
        sheet.text(left - 8, y + row * (high + 2) + high / 2, f"output row {row}", "right", 8)
    return sheet.svg()


def descriptor() -> bytes:
    """Four input rows in shared memory, and which of their chunks are the columns of three products."""
    cell, high, left, top, gap, count = 31, 26, 112, 74, 26, 6
    sheet = Sheet(left + 3 * count * cell + 2 * gap + 14, 252)
    for product in range(3):
        x = left + product * (count * cell + gap)
        sheet.text(x, 14, f"address {16 * product}", bold=True)
        for row in range(4):
            y = top + row * (high + 8)
            if product == 0:
                sheet.text(x - 10, y + high / 2, f"row {row} at {2432 * row}", "right", 8)
            for chunk in range(count):
                column = chunk - product
                fill = CHUNKS[column] if 0 <= column <= 2 else "white"
                text = column if 0 <= column <= 2 else ""
                sheet.box(x + chunk * cell, y, cell, high, fill, text, edge=GREY, line=0.6)
        for chunk in range(0, count, 2):
            sheet.text(x + (chunk + 0.5) * cell, top - 14, 16 * chunk, "center", 8, GREY)
        first = x + (product + 0.5) * cell
        for row in range(3):
            y = top + row * (high + 8)
            sheet.arrow((first - 9, y + high / 2), (first - 9, y + high + 8 + high / 2), line=1)
        line = top + 4 * (high + 8) + 4
        sheet.line((x + 1, line), (x + 3 * cell - 1, line), INK, 1.4)
        if product == 0:
            sheet.text(x, line + 14, "window of column 0: 3 chunks", size=8)
    sheet.text(left - 10, top - 14, "byte in the row", "right", 8, GREY)
    sheet.text(left, 34, "0, 1, 2: chunks of the first three columns; arrows: 2432 bytes from chunk to chunk", size=8)
    return sheet.svg()
