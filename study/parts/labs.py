# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Every lab of the rows: a figure of time by size and a table for each job."""
import re
from functools import partial
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

from ..figures import drawing
from ..figures.coincident import coincident
from ..figures.content import (COLOURS, Figure, Line, Section, Table, joined, number, percent, short_name, spread, times)
from ..figures.panels import at_size, described, line_panels
from ..measurements.rows import EMULATED, Row
from ..measurements.selection import BASELINES, Results, distinct, of_how_many, sizes
from ..figures.series import (ceiling, describe, describe_job, main_job, other_borders, point, series,
                    untimed, variant_of)

MAX_FIGURES = 3  # of the jobs of a lab; the others are tables


def _largest_setting(rows: Sequence[Row], column: str, words: str) -> Tuple[List[Row], str]:
    """The rows with the largest number in a column where a variant has several, and a sentence on the
    others."""
    most: Dict[str, int] = {}
    for row in rows:
        most[row.variant] = max(most.get(row.variant, 0), row.integer(column) or 0)
    kept = [row for row in rows if (row.integer(column) or 0) == most[row.variant]]
    gone = sorted({row.integer(column) or 0 for row in rows if row not in kept})
    if not gone:
        return kept, ""
    shown = sorted({most[row.variant] for row in rows if most[row.variant]})
    return kept, (f"Drawn: {joined(map(str, shown))} {words}; times with "
                  f"{joined(map(str, gone)) if len(gone) < 4 else 'other numbers'} are in the table.")


def _time_by_size(title: str, results: Results, rows: Sequence[Row]) -> Any:
    """Time in ms by size, both logarithmic: a line for each variant, and one for a copy."""
    timed, fewer_threads = _largest_setting([row for row in rows if row.timed], "block_threads",
                                            "threads in the one block")
    timed, fewer_ranks = _largest_setting(timed, "ranks", "ranks")
    lines = [Line(label, [point(row.pixels, row) for row in same], variant=variant_of(same))
             for label, same in series(timed)] + [ceiling(results, timed)]
    figure, axes = drawing.canvas(4.6)
    drawing.draw_lines(axes[0, 0], lines)
    drawing.size_axis(axes[0, 0], sizes(timed))
    axes[0, 0].set_ylabel("time (ms)")
    missing = sum(not row.timed for row in rows)
    more = [fewer_threads, fewer_ranks, coincident(lines),
            f"Rows without a time: {missing} (see the table)." if missing else ""]
    return drawing.finish(figure, title, describe(timed, " ".join(filter(None, more))),
                          legend=axes[0, 0])


def _by_threads(results: Results, lab: str) -> List[Figure]:
    """Time by threads, each with its best block, at the size with the most rows."""
    rows = main_job(results.where(lambda row: row.timed and row.threads != "", lab=lab))
    counts = {size: len(at_size(rows, size)) for size in sizes(rows)
              if len({row.threads for row in at_size(rows, size)}) > 1}
    if not counts:
        return []
    size = max(counts, key=lambda size: (counts[size], size))
    rivals: Dict[Tuple[str, int], List[Row]] = {}
    for row in at_size(rows, size):
        rivals.setdefault((row.variant, row.integer("threads") or 0), []).append(row)
    best = {at: min(same, key=lambda row: row.ms) for at, same in rivals.items()}
    counts: Dict[str, List[int]] = {}
    for (variant, _), same in rivals.items():
        counts.setdefault(variant, []).append(len(same))
    title = f"{lab}: time by threads at {size[1]}"

    def draw() -> Any:
        lines = [Line(variant, [point(count, row) for (of, count), row in best.items()
                                if of == variant], variant=f"{lab} {variant}") for variant in distinct(rows, "variant")]
        caption = describe(list(best.values()),
                           "Each with its fastest block side. " + of_how_many(counts))
        return line_panels(title, caption,
                           [("", [line for line in lines if line.points])], "threads",
                           "time (ms)")

    return [Figure(f"{lab}_time_by_threads", f"Lab {lab}: time of each variant by threads.", draw)]


def _table(name: str, results: Results, rows: Sequence[Row]) -> Table:
    """A line for each variant and size: time, rates and speed-ups."""
    copies = any(row.total_ms and not row.with_copies
                 for row in rows)
    bases = [base for base in BASELINES if any(results.speed_up(row, base) for row in rows)]
    lines: List[List[str]] = []
    for label, same in series(rows):
        for row in same:
            line = [label, row.size_name, spread(row)]
            if copies:
                line.append(number(row.total_ms))
            line += [number(row.rate("bytes") if row.timed else None),
                     percent(results.of_ceiling(row))]
            lines.append(line + [times(results.speed_up(row, base)) for base in bases])
    timed = [row for row in rows if row.timed] or rows
    ceiling_name = "of bus" if all(row.with_copies for row in timed) else "of copy"
    header = (["variant", "size", "time ms"] + ["with copies ms"] * copies
              + ["GB/s", ceiling_name] + [f"vs {base}" for base in bases])
    words = described(timed, bases=results.baselines(timed, *bases)) + _ceilings(results, timed)
    return Table(name, f"Lab {rows[0].lab}{', with copies' * timed[0].with_copies}: {words}",
                 header, lines, left=2, fold=True)


