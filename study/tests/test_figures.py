# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What figures show: lines that hide each other, one setting per line, the scene of a sweep, ideas."""

import importlib.util
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

from fabricate import HEADER, ROOT, row, write

from study.figures.coincident import coincide, coincident
from study.figures.content import NO_BAR, Line
from study.measurements.rows import Row, read_folder
from study.measurements.selection import Results


def rows_of(rows: List[Dict[str, str]]) -> List[Row]:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "a.csv", rows)
        return read_folder(Path(folder))


def line(label: str, *values: float, **changes: bool) -> Line:
    return Line(label, [(place, value, NO_BAR, False) for place, value in enumerate(values)], **changes)


class Coincident(unittest.TestCase):
    def test_lines_that_hide_each_other_are_named(self) -> None:
        a, b, c = line("a", 1, 2, 4), line("b", 1.02, 2.01, 4.5), line("c", 1.5, 3, 6)
        self.assertTrue(coincide(a, b))
        self.assertFalse(coincide(a, c))
        self.assertFalse(coincide(a, line("one point", 1)))
        self.assertEqual(coincident([a, c]), "")
        self.assertIn("drawn dashed over solid: a and b.", coincident([a, b, c]))
        self.assertEqual(coincident([a, line("copy", 1, 2, 4, dashed=True)]), "")


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Labels(unittest.TestCase):
    def drawn(self, *lines: Line, caption: str = "", **changes: str) -> Any:
        from study.figures import drawing

        figure, axes = drawing.canvas(4)
        drawing.draw_lines(axes[0, 0], lines)
        drawing.size_axis(axes[0, 0], [(400, "20x20"), (900, "30x30")])
        axes[0, 0].set_ylabel("time (ms)")
        return drawing.finish(figure, "Title", caption, axes[0, 0], **changes)

    def legend(self, figure: Any) -> List[str]:
        return [text.get_text() for text in figure.legends[0].get_texts()]

    def test_logarithmic_axes_say_so(self) -> None:
        axes = self.drawn(line("a", 1, 2)).axes[0]
        self.assertEqual(axes.get_xlabel(), "image size, logarithmic")
        self.assertEqual(axes.get_ylabel(), "time (ms), logarithmic")

    def test_no_module_writes_the_word_itself(self) -> None:
        for path in set((ROOT / "study").rglob("*.py")) - set((ROOT / "study/tests").iterdir()):
            if path.name not in ("labels.py", "heat_maps.py"):
                self.assertNotIn(', logarithmic"', path.read_text(encoding="utf-8"), path.name)

    def test_the_legend_names_the_bars_where_there_are_any(self) -> None:
        barred = Line("b", [(400, 1, (0.1, 0.2), False), (900, 2, (0.1, 0.2), False)])
        self.assertEqual(self.legend(self.drawn(line("a", 1, 2), barred)), ["a", "b", "bars: 5th to\n95th percentile"])
        self.assertEqual(self.legend(self.drawn(barred, bars="bars: quartiles")), ["b", "bars: quartiles"])
        self.assertEqual(self.legend(self.drawn(line("a", 1, 2))), ["a"])

    def test_published_lines_share_an_entry(self) -> None:
        theirs = [line(f"{name}, published", 3, 4, beside=name) for name in "ab"]
        drawn = self.drawn(line("a", 1, 2), line("b", 5, 6), *theirs)
        self.assertEqual(self.legend(drawn), ["a", "b", "published, same colours"])
        colours = [one.get_color() for one in drawn.axes[0].lines if len(one.get_xdata()) == 2]
        self.assertEqual(colours[:2], colours[2:])

    def test_a_noisy_bar_is_hollow_and_its_entry_is_not(self) -> None:
        from study.figures import drawing
        from study.figures.content import Bars

        figure, axes = drawing.canvas(4)
        drawing.draw_bars(axes[0, 0], ["480p", "4k"], [Bars("a", [1, 2], noisy=[True, False])])
        bars = axes[0, 0].containers[0].patches
        self.assertEqual([bar.get_facecolor()[:3] == (1, 1, 1) for bar in bars], [True, False])
        self.assertEqual(len(axes[0, 0].texts), 0)
        (entry,), labels = axes[0, 0].get_legend_handles_labels()
        self.assertEqual(labels, ["a"])
        self.assertEqual(entry.get_facecolor(), bars[1].get_facecolor())

    def test_titles_say_gray(self) -> None:
        for caption, words in (
            ("5x5, RGB, x", ""),
            ("gray, x", ", gray"),
            ("640x480, RGBA", ", RGBA"),
            ("gray and RGB, x", ", gray and RGB"),
            ("", ""),
        ):
            self.assertEqual(self.drawn(line("a", 1, 2), caption=caption)._suptitle.get_text(), "Title" + words)


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Roofline(unittest.TestCase):
    def test_the_caption_says_which_variants_are_no_points_and_why(self) -> None:
        from study.parts.roofline import best, left_out

        copies = {
            **{name: "" for name in HEADER if name.startswith("kernel_ms")},
            "total_ms_median": "3",
            "bus_both_gb_per_s": "90",
        }
        results = Results(
            rows_of(
                [
                    *(row("01_sequential", name, size, 2) for name in ("flat", "simd") for size in ("480p", "4k")),
                    row("01_sequential", "nested", "480p", 5),
                    row("01_sequential", "aos", "4k", 5),
                    row("06_async_streams", "chain_cpu", "4k", 1, filters="4"),
                    row("06_async_streams", "pinned", "4k", 1, **copies),
                    *(
                        row(lab, "cpu", "4k", 1, filter="", ksize="", border="", image="moving")
                        for lab in ("08_heat_map", "09_noise_map")
                    ),
                ]
            )
        )
        points = best(results, "Toy CPU, 2 cores")
        self.assertEqual([one.variant for one in points], ["flat", "simd", "aos"])
        self.assertEqual(
            left_out(results, "Toy CPU, 2 cores", points),
            (
                "Left out: nested of lab 01 (no time of this job at 4k in the protocol); chain_cpu of lab 06 (chains of filters, "
                "several passes or devices); pinned of lab 06 (timed with their copies); labs 08 and 09 (not the 5x5 Gaussian "
                "of the scene with warm caches)."
            ),
        )
        one = Results(rows_of([row("01_sequential", "flat", "480p", 1)]))
        self.assertEqual(left_out(one, "Toy CPU, 2 cores", one.rows), "No variant that was timed here is left out.")

    def test_the_roof_is_of_a_variant_that_visits_every_tap(self):
        from study.parts.roofline import highest

        rows = [row("01_sequential", variant, "4k", ms) for variant, ms in (("flat", 2), ("fft", 1))]
        self.assertEqual(highest(Results(rows_of(rows)), "Toy CPU, 2 cores", []).variant, "flat")


if __name__ == "__main__":
    unittest.main()
