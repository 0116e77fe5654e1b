# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""make plots: which rows stand in one table and one curve, what is listed beside them, and the files that it writes."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

from tests.tools.made_up_rows import HEADER, ROOT, SIZES, row, write
from tools.plots import figures, jobs, words
from tools.plots.report import Report

GPU = {"backend": "cuda", "device": "NVIDIA Toy", "total_ms_median": "9"}


def lab_01(*sizes: str) -> List[Dict[str, str]]:
    return [
        row("01_sequential", variant, size, cost * SIZES[size][0] / 1000, copy_how="one thread")
        for size in sizes
        for variant, cost in (("nested", 60), ("flat", 30), ("simd", 2))
    ]


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.base = Path(holder.name) / "a folder"
        self.results, self.out = self.base / "results", self.base / "report"

    def report(self, *rows: Dict[str, str], sweep: Any = ()) -> Report:
        write(self.results / "a.csv", rows)
        if sweep:
            write(self.results / "a_sweep.csv", sweep)
        return Report(self.results, None)

    def lab(self, *rows: Dict[str, str], sweep: Any = ()) -> jobs.Lab:
        return self.report(*rows, sweep=sweep).labs[-1]


class Rows(Folder):
    def test_a_table_is_of_one_job(self) -> None:
        """Each other image, type, number of channels, filter, border or number of passes is listed, never joined to a curve."""
        others = {
            "image": "photo",
            "type": "float32",
            "channels": "1",
            "filter": "box",
            "ksize": "3",
            "border": "wrap",
            "passes": "2",
            "filters": "4",
            "cold": "1",
        }
        for column, value in others.items():
            with self.subTest(column=column):
                lab = self.lab(
                    row("l", "v", "480p", 2), row("l", "v", "720p", 4), row("l", "v", "1080p", 5, **{column: value})
                )
                self.assertEqual([row.ms for row in lab.rows], [2, 4])
                self.assertEqual([row.ms for row in lab.rest], [5])

    def test_every_key_of_a_row_tells_two_curves_or_two_tables_apart(self) -> None:
        """Also a setting that is added to the labs later."""
        columns = [
            name for name in words_of_key() if name not in ("lab", "variant", "machine", "width", "height", "gpus")
        ]
        self.assertGreater(len(columns), 15)
        for column in columns:
            with self.subTest(column=column):
                one, other = ("cpu", "cuda") if column == "backend" else ("2", "3")
                lab = self.lab(
                    row("l", "v", "480p", 2, **{"devices": "1", "backend": "cuda", column: one}),
                    row("l", "v", "720p", 4, **{"devices": "1", "backend": "cuda", column: other}),
                )
                self.assertEqual(max(map(len, lab.curves.values())), 1)
                self.assertEqual(len(lab.rows) + len(lab.rest), 2)

    def test_rows_of_one_size_have_one_number_of_iterations(self) -> None:
        lab = self.lab(
            row("l", "v", "480p", 2),
            row("l", "w", "480p", 3),
            row("l", "x", "480p", 1, iterations="5"),
            row("l", "v", "8k", 20, iterations="58"),
            row("l", "w", "8k", 30, iterations="58"),
        )
        self.assertEqual(list(lab.curves), ["v", "w"])
        self.assertEqual([row["variant"] for row in lab.rest], ["x"])
        self.assertEqual(lab.caption(), "toy, 5x5 gaussian, replicate, RGB, median of 100 iterations (58 at 8k)")

    def test_which_of_the_rows_of_one_configuration_counts(self) -> None:
        lab = self.lab(row("l", "v", "480p", 2), row("l", "v", "480p", 3, iterations="5", date="2026-03-01T00:00:00Z"))
        self.assertEqual(([row.ms for row in lab.rows], lab.repeated), ([2], 1))
        self.assertEqual(
            [
                row.ms
                for row in self.lab(
                    row("l", "v", "480p", 3), row("l", "v", "480p", 2, date="2026-03-01T00:00:00Z")
                ).rows
            ],
            [2],
        )
        self.assertEqual(
            [row.ms for row in self.lab(row("l", "v", "480p", 3), row("l", "v", "480p", 2, noisy="1")).rows], [3]
        )
        broken = self.lab(
            row("l", "v", "480p", 3),
            row("l", "v", "480p", 1, status="failed", reason="3 differ", date="2026-03-01T00:00:00Z"),
        )
        self.assertEqual((broken.rows, [row["reason"] for row in broken.untimed]), ([], ["3 differ"]))

    def test_a_sweep_is_no_part_of_the_protocol_s_table(self) -> None:
        lab = self.lab(row("l", "v", "480p", 2), sweep=[row("l", "v", "480p", 3), row("l", "v", "720p", 4)])
        self.assertEqual(([row.ms for row in lab.rows], [row.ms for row in lab.rest]), ([2], [3, 4]))
        (self.results / "a.csv").unlink()
        self.assertEqual([row.ms for row in Report(self.results, None).labs[0].rows], [3, 4])

    def test_of_many_settings_each_variant_shows_the_fastest(self) -> None:
        blocks = [
            row("l", variant, "480p", ms + block / 100, block=str(block))
            for variant, ms in (("v", 2), ("w", 3))
            for block in range(4, 12)
        ]
        lab = self.lab(*blocks)
        self.assertEqual(list(lab.curves), ["v, block 4", "w, block 4"])
        self.assertEqual(len(lab.rest), 14)
        self.assertEqual(list(self.lab(*blocks[:3]).curves), ["v, block 4", "v, block 5", "v, block 6"])

    def test_speed_ups_are_over_nested_or_the_first_variant(self) -> None:
        report = self.report(
            row("01_sequential", "nested", "480p", 12), row("02_mine", "x", "480p", 3), row("02_mine", "y", "480p", 2)
        )
        lab = report.labs[1]
        self.assertEqual((report.to.name(lab), report.to.speed_up(lab, lab.rows[0])), ("01_sequential nested", 4))
        report = self.report(
            row("01_sequential", "nested", "480p", 12, border="wrap"),
            row("02_mine", "x", "480p", 3),
            row("02_mine", "y", "480p", 2),
        )
        lab = report.labs[1]
        self.assertEqual((report.to.name(lab), report.to.speed_up(lab, lab.rows[1])), ("x", 1.5))

    def test_the_first_variant_that_has_a_time_at_the_size_is_the_baseline(self) -> None:
        report = self.report(row("02_mine", "x", "480p", 3), *(row("02_mine", name, "4k", 2) for name in "yz"))
        self.assertEqual((report.to.name(report.labs[0]), report.labs[0].compared_at[1]), ("y", "4k"))

    def test_a_share_is_of_the_copy_of_the_rows_own_session(self) -> None:
        """It was once of the fastest copy of all sessions."""
        report = self.report(row("l", "v", "480p", 2, copy_gb_per_s="20"), row("l", "w", "480p", 2, copy_gb_per_s="40"))
        self.assertEqual([one.ceiling for one in report.labs[0].rows], [20, 40])

    def test_two_processors_have_two_copies(self) -> None:
        report = self.report(
            row("l", "v", "480p", 2, copy_how="a"), row("l", "g", "480p", 2, **GPU, copy_how="b", copy_gb_per_s="2000")
        )
        cpu, gpu = report.labs[0].rows
        self.assertEqual([cpu.ceiling, gpu.ceiling], [20, 2000])
        self.assertAlmostEqual(gpu.of_ceiling or 0, gpu.rate("bytes") / 2000)

    def test_names_and_numbers(self) -> None:
        for long, name in (
            ("Intel(R) Xeon(R) Processor, 16 CPUs", "Xeon, 16 CPUs"),
            ("NVIDIA H200", "H200"),
            ("toy", "toy"),
            ("CPU", "CPU"),
            ("AMD Ryzen 7 5800X 8-Core Processor, 16 CPUs", "Ryzen 7 5800X, 16 CPUs"),
            ("Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz, 8 CPUs", "Core i7-8550U, 8 CPUs"),
        ):
            self.assertEqual(words.short(long), name)
        self.assertEqual(
            [words.percent(share) for share in (0.874, 0.0532, 0.00024, 1.32, 0, None)],
            ["87 %", "5.3 %", "0.024 %", "132 %", "0 %", "–"],
        )
        self.assertEqual(
            [words.number(value) for value in (2437.4, 12.34, 0.0548, 0, None)], ["2437", "12.3", "0.0548", "0.00", "–"]
        )

    def test_it_imports_nothing_of_the_study(self) -> None:
        sources = [
            path.read_text(encoding="utf-8")
            for folder in ("tools", "tests", "common", "labs")
            for path in (ROOT / folder).rglob("*.py")
        ]
        self.assertGreater(len(sources), 20)
        for text in sources:
            self.assertNotRegex(text, r"(?m)^\s*(from|import) study\b")


