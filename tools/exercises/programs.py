# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Builds the program of an answer and its judge, and runs it under a time limit. Each answer is a program of its own, so names in
the answers of several students may be the same, and none can harm another's row."""

import csv
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from exercise import Problem

LIMIT_S = 20
CUDA_ON_CPU = "cuda_on_cpu/cuda-on-cpu"


@dataclass
class Result:
    code: int
    text: str
    """What the program wrote; of one that was stopped, what it had written."""
    timed_out: bool = False

    @property
    def judged(self):
        return not self.timed_out and self.text.rstrip().endswith("judged")

    def told(self):
        """What a program that is wrong says, and how it ended if its judge did not say that it is wrong."""
        lines = [line.removeprefix("wrong: ") for line in self.text.splitlines() if line != "judged"]
        if not self.judged and "wrong: " not in self.text:
            lines.append(self.how_it_ended())
        return "\n".join(lines[:8])

    def how_it_ended(self):
        if self.timed_out:
            return f"it was stopped after {LIMIT_S} s; is there a loop that never ends?"
        number = -self.code if self.code < 0 else self.code - 128  # the second is what mpirun says
        if number > 0:
            return f"it ended with {signal.Signals(number).name}"
        return "it ended before its judge did; does the answer call exit()?"


def run(command, limit_s=None, **environment):
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        env=os.environ | environment,
    )
    try:
        text, _ = process.communicate(timeout=limit_s or LIMIT_S)
        return Result(process.returncode, text)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)  # mpirun then ends its ranks
        try:
            text, _ = process.communicate(timeout=3)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            text, _ = process.communicate()
        return Result(-signal.SIGKILL, text, timed_out=True)


def has_gpu():
    return os.environ.get("CUDA_BACKEND") == "cuda"


def compiler(exercise):
    cxx = os.environ.get("CXX") or "g++"
    if exercise.is_mpi:
        os.environ["OMPI_CXX"] = cxx
        return [os.environ.get("MPICXX") or "mpicxx", "-std=c++20", "-Wall", "-Wextra", "-DOMPI_SKIP_MPICXX"]
    if not exercise.is_cuda:
        return [*shlex.split(cxx), "-std=c++20", "-Wall", "-Wextra", "-pthread"]
    if has_gpu():
        return [os.environ.get("NVCC") or "nvcc", "-std=c++20", "-arch=native"]
    return [CUDA_ON_CPU]


def missing(exercise):
    """What an exercise needs and is not here, in words, or ""."""
    command = compiler(exercise)[0]
    if exercise.is_mpi and not (shutil.which(command) and shutil.which("mpirun")):
        return f"{exercise} needs MPI (on Debian and Ubuntu the packages openmpi-bin and libopenmpi-dev)"
    return "" if shutil.which(command) else f"There is no {command} here; 'make setup' installs what is missing"


def judge_object(exercise, command, kind="plain"):
    """The judge's part of the program: compiled once, since it is the same for all answers."""
    folder = Path(os.environ.get("BUILD") or "build", "exercises", Path(command[0]).name)
    target = folder / exercise.lab / exercise.folder.name / f"{kind}.o"
    sources = [exercise.judge, *Path("common/exercise").glob("*.hpp")] + [Path(CUDA_ON_CPU)] * exercise.is_cuda
    if not target.exists() or target.stat().st_mtime < max(source.stat().st_mtime for source in sources):
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_suffix(f".{os.getpid()}.{threading.get_ident()}.o")
        build([*command, "-c", str(exercise.judge), "-o", str(new)])
        new.replace(target)
    return str(target)


def build_answer(exercise, answer, program, sanitizer=None):
    """The answer as it is timed, or with a sanitizer."""
    flags = ["-g1", "-O1", f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all"] if sanitizer else ["-O3"]
    command = [*compiler(exercise), *flags, "-I."]
    build([*command, str(answer), judge_object(exercise, command, sanitizer or "plain"), "-o", str(program)])


def run_answer(exercise, program, mode, seed):
    """Runs the program of build_answer: on three ranks, if the exercise is one of MPI."""
    command = [program, mode, str(seed)]
    if not exercise.is_mpi or mode == "goals":
        return run(command)
    # As labs/11_mpi/ranks/mpirun.cpp: root may start it, mpirun adds no words, ranks that wait let others run, and none reads
    # another's memory, which containers forbid. What the library itself does not free is no leak of the answer. A folder of its own:
    # two mpirun that begin at the same time may not agree about theirs.
    folder = Path(f"{program}.mpi")
    folder.mkdir(exist_ok=True)
    return run(
        ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "3", *command],
        TMPDIR=str(folder),
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMPI_MCA_orte_execute_quiet="1",
        OMPI_MCA_opal_signal="",
        OMPI_MCA_mpi_yield_when_idle="1",
        OMPI_MCA_btl_vader_single_copy_mechanism="none",
        OMPI_MCA_smsc="^cma",
        ASAN_OPTIONS="detect_leaks=0",
    )


def build(command):
    """Raises Problem with the compiler's first lines."""
    result = run(command, limit_s=120)
    if result.code == 0:
        return
    lines = [line for line in result.text.splitlines() if line.strip()]
    raise Problem("\n".join(lines[:12]))


def on_cpu(verb, exercise, answer, seed):
    """cuda-on-cpu check or count, with one picture."""
    command = [CUDA_ON_CPU, *verb, "-I.", str(answer), judge_object(exercise, [CUDA_ON_CPU, "-O3", "-I."])]
    return run([*command, "--", "count" if verb[0] == "count" else "once", str(seed)], limit_s=60)


def count(exercise, answer, program, seed):
    """{(kernel, figure): value} of cuda-on-cpu count, and the sums of "all kernels"; without CUDA the judge counts."""
    if not exercise.is_cuda:
        rows = re.findall(r"^counted: (.*),(.*),(.*)$", run_answer(exercise, program, "count", seed).text, re.MULTILINE)
        return {(kernel, figure): float(value) for kernel, figure, value in rows}
    with tempfile.NamedTemporaryFile("r", suffix=".csv") as file:
        result = on_cpu(["count", "--csv", file.name], exercise, answer, seed)
        if result.code != 0:
            raise Problem(result.told())
        rows = [row for row in csv.DictReader(file) if not row["line"]]
    counted = {(row["kernel"], row["figure"]): float(row["value"]) for row in rows}
    for (_, figure), value in list(counted.items()):
        counted["all kernels", figure] = counted.get(("all kernels", figure), 0) + value
    return counted
