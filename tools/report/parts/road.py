# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The road from the first program to the fastest, when the GPU pays, and a roofline of the machine."""
from typing import Any, Callable, Dict, List, Optional, Tuple

from ..figures import drawing
from ..figures.content import DASH, NOISY, NO_BAR, Figure, Line, Section, Table, joined, number, times
from ..measurements.rows import Row
from ..measurements.selection import Results, fastest, sizes
from ..figures.series import describe, point

# The steps: lab and variant, each faster than the one before by another idea.
ROAD = (("01_sequential", "nested"), ("01_sequential", "separable"), ("01_sequential", "simd"),
        ("02_pthread", "simd_rows"), ("03_cuda_global", "naive"), ("03_cuda_global", "coalesced"),
        ("04_cuda_constant", "unrolled"), ("05_cuda_shared", "two_batch"),
        ("05_cuda_shared", "packed"), ("07_separable", "packed"))
# Baselines: the reports' kind, our best with one thread, our best with all cores.
BASES = (("01_sequential", "nested"), ("01_sequential", "simd"), ("02_pthread", "simd_rows"))
AT = "8k"
CHAIN = (1, 2, 4, 8, 16)


def job(results: Results, lab: str, variant: str) -> Dict[str, Row]:
    """The fastest timed row of a variant by size: the protocol's 5x5 Gaussian of an RGB picture."""
    found: Dict[str, Row] = {}
    for row in results.bench:
        if not row.timed or (row.lab, row.variant, row.filter, row.ksize, row.border, row.cold,
                             row.type, row.image) != (lab, variant, "gaussian", "5", "replicate",
                                                      "0", "uint8", "scene"):
            continue
        if row.size_name not in found or row.ms < found[row.size_name].ms:
            found[row.size_name] = row
    return found


def _road(results: Results) -> List[Any]:
    steps = [(f"{lab} {variant}", job(results, lab, variant).get(AT)) for lab, variant in ROAD]
    timed = [(name, row) for name, row in steps if row is not None]
    if len(timed) < 3:
        return [f"Not measured: the steps at {AT}."]
    bases = [job(results, *base).get(AT) for base in BASES]
    lines = []
    before: Optional[Row] = None
    for name, row in steps:
        lines.append([name, number(row.ms) + NOISY * row.is_noisy if row else "not measured",
                      times(before.ms / row.ms if row and before else None),
                      *(times(base.ms / row.ms if row and base else None) for base in bases),
                      number(row.total_ms if row else None),
                      times(bases[2].ms / row.total_ms
                            if row and row.total_ms and bases[2] else None)])
        before = row or before
    rows = [row for _, row in timed]

    def draw() -> Any:
        figure, axes = drawing.canvas(1.4 + 0.36 * len(timed))
        panel = axes[0, 0]
        panel.set_xscale("log")
        for index, (_, row) in enumerate(timed):
            colour = drawing.looks([row.variant])[0][0]
            panel.errorbar([row.ms], [index], xerr=[[row.bars[0]], [row.bars[1]]], fmt="o",
                           color=colour, markersize=7,
                           markerfacecolor="white" if row.is_noisy else colour)
            panel.text(row.ms * 1.15, index, f" {number(row.ms)} ms", va="center", fontsize=9)
            if row.total_ms:
                panel.plot([row.total_ms], [index], "|", color="0.35", markersize=12)
        panel.plot([], [], "|", color="0.35", markersize=12, linestyle="",
                   label="with the copies, pageable memory")
        panel.legend(loc="upper left")
        panel.set_yticks(range(len(timed)))
        panel.set_yticklabels([name for name, _ in timed])
        panel.set_ylim(len(timed) - 0.5, -0.5)
        panel.set_xlim(right=panel.get_xlim()[1] * 2)
        panel.grid(axis="y", visible=False)
        drawing.plain(panel.xaxis)
        panel.set_xlabel("time (ms), logarithmic")
        return drawing.finish(figure, f"The road at {AT}, RGB", describe(rows))

    return [Figure("road", f"The road: each step's time at {AT}.", draw),
            Table("road", f"The road at {AT}. Over the step before; over three baselines: the reports' "
                  "kind, our best with one thread, our best with all cores; and with the copies of "
                  f"pageable memory. {describe(rows, bars=False, noisy_mark=NOISY)}",
                  ["step", "ms", "over the step before", *(f"over {v}" for _, v in BASES),
                   "with copies ms", "that over simd_rows"], lines)]


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


