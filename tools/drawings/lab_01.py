# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Pictures of lab 01."""

from typing import List, Tuple

from tools.drawings.sketch import GREY, PALE, Sheet

COLOURS = {"R": ("#f4a3a3", "#e06666"), "G": ("#b6dca8", "#7fbf6a"), "B": ("#a9c4ee", "#6d9eeb")}
Cell = Tuple[int, str, str, str]  # bytes, fill, hatch, text


def _sample(pixel: int, channel: str, size: int, text: bool = True) -> Cell:
    return size, COLOURS[channel][pixel % 2], "", channel if text else ""


def cache_lines() -> bytes:
    """What 64 bytes of memory contain, in five layouts."""
    bars: List[Tuple[str, List[Cell], str]] = [
        (
            "nested, the vectors",
            [(8, PALE, "", name) for name in ("begin", "end", "capacity") * 2 + ("begin", "end")],
            "no samples: 2 2/3 vectors",
        ),
        (
            "nested, the samples",
            [
                cell
                for pixel in (0, 1)
                for cell in (*(_sample(pixel, c, 4) for c in "RGB"), (12, "white", "///", ""), (8, "white", "xxx", ""))
            ],
            "6 samples: 2 pixels",
        ),
        ("flat", [_sample(s // 3, "RGB"[s % 3], 4) for s in range(16)], "16 samples: 5 1/3 pixels"),
        ("aos", [_sample(s // 3, "RGB"[s % 3], 1, s < 9) for s in range(64)], "64 samples; a pass over red uses 22"),
        ("soa", [_sample(s, "R", 1, s < 9) for s in range(64)], "64 samples of red; a pass uses all 64"),
    ]
    cell, left, top, height, pitch = 8, 165, 30, 22, 42
    sheet = Sheet(975, top + pitch * len(bars) + 4)
    for byte in range(0, 65, 16):
        sheet.text(left + byte * cell, 12, f"{byte} bytes" if byte == 64 else byte, "center", colour=GREY)
    for row, (name, cells, remark) in enumerate(bars):
        x, y = left, top + row * pitch
        sheet.text(left - 8, y + height / 2, name, "right", bold=True)
        for size, fill, hatch, text in cells:
            sheet.box(
                x, y, size * cell, height, fill, text, hatch=hatch, edge=GREY, line=0.5, size=7.5 if size > 1 else 6
            )
            x += size * cell
        sheet.text(left + 64 * cell + 8, y + height / 2, remark)
    for number, byte in enumerate((0, 32)):
        start = (left + (number * 24 + 4) * cell, top + height)
        sheet.arrow(start, (left + (byte + 2) * cell, top + pitch))
    return sheet.svg()
