# SPDX-License-Identifier: MIT
"""What the rows of one folder say: the sections of its page, and its summary for a terminal."""

import re
from functools import partial
from pathlib import Path
from typing import Any

import pandas
from pandas import DataFrame

from . import figures, other_files
from .files import Parser
from .jobs import JOB, Lab, baselines, hardware, iterations_words, job_words
from .page import Section, write_page
from .peers import peers_items
from .results import alike, distinct, of_one_machine, one_of, read_folder
from .sessions import timing_files
from .tables import cell, emulated_words, lab_table, machines_table, marks, rest_table, untimed_table
from .words import Figure, Table, joined, percent, plural, short, times, to_text


class Report:
    """Everything that the folder's rows of one machine say."""

    def __init__(self, folder: Path, machine: str | None):
        self.folder = folder
        others = other_files.machines(folder)  # of verbs that need no `make bench`
        only_others = bool(others) and not timing_files(folder)
        self.every = DataFrame() if only_others else of_one_machine(read_folder(folder), machine)
        names = [] if only_others else sorted(distinct(self.every, "lab"))
        nested = baselines(self.every) if names else self.every
        self.labs = [Lab(name, self.every, nested) for name in names]
        self.machine = one_of(others, machine) if only_others else self.every["machine"].iloc[0]
        self.shown = pandas.concat([lab.rows for lab in self.labs]) if self.labs else DataFrame()
        compared = [lab.compared.assign(over=lab.whole_baseline) for lab in self.labs]
        self.compared = pandas.concat(compared) if compared else DataFrame()

    @property
    def fastest(self) -> DataFrame:
        """The fastest variant of each lab, at the size at which its variants are compared."""
        return self.compared.sort_values("ms", kind="stable").drop_duplicates("lab").sort_values("lab")

    def labs_table(self, variants: bool) -> Table:
        """A line for each lab, or for each variant."""
        lines = [
            [
                row.lab,
                row.label,
                row.size,
                cell(row),
                str(row.iterations),
                f"{times(row.speed_up)} {row.over}",
                percent(row.of_ceiling),
            ]
            for row in (self.compared if variants or not self.labs else self.fastest).itertuples()
        ]
        fastest = "variant" if variants else "fastest variant"
        header = ["lab", fastest, "size", "ms", "iterations", "times as fast as", "of a copy"]
        several = len({line[0] for line in lines}) != 1  # a table of one lab needs no column for it
        return Table(
            "labs",
            f"Medians; {hardware(self.shown)}." if lines else "Nothing was timed.",
            header if several else header[1:],
            lines if several else [line[1:] for line in lines],
            left=2 + several,
        )

    def _fastest_figure(self) -> list[str | Figure]:
        """A bar for each lab whose fastest variant did the same job on a picture of the same size."""
        every = self.fastest
        keys = [*JOB, "pixels"]
        count = every.groupby(keys)["ms"].transform("size")
        shown = alike(every, every[count == count.max()].head(1), keys)
        if len(shown) < 2:
            return []
        alone = shown[~shown["with_copies"]]
        row = next((shown if alone.empty else alone).itertuples())
        caption = ", ".join([hardware(shown), job_words(row), iterations_words(shown)])
        copies = shown["with_copies"].map({True: ", with copies", False: ""})
        bars = list(zip(shown["lab"] + ": " + shown["label"] + copies, shown["ms"]))
        others = every.loc[~every.index.isin(shown.index), "lab"]
        title = f"The fastest variant of each lab at {shown['size'].iloc[0]}"
        figure = Figure("fastest_by_lab", caption, partial(figures.fastest_by_lab, title, caption, bars))
        more = f"Not in the figure, because their job or size is another: {joined(others)}."
        return [figure, more] if len(others) else [figure]

    def _machine(self) -> Section:
        left_out = sum(lab.repeated for lab in self.labs)
        said = []
        if left_out:
            verb = "is" if left_out == 1 else "are"
            said.append(f"{plural(left_out, 'row')} of configurations that were measured again {verb} left out.")
        if (self.shown["dirty"] == "1").any():
            said.append("Some rows are of code with uncommitted changes.")
        caption = f"The machine and the program with which the times in {self.folder} were measured."
        return "The machine", [machines_table(caption, [self.every]), *said]

    def _lab(self, lab: Lab) -> Section:
        items: list[Any] = []
        if lab.labels:
            items.append(lab_table(lab))
            for draw in [figures.time_by_size] if lab.only_baseline else [figures.time_by_size, figures.speed_ups]:
                file = re.sub(r"[^A-Za-z0-9_-]+", "_", f"{lab.name}_{draw.__name__}")
                items.append(Figure(file, f"{lab.name}: {draw.__name__.replace('_', ' ')}", partial(draw, lab)))
        items += [item for item in (rest_table(lab), untimed_table(lab), emulated_words(lab)) if item]
        return lab.name, items

    def sections(self) -> list[Section]:
        every = [self._machine()] if self.labs else []
        if len(self.shown):
            tables = [self.labs_table(variants=False), *marks(self.shown, self.compared)]
            every.append(("All labs", [*tables, *self._fastest_figure()]))
        where = self.folder, self.machine
        every += [("Verified", other_files.verified(*where)), *map(self._lab, self.labs)]
        others = {
            "Timelines": other_files.timelines(*where),
            "Clips": other_files.clips_tables(*where),
            "Other libraries": peers_items(*where),
            "Not shown": other_files.not_shown(self.folder),
        }
        every += [(title, items) for title, items in others.items() if items]
        names: dict[str, int] = {}
        for figure in (item for _, items in every for item in items if isinstance(item, Figure)):
            names[figure.name] = names.get(figure.name, 0) + 1  # two labs' names may be the same as names of files
            figure.name += f"_{names[figure.name]}" if names[figure.name] > 1 else ""
        return every

    def summary(self) -> str:
        """For a terminal: the machine, the variants of each lab's table, what else was timed or not timed, what was verified."""
        table = self.labs_table(variants=True)
        untimed = [
            f"{lab.name}: {plural(len(lab.untimed), 'row')} not timed ({joined(distinct(lab.untimed, 'status'))})"
            for lab in self.labs
            if len(lab.untimed)
        ]
        others = [
            f"{lab.name}: {plural(len(lab.rest), 'row')} of other jobs or settings ({joined(distinct(lab.rest, 'variant'))}) in report.md"
            for lab in self.labs
            if len(lab.rest)
        ]
        return "\n".join(
            [
                self.machine,
                "",
                to_text(table) if table.rows else table.caption,
                "",
                *(marks(self.compared, self.compared) if len(self.compared) else []),
                *others,
                *untimed,
                *filter(None, map(emulated_words, self.labs)),
                other_files.verified_words(self.folder, self.machine),
            ]
        )

    def write(self, out: Path) -> None:
        """The page, into this folder."""
        write_page(f"Your results: {short(self.machine)}", self.sections(), out)


def main(arguments: list[str]) -> int:
    """Writes the page of a folder; returns the exit code."""
    parser = Parser(prog="plots", allow_abbrev=False, description="Your results: tables, figures and a page.")
    parser.add_argument("--results", type=Path, required=True, metavar="DIR", help="folder of CSV files")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder for report.md, report.html and figures/"
    )
    parser.add_argument("--machine", metavar="NAME", help="only the rows of this machine")
    options = parser.parse_args(arguments)
    report = Report(options.results, options.machine)
    report.write(options.out)
    print(f"{report.summary()}\n\nthe report: {options.out / 'report.md'}, {options.out / 'report.html'}")
    return 0
