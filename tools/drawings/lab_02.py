# SPDX-License-Identifier: MIT
"""Pictures of lab 02."""

from pathlib import Path

from report.make.plots.files import read_table
from report.make.plots.style import PALETTE, canvas, svg
from tools.drawings.sketch import GREY, INK, Sheet

THREADS = ("#a9c4ee", "#f6c28b", "#b6dca8", "#e3b5d3")
COLUMNS, ROWS = 8, 5  # blocks of the image
SLOW = 3  # the thread that gets half of a core: it needs 2 units of time for a block
RESULTS = Path(__file__).resolve().parents[2] / "results/reference/h200_16_cpus"
SHOWN = (("queue", "16", "o"), ("rows", "", "s"), ("simd_rows", "", "^"))  # variant, block, mark
UP_TO = 16


def _taken() -> list[int]:
    """The thread that takes each block of `queue`: of those that are free, the first."""
    free_at = [0.0] * len(THREADS)
    taken = []
    for _ in range(COLUMNS * ROWS):
        thread = free_at.index(min(free_at))
        free_at[thread] += 2 if thread == SLOW else 1
        taken.append(thread)
    return taken


def threads_over_rows() -> bytes:
    """Who computes what in rows, grid, blocks and queue, and when each thread ends if one is slow."""
    count, side, left, top = COLUMNS * ROWS, 20, 26, 36
    width, height, pitch = COLUMNS * side, ROWS * side, COLUMNS * side + 24
    share = count // len(THREADS)
    owners: dict[str, list[int]] = {
        "rows": [],
        "grid": [],
        "blocks": [block // share for block in range(count)],
        "queue": _taken(),
    }
    sheet = Sheet(left + 4 * pitch, top + height + 166)
    for panel, (name, owner) in enumerate(owners.items()):
        x = left + panel * pitch
        sheet.text(x, top - 16, name, bold=True, size=10)
        for thread in range(len(THREADS)):
            if name == "rows":
                part = (x, top + thread * height / 4, width, height / 4)
            elif name == "grid":
                part = (x + thread % 2 * width / 2, top + thread // 2 * height / 2, width / 2, height / 2)
            else:
                continue
            sheet.box(*part, THREADS[thread], thread)
        for block, thread in enumerate(owner):
            place = (x + block % COLUMNS * side, top + block // COLUMNS * side)
            sheet.box(*place, side, side, THREADS[thread], thread, edge=GREY, line=0.6, size=8)
        below, unit = top + height + 44, (width - 20) / (2 * share)
        for thread in range(len(THREADS)):
            blocks = owner.count(thread) if owner else share
            each = 2 if thread == SLOW else 1
            y = below + thread * 21
            sheet.text(x - 5, y + 8, thread, "right", size=8)
            for block in range(blocks if owner else 1):
                size = unit * each * (1 if owner else blocks)
                sheet.box(x + block * size, y, size, 16, THREADS[thread], edge=GREY, line=0.5)
            end = x + unit * each * blocks
            sheet.text(end + 5, y + 8, blocks * each, size=8)
        sheet.line((x + unit * share, below - 6), (x + unit * share, below + 86), INK, dashed=True)
    sheet.text(left, top + height + 24, "Time of each thread, in blocks, if thread 3 gets only half of a core:")
    sheet.text(left, top + height + 148, "dashed: the end if all threads are equally fast", colour=GREY)
    return sheet.svg()


def _times(lab: str) -> dict[tuple[str, str, str, int], float]:
    """The times of a lab's file by variant, size, block and threads."""
    times: dict[tuple[str, str, str, int], float] = {}
    for _, row in read_table(RESULTS / f"{lab}.csv", ()):
        settings = dict(word.split("=") for word in row["settings"].split())
        if row["status"] == "ok":
            at = row["variant"], row["size"], settings.get("block", ""), int(settings.get("threads", 1))
            times[at] = float(row["kernel_ms_median"])
    return times


def speed_up() -> bytes:
    """The speed-up over lab 01's program with the same loops, for 1 to 16 threads, at two sizes."""
    alone, times = _times("01_sequential"), _times("02_pthread_sweep")
    figure, axes = canvas(3.6, 2, sharey=True)
    for axis, size in zip(axes[0], ("480p", "4k")):
        axis.plot((1, UP_TO), (1, UP_TO), color=GREY, linestyle="--", label="ideal")
        for (variant, block, mark), colour in zip(SHOWN, PALETTE):
            found = sorted(
                (n, ms) for (name, of, side, n), ms in times.items() if (name, of, side) == (variant, size, block)
            )
            base = "simd" if variant == "simd_rows" else "nested"
            one = alone[base, size, "", 1]
            label = f"{variant}, over {base}"
            axis.plot(*zip(*((n, one / ms) for n, ms in found)), color=colour, marker=mark, label=label)
        axis.set(title=size.replace("k", "K"), xlabel="threads", xlim=(0, UP_TO + 0.6), ylim=(0, UP_TO + 0.6))
        axis.set_xticks(range(0, UP_TO + 1, 4))
        axis.set_yticks(range(0, UP_TO + 1, 4))
    axes[0][0].set_ylabel("times as fast as one core")
    axes[0][0].legend(loc="upper left", fontsize=10)
    figure.tight_layout()
    return svg(figure)
