# SPDX-License-Identifier: MIT
"""Pictures of lab 03."""

from tools.drawings.sketch import GREY, INK, ORANGE, PALE, Sheet

WIDTH, HEIGHT, SIDE = 10, 6, 4  # of the picture, and of a block
SHADES, MARKED = ("#d5ebf7", "#b3dbf0"), "#f7c08a"  # of neighbouring blocks; of one thread


def grid() -> bytes:
    """A grid of 3 x 2 blocks over a picture of 10 x 6 pixels, and one of its blocks with its threads."""
    cell, left, top = 34, 92, 78
    columns, rows = -(-WIDTH // SIDE), -(-HEIGHT // SIDE)
    sheet = Sheet(950, 414)
    sheet.text(left, 18, "The grid: 3 x 2 blocks of 4 x 4 threads", bold=True, size=11)
    for y in range(rows * SIDE):
        for x in range(columns * SIDE):
            inside = x < WIDTH and y < HEIGHT
            fill = SHADES[(x // SIDE + y // SIDE) % 2] if inside else "white"
            sheet.box(
                left + x * cell, top + y * cell, cell, cell, fill, hatch="" if inside else "///", edge=GREY, line=0.4
            )
    for block in range(columns):
        sheet.text(left + (block + 0.5) * SIDE * cell, top - 30, f"blockIdx.x = {block}", "center", size=10)
    for block in range(rows):
        sheet.text(left - 8, top + (block + 0.5) * SIDE * cell - 9, "blockIdx.y", "right", size=10)
        sheet.text(left - 8, top + (block + 0.5) * SIDE * cell + 9, f"= {block}", "right", size=10)
        for column in range(columns):
            sheet.box(left + column * SIDE * cell, top + block * SIDE * cell, SIDE * cell, SIDE * cell, line=2)
    sheet.box(left, top, WIDTH * cell, HEIGHT * cell, edge=ORANGE, line=3.5)
    sheet.text(left + 4, top - 10, "the picture: 10 x 6 pixels", colour=ORANGE, size=10, bold=True)
    bottom = top + rows * SIDE * cell
    sheet.box(left, bottom + 16, 24, 18, "white", hatch="///", edge=GREY, line=0.4)
    sheet.text(left + 34, bottom + 25, "threads without a pixel: the guard makes them return", size=10)
    for shade, fill in enumerate(SHADES):
        sheet.box(left + 12 * shade, bottom + 40, 12, 18, fill, edge=GREY, line=0.4)
    sheet.text(left + 34, bottom + 49, "threads with a pixel; neighbouring blocks differ in shade", size=10)

    # The block in the corner, larger.
    large, x0 = 68, 640
    sheet.text(x0, 18, "Block (2, 1)", bold=True, size=11)
    sheet.arrow((left + columns * SIDE * cell + 4, top + 1.5 * SIDE * cell), (x0 - 62, top + 1.5 * SIDE * cell))
    sheet.text(x0 - 8, top - 12, "threadIdx.x =", "right", size=10)
    sheet.text(x0 - 20, top + large / 2 - 9, "threadIdx.y", "right", size=10)
    for n in range(SIDE):
        sheet.text(x0 + (n + 0.5) * large, top - 12, n, "center", size=10)
        sheet.text(x0 - 8, top + (n + 0.5) * large + (9 if n == 0 else 0), f"= {n}" if n == 0 else n, "right", size=10)
    for y in range(SIDE):
        for x in range(SIDE):
            inside = 2 * SIDE + x < WIDTH and SIDE + y < HEIGHT
            fill = MARKED if (x, y) == (1, 0) else SHADES[1] if inside else PALE
            ink = INK if inside else GREY
            sheet.box(x0 + x * large, top + y * large, large, large, fill, edge=GREY, line=0.6)
            middle = x0 + (x + 0.5) * large
            sheet.text(middle, top + (y + 0.5) * large - 10, f"x = {2 * SIDE + x}", "center", size=10, colour=ink)
            sheet.text(middle, top + (y + 0.5) * large + 10, f"y = {SIDE + y}", "center", size=10, colour=ink)
    sheet.box(x0, top, SIDE * large, SIDE * large, line=2)
    sheet.box(x0, bottom + 16, 24, 18, MARKED, edge=GREY, line=0.4)
    for line, words in enumerate(("x = 2 * 4 + 1 = 9", "y = 1 * 4 + 0 = 4")):
        sheet.text(x0 + 34, bottom + 25 + 20 * line, words, size=10)
    return sheet.svg()
