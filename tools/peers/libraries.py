# SPDX-License-Identifier: MIT
"""The shared libraries of Convolab and of the C++ and CUDA peers (tools/peers/peer.hpp)."""

import ctypes
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

INT = ctypes.c_int
WORDS = 400  # bytes for the message of an error


class Unsupported(Exception):
    """A contender that cannot do the job, in one sentence."""


class _Job(ctypes.Structure):
    """PeerJob of peer.hpp."""

    _fields_ = [
        ("pixels", ctypes.c_void_p),
        ("width", INT),
        ("height", INT),
        ("channels", INT),
        ("ksize", INT),
        ("taps", ctypes.POINTER(INT)),
        ("divisor", INT),
        ("row", ctypes.POINTER(INT)),
        ("row_divisor", INT),
        ("sigma", ctypes.c_double),
        ("threads", INT),
        ("buffers", INT),
    ]


@dataclass
class Filter:
    """K x K integer taps, row by row, over one divisor."""

    name: str
    ksize: int
    taps: list[int]
    divisor: int = 1
    factor: list[int] = field(default_factory=list)  # factor x factor are the taps; empty: not separable
    sigma: float = 0.0  # of the Gaussian; 0: the default for its side

    @property
    def row(self) -> list[int]:
        """The taps of rows and of columns, for a function that computes no other filter."""
        if not self.factor:
            raise Unsupported("It takes no filter that is not separable.")
        return self.factor

    @property
    def row_divisor(self) -> int:
        return sum(self.row)

    @property
    def spread(self) -> float:
        """The sigma; without one, the standard deviation of the row."""
        squares = sum(tap * (i - self.ksize // 2) ** 2 for i, tap in enumerate(self.row))
        return self.sigma or (squares / self.row_divisor) ** 0.5


def gaussian(row: list[int], sigma: float) -> Filter:
    """row x row."""
    name = f"gaussian sigma {sigma:g}" if sigma else "gaussian"
    return Filter(name, len(row), [a * b for a in row for b in row], sum(row) ** 2, row, sigma)


@dataclass
class Job:
    """What all contenders compute, border replicate."""

    picture: Any  # uint8, (height, width, channels), C order
    filter: Filter
    threads: int
    buffers: int = 1


class Library:
    """One peer: its functions by name."""

    def __init__(self, path: Path) -> None:
        c = self.c = ctypes.CDLL(str(path))
        c.peer_functions.restype = c.peer_version.restype = ctypes.c_char_p
        c.peer_make.argtypes = [ctypes.c_char_p, ctypes.POINTER(_Job), ctypes.c_char_p, INT]
        c.peer_make.restype = ctypes.c_void_p
        c.peer_time_ms.argtypes = [ctypes.c_void_p, INT, ctypes.c_char_p, INT]
        c.peer_time_ms.restype = ctypes.c_double
        c.peer_output.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, INT]
        c.peer_free.argtypes = [ctypes.c_void_p]
        self.version: str = c.peer_version().decode()
        self.functions: list[str] = c.peer_functions().decode().split(",")

    def make(self, function: str, job: Job) -> "Contender":
        return Contender(self.c, function, job)


class Contender:
    """One function of a library, bound to one job."""

    def __init__(self, c: Any, function: str, job: Job) -> None:
        height, width, channels = job.picture.shape
        self.c, self.job, self.handle = c, job, None
        self.words = ctypes.create_string_buffer(WORDS)
        # The C job points to taps and row, so they are kept as long as this object.
        one = job.filter
        self.taps = (INT * len(one.taps))(*one.taps)
        self.row = (INT * one.ksize)(*one.row) if one.factor else None
        self.fields = _Job(
            job.picture.ctypes.data,
            width,
            height,
            channels,
            one.ksize,
            self.taps,
            one.divisor,
            self.row,
            sum(one.factor),
            one.sigma,
            job.threads,
            job.buffers,
        )
        self.handle = c.peer_make(function.encode(), ctypes.byref(self.fields), self.words, WORDS)
        if not self.handle:
            raise Unsupported(self._sentence())

    def _sentence(self) -> str:
        return " ".join(self.words.value.decode(errors="replace").split())

    def time_ms(self, calls: int) -> float:
        """The time of all calls together."""
        ms: float = self.c.peer_time_ms(self.handle, calls, self.words, WORDS)
        if ms < 0:
            raise Unsupported(self._sentence())
        return ms

    def output(self) -> Any:
        import numpy

        samples = numpy.empty_like(self.job.picture)
        if not self.c.peer_output(self.handle, samples.ctypes.data, self.words, WORDS):
            raise Unsupported(self._sentence())
        return samples

    def free(self) -> None:
        self.c.peer_free(self.handle)
        self.handle = None
