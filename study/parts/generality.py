# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What generality costs: a kernel compiled for its job beside one that asks at run time."""

from typing import Optional, Tuple

from ..figures.content import Section, Table
from ..figures.shapes import cell
from ..measurements.rows import Row
from ..measurements.selection import Results

# A border rule with a kernel of its own, and one without (common/cuda/dispatch.hpp).
COMPILED, GENERAL = "replicate", "reflect101"
Kernel = Tuple[str, str, str]  # lab, variant, border
CAPTION = (
    f"A kernel compiled for `{COMPILED}` with 32-bit indices, and one for any border (`{GENERAL}`) with 64-bit indices; lab 04: K "
    "a constant, and an argument. 5x5, medians without copies."
)
KERNELS = {
    **{
        f"{lab} {variant}": ((lab, variant, COMPILED), (lab, variant, GENERAL))
        for lab, variant in (
            ("03_cuda_global", "coalesced"),
            ("03_cuda_global", "gray"),
            ("05_cuda_shared", "two_batch"),
            ("05_cuda_shared", "two_batch_gray"),
        )
    },
    "04_cuda_constant unrolled, aos": (
        ("04_cuda_constant", "unrolled", COMPILED),
        ("04_cuda_constant", "aos", COMPILED),
    ),
}


def _row(results: Results, kernel: Kernel, size: str) -> Optional[Row]:
    """The row of the protocol's 5x5 job."""
    wanted = (*kernel, size, "cuda", "scene", "gaussian", "5", "0")
    names = ("lab", "variant", "border", "size", "backend", "image", "filter", "ksize", "cold")
    found = [row for row in results.bench if row.timed and tuple(row[name] for name in names) == wanted]
    return found[-1] if found else None


def _one_program(one: Row, other: Row) -> bool:
    """One build, or builds of one committed revision: the checksum of what nvcc makes is another each time."""
    committed = one["revision"] != "" and one["dirty"] == "0"
    same = all(one[name] == other[name] for name in ("revision", "dirty", "compiler", "flags"))
    return one.build == other.build or (committed and same)


def section(results: Results) -> Section:
    """A line for each pair of kernels that was measured with one revision."""
    lines = []
    for label, pair in KERNELS.items():
        for size in ("4k", "8k"):
            fast, slow = (_row(results, kernel, size) for kernel in pair)
            if fast and slow and _one_program(fast, slow):
                lines.append([label, size, cell(fast), cell(slow), f"{slow.ms / fast.ms:.2f}"])
    table = Table("generality", CAPTION, ["kernels", "size", "compiled ms", "general ms", "ratio"], lines)
    return Section("What generality costs", [table] if lines else ["Not measured with one revision of a lab."])
