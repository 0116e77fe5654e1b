# SPDX-License-Identifier: MIT
"""The tables of times: all variants at all sizes, the fastest of each lab; ranks and GPUs."""

import unittest
from typing import Any, List, Tuple

from fabricate import GPU, Fields, measured, row
from test_parts import copied

from study.measurements.results import Results
from study.parts.labs import _label, all_sizes, ladder, mpi_of, tables_of


def of(lab: str, *machines: Results) -> List[Tuple[str, Any]]:
    """The tables of a lab: where and what, and the first cells of each line."""
    items: List[Any] = next(one.items for one in all_sizes(machines) if one.title == f"All sizes: {lab}")
    return [
        (one.caption.partition("; ")[2][:20], [[*line[:2]] for line in one.rows])
        for one in items
        if one != "Not measured."
    ]


def tile(border: str, ms: float, /, variant: str = "two_batch", **changes: str) -> Fields:
    """A row at 4k on a GPU."""
    changes = {**dict(backend="cuda", device="NVIDIA H200", border=border, block="16"), **changes}
    return row("05_cuda_shared", variant, "4k", ms, **changes)


def test_a_variant_without_a_row_of_the_job_has_a_table_of_its_own() -> None:
    """Of another job, a sweep or another machine; other borders and chains of filters have none."""
    here = measured(
        *(tile(border, 2) for border in ("replicate", "wrap")),
        tile("replicate", 3, noisy="1", variant="tile"),
        tile("replicate", 1, variant="gray", channels="1"),
        tile("replicate", 1, variant="chain", filters="4"),
        sweep=[tile("replicate", 3), tile("replicate", 4, variant="swept", ksize="3")],
    )
    names = ("swept", "other", "two_batch")
    there = measured(*(tile("replicate", 5, variant=name, machine="m2", device="H100") for name in names))
    assert of("05_cuda_shared", here, there) == [
        ("H200, 5x5 gaussian, ", [["two_batch", "2.00"], ["tile", "3.00†"]]),
        ("H200, 5x5 gaussian, ", [["gray", "1.00"]]),
        ("H200, 3x3 gaussian, ", [["swept", "4.00"]]),
        ("H100, 5x5 gaussian, ", [["other", "5.00"]]),
    ]
    failed = measured(row("a", "v", "480p", 1, status="failed"))
    assert (of("a", failed), ladder(failed)) == ([], None)


def test_a_line_for_each_lab() -> None:
    """The fastest at the largest size that the baseline has."""
    cuda = {**GPU, "total_ms_median": "9"}
    table = ladder(
        measured(
            row("01_sequential", "nested", "720p", 24),
            row("01_sequential", "flat", "720p", 20),
            row("02_pthread", "rows", "720p", 8, threads="4", noisy="1"),
            row("03_cuda_global", "aos", "720p", 2, **cuda),
            row("03_cuda_global", "soa", "720p", 1, **cuda),
            row("03_cuda_global", "aos", "8k", 3, **cuda),
            row("08_heat_map", "v1", "1080p", 5, filter="", ksize="", border="", **cuda),
        )
    )
    assert table and [line[:5] for line in table.rows] == [
        ["01_sequential", "nested", "vectors of vectors", "24.0", "1.00"],
        ["01_sequential", "flat", "–", "20.0", "1.20"],
        ["02_pthread", "rows, 4 threads", "–", "8.00†", "3.00"],
        ["03_cuda_global", "soa", "–", "1.00", "24.0"],
        ["08_heat_map", "v1", "–", "5.00", "–"],
    ]
    assert table.header[2:5] == ["idea", "ms at 720p", "speed-up over `nested`"]


def ranked(ranks: int, ms: float, height: int = 1000, variant: str = "halo", **changes: str) -> Fields:
    parts = {f"{name}_ms": f"{ms * share}" for name, share in (("compute", 0.7), ("exchange", 0.2), ("wait", 0.1))}
    size = dict(size="", width="1000", height=str(height), ranks=str(ranks), passes="10", halo_passes="1")
    return row("11_mpi", variant, "480p", ms, **{**size, **parts, **changes})


class Scaling(unittest.TestCase):
    def test_strong_and_weak_scaling(self) -> None:
        rows = [ranked(1, 8), ranked(2, 5), ranked(4, 2.5), ranked(2, 10, 2000), ranked(4, 16, 4000)]
        strong, weak = mpi_of(measured(*rows))
        assert strong.header[2:] == ["1", "2", "4", "speed-up of the most", "exchanging ms", "waiting ms"]
        of_one = [line[2:] for line in strong.rows if line[1] == "1000x1000"]
        assert of_one == [["8.00", "5.00", "2.50", "3.20x", "0.500", "0.250"]]
        assert [line[2:6] for line in weak.rows] == [["8.00", "10.0", "16.0", "0.500x"]]

    def test_gpus_and_cores_are_apart(self) -> None:
        gpus = [ranked(ranks, 1, variant="gpu", backend="cuda", device="Toy GPU") for ranks in (1, 2)]
        found = mpi_of(measured(*gpus, *(ranked(ranks, 64 / ranks) for ranks in (1, 2, 8, 16))))
        names = [{line[0] for line in table.rows} for table in found]
        assert names == [{"halo, 10 passes"}, {"gpu, 10 passes"}]
        assert ["a GPU per rank" in table.caption for table in found] == [False, True]

    def test_a_halo_lasts_for_no_more_passes_than_there_are(self) -> None:
        """With one pass `wide_halo, halos for 4` is the work of `halo`; the label said otherwise."""
        found = [_label("wide_halo", passes, 4, 0) for passes in (1, 2, 100)]
        names = ["wide_halo", "wide_halo, 2 passes, halos for 2", "wide_halo, 100 passes, halos for 4"]
        assert found == names

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
        (table,) = tables_of([measured(*rows)], "06_async_streams")
        assert table.header[3:] == ["1 GPU", "2 GPUs"]
        assert table.rows == [
            ["multi_gpu", "4k", "3 in flight, with copies", "4.00", "2.50"],
            ["peer_bands", "4k", "1 filter", "2.00", "1.00"],
            ["peer_bands", "4k", "1 filter, with copies", "9.00", "9.00"],
        ]

    def test_several_gpus_are_of_the_machine_with_most(self) -> None:
        two = [copied("multi_gpu", ms, count, size=size) for size in ("4k", "8k") for ms, count in ((4, "1"), (3, "2"))]
        four = [copied("multi_gpu", ms, count) for ms, count in ((5, "1"), (2, "4"))]
        (table,) = tables_of([measured(*two), measured(*four)], "06_async_streams")
        assert (table.header[3:], len(table.rows)) == (["1 GPU", "4 GPUs"], 1)

    def test_of_ranks_a_job_has_a_table_of_the_machine_with_most(self) -> None:
        """Ranks count: columns for the time of the exchange do not."""
        few, many = [ranked(1, 9), ranked(2, 5)], [ranked(1, 8), ranked(2, 4), ranked(4, 2)]
        for one in many:
            one.update(exchange_ms="", wait_ms="")
        weak = [ranked(1, 8), ranked(2, 9, 2000)]
        machines = [
            measured(*({**one, "machine": name} for one in rows)) for name, rows in (("a", few + weak[1:]), ("b", many))
        ]
        strong, other = tables_of(machines, "11_mpi")
        assert (strong.rows[0][2:5], other.rows[0][2:4]) == (["8.00", "4.00", "2.00"], ["9.00", "9.00"])
