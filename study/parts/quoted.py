# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Numbers of rows as sentences quote them: each with the key of its row (measurements/keyed.py)."""
import shlex
from typing import List

from ..figures.content import number
from ..measurements.rows import Row
from ..measurements.selection import JOB, Results, key
from .road import job

AT = "8k"
# The columns that a key is made of, in the order in which they are added until one row is left.
NAMING = ("lab", "variant", "size", "width", "height", "ksize", "filter", "border", "type", "channels",
          "image", "threads", "block", "block_threads", "cold", "streams", "bands", "in_flight", "frames",
          "kernel", "filters", "passes", "ranks", "halo_passes", "devices", "backend", "device")


def key_of(results: Results, row: Row, quoted: bool = True) -> List[str]:
    """["lab=07_separable", "variant=packed", ...]: as many columns as name this row alone."""
    fields: List[str] = []
    left = results.rows
    for name in NAMING:
        value = row.text.get(name, "")
        fewer = [one for one in left if one.text.get(name, "") == value]
        if len(fewer) < len(left) or name in ("lab", "variant"):
            fields.append(f"{name}={shlex.quote(value) if quoted else value}")
        left = fewer
        if len(left) == 1:
            break
    return fields


class Missing(Exception):
    """A sentence needs a row that was not measured."""


class Numbers:
    """Numbers of rows as they are written, each with its key."""

    def __init__(self, results: Results, source: str):
        self.results, self.source = results, source

    def row(self, variant: str, size: str = AT) -> Row:
        """The protocol's row of "05_cuda_shared two_batch": 5x5 Gaussian, RGB bytes."""
        found = job(self.results, *variant.split()).get(size)
        if found is None:
            raise Missing(f"{variant} at {size}")
        return found

    def of_block(self, variant: str, block: str) -> Row:
        """The same with blocks of this side."""
        like = self.row(variant)
        for row in self.results.rows:
            if row.timed and (row.lab, row.variant, row.block, *key(row, JOB)) == (
                    like.lab, like.variant, block, *key(like, JOB)):
                return row
        raise Missing(f"{variant} with blocks of {block} x {block}")

    def video(self, variant: str, size: str) -> Row:
        """The row of a lab of two frames, on the moving scene, with the most threads per block."""
        lab, name = variant.split()
        found = [row for row in self.results.rows if row.timed and row.backend == "cuda" and (
            row.lab, row.variant, row.size, row.image) == (lab, name, size, "moving")]
        if not found:
            raise Missing(f"{variant} at {size}")
        return max(found, key=lambda row: row.integer("block_threads") or 0)

    def ms(self, row: Row) -> str:
        """A time in ms."""
        return self._keyed(row, "ms", number(row.ms))

    def gain(self, row: Row, base: Row) -> str:
        """How many times as fast the row is as the base."""
        key, of = (dict(word.split("=", 1) for word in key_of(self.results, one, quoted=False))
                   for one in (base, row))
        other = [f"{name}={shlex.quote(value)}" for name, value in {
            **{name: row.text[name] for name in key}, **of}.items()]
        fields = " ".join(f"{name}={shlex.quote(value)}" for name, value in key.items())
        return self._written(f"{self.source} {fields} : ms over {' '.join(other)}",
                             number(base.ms / row.ms))

    def chain(self, variant: str, size: str, filters: str) -> Row:
        """A row of lab 06's chains."""
        found = [row for row in self.results.rows if row.timed and row.lab == "06_async_streams"
                 and (row.variant, row.size, row.filters) == (variant, size, filters)]
        if not found:
            raise Missing(f"{variant} with {filters} filters at {size}")
        return min(found, key=lambda row: row.ms)

    def _keyed(self, row: Row, what: str, shown: str) -> str:
        fields = " ".join(key_of(self.results, row))
        return self._written(f"{self.source} {fields} : {what}", shown)

    @staticmethod
    def _written(key: str, shown: str) -> str:
        return f"<!-- = {key} -->{shown}<!-- /= -->"
