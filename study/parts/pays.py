# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""When does the GPU pay? One core, all cores, the kernel alone, with copies, pipelined; chains."""

from typing import Any, Dict, List, Sequence

from ..figures import drawing
from ..figures.content import NOISY, Figure, Line, Table, joined, named_time, percent
from ..figures.series import describe, point, variant_of
from ..measurements.points import cpu_over_gpu
from ..measurements.rows import OF_CPU, Row
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


WARM, COLD = "all cores, picture in the caches", "all cores, picture from memory"
ONE, MANY = "with copies, streams", "pipelined frames"


def methods(results: Results) -> Dict[str, Method]:
    """Time of the 5x5 Gaussian of an RGB picture by method and size; those without a row are left out. All cores and the GPU
    with its copies are of one session, that of the cold rows, where there are such."""
    kernels = [
        job(results.bench, lab, variant)
        for lab, variant in dict.fromkeys(
            (row.lab, row.variant)
            for row in results.bench
            if row.backend == "cuda" and not row.with_copies and row.lab < "08"
        )
    ]
    rows = results.together(lambda row: row.lab == BASES[2][0] and row.variant == BASES[2][1] and row.cold == "1")

    def of(lab: str, variant: str, cold: str = "0") -> Method:
        return job(rows or results.bench, lab, variant, cold)

    found = {
        "one core": job(results.bench, *BASES[1]),
        WARM: of(*BASES[2]),
        COLD: of(*BASES[2], cold="1"),
        f"{COLD}, threads created": of("02_pthread", "simd_created", "1"),
        "kernel only": _fastest(kernels),
        **{f"with copies, {name}": of("06_async_streams", name) for name in ("pageable", "pinned", "streams")},
        MANY: of("06_async_streams", "frames"),
    }
    return {name: method for name, method in found.items() if method}


def _where(cpu: Method, gpu: Method) -> str:
    """ "faster at 480p and slower at 8k; at 720p the two are less than 25 % apart": the GPU."""
    gain = {name: cpu_over_gpu(cpu[name], gpu[name]) for _, name in sizes(cpu.values()) if name in gpu}
    won = [name for name in gain if gain[name].least > 1]
    lost = [name for name in gain if gain[name].most < 1]
    close = [name for name in gain if name not in won + lost]

    def at(names: Sequence[str]) -> str:
        return "at every size measured" if len(names) == len(gain) else f"at {joined(names)}"

    found = joined([f"{word} {at(names)}" for word, names in (("faster", won), ("slower", lost)) if names])
    near = f"{at(close)} the intervals of the two times are less than {percent(OF_CPU)} apart" if close else ""
    return "; ".join(filter(None, (found, near)))


def pays(results: Results) -> str:
    """Where the GPU is faster for pictures in host memory, in a few sentences; nothing without rows."""
    by_method = methods(results)
    caches = [
        (words, by_method[name])
        for name, words in ((WARM, "is in the CPU's caches"), (COLD, "comes from memory"))
        if name in by_method
    ]
    gpus = [
        (words, by_method[name])
        for name, words in ((ONE, "one picture"), (MANY, "many pictures, per picture"))
        if name in by_method
    ]
    sentences = [
        f"A picture that {state}, {words}: the GPU is {_where(cpu, gpu)}." for state, cpu in caches for words, gpu in gpus
    ]
    if not sentences:
        return ""
    cpus = [row for _, cpu in caches for row in cpu.values()]
    noisy = sum(row.is_noisy for row in cpus)
    return (
        "Pictures in pinned host memory, one 5x5 filter on each, all cores of the CPU beside the GPU with its copies. "
        + " ".join(sentences)
        + f" Two runs of one program on a CPU often differ by {percent(OF_CPU)}."
        + f" Noisy: {noisy} of the {len(cpus)} times of the CPU." * (noisy > 0)
    )


def when_it_pays(results: Results) -> List[Any]:
    """A figure and a table of one filter; then the chains of filters."""
    by_method = methods(results)
    rows = list({id(row): row for method in by_method.values() for row in method.values()}.values())
    if "kernel only" not in by_method or WARM not in by_method:
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
