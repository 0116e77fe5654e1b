# SPDX-License-Identifier: MIT
"""The pictures that explain the labs are those that tools/drawings draws, and READMEs show them."""

import functools
import re

import pytest

from tools.drawings.__main__ import all_labs, pictures
from tools.drawings.sketch import Sheet

WORDS = re.compile(r"<text[^>]*>([^<]*)</text>")
SIZE = re.compile(r"font(?:-size)?: ?(?:\w+ )*([\d.]+)px")
PRINTED = 16 / 2.54 * 72  # points: the width of a picture on paper
drawn_pictures = functools.lru_cache(maxsize=None)(pictures)


@pytest.mark.long
@pytest.mark.parametrize("lab", all_labs())
def test_committed_pictures_have_the_words_that_are_drawn(lab: str) -> None:
    for path, drawn in drawn_pictures(lab).items():  # no bytes, because versions of matplotlib differ
        assert WORDS.findall(path.read_text()) == WORDS.findall(drawn.decode()), (
            f"{path}: run python3 -m tools.drawings"
        )


@pytest.mark.long
@pytest.mark.parametrize("lab", all_labs())
def test_a_text_of_the_lab_shows_each_picture(lab: str) -> None:
    for path in drawn_pictures(lab):
        texts = "".join(text.read_text() for text in path.parent.glob("*.md"))
        assert f"({path.name})" in texts, f"no text in {path.parent} shows {path.name}"


@pytest.mark.long
@pytest.mark.parametrize("lab", all_labs())
def test_words_have_seven_points_in_print(lab: str) -> None:
    for path in drawn_pictures(lab):
        text = path.read_text()
        (width,) = re.findall(r'viewBox="0 0 ([\d.]+) ', text)
        smallest = min(map(float, SIZE.findall(text)))
        assert smallest * PRINTED / float(width) > 6.99, path


def test_small_words_are_drawn_larger_on_a_wide_sheet() -> None:
    sizes = []
    for width in (500, 1000):
        sheet = Sheet(width, 50)
        sheet.text(20, 20, "small", size=8)
        sizes.append(float(SIZE.findall(sheet.svg().decode())[0]))
    assert sizes[0] == 8 and 11 < sizes[1] < 11.2


@pytest.mark.parametrize("align", ["left", "center", "right"])
def test_words_have_room_for_a_wider_font(align: str) -> None:
    """A browser's font is not the one that was measured here."""
    paper, words = 500, "twenty letters of it"

    def drawn(x: float) -> Sheet:
        sheet = Sheet(paper, 50)
        sheet.text(x, 20, words, align)
        return sheet

    width = drawn(250).axes.texts[0].get_window_extent().width
    for gap, fits in ((0.02 * width, False), (0.06 * width, True)):
        x = {"left": paper - gap - width, "center": (gap + width) / 2, "right": gap + width}[align]
        if fits:
            drawn(x).svg()
        else:
            with pytest.raises(ValueError, match=words):
                drawn(x).svg()


def test_a_part_beyond_the_edge_is_an_error() -> None:
    sheet = Sheet(100, 50)
    sheet.text(80, 20, "reaches beyond the edge")
    with pytest.raises(ValueError, match="reaches beyond the edge"):
        sheet.svg()
