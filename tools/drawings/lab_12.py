# SPDX-License-Identifier: MIT
"""Pictures of lab 12."""

from collections.abc import Sequence

from tools.drawings.sketch import GREY, INK, PALE, Sheet

SAMPLES = (5, 7, 2, 4, 1, 3)
FIRST, SECOND, BOTH = "#a9c4ee", "#f6c28b", "#d9c9d6"
TINTS = ("#e3ecf9", "#c3d6f2", "#fbe7cf", "#f6cf9f")  # of lanes t = 0 .. 3
CHUNKS = ("#a9c4ee", "#f6c28b", "#b6dca8")  # of products 0, 1 and 2


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
    """Part 0 of a 9x9 filter for RGB, 16 x 64, times eight columns of the image."""
    sheet = Sheet(760, 466)
    cell, left, top = 6, 96, 186
    shades = [f"#{255 - 15 * n:02x}{255 - 11 * n:02x}{255 - 5 * n:02x}" for n in range(3, 12)]
    sheet.text(left + 32 * cell, top - 46, "filter, part 0: 16 x 64", "center", bold=True)
    for half in range(2):
        sheet.text(left + (16 + 32 * half) * cell, top - 28, f"window in input row {half}", "center", 8)
        name = "output row y" if half == 0 else "row y + 1"
        sheet.text(left - 8, top + (4 + 8 * half) * cell, name, "right", 8)
    for row in range(16):
        for column in range(64):
            tap = _is_tap(row, column)
            if tap:
                sheet.box(left + column * cell, top + row * cell, cell, cell, shades[tap - 1], edge="white", line=0.2)
    for column in range(0, 65, 4):
        x = left + column * cell
        sheet.line(
            (x, top), (x, top + 16 * cell), INK if column % 32 == 0 else "#cccccc", 1 if column % 32 == 0 else 0.4
        )
    for row in (0, 8, 16):
        sheet.line((left, top + row * cell), (left + 64 * cell, top + row * cell), INK, 0.8)
    sheet.box(left, top, 4 * cell, cell, edge="#c00000", line=1.4)
    sheet.arrow((left + 40, top + 16 * cell + 30), (left + 2 * cell, top + cell + 2), "#c00000", 0.1)
    sheet.text(left + 46, top + 16 * cell + 34, "four places, two taps: stored as 2 numbers, places 0 and 3", size=8)
    # The image: 64 x 8.
    image, high, wide = left + 64 * cell + 62, 4.5, 12
    y = top + 8 * cell - 32 * high
    sheet.text(image - 47, top + 8 * cell, "x", "center", 12)
    sheet.text(image + 4 * wide, y - 32, "image: 64 x 8", "center", bold=True)
    for column in range(8):
        sheet.text(image + (column + 0.5) * wide, y - 10, column, "center", 8)
        for t in range(4):
            sheet.box(image + column * wide, y + 16 * t * high, wide, 16 * high, TINTS[t], edge=GREY, line=0.5)
    sheet.box(image + wide, y + 16 * high, wide, 16 * high, edge=INK, line=2)
    for half, name in enumerate(("row 0", "row 1")):
        sheet.text(image - 6, y + (16 + 32 * half) * high - (24 if half == 0 else -24), name, "right", 8)
    # The sums: 16 x 8.
    sums = image + 8 * wide + 36
    sheet.text(sums - 18, top + 8 * cell, "=", "center", 12)
    sheet.text(sums + 32, top - 14, "sums: 16 x 8", "center", bold=True)
    sheet.box(sums, top, 64, 16 * cell, "white", edge=GREY, line=0.8)
    for row, column in ((2, 2), (2, 3), (3, 2), (3, 3)):
        sheet.box(sums + column * 8, top + row * cell, 8, cell, TINTS[1], edge=INK, line=1.2)
    sheet.text(sums + 32, top + 16 * cell + 14, "128 bytes,", "center", 8)
    sheet.text(sums + 32, top + 16 * cell + 28, "after 5 parts", "center", 8)
    # One input row, and the windows of three columns.
    strip, y, byte = 84, 416, 6.5
    sheet.box(strip, y, 88 * byte, 16, TINTS[0], edge=GREY, line=0.6)
    for first, column in ((0, 0), (8, 1), (56, 7)):
        x, line = strip + first * byte, y - 10 if column != 1 else y + 26
        sheet.line((x + 1, line), (x + 32 * byte - 1, line), INK, 1.4)
        name = f"column {column}: 32 bytes from byte {first}"
        sheet.text(x + 16 * byte, line + (-9 if column != 1 else 10), name, "center", 8)
    sheet.text(strip - 8, y + 8, "input row 0", "right", 8)
    sheet.text(strip, 20, "framed: what lane 5 = 4 x 1 + 1 brings and gets", size=8)
    sheet.text(strip, 36, "16 bytes of column 1 (t = 1: the second half of row 0), and 2 x 2 sums", size=8)
    return sheet.svg()


def descriptor() -> bytes:
    """The stages' rows in shared memory, and what one product after another reads of them."""
    sheet = Sheet(720, 372)
    cell, left, top, high, count = 52, 92, 104, 30, 11
    sheet.text(left, 16, "shared memory: four input rows, as the copies put them, in chunks of 16 bytes", bold=True)
    for column, line in ((0, 44), (1, 60), (2, 76)):
        x = left + column * cell
        sheet.line((x + 2, line), (x + 3 * cell - 2, line), INK, 1.6)
        sheet.text(x + 3 * cell + 6, line, f"window of column {column}", size=8)
    for chunk in range(count):
        sheet.text(left + (chunk + 0.5) * cell, top - 12, 16 * chunk, "center", 8, GREY)
    sheet.text(left - 8, top - 12, "byte", "right", 8, GREY)
    for row in range(4):
        y = top + row * (high + 6)
        sheet.text(left - 8, y + high / 2, f"row {row}", "right", 8)
        for chunk in range(count):
            fill = CHUNKS[chunk - 1] if 1 <= chunk <= 3 else "white"
            text = chunk - 1 if 1 <= chunk <= 3 else ""
            sheet.box(left + chunk * cell, y, cell, high, fill, text, edge=GREY, line=0.6, size=10)
    y = top + 4 * (high + 6) + 8
    sheet.text(left + 1 * cell, y + 6, "column 1: products 0, 1 and 2 take one of these chunks from each row", size=8)
    sheet.arrow((left + 1.8 * cell, top + high / 2), (left + 1.8 * cell, top + high * 1.5 + 8))
    sheet.text(left + 6.6 * cell, 60, "16 + 24 = 40 bytes (9x9, RGB), so 3 chunks", size=8, colour=GREY)
    notes: list[str] = [
        "product 0",
        "in the descriptor: column 0 begins at byte 0 of row 0,",
        "and the next chunk of a column is one row on (arrow)",
        "always: the next column is 16 bytes on",
    ]
    for line, words in enumerate(notes):
        sheet.text(left, y + 36 + 17 * line, words, size=8, bold=line == 0)
    x = left + 330
    for line, words in enumerate(
        ("product 1: the same, from byte 16 of row 0", "product 2: from byte 32", "next stage: products 3, 4 and 5")
    ):
        sheet.text(x, y + 53 + 17 * line, words, size=8)
    return sheet.svg()
