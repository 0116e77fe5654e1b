# SPDX-License-Identifier: MIT
"""Defective forms of the convolution of one picture, run on the scene at 480p."""

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
    """The drawn scene as bytes; None if `make data` did not draw it."""
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


def inside_test(scene: Array) -> Shown:
    """The loop over the padded image begins at 2, for a filter whose radius is 1."""
    right = convolved(scene, 3)
    form = numpy.full_like(right, UNWRITTEN)
    form[1:, 1:] = right[1:, 1:]  # padded coordinate 2 is pixel 1
    words = f"With 3x3, {wrong(form, right)}, in the first row and the first column."
    return Shown(words, pair(right, form, 0, 0, 24, 16), (0.5, 0.06))


def origin_not_moved(scene: Array) -> Shown:
    """The tile of a block begins at its first pixel, not p before it."""
    right = convolved(scene, 5)
    height, width, _ = right.shape
    form = rounded(filtered(padded(padded(scene, 2)[2:, 2:], 0, 2, UNWRITTEN), 5))
    same = bool((form[:-2, :-2] == right[2:, 2:]).all())
    moved = "the result is the right one, shifted by (2, 2)" if same else "the result is another one"
    words = f"With 5x5, {wrong(form, right)}; {moved}, and the last 2 rows and columns are dark."
    return Shown(words, pair(right, form, width - 60, height - 40, 60, 40), (0.5, 0.97))


def two_rounds_8(scene: Array) -> Shown:
    """Two rounds of 8x8 threads load the first 128 cells of a tile; the others keep what was there."""
    side, ksize = 8, 5
    tile = side + ksize - 1
    right, around = convolved(scene, ksize), padded(scene, ksize // 2)
    height, width, _ = right.shape
    rows, columns = numpy.mgrid[0:height, 0:width]
    sums = numpy.zeros_like(scene)
    for j, i, tap in taps_of(ksize):
        loaded = (rows % side + j) * tile + columns % side + i < 2 * side * side
        sums += tap * numpy.where(loaded[..., None], around[j : j + height, i : i + width], UNWRITTEN)
    form = rounded(sums)
    words = f"With 5x5 and B {side}, {2 * side * side} of {tile * tile} cells are loaded; {wrong(form, right)}."
    return Shown(words, pair(right, form, 392, 280, 60, 40), (0.375, 0.78))


def bounds_exchanged(scene: Array) -> Shown:
    """row < width and column < height: the columns from the height on count as outside, the rows below the image as inside."""
    height, width, _ = scene.shape
    beyond = padded(scene, 2, value=UNWRITTEN)
    seen = beyond.copy()
    seen[:, 2 + height :] = 0
    right, form = (rounded(filtered(image, 5)) for image in (beyond, seen))
    off = wrong(form, right)
    words = f"With 5x5, zeros around the image and {width}x{height} pixels, {off}: those from column {height - 2} on."
    return Shown(words, pair(right, form, height - 72, 200), (0.77, 0.5))


def blocks_rounded_down(scene: Array) -> Shown:
    """(width + 1) / B and (height + 1) / B blocks, rounded down: what is left over belongs to none."""
    right = convolved(scene, 5)
    height, width, _ = right.shape
    rows, columns = (min(size, (size + 1) // 16 * 16) for size in (height, width))
    form = numpy.full_like(right, UNWRITTEN)
    form[:rows, :columns] = right[:rows, :columns]
    left = f"the last {width - columns} columns and {height - rows} rows"
    words = f"With B 16 and {width}x{height} pixels, {wrong(form, right)}: {left}."
    return Shown(words, pair(right, form, width - 36, 200, 36, 24), (0.88, 0.5))


def whole_image_per_stream(scene: Array) -> Shown:
    """Stream n copies the n-th third of the padded image; its kernel filters a whole image from there on, into the same output."""
    right, around = convolved(scene, 3), padded(scene, 1)
    height, width, _ = right.shape
    third = around.size // 3
    seen = numpy.full(around.size, UNWRITTEN)
    seen[: around.size - 2 * third] = around.reshape(-1)[2 * third :]
    form = rounded(filtered(seen.reshape(around.shape), 3))
    words = (
        f"With 3x3, one stream after the other and a dark area behind the buffer, {wrong(form, right)}: the last third of "
        "the picture is at the top."
    )
    return Shown(words, pair(right[::6, ::6], form[::6, ::6], 0, 0, width, height * 9 // 20 // 6), (0.5, 0.74))


def third_channel(scene: Array) -> Shown:
    """The halo outside of the frame is set to black, channel 1 twice and channel 2 never."""
    height, width, _ = scene.shape

    def mean(outside: Tuple[int, ...]) -> Array:
        planes = [numpy.pad(scene[..., c], 2, constant_values=value) for c, value in enumerate(outside)]
        around = numpy.stack(planes, axis=-1)
        return sum(around[j : j + height, i : i + width] for j in range(5) for i in range(5)) // 25

    form, right = mean((0, 0, 200)), mean((0, 0, 0))  # 200: left by a block before
    words = (
        f"With a 5x5 mean and an earlier block that left 200, {wrong(form, right)}; the edge of the frame turns blue."
    )
    return Shown(words, pair(right, form, 0, 0, 24, 16), (0.5, 0.06))


def cut_to_a_byte(scene: Array) -> Shown:
    """The sum divided, and what is behind the point dropped."""
    sums = filtered(padded(scene, 2), 5)
    cut, right = sums // ONE, rounded(sums)
    darker = float((right - cut).mean())
    return Shown(f"With 5x5, {wrong(cut, right)}, each darker by 1; the picture by {darker:.2f} of 255.")


def cut_at_every_tap(scene: Array) -> Shown:
    """The sum kept in an int: the fraction of every tap's product is dropped."""
    right, around = convolved(scene, 5), padded(scene, 2)
    height, width, _ = right.shape
    form = sum(tap * around[j : j + height, i : i + width] // ONE for j, i, tap in taps_of(5))
    darker = right - form
    return Shown(
        f"With 5x5, {wrong(form, right)}, darker by up to {int(darker.max())}, the picture by {float(darker.mean()):.1f} of 255."
    )
