# SPDX-License-Identifier: MIT
"""What every figure says: lines that hide each other, axes, published lines, colours; and what lab 10 saves (study/pictures.py)."""

import sys
import unittest
from pathlib import Path
from typing import Any

import pytest
from fabricate import REFERENCE, legend

from study import pictures
from study.figures import drawing
from study.figures.content import NO_BAR, Line
from study.figures.drawing import LOOK, MARKERS, PALETTE, PLACES, look_of, looks
from study.measurements.results import read_folder
from tools.plots.sessions import timing_files


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
        assert [drawing.coincide(a, other) for other in (b, c, line("one", 1))] == [True, False, False]
        assert [one.get_linestyle() for one in self.drawn(a, c, b).axes[0].lines] == ["-", "-", "--"]

    def test_published_lines_share_an_entry(self) -> None:
        theirs = [line(f"{name}, published", 3, 4, beside=name) for name in "ab"]
        drawn = self.drawn(line("a", 1, 2), line("b", 5, 6), *theirs)
        assert legend(drawn) == ["a", "b", "published, same colours"]
        colours = [one.get_color() for one in drawn.axes[0].lines if len(one.get_xdata()) == 2]
        assert colours[:2] == colours[2:]


class Looks(unittest.TestCase):
    def test_every_variant_with_committed_rows_has_a_colour(self) -> None:
        folders = [folder for folder in REFERENCE.iterdir() if folder.is_dir() and timing_files(folder)]
        for rows in map(read_folder, folders):
            shown = rows[rows["lab"] != "library"]  # no figure shows it
            assert set(shown["lab"] + " " + shown["variant"]) <= set(LOOK)

    def test_the_variants_of_a_lab_differ(self) -> None:
        for lab, names in PLACES.items():
            variants = [name for name in names.split() if name != "-"]
            assert len(variants) == len(set(variants)), lab
            assert len(names.split()) <= min(len(PALETTE), len(MARKERS)), lab

    def test_a_variant_of_a_new_lab_takes_a_place_that_is_left(self) -> None:
        mine = [("a", "01_sequential nested"), ("b", "12_mine v"), ("c", "12_mine v"), ("d", "12_mine w")]
        known, new, again, other = looks(mine)
        assert (known, new) == (look_of("01_sequential nested"), again)
        assert len({known, new, other}) == 3
        assert len(set(looks([("480p", ""), ("4k", "")]))) == 2


LAB = """#!{python}
import sys; from pathlib import Path
clip = sys.argv[sys.argv.index('--video') + 1]
rows = 'video,filter,ksize,threshold,stream_share,ffv1_share', clip + ',none,,5,0.25,{ffv1}', clip + ',median,3,20,0.05,{ffv1}'
Path(sys.argv[-1]).write_text('\\n'.join(rows) + '\\n')
"""


@pytest.mark.parametrize("ffv1", ["0.5", ""])
def test_rows_and_figure_and_without_ffmpeg_neither(tmp_path: Path, capsys: Any, ffv1: str) -> None:
    folder, lab = tmp_path / "10_noise_filter", tmp_path / "labs/10_noise_filter/lab"
    folder.mkdir()
    lab.parent.mkdir(parents=True)
    lab.write_text(LAB.format(python=sys.executable, ffv1=ffv1), encoding="utf-8")
    lab.chmod(0o755)
    pictures.savings(tmp_path, tmp_path)
    found = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert bool(found) == bool(ffv1)
    assert ffv1 or "left as they are: install an ffmpeg" in capsys.readouterr().out
    if found:
        lines = found["savings.csv"].splitlines()
        assert len(lines) == 1 + 2 * len(pictures.CLIPS)
        assert lines[:2] == ["video,filter,ksize,threshold,stream_share,ffv1_share", "black:853x480,none,,5,0.25,0.5"]
        for words in ("static: a still scene", "stream, threshold 20", "median 3"):
            assert words in found["savings.svg"]
