# SPDX-License-Identifier: MIT
"""The job scripts of tools/slurm, without Slurm: which labs their arrays name, and what a task calls."""

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_each_lab_is_a_task_of_its_kind():
    kinds = {}
    for main in sorted(ROOT.glob("labs/*/main.c*")):
        kind = "mpi" if (main.parent / "ranks").is_dir() else "gpu" if main.suffix == ".cu" else "cpu"
        kinds.setdefault(kind, set()).add(int(main.parent.name[:2]))
    assert set(kinds) == {"cpu", "gpu", "mpi"}
    for kind, labs in kinds.items():
        array = re.search("--array=(.*)", (ROOT / f"tools/slurm/{kind}.sbatch").read_text())[1]
        ends = [list(map(int, part.split("-"))) for part in array.split(",")]
        assert {lab for end in ends for lab in range(end[0], end[-1] + 1)} == labs, kind


def test_a_task_measures_its_lab_in_a_folder_of_its_own(tmp_path):
    make = tmp_path / "make"
    make.write_text('#!/bin/sh\necho "$*"\n[ "$2" != "$FAILS" ]\n')
    make.chmod(0o755)

    def task(fails):
        environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "SLURM_ARRAY_TASK_ID": "2"}
        command = ["tools/slurm/task.sh", "SIZES=4k"]
        return subprocess.run(
            command, cwd=ROOT, env={**environment, "FAILS": fails}, stdout=subprocess.PIPE, text=True, check=False
        )

    done = task("none")
    settings = "LAB=02_pthread BUILD=build/slurm/02_pthread RESULTS=results/slurm SIZES=4k"
    assert done.stdout.splitlines()[1:] == [f"--no-print-directory {verb} {settings}" for verb in ("bench", "sweep")]
    assert done.returncode == 0
    done = task("bench")  # the sweep is measured all the same
    assert (done.returncode, done.stdout.count(" sweep ")) == (1, 1)
