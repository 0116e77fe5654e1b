# SPDX-License-Identifier: MIT
"""Pictures of lab 07."""

from pathlib import Path

from report.make.plots.files import read_table
from report.make.plots.style import PALETTE, canvas, svg
from tools.drawings.sketch import GREY, INK, PALE, Sheet

OLDER, NEWER, NEW = "#f6c28b", "#a9c4ee", "#b6dca8"
TAPS = (0, 8, 28, 56, 72, 56, 28, 8)  # of the 7x7 Gaussian, and a zero for the sample that has left
SAMPLES = (9, 2, 3, 1, 4, 2, 0, 5, 3)  # of a column; the last is in the row that enters
REFERENCE = Path(__file__).resolve().parents[2] / "results/reference/h200_16_cpus"


def window() -> bytes:
    """A warp marches down its strip: which rows are on their way, and which are in registers."""
    sheet = Sheet(724, 356)
    left, top, lane, row = 106, 58, 12, 22
    width = 32 * lane
    colours = ["white"] * 2 + [OLDER] * 3 + [NEWER] * 3 + [NEW] + [PALE] * 3
    names = ["", "", "y - 3", "y - 2", "y - 1", "y", *(f"y + {n}" for n in range(1, 7))]
    sheet.text(left + width / 2, 14, "a warp's strip: 32 lanes of 16 bytes", "center", bold=True)
    for n in (0, 31):
        sheet.text(left + (n + 0.5) * lane, top - 14, n, "center", size=8, colour=GREY)
    sheet.text(left + width / 2, top - 14, "lanes 1 to 30 write output", "center", size=8, colour=GREY)
    for r, (name, fill) in enumerate(zip(names, colours)):
        y = top + r * row
        sheet.box(left, y, width, row, fill, edge=GREY, line=0.5)
        sheet.text(left - 8, y + row / 2, name, "right", size=8)
    for n in range(1, 32):
        x = left + n * lane
        sheet.line((x, top), (x, top + len(names) * row), GREY, 0.3)
    # Each byte of a lane has its own window.
    x = left + 11 * lane
    sheet.box(x, top + 2 * row, 3, 7 * row, INK)
    sheet.box(left, top + 5 * row, width, row, line=1.6)
    edge, right = left + width + 8, left + width + 24
    for y, height in ((2, 7), (9, 3)):  # a bracket beside these rows
        first, last = top + y * row + 2, top + (y + height) * row - 2
        sheet.line((edge, first), (edge, last))
        for end in (first, last):
            sheet.line((edge - 5, end), (edge, end))
    notes = (
        (1, "rows above: no longer needed"),
        (3.4, "K = 7 rows, in registers: two for"),
        (4.2, "each byte of a lane (orange and"),
        (5.0, "blue with green)"),
        (6.2, "thick frame: this output row"),
        (7.0, "is computed now"),
        (8.5, "green: this row enters"),
        (10.1, "on their way to shared memory,"),
        (10.9, "by asynchronous copies"),
    )
    for at, words in notes:
        sheet.text(right, top + at * row, words, size=8)
    sheet.text(left + 11 * lane + 8, top + 2.5 * row, "a window", size=8)
    sheet.arrow((40, top + 2 * row), (40, top + 11 * row), line=2)
    sheet.text(40, top + 1.3 * row, "marches", "center", size=8)
    sheet.text(40, top + 11.6 * row, "down", "center", size=8)
    sheet.line(
        (left + 11 * lane + 1.5, top + 9 * row), (left + 11 * lane + 1.5, top + 12 * row + 14), INK, 0.6, dashed=True
    )
    sheet.text(left + 11 * lane + 8, top + 12 * row + 14, "next row: each window slides down by one sample", size=8)
    return sheet.svg()


