# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Pictures as arrays for the defective forms: the scene, the right convolution, what differs."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, List, Optional, Tuple

import matplotlib.image
import numpy

from ..figures.content import percent
from ..measurements.published import Published
from ..measurements.selection import Results

Array = numpy.ndarray
UNWRITTEN = 0  # what cells and samples that nothing writes are drawn as


@dataclass
class Given:
    """What a form runs on: the scene at 480p (None where it was not drawn), and the numbers."""

    scene: Optional[Array]
    results: Results
    published: Published


@dataclass
class Shown:
    """What running a form gave: a sentence, pictures of a part (title, array of bytes), and where an arrow points in the
    last one: x from the left and y from the top, 0 to 1."""

    words: str
    panels: List[Tuple[str, Array]] = field(default_factory=list)
    at: Optional[Tuple[float, float]] = None


Form = Callable[[Given], Shown]


def read_scene(path: Path) -> Optional[Array]:
    """The drawn scene as bytes; None where `make data` did not draw it."""
    if not path.exists():
        return None
    return numpy.rint(matplotlib.image.imread(path)[..., :3] * 255).astype(numpy.int32)


def gaussian(ksize: int) -> Array:
    """The taps of `gaussian` with this side; their sum is 65536."""
    row = numpy.array({3: [64, 128, 64], 5: [16, 64, 96, 64, 16]}[ksize])
    return numpy.outer(row, row)


def padded(image: Array, margin: int) -> Array:
    """The image with the nearest pixel repeated around it."""
    return numpy.pad(image, ((margin, margin), (margin, margin), (0, 0)), mode="edge")


def rounded(sums: Array, divisor: int) -> Array:
    """Rounded half up to a byte."""
    return numpy.clip((2 * sums + divisor) // (2 * divisor), 0, 255)


def taps_of(ksize: int) -> List[Tuple[int, int, int]]:
    """(j, i, tap) of the Gaussian."""
    taps = gaussian(ksize)
    return [(j, i, int(taps[j, i])) for j in range(ksize) for i in range(ksize)]


def convolved(image: Array, ksize: int) -> Array:
    """The right result: the Gaussian, border replicate."""
    height, width, _ = image.shape
    around = padded(image, ksize // 2)
    sums = sum(tap * around[j : j + height, i : i + width] for j, i, tap in taps_of(ksize))
    return rounded(numpy.asarray(sums), 65536)


def wrong(result: Array, right: Array, what: str = "samples") -> str:
    """ "1234 of 5678 samples are wrong (22 %)"."""
    count = int((result != right).sum())
    return f"{count} of {right.size} {what} are wrong ({percent(count / right.size)})"


def part(image: Array, x: int, y: int, width: int = 96, height: int = 64) -> Array:
    """A part of the picture, as bytes."""
    return image[y : y + height, x : x + width].astype(numpy.uint8)


def pair(right: Array, form: Array, x: int, y: int, width: int = 96, height: int = 64) -> List[Tuple[str, Array]]:
    """The same part of the right picture and of the form's."""
    return [("right", part(right, x, y, width, height)), ("defective form", part(form, x, y, width, height))]
