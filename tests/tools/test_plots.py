# SPDX-License-Identifier: MIT
"""make plots: which rows stand in one table and one curve, what is listed beside them, and the files that it writes."""

import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pandas import DataFrame

from report.make.plots import figures, jobs, words
from report.make.plots.columns import labs_columns
from report.make.plots.report import Report
from report.make.plots.results import select
from tests.tools.made_up_rows import HEADER, ROOT, SIZES, row, write

GPU = {"backend": "cuda", "device": "NVIDIA Toy", "total_ms_median": "9"}
VERIFY = "lab,variant,backend,device,build,machine,jobs,samples_different,status,reason,date\n"
Fields = dict[str, str]


def v(ms: float, size: str = "480p", /, **changes: str) -> Fields:
    return row("l", "v", size, ms, **changes)


def w(ms: float, size: str = "480p", /, **changes: str) -> Fields:
    return row("l", "w", size, ms, **changes)


def ms(rows: DataFrame) -> list[float]:
    return list(rows["ms"])


class Folder:
    """The program on made-up rows."""

    def __init__(self, base: Path):
        self.base = base / "a folder"
        self.results, self.out = self.base / "results", self.base / "report"

    def write(self, *rows: Fields, name: str = "a.csv") -> None:
        write(self.results / name, list(rows))

    def report(self, *rows: Fields, sweep: Sequence[Fields] = ()) -> Report:
        self.write(*rows)
        if sweep:
            self.write(*sweep, name="a_sweep.csv")
        return Report(self.results, None)

    def lab(self, *rows: Fields, sweep: Sequence[Fields] = ()) -> jobs.Lab:
        return self.report(*rows, sweep=sweep).labs[-1]

    def plots(self, *arguments: object, **environment: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, ROOT / "report/make/plots", "--results", self.results, "--out", self.out, *arguments]
        how = dict(capture_output=True, check=False, encoding="utf-8", errors="replace")
        done = subprocess.run(list(map(str, command)), env={**os.environ, **environment}, **how)  # type: ignore
        assert "Traceback" not in done.stderr
        return done

    def made(self, *arguments: object, **environment: str) -> str:
        """What it prints."""
        done = self.plots(*arguments, **environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def refused(self, pattern: str, *arguments: object, **environment: str) -> None:
        done = self.plots(*arguments, **environment)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert re.search(pattern, done.stderr), done.stderr

    def files(self) -> dict[str, bytes]:
        return {str(path.relative_to(self.out)): path.read_bytes() for path in self.out.rglob("*") if path.is_file()}

    def text(self, name: str = "report.md") -> str:
        return (self.out / name).read_text(encoding="utf-8")


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


OTHER_JOBS = "image=photo type=float32 channels=1 filter=box ksize=3 border=wrap passes=2 filters=4 cold=1".split()


@pytest.mark.parametrize("change", OTHER_JOBS)
def test_a_table_is_of_one_job(folder: Folder, change: str) -> None:
    lab = folder.lab(v(2), v(4, "720p"), v(5, "1080p", **dict([change.split("=")])))
    assert (ms(lab.rows), ms(lab.rest)) == ([2, 4], [5])


@pytest.mark.long
def test_every_key_of_a_row_tells_two_curves_or_two_tables_apart(folder: Folder) -> None:
    """Also a setting that is added to the labs later."""
    columns = set(labs_columns().configuration) - {"lab", "variant", "machine", "width", "height", "gpus"}
    assert len(columns) > 15
    for column in columns:
        one, other = ("cpu", "cuda") if column == "backend" else ("2", "3")
        alike = {"devices": "1", "backend": "cuda"}
        lab = folder.lab(v(2, **{**alike, column: one}), v(4, "720p", **{**alike, column: other}))
        assert lab.rows.groupby("label").size().max() == 1, column
        assert len(lab.rows) + len(lab.rest) == 2, column


def test_rows_of_one_size_have_one_number_of_iterations(folder: Folder) -> None:
    few = {"iterations": "58"}
    lab = folder.lab(v(2), w(3), row("l", "x", "480p", 1, iterations="5"), v(20, "8k", **few), w(30, "8k", **few))
    assert (lab.labels, list(lab.rest["variant"])) == (["v", "w"], ["x"])
    assert lab.caption() == "toy, 5x5 gaussian, replicate, RGB, median of 100 iterations (58 at 8k)"


OLD, NEW = {"date": "2026-01-01T00:00:00Z"}, {"date": "2026-03-01T00:00:00Z"}
TRIAL = v(2, iterations="10", **NEW)


@pytest.mark.parametrize(
    "expected, rows",
    [
        (2, [v(1), v(2)]),  # as complete: the newest
        (1, [v(1, build="new"), v(2, build="old", **OLD)]),
        (1, [v(1), v(2, noisy="1")]),  # of one day: the quiet one
        (2, [v(1), v(2, noisy="1", revision="r2")]),
        (2, [v(1), v(2, noisy="1", **NEW)]),
        (1, [v(1), TRIAL]),
        (1, [v(1, block="16"), {**v(2, block="16", iterations="50"), "size": ""}]),  # the size by width and height
        (1, [v(1, status="skipped", layout=""), v(1)]),
        (None, [v(1), v(1, status="failed", reason="3 differ", layout="", **NEW)]),
    ],
)
def test_which_of_the_rows_of_one_configuration_counts(folder: Folder, expected: Any, rows: list[Fields]) -> None:
    lab = folder.lab(*rows)
    assert ms(lab.rows) == ([expected] if expected else [])
    assert list(lab.untimed["reason"]) == ["3 differ"] * (expected is None)
    assert lab.repeated == 1


def test_a_short_trial_of_another_build_in_a_sweep_never_replaces_a_long_run(folder: Folder) -> None:
    folder.report(v(1), sweep=[{**TRIAL, "build": "changed"}])
    every = Report(folder.results, None).labs[0]
    assert (ms(every.rows), ms(select(every.rows))) == ([1], [1])


def test_a_sweep_is_no_part_of_the_protocol_s_table(folder: Folder) -> None:
    lab = folder.lab(v(2), sweep=[v(3), v(4, "720p")])
    assert (ms(lab.rows), ms(lab.rest)) == ([2], [3, 4])
    (folder.results / "a.csv").unlink()
    assert ms(Report(folder.results, None).labs[0].rows) == [3, 4]


def test_of_many_settings_each_variant_shows_the_fastest(folder: Folder) -> None:
    blocks = [make(at + block / 100, block=str(block)) for make, at in ((v, 2), (w, 3)) for block in range(4, 12)]
    lab = folder.lab(*blocks)
    assert (lab.labels, len(lab.rest)) == (["v, block 4", "w, block 4"], 14)
    assert folder.lab(*blocks[:3]).labels == ["v, block 4", "v, block 5", "v, block 6"]


def test_speed_ups_are_over_nested_or_the_first_variant_that_has_a_time_at_the_size(folder: Folder) -> None:
    mine = [row("02_mine", name, "480p", ms) for name, ms in (("x", 3), ("y", 2))]
    for border, at, name, speed_up in (("replicate", 0, "01_sequential nested", 4), ("wrap", 1, "x", 1.5)):
        report = folder.report(row("01_sequential", "nested", "480p", 12, border=border), *mine)
        lab = report.labs[1]
        assert (lab.baseline, lab.rows["speed_up"].iloc[at]) == (name, speed_up)
    report = folder.report(mine[0], *(row("02_mine", name, "4k", 2) for name in "yz"))
    assert (report.labs[0].baseline, report.labs[0].compared_at[1]) == ("y", "4k")


def test_a_share_is_of_the_copy_of_the_rows_own_session_and_processor(folder: Folder) -> None:
    """It once compared with the fastest copy of all sessions: 42 % for 1.39 ms, which is 70 % in its own session."""
    copies = {"backend": "cuda", "kernel_ms_median": "", "total_ms_median": "2", "bus_both_gb_per_s": "30"}
    gpu = {**GPU, "copy_gb_per_s": "2000"}
    rows = [v(1, copy_gb_per_s="10"), w(1, copy_gb_per_s="40"), v(1, "720p", copy_gb_per_s=""), w(1, "720p", **gpu)]
    found = folder.lab(*rows, v(1, "4k", **copies)).rows.set_index(["variant", "size"])
    assert [found["ceiling"].get(at) for at in (("v", "480p"), ("w", "480p"))] == [10, 40]
    assert math.isnan(found["ceiling"]["v", "720p"])
    assert found["of_ceiling"]["v", "480p"] == pytest.approx(853 * 480 * 6 / 1e6 / 10)


def test_names_and_numbers() -> None:
    for long, name in (
        ("Intel(R) Xeon(R) Processor, 16 CPUs", "Xeon, 16 CPUs"),
        ("NVIDIA H200", "H200"),
        ("toy", "toy"),
        ("CPU", "CPU"),
        ("AMD Ryzen 7 5800X 8-Core Processor, 16 CPUs", "Ryzen 7 5800X, 16 CPUs"),
        ("Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz, 8 CPUs", "Core i7-8550U, 8 CPUs"),
    ):
        assert words.short(long) == name
    shares = {0.874: "87 %", 0.0532: "5.3 %", 0.00024: "0.024 %", 0.998: "99.8 %", 1.32: "132 %", 0: "0 %", None: "–"}
    assert {share: words.percent(share) for share in shares} == shares
    numbers = {2437.4: "2437", 123.45: "123", 12.34: "12.3", 1.2345: "1.23", 0.0548: "0.0548", 0: "0.00", None: "–"}
    assert {value: words.number(value) for value in numbers} == numbers
    table = words.Table("t", "50 % of a_b", ["name", "ms"], [["a|b", "1.0 ± 0.1"], ["c_d", "10"]])
    assert words.to_markdown(table).splitlines()[1:3] == ["| --- | ---: |", r"| a\|b | 1.0 ± 0.1 |"]


def test_mistakes_are_one_sentence_and_nothing_is_written(folder: Folder) -> None:
    assert folder.plots("--nonsense").returncode == 2
    folder.refused("no folder")
    folder.results.mkdir(parents=True)
    folder.refused("no measurements in .*: run `make bench` first")
    folder.write(v(1), v(1, machine="m2"))
    folder.refused('m2; toy.*ARGS="--machine m2"')
    folder.refused("no measurements of machine m3", "--machine", "m3")
    (folder.results / "a.csv").write_text(";".join(HEADER) + "\n")
    folder.refused("a.csv has semicolons instead of commas")
    (folder.results / "a.csv").write_text("lab,variant,backend,machine,kernel_ms_median\n")
    folder.refused("a.csv, line 1: column .* is missing from the header: another version of the labs wrote the file")
    for column, value in (("width", "9" * 20), ("width", "9" * 15), ("date", "1500-01-01T00:00:00Z")):
        folder.write({**v(1), column: value})
        folder.refused(f"a.csv, line 2: column {column} holds '?[1-9]")
    folder.write(v(1))
    (folder.results / "sessions.csv").unlink()
    folder.refused("a.csv, line 2: session 's[0-9a-f]+' is not in .*sessions.csv")
    assert not folder.out.exists()


def test_a_file_that_a_spreadsheet_saved_with_commas_is_read(folder: Folder) -> None:
    folder.write(v(1))
    folder.made()
    pages = folder.files()
    plain = (folder.results / "a.csv").read_bytes()
    (folder.results / "a.csv").write_bytes(b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n"))
    shutil.rmtree(folder.out)
    folder.made()
    assert folder.files() == pages


@pytest.mark.long
def test_the_same_rows_give_the_same_bytes_and_links_lead_to_files(folder: Folder) -> None:
    cost = {"nested": 60, "flat": 30, "simd": 2}
    lab_01 = [
        row("01_sequential", name, size, ns * SIZES[size][0] / 1000)
        for size in ("480p", "720p", "4k")
        for name, ns in cost.items()
    ]
    mine = [row("03_mine", name, size, 0.1, **GPU) for name in "ab" for size in ("480p", "4k")]
    folder.write(*lab_01, name="01_sequential.csv")
    folder.write(*mine, name="03_mine.csv")
    folder.made()
    first = folder.files()
    drawn = {
        f"figures/{lab}_{what}.svg" for lab in ("01_sequential", "03_mine") for what in ("speed_ups", "time_by_size")
    }
    drawn.add("figures/fastest_by_lab.svg")
    assert set(first) == drawn | {"report.html", "report.md"}
    for name, pattern in (("report.md", r"\]\(([^)]+)\)"), ("report.html", r"(?:src|href)=\"([^\"]+)\"")):
        assert set(re.findall(pattern, first[name].decode())) == drawn, name
    assert b"<dc:date>" not in first["figures/fastest_by_lab.svg"]
    for locale in ("C", "de_DE.ISO-8859-1"):
        said = folder.made(LC_ALL=locale)
        assert folder.files() == first
        assert re.search(r"01_sequential +simd +4k +7\.68 +100 +30\.0x 01_sequential nested", said)
        assert re.search(r"03_mine +a +4k +0\.100 +100 +2304x 01_sequential nested", said)


def test_figures_of_an_earlier_report_go(folder: Folder) -> None:
    folder.write(v(1))
    (folder.out / "figures").mkdir(parents=True)
    (folder.out / "figures/old_time_by_size.svg").touch()
    folder.made()
    assert [name for name in folder.files() if "figures" in name] == ["figures/l_time_by_size.svg"]


def test_marks_reasons_and_what_else_was_timed(folder: Folder) -> None:
    differs = {"status": "failed", "reason": "3 samples <differ>."}
    folder.write(
        v(1, noisy="1"),
        w(2, disturbed="2"),  # as in old rows
        *(row("l", "x", size, 1, **differs) for size in ("480p", "720p")),
        row("l", "y", "480p", 1, status="unsupported", reason="No."),
        row("l", "z", "480p", 1, status="skipped", reason="See `lab run <x>`."),
        v(4, filter="box"),
        row("l", "u", "480p", 0),
        row("03_cuda", "naive", "480p", 777, backend="cuda_on_cpu"),
    )
    said = folder.made()
    for line in (
        "| v | 1.00† | 1.00x |",
        "| w | 2.00 | 0.500x |",
        "| x | failed | 3 samples &lt;differ>. | 480p and 720p | 2 |",
        "| y | unsupported | No. | 480p | 1 |",
        "| z | skipped | See `lab run &lt;x>`. | 480p | 1 |",
        "| u | ok, but below the clock's resolution | – | 480p | 1 |",
        "| 5x5 box, replicate, RGB | bench | 100 | 1 | v | v at 480p | 4.00 |",
        "† noisy:",
        "1 row of 03_cuda ran as CUDA on the CPU, which is checked, not timed",
    ):
        assert line in folder.text()
    assert "777" not in folder.text()
    page = folder.text("report.html")
    for part in (
        "<p><code>make bench</code> compared",
        "&lt;differ&gt;.",
        "<td>See <code>lab run &lt;x&gt;</code>.</td>",
    ):
        assert part in page
    assert "`" not in page
    assert "l: 5 rows not timed (failed, unsupported, skipped and ok)" in said


def test_nothing_was_timed(folder: Folder) -> None:
    folder.write(row("03_cuda", "naive", "480p", 777, backend="cuda_on_cpu"))
    assert "Nothing was timed." in folder.made() + folder.text()
    assert [name for name in folder.files() if "figures" in name] == []


def rough(size: str) -> Fields:
    return {"iterations": "58" if size == "8k" else "100", "noisy": str(int(size == "4k"))}


def test_curves_join_what_was_measured_alike_and_are_as_rough_as_their_baseline(folder: Folder) -> None:
    sizes = ("480p", "4k", "8k")
    lab = folder.lab(*(row("l", "my $x_1$", size, 2, copy_gb_per_s="", **rough(size)) for size in sizes))
    columns = list(lab.rows)
    times = figures.time_by_size(lab)
    assert list(lab.rows) == columns  # to draw changes nothing
    nested = [row("01_sequential", "nested", size, 9, **rough(size)) for size in sizes]
    report = folder.report(*nested, *(row("02", "v", size, 3) for size in sizes))
    speed_ups = figures.speed_ups(report.labs[1])
    for figure in (times, speed_ups):
        lines = figure.axes[0].lines
        assert [len(line.get_xdata()) for line in lines if line.get_marker() == "None"] == [2, 1]
        hollow = [line.get_markerfacecolor() == "white" for line in lines if line.get_marker() == "o"]
        assert hollow == [False, True, False]
        figures.style.pyplot.close(figure)
    assert "my $x_1$" in [text.get_text() for text in times.axes[0].texts]
    assert speed_ups.texts[1].get_text().endswith("; iterations of 01_sequential nested: 58 at 8k")


def test_labels_do_not_overlap(folder: Folder) -> None:
    cost = [500 if number == 11 else 2 + number / 1000 for number in range(12)]
    rows = [row("l", f"v{n:02}", size, ms, copy_gb_per_s="") for size in ("480p", "8k") for n, ms in enumerate(cost)]
    figure = figures.time_by_size(folder.lab(*rows))
    figure.canvas.draw()
    extent = figures.style.matplotlib.text.Text.get_window_extent  # without the line to the point
    boxes = sorted((box.y0, box.y1) for box in map(extent, figure.axes[0].texts))
    assert (len(boxes), boxes[0][0] > 0) == (12, True)
    assert all(below[1] <= above[0] + 1 for below, above in zip(boxes, boxes[1:]))
    figures.style.pyplot.close(figure)


OTHER_FILES = {
    "verify.csv": VERIFY
    + "a,v,cpu,d,1,toy,10,9,failed,before the correction,2026-01-01\na,v,cpu,d,2,toy,10,0,ok,,2026-01-02\n"
    + "a,w,cpu,d,1,toy,5,3,failed,3 differ,2026-01-01\na,w,cpu,d,1,toy,0,0,unsupported,No 'box'.,2026-01-01\n"
    + "a,q,cpu,d,1,other,7,7,failed,of another machine,2026-01-01\n",
    "timeline.csv": "lab,variant,backend,machine,device,size,width,height,channels,ksize,filter,gpu,stream,what,start_ms,end_ms\n"
    + "".join(
        f"06,streams,cuda,toy,NVIDIA Toy,8k,,,3,5,gaussian,0,{stream},{what},{start},{start + 1}\n"
        for stream in (0, 1)
        for start, what in enumerate(("copy in", "filter", "copy out"))
    ),
    "clips.csv": "lab,variant,machine,video,width,height,rate,frames,seconds,reading_ms,computing_ms,writing_ms,slowest\n"
    "08,cpu,toy,a/clip.mp4,1920,1080,30,300,6,13.5,6.5,25.6,writing\n",
    "peers.csv": "peer,function,backend,threads,size,width,height,filter,ksize,time_ms,ratio,status,reason,machine,version,device,"
    "cold,differing_share,largest_difference\nlib,blur,cpu,1,480p,853,480,gaussian,5,1,2,ok,,toy,1.2,Toy,,0,0\n"
    "lib,blur,cpu,2,4k,3840,2160,gaussian,5,1,2.5,failed,differs,toy,1.2,Toy,,,\n",
    "sanitize.csv": "",
    "grades.csv": "name;grade\nAda;1\n",
}


def test_files_of_other_verbs(folder: Folder) -> None:
    folder.write(v(1))
    for name, text in OTHER_FILES.items():
        (folder.results / name).write_text(text)
    shown = folder.made()
    assert "figures/timeline_streams.svg" in folder.files()
    for line in (
        "DIFFERENT FROM THE REFERENCE: a w; 15 comparisons of 2 variants.",
        "| a | 2 | 1 | 1 | 1 | 0 | 15 |",
        "| a | w | 3 | 3 differ |",
        "| unsupported | No …. | a | 1 | 1 |",
        "| 08 | cpu | clip.mp4 | 1920x1080 | 30.0 | 50.0 | 13.5 | 6.50 | 25.6 | writing |",
        "| lib | blur | cpu | 2 | 5x5 gaussian | 1.00 | 2.50 | failed: differs |",
        "Of smaller sizes peers.csv has 1 row.",
        "| lib 1.2, blur | 1 | Toy | 2.00 | identical | same bytes |",
        "The folder also has grades.csv and sanitize.csv.",
    ):
        assert line in folder.text() + shown
    (folder.results / "a.csv").unlink()
    assert "measurements of 2 machines" in folder.plots().stderr
    folder.made("--machine", "toy")
    assert "figures/timeline_streams.svg" in folder.text()
    assert "## All labs" not in folder.text()
    timeline = folder.results / "timeline.csv"
    timeline.write_text(timeline.read_text().replace(",0,0,", ",x,0,"))
    folder.refused("timeline.csv, line 2: column gpu holds 'x', expected a number", "--machine", "toy")


def test_the_summary(folder: Folder) -> None:
    """One lab gets no column for it, a baseline is named with its lab, and other timed rows are listed."""
    said = folder.report(v(1), w(2), row("l", "u", "480p", 4, type="int32")).summary()
    assert re.search(r"\nvariant +size +ms", said)
    assert "l: 1 row of other jobs or settings (u) in report.md" in said
    assert "`make bench` compared each output that it timed" in said
    said = folder.report(*(row(lab, name, "480p", 1) for lab in "ab" for name in ("flat", "w"))).summary()
    for line in (r"\nlab +variant +size", r"\na +w +480p +1\.00 +100 +1\.00x a flat", r"\nb +w +480p .* b flat"):
        assert re.search(line, said)
    (folder.results / "a.csv").unlink()
    lines = "a,v,cpu,d,1,toy,10,0,ok,,1\nb,w,cuda_on_cpu,d,1,toy,1,0,ok,,1\n"
    (folder.results / "verify.csv").write_text(VERIFY + lines)
    words = "Identical to the reference, byte for byte: 2 variants in 11 comparisons; 1 of them as CUDA on the CPU."
    assert words in Report(folder.results, None).summary()


def test_a_folder_that_cannot_be_written_and_names_that_would_leave_it(folder: Folder) -> None:
    folder.write(*(row(lab, "v", "480p", 1) for lab in ("../../escape", "a b", "a_b")))
    folder.made()
    assert len([name for name in folder.files() if "_time_by_size" in name]) == 3
    assert sorted(path.name for path in folder.base.iterdir()) == ["report", "results"]
    folder.out = folder.base / "a file"
    folder.out.write_text("not a folder")
    folder.refused(f"cannot write into the folder {folder.out}.*; choose another with --out")
    assert folder.out.read_text() == "not a folder"


def test_without_matplotlib(folder: Folder) -> None:
    folder.write(v(1))
    hidden = folder.base / "hidden" / "matplotlib"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").write_text("raise ModuleNotFoundError('', name='matplotlib')")
    folder.refused("figures need matplotlib.*python3-matplotlib", PYTHONPATH=str(hidden.parent))
    (hidden / "__init__.py").write_text("raise ValueError('two\\nlines')")
    folder.refused(r"figures need modules that fail in .* \(lines\): install", PYTHONPATH=str(hidden.parent))
    (hidden.parent / "pandas.py").write_text("raise ImportError('numpy is another')")
    folder.refused(r"figures need modules .*\(numpy is another\)", PYTHONPATH=str(hidden.parent))
    assert not folder.out.exists()


def test_modules_of_the_user_that_are_called_like_ours(folder: Folder) -> None:
    folder.write(v(1))
    for name in ("plots", "tools"):
        (folder.base / f"{name}.py").write_text("1 / 0")
    folder.made(PYTHONPATH=str(folder.base))
