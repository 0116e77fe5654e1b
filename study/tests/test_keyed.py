# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Numbers by a key: each has one row, and a text says what the row says."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import List, Tuple

from fabricate import ROOT, row, write

from study.measurements.claims import rewritten
from study.measurements.csv_file import ReportError
from study.measurements.keyed import Sources, worked_out
from study.measurements.rows import read_folder
from study.measurements.selection import Results


class Keys(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name)
        (self.root / "study/data").mkdir(parents=True)
        for name in ("published.csv", "originals.csv"):
            shutil.copy(ROOT / "study/data" / name, self.root / "study/data")
        write(
            self.root / "results/reference/toy/a.csv",
            [row("a", "v", "480p", 12.345), row("a", "w", "480p", 3), row("a", "v", "4k", 7)],
        )
        self.sources = Sources(self.root)

    def test_a_column_arithmetic_and_a_ratio(self) -> None:
        for key, shown in (
            ("toy lab=a variant=v size=480p : ms", "12.3"),
            ("toy lab=a variant=v size=480p : ms ; 1", "12.3"),
            ("toy lab=a variant=v size=480p : ms/1000+width", "853"),
            ("toy variant=v size=480p : ms over variant=w", "4.12"),
            ("toy variant=v size=480p : ms over variant=w size=480p ; 0", "4"),
            ("toy variant=w : iterations", "100"),
            ('published table="Table 7" resolution=4K block_dim=16x16 : value', "1.04"),
            ("originals program=heat_map_v1 width=1920 block=1x1024 : mean_us/1000", "9.14"),
        ):
            self.assertEqual(worked_out(key, self.sources), shown, key)

    def test_the_rows_that_the_report_is_made_of(self) -> None:
        """By a selector: what it does not name has its usual value, and the protocol counts before a sweep."""
        write(self.root / "here/a.csv", [row("a", "v", "480p", 4), row("a", "w", "480p", 8, ksize="3")])
        write(
            self.root / "here/a_sweep.csv",
            [row("a", "v", "480p", 1, threads="2"), row("a", "w", "480p", 6, threads="2")],
        )
        sources = Sources(self.root, Results(read_folder(self.root / "here")))
        for key, shown in (
            ("here lab=a variant=v size=480p : ms", "4.00"),
            ("here lab=a variant=w size=480p|4k : ms over variant=v", "1.50"),
            ("here lab=a variant=w ksize=3 : ms over variant=v ksize=5 of kernel_ms_median", "2.00"),
        ):
            self.assertEqual(worked_out(key, sources), shown, key)
        with self.assertRaisesRegex(ReportError, "0 rows of here have .*variant=x"):
            worked_out("here lab=a variant=x : ms", sources)

    def test_a_ratio_of_two_rows_of_a_sweep_is_of_that_sweep(self) -> None:
        """The protocol's row stood below, of another time of the day."""
        write(
            self.root / "results/reference/toy/a_sweep.csv",
            [row("a", "w", "480p", 5, iterations="20"), row("a", "w", "480p", 10, block="8", iterations="20")],
        )
        self.assertEqual(worked_out("toy variant=w block=8 : ms over block=", self.sources), "2.00")
        self.assertEqual(worked_out("toy variant=v size=480p : ms over variant=w block=", self.sources), "4.12")

    def test_counters_of_a_launch(self) -> None:
        profile = self.root / "results/reference/toy/profile"
        profile.mkdir()
        (profile / "a.csv").write_text(
            "ID,Kernel Name,Block Size,Metric Name,Metric Value\n"
            '0,"void lab::convolve<View<3>>(int)","(8, 8, 1)",time__duration.sum,"2,000"\n'
            '0,"void lab::convolve<View<3>>(int)","(8, 8, 1)",stores.sum,500\n'
            '1,original(float *),"(8, 8, 1)",stores.sum,400\n',
            encoding="utf-8",
        )
        for key, shown in (
            ("toy/profile/a kernel=lab::convolve : time__duration/1000 ; 1", "2.0"),
            ("toy/profile/a kernel=lab::convolve : stores over kernel=original", "1.25"),
        ):
            self.assertEqual(worked_out(key, self.sources), shown, key)

    def test_a_time_of_another_library(self) -> None:
        (self.root / "results/reference/toy/peers.csv").write_text(
            "peer,function,size,cold,time_ms\nconvolab,device copy,4k,0,0.25\nnpp,Filter,4k,0,0.5\n", encoding="utf-8"
        )
        self.assertEqual(worked_out('toy/peers function="device copy" size=4k : 100/time_ms', self.sources), "400")

    def test_a_key_without_its_row_or_number_is_an_error(self) -> None:
        for key, words in (
            ("toy variant=none : ms", "0 rows of toy have variant=none"),
            ("toy variant=v : ms", "2 rows of toy"),
            ("toy variant=w : registers", "'registers' is neither"),
            ("toy variant=w : lab", "neither"),
            ("toy variant=w : ms+", "neither"),
            ("toy variant=w : __import__('os')", "neither"),
            ("toy variant=w : ms*'a'", "neither"),
            ("toy variant=w : ms/0", "neither"),
            ("toy variant : ms", "not of the form"),
            ("toy", "expected SOURCE"),
            ("nothing variant=w : ms", "no folder"),
        ):
            with self.assertRaisesRegex(ReportError, words, msg=key):
                worked_out(key, self.sources)

    def claims(self, text: str, *lines: str) -> Tuple[str, List[str]]:
        """A README with these lines of claims.csv, rewritten, and what was stale."""
        (self.root / "claims.csv").write_text("\n".join(["sentence,key", *lines, ""]), encoding="utf-8")
        pages = {self.root / "README.md": text.encode()}
        pages.update({path: path.read_bytes() for path in self.root.glob("[a-z]*.md")})
        found, stale = rewritten(self.root / "claims.csv", pages, self.sources)
        self.pages = {path.name: data.decode() for path, data in found.items()}
        return self.pages["README.md"], [words.replace(f"{self.root}/", "") for words in stale]

    def test_a_stale_number_is_rewritten_and_named(self) -> None:
        """Beside numbers that are none of its, over the end of a line, and several of one sentence."""
        text = "In 480p `v` takes 9 and\n`w` 9.9\n  ms, 4k 7.00 ms; again 1, 2 and 3 ms."
        lines = (
            '"takes {} and `w` # ms,",toy variant=v size=480p : ms ; 1',
            '"and `w` {} ms,",toy variant=w : ms',
            "4k {} ms;,toy size=4k : ms",
            '"again {}, {} and {} ms.",toy variant=v size=<480p|4k> : ms & toy variant=w : ms ; 0',
        )
        new, stale = self.claims(text, *lines)
        wanted = text.replace("s 9 ", "s 12.3 ").replace("9.9", "3.00").replace("1, 2 and 3", "12.3, 7.00 and 3")
        self.assertEqual(new, wanted)
        self.assertEqual(
            stale,
            [
                "README.md, line 1, 'takes {} and `w` # ms,': the text says 9, the rows say 12.3",
                "README.md, line 2, 'and `w` {} ms,': the text says 9.9, the rows say 3.00",
                "README.md, line 3, 'again {}, {} and {} ms.': the text says 1, the rows say 12.3",
                "README.md, line 3, 'again {}, {} and {} ms.': the text says 2, the rows say 7.00",
            ],
        )
        self.assertEqual(self.claims(new, *lines), (new, []))

    TABLE = (
        "<!-- results:begin -->\n\n| file | what changes | ms at 480p | of 5 |\n|---|---|---:|---|\n"
        "| `01_v.cpp` | the 2 loops | 0 | L1 cache, 9 % |\n| [`02_w.cu`](02_w.cu) | 5x5 | 9.9 | – |\n"
        "| with `--bands 16` | 16 bands | 1 | – |\n| `03_none.cu` | – | – | 7 |\n\n<!-- results:end -->\n"
    )

    def test_the_numbers_of_a_column(self) -> None:
        """A row that names no file has a sentence; a dash stays; named variants have a key of their own."""
        lines = (
            "column: ms at 480p,toy variant=* size=480p : ms",
            "column: of 5 / v,toy variant=* size=480p : 10*ms ; 0",
            "column: of 5 / none,toy variant=v size=480p : ms over variant=w",
            "| 16 bands | {} |,toy variant=v size=4k : ms",
        )
        new, stale = self.claims(self.TABLE, *lines)
        wanted = self.TABLE
        for old, shown in (("| 0 |", "| 12.3 |"), ("| 9.9 |", "| 3.00 |"), ("| 1 |", "| 7.00 |"), (", 9 %", ", 123 %")):
            wanted = wanted.replace(old, shown)
        self.assertEqual(new, wanted.replace("| 7 |", "| 4.12 |"))
        self.assertEqual(
            stale,
            [
                "README.md, line 5, column 'ms at 480p' of 'v': the text says 0, the rows say 12.3",
                "README.md, line 5, column 'of 5' of 'v': the text says 9, the rows say 123",
                "README.md, line 6, column 'ms at 480p' of 'w': the text says 9.9, the rows say 3.00",
                "README.md, line 7, '| 16 bands | {} |': the text says 1, the rows say 7.00",
                "README.md, line 8, column 'of 5' of 'none': the text says 7, the rows say 4.12",
            ],
        )
        self.assertEqual(self.claims(new, *lines), (new, []))
        for text in (self.TABLE, "<!-- results:begin -->\n|\n<!-- results:end -->\n"):
            self.assertEqual(self.claims(text), (text, []))

    def test_a_counter_is_of_the_profile_that_the_variant_has(self) -> None:
        (self.root / "results/reference/toy/profile").mkdir()
        (self.root / "results/reference/toy/profile/a_v_4k.csv").write_text(
            "ID,Kernel Name,Block Size,Metric Name,Metric Value\n0,k(),1,stores.sum,500\n", encoding="utf-8"
        )
        new, _ = self.claims(self.TABLE, "column: of 5 / v,toy/profile/a_*_4k : 3*stores/1000 ; 1")
        self.assertIn("L1 cache, 1.5 %", new)

    def test_the_numbers_of_a_page_beside_the_readme(self) -> None:
        (self.root / "more.md").write_text(f"It takes 1 ms.\n{self.TABLE}", encoding="utf-8")
        _, stale = self.claims("", "takes {} ms.,toy size=4k : ms", "column: ms at 480p,toy variant=* size=480p : ms")
        self.assertEqual([words[:15] for words in stale], ["more.md, line 1", "more.md, line 6", "more.md, line 7"])
        self.assertIn("It takes 7.00 ms.", self.pages["more.md"])

    def test_the_verb_for_one_folder(self) -> None:
        """`study claims` rewrites the numbers of committed rows, or names those that are stale."""
        key = "h200_16_cpus lab=01_sequential variant=nested size=8k ksize=5 : ms"
        ms = worked_out(key, Sources(ROOT))
        readme = self.root / "README.md"
        readme.write_text("It takes 1 ms.", encoding="utf-8")
        (self.root / "claims.csv").write_text(f"sentence,key\ntakes {{}} ms.,{key}\n", encoding="utf-8")
        for words, code, text, stale in ((["--check"], 1, "1", True), ([], 0, ms, True), (["--check"], 0, ms, False)):
            command = [sys.executable, ROOT / "study", "claims", self.root, *words]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (code, ""))
            self.assertEqual(f"the text says 1, the rows say {ms}" in done.stdout, stale)
            self.assertEqual(readme.read_text(encoding="utf-8"), f"It takes {text} ms.")
        command = [sys.executable, ROOT / "study", "claims", self.root / "none"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^study claims: cannot read .*none/claims.csv: No such file or directory\n$")

    def test_a_column_that_cannot_be_filled_is_an_error(self) -> None:
        key = "toy variant=* size=480p : ms"
        for line, words in (
            (f"column: ms,{key}", "line 2: no number below 'ms' in a table between the markers"),
            (f"column: ms at 480p / v|x|y,{key}", "no number below 'ms at 480p' for x, y in a table"),
            (f"column: ms at 480p / none,{key}", "no number below 'ms at 480p' for none in a table"),
            ("column: ms at 480p,toy variant=v : 2*ms", "the key of a column has [*] instead of the variant's name"),
            (
                "column: ms at 480p,toy variant=* : ms",
                "line 2, column 'ms at 480p' of 'v': 2 rows of toy have variant=v.*size",
            ),
            (f"column: of 5,{key}", "line 2, column 'of 5' of 'none': 0 rows of toy have variant=none"),
            (
                f"column: what changes / w,{key}",
                "'what changes' of 'w': the cell is '5x5', expected a number for each key .1.",
            ),
            (
                f"column: ms at 480p / v,{key} & {key}",
                "the cell is '0', expected a number for each key .2.; write any number, or –",
            ),
        ):
            with self.assertRaisesRegex(ReportError, words, msg=line):
                self.claims(self.TABLE, line)

    def test_the_usual_row_of_several(self) -> None:
        """5x5 Gaussian, border replicate, of the protocol; an error names what tells the others apart."""
        write(
            self.root / "results/reference/other/a.csv",
            [row("a", "v", "480p", 2), row("a", "v", "480p", 3, border="wrap"), row("a", "w", "480p", 4, block="8")],
        )
        write(self.root / "results/reference/other/a_sweep.csv", [row("a", "v", "480p", 5, block="8", iterations="20")])
        self.assertEqual(worked_out("other variant=v : ms", self.sources), "2.00")
        with self.assertRaisesRegex(ReportError, "4 rows of other have size=480p.*differ in border, block$"):
            worked_out("other size=480p : ms", self.sources)

    def test_a_claim_that_cannot_be_kept_is_an_error(self) -> None:
        for line, words in (
            ("takes {} ms,toy variant=w : ms", "line 2: 'takes {} ms' is 2 times in .*README.md, expected once"),
            ("needs {} ms,toy variant=w : ms", "'needs {} ms' is 0 times"),
            ("it takes 9 ms,toy variant=w : ms", r"with a {} for the number of each key \(1\)"),
            ("it takes {} ms,toy variant=<v|w> : ms", r"with a {} for the number of each key \(2\)"),
            ("it takes {} ms,toy variant=x : ms", "'it takes {} ms': 0 rows of toy have variant=x"),
        ):
            with self.assertRaisesRegex(ReportError, words):
                self.claims("it takes 9 ms or takes 9 ms", line)


if __name__ == "__main__":
    unittest.main()
