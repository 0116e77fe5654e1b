# SPDX-License-Identifier: MIT
"""Reading a CSV file, where every mistake is one sentence with the file and the line; and writing a file whole."""

import argparse
import csv
import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]  # of the repository
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


class ReportError(Exception):
    """One sentence for the user; the program ends with exit code 1."""


class Parser(argparse.ArgumentParser):
    def print_help(self, file=None) -> None:
        """Fails where the output cannot be written, which argparse of Python 3.12 passes over."""
        print(self.format_help(), end="", file=file, flush=True)


def run_program(name: str, program: Callable[[], int]) -> int:
    """Its exit code; where something is wrong, 1 after one sentence."""
    open_streams = [stream for stream in (sys.stdout, sys.stderr) if stream is not None]  # None: `>&-`
    for stream in open_streams:
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        code = program()
        for stream in open_streams:
            stream.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except ReportError as error:
        print(f"{name}: {error}", file=sys.stderr)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for what is left of the output
        if isinstance(error, BrokenPipeError):  # its reader went away: `| head`
            return 0
        print(f"{name}: {error.filename or 'the output'} cannot be written: {error.strerror}", file=sys.stderr)
    return 1


def import_words(error: Exception) -> str:
    """Why nothing can be made: which module is missing, or what one says that is there and fails."""
    if isinstance(error, ModuleNotFoundError) and error.name and "." not in error.name:
        return (
            f"tables and figures need {error.name}: install it (on Debian and Ubuntu the package python3-{error.name})"
        )
    words = str(error).strip().splitlines() or [type(error).__name__]
    return f"tables and figures need modules that fail in {sys.executable} ({words[-1]}): install them again, or set PYTHON="


def read_table(path: Path, columns: Sequence[str], hint: str = "") -> list[tuple[str, dict[str, str]]]:
    """Lines of one CSV file (RFC 4180, UTF-8) as ("file, line n", fields by column name). hint: what to do where a column is
    missing."""
    lines: list[tuple[str, dict[str, str]]] = []
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, strict=True)
            header = next(reader, None)
            if header is None:
                raise ReportError(f"{path}: the file is empty, expected a header line")
            for separator, name in ((";", "semicolons"), ("\t", "tabs")):
                if len(header) == 1 and separator in header[0]:
                    raise ReportError(
                        f"{path} has {name} instead of commas between its fields: a spreadsheet saved it; "
                        "save it with commas and decimal points"
                    )
            missing = [name for name in columns if name not in header]
            if missing:
                raise ReportError(
                    f"{path}, line 1: column {missing[0]} is missing from the header" + (f": {hint}" if hint else "")
                )
            if len(set(header)) != len(header):
                raise ReportError(f"{path}, line 1: the header names a column twice")
            for fields in reader:
                where = f"{path}, line {reader.line_num}"
                if len(fields) != len(header):
                    raise ReportError(
                        f"{where}: {len(fields)} fields, expected {len(header)}; correct or delete the line"
                    )
                lines.append((where, dict(zip(header, fields))))
    except csv.Error as error:
        raise ReportError(f"{path}, line {reader.line_num}: not CSV: {error}") from None
    except UnicodeDecodeError:
        raise ReportError(f"{path}: not UTF-8 text") from None
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from None
    return lines


def write_whole(path: Path, data: bytes) -> None:
    """Writes beside the file, then puts it in place; a file that is the same is not touched."""
    path = Path(os.path.realpath(path))
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        if path.exists() and path.read_bytes() == data:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            temporary.write_bytes(data)
            if path.exists():
                shutil.copymode(path, temporary)
            os.replace(temporary, path)
        finally:
            if temporary.exists():
                temporary.unlink()
    except OSError as error:
        raise ReportError(
            f"cannot write into the folder {path.parent}: {error.strerror or error}; choose another with --out "
            "(make plots ARGS='--out /tmp/report')"
        ) from None
