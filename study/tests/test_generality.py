# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What generality costs: which rows are compared, and what stands where there are none."""

import tempfile
import unittest
from pathlib import Path
from typing import Dict

from fabricate import row, write

from study.measurements.rows import read_folder
from study.measurements.selection import Results
from study.parts.generality import NOT_MEASURED, readme_generality
from study.parts.labs import overview, overview_notes


def measured(*rows: Dict[str, str], sweep: bool = False) -> Results:
    """The rows, written to a file and read again."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / ("a_sweep.csv" if sweep else "a.csv"), rows)
        return Results(read_folder(Path(folder)))


def timed(lab: str, variant: str, border: str, ms: float, /, **changes: str) -> Dict[str, str]:
    """A row of the protocol at 4k on a GPU."""
    return row(
        lab, variant, "4k", ms, **{**dict(backend="cuda", device="NVIDIA H200", border=border, block="16"), **changes}
    )


def tile(border: str, ms: float, /, **changes: str) -> Dict[str, str]:
    return timed("05_cuda_shared", "two_batch", border, ms, **changes)


class Generality(unittest.TestCase):
    def test_general_over_compiled(self) -> None:
        """Medians; lab 03 has both tables, labs 04 and 05 their own."""
        results = measured(
            tile("replicate", 2),
            tile("reflect101", 3),
            tile("wrap", 7),
            timed("04_cuda_constant", "aos", "replicate", 5),
            timed("04_cuda_constant", "unrolled", "replicate", 4),
        )
        border = "| 05_cuda_shared `two_batch` | 4k | 2.00 | 3.00 | 1.50 |"
        side = "| `unrolled`, `aos` | 4k | 4.00 | 5.00 | 1.25 |"
        for lab, has_border, has_side in (
            ("03_cuda_global", True, True),
            ("04_cuda_constant", False, True),
            ("05_cuda_shared", True, False),
        ):
            text = readme_generality(results, lab) or ""
            self.assertEqual((border in text, side in text), (has_border, has_side), lab)
            self.assertNotIn(NOT_MEASURED, text)
            self.assertNotIn("8k", text)
        self.assertIsNone(readme_generality(results, "06_async_streams"))

    def test_not_measured(self) -> None:
        """One of two rows, rows of two programs, of a sweep, of another filter: no line."""
        self.assert_none(measured(tile("replicate", 2)))
        self.assert_none(measured(tile("replicate", 2, build="old", revision="r0"), tile("reflect101", 3)))
        self.assert_none(measured(tile("replicate", 2, build="old", dirty="1"), tile("reflect101", 3, dirty="1")))
        self.assert_none(measured(tile("replicate", 2, build="old", revision=""), tile("reflect101", 3, revision="")))
        self.assert_none(measured(tile("replicate", 2), tile("reflect101", 3, status="failed")))
        self.assert_none(measured(tile("replicate", 2), tile("reflect101", 3, ksize="3")))
        self.assert_none(measured(tile("replicate", 2), tile("reflect101", 3, cold="1")))
        self.assert_none(measured(tile("replicate", 2), tile("reflect101", 3), sweep=True))

    def test_two_builds_of_one_revision(self) -> None:
        """nvcc's object code differs from build to build: the revision says that it is one program."""
        results = measured(tile("replicate", 2, build="old"), tile("reflect101", 3))
        self.assertIn("| 2.00 | 3.00 | 1.50 |", readme_generality(results, "05_cuda_shared") or "")

    def assert_none(self, results: Results) -> None:
        self.assertEqual(readme_generality(results, "05_cuda_shared"), NOT_MEASURED)

    def test_noisy_rows_are_marked(self) -> None:
        text = (
            readme_generality(measured(tile("replicate", 2, noisy="1"), tile("reflect101", 3)), "05_cuda_shared") or ""
        )
        self.assertIn("| 2.00† | 3.00 |", text)
        self.assertIn("†: noisy", text)


class OtherBorders(unittest.TestCase):
    def test_the_other_borders_of_a_job_are_a_note(self) -> None:
        results = measured(
            *(
                tile(border, 2, size=size, width="3840" if size == "4k" else "7680")
                for border, sizes in (("wrap", ("4k",)), ("replicate", ("4k", "8k")), ("reflect", ("4k",)))
                for size in sizes
            )
        )
        table = overview(results)
        assert table is not None
        self.assertEqual([line[1] for line in table.rows], ["two_batch"])
        self.assertIn(
            "Also measured, in `results/reference/`: 5x5 Gaussian, borders wrap and reflect, RGB",
            "\n".join(overview_notes(results, table)),
        )

    def test_a_row_without_a_time_and_a_noisy_one(self) -> None:
        table = overview(
            measured(row("a", "v", "480p", 1, noisy="1"), row("a", "w", "480p", 1, status="failed", reason="3 differ."))
        )
        assert table is not None
        self.assertEqual([line[1:3] for line in table.rows], [["v", "1.00†"], ["w", "failed"]])


if __name__ == "__main__":
    unittest.main()
