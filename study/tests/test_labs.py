# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The tables of the READMEs: all variants, the fastest of each lab, what generality costs."""

import unittest
from dataclasses import replace
from typing import Any, Tuple

from fabricate import GPU, Fields, measured, row

from study.figures.content import Table
from study.measurements.selection import Results
from study.parts.generality import NOT_MEASURED, readme_generality
from study.parts.labs import ladder, overview, overview_notes

FRAMES = {"filter": "", "ksize": "", "border": ""}  # of a lab of video


def of(results: Results, *lab: str) -> Tuple[Table, str]:
    """The overview and its notes."""
    table = overview(results, *lab)
    assert table is not None
    return table, " ".join(overview_notes(results, table, *lab))


def timed(lab: str, variant: str, border: str, ms: float, /, **changes: str) -> Fields:
    """A row of the protocol at 4k on a GPU."""
    changes = {**dict(backend="cuda", device="NVIDIA H200", border=border, block="16"), **changes}
    return row(lab, variant, "4k", ms, **changes)


def tile(border: str, ms: float, /, **changes: str) -> Fields:
    return timed("05_cuda_shared", "two_batch", border, ms, **changes)


class Overview(unittest.TestCase):
    def test_variants_stand_in_reading_order(self) -> None:
        """They stood in that of the file, which is the alphabet's."""
        rows = [row("01_sequential", name, "480p", 1) for name in ("aos", "flat", "mine", "nested")]
        table, _ = of(measured(*rows), "01_sequential")
        self.assertEqual([line[0] for line in table.rows], ["nested", "flat", "aos", "mine"])

    def test_the_notes_below_a_table_are_of_that_table(self) -> None:
        results = measured(
            row("01_sequential", "nested", "480p", 9),
            row("01_sequential", "bounds", "480p", 9, type="int32"),
            row("08_heat_map", "cpu", "480p", 9, image="moving", **FRAMES),
        )
        table, notes = of(results, "01_sequential")
        self.assertIn("`bounds` has int32 samples, of 4 bytes", notes)
        self.assertIn("of the fastest copy of an 8K picture in the same session.", notes)
        self.assertNotIn("Above 100 %", notes)
        both = replace(table, rows=[["01_sequential", *table.rows[0]], ["08_heat_map", "cpu", *table.rows[0][1:]]])
        notes = " ".join(overview_notes(results, both))
        self.assertNotIn("int32", notes)
        self.assertIn("Also measured", notes)

    def test_cells(self) -> None:
        results = measured(
            row("01_sequential", "nested", "480p", 12),
            row("01_sequential", "nested", "720p", 24),
            row("01_sequential", "nested", "8k", 1, status="skipped", reason="memory"),
            row("02_pthread", "rows", "720p", 6, noisy="1", threads="2"),
            row("02_pthread", "grid", "720p", 6, status="failed"),
            row("03_cuda_global", "naive", "720p", 0.1, backend="cuda_on_cpu"),
        )
        table, notes = of(results)
        self.assertEqual(
            [line[:5] for line in table.rows],
            [
                ["01_sequential", "nested", "12.0", "24.0", "skipped"],
                ["02_pthread", "rows 2 threads", "–", "6.00†", "–"],
                ["02_pthread", "grid", "–", "failed", "–"],
            ],
        )
        self.assertEqual(table.header[-2:], ["of copy", "vs nested"])  # no column for `flat`
        self.assertEqual([line[-1] for line in table.rows], ["1.00x", "4.00x", "–"])
        for word in ("no time of `flat`", "† noisy", "CUDA on the CPU"):
            self.assertIn(word, notes)

    def test_the_caption_counts_the_sessions_of_the_baseline(self) -> None:
        nested = row("01_sequential", "nested", "480p", 9, date="2026-01-02T09:00:00Z")
        table, _ = of(measured(row("02_pthread", "rows", "480p", 1, threads="4"), nested), "02_pthread")
        self.assertIn("; 2 sessions", table.caption)

    def test_the_other_borders_of_a_job_are_a_note(self) -> None:
        sizes = (("wrap", "4k"), ("replicate", "4k"), ("replicate", "8k"), ("reflect", "4k"))
        rows = [tile(border, 2, size=size, width="3840" if size == "4k" else "7680") for border, size in sizes]
        table, notes = of(measured(*rows))
        self.assertEqual([line[1] for line in table.rows], ["two_batch"])
        borders = "Also measured, in `results/reference/`: 5x5 Gaussian, borders wrap and reflect, RGB"
        self.assertIn(borders, notes)

    def test_a_line_for_each_lab(self) -> None:
        """The fastest at the largest size that the baseline has; copies where there are any."""
        cuda = {**GPU, "total_ms_median": "9"}
        results = measured(
            row("01_sequential", "nested", "720p", 24),
            row("01_sequential", "flat", "720p", 20),
            row("02_pthread", "rows", "720p", 8, threads="4", noisy="1"),
            row("03_cuda_global", "aos", "720p", 2, **cuda),
            row("03_cuda_global", "soa", "720p", 1, devices="1", **cuda),
            row("03_cuda_global", "aos", "8k", 3, **cuda),
            row("08_heat_map", "v1", "1080p", 5, **FRAMES, **cuda),
        )
        table = ladder(results)
        assert table is not None
        self.assertEqual(
            [line[:4] for line in table.rows],
            [
                ["01_sequential", "nested", "24.0", "1.00"],
                ["01_sequential", "flat", "20.0", "1.20"],
                ["02_pthread", "rows, 4 threads", "8.00†", "3.00"],
                ["03_cuda_global", "soa on 1 GPU", "1.00", "24.0"],
                ["08_heat_map", "v1", "5.00", "–"],
            ],
        )
        self.assertEqual(table.header[2:4], ["ms at 720p", "times as fast as `nested`"])
        start = "Toy GPU and Toy, 2 cores; 720p, 5x5 Gaussian, RGB, medians; lab 08: two frames"
        self.assertEqual(table.caption[: len(start)], start)
        self.assertIn("†: noisy", table.caption)

    def test_nothing_timed(self) -> None:
        failed = measured(row("a", "v", "480p", 1, status="failed"))
        self.assertEqual((overview(failed), ladder(failed)), (None, None))


