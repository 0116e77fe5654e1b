# SPDX-License-Identifier: MIT
"""The road, when the GPU pays, chains and rooflines; all variants at all sizes, ranks and GPUs."""

from pathlib import Path
from typing import Any

import pytest

from report.make.paper.measurements.machine import Results, read_folder
from report.make.paper.parts import pays
from report.make.paper.parts.machines import by_count
from report.make.paper.parts.road import cells, counters_table, profiled, road, roofline
from tests.paper.fabricate import GPU, MAIN, NO_KERNEL, Fields, drawn, measured, row, write

METRICS = {
    "smsp__inst_executed.sum": "1,036,800",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": "40.5",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": "80.1",
    "l1tex__data_pipe_lsu_wavefronts.sum": "16,588,800",
    "dram__bytes.sum": "1,000",
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio": "3",
    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio": "1",
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


def test_nothing_measured_is_said(tmp_path: Path) -> None:
    nothing = measured(row("a", "v", "480p", 1))
    assert "Not measured: a chain" in str(pays.chains(nothing)[0])
    assert "Not measured: a roofline" in str(roofline([]))
    assert "Not measured: all cores" in str(pays.when_it_pays(nothing, pays.rounds(tmp_path))[0])


def test_gains_of_the_steps() -> None:
    results = measured(
        row("01_sequential", "nested", "8k", 1000),
        row("01_sequential", "simd", "8k", 20),
        row("02_pthread", "simd_rows", "8k", 5, threads="2"),
        row("03_cuda_global", "naive", "8k", 4, **GPU),
        row("03_cuda_global", "coalesced", "8k", 1, **GPU),
    )
    figure, table = road(results)
    drawn(figure)
    alone = {line[0]: line[1:] for line in table.rows}
    assert alone["03_cuda_global coalesced"] == ["1.00", "4.00x", "1000x", "20.0x", "5.00x"]
    assert alone["01_sequential simd"] == ["20.0", "not measured", "50.0x", "1.00x", "–"]  # simd_rows is a later step


def test_who_is_ahead_is_decided_by_intervals_and_only_if_all_rounds_agree(tmp_path: Path) -> None:
    """Medians once decided, and the best number of bands was looked for in some runs only."""
    for count, gpu in enumerate((10, 11, 4.5), 1):
        rows = [row("02_pthread", "simd_rows", "4k", ms, threads=threads) for ms, threads in ((5, "16"), (7, "8"))]
        rows += [copied("streams", gpu + more, bands=bands) for more, bands in ((0, "16"), (3, "4"))]
        rows += [copied("frames", gpu / 10)]
        write(tmp_path / "copies" / f"round_{count}" / "a_sweep.csv", rows)
    found = pays.rounds(tmp_path)
    assert str(pays.ahead(found[found["round"] < "3"], "4k", "0")) == "CPU 2.00 to 2.20 (2/2)"
    assert pays.ahead(found, "4k", "0").who == "neither"
    assert pays.ahead(found, "4k", "0", pays.MANY)[:1] == ("GPU",)
    near = found.assign(low=found["ms"] * 0.6)
    assert pays.ahead(near[near["round"] < "3"], "4k", "0").decided == 1
    table = pays.rounds_table(found)
    assert "5.00, 5.00, 5.00" in table.rows[0]
    assert "best of 8 and 16 threads and of 4 and 16 bands" in table.caption


def test_rounds_of_one_setting_on_one_host_have_pageable_memory_beside_pinned_and_the_marks_of_noisy_rows(
    tmp_path: Path,
) -> None:
    for count in (1, 2):
        rows = [row("02_pthread", "simd_rows", "4k", 5, threads="16", cold=cold, noisy=cold) for cold in "01"]
        for name, bands in (("pageable", ""), ("streams", "8"), ("frames", "")):
            rows += [copied(name, 2 + count, bands=bands, cold=cold, noisy="0") for cold in "01"]
        write(tmp_path / "copies" / f"round_{count}" / "a_sweep.csv", rows)
    found = pays.rounds(tmp_path)
    table = pays.rounds_table(found, "elsewhere")
    assert table.header[2:6] == ["all cores", "GPU, pageable", "GPU, streams", "GPU, frames"]
    assert table.rows[1][:4] == ["in memory", "4k", "5.00†, 5.00†", "3.00, 4.00"]
    assert "2 rounds on 1 host" in table.caption
    assert "16 threads, 8 bands; †: noisy (2 of 16 times)." in table.caption
    assert pays.range_of(found, pays.CORES, "4k", "1") == "5.00†"
    assert pays.range_of(found, pays.PAGEABLE, "4k", "0") == "3.00 to 4.00"
    figure, *tables = pays.when_it_pays(
        measured(row("a", "v", "480p", 1)), found, [found, pays.rounds(tmp_path / "none")]
    )
    assert [item.name for item in tables] == ["rounds", "rounds_elsewhere"]
    points = [line for line in drawn(figure).axes[0].lines if line.get_marker() == "o" and len(line.get_xdata()) == 1]
    assert [line.get_markerfacecolor() == "white" for line in points] == [False, True] * 2


def test_a_chain_beside_all_cores() -> None:
    rows = [chained("chain", ms, count) for count, ms in ((1, 4), (2, 5))]
    rows += [chained("chain_cpu", 3 * count, count) for count in (1, 2, 4)]
    words, figure = pays.chains(measured(*rows))
    assert words == "the GPU is faster by more than 25 % with no number of filters; at 4k it is not"
    (line, _, _) = drawn(figure).axes[0].lines
    assert list(zip(*line.get_data())) == [(1, 0.75), (2, 1.2)]
    assert (
        pays.chains(measured(*rows, chained("chain", 6, 4)))[0]
        == "the GPU is faster by more than 25 % from 4 filters on at 4k"
    )
    both = [chained(variant, ms, count) for count in (1, 4) for variant, ms in (("chain", 1), ("chain_cpu", 9))]
    assert pays.chains(measured(*both))[0] == "the GPU is faster by more than 25 % from 1 filter on at 4k"


def profile(folder: Path, name: str) -> None:
    """A file of `make profile`."""
    lines = ["ID,Kernel Name,Block Size,Metric Name,Metric Value"]
    lines += [f'0,"void n::k<1>(int)","(16, 16, 1)",{metric},"{value}"' for metric, value in METRICS.items()]
    path = folder / "profile" / f"{name}.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_counters_of_the_kernels_that_were_profiled(tmp_path: Path) -> None:
    profile(tmp_path, "l_two_8k_ksize5_filterbox")
    ((name, launch),) = profiled(tmp_path, [("03_l", "one", ""), ("l", "two", "_ksize5_filterbox")])
    assert name == "l two, box"
    assert cells(launch) == ["multiprocessor, 80 %", "waits for memory, 75 %", "1.00", "0.500"]
    assert cells({}) == ["–"] * 4
    (table,) = counters_table([(name, launch)])
    assert [line[0] for line in table.rows] == ["1: l two, box"]
    assert counters_table([]) == []


def test_a_point_is_under_the_roofs_that_its_prices_give(tmp_path: Path) -> None:
    """Half of the issue slots are used, a quarter of the wavefronts, and an eighth of what a copy moves."""
    profile(tmp_path, "l_two_8k")
    kernels = profiled(tmp_path, [("l", "two", "")])
    prices = {"price_instructions": "1", "price_wavefronts": "0.5", "price_bytes": "0.25", "gpu__time_duration": "2e6"}
    (_, launch), *_ = kernels
    (figure,) = roofline([("l two", {**launch, **prices})])
    for axes, slope in zip(drawn(figure).axes, (4, 8)):
        roof, point = (list(zip(*line.get_data())) for line in axes.lines)
        ((x, y),) = point
        assert roof[1][1] == roof[2][1] == pytest.approx(2 * y)  # issue slots
        assert roof[0][1] / roof[0][0] == pytest.approx(slope * y / x)
    assert "Not measured" in str(roofline(kernels)[0])


def test_the_figures_of_the_committed_rows_have_no_title_and_labels_that_do_not_collide() -> None:
    results = Results(read_folder(MAIN))
    items: Any = [*road(results), *roofline(profiled(MAIN))]
    items += pays.when_it_pays(results, pays.rounds(MAIN))
    names = []
    for item in (one for one in items if hasattr(one, "draw")):
        figure = drawn(item)
        figure.canvas.draw()
        names.append(item.name)
        for axes in figure.axes:
            assert not axes.get_title()
            boxes = [label.get_window_extent() for label in axes.get_yticklabels() + axes.texts if label.get_text()]
            for place, one in enumerate(boxes):
                assert not any(one.overlaps(other) for other in boxes[place + 1 :]), item.name
    assert names == ["road", "roofline", "pays", "chain"]


def test_times_by_ranks_and_by_gpus() -> None:
    """A job with one number of them has no line."""
    at = dict(size="", width="1000", height="1000", passes="10", halo_passes="1")
    ranks = [row("11_mpi", "halo", "480p", 8 / count, ranks=str(count), **at) for count in (1, 2, 4)]
    ranks.append(row("11_mpi", "grid", "480p", 1, ranks="4", **at))
    (table,) = by_count(measured(*ranks), "11_mpi")
    assert table.header[3:] == ["1 rank", "2 ranks", "4 ranks"]
    assert [line[0:1] + line[2:] for line in table.rows] == [
        ["halo", "passes 10 and halo passes 1", "8.00", "4.00", "2.00"]
    ]
    several = [copied("multi_gpu", 4, in_flight="3"), copied("multi_gpu", 2.5, "2", in_flight="3")]
    (table,) = by_count(measured(*several), "06_async_streams")
    assert table.rows == [["multi_gpu", "4k", "in flight 3", "4.00", "2.50"]]
