# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Numbers of rows as sentences quote them."""
from ..figures.content import number
from ..measurements.rows import Row
from ..measurements.selection import JOB, Results, key
from .road import job

AT = "8k"


class Missing(Exception):
    """A sentence needs a row that was not measured."""


class Numbers:
    """Rows of a sentence, and their numbers as they are written."""

    def __init__(self, results: Results):
        self.results = results

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

    @staticmethod
    def ms(row: Row) -> str:
        """A time in ms."""
        return number(row.ms)

    @staticmethod
    def gain(row: Row, base: Row) -> str:
        """How many times as fast the row is as the base."""
        return number(base.ms / row.ms)

    def chain(self, variant: str, size: str, filters: str) -> Row:
        """A row of lab 06's chains."""
        found = [row for row in self.results.rows if row.timed and row.lab == "06_async_streams"
                 and (row.variant, row.size, row.filters) == (variant, size, filters)]
        if not found:
            raise Missing(f"{variant} with {filters} filters at {size}")
        return min(found, key=lambda row: row.ms)
