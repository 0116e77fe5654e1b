# SPDX-License-Identifier: MIT
"""study/data/artefacts.ini: of each table and figure of the reports, what it shows and how it is drawn (study/README.md)."""

import configparser
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Tuple

from tools.plots.files import ReportError

from ..measurements.selectors import selected, wanted

KEYS = set(
    "like size shape shows title caption note above figure needs variants published original job over x y line value panels "
    "best table only drawn diagonal partly".split()
) | {"its program", "not measured", "every series"}
FIRST = "first"  # speed-ups over the first series
Selector = Dict[str, str]
Named = Tuple[str, str, Selector]  # series, what tells it from others of that series, and its selector


@dataclass(frozen=True)
class Specification:
    """One section of the file. `part` names a part of an artefact with several figures."""

    report: str
    name: str
    part: str
    fields: Dict[str, str]

    def __getitem__(self, key: str) -> str:
        if key not in KEYS:
            raise KeyError(key)
        return self.fields.get(key, "")

    def has(self, key: str) -> bool:
        """Whether a switch is on."""
        return self[key] == "yes"

    def words(self, key: str) -> List[str]:
        """The parts of a list with commas."""
        return [word.strip() for word in self[key].split(",") if word.strip()]

    def axis(self, key: str) -> Tuple[str, str]:
        """The column of an axis, and its label."""
        column, _, name = self[key].partition(":")
        return column, name.strip() or {"size": "image size"}.get(column, column)

    @property
    def figure(self) -> str:
        """The name of its figures and tables: "ariano2023_figure_10"."""
        return self["figure"] or re.sub(r"[ .]+", "_", f"{self.report}_{self.name}".lower())

    def selectors(self, key: str) -> List[Named]:
        """The series of a key, in the order of the file: a line "series: selector", or "series / form: selector", or, where
        there is one series, its selector."""
        found = []
        for line in filter(None, map(str.strip, self[key].split("\n"))):
            label, _, selector = line.rpartition(": ")
            series, _, form = label.partition(" / ")
            found.append((series, form, self._fields(selector, key)))
        return found

    @property
    def labels(self) -> List[str]:
        """The series of our variants, as often as they have a selector."""
        return [series for series, *_ in self.selectors("variants")]

    def _fields(self, selector: str, key: str) -> Selector:
        if key in ("variants", "over"):
            return wanted(f"{self['job']} {selector}", "")
        return selected(selector)


def _joined(value: str) -> str:
    """A text over several lines as one; a list of series stays in lines."""
    return (
        value if re.search(r"^[^=\n]+: \w+=", value, re.M) else re.sub(r"\s*\n\s*(?=\|)", "", value).replace("\n", " ")
    )


def read_specifications(path: Path) -> List[Specification]:
    """All sections, each with what it takes from the one that it is `like`."""
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",), strict=True)
    try:
        parser.read_string(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from None
    except configparser.Error as error:
        raise ReportError(f"{path}: {' '.join(str(error).split())}") from None
    return [_specification(path, parser, title) for title in parser.sections()]


def _fields_of(path: Path, parser: configparser.ConfigParser, title: str) -> Dict[str, str]:
    if not parser.has_section(title):
        raise ReportError(f"{path}: no section [{title}], which another is like")
    fields = dict(parser[title])
    unknown = sorted(set(fields) - KEYS)
    if unknown:
        raise ReportError(f"{path}, [{title}]: unknown key '{unknown[0]}'; known are {', '.join(sorted(KEYS))}")
    return {**_fields_of(path, parser, fields["like"]), **fields} if "like" in fields else fields


def _specification(path: Path, parser: configparser.ConfigParser, title: str) -> Specification:
    fields = {key: _joined(value) for key, value in _fields_of(path, parser, title).items()}
    if "shape" not in fields or " " not in title:
        raise ReportError(f"{path}, [{title}]: expected a section [report artefact] with a key 'shape'")
    report, name = title.split(" ", 1)
    name, _, part = name.partition(" / ")
    return Specification(
        report, name, part, {key: value.replace("{size}", fields.get("size", "")) for key, value in fields.items()}
    )
