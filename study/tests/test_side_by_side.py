# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The pages of variants side by side, and the counters of their kernels."""

from fabricate import ROOT, Case, Fields, row, write

from study.measurements.rows import read_folder
from study.measurements.selection import Results
from study.parts.pages import before, busiest, cells, counters_table, pages, side_by_side, times

LABS = ROOT / "labs"
METRICS = {
    "smsp__inst_executed.sum": "259,200",
    "dram__bytes_read.sum": "8,294,400",
    "dram__bytes_write.sum": "8,294,400",
    "launch__registers_per_thread": "32",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": "40.5",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": "80.1",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "90",
    "launch__shared_mem_per_block": "1,024",
}


class SideBySide(Case):
    def profile(self, name: str, launches: int) -> None:
        lines = ["ID,Kernel Name,Block Size,Metric Name,Metric Value"]
        for launch in range(launches):
            kernel = f'{launch},"void n::k<1>(int)","(16, 16, 1)"'
            lines += [f'{kernel},{metric},"{value}"' for metric, value in METRICS.items()]
        (self.base / "profile").mkdir(exist_ok=True)
        (self.base / "profile" / f"{name}_4k.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def measured(self, machine: str, *rows: Fields) -> Results:
        write(self.base / machine / "a.csv", [{**one, "machine": machine} for one in rows])
        return Results(read_folder(self.base / machine))

    def test_every_since_names_a_page(self) -> None:
        known = pages(LABS)
        self.assertGreater(len(known), 40)
        found = {at: before(at[0], path.read_text(encoding="utf-8"), known) for at, path in known.items()}
        for page, expected in (
            (("01_sequential", "nested"), None),
            (("01_sequential", "flat"), LABS / "01_sequential/01_nested.cpp"),
            (("04_cuda_constant", "padded"), LABS / "03_cuda_global/04_padded.cu"),
            (("05_cuda_shared", "two_batch"), LABS / "05_cuda_shared/04_inner_tile.cu"),
        ):
            self.assertEqual(found[page], expected)
        self.assertEqual(list(found.values()).count(None), 1)
        text = side_by_side(LABS, self.base, [self.measured("a", row("01_sequential", "aos", "8k", 1))])
        self.assertEqual(text.count("<details>"), len(known))
        self.assertIn("<b>01_sequential/01_nested.cpp</b> next to nothing before it: not measured", text)
        self.assertIn("<b>11_mpi/01_scatter.cpp</b> next to 02_pthread/01_rows.cpp: ", text)

    def test_a_time_of_another_machine_names_it(self) -> None:
        ranks = [
            row("11_mpi", "halo", "8k", ms, ranks=count, passes=passes)
            for count, passes, ms in (("1", "1", 8), ("4", "1", 2), ("4", "100", 1))
        ]
        refused = row("11_mpi", "gpu_direct", "1080p", 1, status="unsupported", reason="not CUDA-aware")
        aos, chain = row("03_cuda_global", "aos", "8k", 5), row("06_async_streams", "chain_cpu", "4k", 7)
        here = self.measured("here", row("03_cuda_global", "aos", "8k", 3))
        machines = [here, self.measured("there", *ranks, aos, chain, refused)]
        for lab, variant, words in (
            ("03_cuda_global", "aos", "3.00 ms at 8k"),
            ("11_mpi", "halo", "on there: 2.00 ms at 8k with 4 ranks"),
            ("11_mpi", "gpu_direct", "refused"),
            ("11_mpi", "io", "not measured"),
        ):
            self.assertEqual(times(machines, lab, variant), [words])
        self.assertIn("on there: 7.00 ms at 4k", times(machines, "06_async_streams", "chain_cpu")[0])

    def test_the_page_shows_what_changed_its_time_and_counters(self) -> None:
        gray = row("04_cuda_constant", "gray", "8k", 2.5, backend="cuda", channels="1", type="int32")
        results = self.measured(".", row("04_cuda_constant", "unrolled", "8k", 1.25, backend="cuda"), gray)
        self.profile("04_cuda_constant_unrolled", 1)
        text = side_by_side(LABS, self.base, [results])
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
        self.profile("l_two", 2)
        both = "multiprocessor, 80 %; multiprocessor, 80 %"
        self.assertEqual(cells(self.base, "l", "two"), ["2.00", "4.00", both, "90 %", "32", "1024"])
        self.assertEqual(cells(self.base, "l", "none"), [])
        self.assertEqual(busiest({}), "–")
        (table,) = counters_table(self.base, [("l", "one"), ("l", "two")])
        self.assertEqual([line[0] for line in table.rows], ["l two"])
        self.assertEqual(counters_table(self.base, [("m", "two")]), [])
