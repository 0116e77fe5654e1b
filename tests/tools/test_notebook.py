# SPDX-License-Identifier: MIT
"""convolab.ipynb: what is committed, its first cell, and, with ALL=1, a run from top to end."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CELLS = json.loads((ROOT / "convolab.ipynb").read_text(encoding="utf-8"))["cells"]
CODE = [cell for cell in CELLS if cell["cell_type"] == "code"]
# In IPython, the exit code of the last line that begins with !
ASSERTION = "\nassert get_ipython().user_ns.get('_exit_code', 0) == 0"


def test_outputs_are_cleared_and_each_cell_is_explained():
    assert [cell["cell_type"] for cell in CELLS] == ["markdown", "code"] * (len(CELLS) // 2)
    assert [(cell["outputs"], cell["execution_count"]) for cell in CODE] == [([], None)] * len(CODE)


def test_the_first_cell_clones(tmp_path):
    def run(cell):
        return subprocess.run([sys.executable, "-c", cell], cwd=tmp_path, capture_output=True, text=True, check=False)

    project, cell = tmp_path / "project", "".join(CODE[0]["source"])
    assert run(cell).stderr == "Write the address of Convolab into REPOSITORY, and run this cell again.\n"
    (project / "tools").mkdir(parents=True)
    (project / "tools/build.mk").touch()
    commit = ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "m"]
    for command in (["init", "-q"], ["add", "."], commit):
        subprocess.run(["git", *command], cwd=project, check=True)
    cell = cell.replace('REPOSITORY = ""', f'REPOSITORY = "{project.as_uri()}"')
    for _ in range(2):  # the second time it is there
        assert run(cell).stdout == f"Convolab is in {tmp_path / 'convolab'}\n"


@pytest.mark.long
def test_it_runs_from_top_to_end(tmp_path):
    """Small; without a GPU on the CPU."""
    nbformat, client = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(ROOT / "convolab.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code" and not cell.source.startswith("%%writefile"):
            cell.source += ASSERTION
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "CXX") if name in os.environ}
    environment = {**inherited, "QUICK": "1", "RESULTS": str(tmp_path / "results")}
    client.NotebookClient(notebook).execute(cwd=str(ROOT), env=environment)
    printed = "".join(
        output.get("text", "") for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
    )
    for words in (
        "Wall time",
        "comparisons, all identical",
        "exercise 1 of 03_cuda_global",
        "0 of 1000 sums are wrong",
    ):
        assert words in printed
    assert (ROOT / "build/convolab_results.zip").exists()
