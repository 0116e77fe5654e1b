# SPDX-License-Identifier: MIT
"""The columns of the labs' CSV files, as a built lab prints them (`lab columns`)."""

import csv
import os
import subprocess
from dataclasses import dataclass
from functools import lru_cache

from .files import ROOT, ReportError

# Columns in which two rows of one configuration may differ: how and when it was measured, the name of
# the size beside its width and height, and the layout, which is the variant's own.
HOW = ("driver", "compiler", "flags", "build", "layout", "iterations", "warmup", "rounds", "pinning", "size")


@dataclass(frozen=True)
class Columns:
    """The columns of a row with its session and its settings: kind by name, and which are the key of a row."""

    kinds: dict[str, str]  # text, integer, decimal or flag
    key: tuple[str, ...]
    files: dict[str, tuple[str, ...]]  # those of "timing" and of "sessions"; of "settings": the words of that column

    @property
    def configuration(self) -> tuple[str, ...]:
        """The columns of `Row.configuration`."""
        return tuple(name for name in self.key if name not in HOW)


@lru_cache(maxsize=None)
def labs_columns(build: str = "") -> Columns:
    """The columns of timings as a built lab prints them (`lab columns`)."""
    folder = ROOT / (build or os.environ.get("BUILD") or os.environ.get("CONVOLAB_BUILD", "build"))
    lab = next(iter(sorted(folder.glob("labs/*/lab"))), None)
    if lab is None:
        raise ReportError(f"no lab is built in {folder}, to say the columns of its CSV files: run `make` first")
    done = subprocess.run([str(lab), "columns"], stdout=subprocess.PIPE, encoding="utf-8", check=False)
    lines = list(csv.DictReader(done.stdout.splitlines()))
    files = {
        file: tuple(line["column"] for line in lines if line["file"] == file)
        for file in ("timing", "sessions", "settings")
    }
    if done.returncode or not all(files.values()):
        raise ReportError(f"{lab} columns: ended with {done.returncode} and no columns")
    known = [line for line in lines if line["file"] in files]
    return Columns(
        {line["column"]: line["kind"] for line in known},
        tuple(line["column"] for line in known if line["key"] == "1" and line["column"] != "settings"),
        files,
    )
