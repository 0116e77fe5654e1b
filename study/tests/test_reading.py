# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Reading of CSV files: what is accepted, and that every mistake is one sentence with its place."""

import csv
import os
import subprocess

from fabricate import DATA, NO_KERNEL, ROOT, Case, cpu_labs, published, row, timeline, write, write_csv

from study.measurements.csv_file import ReportError
from study.measurements.other_files import count_verified, read_timeline
from study.measurements.published import read_published
from study.measurements.rows import read_folder
from tools.plots.columns import HOW, labs_columns
from tools.plots.other_files import SHOWN


class Reading(Case):
    def written(self, **changes: str) -> str:
        """The text of a file with one row."""
        write(self.base / "bad.csv", [row("01_sequential", "nested", "480p", 5.5, **changes)])
        return (self.base / "bad.csv").read_text(encoding="utf-8")

    def refused(self, text: str, *words: str) -> None:
        """The file with this text is refused in one sentence that holds the words."""
        (self.base / "bad.csv").write_text(text, encoding="utf-8")
        with self.assertRaises(ReportError) as caught:
            read_folder(self.base)
        for word in ("bad.csv", *words):
            self.assertIn(word, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

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
        with self.assertRaisesRegex(ReportError, "no lab is built in .*run `make` first"):
            labs_columns.__wrapped__("none")

    def test_numbers_quotes_and_commas(self) -> None:
        device = 'Intel(R) Xeon(R) "Platinum", 2.10GHz'
        rows = [row("01_sequential", "nested", "480p", 5.25, device=device, kernel_ms_p95="5.5")]
        write(self.base / "01_sequential.csv", rows)
        (read,) = read_folder(self.base)
        self.assertEqual((read.device, read.ms, read.bars, read.pixels), (device, 5.25, (0, 0.25), 853 * 480))
        self.assertFalse(read.sweep)

    def test_sessions_and_settings(self) -> None:
        text = self.written(threads="4", block="16", cores="2")
        (read,) = read_folder(self.base)
        self.assertEqual((read.threads, read.block, read.bands, read.cores), ("4", "16", "", "2"))
        self.assertEqual(read.settings, "threads=4 block=16")
        self.refused(text.replace("threads=4", "thread=4"), "line 2: column settings holds 'thread=4 block=16'")
        sessions = self.base / "sessions.csv"
        head, line = sessions.read_text(encoding="utf-8").splitlines(keepends=True)
        sessions.write_text(head + line + line, encoding="utf-8")  # of two folders, line by line
        (self.base / "bad.csv").write_text(text, encoding="utf-8")
        self.assertEqual(read_folder(self.base)[0].cores, "2")
        sessions.write_text(head + line + line.replace("r1", "r2"), encoding="utf-8")
        words = "sessions.csv, line 3: session s[0-9a-f]+ stands there twice, with different values"
        with self.assertRaisesRegex(ReportError, words):
            read_folder(self.base)
        for left in (head, ""):
            sessions.write_text(left, encoding="utf-8") if left else sessions.unlink()
            words = f"line 2: session '{read['session']}' is not in {sessions}; put the sessions.csv that belongs to"
            self.refused(text, words)

    def test_time_of_a_row_whose_run_copies(self) -> None:
        times = {**NO_KERNEL, "total_ms_median": "2.5", "total_ms_p95": "2.75", "bus_both_gb_per_s": "100"}
        write(self.base / "a.csv", [row("06_async_streams", "frames", "8k", 1, **times)])
        (read,) = read_folder(self.base)
        self.assertTrue(read.timed and read.with_copies)
        self.assertEqual((read.ms, read.bars), (2.5, (0, 0.25)))
        self.refused(self.written(total_ms_median="2.5", **NO_KERNEL), "kernel_ms_median")  # and no bus

    def test_timeline(self) -> None:
        timeline(self.base)
        self.assertEqual(len(read_timeline(self.base, "toy")), 9)
        self.assertEqual(read_timeline(self.base, "another"), [])
        timeline(self.base, backend="cuda_on_cpu")
        self.assertEqual(read_timeline(self.base, "toy"), [])
        for column, value in (("end_ms", "soon"), ("what", "lunch")):
            timeline(self.base, **{column: value})
            with self.assertRaisesRegex(ReportError, f"timeline.csv.*{column}.*{value}"):
                read_timeline(self.base, "toy")

    def test_fields_that_cannot_be(self) -> None:
        for words, changes in (
            ("kernel_ms_median", {"kernel_ms_median": "5,5"}),
            ("kernel_ms_median", {"kernel_ms_median": "nan"}),
            ("kernel_ms_median", {"kernel_ms_median": ""}),
            ("width", {"width": "1e3"}),
            ("width", {"width": "9" * 400}),
            ("threads", {"threads": "-2"}),
            ("bytes", {"bytes": "1_000"}),
            ("gb_per_s", {"gb_per_s": "-1"}),
            ("ksize", {"ksize": "²"}),
            ("status", {"status": "fine"}),
            ("noisy", {"noisy": "maybe"}),
            ("machine", {"machine": ""}),
            ("date holds '2026-13-01", {"date": "2026-13-01T00:00:00Z"}),
        ):
            self.refused(self.written(**changes), "line 2", words)
        self.refused(self.written().replace("kernel_ms_median", "ms"), "line 1", "kernel_ms_median")
        for separator, name in ((";", "semicolons"), ("\t", "tabs")):
            words = f"has {name} instead of commas between its fields: a spreadsheet saved it; save it with commas and "
            self.refused(self.written().replace(",", separator), words + "decimal points")
        self.refused(self.written() + "01_sequential,flat,cpu\n", "line 3", "3 fields")

    def test_not_csv(self) -> None:
        self.refused(self.written() + '"open quote', "line")
        lab = (self.base / "bad.csv").rename(self.base / "01_sequential.csv")  # a lab's name: whatever it holds
        for data, words in ((b"", "empty"), (b"\xff\xfe\x00\x01", "UTF-8")):
            lab.write_bytes(data)
            with self.assertRaisesRegex(ReportError, words):
                read_folder(self.base)

    def test_no_rows_and_no_folder(self) -> None:
        """What `make verify` wrote is counted, not read."""
        with self.assertRaisesRegex(ReportError, "no folder"):
            read_folder(self.base / "nothing")
        text = "lab,machine,status\na,toy,ok\na,toy,ok\na,toy,failed\na,other,failed\n"
        (self.base / "verify.csv").write_text(text, encoding="utf-8")
        with self.assertRaisesRegex(ReportError, "no measurements"):
            read_folder(self.base)
        self.assertEqual(count_verified(self.base, "toy"), (2, 1))

    def test_emulated_rows_carry_no_times(self) -> None:
        emulated = row("03_cuda_global", "naive", "480p", 5, backend="cuda_on_cpu")
        write(self.base / "03_cuda_global.csv", [emulated])  # a time that must not be there
        (read,) = read_folder(self.base)
        self.assertFalse(read.timed)
        with self.assertRaises(ValueError):
            read.ms

    def test_sweeps_are_told_from_the_protocol_and_sides_read(self) -> None:
        cpu_labs(self.base, ["480p"])
        self.assertEqual({read.sweep for read in read_folder(self.base) if read.side == 64}, {True})
        self.assertEqual({read.side for read in read_folder(self.base) if read.variant == "rows"}, {None})


class PublishedNumbers(Case):
    def test_counts_and_one_value(self) -> None:
        values = published().values
        self.assertEqual(len(values), 596)
        blocks = [one for one in values if (one["variant"], one["metric"]) == ("pthread_blocks", "mean_execution_time")]
        counts = [sum(one["table"] == f"Table {n}" for one in blocks) for n in range(2, 7)]
        self.assertEqual(counts, [51, 54, 56, 56, 56])
        at = "Table 2", "16", "8"
        (found,) = [one for one in blocks if (one["table"], one["block"], one["threads"]) == at]
        shown = [found[name] for name in ("value", "unit", "size", "ksize")]
        self.assertEqual(shown, ["2.35", "ms", "480p", "5"])

    def test_no_number(self) -> None:
        head = (DATA / "published.csv").read_text(encoding="utf-8").splitlines()[0]
        fields = {**dict.fromkeys(head.split(","), ""), "report": "a", "metric": "m", "value": "fast", "unit": "x"}
        write_csv(self.base / "published.csv", list(fields), [fields])
        with self.assertRaisesRegex(ReportError, "line 2.*fast"):
            read_published(self.base / "published.csv", DATA / "originals.csv")
