# SPDX-License-Identifier: MIT
"""library/convolab.py: the exact sum in numpy's integers, OpenCV's bytes where OpenCV is exact, views, threads and mistakes."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

numpy = pytest.importorskip("numpy")
ROOT = Path(__file__).resolve().parents[2]
LIBRARY = (ROOT / os.environ.get("BUILD", "build") / "library/libconvolab.so").resolve()
if not LIBRARY.exists():
    pytest.skip("the library is not built: make library", allow_module_level=True)
os.environ["CONVOLAB_LIBRARY"] = str(LIBRARY)
sys.path.insert(0, str(ROOT / "library"))
import convolab  # noqa: E402

try:
    import cv2
except ImportError:
    cv2 = None
needs_opencv = pytest.mark.skipif(cv2 is None, reason="OpenCV's Python module is not installed (python3-opencv)")
RANDOM = numpy.random.default_rng(1)
BINOMIAL = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]


def noise(*shape):
    return RANDOM.integers(0, 256, shape, numpy.uint8)


def exact(picture, taps, divisor):
    """floor(sum / divisor + 1/2), clamped, with border replicate."""
    p = len(taps) // 2
    padded = numpy.pad(picture.astype(numpy.int64), [(p, p), (p, p), (0, 0)][: picture.ndim], "edge")
    height, width = picture.shape[:2]
    total = sum(int(tap) * padded[j : j + height, i : i + width] for (j, i), tap in numpy.ndenumerate(taps))
    return numpy.clip((2 * total + divisor) // (2 * divisor), 0, 255).astype(numpy.uint8)


@pytest.fixture(scope="module")
def photos():
    """The photo that comes with matplotlib and a picture of this project; the photo also in gray and with alpha."""
    from matplotlib.cbook import get_sample_data

    found = [Path(get_sample_data("grace_hopper.jpg", asfileobj=False)), ROOT / "report/figures/gallery.png"]
    pictures = [cv2.imread(str(path)) for path in found]
    return [*pictures, cv2.cvtColor(pictures[0], cv2.COLOR_BGR2GRAY), cv2.cvtColor(pictures[0], cv2.COLOR_BGR2BGRA)]


@needs_opencv
@pytest.mark.parametrize("ksize", [3, 5])
def test_opencvs_gaussian_and_box_of_photos(photos, ksize):
    for photo in photos:
        for border, number in (("replicate", cv2.BORDER_REPLICATE), ("reflect101", cv2.BORDER_REFLECT_101)):
            blur = convolab.Cpu(photo.shape, convolab.gaussian(ksize), border=border, threads=2)
            assert numpy.array_equal(blur.run(photo), cv2.GaussianBlur(photo, (ksize, ksize), 0, borderType=number))
            box = convolab.Cpu(photo.shape, numpy.ones((ksize, ksize), int), border=border)
            assert numpy.array_equal(box.run(photo), cv2.blur(photo, (ksize, ksize), borderType=number))


@needs_opencv
def test_opencvs_filter2d_of_photos_is_off_by_one_now_and_then(photos):
    taps = RANDOM.integers(-9, 30, (5, 5))
    for photo in photos:
        ours = convolab.Cpu(photo.shape, taps).run(photo)
        theirs = cv2.filter2D(photo, -1, taps / taps.sum(), borderType=cv2.BORDER_REPLICATE)
        apart = cv2.absdiff(ours, theirs)
        assert apart.max() <= 1 and (apart > 0).mean() < 0.0015
        assert numpy.array_equal(ours, exact(photo, taps, int(taps.sum())))


@pytest.mark.parametrize("shape", [(40, 61), (40, 61, 1), (40, 61, 3), (700, 801, 4), (1, 1), (2, 3, 3)])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_exact_sum_of_every_filter(shape, threads):
    picture = noise(*shape)
    for taps in (BINOMIAL, convolab.gaussian(9, 1.7), RANDOM.integers(-9, 10, (5, 5)), numpy.uint8([[7]])):
        divisor = max(1, int(numpy.sum(taps)))
        plan = convolab.Cpu(shape, taps, threads=threads)
        assert numpy.array_equal(plan.run(picture), exact(picture, taps, divisor))
        assert plan.threads <= threads
    assert numpy.array_equal(convolab.Cpu(shape, BINOMIAL, 5).run(picture), exact(picture, BINOMIAL, 5))


def test_rows_that_are_apart_are_read_and_written_in_place(monkeypatch):
    large, out = noise(90, 120, 3), noise(90, 120, 3)
    view, to, wanted = large[20:70, 30:70], out[10:60, 50:90], out.copy()
    wanted[10:60, 50:90] = exact(view, BINOMIAL, 16)
    plan = convolab.Cpu(view.shape, BINOMIAL)
    monkeypatch.setattr(numpy, "ascontiguousarray", None)  # what copies
    assert plan.run(view, to) is to
    assert numpy.array_equal(out, wanted)


@pytest.mark.parametrize(
    "picture", [noise(30, 62)[:, ::2], noise(30, 31)[::-1], noise(31, 30, 4)[:, :, :3], noise(9, 8).T]
)
def test_a_picture_whose_samples_are_not_rows_of_bytes_is_copied(picture):
    assert numpy.array_equal(convolab.Cpu(picture.shape, BINOMIAL).run(picture), exact(picture, BINOMIAL, 16))


def test_border_valid_gives_a_smaller_picture():
    picture = noise(20, 30, 3)
    out = convolab.Cpu(picture.shape, BINOMIAL, border="valid").run(picture)
    assert numpy.array_equal(out, exact(picture, BINOMIAL, 16)[1:-1, 1:-1])


def test_one_plan_in_several_threads_and_none_holds_the_interpreter():
    assert type(convolab._library) is convolab.ctypes.CDLL  # a PyDLL would
    picture, wrong = noise(700, 800, 3), []
    plan, wanted = convolab.Cpu(picture.shape, BINOMIAL, threads=2), exact(picture, BINOMIAL, 16)

    def call():
        wrong.extend(1 for _ in range(10) if not numpy.array_equal(plan.run(picture), wanted))

    beside = [threading.Thread(target=call) for _ in range(3)]
    for thread in beside:
        thread.start()
    for thread in beside:
        thread.join()
    assert plan.threads == 2 and not wrong


GRAY = noise(4, 5)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: convolab.Cpu((4, 5, 2), BINOMIAL), "An image has 1, 3 or 4 channels, not 2."),
        (lambda: convolab.Cpu((4,), BINOMIAL), "The shape is (4,): give (height, width) or"),
        (lambda: convolab.Cpu((4, 5.5), BINOMIAL), "The shape is 5.5: give a whole number"),
        (lambda: convolab.Cpu((4, 5), [[0.5]]), "The taps are float64 (1, 1): give K x K whole numbers"),
        (lambda: convolab.Cpu((4, 5), [[1, 2, 1]]), "The taps are int64 (1, 3): give K x K"),
        (
            lambda: convolab.Cpu((4, 5), [[1, 2], [2, 1]]),
            "Filter 'yours' of side 2 cannot be made: the side must be odd",
        ),
        (lambda: convolab.Cpu((4, 5), [[2**32 + 1]]), "A tap has more than 32 bits"),
        (lambda: convolab.Cpu((4, 5), [[65537]]), "Filter 'yours' of side 1 has taps that add up to 65537"),
        (lambda: convolab.Cpu((4, 5), BINOMIAL, 0), "Filter 'yours' of side 3 is divided by 0"),
        (lambda: convolab.Cpu((4, 5), BINOMIAL, border="mirror"), "Border 'mirror' is not known"),
        (lambda: convolab.Cpu((4, 5), BINOMIAL, threads=0), "A team of 0 threads is not possible"),
        (lambda: convolab.gaussian(4), "A Gaussian of side 4 is not possible"),
        (lambda: convolab.gaussian(10**6 + 1), "A Gaussian of side 1000001 is not possible"),
        (lambda: convolab.gaussian(3, -1), "Sigma is -1"),
        (
            lambda: convolab.Cpu((4, 5), BINOMIAL).run(GRAY.astype(float)),
            "The picture is float64: give a numpy array of uint8.",
        ),
        (lambda: convolab.Cpu((4, 5), BINOMIAL).run([[1]]), "The picture is list: give a numpy array"),
        (
            lambda: convolab.Cpu((5, 4), BINOMIAL).run(GRAY),
            "The picture has the shape (4, 5) and this plan's is (5, 4)",
        ),
        (
            lambda: convolab.Cpu((4, 5), BINOMIAL).run(GRAY, noise(4, 10)[:, ::2]),
            "The output cannot be written as rows",
        ),
        (lambda: convolab.Cpu((4, 5), BINOMIAL).run(GRAY, GRAY), "Input and output overlap"),
    ],
)
def test_a_mistake_gives_one_sentence(call, words):
    with pytest.raises(convolab.Error) as raised:
        call()
    assert str(raised.value).startswith(words)


def imported(folder, **environment):
    """(exit code, what it prints) of a program in another folder."""
    program = "import convolab; print(convolab.gaussian(3).sum())"
    environment = {name: value for name, value in os.environ.items() if name != "CONVOLAB_LIBRARY"} | environment
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_the_library_is_found_beside_the_module_or_where_the_environment_says(tmp_path):
    (tmp_path / "convolab.py").symlink_to(tmp_path / "share/convolab/convolab.py")
    for folder, name in (("share/convolab", "convolab.py"), ("lib", "libconvolab.so")):
        (tmp_path / folder).mkdir(parents=True)
        source = ROOT / "library/convolab.py" if name == "convolab.py" else LIBRARY
        (tmp_path / folder / name).write_bytes(source.read_bytes())
    assert imported(tmp_path) == (0, "65536\n")
    code, words = imported(tmp_path, CONVOLAB_LIBRARY="/none.so")
    assert code == 1
    last = words.splitlines()[-1]
    assert last.startswith("ImportError: The library of Convolab cannot be loaded (/none.so: ")
    assert last.endswith("run 'make library', or set the environment variable CONVOLAB_LIBRARY to the file's name.")
