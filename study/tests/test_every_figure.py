# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Every figure of the committed rows, drawn: its title, axes, legend and caption, and the colours of its variants."""

import tempfile
import unittest
import unittest.mock
from collections import defaultdict
from typing import Any, Dict, Iterator, List, Sequence, Set, Tuple

from fabricate import MAIN, ROOT, also, draw_scene, drawn, legend
from matplotlib.text import Text

from study import command, document
from study.figures import drawing
from study.figures.content import Figure, Table
from study.figures.looks import SIZES, looks

# Figures that write its name beside each point may have more variants than there are colours.
NAMED_BESIDE = ("road", "roofline", "fastest_by_lab")
CHISCI = "03_cuda_global gray|04_cuda_constant gray|05_cuda_shared two_batch_gray|05_cuda_shared two_batch_global"
DELBIMBO = "03_cuda_global aos|04_cuda_constant aos|05_cuda_shared two_batch"
PAYS = (
    "01_sequential simd|02_pthread simd_rows|06_async_streams pageable|06_async_streams pinned|06_async_streams frames"
)
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


class EveryFigure(unittest.TestCase):
    figures: Dict[str, Any]
    colours: Dict[str, Dict[str, str]]  # of the variants, by figure
    captions: Dict[str, str]
    tables: List[Table]

    @classmethod
    def setUpClass(cls) -> None:
        draw_scene()
        with tempfile.TemporaryDirectory() as out:
            folders = [word if word == "--also" else str(ROOT / word) for word in also()]
            options = command.parse(["--results", str(MAIN), "--out", out, *folders])
            made = document.Document(options, command.read_results(options))
        items = [item for part in made.parts.values() for section in part for item in section.items]
        cls.tables = [item for item in items if isinstance(item, Table)]
        figures = [item for item in items if isinstance(item, Figure)]
        cls.captions = {item.name: item.caption for item in figures}
        cls.figures, cls.colours = {}, defaultdict(dict)
        for item in figures:

            def recorded(named: Named, name: str = item.name) -> List[Tuple[str, str]]:
                found = looks(named)
                cls.colours[name].update({variant: look[0] for (_, variant), look in zip(named, found) if variant})
                return found

            with unittest.mock.patch.object(drawing, "looks", recorded):
                cls.figures[item.name] = drawn(item)

    def entries(self, axes: Any) -> Iterator[Tuple[Any, str]]:
        """What the legend may name: what is drawn, and its label."""
        for one, label in zip(*axes.get_legend_handles_labels()):
            yield (one[0] if isinstance(one, tuple) else one), label

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
                symbols: Dict[str, Set[str]] = defaultdict(set)
                for line, label in self.entries(axes):
                    if hasattr(line, "get_marker") and line.get_marker() not in ("None", "|"):
                        symbols[line.get_marker()].add(label)
                self.assertEqual([found for found in symbols.values() if len(found) > 1], [], name)

    def test_labels_do_not_collide(self) -> None:
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
        shades: Dict[str, Set[str]] = defaultdict(set)
        for axes in (axes for figure in self.figures.values() for axes in figure.axes):
            for line, label in self.entries(axes):
                if label in SIZES:
                    shades[label].add(line.get_color())
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
            title = figure._suptitle.get_text() if figure._suptitle else ""  # a timeline's is a text
            self.assertEqual("gray" in self.words(figure).lower(), "gray" in title.lower(), name)

    def test_logarithmic_axes_say_so_in_plain_numbers(self) -> None:
        for name, figure in self.figures.items():
            every = [axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]
            for axis in (axis for axis in every if axis.get_scale() == "log"):
                self.assertRegex(axis.get_label_text() or "logarithmic", "logarithmic", name)
                for label in axis.get_ticklabels():
                    self.assertNotRegex(label.get_text(), r"[$^{]", name)

    def test_speed_ups_say_why_they_have_no_bars(self) -> None:
        for name, figure in self.figures.items():
            if any("speed-up" in axes.get_ylabel() for axes in figure.axes):
                self.assertIn("Without bars: ratios of two medians", self.words(figure), name)

    def own_legend(self, axes: Any) -> List[str]:
        return [text.get_text() for text in axes.get_legend().get_texts()] if axes.get_legend() else []

    def test_legends_name_the_percentiles(self) -> None:
        for name, figure in self.figures.items():
            named = [*legend(figure), *(word for axes in figure.axes for word in self.own_legend(axes))]
            if named and "bars: 5th to 95th percentile" in self.words(figure):
                self.assertIn("bars: 5th to\n95th percentile", named, name)

    def test_one_colour_per_variant_everywhere(self) -> None:
        everywhere: Dict[str, Set[str]] = defaultdict(set)
        for name, colours in self.colours.items():
            for variant, colour in colours.items():
                everywhere[variant].add(colour)
            if not name.startswith(NAMED_BESIDE):
                self.assertEqual(len(set(colours.values())), len(colours), f"{name}: {colours}")
        self.assertGreater(len(everywhere), 30)
        self.assertEqual({variant: found for variant, found in everywhere.items() if len(found) > 1}, {})

    def test_figures_that_once_had_colours_of_their_own(self) -> None:
        """chisci2024's kernels, delbimbo2024's, and those of "When does the GPU pay?"."""
        for name, variants in (
            ("chisci2024_figure_10", CHISCI),
            ("delbimbo2024_by_size", DELBIMBO),
            ("delbimbo2024_by_side", DELBIMBO),
            ("pays", PAYS),
        ):
            self.assertLessEqual(set(variants.split("|")), set(self.colours[name]), name)
