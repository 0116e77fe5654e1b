# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Lab 06 in the report: the sentences are computed from the rows, the figures drawn from them."""

import importlib.util
import tempfile
import unittest
from pathlib import Path

from fabricate import ROOT, cuda_labs, row, write

from study.measurements.other_files import read_timeline
from study.measurements.published import read_published
from study.measurements.rows import read_folder
from study.measurements.selection import Results

HAVE_MATPLOTLIB = all(map(importlib.util.find_spec, ("matplotlib", "jinja2", "markdown")))


@unittest.skipUnless(HAVE_MATPLOTLIB, "matplotlib is not installed for this Python: figures cannot be tested")
class Async(unittest.TestCase):
    def setUp(self) -> None:
        from study.reports import overlap, timelines

        self.module = overlap
        self.artefacts = [overlap.gain_by_size, overlap.gain_by_streams, timelines.timelines]
        with tempfile.TemporaryDirectory() as name:
            cuda_labs(Path(name))
            self.results = Results(read_folder(Path(name)), read_timeline(Path(name), "toy"))
        self.published = read_published(
            *(ROOT / "study" / "data" / f"{name}.csv" for name in ("published", "originals"))
        )

    def test_the_size_where_streams_begin_to_pay(self) -> None:
        # pinned 0.06 ms a megapixel, streams 5/6 of (0.06 a megapixel + 0.05): from 4.2 on.
        rows = [row for row in self.results.bench if row.lab == self.module.LAB and row.ksize == "5"]
        sentence = self.module.pays_from(rows)
        self.assertIn("`streams` is faster than `pinned` from 4k on: 1.09x at 4k", sentence)
        self.assertIn("at 8k", sentence)
        self.assertIn(
            "`frames` is faster than `pinned` at every size measured: 2.00x at 480p",
            self.module.pays_from(rows, "frames"),
        )
        self.assertIn("`pageable` is not faster than `pinned` at 8k", self.module.pays_from(rows, "pageable"))
        self.assertEqual(self.module.pays_from([], "frames"), "")

    def test_two_kernels_are_never_compared(self) -> None:
        old = [
            row(self.module.LAB, "streams", "8k", 4 - number / 2, streams=str(number), iterations="5")
            for number in (1, 2, 3)
        ]
        new = row(self.module.LAB, "streams", "8k", 2, streams="3", kernel="2", iterations="100")
        with tempfile.TemporaryDirectory() as name:
            write(Path(name) / "lab.csv", [*old, new])
            rows = Results(read_folder(Path(name))).rows
        by_streams = self.module._of_one_kernel(rows, "streams")
        self.assertEqual(sorted(one.streams for one in by_streams), ["1", "2", "3"])
        self.assertEqual([one.kernel for one in self.module._of_one_kernel(rows, "size")], ["2"])
        self.assertEqual(self.module._of_one_kernel([], "size"), [])

    def test_why_the_published_time_cannot_be(self) -> None:
        from study.reports.artefacts import make_all

        made = make_all(ROOT / "study" / "data" / "artefacts.ini", self.results, self.published, "delbimbo2024")
        [sentence] = [item for item in made[-1].section.items if isinstance(item, str) and "impossible" in item]
        for words in (
            "0.365 ms for 8K",
            "199 MB",
            "545 GB/s",
            "8.7 times",
            "63 GB/s",
            "has 100 GB/s at most and needs 1.99 ms",
        ):
            self.assertIn(words, sentence)

    def test_every_artefact_is_made_and_drawn(self) -> None:
        from study.figures.content import Figure

        names = []
        for artefact in self.artefacts:
            section = artefact(self.results, self.published)
            self.assertEqual(section.missing, "", section.title)
            for item in section.items:
                if isinstance(item, Figure):
                    item.draw()
                    names.append(item.name)
        self.assertEqual(names, ["async_gain_by_size", "async_gain_by_streams", "timeline_streams"])

    def test_the_best_number_of_streams_is_named(self) -> None:
        section = self.module.gain_by_streams(self.results, self.published)
        self.assertIn("With one band per stream, `streams` is fastest at 4k with 8 streams: ", section.items[-1])
        self.assertIn("; at 8k with 8 streams: ", section.items[-1])

    def test_without_rows_they_are_missing(self) -> None:
        empty = Results([row for row in self.results.rows if row.lab != self.module.LAB])
        for artefact in self.artefacts:
            self.assertIn("lab 06 on a GPU", artefact(empty, self.published).missing)
