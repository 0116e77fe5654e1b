# SPDX-License-Identifier: MIT
"""The defects of the reports (study/data/defects.csv): whether the text or the program has it, and where; what running the
defective form gave, or the measured numbers that show it; and how many samples of the public program's output were wrong
(study/data/originals.csv)."""

import math
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from pandas import DataFrame

from tools.plots.files import ReportError, read_table

from ..figures import drawing
from ..figures.content import DASH, Figure, Section, Table, percent
from ..measurements.keyed import Sources, filled
from ..measurements.published import Published
from . import images, video
from .images import Array, Form, Shown, read_scene

COLUMNS = ("report", "title", "defect", "changes", "about", "where", "variant", "form", "shown", "shown_by", "program")
ABOUT = ("text", "program", "text and program")
CHANGES = {  # what a defect changes: the caption of its list
    "bytes": "Defects that make bytes of an output wrong.",
    "timing": "Defects of what is timed, or of what makes it slow; the outputs are right.",
    "reporting": "Defects of what is reported.",
}
WRONG = re.compile(r"wrong: (\d+) of (\d+) samples")
FORMS: Dict[str, Form] = {
    name: form
    for module in (images, video)
    for name, form in vars(module).items()
    if getattr(form, "__annotations__", {}).get("return") is Shown
}
WORDS = (
    "The last column has the result of running the defective form on the scene, or what was measured. "
    "[defects.csv](../study/data/defects.csv) has for each defect its place, what our variants do instead, the test that runs "
    "the form as a kernel and requires that it fails, and the program of [originals.csv](../study/data/originals.csv) whose "
    "output shows it."
)
NO_SCENE = "Not run: `make data` draws the scene."


def wrong_samples(lines: DataFrame, report: str, program: str) -> Optional[str]:
    """ "594135 of 594612 samples (100 %), K 3", of the first configuration that was wrong; of `program width`, of that width."""
    name, _, width = program.partition(" ")
    mine = lines[(lines["report"] == report) & (lines["program"] == name) & (lines["output"] != "right")]
    for line in mine.itertuples():
        found = WRONG.findall(line.note)
        if found and width in ("", str(line.width)):
            wrong, samples = (sum(map(int, counts)) for counts in zip(*found))
            return f"{wrong} of {samples} samples ({percent(wrong / samples)}), K {line.ksize}, block {line.launched}"
    return None


def _draw(title: str, panels: Sequence[Tuple[str, Array]], at: Optional[Tuple[float, float]]) -> Any:
    """The same part of each picture, every pixel a square; an arrow at the fault."""
    height, width = panels[0][1].shape[:2]
    strips = width > 4 * height  # one above the other; else beside each other
    columns = 1 if strips else len(panels)
    each = 0.4 if strips else 0.95 * drawing.WIDTH / columns * height / width
    rows = len(panels) if strips else 1
    figure, axes = drawing.canvas(0.55 + rows * (each + 0.25), columns=columns, rows=rows)
    for axis, (name, picture) in zip(axes.flat, panels):
        axis.set_axis_off()
        larger = max(1, 480 // picture.shape[1])  # a page makes small pictures larger, and smooth
        axis.imshow(
            picture.repeat(larger, 0).repeat(larger, 1), interpolation="none", aspect="auto" if strips else "equal"
        )
        axis.set_anchor("NW")
        axis.set_title(name, loc="left", fontsize=9)
    if at is not None:  # from the side of the middle
        x, y = at[0], 1 - at[1]
        away = (0.5 - x, 0.0 if strips else 0.5 - y)
        far = math.hypot(*away) or 1.0
        tail = (x + 0.22 * away[0] / far, y + 0.22 * away[1] / far)
        look = {"facecolor": "white", "edgecolor": "black", "width": 4, "headwidth": 11, "headlength": 9}
        axes.flat[len(panels) - 1].annotate("", (x, y), tail, xycoords="axes fraction", arrowprops=look)
    return drawing.finish(figure, title, "")


@dataclass(frozen=True)
class Defect:
    """A line of defects.csv, and what its form gave: words, and perhaps a picture."""

    mark: str
    form: str  # the name of the function that runs it, if there is one
    fields: Mapping[str, str]
    words: str
    figure: Optional[Figure]
    wrong: str  # of the public program's output


def _run(where: str, fields: Mapping[str, str], scene: Optional[Array], sources: Sources) -> Shown:
    """What the form of a line gives; of one that is no function, what the line says."""
    name = fields["form"]
    if (name in FORMS) == bool(fields["shown"]):
        raise ReportError(f"{where}: no form '{name}' (study/defects), or one and a text in column shown, too")
    if fields["shown"]:
        return Shown(filled(fields["shown"], sources))
    return Shown(NO_SCENE) if scene is None else FORMS[name](scene)


def defects(path: Path, scene: Path, published: Published, sources: Sources) -> List[Defect]:
    """Each line of the file, run."""
    picture = read_scene(scene)
    every: List[Defect] = []
    for mark, (where, fields) in enumerate(read_table(path, COLUMNS), 1):
        if fields["about"] not in ABOUT or not fields["where"] or fields["changes"] not in CHANGES:
            raise ReportError(
                f"{where}: columns about, where and changes hold '{fields['about']}', '{fields['where']}' and "
                f"'{fields['changes']}', expected one of {', '.join(ABOUT)}, the place, and one of {', '.join(CHANGES)}"
            )
        wrong = wrong_samples(published.lines, fields["report"], fields["program"])
        if fields["program"] and wrong is None:
            raise ReportError(f"{where}: originals.csv has no wrong output of {fields['program']}")
        shown, figure = _run(where, fields, picture, sources), None
        if shown.panels and not fields["title"]:
            raise ReportError(f"{where}: a picture and no title")
        if shown.panels:
            title = f"Defect {mark}, {fields['report']}: {fields['title']}"
            draw = partial(_draw, title, shown.panels, shown.at)
            figure = Figure(f"defect_{fields['form']}", f"{title}.", draw, picture=True)
        every.append(Defect(str(mark), fields["form"], fields, shown.words, figure, wrong or DASH))
    return every


def defects_section(every: Sequence[Defect]) -> Section:
    """A list for each thing that a defect changes, a line for each defect, and the pictures."""
    header = ["", "defect", "in", "the defective form"]
    tables = []
    for changes, caption in CHANGES.items():
        mine = [(one, one.fields) for one in every if one.fields["changes"] == changes]
        lines = [
            [f"{one.mark} {of['report']}", of["defect"], of["about"].replace("text and program", "both"), one.words]
            for one, of in mine
        ]
        tables.append(Table(f"defects_{changes}", caption, header, lines, left=4))
    pictures = [one.figure for one in every if one.figure]
    return Section("What the reports got wrong", [WORDS, *tables, *pictures])
