# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Reading of CSV files: what is accepted, and that every mistake is one sentence with its place."""

import csv
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from fabricate import HEADER, ROOT, cpu_labs, row, timeline, write

from study.measurements.csv_file import ReportError
from study.measurements.other_files import count_verified, read_timeline
from study.measurements.published import Published, read_published
from study.measurements.rows import read_folder
from study.parts.machines import clips
from tools.plots.columns import HOW, labs_columns
from tools.plots.other_files import SHOWN

ORIGINALS = ROOT / "study" / "data" / "originals.csv"


class Reading(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def refused(self, text: str, *words: str) -> None:
        """The file with this text is refused in one sentence that holds the words."""
        (self.folder / "bad.csv").write_text(text, encoding="utf-8")
        with self.assertRaises(ReportError) as caught:
            read_folder(self.folder)
        self.assertNotIn("\n", str(caught.exception))
        for word in ("bad.csv", *words):
            self.assertIn(word, str(caught.exception))

    def written(self, **changes: str) -> str:
        """The text of a file with one row."""
        write(self.folder / "bad.csv", [row("01_sequential", "nested", "480p", 5.5, **changes)])
        return (self.folder / "bad.csv").read_text(encoding="utf-8")

    def test_columns_are_those_of_the_labs(self) -> None:
        """The report asks a built lab; the columns that it names exist, and the key is the lab's."""
        columns = labs_columns()
        self.assertLessEqual(set(HOW), set(columns.kinds))
        self.assertLessEqual({"lab", "variant", "ksize", "threads", "block"}, set(columns.key))
        lab = ROOT / os.environ.get("CONVOLAB_BUILD", "build") / "labs/01_sequential/lab"
        printed = subprocess.run([lab, "columns"], capture_output=True, text=True, check=True).stdout
        for file, name in (("timeline", "timeline.csv"), ("clip", "clips.csv")):
            there = {column["column"] for column in csv.DictReader(printed.splitlines()) if column["file"] == file}
            self.assertLessEqual(set(SHOWN[name].split()), there)

    def test_without_a_built_lab(self) -> None:
        with self.assertRaisesRegex(ReportError, "no lab is built in .*run `make` first"):
            labs_columns.__wrapped__("none")

    def test_a_file_that_a_spreadsheet_saved(self) -> None:
        """As bench says it (tests/results_test.cpp)."""
        text = self.written()
        path = self.folder / "bad.csv"
        path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
        self.assertEqual([one.ms for one in read_folder(self.folder)], [5.5])
        for separator, name in ((";", "semicolons"), ("\t", "tabs")):
            self.refused(
                text.replace(",", separator),
                f"has {name} instead of commas between its fields: a spreadsheet saved it; "
                "save it with commas and decimal points",
            )

    def test_numbers_quotes_and_commas(self) -> None:
        device = 'Intel(R) Xeon(R) "Platinum", 2.10GHz'
        write(
            self.folder / "01_sequential.csv",
            [row("01_sequential", "nested", "480p", 5.25, device=device, kernel_ms_p95="5.5")],
        )
        read = read_folder(self.folder)[0]
        self.assertEqual((read.device, read.ms, read.bars, read.pixels), (device, 5.25, (0, 0.25), 853 * 480))
        self.assertFalse(read.sweep)

    def test_byte_order_mark_and_crlf(self) -> None:
        text = self.written()
        (self.folder / "bad.csv").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
        self.assertEqual(len(read_folder(self.folder)), 1)

    def test_a_file_of_another_version(self) -> None:
        self.refused(
            "lab,variant,backend,machine,threads,kernel_ms_mean\n01_sequential,nested,cpu,toy,,5.5\n",
            "line 1",
            "is missing from the header: another version of the labs wrote the file",
        )

    def test_sessions_and_settings(self) -> None:
        text = self.written(threads="4", block="16", cores="2")
        (read,) = read_folder(self.folder)
        self.assertEqual(
            (read.threads, read.block, read.bands, read.cores, read.text["settings"]),
            ("4", "16", "", "2", "threads=4 block=16"),
        )
        self.refused(text.replace("threads=4", "thread=4"), "line 2: column settings holds 'thread=4 block=16'")
        sessions = self.folder / "sessions.csv"
        lines = sessions.read_text(encoding="utf-8").splitlines(keepends=True)
        sessions.write_text(lines[0] + lines[1] + lines[1], encoding="utf-8")  # of two folders, line by line
        (self.folder / "bad.csv").write_text(text, encoding="utf-8")
        self.assertEqual(read_folder(self.folder)[0].cores, "2")
        with self.assertRaisesRegex(
            ReportError, "sessions.csv, line 3: session s[0-9a-f]+ stands there twice, with different values"
        ):
            sessions.write_text(lines[0] + lines[1] + lines[1].replace("r1", "r2"), encoding="utf-8")
            read_folder(self.folder)
        for left in (lines[:1], []):
            sessions.write_text("".join(left), encoding="utf-8") if left else sessions.unlink()
            self.refused(
                text,
                f"line 2: session '{read.text['session']}' is not in {sessions}; put the sessions.csv that belongs to",
            )

    def test_time_of_a_row_whose_run_copies(self) -> None:
        changes = {name: "" for name in HEADER if name.startswith("kernel_ms")}
        write(
            self.folder / "a.csv",
            [
                row(
                    "06_async_streams",
                    "frames",
                    "8k",
                    1,
                    total_ms_median="2.5",
                    total_ms_p95="2.75",
                    bus_both_gb_per_s="100",
                    **changes,
                )
            ],
        )
        (read,) = read_folder(self.folder)
        self.assertTrue(read.timed and read.with_copies)
        self.assertEqual((read.ms, read.bars), (2.5, (0, 0.25)))
        self.refused(self.written(total_ms_median="2.5", **changes), "kernel_ms_median")  # and no bus

    def test_clips(self) -> None:
        self.assertEqual(clips([self.folder]), [])
        line = dict.fromkeys(SHOWN["clips.csv"].split(), "2") | {
            "lab": "08_heat_map",
            "video": "build/clips/moving.mp4",
            "frames": "300",
            "seconds": "8",
            "slowest": "writing",
        }
        (self.folder / "clips.csv").write_text(f"{','.join(line)}\n{','.join(line.values())}\n")
        (section,) = clips([self.folder])
        (table,) = section.items
        self.assertEqual(table.rows[0][:6], ["08_heat_map", "2", "moving.mp4", "2x2", "2.00", "37.5"])
        with self.assertRaisesRegex(ReportError, "no measurements in"):  # of a lab
            read_folder(self.folder)

    def test_timeline(self) -> None:
        timeline(self.folder)
        self.assertEqual(len(read_timeline(self.folder, "toy")), 9)
        self.assertEqual(read_timeline(self.folder, "another"), [])
        timeline(self.folder, backend="cuda_on_cpu")
        self.assertEqual(read_timeline(self.folder, "toy"), [])
        for column, value in (("end_ms", "soon"), ("what", "lunch")):
            timeline(self.folder, **{column: value})
            with self.assertRaisesRegex(ReportError, f"timeline.csv.*{column}.*{value}"):
                read_timeline(self.folder, "toy")

    def test_missing_column(self) -> None:
        self.refused(self.written().replace("kernel_ms_median", "ms"), "line 1", "kernel_ms_median")

    def test_wrong_number_of_fields(self) -> None:
        self.refused(self.written() + "01_sequential,flat,cpu\n", "line 3", "3 fields")

    def test_no_number(self) -> None:
        for name, value in (
            ("kernel_ms_median", "5,5"),
            ("kernel_ms_median", "nan"),
            ("width", "1e3"),
            ("threads", "-2"),
            ("bytes", "1_000"),
            ("gb_per_s", "-1"),
            ("width", "9" * 400),
            ("ksize", "²"),
        ):
            self.refused(self.written(**{name: value}), "line 2", name)

    def test_unknown_status_and_empty_names(self) -> None:
        self.refused(self.written(status="fine"), "line 2", "status")
        self.refused(self.written(noisy="maybe"), "line 2", "noisy")
        self.refused(self.written(machine=""), "line 2", "machine")

    def test_ok_without_a_time(self) -> None:
        self.refused(self.written(kernel_ms_median=""), "line 2", "kernel_ms_median")

    def test_a_date_that_is_none(self) -> None:
        self.refused(self.written(date="2026-13-01T00:00:00Z"), "line 2", "date holds '2026-13-01")

    def test_not_csv(self) -> None:
        self.refused(self.written() + '"open quote', "line")
        (self.folder / "bad.csv").rename(self.folder / "01_sequential.csv")  # a lab's name: whatever it holds
        (self.folder / "01_sequential.csv").write_text("")
        with self.assertRaisesRegex(ReportError, "empty"):
            read_folder(self.folder)
        (self.folder / "01_sequential.csv").write_bytes(b"\xff\xfe\x00\x01")
        with self.assertRaisesRegex(ReportError, "UTF-8"):
            read_folder(self.folder)

    def test_no_rows_and_no_folder(self) -> None:
        with self.assertRaisesRegex(ReportError, "no measurements"):
            read_folder(self.folder)
        with self.assertRaisesRegex(ReportError, "no folder"):
            read_folder(self.folder / "nothing")

    def test_verify_is_counted_not_read(self) -> None:
        (self.folder / "verify.csv").write_text(
            "lab,machine,status\na,toy,ok\na,toy,ok\na,toy,failed\na,other,failed\n", encoding="utf-8"
        )
        with self.assertRaisesRegex(ReportError, "no measurements"):
            read_folder(self.folder)
        self.assertEqual(count_verified(self.folder, "toy"), (2, 1))

    def test_emulated_rows_carry_no_times(self) -> None:
        emulated = row("03_cuda_global", "naive", "480p", 5, backend="cuda_on_cpu")
        write(self.folder / "03_cuda_global.csv", [emulated])  # a time that must not be there
        read = read_folder(self.folder)[0]
        self.assertFalse(read.timed)
        with self.assertRaises(ValueError):
            read.ms

    def test_sweeps_are_told_from_the_protocol(self) -> None:
        cpu_labs(self.folder)
        self.assertEqual({read.sweep for read in read_folder(self.folder) if read.side == 64}, {True})

    def test_sides(self) -> None:
        for text, side in (("16", 16), ("", None)):
            write(self.folder / "a.csv", [row("x", "y", "480p", 1, block=text)])
            self.assertEqual(read_folder(self.folder)[0].side, side)


class PublishedNumbers(unittest.TestCase):
    published: Published

    @classmethod
    def setUpClass(cls) -> None:
        cls.published = read_published(ROOT / "study" / "data" / "published.csv", ORIGINALS)

    def test_counts(self) -> None:
        self.assertEqual(len(self.published.values), 596)
        blocks = self.published.where(variant="pthread_blocks", metric="mean_execution_time")
        counts = [sum(value.table == f"Table {n}" for value in blocks) for n in range(2, 7)]
        self.assertEqual(counts, [51, 54, 56, 56, 56])

    def test_one_value(self) -> None:
        (value,) = self.published.where(report="ariano2023", table="Table 2", side=16, threads=8)
        self.assertEqual((value.value, value.unit, value.size_name, value.ksize), (2.35, "ms", "480p", 5))
        self.assertEqual(value.pixels, 640 * 480)

    def test_no_number(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "published.csv"
            path.write_text(
                "report,table,hardware,variant,resolution,width,height,kernel_size,"
                "block_dim,threads,metric,value,unit\na,,,,,,,,,,m,fast,x\n"
            )
            with self.assertRaisesRegex(ReportError, "line 2.*fast"):
                read_published(path, ORIGINALS)


if __name__ == "__main__":
    unittest.main()
