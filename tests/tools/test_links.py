# SPDX-License-Identifier: MIT
"""The links of the Markdown files: each leads to a file, and to a heading of it."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = re.compile(r"^```.*?^```|^ {4,}[^\n]*$|`[^`\n]+`", re.S | re.M)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)[^)]*\)|\b(?:href|src|srcset)=\"([^\"]+)\"|^\[[^\]]+\]:\s+(\S+)", re.M)


def anchors(text: str) -> set[str]:
    """The names that GitHub gives to the headings, and those that the text gives itself."""
    found: set[str] = set(re.findall(r"<\w+ (?:id|name)=\"([^\"]+)\"", text))
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), re.M):
        words = re.sub(r"\]\([^)]*\)|<[^>]+>", "", heading).strip().lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = 1
        while name in found and f"{name}-{number}" in found:
            number += 1
        found.add(f"{name}-{number}" if name in found else name)
    return found


def broken_links(page: Path) -> list[str]:
    """The relative links of a page that lead to no file, or to no heading."""
    text = page.read_text(encoding="utf-8")
    broken = []
    for groups in LINK.findall(CODE.sub("", text)):
        link = "".join(groups)
        path, _, anchor = link.partition("#")
        if re.match(r"\w+:", link):
            continue
        there = page.parent / path if path else page
        if not there.exists():
            broken.append(f"{link}: no such file")
        elif anchor and there.suffix == ".md" and anchor not in anchors(there.read_text(encoding="utf-8")):
            broken.append(f"{link}: no such heading")
    return broken


def pages() -> list[Path]:
    """The committed Markdown files; all of them in a copy without git."""
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = listed.stdout.splitlines() or [str(path.relative_to(ROOT)) for path in ROOT.rglob("*.md")]
    return [ROOT / name for name in names if not name.startswith("build") and (ROOT / name).exists()]


def test_each_link_leads_to_a_file_and_a_heading() -> None:
    found = {str(page.relative_to(ROOT)): broken_links(page) for page in pages()}
    assert len(found) > 20
    assert {page: broken for page, broken in found.items() if broken} == {}


@pytest.mark.parametrize(
    "link, why",
    [
        ("[a](missing.md)", "missing.md: no such file"),
        ("![a](missing.svg)", "missing.svg: no such file"),
        ('<img src="missing.png">', "missing.png: no such file"),
        ("[a](other.md#two)", "other.md#two: no such heading"),
        ("[a](#two)", "#two: no such heading"),
        ("[a]: missing.md", "missing.md: no such file"),
        ("[a](other.md#one--a-thing-1)", ""),
        ("[a](other.md#named)", ""),
        ("[a](https://example.org/missing.md)", ""),
        ("`[a](missing.md)`\n\n    [a](missing.md)\n\n```\n[a](missing.md)\n```", ""),
    ],
)
def test_a_link_that_leads_nowhere_is_found(tmp_path: Path, link: str, why: str) -> None:
    other = '# One & "a thing"\n\n## `One`  a thing\n\n<a id="named"></a>\n\n```\n# two\n```\n'
    (tmp_path / "other.md").write_text(other)
    (tmp_path / "page.md").write_text(f"# Page\n\n{link}\n")
    assert broken_links(tmp_path / "page.md") == ([why] if why else [])
