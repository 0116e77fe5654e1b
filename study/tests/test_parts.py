# SPDX-License-Identifier: MIT
"""The road, when the GPU pays, chains and rooflines: drawn where there are rows, "not measured" without."""

import unittest
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest
from fabricate import GPU, NO_KERNEL, Fields, drawn, measured, row

from study.figures.content import Figure
from study.parts import pays, roofline
from study.parts.road import busiest, cells, counters_table, road

CPU = "Toy CPU, 2 cores"
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


def copied(variant: str, ms: float, devices: str = "1", size: str = "4k", **changes: str) -> Fields:
    times = {f"total_ms_{name}": str(ms) for name in ("median", "p95", "p05")}
    fields = {**GPU, **NO_KERNEL, **times, "devices": devices, "gpus": devices, "bus_both_gb_per_s": "50", **changes}
    return row("06_async_streams", variant, size, 1, **fields)


def chained(variant: str, ms: float, filters: int, size: str = "4k", **changes: str) -> Fields:
    """A chain of filters on the GPU or on all cores."""
    if variant == "chain":
        return copied(variant, ms, size=size, filters=str(filters), **changes)
    return row("06_async_streams", variant, size, ms, filters=str(filters), threads="2", **changes)


class Parts(unittest.TestCase):
    def test_nothing_measured_is_said(self) -> None:
        nothing = measured(row("a", "v", "480p", 1))
        assert "Not measured: a chain" in str(pays.chains(nothing)[0])
        assert "Not measured: a roofline" in str(roofline.rooflines([nothing]))

    def test_gains_of_the_steps(self) -> None:
        results = measured(
            row("01_sequential", "nested", "8k", 1000),
            row("01_sequential", "simd", "8k", 20),
            row("02_pthread", "simd_rows", "8k", 5, threads="2"),
            row("03_cuda_global", "naive", "8k", 4, **GPU),
            row("03_cuda_global", "coalesced", "8k", 1, **GPU),
        )
        _, figure, table = road(results)
        drawn(figure)
        over = ["over the step before", "over nested", "over simd", "over simd_rows"]
        assert table.header == ["step", "ms", *over]
        alone = {line[0]: line[1:] for line in table.rows}
        assert alone["03_cuda_global coalesced"] == ["1.00", "4.00x", "1000x", "20.0x", "5.00x"]
        assert alone["01_sequential nested"][:3] == ["1000", "–", "1.00x"]
        assert alone["01_sequential simd"] == ["20.0", "not measured", "50.0x", "1.00x", "0.250x"]

    def test_a_picture_in_the_caches_and_one_from_memory(self) -> None:
        """A picture in a cache of 300 MiB was called the CPU's time, and rows of two sessions stood side by side."""
        later = {"date": "2026-02-02T03:04:05Z"}
        old = [row("02_pthread", "simd_rows", "4k", 1), copied("streams", 9, streams="3")]
        cpu = [row("02_pthread", "simd_rows", "4k", ms, cold=cold, **later) for ms, cold in ((4, "0"), (20, "1"))]
        gpu = [copied("streams", ms, streams="3", cold=cold, **later) for ms, cold in ((10, "0"), (11, "1"))]
        found = pays.methods(measured(*old, *cpu, *gpu))
        assert dict(zip(found["method"], found["ms"])) == {pays.WARM: 4, pays.COLD: 20, pays.ONE: 10, pays.ONE_COLD: 11}
        both = [("m", found), ("n", found)]
        won = {(who, cold): pays.won(both, who, cold) for who in ("CPU", "GPU") for cold in (False, True)}
        expected: Dict[Any, List[str]] = {("CPU", False): ["4k"], ("CPU", True): [], ("GPU", False): []}
        assert won == {**expected, ("GPU", True): ["4k"]}
        other = found.assign(ms=found["ms"].replace(20, 4))
        assert pays.won([*both, ("o", other)], "GPU", True) == []  # not in each run
        (table,) = pays.runs_table([("m", found)])
        assert table.rows == [["m", "4k", "4.00", "20.0", "10.0", "11.0"]]


