# SPDX-License-Identifier: MIT
"""Defective forms of the heat map and the noise map, run on all differences or on two frames: the scene, and the scene moved
by three pixels."""

from typing import List, Tuple

import numpy

from .images import UNWRITTEN, Array, Shown, pair

THRESHOLD = 20


def colours(x: Array) -> Array:
    """Blue where little changed, green in the middle, red where much: x from 0 to 1."""
    waves = numpy.stack([numpy.sin(numpy.pi * x + shift) for shift in (-numpy.pi / 2, 0, numpy.pi / 2)], axis=-1)
    return numpy.clip(waves * 255, 0, 255).astype(numpy.int64)


def change_of(scene: Array) -> Array:
    """How far each sample changed, one after the other."""
    return numpy.abs(numpy.roll(scene, 3, axis=1) - scene).reshape(-1)


def strips(right: Array, form: Array, rows: int, what: str) -> List[Tuple[str, Array]]:
    """Two strips of colours."""
    named = ((f"right: differences {what}", right), ("defective form", form))
    return [(title, numpy.repeat(one[None], rows, axis=0).astype(numpy.uint8)) for title, one in named]


def divided_by_510(_: Array) -> Shown:
    """x = d / 510, where d goes up to 765."""
    d = numpy.arange(766)
    right, form = colours(d / 765), colours(d / 510)
    off, black = int((right != form).any(axis=-1).sum()), int((form.sum(axis=-1) < 64).sum())
    words = (
        f"{off} of the 766 differences get a wrong colour; the full change, 765, gets "
        f"({', '.join(map(str, form[765]))}), and {black} differences are nearly black."
    )
    return Shown(words, strips(right, form, 60, "0 to 765"), (0.95, 0.5))


def signed_byte(_: Array) -> Shown:
    """The difference of two samples kept in -128 to 127."""
    d = numpy.arange(-255, 256)
    right, form = numpy.abs(d) > THRESHOLD, numpy.abs(((d + 128) % 256) - 128) > THRESHOLD
    missed = sorted(abs(int(value)) for value in d[right & ~form])
    words = (
        f"{len(missed)} of the {int(right.sum())} differences over the threshold are "
        f"missed, the largest ones, from {missed[0]} to {missed[-1]}."
    )
    red = numpy.array([255, 0, 0])
    return Shown(words, strips(right[:, None] * red, form[:, None] * red, 40, "-255 to 255"), (0.968, 0.5))


def cut_at_words(scene: Array) -> Shown:
    """A thread reads words of four bytes; what a pixel has in the next word is not seen."""
    change = change_of(scene)
    first = numpy.arange(0, change.size, 3)
    room = 4 - first % 4  # bytes of the pixel's word from its first sample on
    seen = sum(numpy.where(room > c, change[first + c], 0) for c in range(3))
    whole = sum(change[first + c] for c in range(3))
    right, form = (colours(one / 765).reshape(scene.shape) for one in (whole, seen))
    pixels, total = int((right != form).any(axis=-1).sum()), first.size
    words = (
        f"With four bytes at a time and a scene moved by 3 pixels, {pixels} of {total} pixels get a "
        f"wrong colour ({100 * pixels / total:.0f} %): two of every four lie in two words."
    )
    return Shown(words, pair(right, form, 392, 260, 48, 32), (0.1, 0.5))


def runs_of_bytes(scene: Array) -> Shown:
    """bytes / threads for each of 716 threads, rounded down: the rest is left, pixels are cut."""
    threads = 716
    change = change_of(scene)
    run = change.size // threads
    form = numpy.full(change.size, UNWRITTEN)
    for thread in range(threads):
        first = thread * run + numpy.arange(0, run - 2, 3)
        colour = colours((change[first] + change[first + 1] + change[first + 2]) / 765)
        for c in range(3):
            form[first + c] = colour[:, c]
    right = colours(change.reshape(-1, 3).sum(axis=1) / 765).reshape(-1)
    off, shape = int((form != right).sum()), scene.shape
    words = (
        f"With {threads} threads and {shape[1]}x{shape[0]} pixels, runs of {run} bytes leave {change.size - threads * run} bytes "
        f"unwritten and begin inside pixels, so {off} of {right.size} samples are wrong "
        f"({100 * off / right.size:.0f} %)."
    )
    return Shown(words, pair(right.reshape(shape), form.reshape(shape), 392, 260, 48, 32), (0.7, 0.79))
