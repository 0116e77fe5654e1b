# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""ariano2023, CUDA: Table 1, Tables 7 to 10 and Figure 10. Kernel times without copies, 5x5, blocks of
B x B threads."""

import math
from typing import Any, Callable, Dict, List, Sequence, Tuple

from ..figures import drawing
from ..figures.content import DASH, NOISY, Bars, Figure, Section, Table, number, times
from ..figures.heat_maps import Cells, heat_maps
from ..figures.labels import RATIOS
from ..figures.panels import at_size, described, not_measured, without_rows
from ..figures.series import describe, main_job
from ..measurements.originals import Original
from ..measurements.published import ARIANO_4_TO_3, Published, ariano_size
from ..measurements.rows import Row
from ..measurements.selection import Results, fastest, of_how_many, sizes

# (lab, variant, name in published.csv) by the number of the table
KERNELS = {
    7: ("03_cuda_global", "padded", "cuda_global"),
    8: ("04_cuda_constant", "padded", "cuda_constant"),
    9: ("05_cuda_shared", "input_tile", "cuda_shared_v1"),
    10: ("05_cuda_shared", "two_batch", "cuda_shared_v2"),
}
METRIC = "mean_kernel_time_no_transfer"


def kernel_rows(results: Results, lab: str, variant: str) -> List[Row]:
    """Timed rows of one kernel on a GPU, square blocks, 5x5, one job with ariano2023's border."""
    return main_job(
        results.where(
            lambda row: row.timed and row.side is not None,
            lab=lab,
            variant=variant,
            ksize="5",
            border="replicate",
            backend="cuda",
        )
    )


def refused_rows(results: Results, lab: str, variant: str) -> List[Row]:
    """The rows of square blocks that the variant refuses, 5x5."""
    return results.where(
        lambda row: row.status == "unsupported" and row.side is not None,
        lab=lab,
        variant=variant,
        ksize="5",
        border="replicate",
        backend="cuda",
    )


def program_times(published: Published, lab: str, variant: str) -> List[Original]:
    """The times of the report's own program for one kernel, 5x5."""
    return [one for one in published.programs("ariano2023", lab, variant) if one.ksize == 5]


def kernel_table(number_: int) -> Callable[[Results, Published], Section]:
    """Tables 7 to 10: one kernel by block side and size."""

    def make(results: Results, published: Published) -> Section:
        lab, variant, key = KERNELS[number_]
        rows = kernel_rows(results, lab, variant)
        theirs = published.where(report="ariano2023", variant=key, metric=METRIC)
        if not rows:
            return not_measured(f"lab {lab} on a GPU")
        columns = sizes(rows)
        names = [name for _, name in columns]
        ours = {(row.side or 0, names.index(row.size_name)): row for row in rows}
        there = {(value.side or 0, names.index(value.size_name)): value for value in theirs if value.size_name in names}
        refused = [
            (row.side or 0, names.index(row.size_name))
            for row in refused_rows(results, lab, variant)
            if row.size_name in names
        ]
        run = {
            (original.side, names.index(original.size_name)): original
            for original in program_times(published, lab, variant)
            if original.size_name in names
        }
        sides = sorted({side for side, _ in [*ours, *there, *run, *refused]})
        name = f"ariano2023_table_{number_}"
        title = f"{lab} {variant}: kernel time by block side B and size"

        def draw() -> Any:
            panels: List[Tuple[str, Cells]] = [
                ("ours", {at: row.ns_per_pixel for at, row in ours.items()}),
                ("its program, H200", {at: one.ms * 1e6 / (one.width * one.height) for at, one in run.items()}),
                ("published, RTX 3070Ti", {at: one.ns_per_pixel for at, one in there.items()}),
            ]
            return heat_maps(
                f"{title}, per pixel (ns)",
                described(rows, ARIANO_4_TO_3 * bool(there)),
                [panel for panel in panels if panel[1]],
                sides,
                range(len(columns)),
                ("image size", "B (threads per side)"),
                [at for at, row in ours.items() if row.is_noisy],
                refused,
                lambda panel, index: ariano_size(names[index]) if "published" in panel else names[index],
            )

        lines = [["", "published size, by its times", *(ariano_size(name) or DASH for name in names)]]
        for side in sides:
            cells = [(side, index) for index in range(len(columns))]
            lines.append(
                [str(side), "ours"]
                + [
                    number(ours[at].ms) + NOISY * ours[at].is_noisy
                    if at in ours
                    else "refused"
                    if at in refused
                    else DASH
                    for at in cells
                ]
            )
            values = [there.get((side, index)) for index in range(len(columns))]
            if any(values):
                lines.append(["", "published"] + [number(v.value) if v else DASH for v in values])
            timed = [run.get((side, index)) for index in range(len(columns))]
            if any(timed):
                lines.append(["", "original"] + [number(o.ms) if o else DASH for o in timed])
        return Section(
            "",
            [
                Figure(name, f"{title}: which row is lightest, here and in the report.", draw),
                Table(name, f"{title} (ms). " + described(rows), ["B", "", *names], lines, left=2, fold=True),
            ],
            rows=rows,
            published=len(theirs),
            originals=len(run),
        )

    return make


