# SPDX-License-Identifier: MIT
"""The tests in Python: each runs. The commands in READMEs: each names files that exist."""

import ast
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Names(unittest.TestCase):
    def test_each_test_of_a_class_has_a_name_of_its_own(self):
        """If two functions have the same name, the first is never called."""
        found = 0
        for path in sorted([*(ROOT / "tests").rglob("*.py"), *(ROOT / "study/tests").rglob("*.py")]):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    names = [part.name for part in node.body if isinstance(part, ast.FunctionDef)]
                    twice = {name for name in names if names.count(name) > 1}
                    self.assertFalse(twice, f"{path.name}, class {node.name}")
                    found += len(names)
        self.assertGreater(found, 0)

    def test_files_that_a_readme_compares_exist(self):
        """Lab 04's README once named a file of lab 03 whose number had changed."""
        found = 0
        for readme in sorted((ROOT / "labs").rglob("README.md")):
            for names in re.findall(r"`diff ((?:\S+\.\w+ ?){2})`", readme.read_text(encoding="utf-8")):
                for name in names.split():
                    self.assertTrue((readme.parent / name).is_file(), f"{readme}: {name}")
                    found += 1
        self.assertGreater(found, 0)


if __name__ == "__main__":
    unittest.main()
