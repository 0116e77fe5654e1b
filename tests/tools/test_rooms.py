# SPDX-License-Identifier: MIT
"""The folders of the project: includes go one way, and a lab depends on no other lab."""

import collections
import graphlib
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# From the ground up: a room includes itself and those before it.
HOUSE = ("cuda_on_cpu", "common", "labs", "library", "data", "solutions", "tools")
COMMON = (
    "base",
    "threads",
    "noise_map",
    "image",
    "media",
    "convolution",
    "row_filter",
    "variant",
    "measurement",
    "cuda",
    "driver",
)
# The floors of the emulator's device, and those below each. Nobody includes the two upper ones.
DEVICE = {
    "base": (),
    "memory": ("base",),
    "threads": ("base", "memory"),
    "api": ("base", "memory", "threads"),
    "mistakes": ("base", "memory", "threads"),
}


def sources(folder):
    """Those of the repository: cuda_on_cpu/build has others."""
    kinds = (".cpp", ".hpp", ".cu", ".cuh", ".h")
    found = [path for path in (ROOT / folder).rglob("*") if path.suffix in kinds]
    return sorted(path for path in found if "build" not in path.relative_to(ROOT).parts)


def includes(path):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)


def room_of(name, house):
    """Its place in the order, of a path from ROOT."""
    if house is COMMON:
        return COMMON.index(name.split("/")[1])
    return HOUSE.index(name.split("/")[0])


def arrows(folders, house):
    """Of each include from one room into another: the file, what it includes, both places in the order."""
    for folder in folders:
        for path in sources(folder):
            for name in includes(path):
                if (ROOT / name).is_file() and (house is HOUSE or name.startswith("common/")):
                    file = str(path.relative_to(ROOT))
                    rooms = room_of(file, house), room_of(name, house)
                    if rooms[0] != rooms[1]:
                        yield file, name, *rooms


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
                if name.startswith("labs/") and not ("exercises" in path.parts and name.startswith("labs/exercise/")):
                    self.assertEqual(name.split("/")[1], lab, path)
        self.assertGreater(found, 100)

    def test_the_library_is_included_by_its_tests_only(self):
        self.assertEqual(includes(ROOT / "library/convolab.hpp"), [])
        found = 0
        self.assertTrue(any(name.startswith("labs/") for path in sources("library") for name in includes(path)))
        for folder in ("common", "labs", "cuda_on_cpu", "data", "solutions"):
            for path in sources(folder):
                for name in includes(path):
                    found += 1
                    self.assertFalse(name.startswith("library/"), f"{path} includes {name}")
        self.assertGreater(found, 1000)

    def test_the_emulator_includes_nothing_of_the_project(self):
        found = 0
        for path in sources("cuda_on_cpu"):
            for name in includes(path):
                found += 1
                self.assertFalse(
                    name.startswith(("common/", "labs/", "tests/", "cuda_on_cpu/")), f"{path} includes {name}"
                )
        self.assertGreater(found, 300)

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

    def test_the_rooms_of_the_house_and_of_common_stand_in_one_order(self):
        self.assertEqual(set(COMMON), {path.relative_to(ROOT / "common").parts[0] for path in sources("common")})
        for house, folders, least in ((HOUSE, HOUSE, 200), (COMMON, ("common",), 100)):
            with self.subTest(least=least):
                found = list(arrows(folders, house))
                self.assertGreater(len(found), least)
                self.assertEqual([arrow[:2] for arrow in found if arrow[3] > arrow[2]], [])

    def test_no_file_of_common_includes_itself_by_way_of_others(self):
        files = {
            str(path.relative_to(ROOT)): set(includes(path)) - {str(path.relative_to(ROOT))}
            for path in sources("common")
        }
        self.assertGreater(len(files), 100)
        graphlib.TopologicalSorter(files).prepare()  # throws with the circle

    def test_what_a_room_of_common_declares_is_defined_there(self):
        """Otherwise an arrow goes up that only the linker sees."""
        declared, defined = collections.defaultdict(set), collections.defaultdict(set)
        of_its_own = re.compile(r"^namespace \{\n.*?^\}  // namespace\n", re.M | re.S)
        function = re.compile(r"^[A-Za-z][\w:<>,&* ]*[ &*](\w+)\([^;{}]*?\)(?: try)?(;| \{)", re.M)
        for path in sources("common"):
            room = path.relative_to(ROOT / "common").parts[0]
            for name, end in function.findall(of_its_own.sub("", path.read_text(encoding="utf-8"))):
                (declared if end == ";" else defined)[name].add(room)
        found = 0
        for name, rooms in declared.items():
            if len(rooms) == 1 and name in defined:
                found += 1
                self.assertLessEqual(rooms, defined[name], name)
        self.assertGreater(found, 100)

    def test_references_of_the_labs_of_video_compute_without_the_headers_of_the_variants(self):
        """Otherwise a mistake in such a header would be in the reference, too, and verify would find nothing."""
        found = 0
        for path in ROOT.glob("labs/*/parts/operation*.cpp"):
            own = {str(path.relative_to(ROOT).with_suffix(".hpp"))}
            for page in path.parents[1].glob("[0-9]*.c*"):
                found += 1
                self.assertEqual(shared_with_the_pages(path) & shared_with_the_pages(page) - own, set(), (path, page))
        self.assertGreater(found, 20)


if __name__ == "__main__":
    unittest.main()
