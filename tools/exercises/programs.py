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
from dataclasses import dataclass, field
from pathlib import Path

from exercise import Problem

LIMIT_S = 20
MEMORY = "address,undefined"
CUDA_ON_CPU = "cuda_on_cpu/cuda-on-cpu"


@dataclass
class Result:
    code: int
    text: str
    """What the program wrote; of one that was stopped, what it had written."""
    timed_out: int = 0
    """After so many seconds."""
    words: list = field(default_factory=list)
    """What its judge said."""
    mistakes: list = field(default_factory=list)
    """What `cuda-on-cpu check` found, without the remedies: they are for the hints."""

    @property
    def judged(self):
        return not self.timed_out and self.words[-1:] == ["judged"]

    @property
    def right(self):
        return self.judged and self.code == 0 and not self.wrong

    @property
    def wrong(self):
        return [word.removeprefix("wrong: ") for word in self.words if word.startswith("wrong: ")]

    def rows(self, kind):
        """The judge's words `kind,...`, split at the commas."""
        return [word.split(",")[1:] for word in self.words if word.startswith(f"{kind},")]

    def told(self):
        """What the judge says is wrong, and how the program ended if it does not."""
        lines = self.wrong
        if not lines and not (self.mistakes and self.code == 1):  # check ends with 1
            printed = [line for line in self.text.splitlines() if line not in ["begun", *self.words]]
            lines = [self.how_it_ended(), *([] if self.mistakes else printed[-7:])]
        return "\n".join([*lines, *self.mistakes[:1]])

    def how_it_ended(self):
        if self.timed_out:
            return f"it was stopped after {self.timed_out} s; is there a loop that never ends?"
        number = -self.code if self.code < 0 else self.code - 128  # the second is what mpirun says
        if number > 0:
            return f"it ended with {signal.Signals(number).name}"
        return "it ended before its judge did; does the answer call exit()?"


def run(command, limit_s=None, **environment):
    limit_s = limit_s or LIMIT_S
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
        text, _ = process.communicate(timeout=limit_s)
        return Result(process.returncode, text)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)  # mpirun then ends its ranks
        try:
            text, _ = process.communicate(timeout=3)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            text, _ = process.communicate()
        return Result(-signal.SIGKILL, text, limit_s)


def run_judge(command, limit_s=None, **environment):
    """Runs a program with a judge. `check` runs it several times: the first one's words in the usual order count."""
    with tempfile.NamedTemporaryFile("r") as file:
        result = run(command, limit_s, CONVOLAB_JUDGED=file.name, **environment)
        result.words = [*file.read().split("begun\n")[1:], ""][0].splitlines()
    return result


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


JUDGE = threading.Lock()


def judge_object(exercise, command, kind="plain"):
    """The judge's part of the program: compiled once, since it is the same for all answers."""
    folder = Path(os.environ.get("BUILD") or "build", "exercises", Path(command[0]).name)
    target = folder / exercise.lab / exercise.folder.name / f"{kind}.o"
    sources = [exercise.judge, *Path("common/exercise").glob("*.hpp")] + [Path(CUDA_ON_CPU)] * exercise.is_cuda
    with JUDGE:
        if not target.exists() or target.stat().st_mtime < max(source.stat().st_mtime for source in sources):
            target.parent.mkdir(parents=True, exist_ok=True)
            if exercise.is_cuda and not Path(CUDA_ON_CPU).with_name("build").joinpath("ready").exists():
                print("The emulator is compiled first, once: about a minute.", flush=True)
            new = target.with_suffix(f".{os.getpid()}.o")
            build([*command, "-c", str(exercise.judge), "-o", str(new)], limit_s=600)  # the first compiles the emulator
            new.replace(target)
    return str(target)


def build_answer(exercise, answer, program, sanitizer=None):
    """The answer as it is timed, or with a sanitizer."""
    flags = ["-g1", "-O1", f"-fsanitize={sanitizer}"] if sanitizer else ["-O3"]
    flags += ["-fsanitize-recover=address"] if sanitizer == MEMORY else []  # the bytes are wanted, too
    command = [*compiler(exercise), *flags, "-I."]
    build([*command, str(answer), judge_object(exercise, command, sanitizer or "plain"), "-o", str(program)])


