# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The tables of times: all variants at all sizes, the fastest of each lab."""

import unittest
from typing import List

from fabricate import GPU, Fields, measured, row

from study.figures.content import Table
from study.measurements.selection import Results
from study.parts.all_sizes import all_sizes
from study.parts.labs import ladder

FRAMES = {"filter": "", "ksize": "", "border": ""}  # of a lab of video


def of(lab: str, *machines: Results) -> List[Table]:
    """The tables of a lab."""
    sections = {section.title: section for section in all_sizes(machines)}
    return sections[f"All sizes: {lab}"].items  # type: ignore[return-value]


def timed(lab: str, variant: str, border: str, ms: float, /, **changes: str) -> Fields:
    """A row of the protocol at 4k on a GPU."""
    changes = {**dict(backend="cuda", device="NVIDIA H200", border=border, block="16"), **changes}
    return row(lab, variant, "4k", ms, **changes)


def tile(border: str, ms: float, /, **changes: str) -> Fields:
    return timed("05_cuda_shared", "two_batch", border, ms, **changes)


class AllSizes(unittest.TestCase):
    def test_variants_stand_in_reading_order(self) -> None:
        """They stood in that of the file, which is the alphabet's."""
        rows = [row("01_sequential", name, "480p", 1) for name in ("aos", "flat", "mine", "nested")]
        (table,) = of("01_sequential", measured(*rows))
        self.assertEqual([line[0] for line in table.rows], ["nested", "flat", "aos", "mine"])

    def test_cells(self) -> None:
        results = measured(
            row("01_sequential", "nested", "720p", 24),
            row("02_pthread", "rows", "480p", 3, threads="2"),
            row("02_pthread", "rows", "720p", 6, noisy="1", threads="2"),
            row("02_pthread", "rows", "8k", 1, status="skipped", reason="memory", threads="2"),
            row("02_pthread", "grid", "720p", 6, status="failed"),
            row("02_pthread", "blocks", "720p", 0.1, backend="cuda_on_cpu"),
        )
        (table,) = of("02_pthread", results)
        self.assertEqual(table.header, ["variant", "480p", "720p", "8k", "of copy", "vs nested"])
        shares = [line.pop(-2) for line in table.rows]
        self.assertEqual(
            table.rows, [["rows 2 threads", "3.00", "6.00†", "skipped", "4.00x"], ["grid", "–", "failed", "–", "–"]]
        )
        self.assertEqual([share[-1] for share in shares], ["%", "–"])

    def test_the_caption_counts_the_sessions_of_the_baseline(self) -> None:
        nested = row("01_sequential", "nested", "480p", 9, date="2026-01-02T09:00:00Z")
        (table,) = of("02_pthread", measured(row("02_pthread", "rows", "480p", 1, threads="4"), nested))
        self.assertIn("; 2 sessions", table.caption)

    def test_a_variant_without_a_row_of_the_job_has_a_table_of_its_own(self) -> None:
        """Of another job, a sweep or another machine; other borders and chains of filters have none."""
        here = measured(
            *(tile(border, 2) for border in ("replicate", "wrap")),
            tile("replicate", 1, variant="gray", channels="1"),
            tile("replicate", 1, variant="chain", filters="4"),
            sweep=[tile("replicate", 3), tile("replicate", 4, variant="swept", ksize="3")],
        )
        names = ("swept", "other", "two_batch")
        there = measured(sweep=[tile("replicate", 5, variant=name, machine="m2", device="H100") for name in names])
        tables = of("05_cuda_shared", here, there)
        found = [(table.caption.split(";")[0], [line[:2] for line in table.rows]) for table in tables]
        wanted = [
            ("H200: 5x5 Gaussian, RGB", [["two_batch", "2.00"]]),
            ("H200: 5x5 Gaussian, gray", [["gray", "1.00"]]),
            ("H100: 5x5 Gaussian, RGB", [["swept", "5.00"], ["other", "5.00"]]),
        ]
        self.assertEqual(found, wanted)

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
        self.assertEqual(table.header[2:4], ["ms at 720p", "speed-up over `nested`"])

    def test_nothing_timed(self) -> None:
        failed = measured(row("a", "v", "480p", 1, status="failed"))
        self.assertIsNone(ladder(failed))
        self.assertEqual(of("a", failed), ["Not measured."])
