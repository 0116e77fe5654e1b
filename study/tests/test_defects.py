# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The defects: each line has a form that runs, a test that exists, and an output that was wrong."""

import importlib.util
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

from fabricate import ROOT, row, write

from study.measurements.csv_file import ReportError, read_table
from study.measurements.published import read_published
from study.measurements.rows import read_folder
from study.measurements.selection import Results

DATA = ROOT / "study" / "data"


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Defects(unittest.TestCase):
    def setUp(self) -> None:
        self.published = read_published(DATA / "published.csv", DATA / "originals.csv")

    def results(self, rows: List[Dict[str, str]]) -> Results:
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder) / "a.csv", rows)
            return Results(read_folder(Path(folder)))

    def given(self, rows: List[Dict[str, str]]) -> Any:
        import numpy

        from study.defects.arrays import Given

        scene = numpy.random.default_rng(1).integers(0, 256, (96, 133, 3)).astype(numpy.int32)
        return Given(scene, self.results(rows), self.published)

    def test_each_line_has_a_form_a_test_and_an_output(self) -> None:
        from study.defects.section import (
            ABOUT,
            CHANGES,
            COLUMNS,
            NO_SCENE,
            ON_NUMBERS,
            ON_SCENE,
            defects,
            defects_section,
            wrong_samples,
        )

        lines = read_table(DATA / "defects.csv", COLUMNS)
        for where, fields in lines:
            self.assertTrue((ROOT / fields["shown_by"]).exists(), where)
            self.assertIn(fields["about"], ABOUT, where)
            self.assertTrue(fields["where"].strip(), where)
        self.assertEqual(sorted(fields["form"] for _, fields in lines), sorted([*ON_SCENE, *ON_NUMBERS]))
        nothing = self.results([row("a", "v", "480p", 1)])
        every = defects(DATA / "defects.csv", Path("none.png"), nothing, self.published)
        tables = defects_section(every).items[1 : 1 + len(CHANGES)]
        shown = [line for table in tables for line in table.rows]
        self.assertEqual(len(shown), len(lines))
        self.assertTrue(all(table.rows for table in tables))
        self.assertEqual(sum(line[5] == NO_SCENE for line in shown), len(ON_SCENE))
        for _, fields in lines:
            if fields["program"]:  # its output is wrong
                self.assertEqual(fields["changes"], "bytes", fields["form"])
        self.assertIn(
            "599521 of 600000 samples (99.9 %), K 3",
            wrong_samples(self.published.lines, "ariano2023", "shared_v2") or "",
        )
        self.assertIsNone(wrong_samples(self.published.lines, "ariano2023", "global"))
        for program, words in (("", "1143944 of 6220800"), (" 3840", "4566584 of 24883200")):
            self.assertIn(
                words, wrong_samples(self.published.lines, "videostream2021", f"heat_map_paper_v3_int{program}") or ""
            )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "defects.csv"
            for line, words in (
                ("a,t,b,bytes,text,3.1,c,no_form,,", "no form 'no_form'"),
                ("a,t,b,bytes,,3.1,c,signed_byte,,", "hold '', '3.1' and 'bytes', expected one of text, program,"),
                ("a,t,b,bytes,slides,3.1,c,signed_byte,,", "hold 'slides', '3.1' and 'bytes'"),
                ("a,t,b,colour,text,3.1,c,signed_byte,,", "and one of bytes, timing, reporting"),
                ("a,t,b,bytes,program,,c,signed_byte,,", "hold 'program', '' and 'bytes', .* the place"),
            ):
                path.write_text(",".join(COLUMNS) + f"\n{line}\n", encoding="utf-8")
                with self.assertRaisesRegex(ReportError, words):
                    defects(path, Path("none.png"), nothing, self.published)

    def test_every_form_on_the_picture_is_wrong_where_it_says(self) -> None:
        from study.defects.section import ON_SCENE

        given = self.given([row("a", "v", "480p", 1)])
        said = {name: form(given).words for name, form in ON_SCENE.items()}
        for name, words in said.items():
            self.assertNotIn(" 0 of ", words, name)
        self.assertIn(f"{3 * (96 + 133 - 1)} of", said["inside_test"])
        self.assertIn("the right one, shifted by (2, 2)", said["origin_not_moved"])
        self.assertIn("144 cells, of which 128 are loaded", said["two_rounds_8"])
        self.assertIn("the last 5 columns and 0 rows", said["blocks_rounded_down"])
        self.assertIn("those from column 94 on", said["bounds_exchanged"])

    def test_algorithm_5_is_wrong_at_the_edges_of_its_tiles_alone(self) -> None:
        import numpy

        from study.defects.images import _algorithm_5

        scene = self.given([row("a", "v", "480p", 1)]).scene
        y, x = numpy.mgrid[0:96, 0:133] % 16
        ends, begins = (x > 13) | (y > 13), (x < 2) | (y < 2)
        for last, relative, edge in ((16, False, ends), (15, True, ends | begins)):
            right, form = _algorithm_5(scene, last, relative)
            off = (right != form).any(axis=-1)
            self.assertTrue(off.any())
            self.assertFalse((off & ~edge).any())
        right, form = _algorithm_5(scene, 15, False)
        self.assertTrue((right == form).all())

    def test_differences_that_wrap_and_the_colour_of_a_full_change(self) -> None:
        from study.defects import video

        given = self.given([row("a", "v", "480p", 1)])
        self.assertIn(
            "40 of the 470 differences over the threshold are missed: 236 to 255", video.signed_byte(given).words
        )
        self.assertIn("765, gets (0, 0, 0)", video.divided_by_510(given).words)

    def test_runs_that_end_before_the_frame(self) -> None:
        """The noise map's rest was in no defect; version 3 with 1024 threads was said to leave nothing."""
        from study.defects import method, video

        given = self.given([row("a", "v", "480p", 1)])
        words = video.noise_runs(given).words
        (line,) = [
            line for line in self.published.lines if (line["program"], line["width"]) == ("noise_map_v1_int4", "1920")
        ]
        unwritten = line["note"].partition("never written at the end: ")[2].rstrip(")")
        self.assertIn(f"leave the last {unwritten} of 6220800 bytes", words)
        self.assertEqual(method.no_multiple_of_4(given).words, "716 modulo 4 is 0. 718 modulo 4 is 2.")
        self.assertEqual(
            method.copies_alike(given).words, "In: 2.6294, 2.2265, 6.3841 ms. Out: 2.6294, 2.2265, 6.3841 ms."
        )

    def test_numbers_come_from_rows_or_say_not_measured(self) -> None:
        from study.defects import numbers

        nothing = self.given([row("a", "v", "480p", 1)])
        for form in (
            numbers.pageable_for_pinned,
            numbers.two_baselines,
            numbers.exchanged_mapping,
            numbers.baseline_anew,
            numbers.layouts_apart,
        ):
            self.assertEqual(form(nothing).words, "Not measured.", form.__name__)
        given = self.given([row("03_cuda_global", "naive", "8k", 8), row("03_cuda_global", "coalesced", "8k", 2)])
        self.assertIn("(4.00x)", numbers.exchanged_mapping(given).words)
        self.assertIn("545 GB/s", numbers.faster_than_the_bus(given).words)
        from study.defects import method

        for form in (method.one_block, method.formula_per_pixel, method.covered_camera, method.nine_by_nine):
            self.assertEqual(form(nothing).words, "Not measured.", form.__name__)
        self.assertIn("576 threads per block, of which 256 (44 %)", method.wide_blocks(nothing).words)
        self.assertIn("28 of 30 published numbers", method.square_images(nothing).words)
        self.assertIn("sigma 1: 6 sigma - 1 = 5; its square root, 2.24", method.root_of_side(nothing).words)
        self.assertRegex(
            method.slow_baseline(nothing).words, r"5\.77 ns per tap, the program of ariano2023 0\.585 ns \(9\.87x\)"
        )
        self.assertRegex(
            method.built_without_optimisation(nothing).words, r"^Not run as it is built: .* 1\.33 ns per tap\.$"
        )
        self.assertRegex(
            method.baselines_apart(nothing).words,
            r"0\.585 ns per tap \(ariano2023\) to 5\.77 ns \(delbimbo2024\), 9\.87x",
        )
        self.assertEqual(method.unoptimised_code(nothing).words, "Not measured.")
        nothing.results.machine_code = {
            ("09_noise_map", name): {"stores_global": count} for name, count in (("v1", "51"), ("v2", "17"))
        }
        self.assertIn("51 and 17 stores", method.unoptimised_code(nothing).words)
        self.assertIn("`shared_v2` 0.245 ms cold, 0.191 ms warm (1.28x)", numbers.cold_launches(given).words)


if __name__ == "__main__":
    unittest.main()