def _pays(results: Results) -> List[Any]:
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


def _roofline(results: Results) -> List[Any]:
    rows = [row for row in results.bench if row.timed and row.size_name == AT
            and not row.with_copies and row.number["operations"] and row.cold == "0"
            and (row.filter, row.ksize, row.border, row.type) == ("gaussian", "5", "replicate",
                                                                  "uint8")]
    best = {}
    for row in rows:
        at = row.lab, row.variant
        best[at] = min(best.get(at, row), row, key=lambda one: one.ms)
    rows = list(best.values())
    if len(rows) < 3:
        return [f"Not measured: a roofline at {AT}."]

    def draw() -> Any:
        figure, axes = drawing.canvas(7.0)
        panel = axes[0, 0]
        panel.set_xscale("log")
        panel.set_yscale("log")
        for backend, style in (("cpu", ":"), ("cuda", "--")):
            mine = [row for row in rows if row.backend == backend]
            roof = max((results.ceiling(row) or 0 for row in mine), default=0)
            if roof:
                xs = [0.5, 200]
                panel.plot(xs, [x * roof for x in xs], style, color="0.4",
                           label=f"{mine[0].device}: copy, {number(roof)} GB/s")
        label = 0.0  # where the last label stands: each a step above it, with a line to its point
        for row in sorted(rows, key=lambda row: row.rate("operations")):
            colour, marker = drawing.looks([row.variant])[0]
            rate = row.rate("operations")
            intensity = (row.number["operations"] or 0) / (row.number["bytes"] or 1)
            label = max(rate, label * 1.36)
            panel.plot([intensity], [rate], marker, color=colour)
            panel.plot([intensity, 45], [rate, label], "-", color="0.75", linewidth=0.6, zorder=0)
            panel.text(46, label, f"{row.lab[:2]} {row.variant}, {number(rate)} Gflop/s",
                       va="center", fontsize=7.5, color=colour)
        panel.set(xlabel="operations per byte, logarithmic", ylabel="Gflop/s, logarithmic",
                  xlim=(4, 200), ylim=(0.5, 3e6))
        drawing.plain(panel.xaxis)
        drawing.plain(panel.yaxis)
        panel.legend(loc="upper left")
        return drawing.finish(figure, f"Roofline at {AT}, RGB", describe(
            rows, "2 K^2 operations per sample, also for separable variants, which need fewer; each "
            "input byte read once, each output byte written once.", bars=False))

    return [Figure("roofline", "Roofline: every variant as a point under the measured copies.", draw)]


def sections(results: Results) -> List[Section]:
    """The three sections."""
    return [Section("The road", _road(results)),
            Section("When does the GPU pay?", _pays(results)),
            Section("Roofline", _roofline(results))]


def words(results: Results) -> Dict[str, str]:
    """The abstract and the discussion, with numbers from the rows."""
    steps = [job(results, *step).get(AT) for step in ROAD]
    timed = [row for row in steps if row is not None]
    abstract = (f"{len(results.rows)} configurations of the labs were measured on "
                f"{results.machine}.")
    if len(timed) > 1:
        abstract += (f" From `{timed[0].variant}` ({number(timed[0].ms)} ms at {AT}) to `"
                     f"{timed[-1].variant}` of lab {timed[-1].lab} ({number(timed[-1].ms)} ms) the "
                     f"same bytes are computed {number(timed[0].ms / timed[-1].ms)} times as fast. ")
    return {"abstract": abstract + pays(results),
            "discussion": "The reports compare a kernel with a baseline of their own, leave the "
            "copies out, and give no spread. The table of verdicts shows which of their conclusions "
            "do not depend on that. " + pays(results)}
