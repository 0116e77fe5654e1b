# SPDX-License-Identifier: MIT
"""Pictures of lab 05."""

from tools.drawings.sketch import BLUE, GREY, INK, PALE, Sheet

FIRST, SECOND = "#a9c4ee", "#f6c28b"  # rounds of loading, or passes of a request
OUTPUT, HALO, IDLE = "#b6dca8", "#f2e3a0", "#dddddd"
B, K, BLOCK = 8, 3, (2, 1)  # the block that is traced by hand
SIDE = B + K - 1
THREAD = 19


def tile() -> bytes:
    """Block (2, 1) of 8 x 8 threads with K = 3: its tile and halo, and the thread that loads each cell."""
    sheet = Sheet(710, 410)
    left, top, cell, margin = 52, 80, 20, 1
    corner = (BLOCK[0] * B - K // 2, BLOCK[1] * B - K // 2)  # the pixel of cell 0
    own = (corner[0] + K // 2 + THREAD % B, corner[1] + K // 2 + THREAD // B)
    sheet.text(left, 18, "What block (2, 1) needs", bold=True, size=10)
    for row in range(-margin, SIDE + margin):
        y = top + (row + margin) * cell
        sheet.text(left - 6, y + cell / 2, corner[1] + row, "right", 8)
        for column in range(-margin, SIDE + margin):
            x = left + (column + margin) * cell
            if row == -margin:
                sheet.text(x + cell / 2, top - 10, corner[0] + column, "center", 8)
            inside = 0 <= row < SIDE and 0 <= column < SIDE
            inner = 0 < row < SIDE - 1 and 0 < column < SIDE - 1
            sheet.box(x, y, cell, cell, OUTPUT if inner else HALO if inside else "white", edge="#bbbbbb", line=0.4)
    sheet.text(left, top - 30, "pixel x", size=8, colour=GREY)
    sheet.text(left - 6, top - 10, "y", "right", 8, GREY)
    x, y = (left + (own[0] - corner[0] + margin) * cell, top + (own[1] - corner[1] + margin) * cell)
    sheet.box(x - cell, y - cell, 3 * cell, 3 * cell, line=2)
    sheet.box(x, y, cell, cell, INK)
    below = top + (SIDE + 2 * margin) * cell + 20
    for at, colour, words in ((left, OUTPUT, "8 x 8 outputs"), (left + 130, HALO, "halo, 36 pixels")):
        sheet.box(at, below - 7, 20, 14, colour, edge=GREY, line=0.5)
        sheet.text(at + 27, below, words)
    sheet.box(left, below + 19, 20, 14, INK)
    sheet.text(left + 27, below + 26, "output (19, 10); frame: its 9 taps")

    left, cell = 386, 28.8
    top_2, bottom = 60, 60 + SIDE * cell
    sheet.text(left, 18, "Which thread loads each cell of the tile", bold=True, size=10)
    for n in range(SIDE * SIDE):
        x, y = left + n % SIDE * cell, top_2 + n // SIDE * cell
        thread = n % (B * B)
        mine = thread == THREAD
        sheet.box(x, y, cell, cell, FIRST if n < B * B else SECOND, edge=GREY, line=0.5)
        sheet.text(x + cell / 2, y + cell / 2, thread, "center", 10 if mine else 8.5, INK, mine)
    for n in (THREAD, THREAD + B * B):
        x, y = left + n % SIDE * cell, top_2 + n // SIDE * cell
        sheet.box(x + 2, y + 2, cell - 4, cell - 4, edge=INK, line=1.6)
    corner_x, corner_y = left + THREAD % B * cell, top_2 + THREAD // B * cell
    sheet.box(corner_x, corner_y, K * cell, K * cell, line=2)
    below = int(bottom) + 20
    for at, colour, words in ((left, FIRST, "round 1: 0 to 63"), (left + 150, SECOND, "round 2: 64 to 99")):
        sheet.box(at, below - 7, 20, 14, colour, edge=GREY, line=0.5)
        sheet.text(at + 27, below, words)
    sheet.text(left, below + 26, "frames: what thread 19 loads (2), and reads (9)")
    return sheet.svg()


def four_ways() -> bytes:
    """Threads, tile and the threads that compute, with B = 16 and K = 5, in four ways to load a tile."""
    ways: tuple[tuple[str, int, int, tuple[str, ...]], ...] = (
        ("input_tile", 16, 12, ("256 threads", "load 256 pixels", "144 compute")),
        ("filter_in_*", 20, 16, ("400 threads", "load 400 pixels", "256 compute")),
        ("inner_tile", 16, 16, ("256 threads", "load 256 pixels", "256 compute")),
        ("two_batch, n_batch", 20, 16, ("256 threads", "load 400 pixels in 2 rounds", "256 compute")),
    )
    unit, left, pitch, middle = 6.6, 20, 174, 120
    sheet = Sheet(int(left + 4 * pitch + 8), 322)
    for way, (name, side, computed, lines) in enumerate(ways):
        x = left + way * pitch
        size = side * unit
        y = middle - size / 2 + 6
        sheet.text(x, 18, name, bold=True, size=10)
        if way == 3:  # the first 256 cells end in row 12, after 16 cells
            sheet.box(x, y, size, size, SECOND, edge=GREY)
            sheet.box(x, y, size, 12 * unit, FIRST, edge=FIRST, line=0)
            sheet.box(x, y + 12 * unit, 16 * unit, unit, FIRST, edge=FIRST, line=0)
            sheet.box(x, y, size, size, edge=GREY)
        else:
            sheet.box(x, y, size, size, FIRST, edge=GREY)
        inset = (side - computed) / 2 * unit
        sheet.box(x + inset, y + inset, computed * unit, computed * unit, edge="#2e7d32", line=2.4)
        if way == 2:
            low, high, right = y - 2 * unit, y + size + 2 * unit, x + size + 2 * unit
            corners = ((x - 2 * unit, low), (right, low), (right, high), (x - 2 * unit, high), (x - 2 * unit, low))
            for start, end in zip(corners, corners[1:]):
                sheet.line(start, end, GREY, 0.9, True)
        for number, line in enumerate(lines):
            sheet.text(x, 216 + 20 * number, line)
    notes: list[tuple[int, str, str]] = [(left, FIRST, "loaded in round 1"), (left + 166, SECOND, "loaded in round 2")]
    for at, colour, words in notes:
        sheet.box(at, 290, 20, 14, colour, edge=GREY, line=0.5)
        sheet.text(at + 27, 297, words)
    sheet.box(left + 332, 290, 20, 14, edge="#2e7d32", line=2.4)
    sheet.text(left + 359, 297, "outputs")
    sheet.line((left + 450, 297), (left + 474, 297), GREY, 0.9, True)
    sheet.text(left + 482, 297, "read from global memory")
    return sheet.svg()


def banks() -> bytes:
    """The banks in which the lanes of a warp find their words of the tile, with blocks of 16 x 16 and of 32 x 32."""
    left, cell, height = 60, 19.6, 22
    sheet = Sheet(int(left + 32 * cell + 22), 244)
    sheet.text(left - 8, 24, "bank", "right", 8.5, GREY)
    for bank in range(32):
        sheet.text(left + (bank + 0.5) * cell, 24, bank, "center", 8, GREY)

    def request(y: float, title: str, words: list[int]) -> None:
        sheet.text(left, y, title, bold=True)
        rows = max(words) // 32 + 1
        for row in range(rows):
            line = y + 16 + row * (height + 4)
            sheet.text(left - 8, line + height / 2, f"pass {row + 1}", "right", 8.5)
            for bank in range(32):
                sheet.box(left + bank * cell, line, cell, height, PALE, edge="white", line=0.8)
            for lane, word in enumerate(words):
                if word // 32 == row:
                    colour = FIRST if row == 0 else SECOND
                    sheet.box(left + word % 32 * cell, line, cell, height, colour, lane, edge="white", line=0.8, size=8)

    request(
        54, "B = 16: two rows of 16 lanes, 20 words apart", [lane // 16 * (16 + 4) + lane % 16 for lane in range(32)]
    )
    request(152, "B = 32: one row of 32 lanes", list(range(32)))
    sheet.text(left, 226, "A number is a lane, in the bank of the word that it reads. K = 5.", colour=BLUE)
    return sheet.svg()
