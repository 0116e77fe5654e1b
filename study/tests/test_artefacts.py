# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Every artefact of the reports: made-up rows give the made-up numbers; what it shows of the committed rows."""

import importlib.util
import re
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List, Sequence, Set

from fabricate import ROOT, SIZES, row, write

from study.figures.content import Figure, Table, number
from study.measurements.published import read_published
from study.measurements.rows import Row, read_folder
from study.measurements.selection import Results

DATA = ROOT / "study" / "data"
FILE = DATA / "artefacts.ini"
PUBLISHED = read_published(DATA / "published.csv", DATA / "originals.csv")
ANY = {"ksize": ("3", "5"), "threads": ("2", "4"), "block": ("8", "16"), "block_threads": ("716", "1024")}
TIMED = ("heat", "lines", "bars", "versions")
ORIGINAL = "original program, same colours"


def rows_of(rows: Sequence[Dict[str, str]]) -> List[Row]:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "a.csv", rows)
        return read_folder(Path(folder))


def closed(figure: Figure) -> Any:
    """The figure, drawn, and no longer kept by pyplot."""
    from matplotlib import pyplot

    drawn = figure.draw()
    pyplot.close(drawn)
    return drawn


def lines_of(figure: Figure) -> List[str]:
    """The labels in a figure's legend."""
    return [text.get_text() for legend in closed(figure).legends for text in legend.get_texts()]


def drawn_numbers(figure: Any) -> Set[str]:
    """What a figure shows: the heights of its points and bars, and the numbers in its cells."""
    found: Set[str] = set()
    for axes in figure.axes:
        found |= {number(float(y)) for line in axes.lines for y in line.get_ydata()}
        found |= {number(patch.get_height()) for patch in axes.patches if hasattr(patch, "get_height")}
        found |= {text.get_text() for text in axes.texts}
    return found