class Chains(unittest.TestCase):
    def gains(self, items: List[Any]) -> Dict[str, List[Tuple[float, float]]]:
        """The points of each line of the figure."""
        return {line.get_label(): list(zip(*line[0].get_data())) for line in drawn(items[1]).axes[0].containers}

    def test_a_chain_beside_all_cores(self) -> None:
        rows = [chained("chain", ms, count) for count, ms in ((1, 4), (2, 5))]
        rows += [chained("chain_cpu", 3 * count, count) for count in (1, 2, 4)]
        results = measured(*rows)
        items = pays.chains(results)
        words = "No chain is faster on the GPU: the intervals of the two times are less than 25 % apart, by which two runs of "
        assert items[0] == words + "one program on a CPU often differ, or the GPU takes longer."
        more = pays.chains(measured(*rows, chained("chain", 6, 4)))[0]
        assert "the GPU is faster from 4 filters on at 4k. With fewer" in more
        assert self.gains(items) == {"4k": [(1, 0.75), (2, 1.2)]}
        assert results.speed_up(results.rows).isna().all()

    def test_a_size_with_one_number_of_filters_says_nothing_about_fewer(self) -> None:
        one = [chained("chain", 1, 4, "720p"), chained("chain_cpu", 9, 4, "720p")]
        assert pays.chains(measured(*one)) == [pays.NONE]
        several = [chained(variant, ms, count) for count in (1, 4) for variant, ms in (("chain", 1), ("chain_cpu", 9))]
        items = pays.chains(measured(*one, *several))
        assert "With its copies the GPU is faster from 1 filter on at 4k." == items[0]
        assert list(self.gains(items)) == ["4k"]


class Roofline(unittest.TestCase):
    def roofs(self, *more: Fields, machine: str = "toy", rates: Any = ("50", "100", "90")) -> List[Any]:
        """Three variants of lab 01 at 8k, each beside its copy."""
        variants = zip((("nested", 40), ("flat", 30), ("simd", 10)), rates)
        rows = [
            row("01_sequential", name, "8k", ms, copy_gb_per_s=rate, copy_how="16 threads, memcpy", machine=machine)
            for (name, ms), rate in variants
        ]
        return roofline.rooflines([measured(*rows, *more)])

    def best(self, figure: Figure) -> Tuple[List[str], float]:
        """The names at the right axis, and the share of the roof of the first, in per cent."""
        right = drawn(figure).axes[1]
        first = next(line for line in right.lines if list(line.get_ydata()) == [0])
        return [text.get_text() for text in right.get_yticklabels()], first.get_xdata()[0]

    def test_the_sloped_roof_is_the_median_copy_and_no_program_is_its_own_flat_roof(self) -> None:
        """The roof was the fastest copy of all sessions, and a CPU's best program stood at 100 % of itself."""
        items = self.roofs()
        assert self.best(items[1])[1] == pytest.approx(100 * 7680 * 4320 * 6 / 10e6 / 90)
        assert "highest rate of operations" not in items[1].caption

    def test_the_flat_roof_is_of_a_row_that_is_not_drawn(self) -> None:
        items = self.roofs(row("01_sequential", "simd", "8k", 5, ksize="9", operations=str(10**10)))
        assert "highest rate of operations" in items[1].caption
        assert self.best(items[1])[1] == pytest.approx(100 * (2 * 25 * 3 * 7680 * 4320 / 10e6) / (10**10 / 5e6))

    def test_the_roof_is_of_a_variant_that_visits_every_tap(self) -> None:
        rows = [row("01_sequential", variant, "4k", ms) for variant, ms in (("flat", 2), ("fft", 1))]
        results = measured(*rows)
        top = roofline.highest(results, CPU, results.rows[:0])
        assert top is not None and top["variant"] == "flat"

    def test_each_processor_has_one_where_it_has_three_variants(self) -> None:
        gpu = [row("03_cuda_global", name, "8k", ms, **GPU) for name, ms in (("naive", 5), ("coalesced", 2))]
        items = self.roofs(*gpu)
        assert self.best(items[1])[0] == ["01 simd", "01 flat", "01 nested"]
        assert "Not measured: a roofline of Toy GPU" in items[-1]


def test_counters(tmp_path: Path) -> None:
    lines = ["ID,Kernel Name,Block Size,Metric Name,Metric Value"]
    for launch in range(2):
        kernel = f'{launch},"void n::k<1>(int)","(16, 16, 1)"'
        lines += [f'{kernel},{metric},"{value}"' for metric, value in METRICS.items()]
    (tmp_path / "profile").mkdir()
    (tmp_path / "profile" / "l_two_4k.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    both = "multiprocessor, 80 %; multiprocessor, 80 %"
    assert cells(tmp_path, "l", "two") == ["2.00", "4.00", both, "90 %", "32", "1024"]
    assert busiest({}) == "–"
    (table,) = counters_table(tmp_path, [("l", "one"), ("l", "two")])
    assert [line[0] for line in table.rows] == ["l two"]
    assert counters_table(tmp_path, [("m", "two")]) == []
