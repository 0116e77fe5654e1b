# SPDX-License-Identifier: MIT
"""The library's Cpu for numpy: exact convolution of 8-bit pictures of 1, 3 or 4 channels.

    import convolab
    blur = convolab.Cpu(photo.shape, convolab.gaussian(5), threads=2)
    out = blur.run(photo)          # or blur.run(photo, out)

Make a plan once and run it for many pictures. A picture is an array of uint8, height x width or height x width x channels. Its
rows may be apart, as in photo[100:200, 50:80], and are not copied; if the samples of a row are apart, as in photo[:, ::2], run()
filters a copy. While it computes, other Python threads run. What is wrong raises Error.

It needs the file libconvolab.so (make library): beside this file, where make builds or installs it, or where the environment
variable CONVOLAB_LIBRARY says.
"""

import ctypes
import os
import weakref
from pathlib import Path

import numpy


class Error(ValueError):
    """What is wrong and what to do, in one sentence."""


def _load():
    here = Path(__file__).resolve().parent
    near = [here / folder / "libconvolab.so" for folder in (".", "../build/library", "../../lib")]
    found = [os.environ.get("CONVOLAB_LIBRARY"), *(str(path) for path in near if path.exists()), "libconvolab.so.1"]
    try:
        library = ctypes.CDLL(next(filter(None, found)))  # a CDLL lets other Python threads run during a call
    except OSError as why:
        remedy = "run 'make library', or set the environment variable CONVOLAB_LIBRARY to the file's name"
        raise ImportError(f"The library of Convolab cannot be loaded ({why}): {remedy}.") from None
    number, count, address, text = ctypes.c_int64, ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p
    for name, result, takes in (
        ("cpu_new", address, (number, number, count, address, count, ctypes.c_int32, text, count, text)),
        ("cpu_run", count, (address, address, number, address, number, text)),
        ("cpu_threads", count, (address,)),
        ("cpu_free", None, (address,)),
        ("gaussian", count, (count, ctypes.c_double, address, text)),
    ):
        function = getattr(library, f"convolab_{name}")
        function.restype, function.argtypes = result, takes
    return library


_library = _load()


def _call(function, *arguments):
    """What a function returns, which says in its last argument what is wrong."""
    error = ctypes.create_string_buffer(512)
    result = function(*arguments, error)
    if error.value:
        raise Error(error.value.decode(errors="replace"))
    return result


def _whole(name, value):
    """The number as an int of 32 bits."""
    if not isinstance(value, (int, numpy.integer)) or not -(2**31) <= value < 2**31:
        raise Error(f"{name} is {value!r}: give a whole number of 32 bits.")
    return int(value)


def gaussian(ksize, sigma=0):
    """The ksize x ksize taps of a Gaussian, which add up to 65536. sigma 0: the one that OpenCV takes for ksize."""
    ksize = _whole("ksize", ksize)
    side = ksize if 0 < ksize < 32 else 1  # the others are not possible
    taps = numpy.empty((side, side), numpy.int32)
    _call(_library.convolab_gaussian, ksize, sigma, taps.ctypes.data)
    return taps


def _rows_follow(picture):
    """Whether the samples of a row are side by side, and the rows are in order and apart."""
    height, width, channels = (*picture.shape, 1)[:3]
    strides = (*picture.strides, 1)[:3]
    near = (channels == 1 or strides[2] == 1) and (width == 1 or strides[1] == channels)
    return near and (height == 1 or strides[0] >= width * channels)


class Cpu:
    """A plan for pictures of one shape."""

    def __init__(self, shape, taps, divisor=None, border="replicate", threads=1):
        """taps: K x K whole numbers, K odd; the sum of their absolute values is at most 65536. A sum of products is divided by
        the divisor and rounded; None: by the sum of the taps, or by 1 if that is not positive. border: replicate, reflect,
        reflect101, wrap, renormalise, valid, constant or constant:7. threads: how many a run uses at most; small pictures
        take fewer (self.threads)."""
        given = numpy.asarray(taps)
        if given.dtype.kind not in "iu" or given.ndim != 2 or given.shape[0] != given.shape[1]:
            raise Error(f"The taps are {given.dtype} {given.shape}: give K x K whole numbers and a divisor.")
        if len(shape) not in (2, 3):
            raise Error(f"The shape is {tuple(shape)}: give (height, width) or (height, width, channels).")
        table = numpy.ascontiguousarray(given, numpy.int32)
        if (table != given).any():
            raise Error("A tap has more than 32 bits: the sum of their absolute values is at most 65536.")
        if divisor is None:
            divisor = max(1, min(int(table.sum()), 65536))
        self.shape = tuple(_whole("The shape", side) for side in shape)
        height, width, channels = (*self.shape, 1)[:3]
        lost = len(table) - 1 if border == "valid" else 0
        self.out_shape = (height - lost, width - lost, *self.shape[2:])
        rule, divisor, threads = border.encode(), _whole("The divisor", divisor), _whole("threads", threads)
        arguments = (width, height, channels, table.ctypes.data, len(table), divisor, rule, threads)
        self._plan = _call(_library.convolab_cpu_new, *arguments)
        weakref.finalize(self, _library.convolab_cpu_free, self._plan)
        self.threads = _library.convolab_cpu_threads(self._plan)

    def run(self, picture, out=None):
        """The filtered picture, in `out` or in a new array."""
        if out is None:
            out = numpy.empty(self.out_shape, numpy.uint8)
        for name, array, shape in (("picture", picture, self.shape), ("output", out, self.out_shape)):
            if not isinstance(array, numpy.ndarray) or array.dtype != numpy.uint8:
                raise Error(
                    f"The {name} is {getattr(array, 'dtype', type(array).__name__)}: give a numpy array of uint8."
                )
            if array.shape != shape:
                raise Error(f"The {name} has the shape {array.shape} and this plan's is {shape}: make a plan for each.")
        if not out.flags.writeable or not _rows_follow(out):
            raise Error("The output cannot be written as rows of bytes: give an array of its own, or none.")
        if not _rows_follow(picture):
            picture = numpy.ascontiguousarray(picture)
        pitches = [max(array.strides[0], array[0].size) for array in (picture, out)]
        _call(_library.convolab_cpu_run, self._plan, picture.ctypes.data, pitches[0], out.ctypes.data, pitches[1])
        return out
