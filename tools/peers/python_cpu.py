# SPDX-License-Identifier: MIT
"""The Python libraries on the CPU: scipy and Pillow. Both use one thread only."""

import time
from collections.abc import Callable
from typing import Any

from libraries import Job, Unsupported


class Contender:
    """Times calls of `work`; `output` gives its result."""

    def __init__(self, work: Callable[[], Any], output: Callable[[], Any]) -> None:
        self.work, self.output = work, output

    def time_ms(self, calls: int) -> float:
        start = time.perf_counter()
        for _ in range(calls):
            self.work()
        return (time.perf_counter() - start) * 1e3

    def free(self) -> None:
        """Nothing to do: Python frees all of it."""


class Scipy:
    """correlate1d twice, with floats between the passes; and correlate with the 2-D filter. Both
    truncate instead of rounding, and do not clamp."""

    functions: list[str] = ["correlate1d", "correlate"]

    def __init__(self) -> None:
        import scipy

        self.version: str = scipy.__version__

    def make(self, function: str, job: Job) -> Contender:
        import numpy
        from scipy import ndimage

        if job.threads != 1:
            raise Unsupported("scipy.ndimage uses one thread.")
        if min(job.filter.taps) < 0:
            raise Unsupported("scipy.ndimage does not clamp sums to bytes, which taps below 0 need.")
        row = numpy.array(job.filter.row, numpy.float64) / job.filter.row_divisor
        between = numpy.empty(job.picture.shape, numpy.float32)
        out = numpy.empty_like(job.picture)
        whole = numpy.outer(row, row)[:, :, None]

        def passes() -> None:
            ndimage.correlate1d(job.picture, row, 0, between, "nearest")
            ndimage.correlate1d(between, row, 1, out, "nearest")

        def direct() -> None:
            ndimage.correlate(job.picture, whole, out, "nearest")

        return Contender(passes if function == "correlate1d" else direct, lambda: out)


class Pillow:
    """Kernel with our taps (sides 3 and 5; border pixels are copied) and GaussianBlur, three box
    blurs. Each call makes a new image."""

    functions: list[str] = ["Kernel", "GaussianBlur"]

    def __init__(self) -> None:
        import PIL

        self.version: str = PIL.__version__

    def make(self, function: str, job: Job) -> Contender:
        import numpy
        from PIL import Image, ImageFilter

        if job.threads != 1:
            raise Unsupported("Pillow uses one thread.")
        wanted = job.filter
        if function == "Kernel" and wanted.ksize not in (3, 5):
            raise Unsupported("Pillow's Kernel takes sides of 3 and 5 only.")
        filter_ = (
            ImageFilter.Kernel((wanted.ksize,) * 2, wanted.taps, wanted.divisor)
            if function == "Kernel"
            else ImageFilter.GaussianBlur(wanted.spread)
        )
        picture = Image.fromarray(job.picture)
        return Contender(lambda: picture.filter(filter_), lambda: numpy.asarray(picture.filter(filter_)))