def run_answer(exercise, program, mode, seed):
    """Runs the program of build_answer: on three ranks, if the exercise is one of MPI."""
    command = [program, mode, str(seed)]
    if not exercise.is_mpi:
        return run_judge(command, ASAN_OPTIONS="halt_on_error=0")
    # As labs/11_mpi/ranks/mpirun.cpp: root may start it, mpirun adds no words, ranks that wait let others run, and none reads
    # another's memory, which containers forbid. What the library itself does not free is no leak of the answer. A folder of its own:
    # two mpirun that begin at the same time may not agree about theirs.
    folder = Path(f"{program}.mpi")
    folder.mkdir(exist_ok=True)
    return run_judge(
        ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "3", *command],
        TMPDIR=str(folder),
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMPI_MCA_orte_execute_quiet="1",
        OMPI_MCA_opal_signal="",
        OMPI_MCA_mpi_yield_when_idle="1",
        OMPI_MCA_btl_vader_single_copy_mechanism="none",
        OMPI_MCA_smsc="^cma",
        ASAN_OPTIONS="detect_leaks=0:halt_on_error=0",
    )


def build(command, limit_s=120):
    """Raises Problem with the compiler's first lines."""
    result = run(command, limit_s)
    if result.code == 0:
        return
    raise Problem(first_lines(result.text))


def first_lines(text):
    return "\n".join([line for line in text.splitlines() if line.strip()][:12])


def on_cpu(verb, exercise, answer, mode, seed):
    """cuda-on-cpu check or count. A kernel that never ends is stopped soon: the pictures are small."""
    command = [CUDA_ON_CPU, *verb, "-I.", str(answer), judge_object(exercise, [CUDA_ON_CPU, "-O3", "-I."])]
    return run_judge([*command, "--", mode, str(seed)], limit_s=4 * LIMIT_S, CUDA_ON_CPU_TIMEOUT="2")


def check(exercise, answer, seed):
    """All pictures, with the threads in three orders. Raises Problem where the answer does not compile."""
    result = on_cpu(["check"], exercise, answer, "bytes", seed)
    name = r"\s+".join(map(re.escape, str(answer).split()))
    head = re.search(rf"^{name}:\s+(nothing\s+found|\d+\s+mistakes?)", result.text, re.MULTILINE)
    if not head and not result.timed_out:
        raise Problem(first_lines(result.text))
    found = re.split(r"^\d+\. ", result.text, flags=re.MULTILINE)[1:]
    if result.judged:
        result.code = 0  # check ends with 1 where it finds a mistake
    result.mistakes = [re.split(r"^ *Remedy: ", text, flags=re.MULTILINE)[0].strip() for text in found]
    if head and not result.judged:  # of exit(): what the judge had is never freed
        result.mistakes = [text for text in result.mistakes if "are never freed" not in " ".join(text.split())]
        result.text = result.text[: head.start()]
    return result


def count(exercise, answer, program, seed):
    """{(kernel, figure): value} of cuda-on-cpu count, and the sums of "all kernels"; without CUDA the judge counts."""
    if not exercise.is_cuda:
        result = run_answer(exercise, program, "count", seed)
        rows = result.rows("counted")
    else:
        with tempfile.NamedTemporaryFile("r", suffix=".csv") as file:
            result = on_cpu(["count", "--csv", file.name], exercise, answer, "count", seed)
            rows = [(row["kernel"], row["figure"], row["value"]) for row in csv.DictReader(file) if not row["line"]]
    if not result.right:
        raise Problem(result.told())
    counted = {(kernel, figure): float(value) for kernel, figure, value in rows}
    for (_, figure), value in list(counted.items()):
        counted["all kernels", figure] = counted.get(("all kernels", figure), 0) + value
    return counted