class Fabricated:
    """Rows for each series of an artefact, no two with one time."""

    def __init__(self, one: Any):
        self.one, self.rows, self.count = one, [], 0
        self.ms: Dict[Any, float] = {}  # by series, and the row's size, ksize, block and threads
        for series, form, selector in one.selectors("ours"):
            self._add(series, form, selector)

    def _add(self, series: str, form: str, selector: Dict[str, str]) -> None:
        fields = [{}]
        for name, value in selector.items():
            values = ANY.get(name, ("",)) if value in ("*", "!") else value.split("|")[-2:]
            fields = [{**one, name: value} for one in fields for value in values]
        for one in fields:
            for size in [one["size"]] if "size" in one else ["480p", "4k"]:
                self._row(series, form, size, {name: value for name, value in one.items() if name != "size"})

    def _row(self, series: str, form: str, size: str, fields: Dict[str, str]) -> None:
        self.count += 1
        ms = 10 + 1.37 * self.count
        lab, variant = fields.pop("lab"), fields.pop("variant")
        gpu = {"backend": "cuda", "device": "Toy GPU"} if int(lab[:2]) > 2 and variant != "cpu" else {}
        if size not in SIZES:
            side = size.partition("x")[0]
            fields.update(size=size, width=side, height=side)
        copied = {"total_ms_median": f"{ms + 3}", "copy_in_ms": "1", "copy_out_ms": "2"} if gpu else {}
        job = {**gpu, **fields}
        at = size if size in SIZES else "480p"
        self.rows.append(row(lab, variant, at, ms, **{**copied, **job}))
        key = ((series, form), size, *(job.get(name, "") for name in ("ksize", "block", "threads")))
        self.ms[key] = min(ms, self.ms.get(key, ms))
        base = self.one["over"]
        if base:
            other = {"block": "", "threads": "1" if "threads" in job else "", "backend": "cpu", "device": "Toy CPU"}
            name, colon, _ = base.partition(": ")
            base_lab = "02_pthread" if colon else "01_sequential"
            self.rows.append(row(base_lab, name, at, 1000, **{**job, **other}))

    @property
    def results(self) -> Results:
        """All rows, of bases one for each job."""
        unique = {tuple(one.items()): one for one in self.rows}
        return Results(rows_of(list(unique.values())))


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class EveryArtefact(unittest.TestCase):
    def test_made_up_rows_give_the_made_up_numbers(self) -> None:
        from study.reports.gather import gather
        from study.reports.seen import OURS
        from study.reports.specification import read_specifications

        shapes = []
        for one in read_specifications(FILE):
            if one["shape"] not in TIMED or "06_async" in one["job"]:
                continue
            with self.subTest(f"{one.report} {one.name} {one.part}"):
                made = Fabricated(one)
                gathered = gather(one, made.results, PUBLISHED)
                self.assertEqual(
                    sorted({round(seen.ms, 3) for seen in gathered.shown(OURS)}), self.expected_ms(one, made)
                )
                self.assert_shown(one, gathered)
                shapes.append(one["shape"])
        self.assertEqual(
            {shape: shapes.count(shape) for shape in set(shapes)}, {"heat": 11, "lines": 21, "bars": 3, "versions": 13}
        )

    def expected_ms(self, one: Any, made: Fabricated) -> List[float]:
        """The times that an artefact must show: all, or the best of each series and size."""
        if one["best"] != "yes":
            return sorted({round(ms, 3) for ms in made.ms.values()})
        best: Dict[Any, float] = {}
        for (series, size, *_), ms in made.ms.items():
            best[series, size] = min(ms, best.get((series, size), ms))
        return sorted({round(ms, 3) for ms in best.values()})

    def assert_shown(self, one: Any, gathered: Any) -> None:
        """Each number is in the figure, in the unit of the artefact, or, without a figure, in the table."""
        from study.reports.artefacts import SHAPES
        from study.reports.seen import OURS

        items = SHAPES[one["shape"]](gathered)
        figures = [item for item in items if isinstance(item, Figure)]
        cells = {
            word
            for item in items
            if isinstance(item, Table)
            for line in item.rows
            for cell in line
            for word in cell.split()
        }
        drawn = set().union(*(drawn_numbers(closed(figure)) for figure in figures)) if figures else cells
        for seen in gathered.shown(OURS):
            if one["drawn"] and seen.row.backend == "cpu":
                continue
            for quantity in one["value"].split(", ") if figures else ["ms"]:
                value = self.value(seen, quantity or "ms", one)
                if value is not None:
                    self.assertIn(value, drawn, seen)

    def value(self, seen: Any, quantity: str, one: Any) -> Any:
        """A fabricated number in the unit of its artefact, worked out here again; None of what a table adds up."""
        pixels = int(seen.row.width) * int(seen.row.height)
        samples = pixels * int(seen.row.channels)
        if one["ratio"] == "yes" and one["shape"] == "bars":
            return None  # test_bars_over_the_first_series
        if one["shape"] == "versions" and one["value"] not in ("", "kernel"):
            return None if seen.row.backend == "cpu" or "copy" in one["value"] else number(seen.ms + 3)
        values = {
            "ms": seen.ms,
            "ns": seen.ms * 1e6 / pixels,
            "x": 1000 / seen.ms,
            "GB/s": 8 * samples / seen.ms / 1e6,
            "TFLOP/s": 2 * samples * int(seen.row.ksize) ** 2 / seen.ms / 1e9,
        }
        words = number(values[quantity])
        return words if quantity != "x" or one["shape"] != "lines" or one["only"] != "table" else None

    def test_without_rows_an_artefact_is_missing_and_says_what_it_needs(self) -> None:
        from study.reports.artefacts import make_all

        empty = Results(rows_of([row("a", "v", "480p", 1)]))
        for one in make_all(FILE, empty, PUBLISHED):
            if one.specification["shape"] not in ("list", "picture", "versions"):
                self.assertRegex(one.section.missing, r"run `make \w+", (one.report, one.name))
                self.assertEqual(one.section.items, [])

    def test_only_the_artefacts_of_one_report(self) -> None:
        from study.reports.artefacts import make_all

        empty = Results(rows_of([row("a", "v", "480p", 1)]))
        made = make_all(FILE, empty, PUBLISHED, "chisci2024_figure_7")
        self.assertEqual({one.report for one in made}, {"chisci2024"})

    def test_bars_over_the_first_series(self) -> None:
        from study.reports.artefacts import make_all

        gpu = dict(backend="cuda", device="Toy GPU")
        kernels = (
            "03_cuda_global padded",
            "04_cuda_constant padded",
            "05_cuda_shared input_tile",
            "05_cuda_shared two_batch",
        )
        rows = [
            row(*kernel.split(), "4k", ms + more, block=block, **gpu)
            for kernel, ms in zip(kernels, (8.0, 4.0, 2.0, 1.0))
            for block, more in (("8", 5), ("16", 0))
        ]
        made = {one.name: one for one in make_all(FILE, Results(rows_of(rows)), PUBLISHED, "ariano2023")}
        [figure] = made["Figure 10"].section.items
        ours = closed(figure).axes[0]
        self.assertEqual([patch.get_height() for patch in ours.patches if patch.get_height()], [0.5, 0.25, 0.125])
        colours = [{patch.get_facecolor() for patch in axes.patches} for axes in closed(figure).axes]
        self.assertEqual(colours[0], colours[-1], "published bars have the colours of ours")


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Committed(unittest.TestCase):
    """What the artefacts show of the committed rows, the published numbers and the report's own programs."""

    @classmethod
    def setUpClass(cls) -> None:
        from study.reports import artefacts

        results = Results(read_folder(ROOT / "results" / "reference" / "h200_16_cpus"))
        cls.artefacts = {(one.report, one.name): one.section for one in artefacts.make_all(FILE, results, PUBLISHED)}

    def items(self, report: str, name: str, kind: type) -> List[Any]:
        return [item for item in self.artefacts[report, name].items if isinstance(item, kind)]

    def table(self, report: str, name: str) -> Dict[str, List[str]]:
        """The lines of a table by their first cell."""
        [table] = self.items(report, name, Table)
        return {line[0]: [*line[1:]] for line in table.rows}

    def test_without_times_of_the_program_the_text_says_why(self) -> None:
        for (report, name), section in self.artefacts.items():
            words = [
                item
                for item in section.items
                if isinstance(item, str) and item.startswith("The report's own program: ")
            ]
            self.assertTrue(section.originals or words or section.missing, (report, name))

    def test_tables_are_of_a_size_that_a_person_reads(self) -> None:
        for (report, name), section in self.artefacts.items():
            for table in (item for item in section.items if isinstance(item, Table)):
                self.assertLessEqual(len(table.rows), 15, (report, name))

    def test_cazzola2024_draws_its_program(self) -> None:
        for name in ("Figure 5", "Figure 6 a to h"):  # K 3 to 9; Alg. 2 to 5
            for figure in self.items("cazzola2024", name, Figure):
                self.assertIn(ORIGINAL, lines_of(figure))
                drawn = [
                    one for one in closed(figure).axes[0].lines if one.get_marker() == "x" and len(one.get_xdata())
                ]
                self.assertEqual(len(drawn), 4)
        for figure in self.items("cazzola2024", "Figure 6 a to h", Figure):
            for axes in closed(figure).axes:  # without the line of one CPU thread, which pressed the others together
                bottom, top = axes.get_ylim()
                self.assertLess(top / bottom, 20)
        # Square matrices in tiles of 16 alone are drawn: three sizes and four filters.
        self.assertEqual(self.artefacts["cazzola2024", "Figure 5"].originals, 12)
        [figure] = self.items("cazzola2024", "Figure 5", Figure)
        self.assertIn("2²⁰", [label.get_text() for label in closed(figure).axes[0].get_xticklabels()])

    def test_ariano2023_figures_11_and_13_have_its_program(self) -> None:
        self.assertRegex(
            " ".join(self.table("ariano2023", "Figure 11")["4k"]), r"^\d+x \(\d+\) \d+x \(16\) 406x \(16\)$"
        )
        [figure] = self.items("ariano2023", "Table 2", Figure)  # more threads than blocks
        self.assertIn("ref.", [text.get_text() for text in closed(figure).axes[0].texts])
        [figure] = self.items("ariano2023", "Figure 13", Figure)
        self.assertIn(ORIGINAL, lines_of(figure))
        ours = [one for one in PUBLISHED.originals if (one.report, one.ksize, one.size_name) == ("ariano2023", 5, "8k")]
        self.assertIn(f"{min(one.ms for one in ours):.3f} (shared_v2", self.table("ariano2023", "Figure 13")["8k"][2])

    def test_sizes_are_those_of_the_reports(self) -> None:
        for count in range(7, 11):
            self.assertEqual(self.table("ariano2023", f"Table {count}")["1440p"][0], "2560x1920")
        self.assertEqual(self.table("ariano2023", "Table 1")["global"], ["100x", "–"])

    def test_every_form_of_a_map_is_shown_and_the_fastest_compared(self) -> None:
        table = self.table("videostream2021", "Figure 17")
        for form, program in (("16", "int4"), ("32", "long4")):
            [ms] = [
                float(line["mean_us"]) / 1e3
                for line in PUBLISHED.lines
                if (line["program"], line["width"]) == (f"noise_map_v3_{program}_overlap", "1920")
            ]
            self.assertEqual(table[f"original, {form} bytes per read"][0], number(ms))
        self.assertIn("(32 bytes per read)", self.artefacts["videostream2021", "Figure 17"].items[-1])

    def test_videostream2021_figure_7_shows_what_coverage_counts(self) -> None:
        section = self.artefacts["videostream2021", "Figure 7"]
        self.assertIn("from about 280 threads on, a heat map takes 27 to 50 ms; 716 threads", section.items[2])
        lines = section.items[1].rows
        self.assertEqual([line[1] for line in lines], ["27.0", "30.0"])
        self.assertTrue(all(float(line[2]) > float(line[3]) + 1 for line in lines), "the loop has the copies")
        self.assertEqual((section.published, section.originals, sum(len(line[4:]) for line in lines)), (6, 4, 4))
        self.assertEqual(closed(section.items[0]).axes[0].get_ylabel(), "loop (ms), logarithmic")

    def test_videostream2021_plots_without_a_number_are_tables(self) -> None:
        for name, values in (
            ("Figure 4", ["980", "57.0"]),
            ("1.3.1 left", ["57.0", "50.0", "30.0", "27.0"]),
            ("1.3.1 right", ["50.0", "46.0", "25.5", "24.4"]),
            ("2.0.2", ["250", "26.0"]),
        ):
            [table] = self.items("videostream2021", name, Table)
            self.assertEqual([line[1] for line in table.rows], values, name)
            self.assertNotIn("–", [line[2] for line in table.rows], name)
            self.assertEqual("With 716 threads: its kernel, copies of 1024" in table.caption, name == "1.3.1 left")
        [table] = self.items("videostream2021", "Figure 7b", Table)
        self.assertEqual([line[1] for line in table.rows], ["published", "ours", "published"])

    def test_the_axis_of_two_layouts_has_the_unit_of_the_report(self) -> None:
        for figure in self.items("delbimbo2024", "Figure 10", Figure):
            times, ratio = closed(figure).axes
            self.assertIn("time (ms)", times.get_ylabel())
            self.assertLess(ratio.get_ylim()[1] - ratio.get_ylim()[0], 0.3)

    def test_a_caption_is_of_the_rows_of_its_own_table(self) -> None:
        for table in self.items("delbimbo2024", "Figure 10", Table):
            marked = sum(cell.endswith("†") for line in table.rows for cell in line)
            told = re.search(r"noisy \((\d+) of (\d+) rows\)", table.caption)
            self.assertEqual(int(told[1]) if told else 0, marked, table.caption)
            self.assertIn(told and int(told[2]), (None, 2 * len(table.rows)), table.caption)


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class SomeRows(unittest.TestCase):
    """Artefacts of a few made-up rows."""

    def made(self, report: str, name: str, rows: Sequence[Dict[str, str]]) -> Any:
        from study.reports.artefacts import make_all

        every = make_all(FILE, Results(rows_of(rows)), PUBLISHED, report)
        return next(one.section for one in every if one.name == name)

    def test_the_sweep_of_threads_is_drawn_where_two_rows_are_of_a_covered_camera(self) -> None:
        gpu = dict(backend="cuda", device="Toy GPU", filter="", ksize="", border="")
        rows = [
            row("08_heat_map", "v3", "1080p", 10 - count / 200, image=image, block_threads=str(count), **gpu)
            for image, counts in (("black", (716, 1024)), ("moving", range(4, 1025, 4)))
            for count in counts
        ]
        rows[-1].update(total_ms_median="9", copy_in_ms="1", copy_out_ms="1.5")
        section = self.made("videostream2021", "Figure 7", rows)
        self.assertEqual(len(section.rows), 256)
        self.assertIn("1024 threads are fastest of the 256", section.items[2])
        self.assertIn("the kernel takes 4.88 ms, the loop 7.38 ms", section.items[2])

    def test_the_speed_up_of_threads_is_over_one_thread_of_the_same_sweep(self) -> None:
        nested = row("01_sequential", "nested", "480p", 60)
        blocks = [row("02_pthread", "blocks", "480p", 40 / count, block="16", threads=str(count)) for count in (2, 4)]
        self.assertIn("rows with one thread", self.made("ariano2023", "Figure 9", [nested, *blocks]).missing)
        one = row("02_pthread", "rows", "480p", 50, threads="1")
        table = self.made("ariano2023", "Figure 9", [nested, one, *blocks]).items[1]
        self.assertEqual(table.rows, [["2", "2.50x"], ["4", "5.00x"]])
        self.assertIn("`rows`", table.caption)
        self.assertNotIn("at another time", table.caption)

    def test_a_point_of_another_run_is_named(self) -> None:
        from study.reports.words import another_time

        rows = [
            row("02_pthread", "blocks", size, 40, block="16", threads=threads, iterations=iterations)
            for size in ("480p", "1080p", "4k")
            for threads in ("2", "4", "16")
            for iterations in ["100" if threads == "16" and size != "480p" else "20"]
        ]
        self.assertEqual(
            another_time(rows_of(rows)),
            "Measured at another time than the rest: 16 threads, side 16, with 100 iterations (1080p and 4k).",
        )

    def test_figure_27_is_of_the_mean_that_the_conclusions_test(self) -> None:
        gpu = dict(backend="cuda", device="Toy GPU", image="moving")
        box = dict(filter="box", **gpu)
        rows = [
            *(row("10_noise_filter", "tile", "1080p", 1, ksize=k, block="10", **box) for k in ("3", "5")),
            *(row("10_noise_filter", "tile", "1080p", 1, block=block, **gpu) for block in ("10", "14", "16", "18")),
            row(
                "10_noise_filter", "tile", "1080p", 1, ksize="5", block="14", status="unsupported", reason="many", **box
            ),
        ]
        section = self.made("videostream2021", "Figure 27", rows)
        self.assertEqual([(one.ksize, one.block) for one in section.rows], [("3", "10"), ("5", "10")])
        self.assertIn("ref.", [text.get_text() for text in closed(section.items[0]).axes[0].texts])

    def test_a_speed_up_without_its_baseline_is_a_table_that_says_so(self) -> None:
        gray = dict(
            channels="1", type="int32", image="random", filter="box", border="constant", block="16", backend="cuda"
        )
        square = dict(size="8192x8192", width="8192", height="8192", device="Toy GPU")
        section = self.made("chisci2024", "Figure 8", [row("04_cuda_constant", "gray", "480p", 1, **gray, **square)])
        self.assertEqual([type(item) for item in section.items[:2]], [Table, str])
        self.assertIn("no time of `bounds` of lab 01", section.items[1])


if __name__ == "__main__":
    unittest.main()
