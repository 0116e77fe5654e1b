# SPDX-License-Identifier: MIT
"""Pictures of lab 01."""

from tools.drawings.sketch import GREY, INK, PALE, Sheet

COLOURS = {"R": ("#f4a3a3", "#e06666"), "G": ("#b6dca8", "#7fbf6a"), "B": ("#a9c4ee", "#6d9eeb")}
UNUSED, MALLOC = "//", "xxx"  # hatches
Cell = tuple[int, str, str, str]  # bytes, fill, hatch, text


def _sample(pixel: int, channel: str, size: int, text: bool = True) -> Cell:
    return size, COLOURS[channel][pixel % 2], "", channel if text else ""


def cache_lines() -> bytes:
    """What 64 bytes of memory contain, in five layouts."""
    bars: list[tuple[str, list[Cell], str]] = [
        (
            "nested, a std::vector for each pixel",
            [(8, PALE, "", f"{name} {pixel}") for pixel in (0, 1) for name in ("begin", "end", "capacity")]
            + [(8, PALE, "", f"{name} 2") for name in ("begin", "end")],
            "its three pointers, and no samples",
        ),
        (
            "nested, the samples of the pixels",
            [
                cell
                for pixel in (0, 1)
                for cell in (
                    *(_sample(pixel, c, 4) for c in "RGB"),
                    (12, "white", UNUSED, ""),
                    (8, "white", MALLOC, ""),
                )
            ],
            "6 samples: 2 pixels",
        ),
        ("flat", [_sample(s // 3, "RGB"[s % 3], 4) for s in range(16)], "16 samples: 5 1/3 pixels"),
        ("aos", [_sample(s // 3, "RGB"[s % 3], 1, s < 9) for s in range(64)], "64 samples; a pass over red uses 22"),
        ("soa", [_sample(s, "R", 1, s < 9) for s in range(64)], "64 samples of red; a pass over red uses all"),
    ]
    cell, left, top, height, pitch = 10.5, 16, 56, 26, 62
    width = 64 * cell
    sheet = Sheet(int(width + 2 * left), top + pitch * len(bars) - 2)
    for byte in range(0, 65, 16):
        align = "left" if byte == 0 else "right" if byte == 64 else "center"
        sheet.text(left + byte * cell, 12, "byte 0" if byte == 0 else byte, align, colour=GREY)
    for row, (name, cells, remark) in enumerate(bars):
        x, y = float(left), top + row * pitch
        sheet.text(left + (3 * cell if row == 1 else 0), y - 14, name, bold=True)
        sheet.text(left + width, y - 14, remark, "right")
        for size, fill, hatch, text in cells:
            sheet.box(x, y, size * cell, height, fill, text, hatch=hatch, edge=GREY, line=0.5, size=8)
            x += size * cell
    for s in range(0, 64, 3):  # what a pass over red reads of aos
        sheet.box(left + s * cell, top + 3 * pitch, cell, height, edge=INK, line=1.3)
    for start, end in ((1.5, 1.5), (30, 33)):  # from `begin` of pixel 0 and 1
        sheet.arrow((left + start * cell, top + height), (left + end * cell, top + pitch))
    y = top + pitch * len(bars) - 26
    for x, words, look in (
        (left, "unused", {"hatch": UNUSED, "edge": GREY}),
        (left + 120, "malloc's own bytes", {"hatch": MALLOC, "edge": GREY}),
        (left + 290, "read by a pass over red", {"edge": INK, "line": 1.3, "fill": COLOURS["R"][0]}),
    ):
        sheet.box(x, y, 22, 14, **{"fill": "white", **look})
        sheet.text(x + 30, y + 7, words)
    return sheet.svg()
