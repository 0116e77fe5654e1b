# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Artefacts with three series: published, the report's own program, ours; or why one is not there."""

import importlib.util
import re
import unittest
from typing import Any, List

from fabricate import ROOT

from study.figures.content import Figure, Table
from study.measurements.published import read_published
from study.measurements.rows import read_folder
from study.measurements.selection import Results

DATA = ROOT / "study" / "data"
PUBLISHED = read_published(DATA / "published.csv", DATA / "originals.csv")


def closed(figure: Figure) -> Any:
    """The figure, drawn, and no longer kept by pyplot."""
    from matplotlib import pyplot

    drawn = figure.draw()
    pyplot.close(drawn)
    return drawn


ORIGINAL = "original program, same colours"


def lines_of(figure: Figure) -> List[str]:
    """The labels in a figure's legend."""
    drawn = closed(figure)
    return [text.get_text() for legend in drawn.legends for text in legend.get_texts()]


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class ThreeSeries(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        from study.reports import artefacts

        cls.results = Results(read_folder(ROOT / "results" / "reference" / "h200_16_cpus"))
        made = artefacts.make_all(DATA / "artefacts.csv", cls.results, PUBLISHED)
        cls.artefacts = {(one.report, one.name): one.section for one in made}

    def items(self, report: str, name: str, kind: type) -> List[Any]:
        return [item for item in self.artefacts[report, name].items if isinstance(item, kind)]

    def test_without_times_of_the_program_the_text_says_why(self) -> None:
        for (report, name), section in self.artefacts.items():
            words = [
                item
                for item in section.items
                if isinstance(item, str) and item.startswith("The report's own program: ")
            ]
            self.assertTrue(section.originals or words or section.missing, (report, name))

    def test_cazzola2024_draws_its_program(self) -> None:
        for name, lines in (("Figure 5", 4), ("Figure 6 a to h", 4)):  # K 3 to 9; Alg. 2 to 5
            for figure in self.items("cazzola2024", name, Figure):
                self.assertIn(ORIGINAL, lines_of(figure))
                drawn = [
                    line for line in closed(figure).axes[0].lines if line.get_marker() == "x" and len(line.get_xdata())
                ]
                self.assertEqual(len(drawn), lines)
        for figure in self.items("cazzola2024", "Figure 6 a to h", Figure):
            for axes in closed(figure).axes:  # without the line of one CPU thread, which pressed the others together
                bottom, top = axes.get_ylim()
                self.assertLess(top / bottom, 20)
        # Square matrices in tiles of 16 alone are drawn: three sizes and four filters.
        self.assertEqual(self.artefacts["cazzola2024", "Figure 5"].originals, 12)

    def test_ariano2023_figures_11_and_13_have_its_program(self) -> None:
        [table] = self.items("ariano2023", "Figure 11", Table)
        cells = {tuple(line[:3]): line[3:] for line in table.rows}
        self.assertEqual(set(cells["8", "ours", "flat"][:5]), {"refused"})
        self.assertTrue(cells["16", "original", "flat"][-1].endswith("x"))
        [figure] = self.items("ariano2023", "Figure 13", Figure)
        self.assertIn(ORIGINAL, lines_of(figure))
        [table] = self.items("ariano2023", "Figure 13", Table)
        fastest = min(
            one.ms for one in PUBLISHED.originals if (one.report, one.ksize, one.size_name) == ("ariano2023", 5, "8k")
        )
        self.assertIn(f"{fastest:.3f} (", table.rows[-1][-1])

    def test_every_form_of_a_map_is_shown_and_the_fastest_compared(self) -> None:
        [table] = self.items("videostream2021", "Figure 17", Table)
        forms = {line[3]: line[4] for line in table.rows}
        for form, program in (("16", "int4"), ("32", "long4")):
            ms = PUBLISHED.video(f"noise_map_v3_{program}_overlap", 1024)
            self.assertEqual(forms[f"original, {form} bytes per read"], f"{ms:.3f}" if ms < 1 else f"{ms:.2f}")
        self.assertIn("(32 bytes per read)", self.artefacts["videostream2021", "Figure 17"].items[-1])

    def test_videostream2021_figure_7_shows_what_coverage_counts(self) -> None:
        section = self.artefacts["videostream2021", "Figure 7"]
        self.assertIn("from about 280 threads on, a heat map takes 27 to 50 ms; 716 threads", section.items[2])
        loops = [line[1:3] for line in section.items[1].rows]
        self.assertEqual([published for published, _ in loops], ["27.0", "30.0"])
        kernels = [float(line[3]) for line in section.items[1].rows]
        self.assertTrue(
            all(float(ours) > kernel + 1 for (_, ours), kernel in zip(loops, kernels)), "the loop has the copies"
        )
        shown = [cell for line in section.items[1].rows for cell in line[4:]]
        self.assertEqual((section.published, section.originals, len(shown)), (6, 4, 4))
        [figure] = self.items("videostream2021", "Figure 7", Figure)
        self.assertEqual(closed(figure).axes[0].get_ylabel(), "loop (ms), logarithmic")

    def test_videostream2021_plots_without_a_number_are_tables(self) -> None:
        for name, values in (
            ("Figure 4", ["980", "57.0"]),
            ("1.3.1 left", ["57.0", "50.0", "30.0", "27.0"]),
            ("1.3.1 right", ["50.0", "46.0", "25.5", "24.4"]),
            ("2.0.2", ["250", "26.0"]),
        ):
            [table] = self.items("videostream2021", name, Table)
            self.assertEqual([line[2] for line in table.rows], values, name)
            self.assertNotIn("–", [line[3] for line in table.rows], name)
            self.assertEqual("With 716 threads: its kernel, copies of 1024" in table.caption, name == "1.3.1 left")
        [table] = self.items("videostream2021", "Figure 7b", Table)
        self.assertEqual([line[1] for line in table.rows], ["published", "published", "ours"])

    def test_axes_and_sizes_are_those_of_the_reports(self) -> None:
        for figure in self.items("cazzola2024", "Figure 5", Figure):
            self.assertIn("2²⁰", [label.get_text() for label in closed(figure).axes[0].get_xticklabels()])
        for number in range(7, 11):
            [table] = self.items("ariano2023", f"Table {number}", Table)
            self.assertEqual(table.rows[0][table.header.index("1440p")], "2560x1920")
        [table] = self.items("ariano2023", "Figure 11", Table)
        [published] = [line for line in table.rows if line[1] == "published"]
        self.assertEqual((published[0], published[table.header.index("4k")]), ("16", "406x"))
        [table] = self.items("ariano2023", "Table 1", Table)
        self.assertEqual(["global", "100x", "–"] in table.rows, True)

    def test_the_axis_of_two_layouts_has_the_unit_of_the_report(self) -> None:
        for figure in self.items("delbimbo2024", "Figure 10", Figure):
            times, ratio = closed(figure).axes
            self.assertIn("time (ms)", times.get_ylabel())
            self.assertLess(ratio.get_ylim()[1] - ratio.get_ylim()[0], 0.3)

    def test_a_caption_is_of_the_rows_of_its_own_table(self) -> None:
        for table in self.items("delbimbo2024", "Figure 10", Table):
            marked = sum(cell.endswith("†") or "† (" in cell for line in table.rows for cell in line)
            told = re.search(r"noisy \((\d+) of (\d+) rows\)", table.caption)
            self.assertEqual(int(told[1]) if told else 0, marked, table.caption)
            self.assertIn(told and int(told[2]), (None, 2 * len(table.rows)), table.caption)
        for table in self.items("cazzola2024", "Figure 6 a to h", Table):
            self.assertEqual(table.caption.count("Ours: "), 1)


if __name__ == "__main__":
    unittest.main()