def _dot_products(sheet: Sheet, top: float, title: str, first: int) -> None:
    """Eight samples of a column, from sample `first` on, times the taps: two dp4a."""
    left, cell, gap, high = 92, 44, 30, 24
    samples = SAMPLES[first : first + 8]
    sheet.text(left, top - 16, title, bold=True)
    for line, name in enumerate(("samples", "taps", "products")):
        sheet.text(left - 12, top + line * 30 + high / 2, name, "right")
    total = 0
    for word in (0, 1):
        part = 0
        for n in range(4 * word, 4 * word + 4):
            x = left + n * cell + word * gap
            is_new = first + n == len(SAMPLES) - 1
            fill = NEW if is_new else OLDER if word == 0 else NEWER
            product = samples[n] * TAPS[n]
            for line, (number, look) in enumerate(((samples[n], fill), (TAPS[n], "white"), (product, PALE))):
                sheet.box(x, top + line * 30, cell, high, look, number, edge=GREY if line else INK)
            part += product
        total += part
        middle = left + (4 * word + 2) * cell + word * gap
        sheet.text(middle, top + 104, f"dp4a adds {part}", "center")
    x = left + 8 * cell + gap + 22
    sheet.text(x, top + 42, f"column sum: {total}", bold=True)
    sheet.text(x, top + 62, "two instructions", size=8, colour=GREY)


def dp4a() -> bytes:
    """Two dp4a with numbers, and the same one row further down."""
    sheet = Sheet(724, 370)
    left, cell, gap = 92, 44, 30
    sheet.text(left + 2 * cell, 14, "word of the older rows", "center", colour=GREY)
    sheet.text(left + 6 * cell + gap, 14, "word of the newest four rows", "center", colour=GREY)
    _dot_products(sheet, 60, "output row y", 0)
    for n in range(1, 8):  # where the samples go
        start = left + (n + 0.5) * cell + n // 4 * gap
        end = left + (n - 0.5) * cell + (n - 1) // 4 * gap
        sheet.arrow((start, 178), (end, 208), GREY, line=0.8)
    sheet.text(left + 8 * cell + gap + 22, 193, "one row down: each sample", size=8)
    sheet.text(left + 8 * cell + gap + 22, 207, "moves by one byte, 3 enters", size=8)
    _dot_products(sheet, 244, "output row y + 1", 1)
    return sheet.svg()


def over_k() -> bytes:
    """Boxes of growing side: packed, running_sums and lab 12's wgmma, beside a copy; caches are emptied before each run."""
    times: dict[str, list[tuple[int, float]]] = {}
    cold = {
        row["session"]: float(row["copy_gb_per_s"])
        for _, row in read_table(REFERENCE / "sessions.csv", ())
        if row["cold"] == "1" and row["copy_gb_per_s"]
    }
    sessions = set()
    for lab, variants in (("07_separable", ("packed", "running_sums")), ("12_tensor", ("wgmma",))):
        for _, row in read_table(REFERENCE / f"{lab}_sweep.csv", ()):
            job = row["variant"], row["filter"], row["size"], row["channels"], row["status"]
            if row["session"] in cold and job in [(variant, "box", "8k", "3", "ok") for variant in variants]:
                times.setdefault(row["variant"], []).append((int(row["ksize"]), float(row["kernel_ms_median"])))
                sessions.add(row["session"])
    rates = [cold[session] for session in sessions]
    copy = 7680 * 4320 * 6 / 1e6 / (sum(rates) / len(rates))
    figure, axes = canvas(3.4)
    axis = axes[0][0]
    for (variant, mark, name), colour in zip(
        (("packed", "s", "packed"), ("running_sums", "o", "running_sums"), ("wgmma", "^", "wgmma (lab 12)")), PALETTE
    ):
        axis.plot(*zip(*sorted(times[variant])), color=colour, marker=mark, label=name)
    axis.axhline(copy, color=GREY, linestyle="--")
    axis.text(31, copy - 0.002, "a copy", ha="right", va="top", color=GREY)
    axis.set(xlabel="K, side of the box", ylabel="ms at 8K, on an H200", ylim=(0, 0.095), xlim=(2, 32))
    axis.set_xticks((3, 5, 7, 9, 15, 21, 31))
    axis.legend(loc="lower right", ncol=3, fontsize=10)
    figure.tight_layout()
    return svg(figure)
