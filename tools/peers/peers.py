#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times Convolab and other libraries on the same bytes.

    peers.py --libraries build/peers --csv results/peers.csv --sizes 1080p --peers opencv

RGB uint8, the drawn scene, Gaussians and `edge`, which is not separable, border replicate. A round
calls each contender once, Convolab too, in a shuffled order; a ratio divides two times of the same
round. The CPU libraries share this process. Each GPU library has its own process, in which Convolab
is timed too, so that a crash loses the rows of one library only.
On the CPU all calls of a round work on the same images. On a GPU each configuration is timed twice:
with enough images in turn that none is still in the cache (cold), and with one.
Outputs are compared with Convolab's on the CPU. The file of an earlier run is replaced at the end.

Exit codes: 0 done, 1 one sentence says what is wrong, 2 wrong options, 130 interrupted.
"""

import argparse
import ctypes
import datetime
import math
import multiprocessing
import os
import signal
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

sys.dont_write_bytecode = True

import python_cpu  # noqa: E402
import python_gpu  # noqa: E402
from libraries import Filter, Job, Library, Unsupported, gaussian  # noqa: E402
from measure import BASE, difference, median, ratios, rounds, write_rows  # noqa: E402

SIZES = {
    "480p": (853, 480),
    "720p": (1280, 720),
    "1080p": (1920, 1080),
    "1440p": (2560, 1440),
    "4k": (3840, 2160),
    "8k": (7680, 4320),
}
# Side and sigma (0: the side's own) of Gaussians: the first everywhere, the others at GAUSSIAN_SIZES only.
GAUSSIANS = ((5, 0.0), (3, 0.0), (7, 0.0), (9, 0.0), (5, 1.2))
GAUSSIAN_SIZES = ("1080p", "4k")
# Sides of `edge`, at EDGE_SIZES only.
EDGES = (3, 5, 7, 9)
EDGE_SIZES = ("1080p", "4k", "8k")
CPU_PEERS = {
    "opencv": "libopencv-dev (Debian)",
    "halide": "libhalide14-0-dev (Debian)",
    "vips": "libvips-dev (Debian)",
    "scipy": "scipy (PyPI) or python3-scipy (Debian)",
    "pillow": "pillow (PyPI) or python3-pil (Debian)",
}
GPU_PEERS = {
    "npp": "the whole CUDA toolkit, which contains it",
    "torch": "torch (PyPI)",
    "torchvision": "torchvision (PyPI)",
    "cupy": "cupy-cuda13x (PyPI)",
    "opencv_cuda": "OpenCV's Python module built from source with CUDA",
}
GPU_PROCESSES = (("npp",), ("torch", "torchvision"), ("cupy",), ("opencv_cuda",))
PYTHON = {
    "scipy": python_cpu.Scipy,
    "pillow": python_cpu.Pillow,
    "torch": python_gpu.Torch,
    "torchvision": python_gpu.Torchvision,
    "cupy": python_gpu.Cupy,
    "opencv_cuda": python_gpu.OpencvCuda,
}
MIN_MS = {"cpu": 10.0, "cuda": 3.0}  # per contender and round
BUDGET_MS = 600.0  # per contender and configuration; two rounds are run in any case
COPIES = ("memcpy", "device copy")


class PeersError(Exception):
    """What is wrong, in one sentence."""


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """The options; argparse ends the program with 2 if they are wrong."""
    parser = argparse.ArgumentParser(
        prog="peers.py", allow_abbrev=False, description=(__doc__ or "").split("\n", maxsplit=1)[0]
    )
    parser.add_argument("--libraries", type=Path, required=True, metavar="DIR")
    parser.add_argument("--csv", type=Path, required=True, metavar="FILE")
    parser.add_argument("--sizes", default="480p 1080p 4k 8k")
    parser.add_argument("--threads", default="", help="such as 1,4; empty: 1, 2 and all CPUs")
    parser.add_argument("--peers", default="all")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--before", metavar="LIBRARIES", help="these are to be built: only say what is missing")
    options = parser.parse_args(arguments)
    options.sizes, options.peers, options.threads = (
        list(dict.fromkeys(text.replace(",", " ").split())) for text in (options.sizes, options.peers, options.threads)
    )
    known = {**CPU_PEERS, **GPU_PEERS}
    if options.peers == ["all"]:
        options.peers = list(known)
    for what, given, choices in (("--sizes", options.sizes, SIZES), ("--peers", options.peers, known)):
        for name in given:
            if name not in choices:
                parser.error(f"{what}: '{name}' is not known; choose from {', '.join(choices)}")
    cpus = len(os.sched_getaffinity(0))
    try:
        options.threads = [int(word) for word in options.threads]
    except ValueError:
        parser.error(f"--threads: '{','.join(options.threads)}' is not a list of numbers")
    options.threads = options.threads or sorted({1, min(2, cpus), cpus})
    if options.rounds < 1 or min(options.threads) < 1:
        parser.error("--rounds and --threads are at least 1")
    return options


def say_absent(name: str, error: Exception, package: str) -> None:
    why = " ".join(str(error).split())
    print(f"absent: {name} ({why}); to time it, install {package}", file=sys.stderr)


def say_missing(options: argparse.Namespace) -> int:
    """Before the libraries are built: those for a CPU that cannot be."""
    for name in (name for name in CPU_PEERS if name in options.peers and name not in options.before.split()):
        try:
            if name not in PYTHON:
                raise ImportError("its headers are not installed")
            PYTHON[name]()
        except ImportError as error:
            say_absent(name, error, CPU_PEERS[name])
    return 0


def load(names: list[str], folder: Path, known: dict[str, str], said: bool = False) -> dict[str, Any]:
    """The libraries that are installed; the others are named with what to install. said: say_missing() has named them."""
    found: dict[str, Any] = {}
    for name in (name for name in known if name in names):
        path = folder / f"{name}.so"
        try:
            if name in PYTHON:
                found[name] = PYTHON[name]()
            elif path.exists():
                found[name] = Library(path)
            else:
                raise ImportError("its headers are not installed")
        except Exception as error:  # pylint: disable=broad-except
            if not said or not isinstance(error, ImportError):
                say_absent(name, error, known[name])
    return found


class Session:
    """The settings of one call of this program, and its rows so far."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.convolab = Library(options.libraries / "convolab.so")
        c = self.convolab.c
        c.convolab_machine.restype = c.convolab_revision.restype = ctypes.c_char_p
        self.machine: str = c.convolab_machine().decode()
        self.revision: str = c.convolab_revision().decode()
        self.rows: list[dict[str, Any]] = []
        self.failed = False

    def picture(self, size: str) -> Any:
        import numpy

        width, height = SIZES[size]
        samples = numpy.empty((height, width, 3), numpy.uint8)
        self.convolab.c.convolab_scene(width, height, ctypes.c_void_p(samples.ctypes.data))
        return samples

    def gaussian(self, ksize: int, sigma: float) -> Filter:
        row = (ctypes.c_int * ksize)()
        self.convolab.c.convolab_gaussian(ksize, ctypes.c_double(sigma), row)
        return gaussian(list(row), sigma)

    def edge(self, ksize: int) -> Filter:
        taps = (ctypes.c_int * ksize**2)()
        self.convolab.c.convolab_edge(ksize, taps)
        return Filter("edge", ksize, list(taps))

    def filters(self, size: str) -> list[Filter]:
        """Those that are timed at this size."""
        gaussians = GAUSSIANS if size in GAUSSIAN_SIZES else GAUSSIANS[:1]
        edges = EDGES if size in EDGE_SIZES else ()
        return [*(self.gaussian(*one) for one in gaussians), *map(self.edge, edges)]

    def configuration(self, peers: dict[str, Any], job: Job, size: str, expected: Any, **fields: Any) -> None:
        """Times and compares all functions of all peers at one job; adds their rows."""
        running: dict[str, Any] = {}
        rows: dict[str, dict[str, Any]] = {}
        for peer, library in peers.items():
            for function in library.functions:
                key = BASE if function == BASE else f"{peer} {function}"
                height, width, channels = job.picture.shape
                row = rows[key] = dict(
                    peer=peer,
                    function=function,
                    version=library.version,
                    size=size,
                    width=width,
                    height=height,
                    channels=channels,
                    filter=job.filter.name,
                    ksize=job.filter.ksize,
                    border="replicate",
                    machine=self.machine,
                    revision=self.revision,
                    date=f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}",
                    status="ok",
                    **fields,
                )
                try:
                    contender = library.make(function, job)
                    contender.time_ms(1)
                    if function not in COPIES:
                        share, largest = difference(contender.output(), expected)
                        row.update(differing_share=share, largest_difference=largest)
                    running[key] = contender
                except Exception as error:  # pylint: disable=broad-except
                    row.update(status="refused", reason=" ".join(str(error).split()))
        if BASE not in running:
            raise PeersError(f"Convolab cannot do this job: {rows[BASE]['reason']}")
        if rows[BASE]["largest_difference"] != 0:
            self.failed = True
            print(
                f"error: Convolab on {fields['backend']} differs from Convolab on the CPU at {size}, "
                f"{job.filter.name}, K {job.filter.ksize}: run make verify",
                file=sys.stderr,
            )
        times = rounds(running, self.options.rounds, MIN_MS[fields["backend"]], BUDGET_MS)
        for key, values in times.items():
            middle, low, high = ratios(values, times[BASE])
            rows[key].update(
                time_ms=median(values),
                ratio=middle,
                ratio_q1=low,
                ratio_q3=high,
                rounds=sum(value is not None for value in values),
            )
            running[key].free()
        self.rows += rows.values()
        self.show(list(rows.values()))

    @staticmethod
    def show(rows: list[dict[str, Any]]) -> None:
        first = rows[0]
        where = (
            f"{first['threads']} threads" if first["backend"] == "cpu" else "cold" if first["cold"] else "in the cache"
        )
        print(f"{first['size']}, {first['filter']}, K {first['ksize']}, {first['backend']}, {where}")
        for row in rows:
            if row["status"] != "ok":
                continue
            share = row.get("differing_share")
            same = (
                ""
                if share is None
                else "identical"
                if share == 0
                else f"{100 * share:.2g} % differ, by at most {row['largest_difference']}"
            )
            print(
                f"  {row['peer'] + ' ' + row['function']:34} {row['time_ms']:9.4f} ms "
                f"{row['ratio']:8.2f} x Convolab ({row['ratio_q1']:.2f} to {row['ratio_q3']:.2f})  "
                f"{same}",
                flush=True,
            )


