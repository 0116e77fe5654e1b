# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Defective forms of the convolution of one picture, run on the scene at 480p."""
from typing import Tuple

import numpy

from .arrays import (Array, Given, Shown, UNWRITTEN, convolved, padded, pair, part, rounded, taps_of,
                     wrong)


def _grid(image: Array) -> Tuple[Array, Array]:
    """y and x of every pixel."""
    return numpy.mgrid[0:image.shape[0], 0:image.shape[1]]


def inside_test(given: Given) -> Shown:
    """The loop over the padded image begins at 2, for a filter whose radius is 1."""
    right = convolved(given.scene, 3)
    form = numpy.full_like(right, UNWRITTEN)
    first = 2 - 1  # padded coordinate 2 is pixel 1
    form[first:, first:] = right[first:, first:]
    return Shown(f"3x3: {wrong(form, right)}: the first row and the first column.",
                 pair(right, form, 0, 0, 24, 16))


def origin_not_moved(given: Given) -> Shown:
    """The tile of a block begins at its first pixel, not p before it."""
    right = convolved(given.scene, 5)
    height, width, _ = right.shape
    beyond = numpy.pad(given.scene, ((0, 4), (0, 4), (0, 0)), constant_values=UNWRITTEN)
    form = rounded(sum(tap * beyond[j:j + height, i:i + width] for j, i, tap in taps_of(5)), 65536)
    same = bool((form[:-4, :-4] == right[2:-2, 2:-2]).all())
    moved = "the result is the right one, shifted by (2, 2)" if same else "the result is another one"
    return Shown(f"5x5: {wrong(form, right)}; {moved}, and the last rows and columns are dark.",
                 pair(right, form, width - 96, height - 64))


def _two_rounds(given: Given, side: int, ksize: int, x: int, y: int) -> Shown:
    """Two rounds of side x side threads load the first 2 side^2 cells of a tile; the others keep what
    was there."""
    scene, p, tile = given.scene, ksize // 2, side + ksize - 1
    right = convolved(scene, ksize)
    height, width, _ = right.shape
    around = padded(scene, p)
    rows, columns = _grid(scene)
    sums = numpy.zeros_like(scene)
    for j, i, tap in taps_of(ksize):
        cell = (rows % side + j) * tile + columns % side + i
        loaded = (cell < 2 * side * side)[..., None]
        sums += tap * numpy.where(loaded, around[j:j + height, i:i + width], UNWRITTEN)
    form = rounded(sums, 65536)
    return Shown(f"{ksize}x{ksize}, B {side}: {tile * tile} cells, of which {2 * side * side} are "
                 f"loaded; {wrong(form, right)}.", pair(right, form, x, y, 60, 40))


def two_rounds_8(given: Given) -> Shown:
    return _two_rounds(given, 8, 5, 392, 280)


def two_rounds_16(given: Given) -> Shown:
    return _two_rounds(given, 16, 9, 392, 280)


def blocks_of_padded(given: Given) -> Shown:
    """Blocks are cut from the padded size, then placed in the output."""
    height, width, _ = given.scene.shape
    p, side = 2, 16
    starts = [(x, y) for y in range(0, height + 2 * p, side) for x in range(0, width + 2 * p, side)]
    over = [(x, y) for x, y in starts
            if min(x + side, width + 2 * p) > width or min(y + side, height + 2 * p) > height]
    outside = (width + 2 * p) * (height + 2 * p) - width * height
    return Shown(f"5x5, side 16, {width}x{height}: {len(over)} of {len(starts)} blocks reach beyond "
                 f"the output, with {outside} pixels.")


def bounds_too_many(given: Given) -> Shown:
    """x <= width and y <= height: one column and one row more than the image has."""
    right = convolved(given.scene, 5)
    height, width, channels = right.shape
    around = padded(given.scene, 3)  # one more than the radius: the extra column has samples
    full = rounded(sum(tap * around[1 + j:2 + j + height, 1 + i:2 + i + width]
                       for j, i, tap in taps_of(5)), 65536)
    memory = numpy.full(((height + 2) * width, channels), UNWRITTEN)
    memory[:height * width] = right.reshape(-1, channels)
    for y in range(height + 1):  # the extra column is the next row's first pixel in memory
        memory[y * width + width] = full[y, width]
    memory[height * width:height * width + width] = full[height, :width]
    form = memory[:height * width].reshape(right.shape)
    behind = width + 1
    return Shown(f"5x5: {behind} pixels are written behind the image, and {wrong(form, right)}: the "
                 "first column takes the right edge's colours.", pair(right, form, 0, 250, 24, 16))


