# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""report.html and appendix.html: each one file that asks nobody for anything, light and dark, printable, without a script."""

import base64
import html
import re
from typing import Any, Dict, List, Mapping, Sequence, Tuple

import markdown

from .figures.content import Figure, Section, Table
from .output import REPORTS, Item, Texts, environment, named
from .reports.conclusions import VERDICTS

MARK = re.compile(r"<p>@@(\d+)@@</p>")
HEADING = re.compile(r"<h([23])>(.*?)</h\1>", re.S)
PICTURE = re.compile(r"<img alt=\"([^\"]*)\" src=\"figures/(\w+)\.png\" ?/?>")
KINDS = (("svg", "image/svg+xml"), ("png", "image/png"))


def _inline(text: str) -> str:
    """One cell or caption: code, links and emphasis, no paragraph."""
    found = markdown.markdown(text, output_format="html")
    return found[3:-4] if found.startswith("<p>") and found.count("<p>") == 1 else found


def slug(words: str) -> str:
    """The name of a heading in links, as GitHub makes it."""
    plain = html.unescape(re.sub("<.*?>", "", words)).lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def _table(table: Table) -> str:
    judged = table.name.partition("_")[2] in REPORTS and table.name.startswith("verdicts_")

    def line(cells: Sequence[str], tag: str) -> str:
        kind = f" class={slug(cells[table.header.index('ours')].partition(' (')[0])}" if judged and tag == "td" else ""
        return (
            f"<tr{kind}>"
            + "".join(
                f"<{tag}{'' if column < table.left else ' class=n'}>{_inline(cell)}</{tag}>"
                for column, cell in enumerate(cells)
            )
            + "</tr>"
        )

    words = " class=words" if table.left > 4 else ""
    body = (
        f"<div class=wide><table{words}><thead>{line(table.header, 'th')}</thead><tbody>"
        + "\n".join(line(row, "td") for row in table.rows)
        + "</tbody></table></div>"
    )
    caption = _inline(table.caption)
    if not table.fold:
        return f"<p class=caption>{caption}</p>{body}"
    shown = f' open class="verdicts {table.name.partition("_")[2]}"' if judged else ""
    return f"<details{shown}><summary>Table: {caption}</summary>{body}</details>"


def _filter() -> str:
    """Buttons that leave the verdicts of one report, or of one kind: by CSS alone."""
    rules, rows = [], []
    for name, values in (("report", tuple(REPORTS)), ("ours", VERDICTS)):
        buttons = [f"<label><input type=radio name={name} checked> all</label>"]
        for value in values:
            which = f"only-{slug(value)}"
            buttons.append(f"<label><input type=radio name={name} id={which}> {value}</label>")
            gone = "details.verdicts" if name == "report" else ".verdicts tbody tr"
            rules.append(f"main:has(#{which}:checked) {gone}:not(.{slug(value)}) {{ display: none; }}")
        rows.append(f"<p>{name}: {' '.join(buttons)}</p>")
    return f"<style>{' '.join(rules)}</style><div class=screen>{''.join(rows)}</div>"


def _picture(name: str, caption: str, figures: Mapping[str, bytes], colours: bool, number: str = "") -> str:
    """A figure with its bytes in the page, which opens in full size; words alone where there are no bytes."""
    found = next(((kind, figures[f"{name}.{suffix}"]) for suffix, kind in KINDS if f"{name}.{suffix}" in figures), None)
    if found is None:
        return f"<p class=caption>{_inline(caption)}</p>"
    source = f"data:{found[0]};base64,{base64.b64encode(found[1]).decode()}"
    kept = " class=colours" if colours else ""
    return (
        f'<div id="at-{name}"><figure{kept} id="figure-{name}"><a class=close href="#at-{name}">close</a>'
        f'<a href="#figure-{name}"><img alt="{html.escape(caption)}" src="{source}"></a>'
        f"<figcaption>{f'<b>{number}.</b> ' * bool(number)}{_inline(caption)}</figcaption></figure></div>"
    )


def _with_contents(body: str) -> Tuple[str, List[Tuple[str, str, str]]]:
    """Every heading gets an id; (level, id, words) of those of the second and third level."""
    taken: Dict[str, int] = {}
    contents = []

    def name(found: "re.Match[str]") -> str:
        level, words = found.groups()
        base = slug(words)
        taken[base] = taken.get(base, -1) + 1
        anchor = base + (f"-{taken[base]}" if taken[base] else "")
        contents.append((level, anchor, words))
        return f'<h{level} id="{anchor}">{words}</h{level}>'

    return HEADING.sub(name, body), contents


def pages(
    parts: Mapping[str, List[Section]], words: Mapping[str, Any], figures: Mapping[str, bytes], code: str
) -> Dict[str, bytes]:
    """Both pages by file name. figures: bytes by file name, such as road.svg; code: the pages of the labs side by side."""
    blocks: List[str] = []

    def mark(block: str) -> str:
        blocks.append(block)
        return f"@@{len(blocks) - 1}@@\n"

    def show(item: Item) -> str:
        if isinstance(item, str):
            return item + "\n"
        if isinstance(item, Figure):
            return mark(_picture(item.name, named(item), figures, item.picture, item.number))
        return mark((_filter() if item.name == f"verdicts_{next(iter(REPORTS))}" else "") + _table(item))

    made = Texts(parts, {**words, "side_by_side": mark(code) if code else ""}, show)
    return {
        f"{name}.html": _page(text, blocks, figures)
        for name, text in (("report", made.report), ("appendix", made.appendix))
    }


def _page(text: str, blocks: Sequence[str], figures: Mapping[str, bytes]) -> bytes:
    body = markdown.markdown(text, extensions=["tables"])
    body = MARK.sub(lambda found: blocks[int(found[1])], body)
    body = PICTURE.sub(lambda found: _picture(found[2], found[1], figures, True), body)
    body = re.sub(r"href=\"(report|appendix)\.md", r'href="\1.html', body)
    title = re.search(r"<h1>(.*?)</h1>\s*<p>(.*?)</p>", body, re.S)
    body, contents = _with_contents(body)
    name, byline = title.groups() if title else ("Report", "")
    page = environment().get_template("page.html.j2")
    return page.render(title=name, byline=byline, body=body, contents=contents).encode()
