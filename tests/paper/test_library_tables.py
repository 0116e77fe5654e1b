# SPDX-License-Identifier: MIT
"""The tables of library/README.md, from made-up rows of tools/library/bench.sh."""

from pathlib import Path

from report.make.paper.parts.library import FILE, library_tables
from tests.tools.made_up_rows import SIZES, row, write

FORMS = {"pitched": "lab 12 wgmma", "tight": "lab 12 wgmma, any address", "npp": "NPP 13.0"}


def timed(variant: str, ms: float, size: str = "8k", **changes: str) -> dict[str, str]:
    how = dict(backend="cuda", device="NVIDIA Toy", filter="edge", cold="1", ksize="9", reason=FORMS[variant])
    return row("library", variant, size, ms, **{**how, **changes})


def test_a_line_has_the_times_of_the_library_and_the_ratios_of_the_others(tmp_path: Path) -> None:
    width, height = SIZES["8k"]
    copy = str(2 * 3 * width * height / 0.1 / 1e6)  # GB/s: a copy takes 0.1 ms
    rows = [
        timed("pitched", 0.125, ksize="3", copy_gb_per_s=copy, reason="lab 05 packed"),
        timed("pitched", 0.2, copy_gb_per_s=copy, noisy="1"),
        timed("tight", 0.25, ksize="3"),
        timed("tight", 0.3),
        timed("npp", 2),
        timed("pitched", 0.01, "480p", copy_gb_per_s=copy),
        timed("pitched", 9, cold="0"),
        timed("pitched", 9, channels="1"),
        timed("npp", 0, ksize="3", status="failed", reason="wrong"),
    ]
    write(tmp_path / "toy" / FILE, rows)
    write(tmp_path / "other" / "12_tensor.csv", [row("12_tensor", "tensor", "8k", 1)])
    lines = library_tables(tmp_path).splitlines()
    assert lines[0] == "Toy, RGB:"
    assert lines[2] == "| filter | picture | kernel | 3x3 | 9x9 | of a copy | other views | NPP |"
    small, large = (line.strip("| ").split(" | ") for line in lines[4:6])
    assert small == ["edge", "853 x 480", "lab 12 wgmma", "–", "10.0", "12 %", "–", "–"]
    assert large[:5] == ["edge", "7680 x 4320", "lab 05 packed and lab 12 wgmma", "125", "200†"]
    assert large[5:] == ["50 % to 80 %", "1.50 to 2.00", "10.0"]
    assert lines[7] == "Toy, gray:"
    assert lines[11].startswith("| edge | 7680 x 4320 | lab 12 wgmma | 9000 |")
