# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Every figure of the committed rows, drawn: its title, axes, legend and caption, and the colours of its variants."""

import importlib.util
import tempfile
import unittest
import unittest.mock
from typing import Any, Dict, List, Sequence, Set, Tuple

from fabricate import ROOT, draw_scene

REFERENCE = ROOT / "results" / "reference"
MAIN = REFERENCE / "h200_16_cpus"
HAVE_MATPLOTLIB = all(map(importlib.util.find_spec, ("matplotlib", "jinja2", "markdown")))
# Figures that write its name beside each point may have more variants than there are colours.
NAMED_BESIDE = ("road", "roofline", "fastest_by_lab")
Named = Sequence[Tuple[str, str]]


def words_of(figure: Any) -> List[Any]:
    """The texts that a figure shows: of an axis those of the ticks inside."""
    found = [*figure.texts, *(text for legend in figure.legends for text in legend.get_texts())]
    for axes in figure.axes:
        found += [axes.title, axes._left_title, *axes.texts]
        found += axes.get_legend().get_texts() if axes.get_legend() else []
        for axis in (axes.xaxis, axes.yaxis) if axes.axison else ():
            found += [axis.label, *(tick.label1 for tick in axis._update_ticks() if tick.label1.get_visible())]
    return [text for text in found if text.get_text().strip()]


def overlapping(figure: Any) -> List[str]:
    """The pairs of words of a figure that touch each other; slanted ones beside each other are apart, their boxes are not."""
    from matplotlib.text import Text

    figure.canvas.draw()
    boxes = [(text, Text.get_window_extent(text)) for text in words_of(figure)]  # without the arrow of a note
    return [
        f"{one.get_text()} | {other.get_text()}"
        for place, (one, first) in enumerate(boxes)
        for other, second in boxes[place + 1 :]
        if one.get_rotation() % 90 == 0 or one.get_rotation() != other.get_rotation()
        if min(first.x1, second.x1) - max(first.x0, second.x0) > 1
        and min(first.y1, second.y1) - max(first.y0, second.y0) > 1
    ]


