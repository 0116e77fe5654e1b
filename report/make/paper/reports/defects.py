# SPDX-License-Identifier: MIT
"""The defects of the reports (report/make/paper/data/defects.csv): whether the text or the program has it, and where; what running the
defective form gave on the scene at 480p, or what shows it; and how many samples of the public program's output were wrong
(report/make/paper/data/originals.csv)."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy
from pandas import DataFrame

from report.make.plots import style
from report.make.plots.files import ReportError, read_table
from report.make.plots.words import DASH, Figure, Table, percent

from ..content import Section
from ..measurements.keyed import Sources, filled
from ..measurements.published import Published

Array = numpy.ndarray
UNWRITTEN = 0  # what cells and samples that nothing writes are drawn as
ONE = 65536  # the sum of the taps


@dataclass
class Shown:
    """What running a form gave: a sentence, pictures of a part (title, array of bytes), and where an arrow points in the
    last one: x from the left and y from the top, 0 to 1; without an arrow, both have the same dashed lines."""

    words: str
    panels: list[tuple[str, Array]] = field(default_factory=list)
    at: tuple[float, float] | None = None


Form = Callable[[Array], Shown]  # of the scene at 480p


def read_scene(path: Path) -> Array | None:
    """The drawn scene as bytes; None if `make data` did not draw it."""
    if not path.exists():
        return None
    return numpy.rint(matplotlib.image.imread(path)[..., :3] * 255).astype(numpy.int32)


def padded(image: Array, margin: int, behind: int = 0, value: int | None = None) -> Array:
    """The image with the nearest pixel, or this value, around it, and `behind` more to the right and below."""
    around = ((margin, margin + behind),) * 2 + ((0, 0),)
    return numpy.pad(image, around, **({"mode": "edge"} if value is None else {"constant_values": value}))


def rounded(sums: Array, divisor: int = ONE) -> Array:
    """Rounded half up to a byte."""
    return numpy.clip((2 * sums + divisor) // (2 * divisor), 0, 255)


def taps_of(ksize: int) -> list[tuple[int, int, int]]:
    """(j, i, tap) of `gaussian` with this side."""
    row = {3: [64, 128, 64], 5: [16, 64, 96, 64, 16]}[ksize]
    return [(j, i, row[j] * row[i]) for j in range(ksize) for i in range(ksize)]


def filtered(around: Array, ksize: int) -> Array:
    """The sums of the Gaussian wherever it is inside of the image."""
    height, width = around.shape[0] - ksize + 1, around.shape[1] - ksize + 1
    return numpy.asarray(sum(tap * around[j : j + height, i : i + width] for j, i, tap in taps_of(ksize)))


def convolved(image: Array, ksize: int) -> Array:
    """The right result: the Gaussian, border replicate."""
    return rounded(filtered(padded(image, ksize // 2), ksize))


def wrong(result: Array, right: Array, what: str = "samples") -> str:
    """ "1234 of 5678 samples are wrong (22 %)"."""
    count = int((result != right).sum())
    return f"{count} of {right.size} {what} are wrong ({percent(count / right.size)})"


def pair(right: Array, form: Array, x: int, y: int, width: int = 96, height: int = 64) -> list[tuple[str, Array]]:
    """The same part of the correct picture and of the defective one, as bytes."""
    named = (("correct", right), ("defective", form))
    return [(title, picture[y : y + height, x : x + width].astype(numpy.uint8)) for title, picture in named]


def origin_not_moved(scene: Array) -> Shown:
    """The tile of a block begins at its first pixel, not p before it."""
    right = convolved(scene, 5)
    height, width, _ = right.shape
    form = rounded(filtered(padded(padded(scene, 2)[2:, 2:], 0, 2, UNWRITTEN), 5))
    same = bool((form[:-2, :-2] == right[2:, 2:]).all())
    moved = "the result is the right one, shifted by (2, 2)" if same else "the result is another one"
    words = f"With 5x5, {wrong(form, right)}; {moved}, and the last 2 rows and columns are dark."
    return Shown(words, pair(right, form, 342, 254, 60, 26))  # the house


def whole_image_per_stream(scene: Array) -> Shown:
    """Stream n copies the n-th third of the padded image; its kernel filters a whole image from there on, into the same output."""
    right, around = convolved(scene, 3), padded(scene, 1)
    height, width, _ = right.shape
    third = around.size // 3
    seen = numpy.full(around.size, UNWRITTEN)
    seen[: around.size - 2 * third] = around.reshape(-1)[2 * third :]
    form = rounded(filtered(seen.reshape(around.shape), 3))
    words = (
        f"With 3x3, one stream after the other and a dark area behind the buffer, {wrong(form, right)}: the last third of "
        "the picture is at the top."
    )
    return Shown(words, pair(right[::6, ::6], form[::6, ::6], 0, 0, width, height * 9 // 20 // 6), (0.5, 0.74))


COLUMNS = ("report", "title", "defect", "changes", "about", "where", "variant", "form", "shown", "shown_by", "program")
ABOUT = ("text", "program", "text and program")
CHANGES = {  # what a defect changes: the caption of its list
    "bytes": "Defects that make bytes of an output wrong.",
    "timing": "Defects of what is timed, or of what makes it slow; the outputs are right.",
    "reporting": "Defects of what is reported.",
}
WRONG = re.compile(r"wrong: (\d+) of (\d+) samples")
FORMS: dict[str, Form] = {form.__name__: form for form in (origin_not_moved, whole_image_per_stream)}
WORDS = (
    "The last column has what the defect does, or what was measured. "
    "[defects.csv](make/paper/data/defects.csv) has for each defect its place, what our variants do instead, the test that runs "
    "the form as a kernel and requires that it fails, and the program of [originals.csv](make/paper/data/originals.csv) whose "
    "output shows it."
)
NO_SCENE = "Not run: `make data` draws the scene."


def wrong_samples(lines: DataFrame, report: str, program: str) -> str | None:
    """ "594135 of 594612 samples (100 %), K 3", of the first configuration that was wrong; of `program width`, of that width."""
    name, _, width = program.partition(" ")
    rows = lines[(lines["report"] == report) & (lines["program"] == name) & (lines["output"] != "right")]
    for line in rows.itertuples():
        found = WRONG.findall(line.note)
        if found and width in ("", str(line.width)):
            wrong, samples = (sum(map(int, counts)) for counts in zip(*found))
            return f"{wrong} of {samples} samples ({percent(wrong / samples)}), K {line.ksize}, block {line.launched}"
    return None


def _draw(panels: Sequence[tuple[str, Array]], at: tuple[float, float] | None) -> Any:
    """The same part of each picture, every pixel a square; an arrow from the side of the middle to the fault, or lines."""
    height, width = panels[0][1].shape[:2]
    figure, axes = style.canvas(0.3 + 0.95 * style.WIDTH / len(panels) * height / width, columns=len(panels))
    for axis, (name, picture) in zip(axes.flat, panels):
        axis.set_axis_off()
        larger = max(1, 480 // picture.shape[1])  # a page makes small pictures larger, and smooth
        axis.imshow(picture.repeat(larger, 0).repeat(larger, 1), interpolation="none")
        axis.set_title(name, loc="left", fontsize=style.SMALL)
        if not at:
            for line, size in ((axis.axvline, width), (axis.axhline, height)):
                line(larger * size / 2, color="white", linestyle="--", linewidth=1)
    if not at:
        return style.finish(figure)
    x, y = at[0], 1 - at[1]
    away = (0.5 - x, 0.5 - y)
    far = math.hypot(*away) or 1.0
    tail = (x + 0.22 * away[0] / far, y + 0.22 * away[1] / far)
    look = {"facecolor": "white", "edgecolor": "black", "width": 4, "headwidth": 11, "headlength": 9}
    axes.flat[-1].annotate("", (x, y), tail, xycoords="axes fraction", arrowprops=look)
    return style.finish(figure)


@dataclass(frozen=True)
class Defect:
    """A line of defects.csv, and what its form gave: words, and perhaps a picture."""

    mark: str
    form: str  # the name of the function that runs it, if there is one
    fields: Mapping[str, str]
    words: str
    figure: Figure | None
    wrong: str  # of the public program's output


def defects(path: Path, scene: Path, published: Published, sources: Sources) -> list[Defect]:
    """Each line of the file, run."""
    picture = read_scene(scene)
    every: list[Defect] = []
    for mark, (where, fields) in enumerate(read_table(path, COLUMNS), 1):
        if fields["about"] not in ABOUT or not fields["where"] or fields["changes"] not in CHANGES:
            words = f"one of {', '.join(ABOUT)}, the place, and one of {', '.join(CHANGES)}"
            raise ReportError(f"{where}: columns about, where and changes are wrong, expected {words}")
        wrong = wrong_samples(published.lines, fields["report"], fields["program"])
        if fields["program"] and wrong is None:
            raise ReportError(f"{where}: originals.csv has no wrong output of {fields['program']}")
        form, figure = FORMS.get(fields["form"]), None
        if bool(form) == bool(fields["shown"]):
            raise ReportError(
                f"{where}: no form '{fields['form']}' (report/make/paper/reports/defects.py), or one and a text in column shown, too"
            )
        shown = Shown(filled(fields["shown"], sources) if not form else NO_SCENE)
        if form and picture is not None:
            shown = form(picture)
        if shown.panels:
            caption = f"Defect {mark}, {fields['report']}: {fields['title']}."
            figure = Figure(f"defect_{fields['form']}", caption, partial(_draw, shown.panels, shown.at), picture=True)
        every.append(Defect(str(mark), fields["form"], fields, shown.words, figure, wrong or DASH))
    return every


def defects_section(every: Sequence[Defect]) -> Section:
    """A list for each thing that a defect changes, a line for each defect, and the pictures."""
    header = ["", "defect", "in", "the defective form"]
    tables = []
    for changes, caption in CHANGES.items():
        listed = [(defect, defect.fields) for defect in every if defect.fields["changes"] == changes]
        lines = [
            [
                f"{defect.mark} {fields['report']}",
                fields["defect"],
                fields["about"].replace("text and program", "both"),
                defect.words,
            ]
            for defect, fields in listed
        ]
        tables.append(Table(f"defects_{changes}", caption, header, lines, left=4))
    pictures = [defect.figure for defect in every if defect.figure]
    return Section("What the reports got wrong", [WORDS, *tables, *pictures])
