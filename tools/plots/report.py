# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The report on the rows of one folder: report.md, report.html and figures/*.svg; and its summary for a terminal."""

import html
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from . import other_files
from .files import ReportError, write_whole
from .jobs import Compared, Lab, compared, hardware, iterations_words, job_of, job_words
from .rows import Row, distinct, one_of, read_folder
from .sessions import timing_files
from .words import (
    DASH,
    Figure,
    Table,
    html_words,
    joined,
    number,
    percent,
    plural,
    short,
    times,
    to_html,
    to_markdown,
    to_text,
)

NOISY, DISTURBED = "†", "‡"
FEW = 6  # iterations: fewer have no interval of the median
MACHINE = (
    ("machine", "machine"),
    ("device", "device"),
    ("cores", "cores"),
    ("caches", "caches"),
    ("compiler", "compiler"),
    ("flags", "flags"),
    ("driver", "driver"),
    ("governor", "governor"),
    ("pinning", "pinned threads"),
    ("revision", "revision"),
)


@dataclass
class Section:
    """A heading, and below it sentences, tables and figures."""

    title: str
    items: List[Union[str, Table, Figure]] = field(default_factory=list)


def cell(row: Optional[Row]) -> str:
    """The time, with a mark where it is noisy or was disturbed."""
    return DASH if row is None else number(row.ms) + NOISY * (row["noisy"] == "1") + DISTURBED * row.disturbed


def _at(size: Tuple[int, str], rows: Sequence[Row]) -> str:
    return f"at {size[1]}" if len({row.pixels for row in rows}) > 1 else ""


def lab_table(lab: Lab, to: Compared) -> Table:
    """A line for each variant: its time at each size; speed-up and share of a copy at the largest."""
    at = lab.compared_at
    lines = [
        [
            label,
            *(cell(lab.at(label, size)) for size in lab.sizes),
            times(to.speed_up(lab, lab.at(label, at))),
            percent(to.of_copy(lab.at(label, at))),
        ]
        for label in lab.curves
    ]
    return Table(
        f"ms; {lab.caption()}; speed-up and share of a copy {_at(at, lab.rows)}".rstrip() + ".",
        ["variant", *(name for _, name in lab.sizes), f"over {to.name(lab)}", "of a copy"],
        lines,
    )


def rest_table(lab: Lab) -> Optional[Table]:
    """A line for each other job of the lab: how many rows, and the fastest at the largest size."""
    groups: Dict[Any, List[Row]] = {}
    for row in lab.rest:
        groups.setdefault((row.sweep, job_of(row), row.with_copies, row.iterations, row.in_rounds), []).append(row)
    lines = []
    for rows in groups.values():
        largest = [row for row in rows if row.pixels == max(row.pixels for row in rows)]
        best = min(largest, key=lambda row: row.ms)
        lines.append(
            [
                job_words(rows[0]),
                "sweep" if best.sweep else "bench",
                str(best.iterations),
                str(len(rows)),
                joined(distinct(rows, "variant")),
                f"{best['variant']} at {best.size}",
                cell(best),
            ]
        )
    return (
        Table(
            f"Also timed: {plural(len(lab.rest), 'row')} of other jobs, settings or iterations, which are in the CSV files.",
            ["job", "from", "iterations", "rows", "variants", "fastest", "ms"],
            lines,
            left=2,
        )
        if lines
        else None
    )


def untimed_table(lab: Lab) -> Optional[Table]:
    """A line for each variant and reason."""
    groups: Dict[Tuple[str, str, str], List[Row]] = {}
    for row in lab.untimed:
        status = row["status"] if row["status"] != "ok" else "ok, but below the clock's resolution"
        groups.setdefault((row["variant"], status, row["reason"]), []).append(row)
    lines = [
        [variant, status, reason or DASH, joined(dict.fromkeys(row.size for row in rows)), str(len(rows))]
        for (variant, status, reason), rows in groups.items()
    ]
    return Table("Not timed.", ["variant", "status", "reason", "sizes", "rows"], lines, left=4) if lines else None


def emulated_words(lab: Lab) -> str:
    return (
        (
            f"{plural(lab.emulated, 'row')} of {lab.name} ran as CUDA on the CPU, which is checked, not timed: a time needs an "
            "NVIDIA GPU."
        )
        if lab.emulated
        else ""
    )


