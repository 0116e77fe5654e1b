# SPDX-License-Identifier: MIT
"""claims.csv: sentences and columns of its pages say what the rows say."""

import contextlib
import io
from pathlib import Path
from unittest import mock

import pytest

from report.make.paper import readmes
from report.make.paper.measurements.claims import FILE, read_claims, rewritten
from report.make.paper.measurements.keyed import Sources, worked_out
from report.make.plots.files import ReportError
from tests.paper.fabricate import ROOT
from tests.paper.test_keyed import Rows


class Claims(Rows):
    def claims(self, text: str, *lines: str) -> tuple[str, list[str]]:
        """A README with these lines of claims.csv, rewritten, and what was stale."""
        self.write("README.md", *lines)
        (claims,) = read_claims(self.root).values() or ([],)
        new, stale = rewritten(Path("README.md"), text.encode(), claims, self.sources)
        return new.decode(), stale

    def write(self, page: object, *lines: str) -> None:
        """These lines of claims.csv, all of one page."""
        file = self.root / FILE
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(["page,sentence,key", *(f"{page},{line}" for line in lines), ""]), encoding="utf-8")

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
        assert new == wanted
        assert stale == [
            "README.md, line 1, 'takes {} and `w` # ms,': the text says 9, the rows say 12.3",
            "README.md, line 2, 'and `w` {} ms,': the text says 9.9, the rows say 3.00",
            "README.md, line 3, 'again {}, {} and {} ms.': the text says 1, the rows say 12.3",
            "README.md, line 3, 'again {}, {} and {} ms.': the text says 2, the rows say 7.00",
        ]
        assert self.claims(new, *lines) == (new, [])

    TABLE = (
        "<!-- results:begin -->\n\n| file | what changes | ms at 480p | of 5 |\n|---|---|---:|---|\n"
        "| `01_v.cpp` | the 2 loops | 0 | L1 cache, 9 % |\n| [`02_w.cu`](02_w.cu) | 5x5 | 9.9 | – |\n"
        "| with `--bands 16` | 16 bands | 1 | – |\n| `03_none.cu` | – | – | 7 |\n\n<!-- results:end -->\n"
    )

    def test_the_numbers_of_a_column(self) -> None:
        """A row that names no file has a sentence; a dash stays; named variants have another key."""
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
        assert new == wanted.replace("| 7 |", "| 4.12 |")
        assert stale == [
            "README.md, line 5, column 'ms at 480p' of 'v': the text says 0, the rows say 12.3",
            "README.md, line 5, column 'of 5' of 'v': the text says 9, the rows say 123",
            "README.md, line 6, column 'ms at 480p' of 'w': the text says 9.9, the rows say 3.00",
            "README.md, line 7, '| 16 bands | {} |': the text says 1, the rows say 7.00",
            "README.md, line 8, column 'of 5' of 'none': the text says 7, the rows say 4.12",
        ]
        assert self.claims(new, *lines) == (new, [])
        for text in (self.TABLE, "<!-- results:begin -->\n|\n<!-- results:end -->\n"):
            assert self.claims(text) == (text, [])

    def test_the_verb_for_one_folder(self) -> None:
        """`paper claims` rewrites the numbers of committed rows, or names those that are stale."""
        key = "h200_16_cpus lab=01_sequential variant=nested size=8k ksize=5 : ms"
        ms = worked_out(key, Sources(ROOT))
        readme = self.root / "README.md"
        readme.write_text("It takes 1 ms.", encoding="utf-8")
        self.write("README.md", f"takes {{}} ms.,{key}")
        (self.root / "results").rename(self.root / "made up")
        (self.root / "results").symlink_to(ROOT / "results")
        for words, code, text, stale in ((["--check"], 1, "1", True), ([], 0, ms, True), (["--check"], 0, ms, False)):
            with mock.patch.object(readmes, "ROOT", self.root), contextlib.redirect_stdout(io.StringIO()) as printed:
                assert readmes.main([str(self.root), *words]) == code
            assert (f"the text says 1, the rows say {ms}" in printed.getvalue()) == stale
            assert readme.read_text(encoding="utf-8") == f"It takes {text} ms."
        with pytest.raises(ReportError, match="claims.csv has no line for a page in no/such"):
            readmes.main(["no/such"])

    def test_a_column_that_cannot_be_filled_is_an_error(self) -> None:
        key = "toy variant=* size=480p : ms"
        for line, words in (
            (f"column: ms,{key}", "line 2, README.md: no number below 'ms' in a table between the markers"),
            (f"column: ms at 480p / v|x|y,{key}", "no number below 'ms at 480p' for x, y in a table"),
            (
                "column: ms at 480p,toy variant=* : ms",
                "line 2, README.md, column 'ms at 480p' of 'v': 2 rows of toy have variant=v.*size",
            ),
        ):
            with pytest.raises(ReportError, match=words):
                self.claims(self.TABLE, line)

    def test_a_claim_that_cannot_be_kept_is_an_error(self) -> None:
        for line, words in (
            ("takes {} ms,toy variant=w : ms", "line 2, README.md: 'takes {} ms' is there 2 times, expected once"),
            ("it takes {} ms,toy variant=x : ms", "'it takes {} ms': 0 rows of toy have variant=x"),
        ):
            with pytest.raises(ReportError, match=words):
                self.claims("it takes 9 ms or takes 9 ms", line)
