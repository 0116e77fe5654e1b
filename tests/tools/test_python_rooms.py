# SPDX-License-Identifier: MIT
"""The Python files of the project: imports make no circle, also those inside functions, and what makes a user's tables and figures
(report/make/plots) needs nothing of the report (report/make/paper)."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("cuda_on_cpu", "report", "tests", "tools")


def named(node: ast.AST, file: Path) -> Iterator[tuple[list[Path], str]]:
    """What an import names: the folders in which it may begin, and the module; `from a import b` may be the module a.b, too."""
    if isinstance(node, ast.Import):
        for name in node.names:
            yield [ROOT, file.parent], name.name
    elif isinstance(node, ast.ImportFrom):
        start = [file.parents[node.level - 1]] if node.level else [ROOT, file.parent]
        module = node.module or ""
        yield start, module
        for name in node.names:
            yield start, f"{module}.{name.name}".strip(".")


def imported(file: Path) -> set[Path]:
    """The files of the project that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        for starts, module in named(node, file):
            places = [start.joinpath(*module.split(".")).with_suffix(".py") for start in starts]
            found |= {place for place in places if place.is_file() and place != file}
    return found


def arrows() -> dict[Path, set[Path]]:
    files = [
        file
        for folder in FOLDERS
        for file in sorted((ROOT / folder).rglob("*.py"))
        if "build" not in file.relative_to(ROOT).parts
    ]
    return {file: imported(file) for file in files}


def test_imports_make_no_circle() -> None:
    found = arrows()
    assert sum(map(len, found.values())) > 200
    list(TopologicalSorter(found).static_order())  # an error that names the circle


def test_plots_need_nothing_of_the_paper() -> None:
    plots, paper = ROOT / "report/make/plots", ROOT / "report/make/paper"
    found = [(file, other) for file, others in arrows().items() for other in others]
    assert sum(paper in file.parents and plots in other.parents for file, other in found) > 20
    wrong = [(file, other) for file, other in found if paper in other.parents]
    assert [file for file, _ in wrong if paper not in file.parents and ROOT / "tests/paper" not in file.parents] == []


def test_a_circle_inside_a_function_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f():\n    from . import b\n")
    (tmp_path / "b.py").write_text("import a\n")
    assert imported(tmp_path / "a.py") == {tmp_path / "b.py"}
    assert imported(tmp_path / "b.py") == {tmp_path / "a.py"}
