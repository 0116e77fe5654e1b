# SPDX-License-Identifier: MIT
"""The Python libraries on a GPU: PyTorch's cuDNN, torchvision, CuPy and OpenCV's CUDA module.

Calls are timed as a user makes them: by a pair of events on the device around all calls. If the
launches from Python take longer than the kernels, this measures the launches; `conv2d graph` is the
same call recorded as a CUDA graph. Images are in device memory in the type of the library:
half for cuDNN, float32 or uint8 for CuPy. The conversion from and to bytes is not timed, so these
libraries do less work than Convolab; their outputs are rounded for the comparison only.
"""

from collections.abc import Callable
from typing import Any

from libraries import Job, Unsupported


class Contender:
    """Call i works on pair of images i modulo the number of pairs."""

    def __init__(
        self, works: list[Callable[[], Any]], output: Callable[[], Any], time_ms: Callable[[Callable[[], None]], float]
    ) -> None:
        self.works, self.output, self.clock = works, output, time_ms
        self.next = 0

    def time_ms(self, calls: int) -> float:
        def work() -> None:
            for _ in range(calls):
                self.works[self.next]()
                self.next = (self.next + 1) % len(self.works)

        return self.clock(work)

    def free(self) -> None:
        self.works = []


def _torch_clock(work: Callable[[], None]) -> float:
    import torch

    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    work()
    stop.record()
    stop.synchronize()
    return float(start.elapsed_time(stop))


