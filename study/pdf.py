# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""report.pdf: report.html as a headless Chromium prints it. One text and one set of figures for both;
nothing else needs it."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Optional

from tools.plots.files import ReportError, write_whole

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 120
# When it was printed: the same report gives the same bytes.
DATE = re.compile(rb"/(CreationDate|ModDate) \(D:\d{14}")


def browser() -> Optional[str]:
    """The program that prints; None where none is installed."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def printed(page: Path, program: str) -> bytes:
    """The bytes of the PDF of a page."""
    folder = tempfile.mkdtemp()
    out = Path(folder) / "report.pdf"
    copy = Path(folder) / page.name  # without links to other files: they would name folders of this machine
    copy.write_bytes(re.sub(rb' href="(?!#)[^"]*"', b"", page.read_bytes()))
    command = [
        program,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--no-pdf-header-footer",
        "--disable-pdf-tagging",
        f"--user-data-dir={folder}/profile",
        f"--print-to-pdf={out}",
        copy.as_uri(),
    ]
    try:
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=SECONDS)
        data = out.read_bytes()
    except (OSError, subprocess.SubprocessError) as error:
        raise ReportError(
            f"{program} could not print {page}: {error}; remove it from the PATH to leave report.pdf out"
        ) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # its processes may still write into their profile
    return DATE.sub(rb"/\1 (D:20000101000000", data)


def make_pdf(page: Path) -> str:
    """Writes report.pdf beside report.html; the sentence that says what was done."""
    path = page.with_suffix(".pdf")
    program = browser()
    if program is None:
        return f"{path} was left as it is: no Chromium is installed, which prints it"
    write_whole(path, printed(page, program))
    return f"{path}: {path.stat().st_size / 1e6:.1f} MB"
