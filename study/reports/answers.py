# SPDX-License-Identifier: MIT
"""What answers a conclusion: our rows, the times of the reports' own programs, the published numbers, and counts; and the rules that
no times decide: whether a variant supports the job, counts, outputs."""

from functools import partial
from pathlib import Path
from typing import Callable, Dict, List, Mapping, Sequence, Tuple

from tools.plots.files import read_table
from tools.plots.rows import OF_COPIES, OF_KERNEL

from ..figures.content import number, percent
from ..measurements.points import Asked, Line, fits, remarks, selected, wanted
from ..measurements.published import PIXELS, SIZES
from ..measurements.results import Results
from .rules import BY_CONSTRUCTION, FAILS, HOLDS, MISSING, TIMES, UNTESTED, Verdict

SAVINGS = Path(__file__).resolve().parents[2] / "labs" / "10_noise_filter" / "savings.csv"
# Of machine_code.csv: instructions in the code of a kernel, by kind.
MACHINE_CODE = ("lab", "variant", "compiler", "arch", "instructions", "loads_global", "stores_global", "revision")
Fields = Dict[str, str]


def of_rows(results: Results, axis: str, *selectors: str) -> List[Line]:
    """Our rows that fit one of the selectors, all of the protocol or all of a sweep as far as it has them; the time with
    copies is another line."""
    every = [{**wanted(selector, axis), "time": ""} for selector in selectors if selector]
    found = []
    for row in results.of_one_run(lambda row: any(fits(row.text, fields) for fields in every)):
        text = {**row.text, "size": row.size_name}
        if not row.timed:
            reason = row.reason if row.status == "unsupported" else ""
            found += [Line({**text, "time": time}, row.pixels, reason=reason) for time in ("", "total")]
            continue
        counts = {"bytes": row.number["bytes"] or 0, "operations": row.number["operations"] or 0}
        alone = Line(text, row.pixels, (row.ms, *row.interval), more={**counts, "margin": row.margin})
        found.append(alone)
        if row.with_copies or row.backend == "cpu":
            found.append(Line({**text, "time": "total"}, row.pixels, alone.time, more=alone.more))
        elif row.total_ms:
            total = row.total_ms, *row.total_interval
            found.append(Line({**text, "time": "total"}, row.pixels, total, more={"margin": OF_COPIES}))
    return found


def of_originals(lines: Sequence[Mapping[str, str]]) -> List[Line]:
    """The times of a report's own program on the GPU: its mean, from its shortest time to as far above it."""
    found = []
    for line in (line for line in lines if line["where"] == "H200"):
        pixels = int(line["width"]) * int(line["height"])
        mean, samples = float(line["mean_us"]) / 1e3, pixels * int(line["channels"])
        low = float(line["min_us"] or line["mean_us"]) / 1e3
        more = {
            "bytes": (8 if line["report"] in ("cazzola2024", "chisci2024") else 2) * samples,
            "operations": 2 * samples * int(line["ksize"]) ** 2,
            "remark": "" if line["output"] == "right" else f"its output: {line['output']}",
            "margin": OF_KERNEL,
        }
        found.append(Line(line, pixels, (mean, low, 2 * mean - low), more=more))
    return found


def of_published(lines: Sequence[Mapping[str, str]]) -> List[Line]:
    """The published numbers that are compared, each from half a unit of its last digit below it to as far above. A speed-up
    is a time where that of its baseline is 1 ms, and `baseline=1` is that baseline; a rate is the time of 1 MB or 1 Gflop."""
    found = []
    for line in (line for line in lines if line["unit"] in ("ms", "x", "GB/s", "TFLOP/s")):
        size = SIZES.get(f"{line['width']}x{line['height']}", line["size"])
        fields = {**line, "size": size if size in PIXELS else "", "block_threads": line["threads"]}
        half = 10 ** -len(line["value"].partition(".")[2]) / 2
        value = float(line["value"])
        ends = value, value - half, value + half
        if line["unit"] != "ms":
            ends = 1 / ends[0], 1 / ends[2], 1 / ends[1]
        more = {"bytes": 1e6, "operations": 1e9}
        for baseline, time in (("", ends), ("1", (1.0, 1.0, 1.0))):
            found.append(Line({**fields, "baseline": baseline}, PIXELS.get(size, 0), time, more=more, published=True))
    return found


