# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What generality costs: a kernel compiled for its job beside one that asks at run time. A part of
the READMEs of labs 03 to 05."""

from typing import List, Optional, Tuple

from ..figures.content import NOISY, Table, number, to_markdown
from ..measurements.rows import Row
from ..measurements.selection import Results

NOT_MEASURED = "Not measured with one revision of this lab."
SIZES = ("4k", "8k")
# A border rule with a kernel of its own, and one without (common/cuda/dispatch.hpp).
COMPILED, GENERAL = "replicate", "reflect101"
BY_BORDER = (
    ("03_cuda_global", "coalesced"),
    ("03_cuda_global", "gray"),
    ("05_cuda_shared", "two_batch"),
    ("05_cuda_shared", "two_batch_gray"),
)
BY_SIDE = "04_cuda_constant", "unrolled", "aos"  # lab, K a constant, K an argument
Cells = List[str]


def _row(results: Results, lab: str, variant: str, size: str, border: str) -> Optional[Row]:
    """The row of the protocol's 5x5 job with this border rule."""
    found = [
        row
        for row in results.bench
        if row.timed
        and row.backend == "cuda"
        and (row.lab, row.variant, row.size, row.border) == (lab, variant, size, border)
        and (row.image, row.filter, row.ksize, row.cold) == ("scene", "gaussian", "5", "0")
    ]
    return found[-1] if found else None


def _one_program(one: Row, other: Row) -> bool:
    """One build, or builds of one committed revision: the checksum of what nvcc makes is another each time."""
    committed = one.text["revision"] != "" and one.text["dirty"] == "0"
    return one.build == other.build or (
        committed and all(one.text[name] == other.text[name] for name in ("revision", "dirty", "compiler", "flags"))
    )


def _line(compiled: Optional[Row], general: Optional[Row]) -> Optional[Cells]:
    """The cells of two rows; None where one is missing or the program changed between them."""
    if compiled is None or general is None or not _one_program(compiled, general):
        return None
    return (
        [compiled.size]
        + [number(row.ms) + NOISY * row.is_noisy for row in (compiled, general)]
        + [f"{general.ms / compiled.ms:.2f}"]
    )


def _table(name: str, caption: str, header: Cells, lines: List[Tuple[str, Optional[Cells]]]) -> Optional[Table]:
    found = [[label, *cells] for label, cells in lines if cells is not None]
    if any(NOISY in cell for line in found for cell in line):
        caption += f" {NOISY}: noisy."
    return Table(name, caption, header, found) if found else None


def by_border(results: Results) -> Optional[Table]:
    """A line for each variant and size: border rule compiled in or found out at run time."""
    return _table(
        "generality_border",
        f"Compiled: the kernel for `{COMPILED}`, 32-bit indices. General: any border rule (here "
        f"`{GENERAL}`), 64-bit indices. 5x5, medians without copies.",
        ["variant", "size", "compiled ms", "general ms", "ratio"],
        [
            (
                f"{lab} `{variant}`",
                _line(_row(results, lab, variant, size, COMPILED), _row(results, lab, variant, size, GENERAL)),
            )
            for lab, variant in BY_BORDER
            for size in SIZES
        ],
    )


def by_side(results: Results) -> Optional[Table]:
    """A line for each size: the side K of the filter a constant or an argument."""
    lab, constant, argument = BY_SIDE
    return _table(
        "generality_side",
        f"Lab {lab[:2]}: K is a constant in `{constant}`, an argument in `{argument}`. 5x5, medians without copies.",
        ["kernels", "size", "constant ms", "argument ms", "ratio"],
        [
            (
                f"`{constant}`, `{argument}`",
                _line(_row(results, lab, constant, size, COMPILED), _row(results, lab, argument, size, COMPILED)),
            )
            for size in SIZES
        ],
    )


TABLES = {"03_cuda_global": (by_border, by_side), "04_cuda_constant": (by_side,), "05_cuda_shared": (by_border,)}


def readme_generality(results: Results, lab: str) -> Optional[str]:
    """The part of this lab's README; None for a lab that has none."""
    if lab not in TABLES:
        return None
    tables = [table for make in TABLES[lab] if (table := make(results)) is not None]
    return "\n".join(f"{table.caption}\n\n{to_markdown(table)}" for table in tables) or NOT_MEASURED