def marks(rows: Sequence[Row], at_one_size: Sequence[Row], to: Compared) -> List[str]:
    """What a reader of the tables must know; of marks only those that are there."""
    found = [
        "“Of a copy”: the bytes of the input and of the output by the time, as a share of the rate of the fastest plain copy that a "
        "row names for the same processor."
    ]
    if any((to.of_copy(row) or 0) > 1 for row in at_one_size):
        found[0] += " Above 100 %: a part of the picture stays in a cache."
    if any(row.with_copies for row in rows):
        found.append(
            "“With copies”: the copies to the GPU and back are a part of the time; there a copy is the bus, both directions busy."
        )
    if any(row["noisy"] == "1" for row in rows):
        found.append(
            f"{NOISY} noisy: the 95 % interval of the median is wider than 5 % of it. In a figure its point is hollow."
        )
    if any(row.disturbed for row in rows):
        found.append(
            f"{DISTURBED} disturbed: something else ran on the machine meanwhile; measure again. In a figure its point is hollow."
        )
    if any(row.iterations < FEW for row in rows):
        found.append(f"With fewer than {FEW} iterations no row can be called noisy.")
    return found


class Report:
    """Everything that the folder's rows of one machine say."""

    def __init__(self, folder: Path, machine: Optional[str]):
        self.folder = folder
        others = other_files.machines(folder)  # of verbs that need no `make bench`
        self.every = [] if others and not timing_files(folder) else read_folder(folder, machine)
        self.labs = [Lab(name, self.every) for name in sorted(distinct(self.every, "lab"))]
        self.to = compared(self.every)
        self.machine = self.every[0]["machine"] if self.every else one_of(others, machine)
        self.shown = [row for lab in self.labs for row in lab.rows]
        self.compared = [
            (lab, label, row)
            for lab in self.labs
            for label in lab.curves
            for row in [lab.at(label, lab.compared_at)]
            if row
        ]

    def fastest(self) -> List[Tuple[Lab, str, Row]]:
        """Of each lab the fastest variant at the size at which its variants are compared."""
        best: Dict[str, Tuple[Lab, str, Row]] = {}
        for one in sorted(self.compared, key=lambda one: one[2].ms):
            best.setdefault(one[0].name, one)
        return [best[lab.name] for lab in self.labs if lab.name in best]

    def labs_table(self, variants: bool) -> Table:
        """A line for each lab, or for each variant."""
        lines = []
        for lab, label, row in self.compared if variants else self.fastest():
            lines.append(
                [
                    lab.name,
                    label,
                    row.size,
                    cell(row),
                    str(row.iterations),
                    f"{times(self.to.speed_up(lab, row))} {self.to.whole_name(lab)}",
                    percent(self.to.of_copy(row)),
                ]
            )
        header = [
            "lab",
            "variant" if variants else "fastest variant",
            "size",
            "ms",
            "iterations",
            "times as fast as",
            "of a copy",
        ]
        several = len({line[0] for line in lines}) != 1  # a table of one lab needs no column for it
        return Table(
            f"Medians; {hardware(self.shown)}." if lines else "Nothing was timed.",
            header if several else header[1:],
            lines if several else [line[1:] for line in lines],
            left=2 + several,
        )

    def _fastest_figure(self) -> List[Union[str, Figure]]:
        from .figures import fastest_by_lab

        every = self.fastest()
        groups: Dict[Any, List[Tuple[Lab, str, Row]]] = {}
        for one in every:
            groups.setdefault((job_of(one[2]), one[2].pixels), []).append(one)
        same = max(groups.values(), key=len, default=[])
        if len(same) < 2:
            return []
        row = same[0][2]
        caption = ", ".join(
            [
                hardware([one[2] for one in same]),
                job_words(next((o[2] for o in same if not o[2].with_copies), row)),
                iterations_words([one[2] for one in same]),
            ]
        )
        bars = [(f"{lab.name}: {label}{', with copies' * best.with_copies}", best) for lab, label, best in same]
        others = [lab.name for lab, _, best in every if all(best is not one[2] for one in same)]
        return [
            Figure(
                "fastest_by_lab",
                caption,
                fastest_by_lab(f"The fastest variant of each lab at {row.size}", caption, bars),
            ),
            *([f"Not in the figure, because their job or size is another: {joined(others)}."] if others else []),
        ]

    def _machine(self) -> Section:
        rows = [
            [words, "; ".join(distinct(self.every, column))]
            for column, words in MACHINE
            if distinct(self.every, column)
        ]
        dates = sorted(distinct(self.every, "date"))
        if dates:
            rows.append(["measured", dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"])
        left_out = sum(lab.repeated for lab in self.labs)
        said = [
            f"{plural(left_out, 'row')} of configurations that were measured again {'is' if left_out == 1 else 'are'} left out."
        ] * bool(left_out)
        if any(row["dirty"] == "1" for row in self.shown):
            said.append("Some rows are of code with uncommitted changes.")
        return Section(
            "The machine",
            [
                Table(
                    f"The machine and the program with which the times in {self.folder} were measured.",
                    ["", "value"],
                    rows,
                    left=2,
                ),
                *said,
            ],
        )

    def _lab(self, lab: Lab) -> Section:
        from . import figures

        section = Section(lab.name)
        if lab.curves:
            section.items.append(lab_table(lab, self.to))
            for name, draw in (("time_by_size", figures.time_by_size), ("speed_ups", figures.speed_ups)):
                svg = draw(lab, self.to)
                if svg:
                    section.items.append(
                        Figure(
                            re.sub(r"[^A-Za-z0-9_-]+", "_", f"{lab.name}_{name}"),
                            f"{lab.name}: {name.replace('_', ' ')}",
                            svg,
                        )
                    )
        section.items += [item for item in (rest_table(lab), untimed_table(lab), emulated_words(lab)) if item]
        return section

    def sections(self) -> List[Section]:
        try:
            from . import figures  # noqa: F401  (tables need no matplotlib)
        except ImportError as error:
            raise ReportError(
                f"figures need {error.name}: install it (on Debian and Ubuntu the package python3-{error.name})"
            ) from None
        found = [self._machine()] if self.every else []
        if self.shown:
            found.append(
                Section(
                    "All labs",
                    [
                        self.labs_table(variants=False),
                        *marks(self.shown, [one[2] for one in self.compared], self.to),
                        *self._fastest_figure(),
                    ],
                )
            )
        others = [Section(title, items) for title, items in other_files.sections(self.folder, self.machine) if items]
        found += [others[0], *map(self._lab, self.labs), *others[1:]]  # what was verified is always first
        names: Dict[str, int] = {}
        for figure in (item for section in found for item in section.items if isinstance(item, Figure)):
            names[figure.name] = names.get(figure.name, 0) + 1  # two labs' names may be the same as names of files
            figure.name += f"_{names[figure.name]}" if names[figure.name] > 1 else ""
        return found

    def summary(self) -> str:
        """For a terminal: the machine, the variants of each lab's table, what else was timed or not timed, what was verified."""
        table, rows = self.labs_table(variants=True), [one[2] for one in self.compared]
        untimed = [
            f"{lab.name}: {plural(len(lab.untimed), 'row')} not timed ({joined(distinct(lab.untimed, 'status'))})"
            for lab in self.labs
            if lab.untimed
        ]
        others = [
            f"{lab.name}: {plural(len(lab.rest), 'row')} of other jobs or settings ({joined(distinct(lab.rest, 'variant'))}) in report.md"
            for lab in self.labs
            if lab.rest
        ]
        return "\n".join(
            [
                self.machine,
                "",
                to_text(table) if table.rows else table.caption,
                "",
                *(marks(rows, rows, self.to) if rows else []),
                *others,
                *untimed,
                *filter(None, map(emulated_words, self.labs)),
                *other_files.verified_words(self.folder, self.machine),
            ]
        )


def _markdown(title: str, sections: Sequence[Section]) -> str:
    parts = [f"# {title}"]
    for section in sections:
        parts.append(f"## {section.title}")
        for item in section.items:
            parts.append(
                to_markdown(item)
                if isinstance(item, Table)
                else item
                if isinstance(item, str)
                else f"[![{item.caption.replace('[', '(').replace(']', ')')}](figures/{item.name}.svg)](figures/{item.name}.svg)"
            )
    return "\n\n".join(parts) + "\n"


PAGE = """<!DOCTYPE html>
<html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width"><title>{title}</title>
<style>body{{font:16px/1.5 sans-serif;max-width:60em;margin:1em auto;padding:0 1em}}table{{border-collapse:collapse;font-size:14px}}
th,td{{padding:2px 9px;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}}.n{{text-align:right}}img{{max-width:100%}}</style>
<h1>{title}</h1>
{body}
</html>
"""


def _html(title: str, sections: Sequence[Section]) -> str:
    parts = []
    for section in sections:
        parts.append(f"<h2>{html.escape(section.title)}</h2>")
        for item in section.items:
            parts.append(
                to_html(item)
                if isinstance(item, Table)
                else f"<p>{html_words(item)}</p>"
                if isinstance(item, str)
                else f'<p><a href="figures/{item.name}.svg"><img src="figures/{item.name}.svg" alt="{html.escape(item.caption)}"></a></p>'
            )
    return PAGE.format(title=html.escape(title), body="\n".join(parts))


def write_report(report: Report, out: Path) -> None:
    """All files, after all were made; figures of an earlier report go."""
    sections, title = report.sections(), f"Your results: {short(report.machine)}"
    files = {
        out / "figures" / f"{item.name}.svg": item.svg
        for section in sections
        for item in section.items
        if isinstance(item, Figure)
    }
    files[out / "report.md"] = _markdown(title, sections).encode()
    files[out / "report.html"] = _html(title, sections).encode()
    for path, data in files.items():
        write_whole(path, data)
    for path in sorted((out / "figures").glob("*.[ps][nv]g")):
        if path not in files:
            path.unlink()