def _count(fields: Mapping[str, str], value: str, words: str) -> Line:
    """A number that is no time, as a line, and how it is written."""
    return Line(fields, time=(float(value),) * 3, more={"remark": words})


def of_counts(lines: Sequence[Mapping[str, str]]) -> List[Line]:
    """The published counts of pixels."""
    return [_count(line, line["value"], f"{line['value']} pixels") for line in lines if line["unit"] == "count"]


def read_machine_code(folder: Path) -> Dict[Tuple[str, str], Fields]:
    """The counts of `make sass` by lab and variant (machine_code.csv); none without the file."""
    path = folder / "machine_code.csv"
    lines = read_table(path, MACHINE_CODE) if path.exists() else []
    return {(fields["lab"], fields["variant"]): fields for _, fields in lines}


def of_code(results: Results, axis: str, *selectors: str) -> List[Line]:
    """The store instructions in the machine code of our variants."""
    return [
        _count({"lab": lab, "variant": variant}, code["stores_global"], f"{code['stores_global']} stores")
        for (lab, variant), code in results.machine_code.items()
    ]


def of_savings(results: Results, axis: str, *selectors: str) -> List[Line]:
    """The share of pixels that lab 10 counts as changed in a still, noisy scene."""
    return [
        _count(line, line["changed_pixels"], f"{percent(float(line['changed_pixels']))} of the pixels")
        for _, line in read_table(SAVINGS, ("changed_pixels",))
        if line["video"].startswith("static")
    ]


def unsupported(asked: Asked) -> Verdict:
    """The variant does not support the job; of a program: its output is wrong."""
    points = asked.points(asked.first)
    if asked.reason:
        return HOLDS, asked.reason
    if points and all(point.remark for point in points):
        return HOLDS, "the program accepts the job" + remarks(points)
    return (FAILS, f"takes {number(points[0].value)} ms") if points else (MISSING, "")


def fewer(asked: Asked, none: bool = False) -> Verdict:
    """The first has fewer store instructions in its machine code; none: with the filter no pixel of a still, noisy scene
    changes beyond the threshold, without it some do."""
    both = [[line for line in asked.lines if line.fits(fields)][:1] for fields in (asked.first, asked.other)]
    if [] in both:
        return MISSING, ""
    less, more = (line.time[0] for (line,) in both)
    words = " against ".join(str(line.more["remark"]) for (line,) in both)
    return (HOLDS if less < more and not (none and less) else FAILS), words


def outputs(variants: str, results: Results, lines: Sequence[Mapping[str, str]]) -> Tuple[Verdict, Verdict]:
    """Whether all outputs that were compared are right, of the variants and of the original. Those of variants are right by construction: a variant
    whose output differs from the reference's is corrected, and has no time."""
    selectors = [selected(selector) for selector in variants.split(" or ")]
    rows = [row for row in results.rows if any(fits(row.text, fields) for fields in selectors)]
    compared = [row for row in rows if row.status in ("ok", "failed")]
    failed = sum(row.status == "failed" for row in compared)
    mine = (
        (BY_CONSTRUCTION, f"{len(compared)} configurations give the reference's bytes") if compared else (MISSING, "")
    )
    checked = [line for line in lines if line["output"] != "not checked"]
    wrong = dict.fromkeys(f"{line['program']}: {line['output']}" for line in checked if line["output"] != "right")
    theirs = (FAILS if wrong else HOLDS, "; ".join(wrong)) if checked else (UNTESTED, "")
    return (FAILS, f"{failed} of {len(compared)} differ") if failed else mine, theirs


OUTPUTS_RIGHT = "outputs_right"  # a rule of two answers: outputs()
RULES: Dict[str, Callable[[Asked], Verdict]] = {
    **TIMES,
    "refused": unsupported,
    "fewer_stores": fewer,
    "fewer_changes": partial(fewer, none=True),
}
