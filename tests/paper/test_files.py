# SPDX-License-Identifier: MIT
"""Where rows come from: sessions, copies, another run; which rows of a sweep count, what speed-ups are over, what captions say."""

from pathlib import Path

import pandas
import pytest

from report.make.paper.command import wrong_lines
from report.make.paper.content import describe, ours
from report.make.paper.measurements.machine import Results, read_folder, sessions
from report.make.paper.parts import machines
from report.make.paper.parts.machines import KINDS, agreements
from report.make.paper.readmes import with_tables
from report.make.paper.reports.conclusions import of_rows
from report.make.paper.reports.rules import along
from report.make.plots.results import configuration_columns
from tests.paper.fabricate import GPU, MAIN, REFERENCE, ROOT, Fields, measured, row, write


def table(folder: Path) -> str:
    """The sessions and the other run, as results/reference/details.md has them."""
    return machines.runs_table(folder)


def test_pictures_of_accesses_name_the_line_of_the_access(tmp_path: Path) -> None:
    lab = tmp_path / "labs/01_a"
    lab.mkdir(parents=True)
    (lab / "01_page.cu").write_text("// a page\nsum += image.sample(d_in, x);\nd_out[x] = sum;\n")
    for line, kind, is_right in ((2, "load", True), (3, "store", True), (3, "load", False), (9, "load", False)):
        (lab / "page.svg").write_text(f"<text>convolve, 01_page.cu:{line}: global {kind}, 2 sectors</text>\n")
        wrong = [] if is_right else [f"{lab / 'page.svg'}: 01_page.cu:{line} has no global {kind}"]
        assert wrong_lines(tmp_path) == wrong
    (lab / "01_page.cu").unlink()
    assert wrong_lines(tmp_path) != []
    assert wrong_lines(ROOT) == []


def folder(base: Path, *rows: Fields) -> None:
    write(base / "lab.csv", rows)


def test_a_other_run(tmp_path: Path) -> None:
    gpu = {**GPU, "gpus": "1"}
    copies = {**gpu, "kernel_ms_median": "", "total_ms_median": "4", "bus_both_gb_per_s": "100"}
    first = [row("l", name, "480p", 2) for name in ("v", "w", "once")]
    folder(tmp_path / "m", *first, row("l", "g", "480p", 2, **gpu), row("l", "c", "480p", 2, **copies))
    again = [row("l", "v", "480p", 2.08), row("l", "w", "480p", 3), row("l", "g", "480p", 2.02, **gpu)]
    folder(tmp_path / "m/other_run", *again, row("l", "c", "480p", 2, **{**copies, "total_ms_median": "5"}))
    for line in (
        "| CPU | 2 | 50 % within 5.0 %, 50 % within 25 % | 27 % | 50 % | 1 | 0 % within 5.0 %, 0 % within 25 % | 44 % |",
        "| GPU, kernel | 1 | 100 % within 2.0 % | 1.0 % | 1.0 % | 0 | – | – |",
        "| GPU, with copies | 1 | 0 % within 2.0 %, 0 % within 10 % | 25 % | 25 % | 0 | – | – |",
    ):
        assert line in table(tmp_path)


def test_ratios_of_a_other_run_are_of_configurations_that_took_turns_in_both(tmp_path: Path) -> None:
    """A slower host changes times, not ratios; ratios of two calls of a lab do not count."""
    for name, v, w, seed in (("m", 2, 4, "2"), ("m/other_run", 3, 6, "1")):
        rows = [row("l", "v", "480p", v, seed="1"), row("l", "w", "480p", w, seed="1")]
        folder(tmp_path / name, *rows, row("l", "x", "480p", 6, seed=seed), row("l", "v", "720p", 5, seed="1"))
    medians, ratios = "50 % within 5.0 %, 50 % within 25 % | 25 % | 50 %", "100 % within 5.0 %, 100 % within 25 % | 0 %"
    assert f"| CPU | 4 | {medians} | 1 | {ratios} |" in table(tmp_path)


def test_the_margins_are_what_nine_of_ten_ratios_agree_within() -> None:
    for kind, _, ratios in agreements(MAIN):
        assert round(sum(one <= KINDS[kind][2] for one in ratios) / len(ratios), 1) >= 0.9, kind


def test_another_run_is_of_the_same_machine_code() -> None:
    """`packed` of lab 05 once was another kernel there."""
    pairs = 0
    for folder in REFERENCE.glob("*/other_run"):
        first, again = (Results(read_folder(place)).rows for place in (folder.parent, folder))
        both = first.merge(again, on=configuration_columns(), suffixes=("", "_again"))
        both = both[both["timed"] & both["timed_again"] & (both["backend"] == "cuda")]
        pairs += len(both)
        for column in ("registers", "shared_bytes"):
            assert (both[column] == both[f"{column}_again"]).all(), folder
        assert not {("05_cuda_shared", "packed"), ("07_separable", "packed")} & set(zip(both["lab"], both["variant"]))
    assert pairs > 1000


def test_the_list_of_measurements_names_the_revisions_of_its_rows() -> None:
    page = (REFERENCE / "README.md").read_text(encoding="utf-8")
    for folder in (path.parent for path in REFERENCE.glob("*/sessions.csv")):
        (line,) = (line for line in page.splitlines() if line.startswith(f"| `{folder.name}` |"))
        for revision in set(read_folder(folder)["revision"].str[:7]):
            assert revision in line, folder


