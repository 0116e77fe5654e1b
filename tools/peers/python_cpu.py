# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The Python libraries on the CPU: scipy and Pillow. Both use one thread only."""

import time
from typing import Any, Callable, List

from libraries import Job, Refused


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
    truncate where we round."""

    functions: List[str] = ["correlate1d", "correlate"]

    def __init__(self) -> None:
        import scipy

        self.version: str = scipy.__version__

    def make(self, function: str, job: Job) -> Contender:
        import numpy
        from scipy import ndimage

        if job.threads != 1:
            raise Refused("scipy.ndimage uses one thread.")
        row = numpy.array(job.row, numpy.float64) / job.row_divisor
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

    functions: List[str] = ["Kernel", "GaussianBlur"]

    def __init__(self) -> None:
        import PIL

        self.version: str = PIL.__version__

    def make(self, function: str, job: Job) -> Contender:
        import numpy
        from PIL import Image, ImageFilter

        if job.threads != 1:
            raise Refused("Pillow uses one thread.")
        if function == "Kernel" and job.ksize not in (3, 5):
            raise Refused("Pillow's Kernel takes sides of 3 and 5 only.")
        # Without a sigma: the standard deviation of our taps.
        spread = sum(tap * (i - job.ksize // 2) ** 2 for i, tap in enumerate(job.row))
        sigma = job.sigma or (spread / job.row_divisor) ** 0.5
        taps = [a * b for a in job.row for b in job.row]
        filter_ = (
            ImageFilter.Kernel((job.ksize,) * 2, taps, job.row_divisor**2)
            if function == "Kernel"
            else ImageFilter.GaussianBlur(sigma)
        )
        picture = Image.fromarray(job.picture)
        return Contender(lambda: picture.filter(filter_), lambda: numpy.asarray(picture.filter(filter_)))
