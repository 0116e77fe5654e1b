# SPDX-License-Identifier: MIT
"""Reading of CSV files: what is accepted, and where a mistake is; test_plots.py has the rest."""

import csv
import math
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from report.make.plots.columns import HOW, labs_columns
from report.make.plots.files import ReportError
from report.make.plots.other_files import SHOWN
from report.make.plots.results import read_folder

from .made_up_rows import HEADER, ROOT, row, write

NO_KERNEL = {name: "" for name in HEADER if name.startswith("kernel_ms")}


def written(folder: Path, /, **changes: str) -> str:
    """The text of a file with one row."""
    write(folder / "bad.csv", [row("01_sequential", "nested", "480p", 5.5, **changes)])
    return (folder / "bad.csv").read_text(encoding="utf-8")


def one(folder: Path, /, **changes: str) -> Any:
    """The only row, read again."""
    written(folder, **changes)
    (read,) = read_folder(folder).itertuples()
    return read


def fails(folder: Path, text: str, words: str) -> None:
    """The file with this text is an error of one sentence."""
    (folder / "bad.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ReportError, match=words) as caught:
        read_folder(folder)
    assert "\n" not in str(caught.value)


def test_columns_are_those_of_the_labs() -> None:
    """The report asks a built lab; the columns that it names exist, and the key is the lab's."""
    columns = labs_columns()
    assert set(HOW) <= set(columns.kinds)
    assert {"lab", "variant", "ksize", "threads", "block"} <= set(columns.key)
    lab = ROOT / os.environ.get("CONVOLAB_BUILD", "build") / "labs/01_sequential/lab"
    printed = subprocess.run([lab, "columns"], capture_output=True, text=True, check=True).stdout
    for file, name in (("timeline", "timeline.csv"), ("clip", "clips.csv")):
        there = {column["column"] for column in csv.DictReader(printed.splitlines()) if column["file"] == file}
        assert set(SHOWN[name].split()) <= there
    with pytest.raises(ReportError, match="no lab is built in .*run `make` first"):
        labs_columns.__wrapped__("none")


def test_what_a_row_has(tmp_path: Path) -> None:
    device = 'Intel(R) Xeon(R) "Platinum", 2.10GHz'
    read = one(tmp_path, device=device, kernel_ms_p95="5.75", threads="4", block="16", cores="2")
    assert (read.device, read.ms, read.below, read.above, read.sweep) == (device, 5.5, 0, 0.25, False)
    assert (read.threads, read.block, read.bands, read.cores, read.pixels) == (4, 16, 0, 2, 853 * 480)
    assert math.isnan(read.copy_in_ms)
    times = {**NO_KERNEL, "total_ms_median": "2.5", "total_ms_p95": "2.75"}
    read = one(tmp_path, **times, bus_both_gb_per_s="100")
    assert (read.timed, read.with_copies, read.ms, read.above) == (True, True, 2.5, 0.25)
    fails(tmp_path, written(tmp_path, **times), "kernel_ms_median")  # and no bus
    read = one(tmp_path, backend="cuda_on_cpu")  # a time that must not be there
    assert not read.timed
    assert math.isnan(read.ms)


def test_sessions(tmp_path: Path) -> None:
    text = written(tmp_path, threads="4", cores="2")
    fails(tmp_path, text.replace("threads=4", "thread=4"), "bad.csv, line 2: column settings holds 'thread=4'")
    sessions = tmp_path / "sessions.csv"
    head, line = sessions.read_text(encoding="utf-8").splitlines(keepends=True)
    sessions.write_text(head + line + line, encoding="utf-8")  # of two folders, line by line
    (tmp_path / "bad.csv").write_text(text, encoding="utf-8")
    assert list(read_folder(tmp_path)["cores"]) == [2]
    sessions.write_text(head + line + line.replace("r1", "r2"), encoding="utf-8")
    fails(tmp_path, text, "sessions.csv, line 3: session s[0-9a-f]+ stands there twice, with different values")
    sessions.write_text(head, encoding="utf-8")
    fails(tmp_path, text, "bad.csv, line 2: session 's[0-9a-f]+' is not in .*sessions.csv; put the sessions.csv that")


@pytest.mark.parametrize(
    "field",
    "kernel_ms_median=5,5 kernel_ms_median=nan kernel_ms_median= width=1e3 threads=-2 bytes=1_000 gb_per_s=-1 ksize=² "
    "status=fine noisy=maybe machine= date=2026-13-01T00:00:00Z".split()
    + ["width=" + "9" * 400],
)
def test_fields_that_cannot_be(tmp_path: Path, field: str) -> None:
    column, _, value = field.partition("=")
    fails(tmp_path, written(tmp_path, **{column: value}), f"bad.csv, line 2.*{column}")


def test_files_that_cannot_be(tmp_path: Path) -> None:
    text = written(tmp_path)
    fails(tmp_path, text + "01_sequential,flat,cpu\n", "line 3: 3 fields")
    fails(tmp_path, text + '"open quote', "bad.csv, line")
    fails(
        tmp_path,
        text.replace(",", "\t"),
        "has tabs instead of commas between its fields: a spreadsheet saved it; save it",
    )
    lab = (tmp_path / "bad.csv").rename(tmp_path / "01_sequential.csv")  # a lab's name: whatever it holds
    for data, words in ((b"", "empty"), (b"\xff\xfe\x00\x01", "UTF-8")):
        lab.write_bytes(data)
        with pytest.raises(ReportError, match=words):
            read_folder(tmp_path)
