# SPDX-License-Identifier: MIT
"""The folders of the project: includes go one way, and a lab depends on no other lab."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ORDER = ("base", "image", "convolution", "variant", "measurement", "driver")
# Folders outside of ORDER: the last folder of ORDER that each may include.
BESIDE = {
    "threads": "base",
    "scene": "image",
    "video": "image",
    "row_filter": "convolution",
    "noise_map": "base",
    "cuda": "measurement",
}
# The floors of the emulator's device, and those below each. Nobody includes the two upper ones.
DEVICE = {
    "base": (),
    "memory": ("base",),
    "threads": ("base", "memory"),
    "api": ("base", "memory", "threads"),
    "mistakes": ("base", "memory", "threads"),
}


def sources(folder):
    return sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in (".cpp", ".hpp", ".cu", ".cuh", ".h"))


def includes(path):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)


def shared_with_the_pages(path):
    """The headers of labs and of noise_map that a file includes, also through other headers."""
    names = [name for name in includes(path) if name.startswith(("labs/", "common/noise_map/"))]
    return set(names).union(*(shared_with_the_pages(ROOT / name) for name in names))


class Rooms(unittest.TestCase):
    def test_a_lab_includes_no_other_lab(self):
        found = 0
        for path in sources("labs"):
            lab = path.relative_to(ROOT / "labs").parts[0]
            for name in includes(path):
                found += 1
                if name.startswith("labs/"):
                    self.assertEqual(name.split("/")[1], lab, path)
        self.assertGreater(found, 100)

    def test_the_library_is_included_by_its_tests_only(self):
        self.assertEqual(includes(ROOT / "library/convolab.hpp"), [])
        self.assertTrue(any(name.startswith("labs/") for path in sources("library") for name in includes(path)))
        for folder in ("common", "labs", "cuda_on_cpu", "data", "solutions"):
            for path in sources(folder):
                for name in includes(path):
                    self.assertFalse(name.startswith("library/"), f"{path} includes {name}")

    def test_the_emulator_includes_nothing_of_the_project(self):
        found = 0
        for path in sources("cuda_on_cpu"):
            for name in includes(path):
                found += 1
                self.assertFalse(
                    name.startswith(("common/", "labs/", "tests/", "cuda_on_cpu/")), f"{path} includes {name}"
                )
        self.assertGreater(found, 100)

    def test_the_floors_of_the_emulator_s_device_have_one_order(self):
        floors = {}
        for path in sources("cuda_on_cpu/device"):
            floors.setdefault(path.parent.name, []).append(path)
        self.assertEqual(set(floors), set(DEVICE))
        for floor, below in DEVICE.items():
            found = 0
            for path in floors[floor]:
                for name in includes(path):
                    if name.startswith("device/"):
                        found += 1
                        self.assertIn(name.split("/")[1], (*below, floor), f"{path} includes {name}")
            self.assertGreater(found, 5, floor)

    def test_the_emulator_is_made_without_the_project(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
        with tempfile.TemporaryDirectory() as folder:
            alone = Path(folder) / "alone"
            shutil.copytree(ROOT / "cuda_on_cpu", alone, ignore=shutil.ignore_patterns("build"))
            made = subprocess.run(
                ["make", "-n", "test"], cwd=alone, env=environment, capture_output=True, text=True, check=False
            )
            self.assertEqual((made.returncode, made.stderr), (0, ""))
            for name in ("libcuda_on_cpu.a", "translate", "tests"):
                self.assertRegex(made.stdout, rf"build/\S*{name}\b")

    def test_common_includes_no_lab_and_includes_go_one_way(self):
        def level(room):
            return ORDER.index(BESIDE.get(room, room))

        for path in sources("common"):
            room = path.relative_to(ROOT / "common").parts[0]
            for name in includes(path):
                self.assertFalse(name.startswith("labs/"), f"{path} includes {name}")
                if not name.startswith("common/"):
                    continue
                other = name.split("/")[1]
                self.assertLessEqual(level(other), level(room), f"{path} includes {name}")

    def test_references_of_the_labs_of_video_compute_without_the_headers_of_the_variants(self):
        """Otherwise a mistake in such a header would be in the reference, too, and verify would find nothing."""
        for path in ROOT.glob("labs/*/parts/operation*.cpp"):
            own = {str(path.relative_to(ROOT).with_suffix(".hpp"))}
            for page in path.parents[1].glob("[0-9]*.c*"):
                self.assertEqual(shared_with_the_pages(path) & shared_with_the_pages(page) - own, set(), (path, page))


if __name__ == "__main__":
    unittest.main()
