# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What the other verbs wrote into the folder: verify.csv, timeline.csv, clips.csv and peers.csv."""

import re
from pathlib import Path
from typing import Any, Dict, List, Tuple

from .files import NUMBER, ReportError, read_table
from .rows import EMULATED
from .sessions import NAME as SESSIONS
from .sessions import holds_timings
from .words import DASH, Figure, Table, joined, number, plural, short

SHOWN = ("verify.csv", "timeline.csv", "clips.csv", "peers.csv")
STEP = (
    "variant",
    "backend",
    "machine",
    "device",
    "size",
    "ksize",
    "filter",
    "gpu",
    "stream",
    "what",
    "start_ms",
    "end_ms",
)
CLIP = (
    "lab",
    "variant",
    "machine",
    "video",
    "width",
    "height",
    "rate",
    "frames",
    "seconds",
    "reading_ms",
    "computing_ms",
    "writing_ms",
    "slowest",
)
PEER = (
    "peer",
    "function",
    "backend",
    "threads",
    "size",
    "width",
    "height",
    "filter",
    "ksize",
    "time_ms",
    "ratio",
    "status",
    "reason",
    "machine",
)
CHECK = (
    "lab",
    "variant",
    "backend",
    "device",
    "build",
    "machine",
    "jobs",
    "samples_different",
    "status",
    "reason",
    "date",
)
Lines = List[Dict[str, str]]


def machines(folder: Path) -> List[str]:
    """Of all these files."""
    return [
        line["machine"]
        for name in SHOWN
        if (folder / name).exists()
        for _, line in read_table(folder / name, ("machine",))
    ]


def _read(folder: Path, name: str, machine: str, columns: Tuple[str, ...], numbers: Tuple[str, ...] = ()) -> Lines:
    """The lines of this machine; none without the file."""
    lines = read_table(folder / name, columns) if (folder / name).exists() else []
    for where, line in lines:
        for column in numbers:
            if line[column] and not NUMBER.fullmatch(line[column]):
                raise ReportError(f"{where}: column {column} holds '{line[column]}', expected a number or nothing")
    return [line for _, line in lines if line["machine"] == machine]


def _value(text: str) -> str:
    return number(float(text)) if text else DASH


def _checks(folder: Path, machine: str) -> Lines:
    """Of a variant that was built again, those of the newest build."""
    lines = _read(folder, "verify.csv", machine, CHECK, ("jobs", "samples_different"))

    def program(line: Dict[str, str]) -> Tuple[str, ...]:
        return tuple(line[name] for name in ("lab", "variant", "backend", "device"))

    newest = {program(line): line["build"] for line in sorted(lines, key=lambda line: line["date"])}
    return [line for line in lines if line["build"] == newest[program(line)]]


def verified_words(folder: Path, machine: str) -> List[str]:
    """ "Compared with the reference: ...", and what differs."""
    lines = _checks(folder, machine)
    compared = [line for line in lines if line["status"] in ("ok", "failed")]
    if not lines:
        return [
            "`make bench` compared each output that it timed with the reference. Every filter and border: run `make verify`."
        ]
    jobs, failed = (
        sum(int(line["jobs"] or 0) for line in compared),
        [line for line in lines if line["status"] == "failed"],
    )
    variants = {(line["lab"], line["variant"]) for line in compared}
    if failed:
        whose = joined(sorted({f"{line['lab']} {line['variant']}" for line in failed}))
        return [
            f"DIFFERENT FROM THE REFERENCE: {whose}; {plural(jobs, 'comparison')} of {plural(len(variants), 'variant')}."
        ]
    on_cpu = {(line["lab"], line["variant"]) for line in compared if line["backend"] == EMULATED}
    emulated = f"; {len(on_cpu)} of them as CUDA on the CPU" if on_cpu else ""
    return [
        f"Identical to the reference, byte for byte: {plural(len(variants), 'variant')} in {plural(jobs, 'comparison')}{emulated}."
    ]


def _verified(folder: Path, machine: str) -> List[Any]:
    lines = _checks(folder, machine)
    if not lines:
        return verified_words(folder, machine)
    table = []
    for lab in sorted({line["lab"] for line in lines}):
        mine = [line for line in lines if line["lab"] == lab]
        counts = {
            status: sum(line["status"] == status for line in mine)
            for status in ("ok", "failed", "unsupported", "skipped")
        }
        table.append(
            [
                lab,
                str(len({line["variant"] for line in mine})),
                *map(str, counts.values()),
                str(sum(int(line["jobs"] or 0) for line in mine)),
            ]
        )
    wrong = [
        [line["lab"], line["variant"], line["samples_different"], line["reason"] or DASH]
        for line in lines
        if line["status"] == "failed"
    ]
    left: Dict[Tuple[str, str], Lines] = {}
    for line in lines:
        if line["status"] in ("unsupported", "skipped"):
            left.setdefault((line["status"], re.sub("'[^']*'|[0-9]+", "…", line["reason"])), []).append(line)
    return [
        *verified_words(folder, machine),
        Table(
            "Configurations (filter, side, border) by what became of them.",
            ["lab", "variants", "identical", "failed", "unsupported", "skipped", "comparisons"],
            table,
        ),
        *([Table("Failed.", ["lab", "variant", "samples that differ", "reason"], wrong, left=2)] if wrong else []),
        *(
            [
                Table(
                    "Not compared, and why; … is a name or a number.",
                    ["status", "reason", "labs", "variants", "configurations"],
                    [
                        [
                            *why,
                            joined(sorted({line["lab"][:2] for line in same})),
                            str(len({(line["lab"], line["variant"]) for line in same})),
                            str(len(same)),
                        ]
                        for why, same in left.items()
                    ],
                    left=3,
                )
            ]
            if left
            else []
        ),
    ]


