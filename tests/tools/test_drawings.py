# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The pictures that explain the labs are those that tools/drawings draws, and READMEs show them."""

import re

import pytest

from tools.drawings.__main__ import all_labs, pictures
from tools.drawings.sketch import Sheet

WORDS = re.compile(r"<text[^>]*>([^<]*)</text>")


@pytest.mark.parametrize("lab", all_labs())
def test_committed_pictures_have_the_words_that_are_drawn(lab: str) -> None:
    for path, drawn in pictures(lab).items():  # not the same bytes: another matplotlib draws the same in another way
        assert WORDS.findall(path.read_text()) == WORDS.findall(drawn.decode()), (
            f"{path}: run python3 -m tools.drawings"
        )


@pytest.mark.parametrize("lab", all_labs())
def test_a_text_of_the_lab_shows_each_picture(lab: str) -> None:
    for path in pictures(lab):
        texts = "".join(text.read_text() for text in path.parent.glob("*.md"))
        assert f"({path.name})" in texts, f"no text in {path.parent} shows {path.name}"


def test_a_part_beyond_the_edge_is_an_error() -> None:
    sheet = Sheet(100, 50)
    sheet.text(80, 20, "reaches beyond the edge")
    with pytest.raises(ValueError, match="reaches beyond the edge"):
        sheet.svg()
