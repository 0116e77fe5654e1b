# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What every figure says: lines that hide each other, logarithmic axes, published lines; whose colour."""

import unittest
from typing import Any

from fabricate import REFERENCE, ROOT, legend

from study.figures import drawing
from study.figures.content import NO_BAR, Line
from study.figures.looks import LOOK, MARKERS, PALETTE, PLACES, look_of, looks
from study.measurements.rows import read_folder, with_labs


def line(label: str, *values: float, **changes: Any) -> Line:
    return Line(label, [(place, value, NO_BAR, False) for place, value in enumerate(values)], **changes)


class Drawing(unittest.TestCase):
    def drawn(self, *lines: Line) -> Any:
        figure, axes = drawing.canvas(4)
        self.addCleanup(drawing.pyplot.close, figure)
        drawing.draw_lines(axes[0, 0], lines)
        drawing.size_axis(axes[0, 0], [(400, "20x20"), (900, "30x30")])
        axes[0, 0].set_ylabel("time (ms)")
        return drawing.finish(figure, "Title", "", axes[0, 0])

    def test_of_lines_that_hide_each_other_the_later_is_dashed(self) -> None:
        a, b, c = line("a", 1, 2, 4), line("b", 1.02, 2.01, 4.5), line("c", 1.5, 3, 6)
        self.assertEqual([drawing.coincide(a, other) for other in (b, c, line("one", 1))], [True, False, False])
        self.assertEqual([one.get_linestyle() for one in self.drawn(a, c, b).axes[0].lines], ["-", "-", "--"])

    def test_logarithmic_axes_say_so_and_no_module_writes_the_word_itself(self) -> None:
        axes = self.drawn(line("a", 1, 2)).axes[0]
        words = (axes.get_xlabel(), axes.get_ylabel())
        self.assertEqual(words, ("image size, logarithmic", "time (ms), logarithmic"))
        for path in set((ROOT / "study").rglob("*.py")) - set((ROOT / "study/tests").iterdir()):
            if path.name not in ("drawing.py", "heat.py"):
                self.assertNotIn(', logarithmic"', path.read_text(encoding="utf-8"), path.name)

    def test_published_lines_share_an_entry(self) -> None:
        theirs = [line(f"{name}, published", 3, 4, beside=name) for name in "ab"]
        drawn = self.drawn(line("a", 1, 2), line("b", 5, 6), *theirs)
        self.assertEqual(legend(drawn), ["a", "b", "published, same colours"])
        colours = [one.get_color() for one in drawn.axes[0].lines if len(one.get_xdata()) == 2]
        self.assertEqual(colours[:2], colours[2:])


class Looks(unittest.TestCase):
    def test_every_variant_with_committed_rows_has_a_colour(self) -> None:
        folders = with_labs([folder for folder in REFERENCE.iterdir() if folder.is_dir()])
        measured = {f"{row.lab} {row.variant}" for folder in folders for row in read_folder(folder)}
        self.assertEqual(measured - set(LOOK), set())

    def test_the_variants_of_a_lab_differ(self) -> None:
        for lab, names in PLACES.items():
            variants = [name for name in names.split() if name != "-"]
            self.assertEqual(len(variants), len(set(variants)), lab)
            self.assertLessEqual(len(names.split()), min(len(PALETTE), len(MARKERS)), lab)

    def test_a_variant_of_a_new_lab_takes_a_place_that_is_left(self) -> None:
        mine = [("a", "01_sequential nested"), ("b", "12_mine v"), ("c", "12_mine v"), ("d", "12_mine w")]
        known, new, again, other = looks(mine)
        self.assertEqual((known, new), (look_of("01_sequential nested"), again))
        self.assertEqual(len({known, new, other}), 3)
        self.assertEqual(len(set(looks([("480p", ""), ("4k", "")]))), 2)
