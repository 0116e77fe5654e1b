# SPDX-License-Identifier: MIT
"""What was measured on one machine: rows, their jobs, sessions, copies and speed-ups. tools/plots reads and selects the rows."""

import re
from pathlib import Path
from typing import Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from tools.plots import selection
from tools.plots.files import ReportError
from tools.plots.rows import Row
from tools.plots.selection import select

SECOND_RUN = "second_run"  # a folder in that of a machine: the same configurations, measured again
# The baseline of every speed-up: ariano2023, sections 3.3 and 3.6. The report compares its pthread
# programs with the first (5.1) and its CUDA kernels with the second (5.2); here both are shown.
BASELINE_LAB = "01_sequential"
BASELINES = ("nested", "flat")

# Rows that agree in these columns did the same work and may be compared, whatever the variant.
JOB = ("machine", "image", "width", "height", "channels", "type", "filter", "ksize", "border", "filters", "passes")
_read: Dict[Tuple[object, ...], List[Row]] = {}


def read_folder(folder: Path) -> List[Row]:
    """All rows of the folder's CSV files; of a folder that has not changed, those that were read before."""
    state = [(path, path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(folder.glob("*.csv"))]
    at = (folder, *state)
    if at not in _read:
        _read[at] = selection.read_folder(folder)
    return _read[at]


def key(row: Row, columns: Sequence[str]) -> Tuple[str, ...]:
    """The row's fields in these columns."""
    return tuple(row.text[name] for name in columns)


def one_time_each(rows: Iterable[Row]) -> None:
    """An error that names the configuration where two of the rows shown have one configuration and
    two times, in the protocol or in the sweeps."""
    shown: Dict[Tuple[str, ...], Row] = {}
    for row in rows:
        other = shown.setdefault((*row.configuration, str(row.sweep)), row)
        if other is not row and row.timed and other.timed:
            settings = ", ".join(
                f"{name} {row.text[name]}" for name in ("threads", "block", "streams", "border") if row.text[name]
            )
            raise ReportError(
                f"two times for one configuration: {row.lab} {row.variant} at {row.size_name}, "
                f"K {row.ksize}, {settings}: {other.ms:g} ms of {other.date} and {row.ms:g} ms of "
                f"{row.date}"
            )


def sessions(rows: Iterable[Row]) -> List[Tuple[str, str, str]]:
    """The different (begin of the session, revision, boot) of timed rows, in the order of time."""
    return sorted({(row.session, row.revision[:7], row.boot) for row in rows if row.timed})


def of_how_many(counts: Dict[str, Sequence[int]]) -> str:
    """ "Best of rows 8, blocks 8 to 56 configurations per size.", from the numbers of candidates by
    what was compared."""
    named = []
    for label, found in counts.items():
        many = sorted({count for count in found if count})
        if many:
            named.append(f"{label} {many[0]}" + (f" to {many[-1]}" if len(many) > 1 else ""))
    return f"Best of: {', '.join(named)}." if named else ""


class Results:
    """What was measured on one machine: `rows`, one for each configuration, and of these `bench`, the
    configurations of the protocol. What is compared along a setting is asked for by `of_one_run` or `where`."""

    def __init__(self, rows: Sequence[Row], machine_code: Optional[Dict[Tuple[str, str], Dict[str, str]]] = None):
        self.machine_code = machine_code or {}  # counts of `make sass` by lab and variant
        self.every = rows  # also those of repeated measurements
        self.rows = select(rows)
        self.left_out = len(rows) - len(self.rows)
        protocol = {row.configuration for row in rows if not row.sweep}
        self.bench = [row for row in self.rows if row.configuration in protocol]
        self.machine = rows[0].machine
        self._baselines: Dict[Tuple[bool, Tuple[str, ...]], Row] = {}
        for sweep in (False, True):
            for row in select((row for row in rows if row.lab == BASELINE_LAB), sweep):
                if row.timed:
                    self._baselines.setdefault((sweep, (row.variant,) + key(row, JOB)), row)

    def where(self, test: Optional[Callable[[Row], bool]] = None, **columns: str) -> List[Row]:
        """Rows with these fields (`lab="02_pthread", variant="rows"`) for which `test` holds."""
        return self.of_one_run(
            lambda row: all(row.text[name] == value for name, value in columns.items()) and (test is None or test(row))
        )

    def of_one_run(self, test: Callable[[Row], bool]) -> List[Row]:
        """The rows for which `test` holds, of the run that timed most of them: the protocol or the sweeps."""
        rows = list(filter(test, self.every))
        timed = {(row.configuration, row.sweep) for row in rows if row.timed}
        sweeps = sum(sweep for _, sweep in timed)
        return select(rows, sweep=2 * sweeps > len(timed))

    def together(self, test: Callable[[Row], bool]) -> List[Row]:
        """All rows of the newest session that has a timed row for which `test` holds; none without one."""
        newest = max((sessions([row])[0] for row in self.every if row.timed and test(row)), default=None)
        return select(row for row in self.every if row.timed and sessions([row])[0] == newest) if newest else []

    def baseline(self, row: Row, variant: str) -> Optional[Row]:
        """The timed row of lab 01's `variant` that did the same job: for a row of a sweep that of lab 01's sweep, if it
        has one."""
        return self._baselines.get((row.sweep, (variant,) + key(row, JOB)))

    def baselines(self, rows: Iterable[Row], *variants: str) -> List[Row]:
        """The baselines of these rows, each once."""
        found = (self.baseline(row, variant) for variant in variants for row in rows)
        return list({row.order: row for row in found if row is not None}.values())

    def speed_up(self, row: Row, variant: str = BASELINES[0]) -> Optional[float]:
        """Time of the baseline over time of the row; None if either has no time."""
        base = self.baseline(row, variant)
        return base.ms / row.ms if base is not None and row.timed else None

    def copies(self, device: str, cold: str = "0") -> List[float]:
        """GB/s of the copies of the sessions on a device, slowest first: what one session's copy may be, and the middle one for
        what joins sessions. Where some copied with more threads than others, of those with the most."""
        found: Dict[str, Tuple[int, float]] = {}
        for row in self.rows:
            if row.timed and not row.with_copies and row.ceiling and (row.device, row.cold or "0") == (device, cold):
                threads = re.match(r"(\d+) threads?", row.text.get("copy_how", ""))
                found[row.text["session"]] = (int(threads[1]) if threads else 0, row.ceiling)
        most = max((threads for threads, _ in found.values()), default=0)
        return sorted(rate for threads, rate in found.values() if threads == most)