class Torch:
    """cuDNN's depthwise convolution, half precision, channels last, on padded images."""

    functions: list[str] = ["conv2d", "conv2d graph"]

    def __init__(self) -> None:
        import torch

        if not torch.cuda.is_available():
            raise ImportError("no CUDA device for PyTorch")
        torch.backends.cudnn.benchmark = True
        self.version: str = f"{torch.__version__}, cuDNN {torch.backends.cudnn.version()}"

    def make(self, function: str, job: Job) -> Contender:
        import torch
        from torch.nn import functional

        channels, side = job.picture.shape[2], job.filter.ksize
        taps = torch.tensor(job.filter.taps, dtype=torch.float64).view(side, side) / job.filter.divisor
        taps = taps.expand(channels, 1, -1, -1).to("cuda", torch.half)
        taps = taps.contiguous(memory_format=torch.channels_last)
        picture = torch.from_numpy(job.picture).cuda().permute(2, 0, 1)[None].float()
        padded = functional.pad(picture, (side // 2,) * 4, mode="replicate").half()
        inputs = [padded.contiguous(memory_format=torch.channels_last).clone() for _ in range(job.buffers)]

        def one(index: int) -> Any:
            return functional.conv2d(inputs[index], taps, groups=channels)

        def output() -> Any:
            rounded = torch.floor(one(0)[0].float() + 0.5).clamp(0, 255).to(torch.uint8)
            return rounded.permute(1, 2, 0).contiguous().cpu().numpy()

        works: list[Callable[[], Any]] = [
            lambda i=i: one(i)  # type: ignore[misc]
            for i in range(job.buffers)
        ]
        if function == "conv2d graph":
            one(0)
            torch.cuda.synchronize()
            works = [_graph(work) for work in works]
        return Contender(works, output, _torch_clock)


def _graph(work: Callable[[], Any]) -> Callable[[], Any]:
    """The work recorded as a graph. Each replay writes the same output tensor."""
    import torch

    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        graph.output = work()  # kept, so that its memory is not given to another tensor
    return graph.replay


class Torchvision:
    """gaussian_blur on uint8. Its border is reflect, so samples at the border differ."""

    functions: list[str] = ["gaussian_blur"]

    def __init__(self) -> None:
        import torch
        import torchvision

        if not torch.cuda.is_available():
            raise ImportError("no CUDA device for PyTorch")
        self.version: str = torchvision.__version__

    def make(self, function: str, job: Job) -> Contender:
        import torch
        from torchvision.transforms.functional import gaussian_blur

        side, sigma = job.filter.ksize, job.filter.spread
        picture = torch.from_numpy(job.picture).cuda().permute(2, 0, 1).contiguous()
        inputs = [picture.clone() for _ in range(job.buffers)]
        works: list[Callable[[], Any]] = [
            lambda i=i: gaussian_blur(inputs[i], [side] * 2, [sigma] * 2)  # type: ignore[misc]
            for i in range(job.buffers)
        ]
        return Contender(works, lambda: works[0]().permute(1, 2, 0).contiguous().cpu().numpy(), _torch_clock)


class Cupy:
    """ndimage.correlate with the 2-D filter, K x K products, and correlate1d along the columns and then
    along the rows, 2 K products: on float32, and on uint8, for which each call truncates as scipy does."""

    functions: list[str] = ["correlate float32", "correlate uint8", "correlate1d float32", "correlate1d uint8"]

    def __init__(self) -> None:
        import cupy

        if cupy.cuda.runtime.getDeviceCount() == 0:
            raise ImportError("no CUDA device for CuPy")
        self.version: str = cupy.__version__

    def make(self, function: str, job: Job) -> Contender:
        import cupy
        from cupyx.scipy import ndimage

        kind = cupy.float32 if function.endswith("float32") else cupy.uint8
        wanted, is_1d = job.filter, function.startswith("correlate1d")
        if kind is cupy.uint8 and min(wanted.taps) < 0:
            raise Unsupported("On uint8, CuPy does not clamp sums to bytes, which taps below 0 need.")
        row = cupy.asarray(wanted.row, cupy.float32) / wanted.row_divisor if is_1d else None
        taps = cupy.asarray(wanted.taps, cupy.float32).reshape(wanted.ksize, wanted.ksize, 1) / wanted.divisor
        inputs = [cupy.asarray(job.picture).astype(kind) for _ in range(job.buffers)]
        outputs = [cupy.empty_like(one) for one in inputs]
        between = cupy.empty_like(inputs[0])

        def one(index: int) -> None:
            if is_1d:
                ndimage.correlate1d(inputs[index], row, 0, between, "nearest")
                ndimage.correlate1d(between, row, 1, outputs[index], "nearest")
            else:
                ndimage.correlate(inputs[index], taps, outputs[index], "nearest")

        def output() -> Any:
            one(0)
            rounded = outputs[0] if kind is cupy.uint8 else cupy.floor(outputs[0] + 0.5)
            return cupy.asnumpy(rounded.clip(0, 255).astype(cupy.uint8))

        def clock(work: Callable[[], None]) -> float:
            start, stop = cupy.cuda.Event(), cupy.cuda.Event()
            start.record()
            work()
            stop.record()
            stop.synchronize()
            return float(cupy.cuda.get_elapsed_time(start, stop))

        return Contender(
            [lambda i=i: one(i) for i in range(job.buffers)],  # type: ignore[misc]
            output,
            clock,
        )


class OpencvCuda:
    """cv2.cuda, if the Python module was built with it; it takes four channels, not three."""

    functions: list[str] = ["cuda GaussianFilter"]

    def __init__(self) -> None:
        import cv2

        if not hasattr(cv2, "cuda") or cv2.cuda.getCudaEnabledDeviceCount() == 0:
            raise ImportError("this cv2 was built without CUDA")
        self.version: str = cv2.__version__

    def make(self, function: str, job: Job) -> Contender:
        import cv2
        import numpy

        if job.picture.shape[2] != 3:
            raise Unsupported("OpenCV's CUDA module is timed on RGB with a fourth channel.")
        four = numpy.dstack([job.picture, job.picture[:, :, :1]])
        inputs = [cv2.cuda.GpuMat(four) for _ in range(job.buffers)]
        outputs = [cv2.cuda.GpuMat(*one.size()[::-1], cv2.CV_8UC4) for one in inputs]
        side, sigma, border = len(job.filter.row), job.filter.sigma, cv2.BORDER_REPLICATE
        blur = cv2.cuda.createGaussianFilter(cv2.CV_8UC4, cv2.CV_8UC4, (side, side), sigma, sigma, border, border)
        stream = cv2.cuda.Stream_Null()

        def clock(work: Callable[[], None]) -> float:
            start, stop = cv2.cuda.Event(), cv2.cuda.Event()
            start.record(stream)
            work()
            stop.record(stream)
            stop.waitForCompletion()
            return float(cv2.cuda.Event.elapsedTime(start, stop))

        works: list[Callable[[], Any]] = [
            lambda i=i: blur.apply(inputs[i], outputs[i])  # type: ignore[misc]
            for i in range(job.buffers)
        ]

        def output() -> Any:
            works[0]()
            return numpy.ascontiguousarray(outputs[0].download()[:, :, :3])

        return Contender(works, output, clock)
