# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Pictures as arrays for the defective forms: the scene, the right convolution, what differs."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, List, Optional, Tuple

import matplotlib.image
import numpy

from ..figures.content import percent

Array = numpy.ndarray
UNWRITTEN = 0  # what cells and samples that nothing writes are drawn as
ONE = 65536  # the sum of the taps


@dataclass
class Shown:
    """What running a form gave: a sentence, pictures of a part (title, array of bytes), and where an arrow points in the
    last one: x from the left and y from the top, 0 to 1."""

    words: str
    panels: List[Tuple[str, Array]] = field(default_factory=list)
    at: Optional[Tuple[float, float]] = None


Form = Callable[[Array], Shown]  # of the scene at 480p


def read_scene(path: Path) -> Optional[Array]:
    """The drawn scene as bytes; None where `make data` did not draw it."""
    if not path.exists():
        return None
    return numpy.rint(matplotlib.image.imread(path)[..., :3] * 255).astype(numpy.int32)


def padded(image: Array, margin: int, behind: int = 0, value: Optional[int] = None) -> Array:
    """The image with the nearest pixel, or this value, around it, and `behind` more to the right and below."""
    around = ((margin, margin + behind),) * 2 + ((0, 0),)
    return numpy.pad(image, around, **({"mode": "edge"} if value is None else {"constant_values": value}))


def rounded(sums: Array, divisor: int = ONE) -> Array:
    """Rounded half up to a byte."""
    return numpy.clip((2 * sums + divisor) // (2 * divisor), 0, 255)


def taps_of(ksize: int) -> List[Tuple[int, int, int]]:
    """(j, i, tap) of `gaussian` with this side."""
    row = {3: [64, 128, 64], 5: [16, 64, 96, 64, 16]}[ksize]
    return [(j, i, row[j] * row[i]) for j in range(ksize) for i in range(ksize)]


def filtered(around: Array, ksize: int) -> Array:
    """The sums of the Gaussian wherever it is inside of the image."""
    height, width = around.shape[0] - ksize + 1, around.shape[1] - ksize + 1
    return numpy.asarray(sum(tap * around[j : j + height, i : i + width] for j, i, tap in taps_of(ksize)))


def convolved(image: Array, ksize: int) -> Array:
    """The right result: the Gaussian, border replicate."""
    return rounded(filtered(padded(image, ksize // 2), ksize))


def wrong(result: Array, right: Array, what: str = "samples") -> str:
    """ "1234 of 5678 samples are wrong (22 %)"."""
    count = int((result != right).sum())
    return f"{count} of {right.size} {what} are wrong ({percent(count / right.size)})"


def pair(right: Array, form: Array, x: int, y: int, width: int = 96, height: int = 64) -> List[Tuple[str, Array]]:
    """The same part of the right picture and of the form's, as bytes."""
    named = (("right", right), ("defective form", form))
    return [(title, one[y : y + height, x : x + width].astype(numpy.uint8)) for title, one in named]
