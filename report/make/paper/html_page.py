# SPDX-License-Identifier: MIT
"""report.html and appendix.html from report.md and appendix.md: each one file that asks nobody for anything, light and dark,
printable, without a script; and report.pdf, as a headless Chromium prints it."""

import base64
import html
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

import markdown
import matplotlib
from markdown.extensions.toc import TocExtension

from report.make.plots.files import ReportError, write_whole

from .output import environment

FIGURE = re.compile(
    r'<p><a href="figures/(?P<name>\w+)\.svg"><img[^>]*></a></p>\s*<p><em>(?P<number>Figure A?\d+)\. (?P<caption>.*?)</em></p>',
    re.S,
)
PICTURE = re.compile(r'<p><img alt="(?P<caption>[^"]*)" src="figures/(?P<name>\w+)\.png" ?/?></p>')
TABLE = re.compile(r"<table>.*?</table>", re.S)
CAPTIONED = re.compile(
    rf"<p><em>(?P<number>Table A?\d+)\. (?P<caption>(?:(?!</p>).)*)</em></p>\s*(?P<table>{TABLE.pattern})", re.S
)
LONG = 17  # rows of a table that pages of print may divide
NAME = 26  # letters of a first column, and of a number, that is not broken into lines
NUMBER = 16


def slug(words: str, separator: str = "-") -> str:
    """The name of a heading in links, as GitHub makes it."""
    plain = html.unescape(re.sub("<.*?>", "", words)).lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", separator)


def _table(match: "re.Match[str]") -> str:
    """The table in a frame that scrolls; with many columns of words it is wide, and short names stay in one line."""
    table = match[0].replace(' style="text-align: right;"', " class=n").replace(' style="text-align: left;"', "")
    names = [html.unescape(re.sub("<.*?>", "", cell)) for cell in re.findall(r"<tr>\s*<td>(.*?)</td>", table, re.S)]
    numbers = [html.unescape(cell) for cell in re.findall(r"<td class=n>(.*?)</td>", table)]
    kinds = {"words": table.count("<th>") > 4, "names": max(map(len, names), default=0) <= NAME}
    kinds["numbers"] = max(map(len, numbers), default=NAME) <= NUMBER
    classes = " ".join(kind for kind, has in kinds.items() if has)
    start = f'<table class="{classes}">' if classes else "<table>"
    return f"<div class=wide>{table.replace('<table>', start)}</div>"


def _captioned(match: "re.Match[str]") -> str:
    """A table below its caption; a short one stays in one piece, as a figure does."""
    caption = f"<p class=caption><b>{match['number']}.</b> {match['caption']}</p>"
    short = match["table"].count("<tr>") < LONG
    name = match["number"].lower().replace(" ", "-")
    return f'<div id="at-{name}">{caption}{match["table"]}</div>' if short else caption + match["table"]


def made(text: str, figures: Mapping[str, bytes], pictures: Collection[str]) -> bytes:
    """The page of this Markdown. figures: bytes by path, such as figures/road.svg; pictures: the names of those that keep their
    colours on a dark page."""

    def figure(match: "re.Match[str]") -> str:
        """A figure with its bytes in the page, which opens in full size; words alone if there are no bytes."""
        name, caption = match["name"], match["caption"]
        number = match.groupdict().get("number")
        suffix, kind = ("svg", "image/svg+xml") if number else ("png", "image/png")
        data = figures.get(f"figures/{name}.{suffix}")
        if data is None:
            return f"<p class=caption>{caption}</p>"
        head = f"<b>{number}.</b> " if number else ""
        kept = " class=colours" if not number or name in pictures else ""
        words = html.escape(html.unescape(re.sub("<.*?>", "", caption)))
        return (
            f'<div id="at-{name}"><figure{kept} id="figure-{name}"><a class=close href="#at-{name}">close</a>'
            f'<a href="#figure-{name}"><img alt="{words}" src="data:{kind};base64,{base64.b64encode(data).decode()}"></a>'
            f"<figcaption>{head}{caption}</figcaption></figure></div>"
        )

    text = text.replace("<details><summary>", '<details markdown="1">\n<summary markdown="span">')
    reader = markdown.Markdown(extensions=["tables", "md_in_html", TocExtension(slugify=slug, toc_depth="2-3")])
    body = PICTURE.sub(figure, FIGURE.sub(figure, reader.convert(text)))
    body = TABLE.sub(_table, CAPTIONED.sub(_captioned, body))
    body = re.sub(r"href=\"(report|appendix)\.md", r'href="\1.html', body)
    title = re.search(r"<h1.*?>(.*?)</h1>\s*<p>(.*?)</p>", body, re.S)
    name, byline = title.groups() if title else ("Report", "")
    contents = reader.toc_tokens  # type: ignore[attr-defined]
    return (
        environment()
        .get_template("page.html.j2")
        .render(title=name, byline=byline, body=body, contents=contents)
        .encode()
    )


BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 120
# The serif family of page.html.j2, which every installation of matplotlib has, for the browser alone.
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>{}/fonts/ttf</dir></fontconfig>"""
# When it was printed: the same report gives the same bytes.
DATE = re.compile(rb"/(CreationDate|ModDate) \(D:\d{14}")


def browser() -> str | None:
    """The program that prints; None if none is installed."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def printed(page: Path, program: str) -> bytes:
    """The bytes of the PDF of a page."""
    folder = tempfile.mkdtemp()
    out = Path(folder) / "report.pdf"
    copy = Path(folder) / page.name  # without links to other files: they would name folders of this machine
    copy.write_bytes(re.sub(rb' href="(?!#)[^"]*"', b"", page.read_bytes()))
    fonts = Path(folder) / "fonts.conf"
    fonts.write_text(FONTS.format(matplotlib.get_data_path()), encoding="utf-8")
    switches = "headless no-sandbox disable-gpu disable-background-networking no-pdf-header-footer disable-pdf-tagging"
    command = [program, *(f"--{switch}" for switch in switches.split()), f"--user-data-dir={folder}/profile"]
    command += [f"--print-to-pdf={out}", copy.as_uri()]
    seen = {**os.environ, "FONTCONFIG_FILE": str(fonts)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        subprocess.run(command, check=True, timeout=SECONDS, env=seen, **quiet)
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