def words_of_key() -> List[str]:
    return list(jobs.labs_columns().configuration)


class Program(Folder):
    def plots(self, *arguments: object, **environment: str) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, ROOT / "tools/plots", "--results", self.results, "--out", self.out, *map(str, arguments)],
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, **environment},
        )
        self.assertNotIn("Traceback", done.stderr)
        return done

    def page(self) -> str:
        """report.md of the results, and what was printed."""
        done = self.plots()
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.out / "report.md").read_text(encoding="utf-8") + done.stdout

    def refused(self, words: str, *arguments: object, **environment: str) -> None:
        done = self.plots(*arguments, **environment)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
        self.assertRegex(done.stderr, words)

    def files(self) -> Dict[str, bytes]:
        return {str(path.relative_to(self.out)): path.read_bytes() for path in self.out.rglob("*") if path.is_file()}

    def test_mistakes_are_one_sentence_and_nothing_is_written(self) -> None:
        self.assertEqual(self.plots("--nonsense").returncode, 2)
        self.refused("no folder")
        self.results.mkdir(parents=True)
        self.refused("no measurements in .*: run `make bench` first")
        write(self.results / "a.csv", [row("a", "v", "480p", 1), row("a", "v", "480p", 1, machine="m2")])
        self.refused('m2; toy.*ARGS="--machine m2"')
        self.refused("no measurements of machine m3", "--machine", "m3")
        for changes, sentence in (
            ({"kernel_ms_median": "1,5"}, "a.csv, line 2: column kernel_ms_median holds '1,5', expected a number"),
            ({"width": "-3"}, "a.csv, line 2: column width"),
            ({"status": "fine"}, "column status holds 'fine'"),
            ({"lab": ""}, "column lab is empty"),
            ({"kernel_ms_median": ""}, "kernel_ms_median, width or height is missing"),
        ):
            write(self.results / "a.csv", [row("a", "v", "480p", 1, **changes)])
            self.refused(sentence)
        (self.results / "a.csv").write_text(";".join(HEADER) + "\n")
        self.refused("a.csv has semicolons instead of commas")
        (self.results / "a.csv").write_text("lab,variant,backend,machine,kernel_ms_median\n")
        self.refused("a.csv, line 1: column .* is missing from the header: another version of the labs wrote the file")
        write(self.results / "a.csv", [row("a", "v", "480p", 1)])
        (self.results / "sessions.csv").unlink()
        self.refused("a.csv, line 2: session 's[0-9a-f]+' is not in .*sessions.csv")
        self.assertFalse(self.out.exists())

    def test_a_file_that_a_spreadsheet_saved_with_commas_is_read(self) -> None:
        write(self.results / "a.csv", [row("a", "v", "480p", 1)])
        plain = (self.results / "a.csv").read_bytes()
        (self.results / "a.csv").write_bytes(b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n"))
        self.assertEqual(self.plots().returncode, 0)

    def test_the_same_rows_give_the_same_bytes_and_links_lead_to_files(self) -> None:
        write(self.results / "01_sequential.csv", lab_01("480p", "720p", "4k"))
        write(
            self.results / "03_mine.csv",
            [row("03_mine", variant, size, 0.1, **GPU) for variant in ("a", "b") for size in ("480p", "4k")],
        )
        done = self.plots()
        self.assertEqual(done.returncode, 0, done.stderr)
        first = self.files()
        self.assertEqual(
            sorted(first),
            [
                "figures/01_sequential_speed_ups.svg",
                "figures/01_sequential_time_by_size.svg",
                "figures/03_mine_speed_ups.svg",
                "figures/03_mine_time_by_size.svg",
                "figures/fastest_by_lab.svg",
                "report.html",
                "report.md",
            ],
        )
        for name, pattern in (("report.md", r"\]\(([^)]+)\)"), ("report.html", r"(?:src|href)=\"([^\"]+)\"")):
            links = set(re.findall(pattern, first[name].decode()))
            self.assertEqual(links, {name for name in first if name.startswith("figures/")}, name)
        self.assertNotIn(b"<dc:date>", first["figures/fastest_by_lab.svg"])
        for locale in ("C", "de_DE.ISO-8859-1"):
            again = self.plots(LC_ALL=locale)
            self.assertEqual(self.files(), first)
            self.assertRegex(again.stdout, r"01_sequential +simd +4k +7\.68 +100 +30\.0x 01_sequential nested")
            self.assertRegex(again.stdout, r"03_mine +a +4k +0\.100 +100 +2304x 01_sequential nested")

    def test_figures_of_an_earlier_report_go(self) -> None:
        write(self.results / "a.csv", [row("a", "v", "480p", 1)])
        (self.out / "figures").mkdir(parents=True)
        (self.out / "figures/old_time_by_size.svg").touch()
        self.assertEqual(self.plots().returncode, 0)
        self.assertEqual([name for name in self.files() if "figures" in name], ["figures/a_time_by_size.svg"])

    def test_marks_reasons_and_what_else_was_timed(self) -> None:
        write(
            self.results / "a.csv",
            [
                row("a", "v", "480p", 1, noisy="1"),
                row("a", "w", "480p", 2, disturbed="2"),
                row("a", "x", "480p", 1, status="failed", reason="3 samples <differ>."),
                row("a", "x", "720p", 1, status="failed", reason="3 samples <differ>."),
                row("a", "y", "480p", 1, status="unsupported", reason="No."),
                row("a", "z", "480p", 1, status="skipped", reason="Needs 9 GB."),
                row("a", "v", "480p", 4, filter="box"),
                row("a", "u", "480p", 0),
                row("03_cuda", "naive", "480p", 777, backend="cuda_on_cpu"),
            ],
        )
        done = self.plots()
        self.assertEqual(done.returncode, 0, done.stderr)
        text, page = (self.files()[name].decode() for name in ("report.md", "report.html"))
        for line in (
            "| v | 1.00† | 1.00x |",
            "| w | 2.00‡ | 0.500x |",
            "| x | failed | 3 samples &lt;differ>. | 480p and 720p | 2 |",
            "| y | unsupported | No. | 480p | 1 |",
            "| z | skipped | Needs 9 GB. | 480p | 1 |",
            "| u | ok, but below the clock's resolution | – | 480p | 1 |",
            "| 5x5 box, replicate, RGB | bench | 100 | 1 | v | v at 480p | 4.00 |",
            "† noisy:",
            "‡ disturbed:",
            "1 row of 03_cuda ran as CUDA on the CPU, which is checked, not timed",
        ):
            self.assertIn(line, text)
        self.assertNotIn("777", text)
        self.assertIn("3 samples &lt;differ&gt;.", page)
        self.assertIn("a: 5 rows not timed (failed, unsupported, skipped and ok)", done.stdout)

    def test_nothing_was_timed(self) -> None:
        write(self.results / "a.csv", [row("03_cuda", "naive", "480p", 777, backend="cuda_on_cpu")])
        self.assertIn("Nothing was timed.", self.page())
        self.assertEqual([name for name in self.files() if "figures" in name], [])

    def test_a_curve_joins_only_what_was_measured_alike(self) -> None:
        lab = self.lab(
            *(
                row(
                    "l",
                    "my $x_1$",
                    size,
                    2,
                    iterations="58" if size == "8k" else "100",
                    noisy="1" if size == "8k" else "0",
                    copy_gb_per_s="",
                )
                for size in ("480p", "720p", "8k")
            )
        )
        figure = figures.time_by_size(lab, jobs.Compared({}))
        lines = [len(line.get_xdata()) for line in figure.axes[0].lines if line.get_marker() == "None"]
        self.assertEqual(lines, [2, 1])
        self.assertEqual(
            [line.get_markerfacecolor() for line in figure.axes[0].lines if line.get_marker() == "o"].count("white"), 1
        )
        self.assertIn("my $x_1$", [text.get_text() for text in figure.axes[0].texts])
        figures.style.pyplot.close(figure)

    def test_a_speed_up_is_as_rough_as_its_baseline(self) -> None:
        report = self.report(
            *(
                row(
                    "01_sequential",
                    "nested",
                    size,
                    9,
                    noisy="1" if size == "4k" else "0",
                    iterations="58" if size == "8k" else "100",
                )
                for size in ("480p", "4k", "8k")
            ),
            *(row("02", "v", size, 3) for size in ("480p", "4k", "8k")),
        )
        figure = figures.speed_ups(report.labs[1], report.to)
        lines = figure.axes[0].lines
        self.assertEqual([len(line.get_xdata()) for line in lines if line.get_marker() == "None"], [2, 1])
        self.assertEqual(
            [line.get_markerfacecolor() == "white" for line in lines if line.get_marker() == "o"], [False, True, False]
        )
        self.assertTrue(
            figure.texts[1].get_text().endswith("; iterations of 01_sequential nested: 58 at 8k"),
            figure.texts[1].get_text(),
        )
        figures.style.pyplot.close(figure)

    def test_labels_do_not_overlap(self) -> None:
        lab = self.lab(
            *(
                row("l", f"v{number:02}", size, 500 if number == 11 else 2 + number / 1000, copy_gb_per_s="")
                for size in ("480p", "8k")
                for number in range(12)
            )
        )
        figure = figures.time_by_size(lab, jobs.Compared({}))
        figure.canvas.draw()
        extents = [
            figures.style.matplotlib.text.Text.get_window_extent(text) for text in figure.axes[0].texts
        ]  # without its line
        boxes = sorted((extent.y0, extent.y1) for extent in extents)
        self.assertEqual(len(boxes), 12)
        self.assertGreater(boxes[0][0], 0)
        for below, above in zip(boxes, boxes[1:]):
            self.assertLessEqual(below[1], above[0] + 1)
        figures.style.pyplot.close(figure)

    def test_files_of_other_verbs(self) -> None:
        write(self.results / "a.csv", [row("a", "v", "480p", 1)])
        (self.results / "verify.csv").write_text(
            "lab,variant,backend,device,build,machine,jobs,samples_different,status,reason,date\n"
            + "".join(
                f"a,{variant},cpu,d,{build},{machine},{result},2026-01-{day}\n"
                for variant, build, machine, result, day in (
                    ("v", "1", "toy", "10,9,failed,before the correction", "01"),
                    ("v", "2", "toy", "10,0,ok,", "02"),
                    ("w", "1", "toy", "5,3,failed,3 differ", "01"),
                    ("w", "1", "toy", "0,0,unsupported,No 'box'.", "01"),
                    ("q", "1", "other", "7,7,failed,of another machine", "01"),
                )
            )
        )
        (self.results / "timeline.csv").write_text(
            "lab,variant,backend,machine,device,size,width,height,channels,ksize,filter,gpu,stream,what,start_ms,end_ms\n"
            + "".join(
                f"06,streams,cuda,toy,NVIDIA Toy,8k,,,3,5,gaussian,0,{stream},{what},{start},{start + 1}\n"
                for stream in (0, 1)
                for start, what in enumerate(("copy in", "filter", "copy out"))
            )
        )
        (self.results / "clips.csv").write_text(
            "lab,variant,machine,video,width,height,rate,frames,seconds,reading_ms,computing_ms,writing_ms,slowest\n"
            "08,cpu,toy,a/clip.mp4,1920,1080,30,300,6,13.5,6.5,25.6,writing\n"
        )
        (self.results / "peers.csv").write_text(
            "peer,function,backend,threads,size,width,height,filter,ksize,time_ms,ratio,status,reason,machine\n"
            "lib,blur,cpu,2,480p,853,480,gaussian,5,1,2,ok,,toy\nlib,blur,cpu,2,4k,3840,2160,gaussian,5,1,2.5,failed,differs,toy\n"
        )
        (self.results / "sanitize.csv").touch()
        (self.results / "grades.csv").write_text("name;grade\nAda;1\n")
        text = self.page()
        self.assertIn("figures/timeline_streams.svg", self.files())
        for line in (
            "DIFFERENT FROM THE REFERENCE: a w; 15 comparisons of 2 variants.",
            "| a | 2 | 1 | 1 | 1 | 0 | 15 |",
            "| a | w | 3 | 3 differ |",
            "| unsupported | No …. | a | 1 | 1 |",
            "| 08 | cpu | clip.mp4 | 1920x1080 | 30.0 | 50.0 | 13.5 | 6.50 | 25.6 | writing |",
            "| lib | blur | cpu | 2 | 5x5 gaussian | 1.00 | 2.50 | failed: differs |",
            "Of smaller sizes peers.csv has 1 row.",
            "The folder also has grades.csv and sanitize.csv.",
        ):
            self.assertIn(line, text)
        (self.results / "a.csv").unlink()
        self.assertRegex(self.plots().stderr, "measurements of 2 machines")
        self.assertEqual(self.plots("--machine", "toy").returncode, 0)
        text = self.files()["report.md"].decode()
        self.assertIn("figures/timeline_streams.svg", text)
        self.assertNotIn("## All labs", text)
        (self.results / "timeline.csv").write_text(
            (self.results / "timeline.csv").read_text().replace(",0,0,", ",x,0,")
        )
        self.refused("timeline.csv, line 2: column gpu holds 'x', expected a number", "--machine", "toy")

    def test_code_in_a_sentence_or_a_cell_is_code_on_the_page(self) -> None:
        write(self.results / "a.csv", [row("a", "v", "480p", 1, status="failed", reason="See `lab run <x>`.")])
        self.assertEqual(self.plots().returncode, 0)
        page = self.files()["report.html"].decode()
        for part in ("<p><code>make bench</code> compared", "<td>See <code>lab run &lt;x&gt;</code>.</td>"):
            self.assertIn(part, page)
        self.assertNotIn("`", page)

    def test_a_baseline_is_named_with_its_lab(self) -> None:
        said = self.report(*(row(lab, name, "480p", 1) for lab in "ab" for name in ("flat", "w"))).summary()
        self.assertRegex(said, r"\na +w +480p +1\.00 +100 +1\.00x a flat")
        self.assertRegex(said, r"\nb +w +480p +1\.00 +100 +1\.00x b flat")

    def test_the_summary_of_one_lab_has_no_column_for_it_and_names_what_else_was_timed(self) -> None:
        said = self.report(
            row("a", "v", "480p", 1), row("a", "w", "480p", 2), row("a", "u", "480p", 4, type="int32")
        ).summary()
        self.assertRegex(said, r"\nvariant +size +ms")
        self.assertIn("a: 1 row of other jobs or settings (u) in report.md", said)
        self.assertIn("`make bench` compared each output that it timed", said)
        self.assertRegex(
            self.report(row("a", "v", "480p", 1), row("b", "w", "480p", 2)).summary(), r"\nlab +variant +size"
        )

    def test_what_was_verified_as_cuda_on_the_cpu_is_said(self) -> None:
        self.results.mkdir(parents=True)
        (self.results / "verify.csv").write_text(
            "lab,variant,backend,device,build,machine,jobs,samples_different,status,reason,date\n"
            "a,v,cpu,d,1,toy,10,0,ok,,1\nb,w,cuda_on_cpu,d,1,toy,1,0,ok,,1\n"
        )
        self.assertIn(
            "Identical to the reference, byte for byte: 2 variants in 11 comparisons; 1 of them as CUDA on the CPU.",
            Report(self.results, None).summary(),
        )

    def test_a_folder_that_cannot_be_written_and_names_that_would_leave_it(self) -> None:
        write(self.results / "a.csv", [row(lab, "v", "480p", 1) for lab in ("../../escape", "a b", "a_b")])
        self.assertEqual(self.plots().returncode, 0)
        self.assertEqual(len([name for name in self.files() if "_time_by_size" in name]), 3)
        self.assertEqual(sorted(path.name for path in self.base.iterdir()), ["report", "results"])
        self.out = self.base / "a file"
        self.out.write_text("not a folder")
        self.refused(f"cannot write into the folder {self.out}.*; choose another with --out")
        self.assertEqual(self.out.read_text(), "not a folder")

    def test_without_matplotlib(self) -> None:
        write(self.results / "a.csv", [row("a", "v", "480p", 1)])
        hidden = self.base / "hidden" / "matplotlib"
        hidden.mkdir(parents=True)
        (hidden / "__init__.py").write_text("raise ImportError('hidden', name='matplotlib')")
        self.refused("figures need matplotlib.*python3-matplotlib", PYTHONPATH=str(hidden.parent))
        self.assertFalse(self.out.exists())
