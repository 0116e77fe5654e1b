# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Several GPUs, MPI ranks, chains, rooflines: drawn where there are rows, "not measured" without."""

import importlib.util
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

from fabricate import row, write

from study.measurements.rows import read_folder
from study.measurements.selection import Results


def results(rows: List[Dict[str, str]]) -> Results:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "a.csv", rows)
        return Results(read_folder(Path(folder)))


def ranked(ranks: int, ms: float, height: int = 1000, **changes: str) -> Dict[str, str]:
    return row(
        "11_mpi",
        "halo",
        "480p",
        ms,
        size="",
        width="1000",
        height=str(height),
        ranks=str(ranks),
        passes="10",
        halo_passes="1",
        compute_ms=f"{ms * 0.7}",
        exchange_ms=f"{ms * 0.2}",
        wait_ms=f"{ms * 0.1}",
        **changes,
    )


def copied(variant: str, ms: float, devices: str, **changes: str) -> Dict[str, str]:
    fields = row(
        "06_async_streams",
        variant,
        "4k",
        1,
        backend="cuda",
        device="Toy GPU",
        devices=devices,
        gpus=devices,
        total_ms_median=str(ms),
        total_ms_p95=str(ms),
        total_ms_p05=str(ms),
        bus_both_gb_per_s="50",
        **changes,
    )
    return {**fields, **{name: "" for name in fields if name.startswith("kernel_ms")}}


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Scaling(unittest.TestCase):
    def drawn(self, items: List[Any]) -> List[Any]:
        from matplotlib import pyplot

        for item in items:
            if hasattr(item, "draw"):
                pyplot.close(item.draw())
        return [item for item in items if hasattr(item, "rows")]

    def test_nothing_measured_is_said(self) -> None:
        from study.parts import chains, roofline, scaling

        nothing = results([row("a", "v", "480p", 1)])
        self.assertEqual(scaling.mpi([nothing]).items, ["Not measured: lab 11, MPI."])
        self.assertIn("Not measured", str(scaling.several_gpus([nothing]).items[0]))
        self.assertIn("Not measured: a chain", str(chains.chains(nothing)[0]))
        self.assertIn("Not measured: a roofline", str(roofline.rooflines([nothing])[0]))

    def test_strong_and_weak_scaling(self) -> None:
        from study.parts import scaling

        rows = [ranked(1, 8), ranked(2, 5), ranked(4, 2.5), ranked(2, 10, 2000), ranked(4, 16, 4000)]
        strong, weak = self.drawn(scaling.mpi([results(rows)]).items)
        self.assertEqual(strong.header[2:], ["1", "2", "4", "speed-up", "efficiency", "exchanging ms", "waiting ms"])
        of_one = [line[2:] for line in strong.rows if line[1] == "1000x1000"]
        self.assertEqual(of_one, [["8.00", "5.00", "2.50", "3.20x", "80 %", "0.500", "0.250"]])
        self.assertEqual([line[2:7] for line in weak.rows], [["8.00", "10.0", "16.0", "0.500x", "50 %"]])

    def test_the_legend_names_the_lines_of_both_panels(self) -> None:
        from matplotlib import pyplot

        from study.parts import scaling

        rows = [ranked(1, 8), ranked(2, 5), *(dict(ranked(ranks, 8, 1000 * ranks), variant="grid") for ranks in (1, 2))]
        figure = scaling.mpi([results([*rows, ranked(4, 3), ranked(8, 2)])]).items[1].draw()
        self.assertEqual(
            [text.get_text() for text in figure.legends[0].get_texts()], ["halo, 10 passes", "grid, 10 passes", "ideal"]
        )
        pyplot.close(figure)

    def test_three_numbers_of_ranks_are_a_table(self) -> None:
        """The speed-up of the first is 1: two points are left."""
        from study.parts import scaling

        for ranks, figures in (((1, 2, 4), 0), ((1, 2, 4, 8), 1)):
            items = scaling.mpi([results([ranked(count, 8 / count) for count in ranks])]).items
            self.assertEqual(sum(hasattr(item, "draw") for item in items), figures)

    def test_gpus_and_cores_are_apart(self) -> None:
        from matplotlib import pyplot

        from study.parts import scaling

        gpus = [dict(ranked(ranks, 1), variant="gpu", backend="cuda", device="Toy GPU") for ranks in (1, 2)]
        items = scaling.mpi([results([*gpus, *(ranked(ranks, 64 / ranks) for ranks in (1, 2, 8, 16))])]).items
        tables = self.drawn(items)
        self.assertEqual(
            [{line[0] for line in table.rows} for table in tables], [{"halo, 10 passes"}, {"gpu, 10 passes"}]
        )
        self.assertEqual(["a GPU per rank" in table.caption for table in tables], [False, True])
        figures = [item.draw() for item in items if hasattr(item, "draw")]
        self.assertEqual([figure.axes[0].get_xscale() for figure in figures], ["log"])
        for figure in figures:
            pyplot.close(figure)

    def test_several_gpus_beside_one(self) -> None:
        from study.parts import scaling

        found = results([copied("frames", 4, "1", in_flight="3"), copied("multi_gpu", 2.5, "2", in_flight="3")])
        (table,) = scaling.several_gpus([found]).items
        self.assertEqual(
            table.rows, [["multi_gpu", "4k", "3 in flight", "2", "2.50", "–", "4.00 (frames)", "1.60x", "80 %"]]
        )

    def test_when_the_gpu_pays(self) -> None:
        from study.parts import pays

        rows = [row("02_pthread", "simd_rows", size, 10) for size in ("480p", "720p", "8k")]
        rows += [
            {**copied("frames", ms, "1"), "size": size, "width": other["width"], "height": other["height"]}
            for ms, size, other in zip((5, 9, 20), ("480p", "720p", "8k"), rows)
        ]

        def said(*runs: Any) -> str:
            return pays.pays([("", pays.methods(results(run))) for run in runs])

        words = "Many pictures, each in the CPU's caches (1 run): "
        self.assertEqual(
            said(rows),
            words
            + "the CPU is faster in each run at 8k, by 100 % or more; the GPU is faster in each run at 480p and 720p, "
            "by 100 and 11 % or more.",
        )
        slower = [rows[0], {**rows[1], "kernel_ms_median": "8"}, {**rows[2], "kernel_ms_median": "16"}, *rows[3:]]
        self.assertEqual(
            said(rows, slower),
            "Many pictures, each in the CPU's caches (2 runs): the CPU is faster in each run at 8k, by 25 % or more; the GPU "
            "is faster in each run at 480p, by 100 % or more; at 720p the runs do not agree.",
        )
        self.assertEqual(said(rows[:3]), "")

    def test_a_picture_in_the_caches_and_one_from_memory(self) -> None:
        """A picture in a cache of 300 MiB was called the CPU's time, and rows of two sessions stood side by side."""
        from study.parts import pays

        later = {"date": "2026-02-02T03:04:05Z"}
        old = [row("02_pthread", "simd_rows", "4k", 1), copied("streams", 9, "1", streams="3")]
        cpu = [row("02_pthread", "simd_rows", "4k", ms, cold=cold, **later) for ms, cold in ((4, "0"), (20, "1"))]
        gpu = [{**copied("streams", ms, "1", streams="3", cold=cold), **later} for ms, cold in ((10, "0"), (11, "1"))]
        found = pays.methods(results([*old, *cpu, *gpu]))
        self.assertEqual(
            {name: method["4k"].ms for name, method in found.items()},
            {pays.WARM: 4, pays.COLD: 20, pays.ONE: 10, pays.ONE_COLD: 11},
        )
        self.assertEqual(
            pays.pays([("m", found)]),
            "One picture in the CPU's caches (1 run): the CPU is faster in each run at 4k, by 150 % or more. One picture from "
            "memory (1 run): the GPU is faster in each run at 4k, by 82 % or more.",
        )
        both = [("m", found), ("n", found)]
        self.assertEqual((pays.won(both, "CPU", False), pays.won(both, "GPU", True)), (["4k"], ["4k"]))
        self.assertEqual((pays.won(both, "GPU", False), pays.won(both, "CPU", True)), ([], []))
        (table,) = pays.runs_table([("m", found)])
        self.assertEqual(table.rows, [["m", "4k", "4.00", "20.0", "10.0", "11.0"]])

    def test_a_halo_lasts_for_no_more_passes_than_there_are(self) -> None:
        """With one pass `wide_halo, halos for 4` is the work of `halo`; the label said otherwise."""
        from study.parts.scaling import _label

        self.assertEqual(
            [_label(("wide_halo", passes, "4", "", "")) for passes in ("1", "2", "100")],
            ["wide_halo", "wide_halo, 2 passes, halos for 2", "wide_halo, 100 passes, halos for 4"],
        )

    def test_a_chain_beside_all_cores(self) -> None:
        from study.parts import chains

        rows = [copied("chain", ms, "1", filters=str(count)) for count, ms in ((1, 4), (2, 5))] + [
            row("06_async_streams", "chain_cpu", "4k", 3 * count, filters=str(count), threads="2")
            for count in (1, 2, 4)
        ]
        found = results(rows)
        items = chains.chains(found)
        self.assertEqual(
            items[0],
            "No chain is faster on the GPU: the intervals of the two times are less than 25 % apart, by which two runs of one "
            "program on a CPU often differ, or the GPU takes longer.",
        )
        more = results([*rows, copied("chain", 6, "1", filters="4")])
        self.assertIn("the GPU is faster from 4 filters on at 4k. With fewer", chains.chains(more)[0])
        (table,) = self.drawn(items)
        self.assertEqual(table.header, ["size", "", "1 filter", "2 filters"])
        self.assertEqual(table.rows[-1], ["", "all cores over GPU", "0.750x", "1.20x"])
        self.assertIsNone(found.speed_up(found.rows[0]))

    def test_a_size_with_one_number_of_filters_says_nothing_about_fewer(self) -> None:
        from study.parts import chains

        one = [
            copied("chain", 1, "1", size="720p", width="1280", height="720", filters="4"),
            row("06_async_streams", "chain_cpu", "720p", 9, filters="4", threads="2"),
        ]
        self.assertEqual(
            chains.chains(results(one))[0],
            "With its copies the GPU is faster with 4 filters at 720p; with fewer or more nothing was measured.",
        )
        several = [
            item
            for count in ("1", "4")
            for item in (
                copied("chain", 1, "1", filters=count),
                row("06_async_streams", "chain_cpu", "4k", 9, filters=count, threads="2"),
            )
        ]
        items = chains.chains(results([*one, *several]))
        self.assertEqual("With its copies the GPU is faster from 1 filter on at 4k.", items[0])
        (table,) = self.drawn(items)
        self.assertNotIn("720p", str(table.rows))
        noisy = [{**one[0], "noisy": "1"}, {**several[0], "noisy": "1"}]
        (table,) = self.drawn(chains.chains(results([*one[1:], *several[1:], *noisy])))
        self.assertIn("(1 of 4 rows)", table.caption)  # of those that the table shows

    def test_a_roofline_of_each_processor(self) -> None:
        from study.parts import roofline

        cpu = [row("01_sequential", name, "8k", ms) for name, ms in (("flat", 90), ("simd", 9), ("aos", 99))]
        gpu = [
            row("03_cuda_global", name, "8k", ms, backend="cuda", device="Toy GPU")
            for name, ms in (("naive", 5), ("coalesced", 2))
        ]
        items = roofline.rooflines([results(cpu + gpu)])
        (table,) = self.drawn(items)
        self.assertEqual(
            [line[0] for line in table.rows], ["01_sequential simd", "01_sequential flat", "01_sequential aos"]
        )
        # 8k in 9 ms: 199 MB by a copy of 20 GB/s take 9.95 ms.
        self.assertEqual(table.rows[0][2:], ["25", "553", "111 %", "copy"])
        self.assertIn("Not measured: a roofline of Toy GPU", items[-1])

    def test_a_roofline_names_the_machine(self) -> None:
        from study.parts import roofline

        rows = [
            row("01_sequential", name, "8k", ms, machine="Toy CPU, 2 cores, 16 CPUs")
            for name, ms in (("flat", 90), ("simd", 9), ("aos", 99))
        ]
        caption = roofline.rooflines([results(rows)])[0].caption
        self.assertTrue(
            caption.startswith("Roofline of Toy, 2 cores, 16 CPUs at 8k: the variants that filter one picture")
        )


if __name__ == "__main__":
    unittest.main()