def table_1(results: Results, published: Published) -> Section:
    """Table 1: what an access to each memory costs, beside one to a register."""
    values = published.where(report="ariano2023", table="Table 1")
    return Section(
        "",
        [
            Table(
                "ariano2023_table_1",
                "What an access to each memory costs, beside one to a register, by the report.",
                ["memory", "published", "ours"],
                [[value.variant.replace("_memory", ""), times(value.value), DASH] for value in values],
            )
        ],
        partly="the latency of each memory",
        published=len(values),
    )


def figure_10(results: Results, published: Published) -> Section:
    """Figure 10: the four kernels, each with its best block, by size; over the time of the first."""
    measured = {kernel: kernel_rows(results, *kernel[:2]) for kernel in KERNELS.values()}
    rows = sum(measured.values(), [])
    if not rows:
        return not_measured("labs 03, 04, 05 on a GPU")
    columns = sizes(rows)
    label = {kernel: kernel[2].replace("cuda_", "") + f" {kernel[1]}" for kernel in measured}
    best = {kernel: [fastest(at_size(same, size)) for size in columns] for kernel, same in measured.items()}
    shown = [row for found in best.values() for row in found if row]
    counts = of_how_many(
        {label[kernel]: [len(at_size(same, size)) for size in columns] for kernel, same in measured.items()}
    )
    values = published.where(report="ariano2023", metric=METRIC)

    run = {kernel: program_times(published, *kernel[:2]) for kernel in measured}

    first, *others = measured
    Times = Dict[str, float]  # ns per pixel by size
    here: Dict[Any, Times] = {
        kernel: {row.size_name: row.ns_per_pixel for row in found if row} for kernel, found in best.items()
    }

    def least(found: Sequence[Tuple[str, float]]) -> Times:
        return {name: min(ns for of, ns in found if of == name) for name, _ in found}

    there = {
        kernel: least([(v.size_name, v.ns_per_pixel) for v in values if v.variant == kernel[2]]) for kernel in measured
    }
    programs = {
        kernel: least([(one.size_name, one.ms * 1e6 / (one.width * one.height)) for one in run[kernel]])
        for kernel in measured
    }

    def draw() -> Any:
        panels = []
        for name, found in (("ours", here), ("its program, H200", programs), ("published, RTX 3070Ti", there)):
            panels.append((name, found, [size for _, size in columns if size in found[first]]))
        panels = [panel for panel in panels if panel[2]]
        widths = {"width_ratios": [len(names) + 0.5 for *_, names in panels]}
        figure, axes = drawing.canvas(3.9, columns=len(panels), sharey=True, gridspec_kw=widths)
        for panel, (name, found, names) in zip(axes[0], panels):
            bars = [
                Bars(
                    label[kernel],
                    [found[kernel].get(size, math.nan) / found[first][size] for size in names],
                    variant=" ".join(kernel[:2]),
                )
                for kernel in others
            ]
            drawing.draw_bars(panel, names, bars)
            panel.axhline(1, color=drawing.look_of(" ".join(first[:2]))[0], linestyle="--", label=label[first])
            panel.set_title(name.replace(", ", ",\n"), loc="left", fontsize=10)
            panel.set_xlabel("image size")
            panel.tick_params(axis="x", labelsize=8, rotation=45)
        axes[0, 0].set_ylabel(f"kernel time over that of {label[first]}")
        return drawing.finish(
            figure,
            "The four kernels, each with its best block",
            describe(shown, f"{counts} {RATIOS} {ARIANO_4_TO_3}", bars=False, noisy_mark=NOISY),
            legend=axes[0, 0],
        )

    return Section(
        "",
        [
            Figure(
                "ariano2023_figure_10",
                "The four kernels with their best block: a bar below the dashed line is faster than global memory.",
                draw,
            )
        ],
        partly=without_rows({label[kernel]: rows for kernel, rows in measured.items()}),
        rows=shown,
        published=len(values),
        originals=sum(map(len, run.values())),
    )


ARTEFACTS = {
    "Table 1": table_1,
    **{f"Table {number_}": kernel_table(number_) for number_ in KERNELS},
    "Figure 10": figure_10,
}
