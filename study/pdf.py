# SPDX-License-Identifier: MIT
"""report.pdf: report.html as a headless Chromium prints it. One text and one set of figures for both;
nothing else needs it."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Optional

import matplotlib

from tools.plots.files import ReportError, write_whole

from .html_page import LONG

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 120
# Figures float: where one does not fit on a page, the text that follows it comes first. The browser fills columns of a page's
# size by the same rules as pages, so that they say what fits.
MILLIMETRE = 96 / 25.4
FLOAT = """
const page = {height: HEIGHT, pitch: 2 * WIDTH}, body = document.body, main = document.querySelector('main');
const at = box => Math.round((box.left - body.getBoundingClientRect().left) / page.pitch);
const is = kind => element => element && element.matches(kind);
const isFigure = is('[id^=at-]'), isHeading = is('h2, h3');
function room(figure) {  // what stays empty before it
  const before = [...figure.previousElementSibling.getClientRects()].pop(), own = figure.getClientRects()[0];
  return at(before) == at(own) ? 0 : page.height - (before.bottom - body.getBoundingClientRect().top);
}
function pull(figure) {  // the next text, a heading or a single line with what follows; whether there is one
  let next = figure;
  while (isFigure(next)) next = next.nextElementSibling;
  if (!next) return false;
  for (let more = true; more && next && !isFigure(next);) {
    const after = next.nextElementSibling;
    more = isHeading(next) || is('.caption')(next) || next.textContent.length < LINE;
    main.insertBefore(next, figure);
    next = after;
  }
  return true;
}
const heads = [];
function repeat(element) {  // the head of a long table on each page
  const table = is('table')(element) ? element : element.querySelector('table');
  if (!table || table.rows.length < LONG) return;
  let last = at(table.rows[1].getClientRects()[0]);
  for (const row of [...table.rows].slice(1)) {
    const column = at(row.getClientRects()[0]);
    if (column != last) {
      heads.push(table.rows[0].cloneNode(true));
      row.before(heads[heads.length - 1]);
      heads[heads.length - 1].style.breakBefore = 'column';  // a head is lower than a row: it would fit before
    }
    last = column;
  }
}
function float() {
  body.style.cssText = 'width: WIDTHpx; height: HEIGHTpx; columns: WIDTHpx; column-gap: WIDTHpx; column-fill: auto';
  for (let i = 0; i < main.children.length; ++i) {
    const element = main.children[i];
    if (!isFigure(element)) repeat(element);
    else if (room(element) > page.height / 8 && pull(element)) --i;
  }
  for (const head of heads) head.style.breakBefore = 'page';
  body.style.cssText = '';
}
addEventListener('load', float);  // when the pictures have their sizes
"""
# The serif family of page.html.j2, which every installation of matplotlib has, for the browser alone.
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>{}/fonts/ttf</dir></fontconfig>"""
# When it was printed: the same report gives the same bytes.
DATE = re.compile(rb"/(CreationDate|ModDate) \(D:\d{14}")


def browser() -> Optional[str]:
    """The program that prints; None if none is installed."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def _floating(page: bytes) -> bytes:
    """The page with its rules for print on the screen, too, and with the script that lets figures float."""
    # Of @page in page.html.j2.
    size = {"WIDTH": f"{170 * MILLIMETRE:.2f}", "HEIGHT": f"{255 * MILLIMETRE:.2f}", "LONG": str(LONG), "LINE": "120"}
    script = re.sub("WIDTH|HEIGHT|LONG|LINE", lambda found: size[found[0]], FLOAT)
    page = page.replace(b"@media print", b"@media all")
    plain = (
        "<style>thead { display: table-row-group; }</style>"  # the browser repeats heads on pages only, not in columns
    )
    return page.replace(b"</main>", f"</main>{plain}<script>{script}</script>".encode())


def printed(page: Path, program: str) -> bytes:
    """The bytes of the PDF of a page."""
    folder = tempfile.mkdtemp()
    out = Path(folder) / "report.pdf"
    copy = Path(folder) / page.name  # without links to other files: they would name folders of this machine
    copy.write_bytes(_floating(re.sub(rb' href="(?!#)[^"]*"', b"", page.read_bytes())))
    fonts = Path(folder) / "fonts.conf"
    fonts.write_text(FONTS.format(matplotlib.get_data_path()), encoding="utf-8")
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
    seen = {**os.environ, "FONTCONFIG_FILE": str(fonts)}
    try:
        subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=SECONDS, env=seen
        )
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
