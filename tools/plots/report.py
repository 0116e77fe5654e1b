# SPDX-License-Identifier: MIT
"""What the rows of one folder say: the sections of its page, and its summary for a terminal."""

import re
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union

from . import other_files
from .jobs import Lab, compared, hardware, iterations_words, job_of, job_words
from .page import Section, write_page
from .rows import Row
from .selection import distinct, of_one_machine, one_of, read_folder
from .sessions import timing_files
from .tables import cell, emulated_words, lab_table, machines_table, marks, rest_table, untimed_table
from .words import Figure, Table, drawn_by, joined, percent, plural, short, times, to_text


class Report:
    """Everything that the folder's rows of one machine say."""

    def __init__(self, folder: Path, machine: Optional[str]):
        self.folder = folder
        others = other_files.machines(folder)  # of verbs that need no `make bench`
        self.every = [] if others and not timing_files(folder) else of_one_machine(read_folder(folder), machine)
        self.labs = [Lab(name, self.every) for name in sorted(distinct(self.every, "lab"))]
        self.to = compared(self.every)
        self.machine = self.every[0].machine if self.every else one_of(others, machine)
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
                    row.size_name,
                    cell(row),
                    str(row.iterations),
                    f"{times(self.to.speed_up(lab, row))} {self.to.whole_name(lab)}",
                    percent(row.of_ceiling),
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
            "labs",
            f"Medians; {hardware(self.shown)}." if lines else "Nothing was timed.",
            header if several else header[1:],
            lines if several else [line[1:] for line in lines],
            left=2 + several,
        )

    def _fastest_figure(self) -> List[Union[str, Figure]]:
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
                drawn_by("fastest_by_lab", f"The fastest variant of each lab at {row.size_name}", caption, bars),
            ),
            *([f"Not in the figure, because their job or size is another: {joined(others)}."] if others else []),
        ]

    def _machine(self) -> Section:
        left_out = sum(lab.repeated for lab in self.labs)
        said = [
            f"{plural(left_out, 'row')} of configurations that were measured again {'is' if left_out == 1 else 'are'} left out."
        ] * bool(left_out)
        if any(row.dirty == "1" for row in self.shown):
            said.append("Some rows are of code with uncommitted changes.")
        caption = f"The machine and the program with which the times in {self.folder} were measured."
        return "The machine", [machines_table(caption, [self.every]), *said]

    def _lab(self, lab: Lab) -> Section:
        items: List[Any] = []
        if lab.curves:
            items.append(lab_table(lab, self.to))
            for name in ["time_by_size"] + ["speed_ups"] * (not self.to.only_baseline(lab)):
                file = re.sub(r"[^A-Za-z0-9_-]+", "_", f"{lab.name}_{name}")
                items.append(Figure(file, f"{lab.name}: {name.replace('_', ' ')}", drawn_by(name, lab, self.to)))
        items += [item for item in (rest_table(lab), untimed_table(lab), emulated_words(lab)) if item]
        return lab.name, items

    def sections(self) -> List[Section]:
        found = [self._machine()] if self.every else []
        if self.shown:
            found.append(
                (
                    "All labs",
                    [
                        self.labs_table(variants=False),
                        *marks(self.shown, [one[2] for one in self.compared], self.to),
                        *self._fastest_figure(),
                    ],
                )
            )
        others = [(title, items) for title, items in other_files.sections(self.folder, self.machine) if items]
        found += [others[0], *map(self._lab, self.labs), *others[1:]]  # what was verified is always first
        names: Dict[str, int] = {}
        for figure in (item for _, items in found for item in items if isinstance(item, Figure)):
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
                other_files.verified_words(self.folder, self.machine),
            ]
        )

    def write(self, out: Path) -> None:
        """The page, into this folder."""
        write_page(f"Your results: {short(self.machine)}", self.sections(), out)
