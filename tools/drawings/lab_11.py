# SPDX-License-Identifier: MIT
"""Pictures of lab 11."""

from collections.abc import Sequence
from pathlib import Path

from report.make.plots.files import read_table
from report.make.plots.style import PALETTE, canvas, plain, svg
from tools.drawings.sketch import GREY, INK, Sheet

RANKS = ("#a9c4ee", "#f6c28b", "#b6dca8", "#e3b5d3")
MESSAGE, FILTER, WAIT = "#f4a3a3", "#d9e4f5", "white"
RIGHT = 352.0  # the left end of the lines of time
RESULTS = Path(__file__).resolve().parents[2] / "results/reference/h200x4_64_cpus/11_mpi_sweep.csv"
# Folder's rows that each panel of the graph shows: variant, label, size, passes.
CPU = (
    ("wide_halo", "wide_halo, 1080p, 100 passes", "1080p", 100),
    ("halo", "halo, 1080p, 100 passes", "1080p", 100),
    ("scatter", "scatter, 8K, 1 pass", "8k", 1),
)
GPU = (
    ("gpu_nccl", "gpu_nccl, 8K, 100 passes", "8k", 100),
    ("gpu_overlap", "gpu_overlap, 8K, 100 passes", "8k", 100),
    ("gpu", "gpu, 8K, 100 passes", "8k", 100),
)


def _time_line(sheet: Sheet, y: float, name: str, parts: list[tuple[float, str, str]]) -> None:
    x = RIGHT
    sheet.text(x, y - 13, name, bold=True)
    for width, fill, text in parts:
        sheet.box(x, y, width, 26, fill, text, edge=GREY, line=0.6, size=8, hatch="//" if fill == WAIT else "")
        x += width


def halos() -> bytes:
    """Four bands with their halos and the messages between them; two passes of one rank in three variants."""
    halo, band, edge, gap, left, width, top = 13, 56, 13, 24, 76, 236, 48
    sheet = Sheet(704, top + 4 * band + 6 * halo + 3 * gap + 22)
    sheet.text(left + width / 2, 14, "Bands and halos of four ranks", "center", bold=True, size=10)
    sheet.text(RIGHT, 14, "Two passes of one rank", bold=True, size=10)
    y, edges = float(top), []
    for rank, colour in enumerate(RANKS):
        above = y
        if rank:
            sheet.box(left, y, width, halo, RANKS[rank - 1], "halo", edge=GREY, line=0.6, size=7)
            y += halo
        sheet.box(left, y, width, band, colour, line=1.2)
        sheet.text(left - 8, y + band / 2, f"rank {rank}", "right")
        first, last = y + edge / 2, y + band - edge / 2
        if rank:
            sheet.line((left, y + edge), (left + width, y + edge), dashed=True)
            sheet.text(left + width - 8, first, "first p rows", "right", size=7)
        if rank < 3:
            sheet.line((left, y + band - edge), (left + width, y + band - edge), dashed=True)
            sheet.text(left + 8, last, "last p rows", size=7)
        y += band
        below = y
        if rank < 3:
            sheet.box(left, y, width, halo, RANKS[rank + 1], "halo", edge=GREY, line=0.6, size=7)
            y += halo
        edges.append((above + halo / 2, first, last, below + halo / 2))
        y += gap
    for upper, lower in zip(edges, edges[1:]):
        sheet.arrow((left + 78, upper[2]), (left + 78, lower[0]), line=1.6)
        sheet.arrow((left + width - 78, lower[1]), (left + width - 78, upper[3]), line=1.6)
    sheet.text(left + width / 2, top - 10, "edge of the picture: border rule, no message", "center", 8, GREY)
    sheet.text(left + width / 2, y - gap + 12, "edge of the picture", "center", 8, GREY)

    exchange, rows, thin = 66.0, 98.0, 22.0
    _time_line(sheet, 66, "halo", [(exchange, MESSAGE, "exchange"), (rows, FILTER, "all rows")] * 2)
    _time_line(
        sheet,
        140,
        "overlap, if messages travel meanwhile",
        [(thin, MESSAGE, ""), (rows - 22, FILTER, "interior"), (14, WAIT, ""), (thin, FILTER, "")] * 2,
    )
    sheet.text(RIGHT, 178, "start", size=8, colour=GREY)
    sheet.text(RIGHT + 98, 178, "wait", "right", 8, GREY)
    sheet.text(RIGHT + 125, 178, "edges", "center", 8, GREY)
    _time_line(
        sheet,
        234,
        "wide_halo, s = 2",
        [(exchange + 4, MESSAGE, "2p rows"), (rows + 40, FILTER, "all rows, and 2p more"), (rows, FILTER, "all rows")],
    )
    sheet.arrow((RIGHT, 300), (RIGHT + 322, 300), GREY, line=0.9)
    sheet.text(RIGHT, 314, "time", colour=GREY, size=8)
    for x, fill, text in ((RIGHT, MESSAGE, "sends and receives"), (RIGHT + 180, FILTER, "filters")):
        sheet.box(x, 340, 22, 14, fill, edge=GREY, line=0.6)
        sheet.text(x + 30, 347, text, colour=INK)
    return sheet.svg()


def _scaling(shown: Sequence[tuple[str, str, str, int]], most: int, top: float) -> bytes:
    """The speed-up over one rank, over the number of ranks."""
    times: dict[tuple[str, str, int, int], float] = {}
    for _, row in read_table(RESULTS, ()):
        settings = dict(word.split("=") for word in row["settings"].split())
        if row["status"] == "ok":
            at = row["variant"], row["size"], int(settings["passes"]), int(settings["ranks"])
            times[at] = float(row["kernel_ms_median"])
    figure, axes = canvas(3.4)
    axis = axes[0][0]
    axis.plot((1, most), (1, most), color=GREY, linestyle="--", label="ideal")
    for (variant, label, size, passes), colour, mark in zip(shown, PALETTE, "os^"):
        found = sorted((n, ms) for (*job, n), ms in times.items() if job == [variant, size, passes])
        one = found[0][1]
        axis.plot(*zip(*((n, one / ms) for n, ms in found)), color=colour, marker=mark, label=label)
    axis.set(xlabel="ranks", ylabel="times as fast as one rank", xscale="log", yscale="log")
    axis.set_xticks([n for n in (1, 2, 4, 8, 16, 32, 64) if n <= most])
    plain(axis.xaxis)
    axis.set_yticks([n for n in (0.5, 1, 2, 4, 8, 16, 32, 64) if n <= most and (most == 4 or n >= 1)])
    plain(axis.yaxis)
    axis.minorticks_off()
    axis.legend(loc="upper left", fontsize=10)
    axis.set_ylim(0.6 if most == 4 else 0.8, top)
    figure.tight_layout()
    return svg(figure)


def scaling() -> bytes:
    """On up to 64 cores."""
    return _scaling(CPU, 64, 160)


def scaling_gpus() -> bytes:
    """On up to four GPUs."""
    return _scaling(GPU, 4, 9)
