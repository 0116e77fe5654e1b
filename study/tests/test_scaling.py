# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""More processors on one picture: ranks and GPUs."""

import unittest
from typing import Any, List

from fabricate import GPU, Fields, drawn, legend, measured, row, tables
from test_parts import copied

from study.parts import scaling


def ranked(ranks: int, ms: float, height: int = 1000, variant: str = "halo", **changes: str) -> Fields:
    parts = {f"{name}_ms": f"{ms * share}" for name, share in (("compute", 0.7), ("exchange", 0.2), ("wait", 0.1))}
    size = dict(size="", width="1000", height=str(height), ranks=str(ranks), passes="10", halo_passes="1")
    return row("11_mpi", variant, "480p", ms, **{**size, **parts, **changes})


def mpi(*rows: Fields) -> List[Any]:
    """The figures and tables of lab 11, as its README and the report share them."""
    return scaling.mpi_of(measured(*rows))


class Scaling(unittest.TestCase):
    def test_strong_and_weak_scaling(self) -> None:
        rows = [ranked(1, 8), ranked(2, 5), ranked(4, 2.5), ranked(2, 10, 2000), ranked(4, 16, 4000)]
        strong, weak = tables(mpi(*rows))
        self.assertEqual(strong.header[2:], ["1", "2", "4", "speed-up of the most", "exchanging ms", "waiting ms"])
        of_one = [line[2:] for line in strong.rows if line[1] == "1000x1000"]
        self.assertEqual(of_one, [["8.00", "5.00", "2.50", "3.20x", "0.500", "0.250"]])
        self.assertEqual([line[2:6] for line in weak.rows], [["8.00", "10.0", "16.0", "0.500x"]])

    def test_the_legend_names_the_lines_of_both_panels(self) -> None:
        grid = [ranked(ranks, 8, 1000 * ranks, "grid") for ranks in (1, 2)]
        figure = drawn(mpi(*(ranked(ranks, 8 / ranks) for ranks in (1, 2, 4, 8)), *grid)[0])
        self.assertEqual(legend(figure), ["halo, 10 passes", "grid, 10 passes", "ideal"])

    def test_three_numbers_of_ranks_are_a_table(self) -> None:
        """The speed-up of the first is 1: two points are left."""
        for ranks, figures in (((1, 2, 4), 0), ((1, 2, 4, 8), 1)):
            items = mpi(*(ranked(count, 8 / count) for count in ranks))
            self.assertEqual(sum(hasattr(item, "draw") for item in items), figures)

    def test_gpus_and_cores_are_apart(self) -> None:
        gpus = [ranked(ranks, 1, variant="gpu", backend="cuda", device="Toy GPU") for ranks in (1, 2)]
        items = mpi(*gpus, *(ranked(ranks, 64 / ranks) for ranks in (1, 2, 8, 16)))
        found = tables(items)
        names = [{line[0] for line in table.rows} for table in found]
        self.assertEqual(names, [{"halo, 10 passes"}, {"gpu, 10 passes"}])
        self.assertEqual(["a GPU per rank" in table.caption for table in found], [False, True])
        figures = [drawn(item) for item in items if hasattr(item, "draw")]
        self.assertEqual([figure.axes[0].get_xscale() for figure in figures], ["log"])

    def test_a_halo_lasts_for_no_more_passes_than_there_are(self) -> None:
        """With one pass `wide_halo, halos for 4` is the work of `halo`; the label said otherwise."""
        found = [scaling._label(("wide_halo", passes, "4", "", "")) for passes in ("1", "2", "100")]
        names = ["wide_halo", "wide_halo, 2 passes, halos for 2", "wide_halo, 100 passes, halos for 4"]
        self.assertEqual(found, names)

    def test_several_gpus_beside_one(self) -> None:
        """With copies, too; a variant that ran on one alone is left out."""
        rows = [
            copied("frames", 4, in_flight="3"),
            copied("multi_gpu", 4, in_flight="3"),
            copied("multi_gpu", 2.5, "2", in_flight="3"),
        ]
        rows += [
            row("06_async_streams", "peer_bands", "4k", ms, **GPU, filters="1", devices=count, total_ms_median="9")
            for ms, count in ((2, "1"), (1, "2"))
        ]
        (table,) = scaling.tables_of([measured(*rows)], "06_async_streams")
        self.assertEqual(table.header[3:], ["1 GPU", "2 GPUs"])
        self.assertEqual(
            table.rows,
            [
                ["multi_gpu", "4k", "3 in flight, with copies", "4.00", "2.50"],
                ["peer_bands", "4k", "1 filter", "2.00", "1.00"],
                ["peer_bands", "4k", "1 filter, with copies", "9.00", "9.00"],
            ],
        )

    def test_what_a_machine_with_more_gpus_timed_stands_in_no_second_table(self) -> None:
        two = [copied("multi_gpu", ms, count, size=size) for size in ("4k", "8k") for ms, count in ((4, "1"), (3, "2"))]
        four = [copied("multi_gpu", ms, count) for ms, count in ((5, "1"), (2, "4"))]
        found = scaling.tables_of([measured(*two), measured(*four)], "06_async_streams")
        self.assertEqual([table.header[3:] for table in found], [["1 GPU", "4 GPUs"], ["1 GPU", "2 GPUs"]])
        self.assertEqual([[line[1] for line in table.rows] for table in found], [["4k"], ["8k"]])

    def test_of_ranks_a_job_has_a_table_of_the_machine_with_most(self) -> None:
        few, many = [ranked(1, 9), ranked(2, 5)], [ranked(1, 8), ranked(2, 4), ranked(4, 2)]
        weak = [ranked(1, 8), ranked(2, 9, 2000)]
        machines = [
            measured(*({**one, "machine": name} for one in rows)) for name, rows in (("a", few + weak[1:]), ("b", many))
        ]
        strong, other = scaling.tables_of(machines, "11_mpi")
        self.assertEqual((strong.rows[0][2:5], other.rows[0][2:4]), (["8.00", "4.00", "2.00"], ["9.00", "9.00"]))
