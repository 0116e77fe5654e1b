# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The shared libraries of the C++ and CUDA peers and of ours (tools/peers/peer.hpp)."""

import ctypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any, List

INT = ctypes.c_int
WORDS = 400  # bytes for the message of an error


class Refused(Exception):
    """A contender that cannot do the job, in one sentence."""


class _Job(ctypes.Structure):
    """PeerJob of peer.hpp."""

    _fields_ = [
        ("pixels", ctypes.c_void_p),
        ("width", INT),
        ("height", INT),
        ("channels", INT),
        ("ksize", INT),
        ("row", ctypes.POINTER(INT)),
        ("row_divisor", INT),
        ("sigma", ctypes.c_double),
        ("threads", INT),
        ("buffers", INT),
    ]


@dataclass
class Job:
    """What all contenders compute: row x row / row_divisor^2, border replicate."""

    picture: Any  # uint8, (height, width, channels), C order
    row: List[int]
    sigma: float  # of the Gaussian; 0: the default for its side
    threads: int
    buffers: int = 1

    @property
    def ksize(self) -> int:
        return len(self.row)

    @property
    def row_divisor(self) -> int:
        return sum(self.row)


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
        self.functions: List[str] = c.peer_functions().decode().split(",")

    def make(self, function: str, job: Job) -> "Contender":
        return Contender(self.c, function, job)


class Contender:
    """One function of a library, bound to one job."""

    def __init__(self, c: Any, function: str, job: Job) -> None:
        height, width, channels = job.picture.shape
        self.c, self.job, self.handle = c, job, None
        self.words = ctypes.create_string_buffer(WORDS)
        # The C job points to row, so both are kept as long as this object.
        self.row = (INT * job.ksize)(*job.row)
        self.fields = _Job(
            job.picture.ctypes.data,
            width,
            height,
            channels,
            job.ksize,
            self.row,
            job.row_divisor,
            job.sigma,
            job.threads,
            job.buffers,
        )
        self.handle = c.peer_make(function.encode(), ctypes.byref(self.fields), self.words, WORDS)
        if not self.handle:
            raise Refused(self._sentence())

    def _sentence(self) -> str:
        return " ".join(self.words.value.decode(errors="replace").split())

    def time_ms(self, calls: int) -> float:
        """The time of all calls together."""
        ms: float = self.c.peer_time_ms(self.handle, calls, self.words, WORDS)
        if ms < 0:
            raise Refused(self._sentence())
        return ms

    def output(self) -> Any:
        import numpy

        samples = numpy.empty_like(self.job.picture)
        if not self.c.peer_output(self.handle, samples.ctypes.data, self.words, WORDS):
            raise Refused(self._sentence())
        return samples

    def free(self) -> None:
        self.c.peer_free(self.handle)
        self.handle = None