def expected_of(session: Session, picture: Any, filter_: Filter) -> Any:
    """What Convolab computes on the CPU with one thread; `make verify` compares it with the reference."""
    contender = session.convolab.make(BASE, Job(picture, filter_, 1))
    contender.time_ms(1)
    output = contender.output()
    contender.free()
    return output


def run_cpu(session: Session, peers: dict[str, Any]) -> None:
    """All sizes, filters and numbers of threads."""
    for size in session.options.sizes:
        picture = session.picture(size)
        for filter_ in session.filters(size):
            expected = expected_of(session, picture, filter_)
            for threads in session.options.threads:
                session.configuration(
                    {"convolab": session.convolab, **peers},
                    Job(picture, filter_, threads),
                    size,
                    expected,
                    backend="cpu",
                    device=session.machine,
                    threads=threads,
                    cold="",
                )


def run_gpu(session: Session, convolab: Library, device: str, peers: dict[str, Any]) -> None:
    """All sizes and filters, with a cold cache and with a warm one."""
    convolab.c.gpu_cache_bytes.restype = ctypes.c_int64
    cache = convolab.c.gpu_cache_bytes()
    for size in session.options.sizes:
        picture = session.picture(size)
        # Input and output take at least one byte per sample each.
        pairs = max(2, math.ceil(3 * cache / (2 * picture.nbytes)))
        for filter_ in session.filters(size):
            expected = expected_of(session, picture, filter_)
            for cold, buffers in ((1, pairs), (0, 1)):
                session.configuration(
                    {"convolab": convolab, **peers},
                    Job(picture, filter_, 1, buffers),
                    size,
                    expected,
                    backend="cuda",
                    device=device,
                    threads="",
                    cold=cold,
                )


