# SPDX-License-Identifier: MIT
"""Where rows come from: the machines, the files of a folder, its sessions and their copies, and a second run."""

from pathlib import Path

from fabricate import GPU, MAIN, Fields, measured, row, write

from study.parts import machines
from study.parts.machines import KINDS, agreements


def table(folder: Path) -> str:
    """The sessions and the second run, as results/reference/details.md has them."""
    return machines.runs_table(folder)


def folder(base: Path, *rows: Fields) -> None:
    write(base / "lab.csv", rows)


def test_a_second_run(tmp_path: Path) -> None:
    gpu = {**GPU, "gpus": "1"}
    copies = {**gpu, "kernel_ms_median": "", "total_ms_median": "4", "bus_both_gb_per_s": "100"}
    first = [row("l", name, "480p", 2) for name in ("v", "w", "once")]
    folder(tmp_path / "m", *first, row("l", "g", "480p", 2, **gpu), row("l", "c", "480p", 2, **copies))
    again = [row("l", "v", "480p", 2.08), row("l", "w", "480p", 3), row("l", "g", "480p", 2.02, **gpu)]
    folder(tmp_path / "m/second_run", *again, row("l", "c", "480p", 2, **{**copies, "total_ms_median": "5"}))
    for line in (
        "| CPU | 2 | 50 % within 5.0 %, 50 % within 25 % | 27 % | 50 % | 1 | 0 % within 5.0 %, 0 % within 25 % | 44 % |",
        "| GPU, kernel | 1 | 100 % within 2.0 % | 1.0 % | 1.0 % | 0 | – | – |",
        "| GPU, with copies | 1 | 0 % within 2.0 %, 0 % within 10 % | 25 % | 25 % | 0 | – | – |",
    ):
        assert line in table(tmp_path)


def test_ratios_of_a_second_run_are_of_configurations_that_took_turns_in_both(tmp_path: Path) -> None:
    """A slower host changes times, not ratios; ratios of two calls of a lab do not count."""
    for name, v, w, seed in (("m", 2, 4, "2"), ("m/second_run", 3, 6, "1")):
        rows = [row("l", "v", "480p", v, seed="1"), row("l", "w", "480p", w, seed="1")]
        folder(tmp_path / name, *rows, row("l", "x", "480p", 6, seed=seed), row("l", "v", "720p", 5, seed="1"))
    medians, ratios = "50 % within 5.0 %, 50 % within 25 % | 25 % | 50 %", "100 % within 5.0 %, 100 % within 25 % | 0 %"
    assert f"| CPU | 4 | {medians} | 1 | {ratios} |" in table(tmp_path)


def test_the_margins_are_what_nine_of_ten_ratios_agree_within() -> None:
    for kind, _, ratios in agreements(MAIN):
        assert round(sum(one <= KINDS[kind][2] for one in ratios) / len(ratios), 1) >= 0.9, kind


def test_the_sessions_of_a_folder_and_their_rows(tmp_path: Path) -> None:
    early, late = ({"date": f"2026-11-23T{hour}Z", "revision": "aaaaaaa1"} for hour in ("03:58:11", "06:52:03"))
    rows = [row("01_sequential", "v", "480p", 2, **early), row("01_sequential", "w", "480p", 2, **late)]
    write(tmp_path / "m" / "01_sequential.csv", rows)
    swept = [row("01_sequential", name, "480p", 2, ksize="3", **late) for name in "vw"]
    write(tmp_path / "m" / "01_sequential_sweep.csv", swept)
    assert "| 2026-11-23 03:58 | aaaaaaa | `01_sequential` 1 |" in table(tmp_path)
    assert "| 2026-11-23 06:52 | aaaaaaa | `01_sequential` 1, `01_sequential_sweep` 2 |" in table(tmp_path)


def test_the_copies_of_all_sessions() -> None:
    copies = (
        ("480p", "40", "16 threads, memcpy", "0"),
        ("720p", "20", "16 threads, memcpy", "0"),
        ("1080p", "30", "16 threads, 64-byte stores", "0"),
        ("1440p", "5", "1 thread, memcpy", "0"),
        ("4k", "10", "16 threads, memcpy", "1"),
    )
    results = measured(
        *(
            row("01_sequential", "simd", *one[:1], 1, copy_gb_per_s=one[1], copy_how=one[2], cold=one[3])
            for one in copies
        )
    )
    words = str(machines.measured(results, Path("nowhere")).items[0])
    assert "A copy by Toy, 2 cores, in 3 sessions: 20.0 to 40.0 GB/s, median 30.0." in words
    assert "of images that are not in the cache, in 1 session: 10.0 GB/s, median 10.0." in words


def test_machines_in_full() -> None:
    rows = [row("01_sequential", "nested", "480p", 1), row("03_cuda_global", "naive", "480p", 1, compiler="nvcc")]
    (found,) = machines.machines_section([measured(*rows)]).items
    lines = {line[0]: line[1] for line in found.rows}  # type: ignore[union-attr]
    assert lines["compiler"] == "g++ 12.2.0; nvcc"
    assert "sockets" not in lines
