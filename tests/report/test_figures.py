# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What figures show: lines that hide each other, one setting per line, the scene of a sweep, ideas."""
import importlib.util
import tempfile
import unittest
from pathlib import Path
from typing import Dict, List

from fabricate import ROOT, row, write
from report.figures.coincident import coincide, coincident
from report.figures.content import NO_BAR, Line
from report.measurements.rows import Row, read_folder
from report.measurements.selection import Results


def rows_of(rows: List[Dict[str, str]]) -> List[Row]:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "a.csv", rows)
        return read_folder(Path(folder))


def line(label: str, *values: float, **changes: bool) -> Line:
    return Line(label, [(place, value, NO_BAR, False) for place, value in enumerate(values)], **changes)


class Coincident(unittest.TestCase):
    def test_lines_that_hide_each_other_are_named(self) -> None:
        a, b, c = line("a", 1, 2, 4), line("b", 1.02, 2.01, 4.5), line("c", 1.5, 3, 6)
        self.assertTrue(coincide(a, b))
        self.assertFalse(coincide(a, c))
        self.assertFalse(coincide(a, line("one point", 1)))
        self.assertEqual(coincident([a, c]), "")
        self.assertIn("drawn dashed over solid: a and b.", coincident([a, b, c]))
        self.assertEqual(coincident([a, line("copy", 1, 2, 4, dashed=True)]), "")


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Labs(unittest.TestCase):
    def test_one_number_of_threads_per_line(self) -> None:
        from report.parts.labs import _largest_setting
        rows = rows_of([row("08_heat_map", "v1", "480p", 1, block_threads=threads)
                        for threads in ("716", "1024")] + [row("08_heat_map", "grid", "480p", 1)])
        kept, words = _largest_setting(rows, "block_threads", "threads in the one block")
        self.assertEqual([one.block_threads for one in kept], ["1024", ""])
        self.assertEqual(words, "Drawn: 1024 threads in the one block; times with 716 are in the table.")
        self.assertEqual(_largest_setting(kept, "block_threads", "")[1], "")

    def test_a_figure_of_frames_names_its_scene(self) -> None:
        from report.parts.labs import lab_section
        gpu = dict(backend="cuda", device="Toy GPU", filter="", ksize="", border="")
        rows = [row("08_heat_map", "grid", size, 1, image=image, **gpu)
                for size in ("480p", "720p") for image in ("moving", "black")]
        section = lab_section(Results(rows_of(rows)), "08_heat_map", ROOT / "labs")
        titles = [item.draw()._suptitle.get_text() for item in section.items if hasattr(item, "draw")]
        self.assertEqual([title.rpartition(", ")[2] for title in titles], ["moving", "black"])

    def test_the_idea_of_a_lab_without_links_and_pictures(self) -> None:
        from report.parts.labs import idea
        with tempfile.TemporaryDirectory() as folder:
            readme = Path(folder) / "README.md"
            self.assertEqual(idea(readme), ("", []))
            readme.write_text("# Lab 01: one core\n\nFirst [words](x.md).\n\n    make bench\n\n![p](p.png)\n\n"
                              "## The idea\n\n    drawing\n\nMore.\n\n## Measured\n\nNo.\n", encoding="utf-8")
            self.assertEqual(idea(readme), ("Lab 01: one core", ["First words.\n\n    drawing\n\nMore."]))


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class HeatMap(unittest.TestCase):
    def test_the_sweep_of_threads_is_drawn_where_two_rows_are_of_a_covered_camera(self) -> None:
        from report.measurements.published import read_published
        from report.reports.videostream2021_threads import figure_7
        gpu = dict(backend="cuda", device="Toy GPU", filter="", ksize="", border="")
        rows = [row("08_heat_map", "v3", "1080p", 10 - number / 200, image=image, block_threads=str(number), **gpu)
                for image, numbers in (("black", (716, 1024)), ("moving", range(4, 1025, 4)))
                for number in numbers]
        data = ROOT / "data"
        section = figure_7(Results(rows_of(rows)), read_published(data / "published.csv",
                                                                   data / "originals.csv"))
        self.assertEqual(len(section.rows), 256)
        self.assertIn("1024 threads are fastest of the 256", str(section.items[-1]))


    def test_a_program_has_its_rates_where_ours_was_not_timed(self) -> None:
        from report.reports.cazzola2024 import _rates
        one = rows_of([row("03_cuda_global", "naive", "480p", 2, operations="2000000")])[0]
        (moved, done), (same, more) = (
            [float(rate) for rate in _rates(one, 2.0, ksize).split(", ")] for ksize in (5, 10))
        self.assertEqual(moved, same)
        self.assertAlmostEqual(more / done, 4)

    def test_figure_27_is_of_the_mean_that_the_conclusions_test(self) -> None:
        from report.measurements.published import read_published
        from report.reports.videostream2021_code import figure_27
        gpu = dict(backend="cuda", device="Toy GPU", image="moving")
        rows = [row("10_noise_filter", "tile", "1080p", 1, filter="box", ksize=k, block="10", **gpu)
                for k in ("3", "5")] + [
            *(row("10_noise_filter", "tile", "1080p", 1, block=block, **gpu)
              for block in ("10", "14", "16", "18")),
            row("10_noise_filter", "tile", "1080p", 1, filter="box", ksize="9", block="30",
                status="unsupported", reason="too many threads", **gpu)]
        data = ROOT / "data"
        section = figure_27(Results(rows_of(rows)), read_published(data / "published.csv",
                                                                    data / "originals.csv"))
        self.assertEqual([(one.ksize, one.block) for one in section.rows], [("3", "10"), ("5", "10")])
        table = section.items[-1]
        self.assertIn("refused", next(line for line in table.rows if line[0] == "30"))


if __name__ == "__main__":
    unittest.main()