def gpu(options: argparse.Namespace) -> tuple[Library | None, str]:
    """Convolab's library for the GPU and the GPU's name; nothing if there is none."""
    path = options.libraries / "convolab_cuda.so"
    if path.exists():
        convolab = Library(path)
        convolab.c.gpu_name.restype = ctypes.c_char_p
        if name := convolab.c.gpu_name().decode():
            return convolab, name
    return None, ""


def gpu_process(options: argparse.Namespace, names: list[str]) -> tuple[bool, list[dict[str, Any]], bool]:
    """Runs in a separate process: (whether there is a GPU, rows, whether Convolab was wrong)."""
    if not (options.libraries / "convolab_cuda.so").exists():
        return False, [], False
    peers = load(names, options.libraries, GPU_PEERS)  # before Convolab: the order that was tested
    convolab, device = gpu(options)
    if convolab is None:
        return False, [], False
    session = Session(options)
    run_gpu(session, convolab, device, peers)
    return True, session.rows, session.failed


def add_gpu_rows(session: Session, names: list[str]) -> bool:
    """Whether there is a GPU. The rows of Convolab and of the copy come from the first process."""
    pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    try:
        found, rows, failed = pool.submit(gpu_process, session.options, names).result()
    except BrokenProcessPool:
        print(f"error: the GPU process of {', '.join(names) or 'Convolab'} crashed, so it has no rows", file=sys.stderr)
        session.failed = True
        return True
    finally:
        pool.shutdown()
    if not found:
        print("GPU: none that this build can use, so the GPU libraries are not timed", file=sys.stderr)
    first = not session.rows
    session.rows += [row for row in rows if first or row["peer"] != "convolab"]
    session.failed |= failed
    return found


