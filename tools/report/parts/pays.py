# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""When does the GPU pay? One core, all cores, the kernel alone, with copies, pipelined; chains."""
from typing import Any, Callable, Dict, List, Optional, Tuple

from ..figures import drawing
from ..figures.content import DASH, NO_BAR, Figure, Line, Table, joined, number, times
from ..figures.series import describe, point
from ..measurements.rows import Row
from ..measurements.selection import Results, sizes
from .road import BASES, job

CHAIN = (1, 2, 4, 8, 16)


def ways(results: Results) -> Dict[str, Dict[str, Tuple[float, Row]]]:
    """Time by way and size: one core, all cores, kernel, with copies, pipelined."""
    gpu = [job(results, lab, variant) for lab, variant in dict.fromkeys(
        (row.lab, row.variant) for row in results.bench if row.backend == "cuda"
        and not row.with_copies and row.lab < "08")]
    names = [name for _, name in sizes(row for row in results.bench if row.timed and row.size)]

    def best(found: List[Dict[str, Row]], of: Callable[[Row], Optional[float]]) -> Dict[
            str, Tuple[float, Row]]:
        chosen = {}
        for name in names:
            pairs = [(of(rows[name]), rows[name]) for rows in found if name in rows]
            times_ = [(time, row) for time, row in pairs if time]
            if times_:
                chosen[name] = min(times_, key=lambda pair: pair[0])
        return chosen

    return {"one core": best([job(results, *BASES[1])], lambda row: row.ms),
            "all cores": best([job(results, *BASES[2])], lambda row: row.ms),
            "kernel only": best(gpu, lambda row: row.ms),
            "with copies, pageable": best(gpu, lambda row: row.total_ms),
            "pinned memory": best([job(results, "06_async_streams", "pinned")], lambda row: row.ms),
            "pipelined": best([job(results, "06_async_streams", "frames")], lambda row: row.ms)}


def pays(results: Results) -> str:
    """One sentence: from which size on the GPU is faster for an image in host memory; or nothing."""
    found = ways(results)
    cpu, gpu = found["all cores"], found["pipelined"]
    common = [name for name in cpu if name in gpu]
    if not common:
        return ""
    won = [name for name in common if gpu[name][0] < cpu[name][0]]
    last = common[-1]
    ends = (f"at {last} the CPU's cores take {number(cpu[last][0])} ms, the kernel alone "
            f"{number(found['kernel only'][last][0])} ms, the best pipeline with its copies "
            f"{number(gpu[last][0])} ms" if last in found["kernel only"] else "")
    if not won:
        return ("For one 5x5 filter on an image in host memory, the CPU's cores together are faster "
                f"than the GPU with its copies at every size: {ends}. The GPU pays where the image "
                "stays on the device.")
    where = f"at {joined(won)} only" if len(won) < len(common) else "at every size"
    return ("For one 5x5 filter on an image in host memory, the GPU with pipelined copies is faster "
            f"than the CPU's cores together {where}: {ends}.")


def _chain(found: Dict[str, Dict[str, Tuple[float, Row]]], name: str, count: int) -> str:
    cpu, kernel, pinned = (found[way].get(name) for way in ("all cores", "kernel only",
                                                           "pinned memory"))
    if not cpu or not kernel or not pinned:
        return DASH
    return times(count * cpu[0] / (pinned[0] + (count - 1) * kernel[0]))


def when_it_pays(results: Results) -> List[Any]:
    found = ways(results)
    names = list(found["all cores"]) or list(found["one core"])
    if not found["kernel only"] or not names:
        return ["Not measured: the GPU, or all cores."]
    lines = [[way, *(f"{number(by_size[name][0])} ({by_size[name][1].variant})"
                     if name in by_size else DASH for name in names)]
             for way, by_size in found.items()]
    lines += [[f"chain of {count}: CPU over GPU", *(_chain(found, name, count) for name in names)]
              for count in CHAIN]
    rows = list({id(row): row for by_size in found.values() for _, row in by_size.values()}.values())

    def draw() -> Any:
        figure, axes = drawing.canvas(4.2)
        drawing.draw_lines(axes[0, 0], [Line(way, [
            point(row.pixels, row) if time == row.ms else (row.pixels, time, NO_BAR, False)
            for time, row in by_size.values()]) for way, by_size in found.items() if by_size])
        drawing.size_axis(axes[0, 0], sizes(rows))
        axes[0, 0].set_ylabel("time (ms), logarithmic")
        return drawing.finish(figure, "When does the GPU pay? 5x5 Gaussian, RGB, image in host memory",
                              describe(rows), legend=axes[0, 0])

    return [pays(results),
            Figure("pays", "When does the GPU pay: one core, all cores, the kernel alone, with copies, "
                   "pipelined.", draw),
            Table("pays", "Time by size (ms), and who took it. A chain of n filters on an image that "
                  "stays on the device is worked out: pinned copies once, then n - 1 more kernels; n "
                  "times all cores over that. " + describe(rows, bars=False),
                  ["", *names], lines)]
