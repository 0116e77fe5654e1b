# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The tables of other libraries, from made-up rows of make peers."""

import sys
from typing import Any, List

from fabricate import ROOT, SIZES, Case, Fields, write_csv

from study.figures.content import Table
from study.parts.peers import peers_tables
from tools.plots.files import ReportError

sys.path.insert(0, str(ROOT / "tools" / "peers"))
from measure import COLUMNS  # noqa: E402

OURS = ("convolab", "ours")
NPP = dict(backend="cuda", device="GPU", threads="")


def peer(name: str, function: str, size: str, ratio: Any, /, **changes: str) -> Fields:
    """One row of peers.csv; ours takes a millisecond."""
    width, height = SIZES[size]
    fields = dict(peer=name, function=function, version="1.2", backend="cpu", device="Toy CPU", threads="1", size=size)
    fields.update(width=str(width), height=str(height), channels="3", filter="gaussian", ksize="5", border="replicate")
    fields.update(rounds="5", time_ms=str(ratio), ratio=str(ratio), status="ok", machine="toy")
    fields.update(ratio_q1=str(0.9 * ratio), ratio_q3=str(1.1 * ratio), differing_share="0", largest_difference="0")
    return {**dict.fromkeys(COLUMNS, ""), **fields, **changes}


class Peers(Case):
    def tables(self, *rows: Fields) -> List[Table]:
        if rows:
            write_csv(self.base / "peers.csv", COLUMNS, rows)
        return peers_tables([self.base])

    def test_without_measurements_and_with_a_broken_row(self) -> None:
        self.assertEqual(self.tables(), [])
        with self.assertRaisesRegex(ReportError, "peers.csv, line 2: column ratio holds 'nan'"):
            self.tables(peer("opencv", "GaussianBlur", "4k", 5, ratio="nan"))
        with self.assertRaisesRegex(ReportError, "peers.csv: column ratio holds '0', expected a number above 0"):
            self.tables(peer("opencv", "GaussianBlur", "4k", 5, ratio="0"))

    def test_the_table_of_the_readme(self) -> None:
        """The fastest function of each library, of several folders, one thread or a cold cache."""
        edges = (("any", "4k", 3, "3"), ("any", "4k", 8, "9"), ("other", "4k", 2, "3"), ("other", "4k", 9, "9"))
        folders = {
            "a": [
                peer("opencv", "filter2D", "4k", 9),
                peer("opencv", "GaussianBlur", "4k", 4),
                peer("opencv", "GaussianBlur", "1080p", 5),
                peer(*OURS, "4k", 1),
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
        for name, rows in folders.items():
            write_csv(self.base / name / "peers.csv", COLUMNS, rows)
        table, by_side = peers_tables([self.base / name for name in ("a", "none", "b")])
        self.assertEqual(table.header[3:6], ["1080p", "4k", "8k"])
        self.assertEqual(
            table.rows,
            [
                ["opencv 1.2, GaussianBlur", "2", "Toy", "5.00", "4.00", "–", "identical", "same bytes"],
                ["npp 1.2, gpu", "1", "GPU", "7.00", "7.00", "7.00", "identical", "same bytes"],
            ],
        )
        self.assertRegex(by_side.caption, "^`edge`, not separable, RGB, 4k, by its side: time of")
        self.assertEqual(by_side.header[3:5], ["3x3", "9x9"])
        self.assertEqual([line[:5] for line in by_side.rows], [["npp 1.2, any", "2", "GPU", "3.00", "8.00"]])
        self.assertEqual(len(peers_tables([self.base / "a"])), 1)
        self.assertEqual(peers_tables([self.base / "none"]), [])
