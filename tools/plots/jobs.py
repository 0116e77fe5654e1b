# SPDX-License-Identifier: MIT
"""Which rows may stand in one table and be joined to one curve, and what they are compared with."""

from collections import Counter
from dataclasses import dataclass
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

from .columns import labs_columns
from .rows import EMULATED, Row
from .selection import distinct, select, sizes
from .words import COLOURS, joined, plural, short

BASELINE = ("01_sequential", "nested")
# One work, whatever the size; all other keys than WHAT are settings.
JOB = tuple("image channels type filter ksize border filters passes cold".split())
WHAT = (*"lab variant backend machine device width height gpus".split(), *JOB)
MOST_CURVES = 12
Key = Tuple[str, ...]


def job_of(row: Row) -> Key:
    return tuple(row[name] for name in JOB)


def job_words(row: Row) -> str:
    """ "5x5 gaussian, replicate, RGB"; the scene and bytes need no word."""
    side = f"{row.ksize}x{row.ksize} " if row.ksize else ""
    words = [
        side + row.filter,
        row.border,
        COLOURS.get(row.channels, f"{row.channels} channels"),
        row.type.replace("uint8", ""),
        row.image if row.image != "scene" else "",
        row.filters and plural(int(row.filters), "filter"),
        row.passes not in ("", "1") and f"{row.passes} passes",
        row.cold == "1" and "cold caches",
        row.with_copies and "with copies",
    ]
    return ", ".join(word.strip() for word in words if word and word.strip())


def hardware(rows: Iterable[Row]) -> str:
    """ "H200 and Xeon, 16 CPUs"."""
    return joined(sorted({short(row.machine if row.backend == "cpu" else row.device) for row in rows}))


def iterations_words(rows: Sequence[Row]) -> str:
    """ "median of 100 iterations (58 at 8k)"; "median of 58 to 100 iterations" where those of one size differ."""
    counts = Counter(row.iterations for row in rows)
    if len({(row.pixels, row.iterations) for row in rows}) > len({row.pixels for row in rows}):
        return f"median of {min(counts)} to {max(counts)} iterations"
    most = max(counts, key=lambda count: (counts[count], count), default=0)
    others = sorted({(row.pixels, f"{row.iterations} at {row.size_name}") for row in rows if row.iterations != most})
    return f"median of {most} iterations" + (f" ({', '.join(words for _, words in others)})" if others else "")


def _setting(row: Row, name: str) -> str:
    value = row[name]
    return "" if name == "devices" and value == "1" else f"{name.replace('_', ' ')} {value}" if value else ""


class Lab:
    """The rows of a lab. `curves`: those of its table, by variant and setting, each in the order of sizes. All are of one job,
    and those of one size have the same number of iterations. `rest`: what else was timed."""

    def __init__(self, name: str, rows: Sequence[Row]):
        self.name = name
        mine = [row for row in rows if row.lab == name]
        # A sweep is a separate run: its rows are not those of the protocol.
        every = select(row for row in mine if not row.sweep) + select(row for row in mine if row.sweep)
        self.repeated = len(mine) - len(every)
        self.emulated = sum(row.backend == EMULATED and row.status == "ok" for row in every)
        self.untimed = [row for row in every if not row.timed and (row.backend != EMULATED or row.status != "ok")]
        timed = [row for row in every if row.timed]
        self.curves: Dict[str, List[Row]] = _curves(_one_count(_main_job(timed)))
        shown = {row.order for row in self.rows}
        self.rest = [row for row in timed if row.order not in shown]

    @property
    def rows(self) -> List[Row]:
        return [row for curve in self.curves.values() for row in curve]

    @property
    def sizes(self) -> List[Tuple[int, str]]:
        return sizes(self.rows)

    @property
    def compared_at(self) -> Tuple[int, str]:
        """Of the sizes with a time of most variants the largest."""
        counts = Counter((row.pixels, row.size_name) for row in self.rows)
        return max(counts, key=lambda size: (counts[size], size))

    def at(self, label: str, size: Tuple[int, str]) -> Optional[Row]:
        return next((row for row in self.curves[label] if (row.pixels, row.size_name) == size), None)

    def caption(self) -> str:
        """The machine, the job, the settings that all rows have, the statistic."""
        rows = self.rows
        settings = [
            f"{name.replace('_', ' ')} {values[0]}"
            for name, values in ((name, distinct(rows, name)) for name in _settings())
            if len(values) == 1 and values[0] != "1"
        ]
        return ", ".join(filter(None, [hardware(rows), job_words(rows[0]), *settings, iterations_words(rows)]))