class Generality(unittest.TestCase):
    def said(self, *rows: Fields, **more: Any) -> str:
        return readme_generality(measured(*rows, **more), "05_cuda_shared") or ""

    def test_general_over_compiled(self) -> None:
        """Medians; lab 03 has both tables, labs 04 and 05 their own."""
        aos, unrolled = (timed("04_cuda_constant", name, "replicate", ms) for name, ms in (("aos", 5), ("unrolled", 4)))
        results = measured(tile("replicate", 2), tile("reflect101", 3), tile("wrap", 7), aos, unrolled)
        border = "| 05_cuda_shared `two_batch` | 4k | 2.00 | 3.00 | 1.50 |"
        side = "| `unrolled`, `aos` | 4k | 4.00 | 5.00 | 1.25 |"
        for lab, has in (("03_cuda_global", (1, 1)), ("04_cuda_constant", (0, 1)), ("05_cuda_shared", (1, 0))):
            text = readme_generality(results, lab) or ""
            self.assertEqual((border in text, side in text), has, lab)
            self.assertNotIn(NOT_MEASURED, text)
            self.assertNotIn("8k", text)
        self.assertIsNone(readme_generality(results, "06_async_streams"))

    def test_not_measured(self) -> None:
        """One of two rows, rows of two programs, of a sweep, of another filter: no line."""
        general = tile("reflect101", 3)
        for rows in (
            [tile("replicate", 2)],
            [tile("replicate", 2, build="old", revision="r0"), general],
            [tile("replicate", 2, build="old", dirty="1"), tile("reflect101", 3, dirty="1")],
            [tile("replicate", 2, build="old", revision=""), tile("reflect101", 3, revision="")],
            *([tile("replicate", 2), {**general, name: value}] for name, value in (("ksize", "3"), ("cold", "1"))),
            [tile("replicate", 2), tile("reflect101", 3, status="failed")],
        ):
            self.assertEqual(self.said(*rows), NOT_MEASURED)
        self.assertEqual(self.said(sweep=[tile("replicate", 2), general]), NOT_MEASURED)

    def test_two_builds_of_one_revision(self) -> None:
        """nvcc's object code differs from build to build: the revision says that it is one program."""
        self.assertIn("| 2.00 | 3.00 | 1.50 |", self.said(tile("replicate", 2, build="old"), tile("reflect101", 3)))

    def test_noisy_rows_are_marked(self) -> None:
        text = self.said(tile("replicate", 2, noisy="1"), tile("reflect101", 3))
        self.assertIn("| 2.00† | 3.00 |", text)
        self.assertIn("†: noisy", text)
