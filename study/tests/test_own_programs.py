# SPDX-License-Identifier: MIT
"""The reports' own programs: which variant stands for each, which row, the tables."""

from pathlib import Path

import pytest
from fabricate import DATA, ROOT, Fields, measured, published, row
from pandas import DataFrame

from study.measurements.published import our_rows, read_published
from study.measurements.selectors import matching
from study.reports.own_programs import by_program, pairs_of, summary
from tools.plots.files import ReportError

GPU = dict(backend="cuda", device="NVIDIA H200")
SQUARE = dict(
    size="8192x8192", width="8192", height="8192", channels="1", type="int32", border="constant", filter="box"
)


def gray(ms: float, /, **changes: str) -> Fields:
    """Our row of chisci2024's const at 8192x8192, 5x5, B 16."""
    return row("04_cuda_constant", "gray", "480p", ms, **{**GPU, **SQUARE, "block": "16", **changes})


def one(program: str, *job: int) -> DataFrame:
    """The time of a program with this width, side of the filter and of the block."""
    fields = {"program": program, **dict(zip(("width", "ksize", "block"), map(str, job)))}
    lines = published().originals
    return lines[matching(lines, fields)]


CONST = one("const", 8192, 5, 16)
MS = CONST["ms"].item()


def test_what_is_read() -> None:
    """The four reports on convolution; no CPU times, no cold launches, no videostream2021; three launches of one channel are three
    times our job. Each stands for a variant that exists."""
    lines = published().originals
    assert len(lines) == 372
    assert set(lines["where"]) == {"H200"}
    assert set(lines["report"]) == {"ariano2023", "cazzola2024", "chisci2024", "delbimbo2024"}
    for width, channels in ((3840, 3), (8192, 1)):
        line = one("global", width, 9, 16).iloc[0]
        assert line["ms"] == pytest.approx(line["mean_us"] / 1e3 / channels)
    for ksize, side, variant in ((9, 16, "n_batch"), (7, 16, "two_batch"), (9, 32, "two_batch")):
        assert one("shared_AoS", 3840, ksize, side)["variant"].item() == variant
    for lab, variant in set(zip(lines["lab"], lines["variant"])):
        assert f"&{variant}" in (ROOT / "labs" / lab / "main.cu").read_text(encoding="utf-8"), lab


@pytest.mark.parametrize("value", ["fast", "0", "-1", ""])
def test_no_number(tmp_path: Path, value: str) -> None:
    header = "report,program,width,height,channels,ksize,block,where,mean_us,output"
    path = tmp_path / "originals.csv"
    path.write_text(f"{header}\nariano2023,global,8,8,3,5,16,H200,{value},right\n")
    with pytest.raises(ReportError, match=f"line 2: column mean_us holds '{value}', expected a number above 0"):
        read_published(DATA / "published.csv", path)


def test_only_the_same_job_on_the_same_gpu_is_compared() -> None:
    assert our_rows(measured(gray(2.5)), CONST)["ms"].item() == 2.5
    for change in (
        "device=NVIDIA H100|device=NVIDIA GH200|block=32|border=replicate|type=uint8|channels=3|ksize=3|width=4096|"
        "variant=soa|cold=1|lab=03_cuda_global|backend=cuda_on_cpu"
    ).split("|"):
        assert our_rows(measured(gray(2.5, **dict([change.split("=")]))), CONST).empty, change


def test_of_several_rows_the_latest_of_random_numbers_and_its_median_count() -> None:
    """A row of any picture once counted, so the one time of a kernel was two in the report."""
    old = gray(9, filter="gaussian", date="2026-01-01T00:00:00Z")
    pairs = pairs_of(measured(old, gray(2, date="2026-03-01T00:00:00Z")), published())
    assert pairs["ratio"].dropna().item() == pytest.approx(2.0 / MS)
    random = gray(8, image="random", date="2026-02-01T00:00:00Z")
    found = our_rows(measured(random, gray(4, image="scene", date="2026-03-01T00:00:00Z")), CONST)
    assert (found["image"].item(), found["ms"].item()) == ("random", 8)


def test_summary_and_tables() -> None:
    other = gray(1, ksize="9", status="unsupported", reason="too large")
    pairs = pairs_of(measured(gray(2), gray(1.224, block="32"), other), published())
    assert summary(pairs) == (
        "The median variant takes 146 % of the original's time. The slowest takes 192 % (chisci2024 const, 8192x8192, K 5, "
        "B 16). More than 103 %: 1. 2 of 372 configurations were compared; the variants do not support 1."
    )
    lines = by_program(pairs).rows
    assert ["chisci2024 const", "04_cuda_constant gray", "right", "2 of 30", "1.01", "1.92", "1"] in lines
    assert ["ariano2023 constant", "04_cuda_constant padded", "right", "0 of 12", "–", "–", "–"] in lines
    assert "None of the 372" in summary(pairs_of(measured(gray(2, device="other")), published()))
