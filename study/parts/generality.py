# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What generality costs: a kernel compiled for its job beside one that asks at run time. A part of the READMEs of labs 03 to
05."""

from typing import List, Optional, Tuple

from ..figures.content import NOISY, Table, as_text
from ..figures.shapes import cell
from ..measurements.rows import Row
from ..measurements.selection import Results

NOT_MEASURED = "Not measured with one revision of this lab."
# A border rule with a kernel of its own, and one without (common/cuda/dispatch.hpp).
COMPILED, GENERAL = "replicate", "reflect101"
Kernel = Tuple[str, str, str]  # lab, variant, border
BORDER = (
    "generality_border",
    f"Compiled: the kernel for `{COMPILED}`, 32-bit indices. General: any border rule (here "
    f"`{GENERAL}`), 64-bit indices. 5x5, medians without copies.",
    ["variant", "size", "compiled ms", "general ms", "ratio"],
    {
        f"{lab} `{variant}`": ((lab, variant, COMPILED), (lab, variant, GENERAL))
        for lab, variant in (
            ("03_cuda_global", "coalesced"),
            ("03_cuda_global", "gray"),
            ("05_cuda_shared", "two_batch"),
            ("05_cuda_shared", "two_batch_gray"),
        )
    },
)
SIDE = (
    "generality_side",
    "Lab 04: K is a constant in `unrolled`, an argument in `aos`. 5x5, medians without copies.",
    ["kernels", "size", "constant ms", "argument ms", "ratio"],
    {"`unrolled`, `aos`": (("04_cuda_constant", "unrolled", COMPILED), ("04_cuda_constant", "aos", COMPILED))},
)
TABLES = {"03_cuda_global": (BORDER, SIDE), "04_cuda_constant": (SIDE,), "05_cuda_shared": (BORDER,)}


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


def readme_generality(results: Results, lab: str) -> Optional[str]:
    """The part of this lab's README; None for a lab that has none."""
    tables = []
    for name, caption, head, kernels in TABLES.get(lab, ()):
        lines: List[List[str]] = []
        for label, pair in kernels.items():
            for size in ("4k", "8k"):
                fast, slow = (_row(results, kernel, size) for kernel in pair)
                if fast and slow and _one_program(fast, slow):
                    lines.append([label, size, cell(fast), cell(slow), f"{slow.ms / fast.ms:.2f}"])
        caption += f" {NOISY}: noisy." * any(NOISY in one for line in lines for one in line)
        tables += [as_text(Table(name, caption, head, lines))] * bool(lines)
    return ("\n".join(tables) or NOT_MEASURED) if lab in TABLES else None
