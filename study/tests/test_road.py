# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The road: what each step gains, its kernel alone and from host to host."""

import importlib.util
import tempfile
import unittest
from pathlib import Path
from typing import Dict, List

from fabricate import row, write

from study.figures.content import Table
from study.measurements.rows import read_folder
from study.measurements.selection import Results


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Road(unittest.TestCase):
    def tables(self, rows: List[Dict[str, str]]) -> List[Table]:
        from study.parts.road import road

        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder) / "a.csv", rows)
            return [item for item in road(Results(read_folder(Path(folder)))) if isinstance(item, Table)]

    def test_gains_of_kernels_and_from_host_to_host(self) -> None:
        def cuda(total: str) -> Dict[str, str]:
            return {"backend": "cuda", "device": "Toy GPU", "total_ms_median": total}

        kernels, whole = self.tables(
            [
                row("01_sequential", "nested", "8k", 1000),
                row("01_sequential", "simd", "8k", 20),
                row("02_pthread", "simd_rows", "8k", 5, threads="2"),
                row("03_cuda_global", "naive", "8k", 4, **cuda("40")),
                row("03_cuda_global", "coalesced", "8k", 1, **cuda("10")),
                row("04_cuda_constant", "unrolled", "8k", 0.5, **cuda("")),
            ]
        )
        self.assertEqual(
            kernels.header, ["step", "ms", "over the step before", "over nested", "over simd", "over simd_rows"]
        )
        alone, ends = ({line[0]: line[1:] for line in table.rows} for table in (kernels, whole))
        self.assertEqual(alone["03_cuda_global coalesced"], ["1.00", "4.00x", "1000x", "20.0x", "5.00x"])
        self.assertEqual(ends["03_cuda_global coalesced"], ["10.0", "4.00x", "100x", "2.00x", "0.500x"])
        self.assertEqual(ends["03_cuda_global naive"], ["40.0", "0.125x", "25.0x", "0.500x", "0.125x"])
        self.assertEqual(ends["04_cuda_constant unrolled"], ["not measured"] * 5)
        self.assertEqual(alone["01_sequential nested"][:3], ["1000", "\u2013", "1.00x"])
        self.assertEqual(alone["01_sequential simd"], ["20.0", "not measured", "50.0x", "1.00x", "0.250x"])


if __name__ == "__main__":
    unittest.main()
