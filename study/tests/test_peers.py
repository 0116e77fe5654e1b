# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The report's section on other libraries, from made-up rows of make peers."""

import csv
import importlib.util
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Dict

from fabricate import ROOT, SIZES, row, write

sys.path.insert(0, str(ROOT / "tools" / "peers"))
from measure import COLUMNS  # noqa: E402

HAVE_MATPLOTLIB = all(map(importlib.util.find_spec, ("matplotlib", "jinja2", "markdown")))


def peer(name: str, function: str, size: str, ratio: float, /, **changes: str) -> Dict[str, str]:
    """One row of peers.csv; ours takes a millisecond."""
    width, height = SIZES[size]
    fields = dict.fromkeys(COLUMNS, "")
    fields.update(
        peer=name,
        function=function,
        version="1.2",
        backend="cpu",
        device="Toy CPU",
        threads="1",
        size=size,
        width=str(width),
        height=str(height),
        channels="3",
        filter="gaussian",
        ksize="5",
        border="replicate",
        rounds="5",
        time_ms=str(ratio),
        ratio=str(ratio),
        ratio_q1=str(0.9 * ratio),
        ratio_q3=str(1.1 * ratio),
        differing_share="0",
        largest_difference="0",
        status="ok",
        machine="toy",
    )
    fields.update(changes)
    return fields


@unittest.skipUnless(HAVE_MATPLOTLIB, "matplotlib is not installed for this Python")
class Peers(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.base = Path(holder.name)
        write(self.base / "results" / "01_sequential.csv", [row("01_sequential", "simd", "4k", 1)])

    def report(self, *rows: Dict[str, str]) -> "subprocess.CompletedProcess[str]":
        with open(self.base / "results" / "peers.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
        return subprocess.run(
            [
                sys.executable,
                str(ROOT / "study"),
                "--results",
                str(self.base / "results"),
                "--out",
                str(self.base / "report"),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )

    def test_table_and_figure(self) -> None:
        done = self.report(
            peer("convolab", "ours", "4k", 1, backend="cuda", version="07 packed", cold="1"),
            peer("convolab", "ours", "1080p", 1),
            peer("convolab", "ours", "4k", 1),
            peer("opencv", "GaussianBlur", "1080p", 4.5),
            peer("opencv", "GaussianBlur", "4k", 5.5),
            peer("vips", "conv", "4k", 17, differing_share="0.25", largest_difference="3"),
            peer("vips", "conv", "1080p", 16, ksize="7"),
            peer("vips", "conv", "1080p", 15, ksize="7", filter="edge"),
            peer("vips", "conv", "1080p", 14, filter="gaussian sigma 1.2"),
            peer("scipy", "correlate", "4k", 99, status="refused"),
            peer("elsewhere", "blur", "4k", 77, machine="another"),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.base / "report" / "appendix.md").read_text(encoding="utf-8")
        self.assertIn("| opencv GaussianBlur | 4.50 | 5.50 | identical | same bytes |", text)
        self.assertIn("| vips conv | – | 17.0 | 25 %, by at most 3 | other results |", text)
        self.assertTrue((self.base / "report" / "figures" / "peers_cpu_1.svg").exists())
        self.assertNotIn("14.0", text)  # other filters are in the CSV file
        self.assertIn("Ours on the GPU is 07 packed;", text)
        self.assertIn("Toy, images not in the cache: no other library was installed", text)
        self.assertFalse((self.base / "report" / "figures" / "peers_gpu_cold.svg").exists())
        self.assertNotIn("99.0", text)
        self.assertNotIn("elsewhere", text)

    def test_the_table_of_the_readme(self) -> None:
        """The fastest function of each library, of several folders, one thread or a cold cache."""
        from study.parts.peers import peers_tables

        for name, rows in (
            (
                "a",
                [
                    peer("opencv", "filter2D", "4k", 9),
                    peer("opencv", "GaussianBlur", "4k", 4),
                    peer("opencv", "GaussianBlur", "1080p", 5),
                    peer("convolab", "ours", "4k", 1),
                    peer("opencv", "filter2D", "4k", 2, threads="2"),
                    peer("opencv", "filter2D", "4k", 1.5, ksize="3"),
                ],
            ),
            (
                "b",
                [
                    peer("npp", "gpu", size, 7, backend="cuda", device="GPU", threads="", cold="1")
                    for size in ("480p", "1080p", "4k", "8k")
                ]
                + [peer("npp", "warm", "8k", 6, backend="cuda", device="GPU", threads="", cold="0")]
                + [
                    peer("npp", *one, filter="edge", ksize=ksize, backend="cuda", device="GPU", threads="", cold="1")
                    for *one, ksize in (
                        ("any", "4k", 3, "3"),
                        ("any", "4k", 8, "9"),
                        ("other", "4k", 2, "3"),
                        ("other", "4k", 9, "9"),
                        ("any", "1080p", 5, "5"),
                    )
                ],
            ),
        ):
            (self.base / name).mkdir()
            with open(self.base / name / "peers.csv", "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, COLUMNS)
                writer.writeheader()
                writer.writerows(rows)
        table, edges = peers_tables([self.base / "a", self.base / "none", self.base / "b"])
        self.assertEqual(table.header[3:6], ["1080p", "4k", "8k"])
        self.assertEqual(
            table.rows,
            [
                ["opencv 1.2, GaussianBlur", "2", "Toy", "5.00", "4.00", "–", "identical", "same bytes"],
                ["npp 1.2, gpu", "1", "GPU", "7.00", "7.00", "7.00", "identical", "same bytes"],
            ],
        )
        self.assertRegex(edges.caption, "^`edge`, not separable, RGB, 4k, by its side: time of")
        self.assertEqual(edges.header[3:5], ["3x3", "9x9"])
        self.assertEqual([line[:5] for line in edges.rows], [["npp 1.2, any", "2", "GPU", "3.00", "8.00"]])
        self.assertEqual(len(peers_tables([self.base / "a"])), 1)
        self.assertEqual(peers_tables([self.base / "none"]), [])

    def test_two_figures_have_two_titles(self) -> None:
        both = [dict(), dict(backend="cuda", device="Toy GPU", cold="1")]
        done = self.report(
            *(
                peer(name, function, "4k", ratio, **where)
                for where in both
                for name, function, ratio in (("convolab", "ours", 1.0), ("opencv", "GaussianBlur", 4.0))
            )
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        titles = [
            re.search(r">(Other libraries[^<]*)<", path.read_text(encoding="utf-8"))
            for path in sorted((self.base / "report" / "figures").glob("peers_*.svg"))
        ]
        self.assertEqual(
            [title[1] for title in titles if title],
            ["Other libraries: Toy, threads: 1", "Other libraries: Toy GPU, images not in the cache"],
        )

    def test_without_measurements(self) -> None:
        self.assertEqual(self.report().returncode, 0)
        text = (self.base / "report" / "appendix.md").read_text(encoding="utf-8")
        self.assertIn("run `make peers`", text)

    def test_a_broken_row_is_named(self) -> None:
        done = self.report(peer("opencv", "GaussianBlur", "4k", 5, ratio="nan"))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "peers.csv, line 2: column ratio holds 'nan'")


if __name__ == "__main__":
    unittest.main()
