# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The header comment of a variant's page: its fields, and the command that runs the variant alone."""

import pathlib
import re
import unittest

from tests.driver.test_lab import BUILD, call

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIELDS = re.compile(r"^// (Source|Idea|Since|Limit|Alone)\b[^:\n]*: ", re.MULTILINE)


def header(page):
    """The header comment after the licence, each field on one line."""
    lines = page.read_text().split("\n")
    end = next(i for i, line in enumerate(lines) if not line.startswith("//"))
    return re.sub(r"\n//     (?=\S)", " ", "\n".join(lines[3:end]))


class Pages(unittest.TestCase):
    def setUp(self):
        self.pages = [page for page in sorted(ROOT.glob("labs/*/*.c*"))
                      if page.stem != "main" and "extern const Variant" in page.read_text()]
        self.assertGreater(len(self.pages), 30)

    def test_every_page_has_the_fields_in_order(self):
        for page in self.pages:
            with self.subTest(page=page.name):
                text = header(page)
                self.assertTrue(text.startswith(f"// {page.stem} -- "), text[:60])
                fields = FIELDS.findall(text)
                if "Since" not in fields:  # the first page of all
                    fields.insert(2, "Since")
                self.assertEqual(fields, ["Source", "Idea", "Since", "Limit", "Alone"])

    def test_every_alone_command_is_understood(self):
        for page in self.pages:
            with self.subTest(page=page.name):
                program, *arguments = re.search("^// Alone: (.*)$", header(page), re.MULTILINE)[1].split()
                self.assertEqual(program, f"build/labs/{page.parent.name}/lab")
                self.assertIn(page.stem, arguments[arguments.index("--variant") + 1].split(","))
                result = call(BUILD / f"labs/{page.parent.name}/lab", *arguments, "--plan")
                self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
