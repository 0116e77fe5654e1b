# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Defective forms of the heat map and the noise map, run on all differences or on two frames."""

from typing import Tuple

import numpy

from .arrays import UNWRITTEN, Array, Given, Shown, pair

THRESHOLD = 20


def colours(x: Array) -> Array:
    """Blue where little changed, green in the middle, red where much: x from 0 to 1."""
    waves = numpy.stack([numpy.sin(numpy.pi * x + shift) for shift in (-numpy.pi / 2, 0, numpy.pi / 2)], axis=-1)
    return numpy.clip(waves * 255, 0, 255).astype(numpy.int64)


def frames(scene: Array) -> Tuple[Array, Array]:
    """The scene, and the scene moved by three pixels."""
    return scene, numpy.roll(scene, 3, axis=1)


def divided_by_510(given: Given) -> Shown:
    """x = d / 510, where d goes up to 765."""
    d = numpy.arange(766)
    right, form = colours(d / 765), colours(d / 510)
    off = int((right != form).any(axis=-1).sum())
    black = int((form.sum(axis=-1) < 64).sum())
    strip = [
        (title, numpy.repeat(one[None], 60, axis=0).astype(numpy.uint8))
        for title, one in (("right: differences 0 to 765", right), ("defective form", form))
    ]
    return Shown(
        f"{off} of the 766 differences get a wrong colour; the full change, 765, gets "
        f"({', '.join(map(str, form[765]))}), and {black} differences are nearly black.",
        strip,
        (0.95, 0.5),
    )


def signed_byte(given: Given) -> Shown:
    """The difference of two samples kept in -128 to 127."""
    d = numpy.arange(-255, 256)
    kept = ((d + 128) % 256) - 128
    right, form = numpy.abs(d) > THRESHOLD, numpy.abs(kept) > THRESHOLD
    missed = sorted(abs(int(value)) for value in d[right & ~form])
    red = numpy.array([255, 0, 0])
    strip = [
        (title, numpy.repeat((one[:, None] * red)[None], 40, axis=0).astype(numpy.uint8))
        for title, one in (("right: differences -255 to 255", right), ("defective form", form))
    ]
    return Shown(
        f"{len(missed)} of the {int(right.sum())} differences over the threshold are "
        f"missed: {missed[0]} to {missed[-1]}, the largest ones.",
        strip,
        (0.968, 0.5),
    )


def cut_at_words(given: Given) -> Shown:
    """A thread reads words of four bytes; what a pixel has in the next word is not seen."""
    previous, current = (frame.reshape(-1) for frame in frames(given.scene))
    change = numpy.abs(current - previous)
    first = numpy.arange(0, change.size, 3)
    room = 4 - first % 4  # bytes of the pixel's word from its first sample on
    seen = sum(numpy.where(room > c, change[first + c], 0) for c in range(3))
    whole = sum(change[first + c] for c in range(3))
    shape = given.scene.shape
    right, form = colours(whole / 765).reshape(shape), colours(seen / 765).reshape(shape)
    pixels = int((right != form).any(axis=-1).sum())
    total = shape[0] * shape[1]
    return Shown(
        f"Four bytes at a time, a scene moved by 3 pixels: {pixels} of {total} pixels get a "
        f"wrong colour ({100 * pixels / total:.0f} %): two of every four lie in two words.",
        pair(right, form, 392, 260, 48, 32),
        (0.1, 0.5),
    )


def runs_of_bytes(given: Given) -> Shown:
    """bytes / threads for each of 716 threads, rounded down: the rest is left, pixels are cut."""
    threads = 716
    previous, current = (frame.reshape(-1) for frame in frames(given.scene))
    change = numpy.abs(current - previous)
    run = change.size // threads
    form = numpy.full(change.size, UNWRITTEN)
    for thread in range(threads):
        first = thread * run + numpy.arange(0, run - 2, 3)
        colour = colours((change[first] + change[first + 1] + change[first + 2]) / 765)
        for c in range(3):
            form[first + c] = colour[:, c]
    right = colours(change.reshape(-1, 3).sum(axis=1) / 765).reshape(-1)
    tail = change.size - threads * run
    off = int((form != right).sum())
    shape = given.scene.shape
    return Shown(
        f"{threads} threads, {shape[1]}x{shape[0]}: runs of {run} bytes leave {tail} bytes "
        f"unwritten and begin inside of pixels: {off} of {right.size} samples are wrong "
        f"({100 * off / right.size:.0f} %).",
        pair(right.reshape(shape), form.reshape(shape), 392, 260, 48, 32),
        (0.7, 0.79),
    )


def noise_runs(given: Given) -> Shown:
    """What 1024 threads leave of a frame of 1080p in runs of whole chunks."""
    threads, chunk, size = 1024, 16, 1920 * 1080 * 3
    run = size // threads // chunk * chunk
    left = size - threads * run
    return Shown(
        f"1080p, {threads} threads: runs of {run} bytes, {run // chunk} chunks of {chunk}, leave the last {left} of {size} bytes."
    )
