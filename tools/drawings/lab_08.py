# SPDX-License-Identifier: MIT
"""Pictures of lab 08."""

import math

from tools.drawings.sketch import GREY, INK, PALE, Sheet

SHADES = {"R": ("#f4a3a3", "#e98080"), "G": ("#b6dca8", "#93c982"), "B": ("#a9c4ee", "#86a9e2")}
LANES = ("#a9c4ee", "#f6c28b", "#b6dca8")
PREVIOUS = (98, 140, 201, 97, 141, 200, 96, 60, 40, 20, 15, 10)
CURRENT = (99, 138, 203, 97, 141, 203, 184, 137, 30, 235, 230, 160)


def _colour(difference: int) -> tuple[int, int, int]:
    """As colour_of() of parts/colours.hpp."""
    angle = math.pi * difference / 765
    values = (255 * math.sin(angle + turn) for turn in (-math.pi / 2, 0, math.pi / 2))
    red, green, blue = (max(0, math.floor(value + 0.500225)) for value in values)
    return red, green, blue


def four_pixels() -> bytes:
    """Four pixels in three words: from the bytes of two frames to the bytes of the map."""
    cell, left, top, height, pitch = 42, 92, 44, 28, 62
    width = 12 * cell
    sheet = Sheet(left + width + 172, top + 5 * pitch + height + 14)
    distances = [abs(now - before) for before, now in zip(PREVIOUS, CURRENT)]
    sums = [sum(distances[3 * pixel : 3 * pixel + 3]) for pixel in range(4)]
    colours = [_colour(difference) for difference in sums]
    rows: list[tuple[str, list[int], str]] = [
        ("previous", list(PREVIOUS), "3 loads of 4 bytes"),
        ("current", list(CURRENT), "3 loads of 4 bytes"),
        ("differences", distances, "3 x __vabsdiffu4"),
    ]
    for word in range(3):
        sheet.text(left + (4 * word + 2) * cell, 14, f"word {word}", "center", colour=GREY)

    def bytes_of(y: float, values: list[int]) -> None:
        for byte, value in enumerate(values):
            shade = SHADES["RGB"[byte % 3]][byte // 3 % 2]
            sheet.box(left + byte * cell, y, cell, height, shade, value, edge=GREY, line=0.5)
        for word in range(3):
            sheet.box(left + 4 * word * cell, y, 4 * cell, height, line=1.6)

    for row, (name, values, remark) in enumerate(rows):
        y = top + row * pitch - (16 if row == 1 else 0)
        sheet.text(left - 12, y + height / 2, name, "right")
        sheet.text(left + width + 14, y + height / 2, remark)
        bytes_of(y, values)
    y = top + 3 * pitch
    sheet.text(left - 12, y + height / 2, "sums", "right")
    sheet.text(left + width + 14, y + height / 2, "6 x __dp4a")
    for pixel, total in enumerate(sums):
        x = left + 3 * pixel * cell
        sheet.box(x + 6, y, 3 * cell - 12, height, PALE, total)
        sheet.arrow((x + 1.5 * cell, y - pitch + height + 3), (x + 1.5 * cell, y - 3))
        below = y + pitch
        red, green, blue = colours[pixel]
        ink = "white" if total < 200 or total > 500 else INK
        sheet.box(
            x + 6,
            below,
            3 * cell - 12,
            height,
            f"#{red:02x}{green:02x}{blue:02x}",
            f"{red}  {green}  {blue}",
            colour=ink,
        )
        sheet.arrow((x + 1.5 * cell, y + height + 3), (x + 1.5 * cell, below - 3))
        sheet.arrow((x + 1.5 * cell, below + height + 3), (x + 1.5 * cell, below + pitch - 3))
    sheet.text(left - 12, y + pitch + height / 2, "colours", "right")
    sheet.text(left + width + 14, y + pitch + height / 2, "4 look-ups, or sin, cos")
    sheet.text(left - 12, y + 2 * pitch + height / 2, "map", "right")
    sheet.text(left + width + 14, y + 2 * pitch + height / 2, "3 x __byte_perm")
    bytes_of(y + 2 * pitch, [value for colour in colours for value in colour])
    return sheet.svg()


def warp_pixels() -> bytes:
    """Which bytes the lanes of a warp load and compute, in v1 and in grid; a warp of 8 lanes."""
    lanes, cell, left, height = 8, 27, 16, 28
    width = 3 * lanes * cell
    sheet = Sheet(width + 2 * left, 318)

    def filled(lane: int) -> str:
        return LANES[lane] if lane < len(LANES) else PALE

    sheet.text(left, 14, "v1: one load of the warp", bold=True)
    sheet.text(left + width, 14, "a byte each from 8 sectors of 32 bytes", "right")
    sector = 62
    for lane in range(lanes):
        x = left + lane * (width - sector) / (lanes - 1)
        sheet.box(x, 28, sector, height, "white", edge=GREY, line=0.8, hatch="//")
        sheet.box(x + 18, 28, 13, height, filled(lane), lane, size=8)
        if lane:
            sheet.text(x - 13, 28 + height / 2, "...", "center", colour=GREY)

    sheet.text(left, 92, "grid: three loads of the warp", bold=True)
    sheet.text(left + width, 92, "neighbouring lanes load neighbouring vectors of 8 bytes", "right")
    for place in range(3 * lanes):
        lane = place % lanes
        sheet.box(left + place * cell, 106, cell, height, filled(lane), lane, edge=GREY, line=0.6)
    for load in range(3):
        sheet.box(left + load * lanes * cell, 106, lanes * cell, height, line=1.6)
        sheet.text(left + (load + 0.5) * lanes * cell, 146, f"load {load}", "center", colour=GREY)

    sheet.text(left, 196, "through shared memory", colour=GREY)
    sheet.arrow((left + 170, 162), (left + 170, 226), line=1.6)
    sheet.arrow((left + 190, 226), (left + 190, 162), line=1.6)
    sheet.text(left + 204, 180, "differences to the lane that computes them,", colour=GREY)
    sheet.text(left + 204, 206, "and the colours back", colour=GREY)

    sheet.text(left, 246, "grid: computing", bold=True)
    sheet.text(left + width, 246, "a lane needs whole pixels: 24 bytes are 8 pixels", "right")
    for place in range(3 * lanes):
        lane = place // 3
        sheet.box(left + place * cell, 260, cell, height, filled(lane), lane, edge=GREY, line=0.6)
    for lane in range(lanes):
        sheet.box(left + 3 * lane * cell, 260, 3 * cell, height, line=1.6)
    sheet.text(left, 305, "A number is a lane. The picture shows a warp of 8 lanes instead of 32.", colour=GREY)
    return sheet.svg()
