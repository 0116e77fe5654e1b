# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The report's section on other libraries, from made-up rows of make peers."""

import sys
from typing import Any, List

from fabricate import ROOT, SIZES, Case, Fields, drawn, write_csv

from study.figures.content import Figure, Section
from study.measurements.csv_file import ReportError
from study.parts.peers import peers_sections, peers_tables

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
    def sections(self, *rows: Fields) -> List[Section]:
        if rows:
            write_csv(self.base / "peers.csv", COLUMNS, rows)
        return peers_sections([self.base], "toy")

    def test_figure(self) -> None:
        (section,) = self.sections(
            peer(*OURS, "4k", 1, backend="cuda", version="07 packed", cold="1"),
            peer(*OURS, "1080p", 1),
            peer(*OURS, "4k", 1),
            peer("opencv", "GaussianBlur", "1080p", 4.5),
            peer("opencv", "GaussianBlur", "4k", 5.5),
            peer("vips", "conv", "4k", 17, differing_share="0.25", largest_difference="3"),
            peer("vips", "conv", "1080p", 16, ksize="7"),
            peer("scipy", "correlate", "4k", 99, status="refused"),
            peer("elsewhere", "blur", "4k", 77, machine="another"),
        )
        (figure,) = [item for item in section.items if isinstance(item, Figure)]
        self.assertEqual(figure.name, "peers_cpu_1")
        (axes,) = drawn(figure).axes
        self.assertEqual([text.get_text() for text in axes.get_yticklabels()], ["opencv GaussianBlur", "vips conv"])
        words = " ".join(item for item in section.items if isinstance(item, str))
        self.assertIn("Ours on the GPU is 07 packed;", words)
        self.assertIn("Toy, images not in the cache: no other library was installed", words)

    def test_the_titles_of_figures_differ(self) -> None:
        places: Any = [{}, dict(NPP, cold="0"), dict(NPP, cold="1")]
        names = [(OURS, 1.0), (("opencv", "GaussianBlur"), 4.0)]
        rows = [peer(*name, "4k", ratio, **where) for where in places for name, ratio in names]
        (section,) = self.sections(*rows)
        figures = [drawn(item) for item in section.items if isinstance(item, Figure)]
        places = ["Toy, threads: 1", "GPU, the same images each time", "GPU, images not in the cache"]
        self.assertEqual([one._suptitle.get_text() for one in figures], [f"Other libraries: {name}" for name in places])

    def test_without_measurements_and_with_a_broken_row(self) -> None:
        self.assertIn("run `make peers`", str(self.sections()[0].items))
        with self.assertRaisesRegex(ReportError, "peers.csv, line 2: column ratio holds 'nan'"):
            self.sections(peer("opencv", "GaussianBlur", "4k", 5, ratio="nan"))
        with self.assertRaisesRegex(ReportError, "peers.csv: column ratio holds '0', expected a number above 0"):
            self.sections(peer("opencv", "GaussianBlur", "4k", 5, ratio="0"))

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
