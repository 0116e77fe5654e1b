# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The pages of variants side by side, and the counters of their kernels."""

import tempfile
import unittest
from pathlib import Path
from typing import Dict

from fabricate import ROOT, row, write

from study.measurements.rows import read_folder
from study.measurements.selection import Results
from study.parts.pages import before, busiest, cells, counters_table, pages, side_by_side, times

METRICS = (
    ("smsp__inst_executed.sum", "259,200"),
    ("dram__bytes_read.sum", "8,294,400"),
    ("dram__bytes_write.sum", "8,294,400"),
    ("launch__registers_per_thread", "32"),
    ("dram__throughput.avg.pct_of_peak_sustained_elapsed", "40.5"),
    ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "80.1"),
    ("sm__warps_active.avg.pct_of_peak_sustained_active", "90"),
    ("launch__shared_mem_per_block", "1,024"),
)


class SideBySide(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.base = Path(holder.name)

    def profile(self, name: str, launches: int) -> None:
        (self.base / "profile").mkdir(exist_ok=True)
        lines = ["ID,Kernel Name,Block Size,Metric Name,Metric Value"]
        for launch in range(launches):
            lines += [f'{launch},"void n::k<1>(int)","(16, 16, 1)",{metric},"{value}"' for metric, value in METRICS]
        (self.base / "profile" / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def test_every_since_names_a_page(self) -> None:
        known = pages(ROOT / "labs")
        self.assertGreater(len(known), 40)
        for expected, page in (
            ("01_sequential/01_nested.cpp", ("01_sequential", "flat")),
            ("03_cuda_global/04_padded.cu", ("04_cuda_constant", "padded")),
            ("05_cuda_shared/04_inner_tile.cu", ("05_cuda_shared", "two_batch")),
        ):
            text = known[page].read_text(encoding="utf-8")
            self.assertEqual(before(page[0], text, known), ROOT / "labs" / expected)

    def test_every_page_but_the_first_has_one_before_it(self) -> None:
        known = pages(ROOT / "labs")
        alone = [
            page for page, path in known.items() if before(page[0], path.read_text(encoding="utf-8"), known) is None
        ]
        self.assertEqual(alone, [("01_sequential", "nested")])
        text = side_by_side(ROOT / "labs", self.base, [self.measured("a", row("01_sequential", "aos", "8k", 1))])
        self.assertEqual(text.count("<details>"), len(known))
        self.assertIn("<b>01_sequential/01_nested.cpp</b> next to nothing before it: not measured", text)
        self.assertIn("<b>11_mpi/01_scatter.cpp</b> next to 02_pthread/01_rows.cpp: ", text)

    def measured(self, machine: str, *rows: Dict[str, str]) -> Results:
        write(self.base / machine / "a.csv", [{**one, "machine": machine} for one in rows])
        return Results(read_folder(self.base / machine))

    def test_a_time_of_another_machine_names_it(self) -> None:
        ranks = [
            row("11_mpi", "halo", "8k", ms, ranks=count, passes=passes)
            for count, passes, ms in (("1", "1", 8), ("4", "1", 2), ("4", "100", 1))
        ]
        refused = row("11_mpi", "gpu_direct", "1080p", 1, status="unsupported", reason="not CUDA-aware")
        machines = [
            self.measured("here", row("03_cuda_global", "aos", "8k", 3)),
            self.measured(
                "there",
                *ranks,
                row("03_cuda_global", "aos", "8k", 5),
                row("06_async_streams", "chain_cpu", "4k", 7),
                refused,
            ),
        ]
        self.assertEqual(times(machines, "03_cuda_global", "aos"), ["3.00 ms at 8k"])
        self.assertEqual(times(machines, "11_mpi", "halo"), ["on there: 2.00 ms at 8k with 4 ranks"])
        self.assertIn("on there: 7.00 ms at 4k", times(machines, "06_async_streams", "chain_cpu")[0])
        self.assertEqual(times(machines, "11_mpi", "gpu_direct"), ["refused"])
        self.assertEqual(times(machines, "11_mpi", "io"), ["not measured"])

    def test_the_page_shows_what_changed_its_time_and_counters(self) -> None:
        write(
            self.base / "a.csv",
            [
                row("04_cuda_constant", "unrolled", "8k", 1.25, backend="cuda"),
                row("04_cuda_constant", "gray", "8k", 2.5, backend="cuda", channels="1", type="int32"),
            ],
        )
        self.profile("04_cuda_constant_unrolled_4k.csv", 1)
        text = side_by_side(ROOT / "labs", self.base, [Results(read_folder(self.base))])
        self.assertIn(
            "<b>04_cuda_constant/05_unrolled.cu</b> next to 04_cuda_constant/03_aos.cu: 1.25 ms at "
            "8k; instructions per pixel: 1.00; bytes of memory per pixel: 2.00; busiest unit: "
            "multiprocessor, 80 %",
            text,
        )
        self.assertIn("2.50 ms at 8k (5x5 Gaussian, gray", text)
        self.assertIn("<tr class=changed>", text)
        self.assertNotIn("Copyright", text)

    def test_counters(self) -> None:
        self.profile("l_two_4k.csv", 2)
        self.assertEqual(
            cells(self.base, "l", "two"),
            ["2.00", "4.00", "multiprocessor, 80 %; multiprocessor, 80 %", "90 %", "32", "1024"],
        )
        self.assertEqual(cells(self.base, "l", "none"), [])
        self.assertEqual(busiest({}), "–")
        (table,) = counters_table(self.base, [("l", "one"), ("l", "two")])
        self.assertEqual([line[0] for line in table.rows], ["l two"])
        self.assertEqual(counters_table(self.base, [("m", "two")]), [])


if __name__ == "__main__":
    unittest.main()
