# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What is refused as a whole: READMEs whose marks are not as they should be, folders that cannot be written, no matplotlib."""

from fabricate import README, Program, row, write

from study.figures.content import Figure, Section
from study.output import give_file_names


class Refused(Program):
    def one_row(self) -> None:
        write(self.results / "a.csv", [row("a", "v", "480p", 1)])

    def test_readme_without_markers_is_left(self) -> None:
        self.one_row()
        readme = self.base / "README.md"
        for text in ("nothing", README + README, "<!-- results:end --><!-- results:begin -->"):
            readme.write_bytes(text.encode())
            self.refused(1, "left as it is", "--out", self.out, "--readme", readme)
            self.assertEqual(readme.read_bytes(), text.encode())
        self.assertFalse(self.out.exists())
        self.refused(1, "cannot read", "--out", self.out, "--readme", self.base / "none.md")

    def test_folder_that_cannot_be_written(self) -> None:
        self.one_row()
        self.out.write_text("a file, not a folder")
        self.refused(1, "cannot write", "--out", self.out)
        self.assertEqual(self.out.read_text(), "a file, not a folder")
        self.refused(1, "cannot write", "--out", "/dev/full/report")

    def test_names_cannot_leave_the_folder(self) -> None:
        figures = [Figure(name, "", lambda: None) for name in ("../../escape", "a b", "a_b")]
        give_file_names([Section("", list(figures))])
        self.assertEqual([figure.name for figure in figures], ["_escape", "a_b", "a_b_2"])

    def test_without_matplotlib(self) -> None:
        self.one_row()
        hidden = self.base / "hidden" / "matplotlib"
        hidden.mkdir(parents=True)
        (hidden / "__init__.py").write_text("raise ImportError('hidden', name='matplotlib')")
        self.refused(1, "figures need matplotlib.*python3-matplotlib", "--out", self.out, PYTHONPATH=str(hidden.parent))
