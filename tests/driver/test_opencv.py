# SPDX-License-Identifier: MIT
"""An independent check: the labs' Gaussian equals OpenCV's 8-bit GaussianBlur to the bit."""

import pathlib
import subprocess
import tempfile
import unittest

import pytest

from tests.driver.test_lab import BUILD

try:
    import cv2
    import numpy
except ImportError:
    cv2 = None

BORDERS = {"constant": 0, "replicate": 1, "reflect": 2, "reflect101": 4}  # OpenCV's numbers
SIGMAS = (None, 0.5, 1.0, 1.7, 3.3, 8.0)
# The labs whose variants filter one picture with one filter.
LABS = (
    "01_sequential",
    "02_pthread",
    "03_cuda_global",
    "04_cuda_constant",
    "05_cuda_shared",
    "07_separable",
    "12_tensor",
)
REFUSALS = ("is made for", "needs", "takes taps", "adds boxes", "A texel has", "A texture has")
SIZES = ((61, 37), (2, 3), (1, 1))


class Refused(Exception):
    """The variant cannot do this job."""


def cases():
    """(width, height), K, sigma, border: every K and border with every sigma, with alternating sizes."""
    for k in range(3, 32, 2):
        for s, sigma in enumerate(SIGMAS):
            for b, border in enumerate(BORDERS):
                yield SIZES[(k // 2 + s + b) % len(SIZES)], k, sigma, border


@unittest.skipUnless(cv2, "OpenCV's Python module is not installed (python3-opencv)")
class Witness(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.random = numpy.random.default_rng(1)

    def picture(self, size, channels):
        shape = (size[1], size[0]) if channels == 1 else (size[1], size[0], channels)
        return self.random.integers(0, 256, shape, numpy.uint8)

    def ours(self, lab, variant, picture, k, sigma, border):
        """The lab's output. Four channels are filtered as colours and a gray picture: labs do not filter alpha."""
        if picture.ndim == 3 and picture.shape[2] == 4:
            parts = [
                self.ours(lab, variant, numpy.ascontiguousarray(p), k, sigma, border)
                for p in (picture[:, :, :3], picture[:, :, 3])
            ]
            return numpy.dstack(parts)
        source, out = self.folder / "in.png", self.folder / "out.png"
        cv2.imwrite(str(source), picture)
        command = [lab, "run", "--image", source, "--out", out, "--variant", variant, "--ksize", k, "--border", border]
        if sigma:
            command += ["--sigma", sigma]
        if "02_pthread" in str(lab):  # also on a machine with more CPUs than the picture has blocks
            command += ["--threads", 2]
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
        if done.returncode == 1 and any(words in done.stderr for words in REFUSALS):
            raise Refused(done.stderr)
        self.assertEqual(done.returncode, 0, f"{done.stderr} {command}")
        return cv2.imread(str(out), cv2.IMREAD_UNCHANGED)

    def check(self, lab, variant, size, channels, k, sigma, border):
        picture = self.picture(size, channels)
        wanted = cv2.GaussianBlur(picture, (k, k), sigma or 0, borderType=BORDERS[border])
        result = self.ours(lab, variant, picture, k, sigma, border)
        self.assertTrue(
            numpy.array_equal(result, wanted.reshape(result.shape)),
            f"{variant} {size} {channels} channels, K {k}, sigma {sigma}, {border}",
        )

    @pytest.mark.long
    def test_every_k_sigma_and_border(self):
        for n, (size, k, sigma, border) in enumerate(cases()):
            self.check(BUILD / "labs/01_sequential/lab", "simd", size, (1, 3, 4)[n % 3], k, sigma, border)

    def test_every_variant_that_filters_one_picture(self):
        """A variant gives the same picture, or names what it does not support, such as taps over 8 bits."""
        for name in LABS:
            lab, witnessed = BUILD / "labs" / name / "lab", 0
            for line in subprocess.run([lab, "list"], capture_output=True, text=True).stdout.splitlines():
                variant = line.split()[0]
                for k, sigma, border, channels in (
                    (3, None, "reflect101", 3),
                    (5, 2.2, "replicate", 4),
                    (7, 1.3, "constant", 1),
                ):
                    with self.subTest(lab=name, variant=variant, k=k, channels=channels):
                        try:
                            self.check(lab, variant, (61, 37), channels, k, sigma, border)
                            witnessed += 1
                        except Refused:
                            pass
            self.assertGreater(witnessed, 3, name)


if __name__ == "__main__":
    unittest.main()
