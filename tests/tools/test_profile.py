# SPDX-License-Identifier: MIT
"""`make profile` with a program in the place of ncu that prints what it is asked for; and its summary of a file."""

import os
import subprocess
from pathlib import Path

import pytest

from report.make.profile import launches, summary

ROOT = Path(__file__).resolve().parents[2]
# An H200 on which one launch took 2 ms.
VALUES = {
    "gpu__time_duration.sum": "2,000,000",
    "dram__bytes_read.sum": "3,000,000,000",
    "dram__bytes_write.sum": "1,032,000,000",
    "l1tex__throughput.avg.pct_of_peak_sustained_active": "91.4",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": "80.1",
    "sm__issue_active.avg.pct_of_peak_sustained_elapsed": "24.6",
    "smsp__inst_executed.sum": "522,720,000",
    "l1tex__data_pipe_lsu_wavefronts.sum": "475,675,200",
    "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio": "2.5",
    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio": "2.0",
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio": "4.5",
    "smsp__average_warps_issue_stalled_misc_per_issue_active.ratio": "1",
    "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active": "20",
    "sm__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_elapsed": "70.6",
    "device__attribute_multiprocessor_count": "132",
    "device__attribute_clock_rate": "1,980,000",
    "device__attribute_memory_clock_rate": "3,201,000",
    "device__attribute_global_memory_bus_width": "6,144",
}
WORDS = """convolve: 2 ms; alone, in ms: instructions 0.5, wavefronts 1.82, bytes 1
  busiest unit: L1 and shared memory 91 %
  issue slots: 25 % used
  a warp waits for memory (long scoreboard) 45 %, waits at a barrier (barrier) 20 %
  busiest pipe: multiply-adds, also of integers (fmaheavy) 71 %
"""
# Two launches of a kernel, the first three times as long, and one that only fills memory.
NCU = (
    """#!/usr/bin/env python3
import sys
values = %r
print("==PROF== Connected")
print('"ID","Process ID","Process Name","Host Name","Kernel Name","Block Size","Metric Name","Metric Value"')
for launch, kernel in enumerate(("void lab::convolve<3>(int)", "void lab::convolve<3>(int)", "poison(int *)")):
    for name in sys.argv[sys.argv.index("--metrics") + 1].split(","):
        value = "6,000,000" if launch == 0 and "duration" in name else values.get(name, "0")
        print(f'"{launch}","1","lab","host","{kernel}","(8, 8, 1)","{name}","{value}"')
"""
    % VALUES
)


def write(path: Path, values: dict[str, str]) -> Path:
    lines = [f'1,"void lab::convolve<3>(int)","(8, 8, 1)",{name},"{value}"' for name, value in values.items()]
    path.write_text("\n".join(["ID,Kernel Name,Block Size,Metric Name,Metric Value", *lines, ""]), encoding="utf-8")
    return path


def test_make_profile_asks_for_what_it_says_in_words(tmp_path: Path) -> None:
    ncu = tmp_path / "bin" / "ncu"
    ncu.parent.mkdir()
    ncu.write_text(NCU, encoding="utf-8")
    ncu.chmod(0o755)
    environment = {
        "PATH": f"{ncu.parent}:{os.environ['PATH']}",
        "RESULTS": str(tmp_path),
        "BUILD": "build",
        "SIZE": "8k",
        "ARGS": "--block 32",
    }
    command = ["tools/profile.sh", "03_lab", "variant"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    out = tmp_path / "profile" / "03_lab_variant_8k_block32.csv"
    assert (done.returncode, done.stderr, done.stdout) == (0, "", f"{out}\n{WORDS}")

    ncu.write_text("#!/bin/sh\necho '==ERROR== no counters'\necho 'no data' >&2\nexit 1\n", encoding="utf-8")
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    words = (
        f"no data\n==ERROR== no counters\nerror: ncu could not profile 03_lab variant; its output is in {out}.log.\n"
    )
    assert (done.returncode, done.stderr) == (1, words)


def test_a_launch_has_its_waits_and_three_prices(tmp_path: Path) -> None:
    (launch,) = launches(write(tmp_path / "a.csv", VALUES))
    assert (launch["kernel"], launch["launch"], launch["block"]) == ("convolve", "1", "(8, 8, 1)")
    shares = {name: float(value) for name, value in launch.items() if name.startswith(("wait_", "price_"))}
    assert shares == pytest.approx(
        {
            "wait_selected": 25,
            "wait_barrier": 20,
            "wait_long_scoreboard": 45,
            "wait_misc": 10,
            "price_instructions": 522.72e6 / (4 * 132 * 1.98e6),
            "price_wavefronts": 475.6752e6 / (132 * 1.98e6),
            "price_bytes": 4.032e9 / (0.82 * 2 * 3.201e6 * 6144 / 8),
        }
    )


def test_another_file_has_no_prices_and_a_sentence_for_what_is_missing(tmp_path: Path) -> None:
    older = {name: value for name, value in VALUES.items() if name.startswith(("gpu__", "dram__", "smsp__inst"))}
    path = write(tmp_path / "a.csv", older)
    assert not [name for name in launches(path)[0] if name.startswith(("wait_", "price_"))]
    done = subprocess.run(
        ["python3", "-m", "report.make.profile", path], cwd=ROOT, capture_output=True, text=True, check=False
    )
    words = f"make profile: {path}: sm__issue_active is missing; run 'make profile' again\n"
    assert (done.returncode, done.stderr) == (1, words)


def test_every_committed_profile_at_8k_has_its_summary() -> None:
    files = sorted((ROOT / "results/reference/h200_16_cpus/profile").glob("*_8k*.csv"))
    whole = [launch for file in files for launch in launches(file) if "price_bytes" in launch]
    assert len(whole) > 50
    assert {summary(launch).count("\n") for launch in whole} == {4}
