# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""When does the GPU pay? One core, all cores, the kernel alone, with copies, pipelined; chains."""

from typing import Any, Dict, List, Sequence

from ..figures import drawing
from ..figures.content import NOISY, Figure, Line, Table, joined, named_time, number, percent
from ..figures.series import describe, point, variant_of
from ..measurements.points import TWO_SESSIONS, cpu_over_gpu
from ..measurements.rows import Row
from ..measurements.selection import Results, sizes
from .chains import chains
from .road import BASES, job

Method = Dict[str, Row]  # by size


def _fastest(variants: List[Method]) -> Method:
    """The row with the shortest time of any of the variants, by size."""
    method: Method = {}
    for rows in variants:
        for size, row in rows.items():
            if size not in method or row.ms < method[size].ms:
                method[size] = row
    return method


def methods(results: Results) -> Dict[str, Method]:
    """Time of the 5x5 Gaussian of an RGB picture by method and size."""
    kernels = [
        job(results, lab, variant)
        for lab, variant in dict.fromkeys(
            (row.lab, row.variant)
            for row in results.bench
            if row.backend == "cuda" and not row.with_copies and row.lab < "08"
        )
    ]

    def of(lab: str, variant: str) -> Method:
        return job(results, lab, variant)

    return {
        "one core": of(*BASES[1]),
        "all cores": of(*BASES[2]),
        "kernel only": _fastest(kernels),
        "with copies, pageable": of("06_async_streams", "pageable"),
        "with copies, pinned": of("06_async_streams", "pinned"),
        "pipelined frames": of("06_async_streams", "frames"),
    }


def pays(results: Results) -> str:
    """Where the GPU is faster for a picture in host memory, in a sentence; nothing without rows."""
    by_method = methods(results)
    cpu, gpu, kernel = (by_method[name] for name in ("all cores", "pipelined frames", "kernel only"))
    common = [name for _, name in sizes(cpu.values()) if name in gpu]
    if not common:
        return ""
    gain = {name: cpu_over_gpu(cpu[name], gpu[name]) for name in common}
    won = [name for name in common if gain[name].least > 1]
    lost = [name for name in common if gain[name].most < 1]
    close = [name for name in common if name not in won + lost]
    last = common[-1]
    noisy = sum(cpu[name].is_noisy for name in common)
    numbers = (
        f"At {last} the CPU's cores take {number(cpu[last].ms)} ms"
        + (f", the kernel alone {number(kernel[last].ms)} ms" if last in kernel else "")
        + f", and the GPU with its copies {number(gpu[last].ms)} ms per picture."
    )

    def at(names: Sequence[str]) -> str:
        return "at every size measured" if len(names) == len(common) else f"at {joined(names)}"

    found = [f"{word} {at(names)}" for word, names in (("faster", won), ("slower", lost)) if names]
    undecided = ""
    if close:
        undecided = (
            f" {at(close).capitalize()} the intervals of the two times are less than {percent(TWO_SESSIONS)} apart. Two "
            "runs of one program on a CPU often differ by as much, so neither is called faster."
        )
    result = (
        f"the GPU, which copies some while it filters others, is {joined(found)}."
        if found
        else "nothing decides for the GPU or against it."
    )
    return (
        f"Pictures in host memory, one 5x5 filter on each: compared with all cores of the CPU, {result}"
        f"{undecided} {numbers}" + f" Noisy: {noisy} of the {len(common)} times of the CPU." * (noisy > 0)
    )


def when_it_pays(results: Results) -> List[Any]:
    """A figure and a table of one filter; then the chains of filters."""
    by_method = methods(results)
    rows = list({id(row): row for method in by_method.values() for row in method.values()}.values())
    if not by_method["kernel only"] or not by_method["all cores"]:
        return ["Not measured: the GPU, or all cores.", *chains(results)[1:]]
    columns = [name for _, name in sizes(rows)]

    def draw() -> Any:
        figure, axes = drawing.canvas(4.2)
        drawing.draw_lines(
            axes[0, 0],
            [
                Line(
                    name, [point(row.pixels, row) for row in method.values()], variant=variant_of(list(method.values()))
                )
                for name, method in by_method.items()
                if method
            ],
        )
        drawing.size_axis(axes[0, 0], sizes(rows))
        axes[0, 0].set_ylabel("time (ms)")
        return drawing.finish(
            figure, "When does the GPU pay? 5x5 Gaussian, picture in host memory", describe(rows), legend=axes[0, 0]
        )

    return [
        Figure(
            "pays",
            "When does the GPU pay: the lines with copies against that of all cores, and the kernel alone.",
            draw,
        ),
        Table(
            "pays",
            "Median time (ms) by method and size, and the variant that took it. "
            + describe(rows, bars=False, noisy_mark=NOISY),
            ["", *columns],
            [[name, *(named_time(method.get(size)) for size in columns)] for name, method in by_method.items()],
        ),
        *chains(results)[1:],
    ]
