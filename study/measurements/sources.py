# SPDX-License-Identifier: MIT
"""Where the numbers of keys come from (keyed.py): rows, launches with counters, lines of other files."""

from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from tools.plots.files import ReportError, read_table
from tools.plots.rows import Row
from tools.plots.selection import select

from .points import DEFAULTS, Line
from .results import SECOND_RUN, Results, read_folder

FILES = {
    "published": "study/data/published.csv",
    "originals": "study/data/originals.csv",
    "savings": "labs/10_noise_filter/savings.csv",
}
HERE = "here"
# What tells two rows of a variant apart, named where a key has several.
SETTINGS = "size ksize filter border block threads streams bands in_flight devices ranks filters passes type channels image cold".split()
Fields = Mapping[str, str]


def counters(path: Path) -> List[Dict[str, str]]:
    """The launches in a file of `make profile`: kernel, block and the counters, without their unit."""
    launches: Dict[str, Dict[str, str]] = {}
    for _, line in read_table(path, ("ID", "Kernel Name", "Block Size", "Metric Name", "Metric Value")):
        kernel = line["Kernel Name"].partition("(")[0].partition("<")[0].split()[-1]
        first = {"kernel": kernel, "launch": line["ID"], "block": line["Block Size"]}
        launch = launches.setdefault(line["ID"], first)
        launch[line["Metric Name"].partition(".")[0]] = line["Metric Value"].replace(",", "")
    return list(launches.values())


def _differing(rows: Sequence[Any]) -> str:
    """Which columns tell these rows apart."""
    texts = [row.text if isinstance(row, Row) else row for row in rows]
    names = [name for name in SETTINGS if len({text.get(name, "") for text in texts}) > 1]
    return f"; they differ in {', '.join(names)}" * bool(names)


def _usual(fitting: List[Tuple[Any, Fields]], wanted: Fields) -> List[Any]:
    """Of several rows the one of the usual job, and of the protocol; all, if these are not one."""
    left = {name: value for name, value in DEFAULTS.items() if name not in wanted}
    usual = [row for row, text in fitting if isinstance(row, Row) and left.items() <= text.items()]
    for some in (usual, [row for row in usual if not row.sweep]):
        if len(some) == 1:
            return some
    return [row for row, _ in fitting]


class Sources:
    """Where numbers come from: committed CSV files, each read when a key first names it; `here`: what the report is made of,
    and its second run."""

    def __init__(self, root: Path, here: Optional[Results] = None, again: Optional[Results] = None):
        self.root = root
        self._tables: Dict[Tuple[str, bool], List[Any]] = {}
        for source, results in ((HERE, here), (f"{HERE}/{SECOND_RUN}", again)):
            if results:
                self._tables[source, False] = self._tables[source, True] = [row for row in results.rows if row.timed]

    def rows(self, source: str, sweep: bool = False) -> List[Any]:
        """Our selected rows of a folder, launches with counters, or the lines of a file. sweep: of what a sweep has, too, that
        row."""
        at = source, sweep
        if at not in self._tables:
            reference = self.root / "results" / "reference"
            path = self.root / FILES[source] if source in FILES else reference / f"{source}.csv"
            if "/profile/" in source:
                self._tables[at] = counters(path)
            elif path.is_file():
                self._tables[at] = [fields for _, fields in read_table(path, ())]
            else:
                self._tables[at] = select(read_folder(reference / source), sweep)
        return self._tables[at]

    def each(self, source: str, *wanted: Fields) -> List[Any]:
        """The one row with each of these fields; where one is of a sweep, all are, as far as it has them."""
        rows = [self._one(source, fields) for fields in wanted]
        if any(isinstance(row, Row) and row.sweep for row in rows):
            rows = [self._one(source, fields, sweep=True) for fields in wanted]
        return rows

    def _one(self, source: str, wanted: Fields, sweep: bool = False) -> Any:
        lines = [(row, row.text if isinstance(row, Row) else row) for row in self.rows(source, sweep)]
        if source.startswith(HERE):
            fitting = (row for row, text in lines if Line(text).fits(wanted))
            found = sorted(fitting, key=lambda row: (row.sweep, row.ms))[:1]
        else:
            found = _usual([(row, text) for row, text in lines if wanted.items() <= text.items()], wanted)
        if len(found) != 1:
            fields = " ".join(f"{name}={value}" for name, value in wanted.items())
            raise ReportError(f"{len(found)} rows of {source} have {fields}, expected one{_differing(found)}")
        return found[0]

    def has(self, source: str) -> bool:
        """Whether there is such a folder."""
        return (source, False) in self._tables or (self.root / "results" / "reference" / source).is_dir()
