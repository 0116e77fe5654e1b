# SPDX-License-Identifier: MIT
"""What the artefacts show of the committed rows, and of a few made-up ones."""

import re
from functools import lru_cache
from typing import Any, Dict, List

import pytest
from fabricate import GPU, MAIN, Fields, drawn, legend, measured, row
from test_artefacts import made
from test_parts import copied

from study.figures.content import Figure, Section, Table
from study.measurements.results import Results, read_folder

pytestmark = pytest.mark.long

ORIGINAL = "original program, same colours"


@lru_cache(maxsize=None)
def committed() -> Dict[str, Section]:
    """What the artefacts show of the committed rows, the published numbers and the report's own programs."""
    return {name: one.section for name, one in made(Results(read_folder(MAIN))).items()}


def items(name: str, kind: type) -> List[Any]:
    return [item for item in committed()[name].items if isinstance(item, kind)]


def cells(name: str) -> Dict[str, List[str]]:
    """The lines of a table by their first cell."""
    [table] = items(name, Table)
    return {line[0]: [*line[1:]] for line in table.rows}


def test_cazzola2024_draws_its_program() -> None:
    for figure in map(drawn, [*items("cazzola2024 Figure 5", Figure), *items("cazzola2024 Figure 6 a to h", Figure)]):
        assert ORIGINAL in legend(figure)
        crosses = [one for one in figure.axes[0].lines if one.get_marker() == "x" and len(one.get_xdata())]
        assert len(crosses) == 4  # K 3 to 9; Alg. 2 to 5
        for axes in figure.axes:  # without the line of one CPU thread, which pressed the others together
            bottom, top = axes.get_ylim()
            assert top / bottom < 20
    # Square matrices in tiles of 16 alone are drawn: three sizes and four filters.
    assert committed()["cazzola2024 Figure 5"].originals == 12
    [figure] = items("cazzola2024 Figure 5", Figure)
    assert "2²⁰" in [label.get_text() for label in drawn(figure).axes[0].get_xticklabels()]


def test_ariano2023_has_its_program_and_what_is_not_supported() -> None:
    assert re.search(r"^\d+x \(\d+\) \d+x \(16\) 406x \(16\)$", " ".join(cells("ariano2023 Figure 11")["4k"]))
    [figure] = items("ariano2023 Table 2", Figure)  # more threads than blocks
    assert "n/a" in [text.get_text() for text in drawn(figure).axes[0].texts]


def test_the_loop_of_a_row_without_copies_has_those_of_another() -> None:
    [table] = items("videostream2021 1.3.1 left", Table)
    assert "Loop of a variant: kernel and copies, with 716 threads those of 1024." in table.caption
    kernels = {line[0]: line[-1] for line in items("videostream2021 1.3.1 right", Table)[0].rows}
    for name, who, loop in table.rows:
        assert who == "published" or float(loop) > float(kernels[name]) + 1
    assert committed()["videostream2021 1.3.1 left"].published == 4


def section(name: str, *rows: Fields) -> Section:
    """An artefact of a few made-up rows."""
    return made(measured(*rows))[name].section


def test_speed_ups_over_the_first_series() -> None:
    names = (
        "03_cuda_global padded",
        "04_cuda_constant padded",
        "05_cuda_shared input_tile",
        "05_cuda_shared two_batch",
    )
    times = [(name, ms + more, block) for name, ms in zip(names, (8, 4, 2, 1)) for block, more in (("8", 5), ("16", 0))]
    rows = [row(*name.split(), "4k", ms, block=block, **GPU) for name, ms, block in times]
    [figure] = section("ariano2023 Figure 10", *rows).items
    panels = drawn(figure).axes
    colours = [[one.get_color() for one in axes.lines if one.get_marker() not in ("None", "_")] for axes in panels]
    assert [one.get_ydata()[0] for one in panels[0].lines if one.get_marker() not in ("None", "_")] == [2, 4, 8]
    assert colours[0] == colours[1] == colours[2], (
        "the program's and the published lines have the colours of the variants"
    )


def test_the_speed_up_of_threads_is_over_one_thread_of_the_same_sweep() -> None:
    nested = row("01_sequential", "nested", "480p", 60)
    blocks = [row("02_pthread", "blocks", "480p", 40 / count, block="16", threads=str(count)) for count in (2, 4)]
    assert "rows with one thread" in section("ariano2023 Figure 9", nested, *blocks).missing
    one = row("02_pthread", "rows", "480p", 50, threads="1")
    table = section("ariano2023 Figure 9", nested, one, *blocks).items[1]
    assert table.rows == [["2", "2.50x"], ["4", "5.00x"]]
    assert "`rows`" in table.caption


def test_figure_27_is_of_the_mean_that_the_conclusions_test() -> None:
    def tile(ksize: str, block: str, **more: str) -> Fields:
        return row("10_noise_filter", "tile", "1080p", 1, ksize=ksize, block=block, image="moving", **GPU, **more)

    rows = [tile(ksize, "10", filter="box") for ksize in ("3", "5")]
    rows += [tile("5", block) for block in ("10", "14", "16", "18")]
    rows.append(tile("5", "14", filter="box", status="unsupported", reason="many"))
    found = section("videostream2021 Figure 27", *rows)
    assert found.rows[["ksize", "block"]].values.tolist() == [[3, 10], [5, 10]]
    assert "n/a" in [text.get_text() for text in drawn(found.items[0]).axes[0].texts]


def test_a_speed_up_without_its_baseline_is_a_table_that_says_so() -> None:
    gray = dict(channels="1", type="int32", image="random", filter="box", border="constant", block="16", **GPU)
    square = dict(size="8192x8192", width="8192", height="8192")
    found = section("chisci2024 Figure 8", row("04_cuda_constant", "gray", "480p", 1, **gray, **square))
    assert [type(item) for item in found.items[:2]] == [Table, str]
    assert "no time of `bounds` of lab 01" in found.items[1]


def test_overlapping_copies() -> None:
    """Of a megapixel pageable memory takes 0.1 ms, pinned memory 0.06, frames 0.03; streams gain with their number."""
    cost = {"pageable": 100, "pinned": 60, "streams": 50, "graph": 40, "frames": 30, "multi_gpu": 15}
    rows, swept = [], []
    for size, scale in (("4k", 1), ("8k", 4)):
        for name, ms in cost.items():
            three = {"streams": "3", "bands": "3"} if name in ("streams", "graph") else {}
            rows.append(copied(name, ms * scale, size=size, **three))
        swept.append(copied("pinned", 60 * scale, size=size))
        swept += [
            copied("streams", 100 * scale * (1 + 2 / int(count)), size=size, streams=count, bands=count)
            for count in "12348"
        ]
    every = made(measured(*rows, sweep=swept))
    lines = every["async Gain by size"].section.items[1].rows
    assert {(line[2], line[-1]) for line in lines} == {("1.67x", "3.33x")}
    figure = drawn(every["async Gain by streams"].section.items[0])
    gains = [list(axes.lines[0].get_ydata()) for axes in figure.axes]
    assert all(len(found) == 5 and found == sorted(found) for found in gains), gains
