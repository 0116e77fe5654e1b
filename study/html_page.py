# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""report.html: the report as one file that asks nobody for anything, light and dark, printable."""
import base64
import html
import re
from typing import Any, Dict, List, Mapping, Tuple, Union

import jinja2
import markdown

from .figures.content import Figure, Section, Table
from .output import REPORTS, TEMPLATES

Item = Union[str, Table, Figure]
PART = re.compile(r"<p>@@(\w+)@@</p>")
HEADING = re.compile(r"<h([23])(?: id=\"([^\"]*)\")?>(.*?)</h\1>", re.S)


def _inline(text: str) -> str:
    """One cell or caption: code, links and emphasis, no paragraph."""
    found = markdown.markdown(text, output_format="html")
    return found[3:-4] if found.startswith("<p>") and found.count("<p>") == 1 else found


def _table(table: Table) -> str:
    def line(cells: List[str], tag: str) -> str:
        return "<tr>" + "".join(
            f"<{tag}{'' if column < table.left else ' class=n'}>{_inline(cell)}</{tag}>"
            for column, cell in enumerate(cells)) + "</tr>"

    words = " class=words" if table.left > 4 else ""
    body = (f"<div class=wide><table{words}><thead>{line(list(table.header), 'th')}</thead><tbody>"
            + "\n".join(line(list(row), "td") for row in table.rows) + "</tbody></table></div>")
    caption = _inline(table.caption)
    if table.fold:
        shown = " open" if table.name.startswith("verdicts") else ""
        return f"<details{shown}><summary>Table: {caption}</summary>{body}</details>"
    return f"<p class=caption>{caption}</p>{body}"


def _picture(name: str, caption: str, figures: Mapping[str, bytes], colours: bool = False) -> str:
    """A figure with its bytes in the page; words alone where there are no bytes."""
    for suffix, kind in ((".svg", "image/svg+xml"), (".png", "image/png")):
        data = figures.get(name + suffix)
        if data is not None:
            source = base64.b64encode(data).decode()
            kept = " class=colours" if colours else ""
            return (f"<figure{kept}><img alt=\"{html.escape(caption)}\" "
                    f"src=\"data:{kind};base64,{source}\">"
                    f"<figcaption>{_inline(caption)}</figcaption></figure>")
    return f"<p class=caption>{_inline(caption)}</p>"


def _item(item: Item, figures: Mapping[str, bytes]) -> str:
    if isinstance(item, Table):
        return _table(item)
    if isinstance(item, Figure):
        return _picture(item.name, item.caption, figures, item.picture)
    picture = re.search(r"!\[([^\]]*)\]\(figures/(\w+)\.png\)", item)
    if picture:
        return (markdown.markdown(item.replace(picture[0], ""))
                + _picture(picture[2], picture[1], figures, colours=True))
    return markdown.markdown(item, extensions=["tables"])


def _section(section: Section, figures: Mapping[str, bytes]) -> str:
    return f"<h3>{html.escape(section.title)}</h3>\n" + "\n".join(
        _item(item, figures) for item in section.items)


def _with_contents(body: str) -> Tuple[str, List[Tuple[str, str]]]:
    """Every heading gets an id; (id, words) of those of the second level."""
    taken: Dict[str, int] = {}
    contents = []

    def name(found: "re.Match[str]") -> str:
        level, _, words = found.groups()
        base = re.sub(r"[^a-z0-9]+", "-", html.unescape(re.sub("<.*?>", "", words)).lower()).strip("-")
        taken[base] = taken.get(base, 0) + 1
        anchor = "s-" + base + (f"-{taken[base]}" if taken[base] > 1 else "")
        if level == "2":
            contents.append((anchor, words))
        return f"<h{level} id=\"{anchor}\">{words}</h{level}>"

    return HEADING.sub(name, body), contents


def page(parts: Mapping[str, List[Section]], words: Mapping[str, Any],
         figures: Mapping[str, bytes], code: str) -> bytes:
    """The whole page. figures: bytes by file name, such as road.svg; code: the pages side by side."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(str(TEMPLATES)),
                                     undefined=jinja2.StrictUndefined, trim_blocks=True)
    text = environment.get_template("report.md.j2").render(
        part=lambda name: f"@@{name}@@",
        reports=[{"name": name, "cite": cite} for name, cite in REPORTS.items()], **words)
    body = markdown.markdown(text, extensions=["tables"])
    body = PART.sub(lambda found: "\n".join(_section(section, figures)
                                            for section in parts[found[1]]), body)
    body = body.replace("<h2>Other libraries</h2>", "<div class=screen><h2>Side by side</h2>\n<p>Each variant's "
                        "page next to the one that it goes on from; lines that differ are marked.</p>\n"
                        f"{code}</div>\n<h2>Other libraries</h2>") if code else body
    title = re.search(r"<h1>(.*?)</h1>", body)
    body, contents = _with_contents(body)
    return environment.get_template("report.html.j2").render(
        title=title[1] if title else "Report", body=body, contents=contents).encode()
