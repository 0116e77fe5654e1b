# SPDX-License-Identifier: MIT
"""Pictures of lab 10."""

from tools.drawings.sketch import BLUE, GREY, INK, Sheet

LAYERS: list[list[tuple[int, int]]] = [  # Network<5> of parts/median_network.hpp; those of a layer do not meet
    [(0, 3), (1, 4)],
    [(0, 2), (1, 3)],
    [(0, 1), (2, 4)],
    [(1, 2), (3, 4)],
    [(2, 3)],
]
VALUES = [5, 7, 9, 2, 1]
WINDOW = [[2, 9, 4, 0, 9], [9, 4, 9, 3, 4], [5, 7, 6, 8, 8], [1, 8, 2, 6, 3], [7, 9, 5, 1, 9]]
SIDE = len(WINDOW)
MOST = (SIDE * SIDE + 1) // 2
SHADE = "#b6dca8"


def _may_be_median(row: int, column: int) -> bool:
    """As may_be_median() of parts/median_network.hpp."""
    return (row + 1) * (column + 1) <= MOST and (SIDE - row) * (SIDE - column) <= MOST


def _network(sheet: Sheet, left: float, top: float) -> None:
    wire, layer_width = 34, 116
    values = list(VALUES)
    right = left + len(LAYERS) * layer_width + 20
    for line in range(SIDE):
        for number in range(len(LAYERS)):
            x = left + number * layer_width
            sheet.line((x + 11, top + line * wire), (x + layer_width - 11, top + line * wire), GREY)

    def show(x: float, bold: bool = False) -> None:
        for line, value in enumerate(values):
            sheet.box(
                x - 11,
                top + line * wire - 10,
                22,
                20,
                SHADE if bold and line == SIDE // 2 else "white",
                value,
                edge=GREY,
                line=0.6,
            )

    show(left)
    for number, layer in enumerate(LAYERS):
        for place, (a, b) in enumerate(layer):
            x = left + number * layer_width + 46 + 24 * place
            sheet.line((x, top + a * wire), (x, top + b * wire), BLUE, 2)
            for end in (a, b):
                sheet.box(x - 3, top + end * wire - 3, 6, 6, BLUE, edge=BLUE)
            values[a], values[b] = sorted((values[a], values[b]))
        show(left + (number + 1) * layer_width, number == len(LAYERS) - 1)
    sheet.text(right + 4, top, "smallest")
    sheet.text(right + 4, top + SIDE // 2 * wire, "median", bold=True)
    sheet.text(right + 4, top + (SIDE - 1) * wire, "largest")


def median_network() -> bytes:
    """Five values sorted by nine comparisons; then a 5 x 5 window: which values are left for the median."""
    sheet = Sheet(720, 482)
    sheet.text(20, 16, "A sorting network for 5 values: 9 comparisons", bold=True, size=10)
    sheet.text(20, 38, "A comparison (blue) puts the smaller value on the upper line.", colour=GREY)
    _network(sheet, 36, 70)

    top, cell = 302, 29
    sheet.text(20, top - 62, "The median of 5 x 5 values", bold=True, size=10)
    columns = [sorted(row[c] for row in WINDOW) for c in range(SIDE)]
    sorted_columns = [[columns[c][r] for c in range(SIDE)] for r in range(SIDE)]
    both = [sorted(row) for row in sorted_columns]
    panels = (
        (WINDOW, "the window", ""),
        (sorted_columns, "columns sorted,", "once for five windows"),
        (both, "rows sorted, too:", "13 values are left"),
    )
    for panel, (values, first, second) in enumerate(panels):
        x = 56 + panel * 232
        sheet.text(x + SIDE * cell / 2, top - 30 + (0 if second else 16), first, "center")
        sheet.text(x + SIDE * cell / 2, top - 14, second, "center")
        for r in range(SIDE):
            for c in range(SIDE):
                left_over = panel == 2 and _may_be_median(r, c)
                ink = GREY if panel == 2 and not left_over else INK
                fill = SHADE if left_over else "white"
                sheet.box(x + c * cell, top + r * cell, cell, cell, fill, values[r][c], colour=ink, line=0.6)
        if panel:
            middle = top + SIDE * cell / 2
            sheet.arrow((x - 70, middle), (x - 18, middle), line=1.6)
    sheet.text(
        20,
        top + SIDE * cell + 20,
        "A grey value has more than 12 values on one side, so it cannot be the middle one of 25.",
        colour=GREY,
    )
    return sheet.svg()