@unittest.skipUnless(HAVE_MATPLOTLIB, "matplotlib, jinja2 or markdown is not installed")
class EveryFigure(unittest.TestCase):
    figures: Dict[str, Any]
    colours: Dict[str, Dict[str, str]]  # of the variants, by figure
    captions: Dict[str, str]
    tables: List[Any]

    @classmethod
    def setUpClass(cls) -> None:
        from matplotlib import pyplot

        from study import command, document
        from study.figures import drawing
        from study.figures.content import Figure, Table
        from study.figures.looks import looks

        also = [
            word
            for folder in sorted(REFERENCE.iterdir())
            if folder.is_dir() and folder != MAIN
            for word in ("--also", str(folder))
        ]
        draw_scene()
        with tempfile.TemporaryDirectory() as out:
            options = command.parse(["--results", str(MAIN), "--out", out, *also])
            made = document.Document(options, command.read_results(options))
        cls.figures, cls.colours = {}, {}
        items = [item for part in made.parts.values() for section in part for item in section.items]
        cls.tables = [item for item in items if isinstance(item, Table)]
        cls.captions = {item.name: item.caption for item in items if isinstance(item, Figure)}
        for item in items:
            if not isinstance(item, Figure):
                continue
            found: Dict[str, str] = {}

            def recorded(named: Named, found: Dict[str, str] = found) -> List[Tuple[str, str]]:
                result = looks(named)
                found.update((variant, colour) for (_, variant), (colour, _) in zip(named, result) if variant)
                return result

            with unittest.mock.patch.object(drawing, "looks", recorded):
                cls.figures[item.name] = item.draw()
            pyplot.close(cls.figures[item.name])
            cls.colours[item.name] = found

    def words(self, figure: Any) -> str:
        """Its caption."""
        return " ".join("\n".join(text.get_text() for text in figure.texts).split())

    def test_a_caption_explains_a_dagger_where_its_table_has_one(self) -> None:
        explained = [table for table in self.tables if "†: noisy" in table.caption]
        self.assertGreater(len(explained), 10)
        for table in explained:
            self.assertTrue(any("†" in cell for line in table.rows for cell in line), table.caption)

    def test_captions_are_short(self) -> None:
        for name, caption in self.captions.items():
            self.assertLessEqual(len(caption.split()), 30, f"{name}: {caption}")

    def test_no_symbol_stands_for_two_things(self) -> None:
        for name, figure in self.figures.items():
            for axes in figure.axes:
                symbols: Dict[str, Set[str]] = {}
                for drawn, label in zip(*axes.get_legend_handles_labels()):
                    line = drawn[0] if isinstance(drawn, tuple) else drawn
                    if hasattr(line, "get_marker") and line.get_marker() not in ("None", "|"):
                        symbols.setdefault(line.get_marker(), set()).add(label)
                self.assertEqual([found for found in symbols.values() if len(found) > 1], [], name)

    def test_labels_do_not_collide(self) -> None:
        from study.figures import drawing

        figure, axes = drawing.canvas(2.0)
        for word, x in (("one", 0.5), ("two", 0.51), ("three", 0.8)):
            axes[0, 0].text(x, 0.5, word)
        self.assertEqual(overlapping(figure), ["one | two"])
        drawing.pyplot.close(figure)
        for name, figure in self.figures.items():
            found = overlapping(figure)
            self.assertEqual(found, [], name)

    def test_a_hollow_point_is_larger_than_the_others(self) -> None:
        lines = [line for figure in self.figures.values() for axes in figure.axes for line in axes.lines]
        hollow = [line for line in lines if line.get_markerfacecolor() == "white" and line.get_marker() != "None"]
        self.assertGreater(len(hollow), 20)
        for line in hollow:
            self.assertGreaterEqual((line.get_markersize(), line.get_markeredgewidth()), (8, 1.5))

    def test_a_size_has_one_shade_everywhere(self) -> None:
        """Yellow was 4k in two figures of ariano2023 and 480p in two others."""
        from study.figures.looks import SIZES

        shades: Dict[str, Set[str]] = {}
        for figure in self.figures.values():
            for axes in figure.axes:
                for drawn, label in zip(*axes.get_legend_handles_labels()):
                    if label in SIZES:
                        shades.setdefault(label, set()).add(drawn[0].get_color())
        self.assertEqual(set(shades), set(SIZES))
        self.assertEqual({size: found for size, found in shades.items() if len(found) > 1}, {})

    def test_no_number_of_a_heat_map_stands_in_an_empty_panel(self) -> None:
        """Each panel has numbers only of its own columns, and dark is slow in all, also where high numbers are fast."""
        speeds, times = (self.figures[f"ariano2023_{name}"].axes[0] for name in ("figure_11", "table_7"))
        for axes, fastest in ((speeds, max), (times, min)):
            cells = {
                float(text.get_text()): sum(patch.get_facecolor()[:3])
                for text, patch in zip(axes.texts, axes.patches)
                if text.get_text()[:1].isdigit()
            }
            self.assertEqual(max(cells, key=lambda number: cells[number]), fastest(cells))
        for name in ("ariano2023_figure_11", "ariano2023_table_7", "ariano2023_table_10"):
            for axes in self.figures[name].axes[:-1]:
                columns = {round(text.get_position()[0]) for text in axes.texts if text.get_text()[:1].isdigit()}
                self.assertEqual(columns, set(range(len(axes.get_xticks()))), name)

    def test_the_loop_by_threads_is_256_dots_and_a_part_of_them(self) -> None:
        whole, part = (axes.lines[0] for axes in self.figures["videostream2021_figure_7"].axes)
        self.assertEqual([line.get_linestyle() for line in (whole, part)], ["None", "None"])
        self.assertEqual(len(whole.get_xdata()), 256)
        self.assertEqual(list(part.get_ydata()), list(whole.get_ydata())[-len(part.get_ydata()) :])
        self.assertLess(max(part.get_ydata()) / min(part.get_ydata()), 2)

    def test_the_four_kernels_have_one_scale_and_no_empty_place(self) -> None:
        panels = self.figures["ariano2023_figure_10"].axes
        self.assertEqual(len({axes.get_ylim() for axes in panels}), 1)
        for axes in panels:
            bars = [len(drawn.patches) for drawn in axes.containers]
            self.assertEqual(bars, 3 * [len(axes.get_xticks())])

    def test_names_of_a_roofline_stand_at_the_axis(self) -> None:
        """They stood away from their points, and the text of the roof across it."""
        for name in (name for name in self.figures if name.startswith("roofline")):
            left, right = self.figures[name].axes
            self.assertEqual(len(left.texts) + len(right.texts), 0, name)
            points = [line for line in left.lines if line.get_linestyle() not in ("--", ":")]  # the roofs
            self.assertEqual(len(right.get_yticks()), len(points), name)

    def test_libraries_are_named_at_the_axis(self) -> None:
        for name in (name for name in self.figures if name.startswith("peers")):
            figure = self.figures[name]
            self.assertLessEqual(len(figure.legends[0].get_texts()), 6, name)
            self.assertGreater(len(figure.axes[0].get_yticks()), 6, name)

    def test_each_defect_has_an_arrow(self) -> None:
        pictures = [figure for name, figure in self.figures.items() if name.startswith("defect_")]
        self.assertGreater(len(pictures), 9)
        for figure in pictures:
            self.assertEqual([len(axes.texts) for axes in figure.axes], [0, 1])

    def test_titles_say_gray(self) -> None:
        """A title without a word on colours is of RGB pictures."""
        self.assertGreater(len(self.figures), 60)
        for name, figure in self.figures.items():
            self.assertEqual("gray" in self.words(figure).lower(), "gray" in figure._suptitle.get_text().lower(), name)

    def test_logarithmic_axes_say_so_in_plain_numbers(self) -> None:
        for name, figure in self.figures.items():
            for axis in (
                axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) if axis.get_scale() == "log"
            ):
                self.assertRegex(axis.get_label_text() or "logarithmic", "logarithmic", name)
                for label in axis.get_ticklabels():
                    self.assertNotRegex(label.get_text(), r"[$^{]", name)

    def test_speed_ups_say_why_they_have_no_bars(self) -> None:
        for name, figure in self.figures.items():
            if any("speed-up" in axes.get_ylabel() for axes in figure.axes):
                self.assertIn("Without bars: ratios of two medians", self.words(figure), name)

    def test_legends_name_the_percentiles(self) -> None:
        for name, figure in self.figures.items():
            legends = [*figure.legends, *filter(None, (axes.get_legend() for axes in figure.axes))]
            named = [text.get_text() for legend in legends for text in legend.get_texts()]
            if legends and "bars: 5th to 95th percentile" in self.words(figure):
                self.assertIn("bars: 5th to\n95th percentile", named, name)

    def test_one_colour_per_variant_everywhere(self) -> None:
        everywhere: Dict[str, Set[str]] = {}
        for name, colours in self.colours.items():
            for variant, colour in colours.items():
                everywhere.setdefault(variant, set()).add(colour)
            if not name.startswith(NAMED_BESIDE):
                self.assertEqual(len(set(colours.values())), len(colours), f"{name}: {colours}")
        self.assertGreater(len(everywhere), 30)
        self.assertEqual({variant: found for variant, found in everywhere.items() if len(found) > 1}, {})

    def test_figures_that_once_had_colours_of_their_own(self) -> None:
        """chisci2024's kernels, delbimbo2024's, and those of "When does the GPU pay?"."""
        for name, variants in (
            (
                "chisci2024_figure_10",
                {
                    "03_cuda_global gray",
                    "04_cuda_constant gray",
                    "05_cuda_shared two_batch_gray",
                    "05_cuda_shared two_batch_global",
                },
            ),
            ("delbimbo2024_by_size", {"03_cuda_global aos", "04_cuda_constant aos", "05_cuda_shared two_batch"}),
            ("delbimbo2024_by_side", {"03_cuda_global aos", "04_cuda_constant aos", "05_cuda_shared two_batch"}),
            (
                "pays",
                {
                    "01_sequential simd",
                    "02_pthread simd_rows",
                    "06_async_streams pageable",
                    "06_async_streams pinned",
                    "06_async_streams frames",
                },
            ),
        ):
            self.assertLessEqual(variants, set(self.colours[name]), name)


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Looks(unittest.TestCase):
    def test_every_variant_with_committed_rows_has_a_colour(self) -> None:
        from study.document import with_labs
        from study.figures.looks import LOOK
        from study.measurements.rows import read_folder

        folders = with_labs([folder for folder in REFERENCE.iterdir() if folder.is_dir()])
        measured = {f"{row.lab} {row.variant}" for folder in folders for row in read_folder(folder)}
        self.assertEqual(measured - set(LOOK), set())

    def test_the_variants_of_a_lab_differ(self) -> None:
        from study.figures.looks import MARKERS, PALETTE, PLACES

        for lab, names in PLACES.items():
            variants = [name for name in names.split() if name != "-"]
            self.assertEqual(len(variants), len(set(variants)), lab)
            self.assertLessEqual(len(names.split()), min(len(PALETTE), len(MARKERS)), lab)

    def test_a_variant_of_a_new_lab_takes_a_place_that_is_left(self) -> None:
        from study.figures.looks import look_of, looks

        known, new, again, other = looks(
            [("a", "01_sequential nested"), ("b", "12_mine v"), ("c", "12_mine v"), ("d", "12_mine w")]
        )
        self.assertEqual(known, look_of("01_sequential nested"))
        self.assertEqual(new, again)
        self.assertEqual(len({known, new, other}), 3)
        self.assertEqual(len(set(looks([("480p", ""), ("4k", "")]))), 2)


if __name__ == "__main__":
    unittest.main()
