# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Writing: report.md with its tables and figures, and the README's table between two markers.

Everything is made in memory first; each file then appears whole or not at all.
"""
import html
import os
import re
import shutil
from pathlib import Path
from typing import Dict, List, Sequence, Set, Union

from content import Figure, Section, Table, to_latex, to_markdown
from rows import ReportError

BEGIN, END = "<!-- results:begin -->", "<!-- results:end -->"
TEMPLATE = Path(__file__).with_name("report.md.template")


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


def give_file_names(sections: Sequence[Section]) -> None:
    """Makes the names of tables and figures safe as file names, and different from each other."""
    taken: Set[str] = set()
    for section in sections:
        for item in section.items:
            if isinstance(item, str):
                continue
            kind = type(item).__name__
            base = re.sub(r"[^A-Za-z0-9_-]+", "_", item.name) or "unnamed"
            name, count = base, 1
            while f"{kind} {name}" in taken:
                count += 1
                name = f"{base}_{count}"
            taken.add(f"{kind} {name}")
            item.name = name


def _item(item: Union[str, Table, Figure]) -> str:
    """One item of a section in Markdown, with links relative to report.md."""
    if isinstance(item, str):
        return item + "\n"
    if isinstance(item, Figure):
        alternative = item.caption.replace("[", "(").replace("]", ")")
        return (f"[![{alternative}](figures/{item.name}.png)](figures/{item.name}.svg)\n\n"
                f"*{item.caption}*\n")
    links = f"[Markdown](tables/{item.name}.md), [LaTeX](tables/{item.name}.tex)"
    if item.fold:
        caption = html.escape(item.caption, quote=False)
        return (f"<details><summary>Table: {caption}</summary>\n\n{to_markdown(item)}\n"
                f"{links}\n\n</details>\n")
    return f"*{item.caption}* ({links})\n\n{to_markdown(item)}"


def section_text(section: Section) -> str:
    """A section in Markdown."""
    return f"### {section.title}\n\n" + "\n".join(_item(item) for item in section.items)


def report_text(parts: Dict[str, List[Section]]) -> str:
    """The template with each {{part}} replaced by its sections."""
    try:
        text = TEMPLATE.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise ReportError(f"cannot read {TEMPLATE}") from None
    for name, sections in parts.items():
        text = text.replace("{{" + name + "}}", "\n".join(map(section_text, sections)).strip())
    return text


def files_of(sections: Sequence[Section]) -> Dict[str, bytes]:
    """The bytes of all tables and figures by their path inside the report's folder."""
    import drawing  # here, so that tables can be had without matplotlib
    files: Dict[str, bytes] = {}
    for section in sections:
        for item in section.items:
            if isinstance(item, Table):
                markdown = f"{item.caption}\n\n{to_markdown(item)}"
                files[f"tables/{item.name}.md"] = markdown.encode()
                files[f"tables/{item.name}.tex"] = to_latex(item).encode()
            elif isinstance(item, Figure):
                for suffix, data in drawing.rendered(item.draw()):
                    files[f"figures/{item.name}{suffix}"] = data
    return files


def read_readme(path: Path) -> bytes:
    """The README's bytes; an error where it has not the two markers, once each and in order."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from None
    begin, end = BEGIN.encode(), END.encode()
    if data.count(begin) != 1 or data.count(end) != 1 or data.index(begin) > data.index(end):
        raise ReportError(f"{path} was left as it is: expected one line {BEGIN} and after it one "
                          f"line {END}")
    return data


def between_markers(data: bytes, text: str) -> bytes:
    """The README with `text` between its markers; all other bytes stay."""
    start = data.index(BEGIN.encode()) + len(BEGIN)
    stop = data.index(END.encode())
    new_line = b"\r\n" if b"\r\n" in data else b"\n"
    block = b"\n\n" + text.strip().encode() + b"\n\n"
    return data[:start] + block.replace(b"\n", new_line) + data[stop:]


def readme_text(table: Table, notes: List[str], figures: List[Figure], folder: str) -> str:
    """The README's part: table, notes, figure and the link to the report in `folder`."""
    prefix = "" if folder in ("", ".") else folder.rstrip("/") + "/"
    pictures = "".join(f"![{figure.caption}]({prefix}figures/{figure.name}.png)\n\n"
                       for figure in figures)
    return (f"{table.caption}\n\n{to_markdown(table)}\n" + "\n\n".join(notes) + "\n\n" + pictures
            + f"All tables and figures, beside the published numbers: [{prefix}report.md]"
            f"({prefix}report.md).")
