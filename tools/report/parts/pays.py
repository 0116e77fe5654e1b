# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""When does the GPU pay? One core, all cores, the kernel alone, with copies, pipelined; chains."""
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional

from ..figures import drawing
from ..figures.content import DASH, NO_BAR, NOISY, Figure, Line, Table, joined, number
from ..figures.series import describe, point
from ..measurements.rows import Row
from ..measurements.selection import Results, sizes
from .chains import chains
from .road import BASES, job


@dataclass(frozen=True)
class Timed:
    """A time, and the row that it is of: its `ms`, or its time with copies."""
    ms: float
    row: Row


Method = Dict[str, Timed]  # by size


def _fastest(variants: List[Dict[str, Row]], time_of: Callable[[Row], Optional[float]]) -> Method:
    """The shortest time of any of the variants, by size."""
    method: Method = {}
    for rows in variants:
        for size, row in rows.items():
            ms = time_of(row)
            if ms and (size not in method or ms < method[size].ms):
                method[size] = Timed(ms, row)
    return method


def methods(results: Results) -> Dict[str, Method]:
    """Time of the 5x5 Gaussian of an RGB picture by method and size."""
    kernels = [job(results, lab, variant) for lab, variant in dict.fromkeys(
        (row.lab, row.variant) for row in results.bench if row.backend == "cuda"
        and not row.with_copies and row.lab < "08")]

    def of(lab: str, variant: str) -> Method:
        return _fastest([job(results, lab, variant)], lambda row: row.ms)

    return {"one core": of(*BASES[1]), "all cores": of(*BASES[2]),
            "kernel only": _fastest(kernels, lambda row: row.ms),
            "with copies, pageable": _fastest(kernels, lambda row: row.total_ms),
            "with copies, pinned": of("06_async_streams", "pinned"),
            "pipelined frames": of("06_async_streams", "frames")}


def faster_where(results: Results) -> str:
    """At which sizes the GPU is faster for a picture in host memory; nothing without rows."""
    return pays(results).partition(". ")[0] + "." if pays(results) else ""


def pays(results: Results, written: Callable[[Timed], str] = lambda timed: number(timed.ms)) -> str:
    """Where the GPU is faster for a picture in host memory, in a sentence; nothing without rows.
    written: how a time is written."""
    by_method = methods(results)
    cpu, gpu, kernel = (by_method[name] for name in ("all cores", "pipelined frames", "kernel only"))
    common = [name for _, name in sizes(timed.row for timed in cpu.values()) if name in gpu]
    if not common:
        return ""
    won = [name for name in common if gpu[name].ms < cpu[name].ms]
    last = common[-1]
    numbers = (f"At {last} the CPU's cores take {written(cpu[last])} ms"
               + (f", the kernel alone {written(kernel[last])} ms" if last in kernel else "")
               + f", and the GPU with its copies, pipelined, {written(gpu[last])} ms per picture.")
    if not won:
        return ("For one 5x5 filter on a picture in host memory, all cores of the CPU are faster than "
                f"the GPU at every size, because the GPU needs the copies. {numbers}")
    where = f"at {joined(won)}" + (" only" if len(won) < len(common) else ", every size measured")
    return ("For one 5x5 filter on a picture in host memory, the GPU with pipelined copies is faster "
            f"than all cores of the CPU {where}. {numbers}"
            + " The CPU's times are noisy." * any(cpu[name].row.is_noisy for name in common))


def _cell(method: Method, size: str) -> str:
    timed = method.get(size)
    if timed is None:
        return DASH
    return f"{number(timed.ms)}{NOISY * timed.row.is_noisy} ({timed.row.variant})"


def when_it_pays(results: Results) -> List[Any]:
    """The sentence, a figure and a table of one filter; then the chains of filters."""
    by_method = methods(results)
    rows = list({id(timed.row): timed.row for method in by_method.values()
                 for timed in method.values()}.values())
    if not by_method["kernel only"] or not by_method["all cores"]:
        return ["Not measured: the GPU, or all cores.", *chains(results)]
    columns = [name for _, name in sizes(rows)]

    def draw() -> Any:
        figure, axes = drawing.canvas(4.2)
        drawing.draw_lines(axes[0, 0], [Line(name, [
            point(timed.row.pixels, timed.row) if timed.ms == timed.row.ms
            else (timed.row.pixels, timed.ms, NO_BAR, False) for timed in method.values()])
            for name, method in by_method.items() if method])
        drawing.size_axis(axes[0, 0], sizes(rows))
        axes[0, 0].set_ylabel("time (ms), logarithmic")
        return drawing.finish(figure, "When does the GPU pay? 5x5 Gaussian, RGB, picture in host memory",
                              describe(rows), legend=axes[0, 0])

    return [pays(results),
            Figure("pays", "When does the GPU pay: one core, all cores, the kernel alone, with copies, "
                   "pipelined.", draw),
            Table("pays", "Median time (ms) by method and size, and the variant that took it. "
                  + describe(rows, bars=False, noisy_mark=NOISY), ["", *columns],
                  [[name, *(_cell(method, size) for size in columns)]
                   for name, method in by_method.items()]),
            *chains(results)]
