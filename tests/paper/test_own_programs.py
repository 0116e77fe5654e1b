# SPDX-License-Identifier: MIT
"""The reports' own programs: which variant stands for each, which row, the tables."""

import re
from pathlib import Path

import pytest
from pandas import DataFrame

from report.make.paper.measurements.published import our_rows, read_published
from report.make.paper.measurements.selectors import matching
from report.make.paper.reports.verdicts import by_program, pairs_of, summary
from report.make.plots.files import ReportError
from tests.paper.fabricate import DATA, ROOT, Fields, measured, published, row, write_csv

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
    assert set(lines["report"]) == {"ariano2023", "cazzola2024", "chisci2024", "delbimbo2024"}
    for lab, variant in set(zip(lines["lab"], lines["variant"])):
        assert f"&{variant}" in (ROOT / "labs" / lab / "main.cu").read_text(encoding="utf-8"), lab


def test_only_the_same_job_on_the_same_gpu_is_compared() -> None:
    assert our_rows(measured(gray(2.5)), CONST)["ms"].item() == 2.5
    for change in (
        "device=NVIDIA H100|device=NVIDIA GH200|block=32|border=replicate|type=uint8|channels=3|ksize=3|width=4096|"
        "variant=soa|cold=1|lab=03_cuda_global|backend=cuda_on_cpu"
    ).split("|"):
        assert our_rows(measured(gray(2.5, **dict([change.split("=")]))), CONST).empty, change


def test_summary_and_tables() -> None:
    other = gray(1, ksize="9", status="unsupported", reason="too large")
    pairs = pairs_of(measured(gray(2), gray(1.224, block="32"), other), published())
    assert summary(pairs) == (
        "The median variant takes 146 % of the original's time. The slowest takes 192 % (chisci2024 const, 8192x8192, K 5, "
        "B 16). Of 372 configurations, 2 were compared; in 1 of them, the variant takes more than 103 % of the original's "
        "time. The variants do not support 1."
    )
    lines = by_program(pairs).rows
    assert ["chisci2024 const", "04_cuda_constant gray", "right", "2 of 30", "1.01", "1.92", "1"] in lines
    assert ["ariano2023 constant", "04_cuda_constant padded", "right", "0 of 12", "–", "–", "–"] in lines
    assert "None of the 372" in summary(pairs_of(measured(gray(2, device="other")), published()))


def test_published_numbers(tmp_path: Path) -> None:
    values = published().values
    assert len(values) == 596
    blocks = values[matching(values, {"variant": "pthread_blocks", "metric": "mean_execution_time"})]
    found = blocks[matching(blocks, {"table": "Table 2", "block": "16", "threads": "8"})]
    assert found[["value", "unit", "size", "ksize"]].values.tolist() == [[2.35, "ms", "480p", 5]]
    head = (DATA / "published.csv").read_text(encoding="utf-8").splitlines()[0]
    fields: Fields = {**dict.fromkeys(head.split(","), ""), "report": "a", "metric": "m", "value": "fast", "unit": "x"}
    write_csv(tmp_path / "published.csv", list(fields), [fields])
    with pytest.raises(ReportError, match=re.compile("line 2.*fast")):
        read_published(tmp_path / "published.csv", DATA / "originals.csv")
