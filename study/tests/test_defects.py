# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The defects: each line has a form that runs or numbers that show it, a test that exists, and an output that was wrong."""

import importlib.util
import math
import tempfile
import unittest
from pathlib import Path
from typing import Dict

from fabricate import ROOT

from study.measurements.csv_file import ReportError, read_table
from study.measurements.keyed import Sources
from study.measurements.published import read_published
from study.measurements.rows import read_folder
from study.measurements.selection import Results

DATA = ROOT / "study" / "data"
FILE = DATA / "defects.csv"


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Defects(unittest.TestCase):
    def setUp(self) -> None:
        import numpy

        self.published = read_published(DATA / "published.csv", DATA / "originals.csv")
        self.scene = numpy.random.default_rng(1).integers(0, 256, (96, 133, 3)).astype(numpy.int32)

    def words(self) -> Dict[str, str]:
        """What the committed rows say of each defect."""
        from study.defects.section import defects

        results = Results(read_folder(ROOT / "results" / "reference" / "h200_16_cpus"))
        return {one.form: one.words for one in defects(FILE, Path("none.png"), self.published, Sources(ROOT, results))}

    def test_each_line_has_a_form_a_test_and_an_output(self) -> None:
        from study.defects import section

        lines = [fields for _, fields in read_table(FILE, section.COLUMNS)]
        for fields in lines:
            self.assertTrue((ROOT / fields["shown_by"]).exists(), fields)
            self.assertIn(
                fields["changes"], ("bytes",) if fields["program"] else section.CHANGES
            )  # its output is wrong
        run = [fields["form"] for fields in lines if not fields["shown"]]
        self.assertEqual(sorted(run), sorted([*section.ON_SCENE, *section.ON_NUMBERS]))
        self.assertEqual(len({fields["form"] for fields in lines}), 37)
        every = section.defects(FILE, Path("none.png"), self.published, Sources(ROOT))
        tables = section.defects_section(every).items[1 : 1 + len(section.CHANGES)]
        shown = [line for table in tables for line in table.rows]
        self.assertEqual(len(shown), len(lines))
        self.assertTrue(all(table.rows for table in tables))
        self.assertEqual(sum(line[-1] == section.NO_SCENE for line in shown), len(section.ON_SCENE))

    def test_what_was_wrong_in_a_program_s_output(self) -> None:
        from study.defects.section import wrong_samples

        lines = self.published.lines
        self.assertIsNone(wrong_samples(lines, "ariano2023", "global"))
        for report, program, words in (
            ("ariano2023", "shared_v2", "599521 of 600000 samples (99.9 %), K 3"),
            ("videostream2021", "heat_map_paper_v3_int", "1143944 of 6220800"),
            ("videostream2021", "heat_map_paper_v3_int 3840", "4566584 of 24883200"),
        ):
            self.assertIn(words, wrong_samples(lines, report, program) or "")

    def test_mistakes_in_the_file(self) -> None:
        from study.defects.section import COLUMNS, defects

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "defects.csv"
            for line, words in (
                ("a,t,b,bytes,text,3.1,c,no_form,,,", "no form 'no_form'"),
                ("a,t,b,bytes,text,3.1,c,signed_byte,text,,", "no form 'signed_byte' .* or one and a text"),
                ("a,t,b,bytes,,3.1,c,signed_byte,,,", "hold '', '3.1' and 'bytes', expected one of text, program,"),
                ("a,t,b,bytes,slides,3.1,c,signed_byte,,,", "hold 'slides', '3.1' and 'bytes'"),
                ("a,t,b,colour,text,3.1,c,signed_byte,,,", "and one of bytes, timing, reporting"),
                ("a,t,b,bytes,program,,c,signed_byte,,,", "hold 'program', '' and 'bytes', .* the place"),
                ("a,,b,bytes,program,3.1,c,signed_byte,,,", "a picture and no title"),
                ("ariano2023,t,b,bytes,text,3.1,c,signed_byte,,,global", "no wrong output of global"),
            ):
                path.write_text(",".join(COLUMNS) + f"\n{line}\n", encoding="utf-8")
                with self.assertRaisesRegex(ReportError, words):
                    defects(path, Path("none.png"), self.published, Sources(ROOT))

    def test_every_form_on_the_picture_is_wrong_where_it_says(self) -> None:
        from study.defects.section import ON_NUMBERS, ON_SCENE

        said = {name: form(self.scene).words for name, form in ON_SCENE.items()}
        said.update({name: form().words for name, form in ON_NUMBERS.items()})
        for name, words in said.items():
            self.assertNotIn(" 0 of ", words, name)
        for name, words in {
            "inside_test": f"{3 * (96 + 133 - 1)} of",
            "origin_not_moved": "the right one, shifted by (2, 2)",
            "two_rounds_8": "144 cells, of which 128 are loaded",
            "blocks_rounded_down": "the last 5 columns and 0 rows",
            "bounds_exchanged": "those from column 94 on",
            "signed_byte": "40 of the 470 differences over the threshold are missed: 236 to 255",
            "divided_by_510": "765, gets (0, 0, 0)",
        }.items():
            self.assertIn(words, said[name])

    def test_algorithm_5_is_wrong_at_the_edges_of_its_tiles_alone(self) -> None:
        import numpy

        from study.defects.images import algorithm_5

        y, x = numpy.mgrid[0:96, 0:133] % 16
        ends, begins = (x > 13) | (y > 13), (x < 2) | (y < 2)
        for last, relative, edge in ((16, False, ends), (15, True, ends | begins)):
            right, form = algorithm_5(self.scene, last, relative)
            off = (right != form).any(axis=-1)
            self.assertTrue(off.any())
            self.assertFalse((off & ~edge).any())
        right, form = algorithm_5(self.scene, 15, False)
        self.assertTrue((right == form).all())

    def test_numbers_that_are_worked_out_are_right(self) -> None:
        """The noise map's rest was in no defect; version 3 with 1024 threads was said to leave nothing."""
        words = self.words()
        (line,) = [
            line for line in self.published.lines if (line["program"], line["width"]) == ("noise_map_v1_int4", "1920")
        ]
        unwritten = line["note"].partition("never written at the end: ")[2].rstrip(")")
        size, run = 1920 * 1080 * 3, 1920 * 1080 * 3 // 1024 // 16 * 16
        self.assertEqual(size - 1024 * run, int(unwritten))
        left = f"runs of {run} bytes, {run // 16} chunks of 16, leave the last {unwritten} of {size} bytes"
        values = self.published.where(report="chisci2024")
        square = sum(value.resolution == f"{value.width}x{value.width}" for value in values)
        best = self.published.where(report="videostream2021", variant="heatmap_v3_thread_sweep", unit="count")
        for name, said in {
            "noise_runs": left,
            "wide_blocks": f"{(16 + 9 - 1) ** 2} threads per block, of which {16**2} (44 %)",
            "square_images": f"{square} of {len(values)} published numbers are of square images; their hardware: "
            f"{'; '.join(dict.fromkeys(value.hardware for value in values))}.",
            "root_of_side": f"6 sigma - 1 = 5; its square root, {math.sqrt(5):.2f}",
            "nine_by_nine": f"24 x 24 = {24 * 24} cells: two rounds of 256 threads load {2 * 256}",
            "no_multiple_of_4": " ".join(f"{value.value:g} modulo 4 is {value.value % 4:g}." for value in best),
        }.items():
            self.assertIn(said, words[name])

    def test_numbers_come_from_rows_or_say_not_measured(self) -> None:
        from study.defects.section import defects

        words = self.words()
        self.assertEqual([name for name, said in words.items() if "not measured" in said], [])
        nothing = {one.form: one.words for one in defects(FILE, Path("none.png"), self.published, Sources(ROOT))}
        for name in ("pageable_for_pinned", "two_baselines", "exchanged_mapping", "baseline_anew", "layouts_apart"):
            self.assertIn("(not measured)", nothing[name])
        for name, said in {
            "copies_alike": "In: 2.6294, 2.2265, 6.3841 ms. Out: 2.6294, 2.2265, 6.3841 ms.",
            "faster_than_the_bus": "545 GB/s",
            "slow_baseline": "5.77 ns per tap, the program of ariano2023 0.585 ns (9.87x)",
            "built_without_optimisation": "1.33 ns per tap.",
            "baselines_apart": "0.585 ns per tap (ariano2023) to 5.77 ns (delbimbo2024), 9.87x",
            "unoptimised_code": "51 and 17 stores",
            "cold_launches": "`shared_v2` 0.245 ms cold, 0.191 ms warm (1.28x)",
        }.items():
            self.assertIn(said, words[name])


if __name__ == "__main__":
    unittest.main()