def _settings() -> List[str]:
    return [name for name in labs_columns().configuration if name not in WHAT]


def _main_job(timed: Sequence[Row]) -> List[Row]:
    """The rows of the job with the most, of the protocol where it has any."""
    rows = [row for row in timed if not row.sweep] or list(timed)
    groups: Dict[Tuple[Key, bool], List[Row]] = {}
    for row in rows:
        groups.setdefault((job_of(row), row.with_copies), []).append(row)
    return max(groups.values(), key=len, default=[])


def _one_count(rows: Sequence[Row]) -> List[Row]:
    """Of each size the rows with the number of iterations that most of them have, and the same protocol."""
    kept: List[Row] = []
    for pixels in sorted({row.pixels for row in rows}):
        same = [row for row in rows if row.pixels == pixels]
        counts = Counter((row.in_rounds, row.iterations) for row in same)
        most = max(counts, key=lambda count: (counts[count], count))
        kept += [row for row in same if (row.in_rounds, row.iterations) == most]
    return kept


def _curves(rows: Sequence[Row]) -> Dict[str, List[Row]]:
    """The rows by variant and by the settings in which rows differ; where these are many, of each variant the setting that is
    fastest at the largest size."""
    differ = [
        name
        for name in ("backend", "device", "pinning", *_settings())
        if len({row[name] for row in rows if row[name]}) > 1
    ]
    curves: Dict[str, List[Row]] = {}
    for row in sorted(rows, key=lambda row: row.order):
        several = {name: {other[name] for other in rows if other.variant == row.variant} for name in differ}
        words = [_setting(row, name) for name in differ if len(several[name]) > 1 or name in _settings()]
        curves.setdefault(", ".join([row.variant, *filter(None, words)]), []).append(row)
    for curve in curves.values():
        curve.sort(key=lambda row: row.pixels)
    if len(curves) <= MOST_CURVES:
        return curves
    best: Dict[str, str] = {}
    for label, curve in curves.items():
        other = curves.get(best.get(curve[0].variant, ""))
        if other is None or (-curve[-1].pixels, curve[-1].ms) < (-other[-1].pixels, other[-1].ms):
            best[curve[0].variant] = label
    return {label: curve for label, curve in curves.items() if label in best.values()}


@dataclass
class Compared:
    """What times are compared with: lab 01's `nested` with the same job."""

    nested: Dict[Tuple[bool, Key, int], Row]

    def baseline(self, lab: Lab, row: Row) -> Optional[Row]:
        """The row that a speed-up is over: of the baseline's name at the row's size."""
        if self.name(lab) == " ".join(BASELINE):
            return self.nested.get((row.sweep, job_of(row), row.pixels))
        return lab.at(self.name(lab), (row.pixels, row.size_name))

    def name(self, lab: Lab) -> str:
        """ "01_sequential nested"; where no row has it, the first variant of the lab that has a time where they are compared."""
        has = any((row.sweep, job_of(row), row.pixels) in self.nested for row in lab.rows)
        return " ".join(BASELINE) if has else next(label for label in lab.curves if lab.at(label, lab.compared_at))

    def only_baseline(self, lab: Lab) -> bool:
        """Whether the lab has nothing to compare with its baseline."""
        return len(lab.curves) < 2 and self.name(lab) in lab.curves

    def whole_name(self, lab: Lab) -> str:
        """The baseline with its lab, for tables of several labs."""
        name = self.name(lab)
        return name if name == " ".join(BASELINE) else f"{lab.name} {name}"

    def speed_up(self, lab: Lab, row: Optional[Row]) -> Optional[float]:
        base = self.baseline(lab, row) if row else None
        return base.ms / row.ms if base and row else None


def compared(rows: Sequence[Row]) -> Compared:
    nested: Dict[Tuple[bool, Key, int], Row] = {}
    for sweep in (False, True):
        for row in select(row for row in rows if (row.lab, row.variant) == BASELINE and row.sweep == sweep):
            if row.timed:
                nested[sweep, job_of(row), row.pixels] = row
    return Compared(nested)