def time_all(session: Session) -> None:
    """Times what the options ask for."""
    options = session.options
    for names in GPU_PROCESSES:
        asked = [name for name in names if name in options.peers]
        if not asked and session.rows:
            continue  # Convolab and the copy have been timed
        if not add_gpu_rows(session, asked):
            break
    run_cpu(session, load(options.peers, options.libraries, CPU_PEERS, said=True))


def stop(*_: Any) -> None:
    """SIGTERM ends the program as Ctrl-C does."""
    raise KeyboardInterrupt


def run(options: argparse.Namespace) -> int:
    """Times what the options ask for, and writes the file. If it is stopped, the finished rows go to another
    file beside it: an older file may be whole."""
    session = Session(options)
    signal.signal(signal.SIGTERM, stop)
    try:
        time_all(session)
    except KeyboardInterrupt:
        if session.rows:
            part = options.csv.with_name(f"{options.csv.stem}_interrupted.csv")
            write_rows(part, session.rows)
            print(f"interrupted; finished rows, {len(session.rows)}, are in {part}", file=sys.stderr)
        raise
    write_rows(options.csv, session.rows)
    print(f"{options.csv}: {len(session.rows)} rows")
    return 1 if session.failed else 0


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code."""
    options = parse(arguments)
    try:
        import numpy  # noqa: F401  # pylint: disable=unused-import

        return run(options) if options.before is None else say_missing(options)
    except ImportError as error:
        print(f"peers.py: {error}: install numpy (python3-numpy)", file=sys.stderr)
    except (PeersError, OSError, Unsupported) as error:
        print(f"peers.py: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    return 1


if __name__ == "__main__":
    sys.exit(main())
