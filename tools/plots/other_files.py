# SPDX-License-Identifier: MIT
"""What the other verbs wrote into the folder: verify.csv, timeline.csv, clips.csv and peers.csv."""

import re
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .files import NUMBER, ReportError, read_table
from .rows import EMULATED
from .sessions import NAME as SESSIONS
from .sessions import holds_timings
from .words import DASH, Figure, Table, drawn_by, joined, number, plural, short

# The columns that are read of each file, and those of them that hold numbers.
SHOWN = {
    "verify.csv": "lab variant backend device build machine jobs samples_different status reason date",
    "timeline.csv": "lab variant backend machine device size width height channels ksize filter gpu stream what start_ms end_ms",
    "clips.csv": "lab variant machine video width height rate frames seconds reading_ms computing_ms writing_ms slowest",
    "peers.csv": "peer function backend threads size width height filter ksize time_ms ratio status reason machine",
}
NUMBERS = set(
    "jobs samples_different gpu stream start_ms end_ms rate frames seconds reading_ms computing_ms writing_ms".split()
)
NUMBERS |= {"width", "height", "time_ms", "ratio", "ratio_q1", "ratio_q3"}
STEPS = ("copy in", "filter", "copy out")  # of a timeline
Line = Dict[str, str]


def machines(folder: Path) -> List[str]:
    """Of all these files."""
    there = [folder / name for name in SHOWN if (folder / name).exists()]
    return [line["machine"] for path in there for _, line in read_table(path, ("machine",))]


def lines_of(folder: Path, name: str, machine: Optional[str] = None, more: Sequence[str] = ()) -> List[Line]:
    """The lines of a machine, or of all; none without the file. more: columns that are read beside those of SHOWN."""
    columns = [*SHOWN[name].split(), *more]
    lines = read_table(folder / name, columns) if (folder / name).exists() else []
    for where, line in lines:
        for column in NUMBERS.intersection(line):
            if line[column] and not NUMBER.fullmatch(line[column]):
                raise ReportError(f"{where}: column {column} holds '{line[column]}', expected a number or nothing")
    return [line for _, line in lines if machine in (None, line["machine"])]


def value(text: str) -> str:
    return number(float(text)) if text else DASH


def _program(line: Line) -> Tuple[str, ...]:
    return tuple(line[name] for name in ("lab", "variant", "backend", "device"))


def _checks(folder: Path, machine: str) -> List[Line]:
    """Of a variant that was built again, those of the newest build."""
    lines = lines_of(folder, "verify.csv", machine)
    newest = {_program(line): line["build"] for line in sorted(lines, key=lambda line: line["date"])}
    return [line for line in lines if line["build"] == newest[_program(line)]]


def _jobs(lines: Sequence[Line]) -> int:
    return sum(int(line["jobs"] or 0) for line in lines)


def _variants(lines: Sequence[Line]) -> List[str]:
    return sorted({f"{line['lab']} {line['variant']}" for line in lines})


def verified_words(folder: Path, machine: str) -> str:
    """ "Compared with the reference: ...", and what differs."""
    lines = _checks(folder, machine)
    if not lines:
        return "`make bench` compared each output that it timed with the reference. Every filter and border: run `make verify`."
    compared = [line for line in lines if line["status"] in ("ok", "failed")]
    failed = _variants([line for line in lines if line["status"] == "failed"])
    jobs, variants = plural(_jobs(compared), "comparison"), plural(len(_variants(compared)), "variant")
    if failed:
        return f"DIFFERENT FROM THE REFERENCE: {joined(failed)}; {jobs} of {variants}."
    on_cpu = _variants([line for line in compared if line["backend"] == EMULATED])
    emulated = f"; {len(on_cpu)} of them as CUDA on the CPU" if on_cpu else ""
    return f"Identical to the reference, byte for byte: {variants} in {jobs}{emulated}."


