# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What our measurements show, a sentence for each: the conclusions of the report. A sentence whose rows
are missing says that it was not measured."""
from typing import Callable, List, Sequence, Tuple

from ..figures.content import percent
from .pays import faster_where
from .quoted import AT, Missing, Numbers

Sentence = Callable[[Numbers], str]


def _baseline(n: Numbers) -> str:
    kernel = n.row("05_cuda_shared two_batch")
    bases = [n.row(name) for name in ("01_sequential nested", "01_sequential simd",
                                      "02_pthread simd_rows")]
    one, simd, cores = (n.gain(kernel, base) for base in bases)
    return (f"At {AT} one kernel, `two_batch` of lab 05, is {one} times as fast as `nested`, {simd} times as fast "
            f"as our best program of one thread, and {cores} times as fast as our best program of all "
            "cores. The kernel is the same. A speed-up without the name and the quality of its baseline "
            "says nothing.")


def _vectors(n: Numbers) -> str:
    nested, simd = n.row("01_sequential nested"), n.row("01_sequential simd")
    threads = min((n.row(f"02_pthread {name}") for name in ("rows", "grid", "blocks")),
                  key=lambda row: row.ms)
    return (f"SIMD instructions, a separable filter and bytes instead of floats make one thread "
            f"{n.gain(simd, nested)} times as fast as `nested` (at {AT}). ariano2023's divisions among "
            f"{threads.threads} threads make `nested` at most {n.gain(threads, nested)} times as fast (`{threads.variant}`).")


def _mapping(n: Numbers) -> str:
    naive, coalesced = n.row("03_cuda_global naive"), n.row("03_cuda_global coalesced")
    return (f"`coalesced` differs from `naive` in the mapping of threads to pixels alone, and is "
            f"{n.gain(coalesced, naive)} times as fast at {AT}. cazzola2024's naive kernel (Alg. 2) is slow because of "
            "its mapping, not because it reads global memory.")


def _tiles(n: Numbers) -> str:
    plain, tiled = n.row("03_cuda_global padded"), n.row("05_cuda_shared two_batch")
    general = n.row("03_cuda_global coalesced")
    wide = [n.of_block(f"{row.lab} {row.variant}", "32") for row in (plain, tiled)]
    unrolled, packed = n.row("04_cuda_constant unrolled"), n.row("05_cuda_shared packed")
    order = ("faster than" if unrolled.ms < tiled.ms else "slower than")
    return (f"With 5x5 at {AT} and blocks of 16 x 16, `two_batch` with its tiles in shared memory is {n.gain(tiled, general)} times "
            "as fast as `coalesced`, which tests the border and converts a sample for each multiply-add, but only "
            f"{n.gain(tiled, plain)} times as fast as `padded`, which does neither. Both read global memory; the L1 cache finds the "
            f"samples that a tile holds. With blocks of 32 x 32 `two_batch` takes {n.ms(wide[1])} ms, and `padded` {n.ms(wide[0])} ms. `unrolled`, without a tile, takes "
            f"{n.ms(unrolled)} ms and is {order} `two_batch` with {n.ms(tiled)} ms. What gains most is "
            f"fewer instructions: `packed` does several multiply-adds per instruction and is "
            f"{n.gain(packed, tiled)} times as fast as `two_batch`.")


def _copy(n: Numbers) -> str:
    packed = n.row("07_separable packed")
    share = n.results.of_ceiling(packed)
    if share is None:
        raise Missing("the copy that is the ceiling")
    return (f"`packed` of lab 07 takes {n.ms(packed)} ms at {AT} and reaches {percent(share)} of the bandwidth of "
            "the fastest copy on this GPU. No kernel that reads each sample and writes each sample can be "
            "much faster.")


def _copies(n: Numbers) -> str:
    packed = n.row("07_separable packed")
    pageable, pinned, frames = (n.row(f"06_async_streams {name}") for name in ("pageable", "pinned", "frames"))
    return (f"At {AT} the kernel of lab 07 takes {n.ms(packed)} ms; in lab 06 it takes {n.ms(pageable)} ms with the copies of "
            f"pageable memory, {n.ms(pinned)} ms with pinned memory, and {n.ms(frames)} ms per picture where copies "
            f"and kernels of several pictures overlap. {faster_where(n.results)}".strip())


def _chain(n: Numbers) -> str:
    few, many = [(n.chain("chain", "4k", filters), n.chain("chain_cpu", "4k", filters))
                 for filters in ("1", "16")]
    return (f"A picture that stays on the device is copied once. At 4k one filter takes {n.ms(few[0])} ms on "
            f"the GPU with its copies and {n.ms(few[1])} ms on all cores; sixteen filters, one after the "
            f"other, take {n.ms(many[0])} ms and {n.ms(many[1])} ms.")


def _one_block(n: Numbers) -> str:
    v1, v3, grid = (n.video(f"08_heat_map {name}", "4k") for name in ("v1", "v3", "grid"))
    return (f"The heat maps of videostream2021 (1.2) run in one block, on one of the GPU's multiprocessors. Its "
            f"first version, as we wrote it, takes {n.ms(v1)} ms at 4k and its last {n.ms(v3)} ms; `grid` takes {n.ms(grid)} ms. "
            f"The report's steps gain {n.gain(v3, v1)} times, this one {n.gain(grid, v3)} times: all multiprocessors instead of "
            "one, coalesced accesses, and fewer instructions per pixel.")


FINDINGS: Tuple[Tuple[str, Sentence], ...] = (
    ("The baseline decides the speed-up", _baseline),
    ("On the CPU, instructions gain more than threads", _vectors),
    ("The mapping of threads to pixels comes first", _mapping),
    ("What shared memory gains depends on the kernel it is compared with", _tiles),
    ("The best kernel is nearly a copy", _copy),
    ("The copies between host and device decide whether a GPU pays", _copies),
    ("Several filters pay for one copy", _chain),
    ("One block is one multiprocessor", _one_block))


def told(numbers: Numbers, sentences: Sequence[Tuple[str, Sentence]] = FINDINGS) -> List[str]:
    """Each sentence, or what of it was not measured."""
    found = []
    for subject, sentence in sentences:
        try:
            found.append(f"**{subject}.** {sentence(numbers)}")
        except Missing as missing:
            found.append(f"**{subject}.** Not measured: {missing}.")
    return found
