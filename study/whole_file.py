# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Writing a file that appears whole or not at all."""
import os
import shutil
from pathlib import Path

from .measurements.csv_file import ReportError


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
        raise ReportError(f"cannot write {path}: {error.strerror or error}") from None
