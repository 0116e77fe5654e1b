# SPDX-License-Identifier: MIT
"""Every figure of the committed rows, drawn: its title, axes, legend and caption, and the colours of its variants."""

from collections import defaultdict
from functools import lru_cache
from typing import Any, Dict, Iterator, List, Sequence, Set, Tuple
from unittest import mock

import pytest
from fabricate import MAIN, ROOT, also, draw_scene, drawn
from matplotlib.text import Text

from study import command, document
from study.figures import drawing
from study.figures.content import Figure
from study.figures.drawing import SIZES, looks

pytestmark = pytest.mark.long

# Figures that write its name beside each point may have more variants than there are colours.
NAMED_BESIDE = ("road", "roofline", "fastest_by_lab")
COLOURS: Dict[str, Dict[str, str]] = defaultdict(dict)  # of the variants, by figure


@lru_cache(maxsize=None)
def items() -> List[Any]:
    """All tables, figures and sentences of the report."""
    draw_scene()
    folders = [word if word == "--also" else str(ROOT / word) for word in also()]
    options = command.parse(["--results", str(MAIN), "--out", str(ROOT / "report"), *folders])
    made = document.Document(options, command.read_results(options))
    return [item for part in made.parts.values() for section in part for item in section.items]


@lru_cache(maxsize=None)
def figures() -> Dict[str, Any]:
    """Every figure, drawn, by its name."""
    found = {}
    for item in (item for item in items() if isinstance(item, Figure)):

        def recorded(named: Sequence[Tuple[str, str]], name: str = item.name) -> List[Tuple[str, str]]:
            looked = looks(named)
            COLOURS[name].update({variant: look[0] for (_, variant), look in zip(named, looked) if variant})
            return looked

        with mock.patch.object(drawing, "looks", recorded):
            found[item.name] = drawn(item)
    return found


def every_axes() -> Iterator[Tuple[str, Any]]:
    return ((name, axes) for name, figure in figures().items() for axes in figure.axes)


def entries(axes: Any) -> Iterator[Tuple[Any, str]]:
    """What the legend may name: what is drawn, and its label."""
    for one, label in zip(*axes.get_legend_handles_labels()):
        yield (one[0] if isinstance(one, tuple) else one), label


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


def test_no_symbol_stands_for_two_things() -> None:
    for name, axes in every_axes():
        symbols: Dict[str, Set[str]] = defaultdict(set)
        for line, label in entries(axes):
            if hasattr(line, "get_marker") and line.get_marker() not in ("None", "|"):
                symbols[line.get_marker()].add(label)
        assert [found for found in symbols.values() if len(found) > 1] == [], name


def test_labels_do_not_collide() -> None:
    figure, axes = drawing.canvas(2.0)
    for word, x in (("one", 0.5), ("two", 0.51), ("three", 0.8)):
        axes[0, 0].text(x, 0.5, word)
    assert overlapping(figure) == ["one | two"]
    drawing.pyplot.close(figure)
    assert {name: found for name, one in figures().items() for found in [overlapping(one)] if found} == {}


def test_a_size_has_one_shade_everywhere() -> None:
    """Yellow was 4k in two figures of ariano2023 and 480p in two others."""
    shades: Dict[str, Set[str]] = defaultdict(set)
    for _, axes in every_axes():
        for line, label in entries(axes):
            if label in SIZES:
                shades[label].add(line.get_color())
    assert {size: len(found) for size, found in shades.items()} == dict.fromkeys(SIZES, 1)


def test_no_number_of_a_heat_map_stands_in_an_empty_panel() -> None:
    """Each panel has numbers only in its columns, and dark is slow in all, also where high numbers are fast."""
    for name, fastest in (("ariano2023_figure_11", max), ("ariano2023_table_7", min), ("ariano2023_table_10", min)):
        panels = figures()[name].axes[:-1]
        shown = [
            (text, patch) for text, patch in zip(panels[0].texts, panels[0].patches) if text.get_text()[0].isdigit()
        ]
        cells = {float(text.get_text()): sum(patch.get_facecolor()[:3]) for text, patch in shown}
        assert max(cells, key=lambda number: cells[number]) == fastest(cells), name
        for axes in panels:
            columns = {round(text.get_position()[0]) for text in axes.texts if text.get_text()[:1].isdigit()}
            assert columns == set(range(len(axes.get_xticks()))), name


def test_each_defect_has_an_arrow() -> None:
    pictures = [figure for name, figure in figures().items() if name.startswith("defect_")]
    assert len(pictures) > 9
    for figure in pictures:
        assert [len(axes.texts) for axes in figure.axes] == [0, 1]


def test_one_colour_per_variant_everywhere() -> None:
    everywhere: Dict[str, Set[str]] = defaultdict(set)
    for name in figures():
        for variant, colour in COLOURS[name].items():
            everywhere[variant].add(colour)
        if not name.startswith(NAMED_BESIDE):
            assert len(set(COLOURS[name].values())) == len(COLOURS[name]), f"{name}: {COLOURS[name]}"
    assert len(everywhere) > 30
    assert {variant: found for variant, found in everywhere.items() if len(found) > 1} == {}
