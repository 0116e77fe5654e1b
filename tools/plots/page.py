# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The page of a folder's rows: report.md, report.html and figures/*.svg."""

import html
from dataclasses import dataclass, field
from pathlib import Path
from typing import List, Sequence, Union

from .files import write_whole
from .words import Figure, Table, html_words, to_html, to_markdown


@dataclass
class Section:
    """A heading, and below it sentences, tables and figures."""

    title: str
    items: List[Union[str, Table, Figure]] = field(default_factory=list)


def _markdown(title: str, sections: Sequence[Section]) -> str:
    parts = [f"# {title}"]
    for section in sections:
        parts.append(f"## {section.title}")
        for item in section.items:
            parts.append(
                to_markdown(item)
                if isinstance(item, Table)
                else item
                if isinstance(item, str)
                else f"[![{item.caption.replace('[', '(').replace(']', ')')}](figures/{item.name}.svg)](figures/{item.name}.svg)"
            )
    return "\n\n".join(parts) + "\n"


PAGE = """<!DOCTYPE html>
<html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width"><title>{title}</title>
<style>body{{font:16px/1.5 sans-serif;max-width:60em;margin:1em auto;padding:0 1em}}table{{border-collapse:collapse;font-size:14px}}
th,td{{padding:2px 9px;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}}.n{{text-align:right}}img{{max-width:100%}}</style>
<h1>{title}</h1>
{body}
</html>
"""


def _html(title: str, sections: Sequence[Section]) -> str:
    parts = []
    for section in sections:
        parts.append(f"<h2>{html.escape(section.title)}</h2>")
        for item in section.items:
            parts.append(
                to_html(item)
                if isinstance(item, Table)
                else f"<p>{html_words(item)}</p>"
                if isinstance(item, str)
                else f'<p><a href="figures/{item.name}.svg"><img src="figures/{item.name}.svg" alt="{html.escape(item.caption)}"></a></p>'
            )
    return PAGE.format(title=html.escape(title), body="\n".join(parts))


def write_page(title: str, sections: Sequence[Section], out: Path) -> None:
    """All files, after all were made; figures of an earlier page go."""
    files = {
        out / "figures" / f"{item.name}.svg": item.svg
        for section in sections
        for item in section.items
        if isinstance(item, Figure)
    }
    files[out / "report.md"] = _markdown(title, sections).encode()
    files[out / "report.html"] = _html(title, sections).encode()
    for path, data in files.items():
        write_whole(path, data)
    for path in sorted((out / "figures").glob("*.[ps][nv]g")):
        if path not in files:
            path.unlink()
