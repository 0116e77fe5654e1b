# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The sentences with numbers: abstract, discussion, conclusions. Every number carries the key of its
rows (measurements/keyed.py); a sentence whose rows are missing says that it was not measured."""
import shlex
from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from ..figures.content import Table, joined, number, percent, to_markdown
from ..measurements.keyed import key_of
from ..measurements.rows import Row
from ..measurements.selection import Results
from ..reports.conclusions import Judged, differ
from ..reports.rules import FAILS, HOLDS, UNDECIDED
from .pays import Timed, faster_where, pays
from .road import job

AT = "8k"


class Missing(Exception):
    """A sentence needs a row that was not measured."""


class Numbers:
    """Numbers of rows as they are written, each with its key."""

    def __init__(self, results: Results, source: str):
        self.results, self.source = results, source

    def row(self, variant: str, size: str = AT) -> Row:
        """The protocol's row of "05_cuda_shared two_batch": 5x5 Gaussian, RGB bytes."""
        found = job(self.results, *variant.split()).get(size)
        if found is None:
            raise Missing(f"{variant} at {size}")
        return found

    def video(self, variant: str, size: str) -> Row:
        """The row of a lab of two frames, on the moving scene, with the most threads per block."""
        lab, name = variant.split()
        found = [row for row in self.results.rows if row.timed and row.backend == "cuda" and (
            row.lab, row.variant, row.size, row.image) == (lab, name, size, "moving")]
        if not found:
            raise Missing(f"{variant} at {size}")
        return max(found, key=lambda row: row.integer("block_threads") or 0)

    def ms(self, row: Row) -> str:
        """A time in ms."""
        return self._keyed(row, "ms", number(row.ms))

    def copied_ms(self, row: Row) -> str:
        """A time with the copies of pageable memory, in ms."""
        if not row.total_ms:
            raise Missing(f"{row.lab} {row.variant} with its copies")
        return self._keyed(row, "total_ms", number(row.total_ms))

    def gain(self, row: Row, base: Row) -> str:
        """How many times as fast the row is as the base."""
        key, of = (dict(word.split("=", 1) for word in key_of(self.results, one, quoted=False))
                   for one in (base, row))
        other = [f"{name}={shlex.quote(value)}" for name, value in {
            **{name: row.text[name] for name in key}, **of}.items()]
        fields = " ".join(f"{name}={shlex.quote(value)}" for name, value in key.items())
        return self._written(f"{self.source} {fields} : ms over {' '.join(other)}",
                             number(base.ms / row.ms))

    def timed(self, time: Timed) -> str:
        """A time of `pays`."""
        return self._keyed(time.row, "ms" if time.ms == time.row.ms else "total_ms", number(time.ms))

    def chain(self, variant: str, size: str, filters: str) -> Row:
        """A row of lab 06's chains."""
        found = [row for row in self.results.rows if row.timed and row.lab == "06_async_streams"
                 and (row.variant, row.size, row.filters) == (variant, size, filters)]
        if not found:
            raise Missing(f"{variant} with {filters} filters at {size}")
        return min(found, key=lambda row: row.ms)

    def _keyed(self, row: Row, what: str, shown: str) -> str:
        fields = " ".join(key_of(self.results, row))
        return self._written(f"{self.source} {fields} : {what}", shown)

    @staticmethod
    def _written(key: str, shown: str) -> str:
        return f"<!-- = {key} -->{shown}<!-- /= -->"


Sentence = Callable[[Numbers], str]


def _told(numbers: Numbers, sentences: Sequence[Tuple[str, Sentence]]) -> List[str]:
    """Each sentence, or what of it was not measured."""
    told = []
    for subject, sentence in sentences:
        try:
            told.append(f"**{subject}.** {sentence(numbers)}")
        except Missing as missing:
            told.append(f"**{subject}.** Not measured: {missing}.")
    return told


# ---- the conclusions ---------------------------------------------------------------------------------------
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
            f"{n.gain(simd, nested)} times as fast as `nested` (at {AT}). The best of ariano2023's three "
            f"divisions among threads, `{threads.variant}` with {threads.threads} threads, makes `nested` "
            f"{n.gain(threads, nested)} times as fast.")


def _mapping(n: Numbers) -> str:
    naive, coalesced = n.row("03_cuda_global naive"), n.row("03_cuda_global coalesced")
    return (f"`coalesced` differs from `naive` in the mapping of threads to pixels alone, and is "
            f"{n.gain(coalesced, naive)} times as fast at {AT}. The slow kernel of cazzola2024 is slow because of "
            "its mapping, not because it reads global memory.")


