# SPDX-License-Identifier: MIT
"""What the other verbs wrote into the folder: verify.csv, timeline.csv, clips.csv and peers.csv."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas
from pandas import DataFrame

from . import figures
from .figures import STEPS
from .files import NUMBER, ReportError, read_table
from .results import EMULATED
from .sessions import NAME as SESSIONS
from .sessions import holds_timings
from .words import DASH, Figure, Table, joined, number, plural, short

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
NUMBERS |= set("width height time_ms ratio ratio_q1 ratio_q3 differing_share largest_difference".split())


def machines(folder: Path) -> list[str]:
    """The machines that all these files name."""
    there = [folder / name for name in SHOWN if (folder / name).exists()]
    return [line["machine"] for path in there for _, line in read_table(path, ("machine",))]


def lines_of(folder: Path, name: str, machine: str | None = None, more: Sequence[str] = ()) -> DataFrame:
    """The lines of a machine, or of all; none without the file. Numbers are float64, NaN where there is none. more: columns that
    are read beside those of SHOWN."""
    columns = [*SHOWN[name].split(), *more]
    lines = read_table(folder / name, columns) if (folder / name).exists() else []
    frame = DataFrame([line for _, line in lines], columns=list(lines[0][1]) if lines else columns)
    for column in NUMBERS.intersection(frame.columns):
        for (where, _), value in zip(lines, frame[column]):
            if value and not NUMBER.fullmatch(value):
                raise ReportError(f"{where}: column {column} holds '{value}', expected a number or nothing")
        frame[column] = frame[column].replace("", "nan").astype(float)
    return frame if machine is None else frame[frame["machine"] == machine]


def _checks(folder: Path, machine: str) -> DataFrame:
    """The lines of verify.csv; of a variant that was built again, those of the newest build."""
    lines = lines_of(folder, "verify.csv", machine)
    lines = lines.assign(name=lines["lab"] + " " + lines["variant"])
    newest = lines.sort_values("date", kind="stable").groupby(["lab", "variant", "backend", "device"])["build"]
    return lines[lines["build"] == newest.transform("last").sort_index()]


def _variants(lines: DataFrame) -> list[str]:
    return sorted(lines["name"].unique())


def verified_words(folder: Path, machine: str) -> str:
    """ "Compared with the reference: ...", and what differs."""
    lines = _checks(folder, machine)
    if lines.empty:
        return "`make bench` compared each output that it timed with the reference. Every filter and border: run `make verify`."
    compared = lines[lines["status"].isin(["ok", "failed"])]
    failed = _variants(lines[lines["status"] == "failed"])
    jobs, variants = plural(int(compared["jobs"].sum()), "comparison"), plural(len(_variants(compared)), "variant")
    if failed:
        return f"DIFFERENT FROM THE REFERENCE: {joined(failed)}; {jobs} of {variants}."
    on_cpu = _variants(compared[compared["backend"] == EMULATED])
    emulated = f"; {len(on_cpu)} of them as CUDA on the CPU" if on_cpu else ""
    return f"Identical to the reference, byte for byte: {variants} in {jobs}{emulated}."


def verified(folder: Path, machine: str) -> list[Any]:
    lines = _checks(folder, machine)
    items: list[Any] = [verified_words(folder, machine)]
    if lines.empty:
        return items
    states = ["ok", "failed", "unsupported", "skipped"]
    counts = pandas.crosstab(lines["lab"], lines["status"]).reindex(columns=states, fill_value=0)
    counts.insert(0, "variants", lines.groupby("lab")["name"].nunique())
    counts["jobs"] = lines.groupby("lab")["jobs"].sum().astype(int)
    table = [[lab, *map(str, line)] for lab, *line in counts.itertuples()]
    head = ["lab", "variants", "identical", "failed", "unsupported", "skipped", "comparisons"]
    items.append(Table("verified", "Configurations (filter, side, border) by what became of them.", head, table))
    failed = lines[lines["status"] == "failed"]
    wrong = [
        [line.lab, line.variant, f"{line.samples_different:.0f}", line.reason or DASH] for line in failed.itertuples()
    ]
    if wrong:
        items.append(Table("failed", "Failed.", ["lab", "variant", "samples that differ", "reason"], wrong, left=2))
    left = lines[lines["status"].isin(["unsupported", "skipped"])]
    reasons = left["reason"].str.replace("'[^']*'|[0-9]+", "…", regex=True)
    why = [
        [*reason, joined(sorted(same["lab"].str[:2].unique())), str(len(_variants(same))), str(len(same))]
        for reason, same in left.groupby(["status", reasons], sort=False)
    ]
    if why:
        head = ["status", "reason", "labs", "variants", "configurations"]
        items.append(Table("left", "Not compared, and why; … is a name or a number.", head, why, left=3))
    return items


def timelines(folder: Path, machine: str) -> list[Any]:
    """A figure for each variant: when each copy and each kernel of one run began and ended."""
    steps = lines_of(folder, "timeline.csv", machine)
    timed = steps[(steps["backend"] != EMULATED) & steps["what"].isin(STEPS)]
    items: list[Any] = []
    for variant, run in timed.groupby("variant", sort=False):
        first = run.iloc[0]
        caption = (
            f"{short(first['device'])}, {first['size']}, {first['ksize']}x{first['ksize']} {first['filter']}, one run"
        )
        caption += "; pale: the copy waits for the bus"
        draw = partial(figures.timeline, f"{variant}: copies and kernels", caption, run)
        items.append(Figure(f"timeline_{variant}", f"{variant}; {caption}.", draw))
    if len(steps) != len(timed):
        others = plural(len(steps) - len(timed), "step")
        items.append(f"{others} of CUDA on the CPU have no times, or are of another kind, and are not drawn.")
    return items


def clips_tables(folder: Path, machine: str) -> list[Table]:
    """A line for each clip and lab: frames per second, and the time of each stage; nothing without lines."""
    lines = lines_of(folder, "clips.csv", machine)
    rows = [
        [
            *(line.lab, line.variant, Path(line.video).name, f"{line.width:.0f}x{line.height:.0f}"),
            *map(number, (line.rate, line.frames / line.seconds if line.seconds else None)),
            *map(number, (line.reading_ms, line.computing_ms, line.writing_ms)),
            line.slowest,
        ]
        for line in lines.itertuples()
    ]
    head = "lab|variant|clip|size|frames/s of the clip|frames/s|reading|computing|writing|slowest".split("|")
    return [Table("clips", "From file to file; ms per frame.", head, rows, left=4)] if rows else []


def not_shown(folder: Path) -> list[str]:
    """A sentence that names the files of the folder that nothing here reads, if there are any."""
    there = [path for path in sorted(folder.glob("*.csv")) if path.name not in (SESSIONS, *SHOWN)]
    unknown = [path.name for path in there if not holds_timings(path)]
    return [f"The folder also has {joined(unknown)}."] if unknown else []
