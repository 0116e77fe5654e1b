# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""report.html and appendix.html from report.md and appendix.md: each one file that asks nobody for anything, light and dark,
printable, without a script."""

import base64
import html
import re
from typing import Collection, Mapping

import markdown
from markdown.extensions.toc import TocExtension

from .output import environment

FIGURE = re.compile(
    r'<p><a href="figures/(?P<name>\w+)\.svg"><img[^>]*></a></p>\s*<p><em>(?P<number>Figure A?\d+)\. (?P<caption>.*?)</em></p>',
    re.S,
)
PICTURE = re.compile(r'<p><img alt="(?P<caption>[^"]*)" src="figures/(?P<name>\w+)\.png" ?/?></p>')
CAPTION = re.compile(r"<p><em>((?:(?!</p>).)*)</em></p>(?=\s*<table>)", re.S)
TABLE = re.compile(r"<table>.*?</table>", re.S)


def slug(words: str, separator: str = "-") -> str:
    """The name of a heading in links, as GitHub makes it."""
    plain = html.unescape(re.sub("<.*?>", "", words)).lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", separator)


def _table(found: "re.Match[str]") -> str:
    """The table in a frame that scrolls; with many columns of words it is wide."""
    table = found[0].replace(' style="text-align: right;"', " class=n").replace(' style="text-align: left;"', "")
    words = table.count("<th>") > 4
    return f"<div class=wide>{table.replace('<table>', '<table class=words>') if words else table}</div>"


def made(text: str, figures: Mapping[str, bytes], pictures: Collection[str]) -> bytes:
    """The page of this Markdown. figures: bytes by path, such as figures/road.svg; pictures: the names of those that keep their
    colours on a dark page."""

    def figure(found: "re.Match[str]") -> str:
        """A figure with its bytes in the page, which opens in full size; words alone if there are no bytes."""
        name, caption = found["name"], found["caption"]
        number = found.groupdict().get("number")
        suffix, kind = ("svg", "image/svg+xml") if number else ("png", "image/png")
        data = figures.get(f"figures/{name}.{suffix}")
        if data is None:
            return f"<p class=caption>{caption}</p>"
        kept = " class=colours" if not number or name in pictures else ""
        words = html.escape(html.unescape(re.sub("<.*?>", "", caption)))
        return (
            f'<div id="at-{name}"><figure{kept} id="figure-{name}"><a class=close href="#at-{name}">close</a>'
            f'<a href="#figure-{name}"><img alt="{words}" src="data:{kind};base64,{base64.b64encode(data).decode()}"></a>'
            f"<figcaption>{f'<b>{number}.</b> ' * bool(number)}{caption}</figcaption></figure></div>"
        )

    text = text.replace("<details><summary>", '<details markdown="1">\n<summary markdown="span">')
    reader = markdown.Markdown(extensions=["tables", "md_in_html", TocExtension(slugify=slug, toc_depth="2-3")])
    body = PICTURE.sub(figure, FIGURE.sub(figure, reader.convert(text)))
    body = TABLE.sub(_table, CAPTION.sub(r"<p class=caption>\1</p>", body))
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
