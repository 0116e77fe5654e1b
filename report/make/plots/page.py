# SPDX-License-Identifier: MIT
"""The page of a folder's rows: report.md, report.html and figures/*.svg."""

import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .files import write_whole
from .style import svg
from .words import Figure, Table, html_words, markdown_cell, to_html, to_markdown

Section = tuple[str, list[Any]]  # a heading, and below it sentences, tables and figures


def _markdown(title: str, sections: Sequence[Section]) -> str:
    parts = [f"# {title}"]
    for heading, items in sections:
        parts.append(f"## {heading}")
        for item in items:
            parts.append(
                f"{markdown_cell(item.caption)}\n\n{to_markdown(item).rstrip()}"
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
    for heading, items in sections:
        parts.append(f"<h2>{html.escape(heading)}</h2>")
        for item in items:
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
    drawn = [item for _, items in sections for item in items if isinstance(item, Figure)]
    files = {out / "figures" / f"{item.name}.svg": svg(item.draw()) for item in drawn}
    files[out / "report.md"] = _markdown(title, sections).encode()
    files[out / "report.html"] = _html(title, sections).encode()
    for path, data in files.items():
        write_whole(path, data)
    for path in sorted((out / "figures").glob("*.[ps][nv]g")):
        if path not in files:
            path.unlink()
