# SPDX-License-Identifier: MIT
"""Draws the pictures that explain the labs, from the repository's folder: python3 -m tools.drawings [NN ...]

tools/drawings/lab_NN.py has a function for each picture: cache_lines() draws labs/NN_*/cache_lines.svg. It returns the SVG's bytes.
NN: only these labs."""

import importlib
import inspect
import sys
from pathlib import Path

LABS = Path(__file__).resolve().parents[2] / "labs"


def all_labs() -> list[str]:
    """The numbers of the labs that have pictures: "01" and so on."""
    return sorted(file.stem[4:] for file in Path(__file__).parent.glob("lab_*.py"))


def pictures(lab: str) -> dict[Path, bytes]:
    """The pictures of lab "01" by their paths."""
    module = importlib.import_module(f"tools.drawings.lab_{lab}")
    (folder,) = LABS.glob(f"{lab}_*")
    own = inspect.getmembers(module, lambda it: inspect.isfunction(it) and it.__module__ == module.__name__)
    return {folder / f"{name}.svg": draw() for name, draw in own if not name.startswith("_")}


if __name__ == "__main__":
    for number in sys.argv[1:] or all_labs():
        for path, drawn in pictures(number).items():
            path.write_bytes(drawn)
