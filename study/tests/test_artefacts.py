# SPDX-License-Identifier: MIT
"""Every artefact of the reports: made-up rows give the made-up numbers; what it shows of the committed rows; and `make report` fails if
an artefact or a verdict has no rows."""

import re
from collections import Counter
from pathlib import Path
from typing import Any, Dict, List, Set

import pytest
from fabricate import DATA, GPU, MAIN, ROOT, SIZES, Fields, drawn, measured, published, read, row
from pandas import DataFrame

from study.figures.content import Figure, Table, number
from study.measurements.keyed import Sources
from study.measurements.results import Results, read_folder
from study.output import REPORTS
from study.reports import conclusions
from study.reports.artefacts import SHAPES, Artefact, check_complete, coverage, make_all
from study.reports.gather import OURS, gather
from study.reports.specification import Specification, read_specifications
from tools.plots.files import ReportError

pytestmark = pytest.mark.long

FILE = DATA / "artefacts.ini"
ANY = {"ksize": ("3", "5"), "threads": ("2", "4"), "block": ("8", "16"), "block_threads": ("716", "1024")}
EVERY = [
    one
    for one in read_specifications(FILE)
    if one["shape"] in ("heat", "lines", "versions") and "06_async" not in one["job"]
]


def made(results: Results, path: Any = FILE) -> Dict[str, Artefact]:
    """The artefacts, "chisci2024 Figure 8", of these results."""
    every = make_all(path, results, published(), Sources(ROOT, results))
    return {f"{one.report} {one.name}": one for one in every}


def drawn_numbers(figure: Any) -> Set[str]:
    """What a figure shows: the heights of its points, and the numbers in its cells."""
    found: Set[str] = set()
    for axes in figure.axes:
        found |= {number(float(y)) for line in axes.lines for y in line.get_ydata()}
        found |= {text.get_text() for text in axes.texts}
    return found


class Fabricated:
    """Rows for each series of an artefact, no two with one time."""

    def __init__(self, one: Specification):
        self.one, self.rows, self.count = one, [], 0
        self.ms: Dict[Any, float] = {}  # by series, and the row's size, ksize, block and threads
        for series, form, selector in one.selectors("variants"):
            self._add(series, form, selector)

    def _add(self, series: str, form: str, selector: Fields) -> None:
        fields: List[Fields] = [{}]
        for name, value in selector.items():
            values = ANY.get(name, ("",)) if value in ("*", "!") else value.split("|")[-2:]
            fields = [{**one, name: value} for one in fields for value in values]
        for one in fields:
            for size in [one["size"]] if "size" in one else ["480p", "4k"]:
                self._row(series, form, size, {name: value for name, value in one.items() if name != "size"})

    def _row(self, series: str, form: str, size: str, fields: Fields) -> None:
        self.count += 1
        ms = 10 + 1.37 * self.count
        lab, variant = fields.pop("lab"), fields.pop("variant")
        gpu = GPU if int(lab[:2]) > 2 and variant != "cpu" else {}
        if size not in SIZES:
            side = size.partition("x")[0]
            fields.update(size=size, width=side, height=side)
        copied = {"total_ms_median": f"{ms + 3}", "copy_in_ms": "1", "copy_out_ms": "2"} if gpu else {}
        job = {**gpu, **fields}
        at = size if size in SIZES else "480p"
        self.rows.append(row(lab, variant, at, ms, **{**copied, **job}))
        key = ((series, form), size, *(job.get(name, "") for name in ("ksize", "block", "threads", "block_threads")))
        self.ms[key] = min(ms, self.ms.get(key, ms))
        name, colon, selector = self.one["over"].partition(": ")
        if colon or name not in ("", "first"):
            other = {"block": "", "threads": "1" if "threads" in job else "", "backend": "cpu", "device": "Toy CPU"}
            self.rows.append(row("02_pthread" if colon else "01_sequential", name, at, 1000, **{**job, **other}))

    @property
    def results(self) -> Results:
        """All rows, of bases one for each job."""
        return Results(read({tuple(one.items()): one for one in self.rows}.values()))

    @property
    def shown(self) -> List[float]:
        """The times that the artefact must show: all, or the best of each series and size."""
        if not self.one.has("best"):
            return sorted({round(ms, 3) for ms in self.ms.values()})
        best: Dict[Any, float] = {}
        for (series, size, *_), ms in self.ms.items():
            best[series, size] = min(ms, best.get((series, size), ms))
        return sorted({round(ms, 3) for ms in best.values()})


def written(seen: Any, quantity: str, one: Specification, first: Dict[Any, float]) -> Any:
    """A fabricated number in the unit of its artefact, worked out here again; None of what a table adds up."""
    pixels = seen.width * seen.height
    samples = pixels * seen.channels
    if one["shape"] == "versions" and one["value"] not in ("", "kernel"):
        return None if seen.backend == "cpu" or "copy" in one["value"] else number(seen.ms + 3)
    base = first[getattr(seen, one.axis("x")[0])] if one["over"] == "first" else 1000
    if quantity == "x" and (one["only"] == "table" or base == seen.ms):
        return None
    values = {
        "ms": seen.ms,
        "ns": seen.ms * 1e6 / pixels,
        "x": base / seen.ms,
        "GB/s": 8 * samples / seen.ms / 1e6,
        "TFLOP/s": 2 * samples * seen.ksize**2 / seen.ms / 1e9,
    }
    return number(values[quantity])


