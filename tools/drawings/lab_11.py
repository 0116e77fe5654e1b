# SPDX-License-Identifier: MIT
"""Pictures of lab 11."""

from pathlib import Path

from report.make.plots.files import read_table
from report.make.plots.style import PALETTE, canvas, plain, svg
from tools.drawings.sketch import GREY, INK, Sheet

RANKS = ("#a9c4ee", "#f6c28b", "#b6dca8", "#e3b5d3")
MESSAGE, FILTER, WAIT = "#f4a3a3", "#d9e4f5", "white"
RIGHT = 352.0  # the left end of the lines of time
RESULTS = Path(__file__).resolve().parents[2] / "results/reference/h200x4_64_cpus/11_mpi_sweep.csv"
# Each panel of the graph: variant, size, the name of the job, passes. What it shows: column, label, mark.
CPU = (("scatter", "8k", "8K, 1 pass", 1), ("halo", "1080p", "1080p, 100 passes", 100))
PARTS = (("kernel_ms_median", "in all", "o"), ("compute_ms", "computing", "s"), ("exchange_ms", "exchange", "^"))
GPU = ("gpu_nccl", "gpu_overlap", "gpu")


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
    legend = ((RIGHT, MESSAGE, "sends and receives"), (RIGHT + 170, FILTER, "filters"), (RIGHT + 256, WAIT, "waits"))
    for x, fill, text in legend:
        sheet.box(x, 340, 22, 14, fill, edge=GREY, line=0.6, hatch="//" if fill == WAIT else "")
        sheet.text(x + 30, 347, text, colour=INK)
    return sheet.svg()


def _rows(variant: str, size: str, passes: int) -> list[tuple[int, dict[str, str]]]:
    """The numbers of ranks, each with its row."""
    found = []
    for _, row in read_table(RESULTS, ()):
        settings = dict(word.split("=") for word in row["settings"].split())
        if row["status"] == "ok" and (row["variant"], row["size"], settings["passes"]) == (variant, size, str(passes)):
            found.append((int(settings["ranks"]), row))
    return sorted(found, key=lambda it: it[0])


def scaling() -> bytes:
    """On up to 64 cores: where the time goes."""
    figure, axes = canvas(3.6, columns=2, sharey=True)
    for axis, (variant, size, job, passes) in zip(axes[0], CPU):
        rows = _rows(variant, size, passes)
        for (column, label, mark), colour in zip(PARTS, PALETTE):
            times = [
                (n, float(row[column])) for n, row in rows if float(row[column]) > 0.1
            ]  # halo alone exchanges nothing
            axis.plot(*zip(*times), color=colour, marker=mark, label=label)
        alone = float(rows[0][1]["compute_ms"])
        axis.plot(*zip(*((n, alone / n) for n, _ in rows)), color=GREY, linestyle="--", label="computing on 1 rank / n")
        axis.set(xlabel="ranks", xscale="log", yscale="log", title=f"{variant}, {job}", ylim=(0.3, 150))
        axis.set_xticks([1, 2, 4, 8, 16, 32, 64])
        for ticks in (axis.xaxis, axis.yaxis):
            plain(ticks)
        axis.minorticks_off()
    axes[0][0].set_ylabel("ms on the slowest rank")
    axes[0][0].legend(loc="lower left", fontsize=10)
    figure.tight_layout()
    return svg(figure)


def scaling_gpus() -> bytes:
    """On up to four GPUs."""
    figure, axes = canvas(3.4)
    axis = axes[0][0]
    axis.plot((1, 4), (1, 4), color=GREY, linestyle="--", label="ideal")
    for variant, colour, mark in zip(GPU, PALETTE, "os^"):
        times = [(n, float(row["kernel_ms_median"])) for n, row in _rows(variant, "8k", 100)]
        axis.plot(*zip(*((n, times[0][1] / ms) for n, ms in times)), color=colour, marker=mark, label=variant)
    axis.set(
        xlabel="GPUs", ylabel="times as fast as one GPU", xticks=(1, 2, 3, 4), yticks=(0, 1, 2, 3, 4), ylim=(0, 4.2)
    )
    axis.legend(loc="upper left", fontsize=10)
    figure.tight_layout()
    return svg(figure)
