# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The counters of kernels."""

from fabricate import Case

from study.parts.counters import busiest, cells, counters_table

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


class Counters(Case):
    def profile(self, name: str, launches: int) -> None:
        lines = ["ID,Kernel Name,Block Size,Metric Name,Metric Value"]
        for launch in range(launches):
            kernel = f'{launch},"void n::k<1>(int)","(16, 16, 1)"'
            lines += [f'{kernel},{metric},"{value}"' for metric, value in METRICS.items()]
        (self.base / "profile").mkdir(exist_ok=True)
        (self.base / "profile" / f"{name}_4k.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def test_counters(self) -> None:
        self.profile("l_two", 2)
        both = "multiprocessor, 80 %; multiprocessor, 80 %"
        self.assertEqual(cells(self.base, "l", "two"), ["2.00", "4.00", both, "90 %", "32", "1024"])
        self.assertEqual(cells(self.base, "l", "none"), [])
        self.assertEqual(busiest({}), "–")
        (table,) = counters_table(self.base, [("l", "one"), ("l", "two")])
        self.assertEqual([line[0] for line in table.rows], ["l two"])
        self.assertEqual(counters_table(self.base, [("m", "two")]), [])