def _tiles(n: Numbers) -> str:
    plain, tiled = n.row("03_cuda_global padded"), n.row("05_cuda_shared two_batch")
    unrolled, packed = n.row("04_cuda_constant unrolled"), n.row("05_cuda_shared packed")
    order = ("faster than" if unrolled.ms < tiled.ms else "slower than")
    return (f"With 5x5 at {AT}, `two_batch` with its tiles in shared memory is {n.gain(tiled, plain)} times "
            f"as fast as `padded`, which reads global memory, because the L1 cache finds the same samples. `unrolled`, without a tile, takes "
            f"{n.ms(unrolled)} ms and is {order} `two_batch` with {n.ms(tiled)} ms. What gains most is "
            f"fewer instructions: `packed` computes several samples per instruction and is "
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
    pinned, frames = n.row("06_async_streams pinned"), n.row("06_async_streams frames")
    return (f"At {AT} a kernel of {n.ms(packed)} ms takes {n.copied_ms(packed)} ms with the copies of pageable "
            f"memory, {n.ms(pinned)} ms with pinned memory, and {n.ms(frames)} ms per picture where copies "
            f"and kernels of several pictures overlap. {faster_where(n.results)}".strip())


def _chain(n: Numbers) -> str:
    few, many = [(n.chain("chain", "4k", filters), n.chain("chain_cpu", "4k", filters))
                 for filters in ("1", "16")]
    return (f"A picture that stays on the device is copied once. At 4k one filter takes {n.ms(few[0])} ms on "
            f"the GPU with its copies and {n.ms(few[1])} ms on all cores; sixteen filters, one after the "
            f"other, take {n.ms(many[0])} ms and {n.ms(many[1])} ms.")


def _one_block(n: Numbers) -> str:
    v1, v3, grid = (n.video(f"08_heat_map {name}", "4k") for name in ("v1", "v3", "grid"))
    return (f"The heat maps of videostream2021 run in one block, on one of the GPU's multiprocessors. Its "
            f"first version takes {n.ms(v1)} ms at 4k and its last {n.ms(v3)} ms; `grid`, which uses all "
            f"of them and coalesced accesses, takes {n.ms(grid)} ms. The report's steps gain "
            f"{n.gain(v3, v1)} times, this one {n.gain(grid, v3)} times.")


CONCLUSIONS: Tuple[Tuple[str, Sentence], ...] = (
    ("The baseline decides the speed-up", _baseline),
    ("On the CPU, instructions gain more than threads", _vectors),
    ("The mapping of threads to pixels comes first", _mapping),
    ("Shared memory gains little with small filters", _tiles),
    ("The best kernel is nearly a copy", _copy),
    ("The copies between host and device decide whether a GPU pays", _copies),
    ("Several filters pay for one copy", _chain),
    ("One block is one multiprocessor", _one_block))


def _are(count: int) -> str:
    return f"{count} {'is' if count == 1 else 'are'}"


def _of_verdicts(judged: Sequence[Judged]) -> str:
    """How many conclusions hold, in words."""
    kinds = [one.ours[0] for one in judged]
    rest = len(kinds) - sum(map(kinds.count, (HOLDS, FAILS, UNDECIDED)))
    return (f"Of {len(kinds)} published conclusions, {kinds.count(HOLDS)} hold for our variants on this "
            f"machine, {kinds.count(FAILS)} do not, {_are(kinds.count(UNDECIDED))} undecided within the "
            f"spread of the times, and {rest} {'was' if rest == 1 else 'were'} not measured or cannot be "
            "tested.")


def _programs_too(judged: Sequence[Judged]) -> str:
    both = [one for one in judged if {one.ours[0], one.original[0]} <= {HOLDS, FAILS}]
    apart = sum(map(differ, both))
    return (f"For {len(both)} of them the rows decide both for ours and for the report's own program on "
            f"the same GPU: {len(both) - apart} times they agree, {apart} times they do not.")


# ---- the parts of the template -------------------------------------------------------------------------
def abstract(numbers: Numbers, judged: Sequence[Judged], defects: int) -> str:
    """The abstract, with its numbers."""
    results = numbers.results
    timed = [row for row in results.rows if row.timed]
    variants = {(row.lab, row.variant) for row in timed}
    text = (f"Five course reports program a two-dimensional convolution for one core, for threads and for "
            f"CUDA, and draw conclusions from its times. We rebuilt their programs so that all of them "
            f"compute the same bytes, added faster ones, and measured {len(variants)} variants in "
            f"{len(timed)} configurations under one protocol on one machine ({results.machine}; "
            f"{joined(dict.fromkeys(row.device for row in timed))}). The reports' public programs ran on a "
            f"GPU of the same kind. {_of_verdicts(judged)} {_programs_too(judged)} {defects} defects of "
            "the reports were found, and each defective form was run. ")
    try:
        first, last = numbers.row("01_sequential nested"), numbers.row("07_separable packed")
        text += (f"From `nested`, the simplest program, to `packed`, the fastest kernel, the time of a 5x5 "
                 f"Gaussian at {AT} falls from {numbers.ms(first)} ms to {numbers.ms(last)} ms, without "
                 f"copies. ")
    except Missing as missing:
        text += f"Not measured: {missing}. "
    return (text + pays(results, numbers.timed)).strip()


def of_report(judged: Sequence[Judged], report: str) -> str:
    """What the rows say of one report's conclusions."""
    mine = [one for one in judged if one.conclusion.report == report]
    run = [one.original[0] for one in mine]
    text = _of_verdicts(mine).replace("published conclusions", f"conclusions of {report}")
    if any(kind in (HOLDS, FAILS) for kind in run):
        text += (f" For its own program on the H200 {run.count(HOLDS)} hold and {run.count(FAILS)} do not; the "
                 "others could not be tested on it.")
    return text + " Each table and figure of the report follows under its own name."


def baselines(lines: Sequence[Mapping[str, str]]) -> Optional[Table]:
    """The reports' programs of one thread on one CPU: time per tap (data/originals.csv)."""
    found: Dict[Tuple[str, str], List[Mapping[str, str]]] = {}
    for line in lines:
        if line["program"].startswith("cpu_") and line["ksize"] != "1":
            found.setdefault((line["report"], line["program"]), []).append(line)
    rows = []
    for (report, program), same in found.items():
        taps = [float(line["mean_us"]) * 1e3 / (int(line["width"]) * int(line["height"])
                                                * int(line["channels"]) * int(line["ksize"]) ** 2)
                for line in same]
        rows.append((min(taps), [report, f"`{program}`", f"{number(min(taps))} to {number(max(taps))}"
                                 if len(taps) > 1 else number(taps[0])]))
    rows.sort(key=lambda row: row[0])
    return Table("baselines", "The reports' own programs of one thread, all on one CPU, compiled with "
                 "-O3: time per tap and sample.", ["report", "program", "ns per tap"],
                 [cells for _, cells in rows], left=2) if rows else None


def discussion(lines: Sequence[Mapping[str, str]], judged: Sequence[Judged]) -> str:
    """Why the published numbers differ, and what does not depend on that."""
    table = baselines(lines)
    parts = ["**Speed-ups of different reports cannot be compared.** Each report divides by a program of "
             "its own, and these programs are not equally fast"
             + (f": on one CPU they need between {table.rows[0][2].split(' to ')[0]} and "
                f"{table.rows[-1][2].split(' to ')[-1]} ns per tap." if table else "."),
             to_markdown(table) if table else "",
             "The reports also round in five ways, repeat, mirror or zero the border, take 5 to 100 runs, "
             "with or without a warm-up, and give no spread of any time of a convolution. Only one of them "
             "compares outputs, and the kernel behind the highest published speed-up of ariano2023 is one "
             "of those whose output is wrong.",
             "**What does not depend on the baseline.** Which of two kernels is faster, and how times grow "
             "with the image, the filter and the block, needs no baseline: most verdicts are of this kind. "
             + _programs_too(judged) + " Where they do not, a table beside the verdicts says why. Our "
             "variants execute fewer instructions than the programs that they reproduce, so another unit of "
             "the GPU may limit them.",
             "**What we cannot say.** The published times come from other GPUs and CPUs. We reproduce the "
             "programs, not the machines: that a conclusion does not hold here does not mean that it was "
             "wrong there."]
    return "\n\n".join(filter(None, parts))


def conclusions(numbers: Numbers, judged: Sequence[Judged]) -> str:
    """The conclusions as a numbered list."""
    told = _told(numbers, CONCLUSIONS)
    told.append("**Most published conclusions can be tested, and not all hold.** "
                + f"{_of_verdicts(judged)} {_programs_too(judged)}")
    return "\n".join(f"{place}. {text}" for place, text in enumerate(told, 1))
