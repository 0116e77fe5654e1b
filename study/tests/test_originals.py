# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The reports' own programs: which variant stands for each, which row, the tables, the commands."""

import os
import shlex
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Dict, List

import pytest
from fabricate import DATA, ROOT, Fields, measured, published, row

from study.measurements.originals import Original, read_originals
from study.reports.own_programs import by_program, pairs_of, summary
from tools.plots.files import ReportError

BUILD = Path(os.environ.get("CONVOLAB_BUILD", ROOT / "build"))
GPU = dict(backend="cuda", device="NVIDIA H200")
SQUARE = dict(
    size="8192x8192", width="8192", height="8192", channels="1", type="int32", border="constant", filter="box"
)


def gray(ms: float, /, **changes: str) -> Fields:
    """Our row of chisci2024's const at 8192x8192, 5x5, B 16."""
    return row("04_cuda_constant", "gray", "480p", ms, **{**GPU, **SQUARE, "block": "16", **changes})


@lru_cache(maxsize=None)
def originals() -> List[Original]:
    return read_originals(DATA / "originals.csv")


def one(program: str, *job: int) -> Original:
    """The time of a program with this width, side of the filter and of the block."""
    (found,) = [one for one in originals() if (one.program, one.width, one.ksize, one.side) == (program, *job)]
    return found


def test_what_is_read() -> None:
    """The four reports on convolution; no CPU times, no cold launches, no videostream2021."""
    assert len(originals()) == 372
    assert {one.gpu for one in originals()} == {"H200"}
    assert {one.report for one in originals()} == {"ariano2023", "cazzola2024", "chisci2024", "delbimbo2024"}
    # Three launches of one channel are three times our job.
    for width, channels in ((3840, 3), (8192, 1)):
        fields = {"program": "global", "width": str(width), "ksize": "9", "block": "16"}
        (line,) = [
            line for line in published().lines if fields.items() <= line.items() and line["report"] == "chisci2024"
        ]
        assert one("global", width, 9, 16).ms == pytest.approx(float(line["mean_us"]) / 1e3 / channels)


def test_a_tile_of_more_than_two_rounds_has_another_variant() -> None:
    for ksize, side, variant in ((9, 16, "n_batch"), (7, 16, "two_batch"), (9, 32, "two_batch")):
        assert one("shared_AoS", 3840, ksize, side).variant == variant


def test_every_variant_exists() -> None:
    for original in originals():
        names = (ROOT / "labs" / original.ours.lab / "main.cu").read_text(encoding="utf-8")
        assert f"&{original.variant}" in names, original.ours.lab


@pytest.mark.parametrize("value", ["fast", "0", "-1", ""])
def test_no_number(tmp_path: Path, value: str) -> None:
    header = "report,program,width,height,channels,ksize,block,where,mean_us,output"
    path = tmp_path / "originals.csv"
    path.write_text(f"{header}\nariano2023,global,8,8,3,5,16,H200,{value},right\n")
    with pytest.raises(ReportError, match=f"line 2.*mean_us holds '{value}'"):
        read_originals(path)


def test_only_the_same_job_on_the_same_gpu_is_compared() -> None:
    found = one("const", 8192, 5, 16).row(measured(gray(2.5)))
    assert found and found.ms == 2.5
    for change in (
        "device=NVIDIA H100|device=NVIDIA GH200|block=32|border=replicate|type=uint8|channels=3|ksize=3|width=4096|"
        "variant=soa|cold=1|lab=03_cuda_global|backend=cuda_on_cpu"
    ).split("|"):
        assert one("const", 8192, 5, 16).row(measured(gray(2.5, **dict([change.split("=")])))) is None, change


def test_the_latest_row_and_its_median_count() -> None:
    rows = [
        gray(9, filter="gaussian", date="2026-01-01T00:00:00Z"),
        gray(4, kernel_ms_median="2.0", date="2026-03-01T00:00:00Z"),
    ]
    (pair,) = [pair for pair in pairs_of(measured(*rows), originals()) if pair.row]
    assert pair.ratio == pytest.approx(2.0 / one("const", 8192, 5, 16).ms)


def test_a_row_of_random_numbers_stands_for_a_program_that_ran_on_them() -> None:
    """The latest row once counted, of whatever picture, so the one time of a kernel was two in the report."""
    random = gray(8, image="random", date="2026-02-01T00:00:00Z")
    scene = gray(4, image="scene", filter="gaussian", date="2026-03-01T00:00:00Z")
    found = one("const", 8192, 5, 16).row(measured(random, scene))
    assert found and (found.image, found.ms) == ("random", 8)


def test_summary_and_tables() -> None:
    refused = gray(1, ksize="9", status="unsupported", reason="too large")
    pairs = pairs_of(measured(gray(2), gray(1.224, block="32"), refused), originals())
    assert summary(pairs) == (
        "The median variant takes 146 % of the original's time. The slowest takes 192 % (chisci2024 const, 8192x8192, K 5, "
        "B 16). More than 103 %: 1. 2 of 372 configurations were compared; the variants do not support 1."
    )
    lines = by_program(pairs).rows
    assert ["chisci2024 const", "04_cuda_constant gray", "right", "2 of 30", "1.01", "1.92", "1"] in lines
    assert ["ariano2023 constant", "04_cuda_constant padded", "right", "0 of 12", "–", "–", "–"] in lines
    assert "None of the 372" in summary(pairs_of(measured(gray(2, device="other")), originals()))


def test_the_commands_cover_every_row() -> None:
    """Each configuration is in one command, and the lab takes the command's options."""
    command = [sys.executable, str(ROOT / "study"), "plan", "--build", str(BUILD)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8")
    covered: Dict[tuple, Dict[str, str]] = {}
    for words in map(shlex.split, done.stdout.splitlines()):
        assert words[1] == "bench"
        option = dict(zip(words[2::2], words[3::2]))
        for size in option["--size"].split(","):
            for ksize in option["--ksize"].split(","):
                job = (option["--type"], option["--channels"], option["--border"])
                picture = (Path(words[0]).parent.name, *job, size, ksize)
                assert picture not in covered, "a picture in two commands"
                covered[picture] = option
        if Path(words[0]).exists():
            small = [word if word != option["--size"] else "40x30" for word in words]
            small[small.index("--csv") :] = ["--plan"]
            planned = subprocess.run(small, capture_output=True, encoding="utf-8", check=False)
            assert (planned.returncode, planned.stderr) == (0, ""), words
    for original in originals():
        ours = original.ours
        job = (ours.lab, ours.type, str(ours.channels), ours.border, original.size_name, str(original.ksize))
        assert original.variant in covered[job]["--variant"].split(",")
        assert str(original.side) in covered[job]["--block"].split(",")
