# SPDX-License-Identifier: MIT
"""Builds the program of an answer and its judge, and runs it under a time limit. Each answer is a separate program, so names in the
answers of several students may be the same, and none can harm another's row."""

import csv
import os
import shlex
import shutil
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from exercise import Failure, Problem
from result import LIMIT_S, MEMORY_GB, Result, require_whole, run

MEMORY = "address,undefined"
MOST = f"hard_rss_limit_mb={MEMORY_GB << 10}"
CUDA_ON_CPU = "cuda_on_cpu/cuda-on-cpu"
JUDGE = Path("labs/exercise")
RATIOS = (("sectors per request", "global requests"), ("words per constant request", "constant requests"))


def judged(exercise, command, seed, mode, limit_s=None, memory_gb=None, **environment):
    """Runs the program of an answer, then the judge, which looks at what the answer has made."""
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder, "records")
        result = run([*command, mode, str(seed), records], limit_s, memory_gb, LD_PRELOAD=None, **environment)
        result.began = records.exists()
        result.words = judge_says(exercise, mode, seed, records)
        for other in sorted(Path(folder).glob("records.r*")):  # check's other orders: random and reverse
            if result.judged and not result.wrong and other.read_bytes() != records.read_bytes():
                said = Result(0, "", words=judge_says(exercise, mode, seed, other))
                order = f"In another order of blocks, threads or streams ({other.suffix[1:]}): "
                result.mistakes = [order + word for word in said.wrong] or result.mistakes
        complaints = Path(folder, "records.wrong")  # of the part that calls the answer
        if not result.judged and complaints.exists():
            result.words += complaints.read_text().splitlines()
    return result


def judge_says(exercise, mode, seed, records):
    """Its words about what an answer has made."""
    result = run([judge_program(exercise), mode, str(seed), records], 3 * LIMIT_S)
    if result.code != 0:
        raise Failure(f"the judge of {exercise} failed: {result.how_it_ended()}")
    return result.text.splitlines()


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
    """A message that names what the exercise needs and is not installed, or ""."""
    command = compiler(exercise)[0]
    if exercise.is_mpi and not (shutil.which(command) and shutil.which("mpirun")):
        return f"{exercise} needs MPI (on Debian and Ubuntu the packages openmpi-bin and libopenmpi-dev)"
    return "" if shutil.which(command) else f"There is no {command} here; 'make setup' installs what is missing"


def built(target, sources, command):
    """The file, which is made by the command if a source is newer. Two processes may ask for it at a time."""
    target = Path(os.environ.get("BUILD") or "build", "exercises", target)
    if not target.exists() or target.stat().st_mtime < max(source.stat().st_mtime for source in sources):
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(f"{os.getpid()}.{target.name}")
        try:
            build([*command, "-o", str(new)], 600)
        except Problem as problem:
            raise Failure(f"the judge's own part does not compile:\n{problem}") from None
        new.replace(target)
    return str(target)


def common_object():
    """What the programs of all exercises have in common."""
    sources = sorted(JUDGE.glob("*.cpp"))
    cxx = shlex.split(os.environ.get("CXX") or "g++")
    command = [*cxx, "-std=c++20", "-O1", "-I.", "-r", "-nostdlib", *map(str, sources)]
    return built(Path(Path(cxx[0]).name, "common.o"), [*sources, *JUDGE.glob("*.hpp")], command)


def of_page(exercise, command, name, options):
    """What the compiler makes of the judge's page, judge.cpp or judge.cu, for all answers."""
    sources = [exercise.judge, *JUDGE.glob("*.?pp")]
    if command == [CUDA_ON_CPU]:
        sources += [Path(CUDA_ON_CPU), *Path(CUDA_ON_CPU).parent.glob("include/*.h*")]
        if not Path(CUDA_ON_CPU).with_name("build").joinpath("ready-program").exists():
            print("The emulator is compiled first, once.", flush=True)
    target = Path(Path(command[0]).name, exercise.lab, exercise.folder.name, name)
    return built(target, sources, [*command, "-I.", *options, str(exercise.judge)])


def judge_program(exercise):
    """It knows what is right, and no line of an answer is in it."""
    return of_page(exercise, compiler(exercise), "judge", ["-O1", common_object()])


def objects_for(exercise, command):
    """The part of the answer's program that calls the answer."""
    # -O1 is what the emulator's headers are precompiled for. Nothing is timed on it, nor with MPI.
    is_timed = command != [CUDA_ON_CPU] and not exercise.is_mpi
    flags = ["-O3", *exercise.timed_flags()] if is_timed else ["-O1"]
    return [of_page(exercise, command, "judge.o", [*flags, "-DCONVOLAB_ANSWER", "-c"]), common_object()]


def build_answer(exercise, answer, program, sanitizer=None):
    """The answer as it is timed, or with a sanitizer."""
    command = compiler(exercise)
    flags = ["-g1", "-O1", f"-fsanitize={sanitizer}"] if sanitizer else ["-O3", *exercise.timed_flags()]
    flags += ["-fsanitize-recover=address"] if sanitizer == MEMORY else []  # the bytes are wanted, too
    build([*command, *flags, "-I.", str(answer), *objects_for(exercise, command), "-o", str(program)])