@pytest.mark.parametrize("one", EVERY, ids=lambda one: f"{one.report} {one.name} {one.part}")
def test_made_up_rows_give_the_made_up_numbers(one: Specification) -> None:
    """Each number is in the figure, in the unit of the artefact, or, without a figure, in the table."""
    rows = Fabricated(one)
    gathered = gather(one, rows.results, published())
    assert sorted(gathered.shown(OURS)["ms"].round(3).unique()) == rows.shown
    items = SHAPES[one["shape"]](gathered)
    figures = [item for item in items if isinstance(item, Figure)]
    lines = [line for item in items if isinstance(item, Table) for line in item.rows]
    shown = {word for line in lines for cell in line for word in cell.split()}
    if figures:
        shown = set().union(*(drawn_numbers(drawn(figure)) for figure in figures))
    series = one.selectors("variants")[0][0]
    ours = gathered.shown(OURS).assign(
        **{name: gathered.rows[name].values for name in ("height", "channels", "backend")}
    )
    of_first = ours[ours["series"] == series]
    first = dict(zip(of_first[one.axis("x")[0]], of_first["ms"])) if one["x"] else {}
    for seen in ours.itertuples():
        if not (one["drawn"] and seen.backend == "cpu"):
            for quantity in one["value"].split(", ") if figures else ["ms"]:
                value = written(seen, quantity or "ms", one, first)
                assert value is None or value in shown, seen


def test_without_rows_an_artefact_is_missing_and_says_what_it_needs() -> None:
    for name, one in made(measured(row("a", "v", "480p", 1))).items():
        if one.specification["shape"] not in ("text", "versions"):
            assert re.search(r"run `make \w+", one.section.missing), name
            assert one.section.items == []


def test_51_artefacts_of_five_reports() -> None:
    every = made(measured(row("a", "v", "480p", 1)))
    reports = {"ariano2023": 20, "cazzola2024": 2, "chisci2024": 5, "videostream2021": 17, "delbimbo2024": 7}
    assert Counter(one.report for one in every.values()) == {**reports, "async": 3}
    table = coverage(list(every.values()), REPORTS)
    assert sum(int(line[1]) for line in table.rows) == 51
    assert "[Figure 4](#ariano2023-figure-4): lab 02, rows by threads" in table.rows[0][-1]


@pytest.mark.parametrize(
    "text, words",
    [
        ("[chisci2024 Figure 99]\nshape = pie", "chisci2024 Figure 99 has the shape 'pie', known are heat, lines, "),
        ("[chisci2024 Figure 99]\ntitle = a", "chisci2024 Figure 99.*expected .* with a key 'shape'"),
        ("[chisci2024 Figure 99]\nlike = chisci2024 Figure 98", r"no section \[chisci2024 Figure 98\]"),
        ("[chisci2024 Figure 99]\nshape = text\ntitel = a", "unknown key 'titel'; known are .*title"),
        ("title = a", "artefacts.ini.*no section headers"),
    ],
)
def test_mistakes_in_the_file(tmp_path: Any, text: str, words: str) -> None:
    path = tmp_path / "artefacts.ini"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReportError, match=words):
        made(measured(row("a", "v", "480p", 1)), path=path)


def test_what_has_no_rows_is_named(tmp_path: Path) -> None:
    """Of the committed rows some are taken away; an artefact may give the reason why it was not measured."""
    gone = ("02_pthread grid", "04_cuda_constant soa", "08_heat_map v1", "10_noise_filter tile")
    rows: DataFrame = read_folder(MAIN)
    results = Results(rows[~(rows["lab"] + " " + rows["variant"]).isin(gone)])
    stated = conclusions.read_conclusions(DATA / "conclusions.csv", published())
    path, shows = tmp_path / "artefacts.ini", "shows = noise filter: T by K\n"
    path.write_text(
        FILE.read_text(encoding="utf-8").replace(shows, f"{shows}not measured = no camera\n"), encoding="utf-8"
    )
    verdicts = conclusions.judge([one for one in stated if one.id in ("A07", "V10", "A05")], results, published().lines)
    words = (
        "^folder has no rows for artefact ariano2023 Figure 5 .lab 02, grid by threads: run `make sweep`., "
        "artefact ariano2023 Figure 7 .grid., artefact videostream2021 Figure 3 .no variant has a time., .*"
        "artefact delbimbo2024 Figure 10 .GPU, constant memory., {}verdict A07 .variants., verdict V10 .variants.: measure them, or give"
    )
    for file, more in ((FILE, "artefact videostream2021 Figure 27 .*, "), (path, "")):
        every = list(made(results, file).values())
        chosen = [one for one in every if one.name in ("Figure 5", "Figure 7", "Figure 3", "Figure 10", "Figure 27")]
        chosen.sort(key=lambda one: one.name == "Figure 27")
        with pytest.raises(ReportError, match=words.format(more)):
            check_complete(Path("folder"), [one for one in chosen if one.report != "chisci2024"], verdicts)
    with pytest.raises(ReportError, match="^study/templates: A1 is wrong; A2 is wrong: rewrite the sentence$"):
        check_complete(Path("folder"), [], [], ["A1 is wrong", "A2 is wrong", "A1 is wrong"])