def _timeline(folder: Path, machine: str) -> List[Any]:
    from .figures import STEPS, timeline

    steps = _read(folder, "timeline.csv", machine, STEP, ("gpu", "stream", "start_ms", "end_ms"))
    timed = [step for step in steps if step["backend"] != EMULATED and step["what"] in STEPS]
    items: List[Any] = []
    for variant in dict.fromkeys(step["variant"] for step in timed):
        mine = [step for step in timed if step["variant"] == variant]
        caption = f"{short(mine[0]['device'])}, {mine[0]['size']}, {mine[0]['ksize']}x{mine[0]['ksize']} {mine[0]['filter']}, one run"
        items.append(
            Figure(
                f"timeline_{variant}",
                f"{variant}; {caption}; pale: the copy waits for the bus.",
                timeline(f"{variant}: copies and kernels", f"{caption}; pale: the copy waits for the bus", mine),
            )
        )
    if len(steps) != len(timed):
        items.append(
            f"{plural(len(steps) - len(timed), 'step')} of CUDA on the CPU have no times, or are of another kind, and are not drawn."
        )
    return items


def _clips(folder: Path, machine: str) -> List[Any]:
    lines = _read(
        folder, "clips.csv", machine, CLIP, ("rate", "frames", "seconds", "reading_ms", "computing_ms", "writing_ms")
    )
    rows = [
        [
            line["lab"],
            line["variant"],
            Path(line["video"]).name,
            f"{line['width']}x{line['height']}",
            _value(line["rate"]),
            number(float(line["frames"]) / float(line["seconds"])) if float(line["seconds"] or 0) else DASH,
            _value(line["reading_ms"]),
            _value(line["computing_ms"]),
            _value(line["writing_ms"]),
            line["slowest"],
        ]
        for line in lines
    ]
    return (
        [
            Table(
                "From file to file; ms per frame.",
                [
                    "lab",
                    "variant",
                    "clip",
                    "size",
                    "frames/s of the clip",
                    "frames/s",
                    "reading",
                    "computing",
                    "writing",
                    "slowest",
                ],
                rows,
                left=4,
            )
        ]
        if rows
        else []
    )


def _peers(folder: Path, machine: str) -> List[Any]:
    lines = _read(folder, "peers.csv", machine, PEER, ("width", "height", "time_ms", "ratio"))
    if not lines:
        return []
    largest = max(int(line["width"]) * int(line["height"]) for line in lines)
    mine = [line for line in lines if int(line["width"]) * int(line["height"]) == largest]
    rows = [
        [
            line["peer"],
            line["function"],
            line["backend"],
            line["threads"] or DASH,
            f"{line['ksize']}x{line['ksize']} {line['filter']}" if line["ksize"] else line["filter"],
            _value(line["time_ms"]),
            _value(line["ratio"]),
            line["status"] if line["status"] == "ok" else f"{line['status']}: {line['reason']}",
        ]
        for line in mine
    ]
    smaller = len(lines) - len(mine)
    more = f" Of smaller sizes peers.csv has {plural(smaller, 'row')}." * bool(smaller)
    return [
        Table(
            f"Other libraries, {mine[0]['size']}; ratio: their time by that of this project.{more}",
            ["library", "function", "on", "threads", "filter", "ms", "ratio", "status"],
            rows,
            left=5,
        )
    ]


def sections(folder: Path, machine: str) -> List[Tuple[str, List[Any]]]:
    """(title, items): what was verified, which always has a sentence; then the others, and which files are not shown."""
    unknown = [
        path.name
        for path in sorted(folder.glob("*.csv"))
        if path.name not in (SESSIONS, *SHOWN) and not holds_timings(path)
    ]
    return [
        ("Verified", _verified(folder, machine)),
        ("Timelines", _timeline(folder, machine)),
        ("Clips", _clips(folder, machine)),
        ("Other libraries", _peers(folder, machine)),
        ("Not shown", [f"The folder also has {joined(unknown)}."] if unknown else []),
    ]