BUSES_DIFFER = 0.05  # of the faster one


def _ceilings(results: Results, rows: Sequence[Row]) -> str:
    """What a reader of the share of the ceiling must know: rows above it, and a bus that was not always as fast."""
    words = ""
    if any((results.of_ceiling(row) or 0) > 1 for row in rows):
        words += " Above 100 %: a part of the pictures stays in a cache."
    buses = [row.number["bus_both_gb_per_s"] for row in rows if row.with_copies and row.number["bus_both_gb_per_s"]]
    if buses and min(buses) < (1 - BUSES_DIFFER) * max(buses):
        words += (f" The bus was not always as fast: in the sessions of these rows it carried {number(min(buses))} to "
                  f"{number(max(buses))} GB/s in both directions together.")
    return words


LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def idea(readme: Path) -> Tuple[str, List[str]]:
    """The title of a lab, and what its README says before its variants: the first words, and the idea
    with its drawing, without links and pictures; nothing without a README."""
    if not readme.exists():
        return "", []
    text = readme.read_text(encoding="utf-8")
    title, _, rest = text.partition("\n")
    before, *parts = re.split(r"^## ", rest, flags=re.M)
    first = before.strip().split("\n\n")[0]
    chosen = next((part for part in parts if part.startswith("The idea\n")), "").partition("\n")[2]
    lines = [line for line in f"{first}\n{chosen}".splitlines() if not line.startswith("![")]
    return title.lstrip("# ").strip(), [LINK.sub(r"\1", "\n".join(lines)).strip()]


def _by_what_is_timed(rows: Sequence[Row]) -> List[Sequence[Row]]:
    """Times with copies, and times of kernels alone."""
    parts = [[row for row in rows if row.with_copies == copies] for copies in (True, False)]
    return [part for part in parts if part] if all(any(row.timed for row in part) for part in parts) else [rows]


def lab_section(results: Results, lab: str, labs: Path, elsewhere: Sequence[str] = ()) -> Section:
    """One lab: for each job a figure and a table, then why rows have no time. The other borders of a
    job are a table. elsewhere: where else the report has something of this lab."""
    title, words = idea(labs / lab / "README.md")
    section = Section(title or f"Lab {lab}", list(words), rows=[row for row in results.rows if row.lab == lab])
    emulated = [row for row in results.bench if row.lab == lab and row.backend == EMULATED]
    real = [row for row in results.bench if row.lab == lab and row.backend != EMULATED]
    first, others = ([part for rows in groups for part in _by_what_is_timed(rows)]
                     for groups in other_borders(real))
    for index, rows in enumerate(first + others):
        name = f"{lab}_time_by_size" + (f"_{index + 1}" if index else "")
        side = f", {rows[0].ksize}x{rows[0].ksize} {rows[0].filter}" if rows[0].ksize else ""
        colours = f", {COLOURS[rows[0].channels]}" if rows[0].channels in COLOURS else ""
        clip = "" if rows[0].image in ("", "scene") else f", {rows[0].image}"
        again = f", {rows[0].passes} passes" if rows[0].passes not in ("", "1") else (
            f", {rows[0].filters} filters" if rows[0].filters else "")
        again += ", with copies" * rows[0].with_copies
        title = f"{lab}: time by size{side}{colours}{clip}{again}"
        points = len(sizes(row for row in rows if row.timed))
        if index < min(len(first), MAX_FIGURES) and points > (1 if index else 0):
            section.items.append(Figure(
                name, f"Lab {lab}: time of each variant by image size; {describe_job(rows)}"
                      f"{', with copies' * rows[0].with_copies}.",
                partial(_time_by_size, title, results, rows)))
        section.items.append(_table(name, results, rows))
        section.items += untimed(rows)
    section.items += _by_threads(results, lab)
    if emulated:
        section.items.append(f"{len(emulated)} rows ran as CUDA on the CPU, which is not timed: "
                             "measure this lab on a machine with an NVIDIA GPU.")
    if not section.rows:
        section.items.append(f"Not measured on {short_name(results.machine)}.")
    elif not real and not emulated:
        section.items.append("Only sweeps were measured: run `make bench` for the times by size.")
    section.items += elsewhere
    return section
