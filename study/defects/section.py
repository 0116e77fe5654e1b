# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The defects of the reports (study/data/defects.csv): whether the text or the program has it, and where; what ours does,
what running the defective form gave, and how many samples of the public program's output were wrong
(study/data/originals.csv)."""

import math
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from ..figures import drawing
from ..figures.content import DASH, Figure, Section, Table, percent
from ..measurements.csv_file import ReportError, read_table
from ..measurements.published import Published
from ..measurements.selection import Results
from . import images, method, numbers, video
from .arrays import Array, Form, Given, read_scene

COLUMNS = ("report", "title", "defect", "changes", "about", "where", "ours", "form", "shown_by", "program")
ABOUT = ("text", "program", "text and program")
CHANGES = {  # what a defect changes: the caption of its list
    "bytes": "Defects that make bytes of an output wrong.",
    "timing": "Defects of what is timed, or of what makes it slow; the outputs are right.",
    "reporting": "Defects of what is reported.",
}
WRONG = re.compile(r"wrong: (\d+) of (\d+) samples")
ON_SCENE: Dict[str, Form] = {
    form.__name__: form
    for form in (
        images.inside_test,
        images.origin_not_moved,
        images.two_rounds_8,
        images.blocks_of_padded,
        images.closed_interval,
        images.bounds_exchanged,
        images.block_local,
        images.blocks_rounded_down,
        images.cut_to_a_byte,
        images.cut_at_every_tap,
        images.whole_image_per_stream,
        images.third_channel,
        video.cut_at_words,
        video.runs_of_bytes,
    )
}
ON_NUMBERS: Dict[str, Form] = {
    form.__name__: form
    for form in (
        video.divided_by_510,
        video.signed_byte,
        numbers.pageable_for_pinned,
        numbers.cold_launches,
        numbers.two_baselines,
        numbers.exchanged_mapping,
        numbers.baseline_anew,
        numbers.faster_than_the_bus,
        numbers.layouts_apart,
        method.wide_blocks,
        method.square_images,
        method.one_block,
        method.formula_per_pixel,
        method.root_of_side,
        method.covered_camera,
        method.nine_by_nine,
        method.slow_baseline,
        method.built_without_optimisation,
        method.unoptimised_code,
        method.baselines_apart,
        video.noise_runs,
        method.no_multiple_of_4,
        method.copies_alike,
    )
}
NO_SCENE = "Not run: `make data` draws the scene."


def wrong_samples(lines: Sequence[Mapping[str, str]], report: str, program: str) -> Optional[str]:
    """ "594135 of 594612 samples (100 %), K 3", of the first configuration that was wrong; of `program width`, of that width."""
    name, _, width = program.partition(" ")
    for line in lines:
        found = (
            WRONG.findall(line["note"])
            if (line["report"], line["program"]) == (report, name)
            and width in ("", line["width"])
            and line["output"] != "right"
            else []
        )
        if found:
            wrong, samples = (sum(int(pair[index]) for pair in found) for index in (0, 1))
            return (
                f"{wrong} of {samples} samples ({percent(wrong / samples)}), K {line['ksize']}, block {line['block']}"
            )
    return None


def _draw(title: str, panels: Sequence[Tuple[str, Array]], at: Optional[Tuple[float, float]]) -> Any:
    """The same part of each picture, every pixel a square; an arrow at the fault."""
    height, width = panels[0][1].shape[:2]
    strips = width > 4 * height  # one above the other; else beside each other
    columns = 1 if strips else len(panels)
    each = 0.4 if strips else 0.95 * drawing.WIDTH / columns * height / width
    rows = len(panels) if strips else 1
    figure, axes = drawing.canvas(0.55 + rows * (each + 0.25), columns=columns, rows=rows)
    for axis in axes.flat:
        axis.set_axis_off()
    for axis, (name, picture) in zip(axes.flat, panels):
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
        axes.flat[len(panels) - 1].annotate(
            "",
            (x, y),
            tail,
            xycoords="axes fraction",
            arrowprops={"facecolor": "white", "edgecolor": "black", "width": 4, "headwidth": 11, "headlength": 9},
        )
    return drawing.finish(figure, title, "")


@dataclass(frozen=True)
class Defect:
    """A line of defects.csv, and what its form gave."""

    mark: str
    fields: Mapping[str, str]
    words: str  # what running the defective form gave
    panels: Sequence[Tuple[str, Array]]
    at: Optional[Tuple[float, float]]
    wrong: str  # of the public program's output

    @property
    def form(self) -> str:
        """The function that runs it."""
        return self.fields["form"]

    @property
    def figure(self) -> Figure:
        """Its picture."""
        title = f"Defect {self.mark}, {self.fields['report']}: {self.fields['title']}"
        return Figure(f"defect_{self.form}", f"{title}.", partial(_draw, title, self.panels, self.at), picture=True)


def defects(path: Path, scene: Path, results: Results, published: Published) -> List[Defect]:
    """Each line of the file, run."""
    given = Given(read_scene(scene), results, published)
    every: List[Defect] = []
    for where, fields in read_table(path, COLUMNS):
        if fields["about"] not in ABOUT or not fields["where"] or fields["changes"] not in CHANGES:
            raise ReportError(
                f"{where}: columns about, where and changes hold '{fields['about']}', '{fields['where']}' and "
                f"'{fields['changes']}', expected one of {', '.join(ABOUT)}, the place, and one of {', '.join(CHANGES)}"
            )
        wrong = wrong_samples(published.lines, fields["report"], fields["program"])
        if fields["program"] and wrong is None:
            raise ReportError(f"{where}: originals.csv has no wrong output of {fields['program']}")
        form = {**ON_SCENE, **ON_NUMBERS}.get(fields["form"])
        if form is None:
            raise ReportError(f"{where}: no form '{fields['form']}' (study/defects)")
        found = None if fields["form"] in ON_SCENE and given.scene is None else form(given)
        if found is not None and found.panels and not fields["title"]:
            raise ReportError(f"{where}: a picture and no title")
        every.append(
            Defect(
                str(len(every) + 1),
                fields,
                found.words if found else NO_SCENE,
                found.panels if found else (),
                found.at if found else None,
                wrong or DASH,
            )
        )
    return every


def defects_section(every: Sequence[Defect]) -> Section:
    """A list for each thing that a defect changes, a line for each defect, and the pictures."""
    lines: Dict[str, List[List[str]]] = {changes: [] for changes in CHANGES}
    for one in every:
        lines[one.fields["changes"]].append(
            [
                one.mark,
                one.fields["report"],
                one.fields["defect"],
                f"{one.fields['about']}: {one.fields['where']}",
                one.fields["ours"],
                one.words,
                f"`{one.fields['shown_by']}`" if one.fields["shown_by"] else DASH,
                one.wrong,
            ]
        )
    header = [
        "",
        "report",
        "defect",
        "where",
        "ours",
        "the defective form",
        "test",
        "wrong in the program's output",
    ]
    return Section(
        "What the reports got wrong",
        [
            "The defective form: what running it on the scene gave. Test: runs the form as a kernel and requires that it fails.",
            *(
                Table(f"defects_{changes}", caption, header, lines[changes], left=8)
                for changes, caption in CHANGES.items()
            ),
            *(one.figure for one in every if one.panels),
        ],
    )