def _verified(folder: Path, machine: str) -> List[Any]:
    lines = _checks(folder, machine)
    items: List[Any] = [verified_words(folder, machine)]
    if not lines:
        return items
    table = []
    for lab in sorted({line["lab"] for line in lines}):
        mine = [line for line in lines if line["lab"] == lab]
        states = [line["status"] for line in mine]
        counts = [states.count(status) for status in ("ok", "failed", "unsupported", "skipped")]
        table.append([lab, *map(str, [len(_variants(mine)), *counts, _jobs(mine)])])
    head = ["lab", "variants", "identical", "failed", "unsupported", "skipped", "comparisons"]
    items.append(Table("verified", "Configurations (filter, side, border) by what became of them.", head, table))
    wrong = [
        [line["lab"], line["variant"], line["samples_different"], line["reason"] or DASH]
        for line in lines
        if line["status"] == "failed"
    ]
    if wrong:
        items.append(Table("failed", "Failed.", ["lab", "variant", "samples that differ", "reason"], wrong, left=2))
    left: Dict[Tuple[str, str], List[Line]] = {}
    for line in lines:
        if line["status"] in ("unsupported", "skipped"):
            left.setdefault((line["status"], re.sub("'[^']*'|[0-9]+", "…", line["reason"])), []).append(line)
    why = [
        [*reason, joined(sorted({line["lab"][:2] for line in same})), str(len(_variants(same))), str(len(same))]
        for reason, same in left.items()
    ]
    if why:
        head = ["status", "reason", "labs", "variants", "configurations"]
        items.append(Table("left", "Not compared, and why; … is a name or a number.", head, why, left=3))
    return items


def timelines(folder: Path, machine: str) -> List[Any]:
    """A figure for each variant: when each copy and each kernel of one run began and ended."""
    steps = lines_of(folder, "timeline.csv", machine)
    timed = [step for step in steps if step["backend"] != EMULATED and step["what"] in STEPS]
    items: List[Any] = []
    for variant in dict.fromkeys(step["variant"] for step in timed):
        mine = [step for step in timed if step["variant"] == variant]
        one = mine[0]
        caption = f"{short(one['device'])}, {one['size']}, {one['ksize']}x{one['ksize']} {one['filter']}, one run"
        caption += "; pale: the copy waits for the bus"
        draw = drawn_by("timeline", f"{variant}: copies and kernels", caption, mine)
        items.append(Figure(f"timeline_{variant}", f"{variant}; {caption}.", draw))
    if len(steps) != len(timed):
        others = plural(len(steps) - len(timed), "step")
        items.append(f"{others} of CUDA on the CPU have no times, or are of another kind, and are not drawn.")
    return items


def clips_table(caption: str, lines: Sequence[Line]) -> List[Table]:
    """A line for each clip and lab: frames per second, and the time of each stage; nothing without lines."""
    times = ("reading_ms", "computing_ms", "writing_ms")
    rows = [
        [
            *(line["lab"], line["variant"], Path(line["video"]).name, f"{line['width']}x{line['height']}"),
            value(line["rate"]),
            number(float(line["frames"]) / float(line["seconds"])) if float(line["seconds"] or 0) else DASH,
            *(value(line[name]) for name in times),
            line["slowest"],
        ]
        for line in lines
    ]
    head = "lab|variant|clip|size|frames/s of the clip|frames/s|reading|computing|writing|slowest".split("|")
    return [Table("clips", caption, head, rows, left=4)] if rows else []


def sections(folder: Path, machine: str) -> List[Tuple[str, List[Any]]]:
    """(title, items): what was verified, which always has a sentence; then the others, and which files are not shown."""
    from .peers import peers_items  # which reads its lines by lines_of

    there = [path for path in sorted(folder.glob("*.csv")) if path.name not in (SESSIONS, *SHOWN)]
    unknown = [path.name for path in there if not holds_timings(path)]
    return [
        ("Verified", _verified(folder, machine)),
        ("Timelines", timelines(folder, machine)),
        ("Clips", clips_table("From file to file; ms per frame.", lines_of(folder, "clips.csv", machine))),
        ("Other libraries", peers_items(folder, machine)),
        ("Not shown", [f"The folder also has {joined(unknown)}."] if unknown else []),
    ]
