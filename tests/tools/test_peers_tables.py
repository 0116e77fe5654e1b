# SPDX-License-Identifier: MIT
"""The tables of other libraries, from made-up rows of tools/peers/peers.sh."""

import csv
from pathlib import Path
from typing import Any

import pytest
from measure import COLUMNS

from report.make.plots.files import ReportError
from report.make.plots.peers import peers_tables
from tests.tools.made_up_rows import SIZES

Fields = dict[str, str]
SELF = ("convolab", "simd")
NPP = dict(backend="cuda", device="GPU", threads="")


def peer(name: str, function: str, size: str, ratio: Any, /, **changes: str) -> Fields:
    """One row of peers.csv; Convolab takes a millisecond."""
    width, height = SIZES[size]
    fields = dict(peer=name, function=function, version="1.2", backend="cpu", device="Toy CPU", threads="1", size=size)
    fields.update(width=str(width), height=str(height), channels="3", filter="gaussian", ksize="5", border="replicate")
    fields.update(rounds="5", time_ms=str(ratio), ratio=str(ratio), status="ok", machine="toy")
    fields.update(ratio_q1=str(0.9 * ratio), ratio_q3=str(1.1 * ratio), differing_share="0", largest_difference="0")
    return {**dict.fromkeys(COLUMNS, ""), **fields, **changes}


def written(folder: Path, *rows: Fields) -> Path:
    folder.mkdir(exist_ok=True)
    with open(folder / "peers.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return folder


def test_without_measurements_and_with_a_broken_row(tmp_path: Path) -> None:
    assert peers_tables([tmp_path]) == []
    with pytest.raises(ReportError, match="peers.csv, line 2: column ratio holds 'nan'"):
        peers_tables([written(tmp_path, peer("opencv", "GaussianBlur", "4k", 5, ratio="nan"))])


def test_the_table_of_the_readme(tmp_path: Path) -> None:
    """The fastest function of each library, of several folders, one thread or a cold cache."""
    edges = (("any", "4k", 3, "3"), ("any", "4k", 8, "9"), ("other", "4k", 2, "3"), ("other", "4k", 9, "9"))
    folders = {
        "a": [
            peer("opencv", "filter2D", "4k", 9),
            peer("opencv", "GaussianBlur", "4k", 4),
            peer("opencv", "GaussianBlur", "1080p", 5),
            peer(*SELF, "4k", 1),
            peer("opencv", "filter2D", "4k", 2, threads="2"),
            peer("opencv", "filter2D", "4k", 1.5, ksize="3"),
        ],
        "b": [
            *(peer("npp", "gpu", size, 7, **NPP, cold="1") for size in ("480p", "1080p", "4k", "8k")),
            peer("npp", "warm", "8k", 6, **NPP, cold="0"),
            *(
                peer("npp", *one, filter="edge", ksize=ksize, **NPP, cold="1")
                for *one, ksize in (*edges, ("any", "1080p", 5, "5"))
            ),
        ],
    }
    a, b = (written(tmp_path / name, *rows) for name, rows in folders.items())
    table, by_side = peers_tables([a, tmp_path, b])
    assert table.header[3:6] == ["1080p", "4k", "8k"]
    assert table.rows == [
        ["opencv 1.2, GaussianBlur", "2", "Toy", "5.00", "4.00", "–", "identical", "same bytes"],
        ["npp 1.2, gpu", "1", "GPU", "7.00", "7.00", "7.00", "identical", "same bytes"],
    ]
    assert by_side.caption.startswith("`edge` (not separable), RGB, 4k: the time of")
    assert by_side.header[3:5] == ["3x3", "9x9"]
    assert [line[:5] for line in by_side.rows] == [["npp 1.2, any", "2", "GPU", "3.00", "8.00"]]
    assert len(peers_tables([a])) == 1
