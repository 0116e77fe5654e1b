# SPDX-License-Identifier: MIT
"""Pictures of lab 06."""

from collections.abc import Mapping
from pathlib import Path

from report.make.plots.files import read_table
from tools.drawings.sketch import GREY, INK, PALE, Sheet

RESULTS = Path(__file__).resolve().parents[2] / "results/reference/h200_16_cpus/timeline.csv"
BANDS = ("#a9c4ee", "#f6c28b", "#b6dca8")
STEPS = ("copy in", "filter", "copy out")
Span = tuple[int, float, float]  # band, ms


def _spans(variant: str) -> dict[str, list[Span]]:
    """When each step of a run was at work. A copy begins when the one before it in its direction has ended: until then it
    waits for the bus."""
    steps: dict[str, list[Span]] = {step: [] for step in STEPS}
    for _, row in read_table(RESULTS, ()):
        if row["variant"] == variant:
            spans = steps[row["what"]]
            begin = max([float(row["start_ms"]), *(end for _, _, end in spans)])
            spans.append((int(row["part"]), begin, float(row["end_ms"])))
    return steps


def timeline() -> bytes:
    """One run of `pinned` and one of `streams`, as their events measured it."""
    left, ms, lane, top, pitch = 84, 150, 26, 52, 132
    sheet = Sheet(left + 4 * ms + 34, 298)
    for panel, (variant, about) in enumerate((("pinned", "one copy after the other"), ("streams", "three bands"))):
        y = top + panel * pitch
        steps: Mapping[str, list[Span]] = _spans(variant)
        sheet.text(left, y - 30, f"{variant}: {about}", bold=True)
        if panel:
            begin, end = steps["copy out"][0][1], steps["copy in"][-1][2]
            sheet.box(left + begin * ms, y - 6, (end - begin) * ms, 3 * lane + 8, PALE, edge="none")
            sheet.text(left + (begin + end) / 2 * ms, y - 14, "both directions are busy", "center", size=8, colour=GREY)
        for step, name in enumerate(STEPS):
            sheet.text(left - 8, y + step * lane + 9, name, "right")
            for band, begin, end in steps[name]:
                words = f"band {band}" if panel else "whole picture"
                fill = BANDS[band] if panel else "#cccccc"
                place = (left + begin * ms, y + step * lane, (end - begin) * ms, 20)
                sheet.box(*place, fill, words if end - begin > 0.3 else "", edge=GREY, line=0.6, size=8)
        end = steps["copy out"][-1][2]
        sheet.line((left + end * ms, y - 6), (left + end * ms, y + 3 * lane + 2), INK, dashed=True)
        above = panel == 1
        sheet.text(left + end * ms + (6 if above else -6), y + 9, f"ends at {end:.2f} ms", "left" if above else "right")
    y = top + pitch + 3 * lane + 10
    sheet.line((left, y), (left + 4 * ms, y), INK)
    for tick in range(9):
        x = left + tick * ms / 2
        sheet.line((x, y), (x, y + 5), INK)
        sheet.text(x, y + 15, f"{tick / 2:g}" + (" ms" if tick == 8 else ""), "center", colour=GREY)
    return sheet.svg()


def two_gpus() -> bytes:
    """Two bands with their halos: what one GPU stores in the other's memory, and when."""
    sheet = Sheet(724, 432)
    # The memory of each GPU, at the height of its rows in the picture.
    left, gap, width, row = 22, 160, 120, 20
    from_0, from_1 = BANDS[0], BANDS[1]
    middle = 152
    for gpu, x in enumerate((left, left + width + gap)):
        own = middle - 6 * row if gpu == 0 else middle
        sheet.text(x + width / 2, 18, f"memory of GPU {gpu}", "center", bold=True)
        inside = (own, "other rows") if gpu == 0 else (own + 2 * row, "other rows")
        sheet.box(x, inside[0], width, 4 * row, "white", inside[1])
        upper, lower = (("edge", from_0), ("halo", from_1)) if gpu == 0 else (("halo", from_0), ("edge", from_1))
        sheet.box(x, middle - 2 * row, width, 2 * row, upper[1], upper[0])
        sheet.box(x, middle, width, 2 * row, lower[1], lower[0])
    for y, start, end in (
        (middle - row, left + width, left + width + gap),
        (middle + row, left + width + gap, left + width),
    ):
        sheet.arrow((start, y), (end, y))
    sheet.text(left + width + gap / 2, middle - row - 12, "a kernel of GPU 0 stores", "center", size=8)
    sheet.text(left + width + gap / 2, middle + row + 12, "a kernel of GPU 1 stores", "center", size=8)
    sheet.line((left - 8, middle), (left + 2 * width + gap + 8, middle), INK, dashed=True)
    sheet.text(left + 2 * width + gap + 14, middle - 7, "border of", size=8, colour=GREY)
    sheet.text(left + 2 * width + gap + 14, middle + 7, "the bands", size=8, colour=GREY)
    sheet.text(left + 2 * width + gap + 14, 66, "An edge is as high as a halo:", size=8)
    sheet.text(left + 2 * width + gap + 14, 82, "s times p rows, p = 2 for 5x5.", size=8)
    sheet.text(left + 2 * width + gap + 14, 98, "It lasts for s filters.", size=8)
    # One exchange, s = 3.
    x0, unit, high, y0 = 96, 92, 18, 324
    sheet.text(22, y0 - 18, "s = 3: after three filters, the next one waits for both edges", bold=True)
    for gpu in (0, 1):
        y = y0 + gpu * 52
        sheet.text(x0 - 10, y + 9, f"GPU {gpu}", "right")
        sheet.text(x0 - 10, y + 31, "edge", "right", size=8, colour=GREY)
        for n in range(6):
            x = x0 + n * unit + (26 if n > 2 else 0)
            sheet.box(x, y, unit - 4, high, "white", f"filter {n + 1}", size=8)
        sheet.box(x0 + 2 * unit, y + 22, unit + 12, high, (from_0, from_1)[gpu], f"into GPU {1 - gpu}", size=8)
    waits = x0 + 3 * unit + 17
    sheet.line((waits, y0 - 6), (waits, y0 + 98), INK, dashed=True)
    return sheet.svg()