def test_a_caption_counts_the_starts() -> None:
    for boots, words in ((("b1", "b1"), ""), (("b1", "b2"), "; 2 starts"), (("b1", ""), "; at least 2 starts")):
        text = describe(
            measured(*(row("l", "v", size, 1, boot=boot) for size, boot in zip(("480p", "720p"), boots))).rows
        )
        assert text.endswith(f"{words}.") and ("start" in text) == bool(words)
    old = [row("l", "v", size, 1, date=f"2026-01-0{day}T03:04:05Z") for day, size in enumerate(("480p", "720p"), 1)]
    assert describe(measured(*old).rows).endswith("; starts not recorded.")
    assert "start" not in describe(measured(*old[:1]).rows)


def test_the_copies_of_all_sessions() -> None:
    """Those with the most threads, of pictures in the cache."""
    copies = (("480p", "40", "16 threads", "0"), ("720p", "20", "16 threads", "0"), ("1440p", "5", "1 thread", "0"))
    rows = [
        row("01_sequential", "simd", size, 1, copy_gb_per_s=rate, copy_how=f"{how}, memcpy", cold=cold)
        for size, rate, how, cold in (*copies, ("4k", "10", "16 threads", "1"))
    ]
    assert machines.copies_of(measured(*rows), "cpu") == "2 sessions: 20.0 to 40.0 GB/s, median 30.0"


def v(ms: float, size: str = "480p", **changes: str) -> Fields:
    return row("a", "v", size, ms, **changes)


def w(ms: float, **changes: str) -> Fields:
    return row("a", "w", "480p", ms, **changes)


def blocks(threads: str, ms: float, **changes: str) -> Fields:
    return row("02_pthread", "blocks", "1080p", ms, threads=threads, **changes)


def ms(rows: pandas.DataFrame) -> list[float]:
    return list(rows["ms"])


def test_a_sweep_is_shown_by_its_own_rows() -> None:
    """At 16 threads stood the protocol's row, which has more iterations and is of another time of the day."""
    swept = [blocks(threads, time, iterations="64") for threads, time in (("12", 17), ("14", 15), ("16", 14))]
    results = measured(blocks("16", 20), sweep=swept)
    assert ms(results.where(lab="02_pthread", variant="blocks")) == [17, 15, 14]
    assert [ms(results.rows), ms(results.bench), ms(results.where(threads="16"))] == [[20, 17, 15], [20], [20]]
    points = along(of_rows(results, "threads", "lab=02_pthread variant=blocks"), {}, "threads")
    assert list(points["value"]) == [17, 15, 14]


def test_speed_ups() -> None:
    """Over the same job; in a sweep over the baseline of lab 01's sweep."""

    def rows(size: str = "480p", **changes: str) -> Fields:
        return row("02_pthread", "rows", size, 3, threads="4", **changes)

    base = [row("01_sequential", variant, "480p", time) for variant, time in (("nested", 12), ("flat", 6))]
    failed = row("02_pthread", "grid", "480p", 0, threads="4", status="failed")
    results = measured(*base, rows(), rows("720p"), rows(ksize="3"), rows(border="wrap"), failed)
    found = results.where(lab="02_pthread")
    assert [list(results.speed_up(found, name).fillna(0)) for name in ("nested", "flat")] == [
        [4, 0, 0, 0, 0],
        [2, 0, 0, 0, 0],
    ]


BOOT = {"boot": "5b3a0e0d"}


@pytest.mark.parametrize(
    "count, rows",
    [
        (2, [v(1), w(1, revision="r2", date="2026-01-03T03:04:05Z")]),
        (2, [v(1, **BOOT), v(1, "720p", boot="77aa0102", date="2026-01-02T03:20:00Z")]),
        (1, [v(1, **BOOT), v(1, "720p", **BOOT)]),
        (2, [v(1, threads=str(hour), date=f"2026-01-02T{hour}:50:00Z") for hour in (10, 11, 13)]),  # an hour's pause
    ],
)
def test_a_caption_counts_the_sessions(count: int, rows: list[Fields]) -> None:
    """Two hours of one day, and two machines of one name, were once one session."""
    found = measured(*rows).every
    assert len(sessions(found)) == count
    assert ("; 2 sessions" in describe(found)) == (count == 2)


def test_a_caption_counts_the_sessions_of_the_baseline() -> None:
    """Speed-ups were once over rows of a session that no caption named."""
    nested = row("01_sequential", "nested", "480p", 9, iterations="20", date="2026-01-02T09:00:00Z")
    flat = row("01_sequential", "flat", "480p", 8, iterations="20")
    results = measured(row("02_pthread", "rows", "480p", 1, threads="4"), nested, flat)
    rows = results.rows
    assert list(results.baseline(rows[:1], "flat")["ms"]) == [8]
    words = ours(rows[:1], results.baseline(rows[:1], "nested"))
    assert "median of 100 iterations; `nested`: 20; 2 sessions of " in words
    assert "`nested`" not in ours(rows, results.baseline(rows, "nested"))


def test_a_table_of_other_libraries_stays_where_none_was_timed(tmp_path: Path) -> None:
    for page, part in (("README.md", "results"), ("tools/peers/README.md", "peers")):
        (tmp_path / page).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / page).write_text(f"<!-- {part}:begin -->old<!-- {part}:end -->")
    made = with_tables(tmp_path, measured(row("01_sequential", "nested", "8k", 1)), [tmp_path])
    assert list(made) == [tmp_path / "README.md"]
    assert b"old" not in made[tmp_path / "README.md"]