def bounds_exchanged(given: Given) -> Shown:
    """row < width and column < height: the columns from the height on count as outside, the rows below the image as inside."""
    height, width, _ = given.scene.shape
    beyond = numpy.pad(given.scene, ((2, 2), (2, 2), (0, 0)), constant_values=UNWRITTEN)
    seen = beyond.copy()
    seen[:, 2 + height:] = 0
    right, form = (rounded(sum(tap * image[j:j + height, i:i + width] for j, i, tap in taps_of(5)), 65536)
                   for image in (beyond, seen))
    return Shown(f"5x5, zeros around the image, {width}x{height}: {wrong(form, right)}: those from column {height - 2} on.",
                 pair(right, form, height - 48, 200, 96, 64))


def block_local(given: Given) -> Shown:
    """Taps beyond the tile are read at the block's own coordinates, near the image's corner."""
    scene, side, ksize = given.scene, 16, 5
    right = convolved(scene, ksize)
    height, width, _ = right.shape
    around = padded(scene, 2)
    rows, columns = _grid(scene)
    sums = numpy.zeros_like(scene)
    for j, i, tap in taps_of(ksize):
        row, column = rows % side + j - 2, columns % side + i - 2
        inside = (row >= 0) & (row < side) & (column >= 0) & (column < side)
        other = scene[numpy.clip(row, 0, height - 1), numpy.clip(column, 0, width - 1)]
        sums += tap * numpy.where(inside[..., None], around[j:j + height, i:i + width], other)
    form = rounded(sums, 65536)
    return Shown(f"5x5, T 16: {wrong(form, right)}: a seam around every tile.",
                 pair(right, form, 384, 272, 72, 48))


def blocks_rounded_down(given: Given) -> Shown:
    """width / B and height / B blocks: what is left over belongs to none."""
    right = convolved(given.scene, 5)
    height, width, _ = right.shape
    form = numpy.full_like(right, UNWRITTEN)
    form[:height // 16 * 16, :width // 16 * 16] = right[:height // 16 * 16, :width // 16 * 16]
    return Shown(f"B 16, {width}x{height}: {wrong(form, right)}: the last {width % 16} columns and "
                 f"{height % 16} rows.", pair(right, form, width - 36, 200, 36, 24))


def filters_width(given: Given) -> Shown:
    """The index of a pixel is row * K + column instead of row * width + column."""
    right = convolved(given.scene, 5)
    height, width, channels = right.shape
    flat = padded(given.scene, 2).reshape(-1, channels)
    rows, columns = _grid(given.scene)
    form = rounded(sum(tap * flat[(rows + j) * 5 + columns + i] for j, i, tap in taps_of(5)), 65536)
    return Shown(f"5x5: {wrong(form, right)}: every row is the one above it, moved by 5 pixels.",
                 [("right", part(right, 330, 190, 192, 128)),
                  ("defective form", part(form, 330, 190, 192, 128))])


def bands_without_halos(given: Given) -> Shown:
    """Each third of the picture is filtered as a picture of its own."""
    right = convolved(given.scene, 9)
    third = given.scene.shape[0] // 3
    form = numpy.concatenate([convolved(given.scene[y:y + third], 9) for y in (0, third, 2 * third)])
    off = numpy.abs(form - right)
    x = int(numpy.clip(off[third].sum(axis=-1).argmax() - 24, 0, off.shape[1] - 48))
    seam = part(numpy.clip(4 * off, 0, 255), x, third - 16, 48, 32)
    return Shown(f"9x9, three bands: {wrong(form, right)}, by up to {int(off.max())}: 4 rows on both "
                 "sides of each seam.",
                 [*pair(right, form, x, third - 16, 48, 32), ("difference, 4 times", seam)])


def third_channel(given: Given) -> Shown:
    """The halo outside of the frame is set to black, channel 1 twice and channel 2 never."""
    around = [numpy.pad(given.scene[..., c], 2, constant_values=outside)
              for c, outside in enumerate((0, 0, 200))]  # 200: left by a block before
    black = [numpy.pad(given.scene[..., c], 2) for c in range(3)]
    height, width, _ = given.scene.shape

    def mean(planes: list) -> Array:
        return numpy.stack([sum(plane[j:j + height, i:i + width] for j in range(5)
                                for i in range(5)) // 25 for plane in planes], axis=-1)

    form, right = mean(around), mean(black)
    return Shown(f"Mean 5x5, a block before left 200: {wrong(form, right)}: the edge of the frame "
                 "turns blue.", pair(right, form, 0, 0, 24, 16))


def cut_to_a_byte(given: Given) -> Shown:
    """The sum divided, and what is behind the point dropped."""
    around = padded(given.scene, 2)
    height, width, _ = given.scene.shape
    sums = sum(tap * around[j:j + height, i:i + width] for j, i, tap in taps_of(5))
    cut, right = sums // 65536, rounded(sums, 65536)
    darker = float((right - cut).mean())
    return Shown(f"5x5: {wrong(cut, right)}, each darker by 1; the picture by {darker:.2f} of 255.")