def run_answer(exercise, program, mode, seed, sanitizer=None):
    """Runs the program of build_answer: on three ranks, if the exercise is one of MPI."""
    if not exercise.is_mpi:
        memory_gb = None if sanitizer or has_gpu() else MEMORY_GB
        result = judged(exercise, [program], seed, mode, memory_gb=memory_gb, ASAN_OPTIONS=f"halt_on_error=0:{MOST}")
        return started(exercise, result, [], sanitizer)
    # As labs/11_mpi/ranks/start.cpp: root may start it, mpirun adds no words, ranks that wait let others run, and none reads
    # another's memory, which containers forbid. What the library itself does not free is no leak of the answer. Each run
    # gets its own folder, because two mpirun that begin at the same time may choose the same one.
    folder = Path(f"{program}.mpi")
    folder.mkdir(exist_ok=True)
    mpirun = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "3"]
    settings = dict(
        TMPDIR=str(folder),
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMPI_MCA_orte_execute_quiet="1",
        OMPI_MCA_opal_signal="",
        OMPI_MCA_mpi_yield_when_idle="1",
        OMPI_MCA_btl_vader_single_copy_mechanism="none",
        OMPI_MCA_smsc="^cma",
        ASAN_OPTIONS=f"detect_leaks=0:halt_on_error=0:{MOST}",
    )
    result = judged(exercise, [*mpirun, program], seed, mode, **settings)
    return started(exercise, result, mpirun, sanitizer, **settings)


def started(exercise, result, launcher, sanitizer, **settings):
    """The result, if the answer came as far as main(), or an empty program does."""
    if result.began:
        return result
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "empty.cpp"), Path(folder, "empty")
        source.write_text("int main() {}\n")
        flags = [f"-fsanitize={sanitizer}"] if sanitizer else []
        build([*compiler(exercise), *flags, str(source), "-o", str(program)])
        empty = run([*launcher, program], LD_PRELOAD=None, **settings)
    if empty.code != 0:
        raise Failure(
            f"no program{f' with -fsanitize={sanitizer}' if sanitizer else ''} starts here: {first_lines(empty.text)}"
        )
    return result


def build(command, limit_s=120):
    """Raises Problem with the compiler's first lines."""
    result = run(command, limit_s, MEMORY_GB, LC_ALL="C")
    if result.timed_out:
        raise Failure(f"the compiler was stopped after {limit_s} s")
    if result.code == 0:
        return
    require_whole(result.text)
    raise Problem(first_lines(result.text))


def first_lines(text):
    return "\n".join([line for line in text.splitlines() if line.strip()][:12])


def on_cpu(verb, exercise, answer, mode, seed, **environment):
    """cuda-on-cpu check or count. A kernel that never ends is stopped soon: the pictures are small."""
    command = [CUDA_ON_CPU, *verb, "-I.", str(answer), *objects_for(exercise, [CUDA_ON_CPU]), "--"]
    limits = dict(limit_s=4 * LIMIT_S, memory_gb=MEMORY_GB, CUDA_ON_CPU_TIMEOUT="2")
    return judged(exercise, command, seed, mode, **limits, LC_ALL="C", **environment)


def check(exercise, answer, seed):
    """All pictures, with the threads in three orders. Raises Problem if the answer does not compile."""
    with tempfile.NamedTemporaryFile("r") as findings:
        result = on_cpu(["check"], exercise, answer, "bytes", seed, CUDA_ON_CPU_FINDINGS=findings.name)
        records = [line.split("\t") for line in findings.read().split("\n")]
    records = [record for record in records if record[0] in ("mistake", "fatal") or record[1:2] == ["never_freed"]]
    if result.code != 0 and not records and not result.timed_out:
        if "nothing found" not in result.text:  # which check says of a program that has run
            require_whole(result.text)
        raise Problem(first_lines(result.text))
    if result.judged:
        result.code = 0  # check ends with 1 if it finds a mistake
    elif not result.timed_out:  # of exit(): what the judge had is never freed
        records = [record for record in records if record[1] != "never_freed"]
        result.text = ""
    prose = [record[-1].replace("\x1e", "\n").strip() for record in records]
    result.mistakes = prose or result.mistakes
    return result


def count(exercise, answer, program, seed):
    """The result, and {figure: value}: of all kernels as cuda-on-cpu count has them, or as the answer's program counts."""
    if not exercise.is_cuda:
        result = run_answer(exercise, program, "count", seed)
        counted = {figure: float(value) for figure, value in result.rows("counted")}
    else:
        with tempfile.NamedTemporaryFile("r", suffix=".csv") as file:
            result = on_cpu(["count", "--csv", file.name], exercise, answer, "count", seed)
            if not result.began:
                require_whole(result.text)
            kernels = defaultdict(Counter)
            for row in csv.DictReader(file):
                if not row["line"]:
                    kernels[row["kernel"]][row["figure"]] = float(row["value"])
        counted = Counter({figure: float(value) for figure, value in result.rows("counted")})
        for kernel in kernels.values():
            counted.update(kernel)
        for ratio, per in RATIOS:
            counted[ratio] = sum(kernel[ratio] * kernel[per] for kernel in kernels.values()) / max(counted[per], 1)
        counted["requests per warp"] = counted["requests"] / max(counted["warps"], 1)
    if not result.right and not result.wrong:
        raise Problem(result.message())
    return result, counted
