# SPDX-License-Identifier: MIT
"""The files of `lab bench`: rows, and beside them sessions.csv with what the rows of one call have in common."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from .columns import labs_columns
from .files import ROOT, ReportError, read_table

NAME = "sessions.csv"
TIME = "kernel_ms"  # the files of no other verb have columns of this name
HINT = (
    "another version of the labs wrote the file, or another program; move it to another folder, and measure again or take its "
    "tables from the version that wrote it"
)


def holds_timings(path: Path) -> bool:
    """Whether `lab bench` of any version wrote the file: its header names the time, or its name is that of a lab."""
    if (ROOT / "labs" / path.stem.replace("_sweep", "")).is_dir():
        return True
    try:
        with open(path, "rb") as file:
            return TIME.encode() in file.readline()
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from None


def timing_files(folder: Path) -> list[Path]:
    """The CSV files of the folder that hold rows of `lab bench`."""
    return [path for path in sorted(folder.glob("*.csv")) if holds_timings(path)]


def _sessions(path: Path) -> dict[str, dict[str, str]]:
    """The sessions by their key."""
    sessions: dict[str, dict[str, str]] = {}
    for where, session in read_table(path, labs_columns().files["sessions"], HINT) if path.exists() else []:
        if sessions.setdefault(session["session"], session) != session:
            raise ReportError(
                f"{where}: session {session['session']} stands there twice, with different values; delete one of them"
            )
    return sessions


def read_timings(path: Path) -> list[tuple[str, dict[str, str]]]:
    """The rows as ("file, line n", fields): with a field for each column of their session, and for each setting."""
    files = labs_columns().files
    rows = read_table(path, files["timing"], HINT)
    sessions = _sessions(path.with_name(NAME)) if rows else {}
    joined = []
    for where, row in rows:
        if row["session"] not in sessions:
            raise ReportError(
                f"{where}: session '{row['session']}' is not in {path.with_name(NAME)}; put the {NAME} that belongs to "
                "the file beside it"
            )
        settings = {
            **dict.fromkeys(files["settings"], ""),
            **dict(word.partition("=")[::2] for word in row["settings"].split()),
        }
        if len(settings) != len(files["settings"]):
            raise ReportError(
                f"{where}: column settings holds '{row['settings']}', expected words such as threads=16 block=32"
            )
        joined.append((where, {**sessions[row["session"]], **settings, **row}))
    return joined


def text_of(file: str, rows: Iterable[dict[str, str]]) -> bytes:
    """The text of a file of "timing" or of "sessions" with these rows; a session is there once."""
    text = io.StringIO()
    writer = csv.DictWriter(text, labs_columns().files[file], extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows if file == "timing" else {row["session"]: row for row in rows}.values())
    return text.getvalue().encode()
