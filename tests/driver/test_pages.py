# SPDX-License-Identifier: MIT
"""The header comment of each variant: its fields, and that the command of "Alone" is one the lab understands."""

import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("CONVOLAB_BUILD", "build"))
LABS = sorted(path.parent for path in ROOT.glob("labs/*/main.c*"))
SOURCES = (".cpp", ".cu")
FIELD = re.compile(r"// (Source|Idea|Since [^:]+|Limit|Alone): (.+)")
SIZE = re.compile(r"^((480|720|1080|1440)p|4k|8k|\d+x\d+)$")
SOURCE = re.compile(r"new\b|[a-z]+20\d\d\b")


def listed(lab):
    """The lab's variants in reading order, as its program lists them."""
    words = subprocess.run([BUILD / "labs" / lab.name / "lab", "list"], capture_output=True, text=True, check=True)
    return [line.split()[0] for line in words.stdout.splitlines()]


def header(path):
    """(title, fields) of a file's comment; ValueError if it does not have the form."""
    lines = path.read_text().splitlines()
    comment = lines[1 : next(i for i, line in enumerate(lines) if not line.startswith("//"))]
    if not comment:
        raise ValueError("no comment after the licence")
    fields = []
    for line in comment[1:]:
        match = FIELD.fullmatch(line)
        if match:
            fields.append((match[1], match[2]))
        elif line.startswith("//     ") and fields:
            fields[-1] = (fields[-1][0], f"{fields[-1][1]} {line[2:].strip()}")
        else:
            raise ValueError(f"not a field nor its continuation: {line}")
    return comment[0], fields


def includes(path):
    """The headers of the labs and of noise_map that a file includes, also through other headers."""
    found = set()
    for name in re.findall(r'^#include "((?:labs|common/noise_map)/[^"]+)"', path.read_text(), re.MULTILINE):
        found |= {name} | includes(ROOT / name)
    return found


class References(unittest.TestCase):
    def test_of_the_labs_of_video_compute_without_the_headers_of_the_variants(self):
        """Otherwise a mistake in such a header would be in the reference, too, and verify would find nothing."""
        for lab in (lab for lab in LABS if (lab / "parts").is_dir()):
            for path in lab.glob("parts/operation*.cpp"):
                own = {str(path.relative_to(ROOT).with_suffix(".hpp"))}
                for page in lab.glob("[0-9]*.c*"):
                    self.assertEqual(includes(path) & includes(page) - own, set(), f"{path}, {page}")


class Headers(unittest.TestCase):
    def test_of_every_variant(self):
        pages = {
            lab: sorted(path for path in lab.iterdir() if path.suffix in SOURCES and path.stem != "main")
            for lab in LABS
        }
        everywhere = {path.stem[3:] for files in pages.values() for path in files}
        for lab in LABS:
            variants = listed(lab)
            self.assertEqual(
                [path.stem for path in pages[lab]],
                [f"{place:02}_{name}" for place, name in enumerate(variants, 1)],
                f"{lab.name}: a page per variant, numbered in reading order",
            )
            files = dict(zip(variants, pages[lab]))
            for place, name in enumerate(variants):
                with self.subTest(lab=lab.name, variant=name):
                    title, fields = header(files[name])
                    self.assertRegex(title, rf"^// {name} -- \S.*$")
                    names = [field.split()[0] for field, _ in fields]
                    if place > 0 or "Since" in names:
                        since = dict((field.split()[0], field) for field, _ in fields).get("Since", "")
                        self.assertTrue(set(re.findall(r"\w+", since)) & everywhere, f"no variant in '{since}'")
                        names.remove("Since")
                    self.assertEqual(names, ["Source", "Idea", "Limit", "Alone"])
                    self.assertRegex(fields[0][1], SOURCE)
                    self.parse_alone(lab, name, fields[-1][1])

    def parse_alone(self, lab, name, command):
        """The lab's own parser takes the command, which runs this variant."""
        words = shlex.split(command)
        self.assertEqual(words[:2], [f"build/labs/{lab.name}/lab", "bench"], command)
        self.assertIn(name, words[words.index("--variant") + 1].split(","))
        if "--size" in words:  # a plan that draws pictures
            size = words.index("--size") + 1
            for word in words[size].split(","):
                self.assertRegex(word, SIZE, command)
            words[size] = "64x48"
        else:
            words += ["--size", "64x48"]
        plan = subprocess.run(
            [BUILD / "labs" / lab.name / "lab", *words[1:], "--plan"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(plan.returncode, 0, f"{command}\n{plan.stderr}")
        self.assertRegex(plan.stdout, r"^\d+\n$")


class TheTestItself(unittest.TestCase):
    def test_what_has_not_the_form(self):
        """A header that test_of_every_variant must find wrong is not read as a right one."""
        licence = "// SPDX\n"
        for words in ("#include <a>\n", "// a -- b\n// Sorce: new.\nint i;\n", "// a -- b\n//   idea\nint i;\n"):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "a.cpp"
                path.write_text(licence + words)
                with self.assertRaises(ValueError):
                    header(path)


if __name__ == "__main__":
    unittest.main()
