# SPDX-License-Identifier: MIT
"""labs/03_cuda_global/alone.cu: compiled by the command in its head, and run with a picture, without one, and with bad names."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "labs/03_cuda_global/alone.cu"


def compiled(folder, change=lambda text: text):
    """The folder, with the program: the file lies there alone."""
    (folder / "alone.cu").write_text(change(PAGE.read_text()))
    command = re.search(r"^//     nvcc (.* -o alone) && \./alone ", PAGE.read_text(), re.MULTILINE)[1]
    subprocess.run([ROOT / "cuda_on_cpu/cuda-on-cpu", *command.split()], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("alone"))


def alone(folder, *names):
    """(exit code, what it prints)"""
    done = subprocess.run(["./alone", *names], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_picture_that_it_draws(folder):
    assert alone(folder) == (0, "1280 x 720: checked, not timed (there is no GPU)\n")


def test_a_picture_of_yours(folder):
    (folder / "in.pgm").write_bytes(b"P5 3 2 255\n" + bytes([0, 16, 32, 255, 0, 7]))
    assert alone(folder, "in.pgm", "out.pgm") == (0, "3 x 2: checked, not timed (there is no GPU)\n")
    assert (folder / "out.pgm").read_bytes() == b"P5\n3 2\n255\n" + bytes([51, 28, 22, 144, 53, 11])


@pytest.mark.parametrize(
    "names, text, code, said",
    [
        (["none.pgm"], None, 1, "error: 'none.pgm' is no PGM of 8 bits without comments; check the name,"),
        (["a.pgm"], b"P2 1 1 255\n7", 1, "error: 'a.pgm' is no PGM of 8 bits"),
        (["a.pgm"], b"P5 -1 -1 255\n7", 1, "error: 'a.pgm' is no PGM of 8 bits"),
        (["a.pgm"], b"P5 65536 65536 255\n7", 1, "error: 'a.pgm' is no PGM of 8 bits"),
        (["a.pgm"], b"P5 2 2 255\nabc", 1, "error: 'a.pgm' ends before its last pixel"),
        (["a.pgm", "none/b.pgm"], b"P5 1 1 255\na", 1, "error: 'none/b.pgm' cannot be written; check"),
        (["a", "b", "c"], None, 2, "error: there are too many names; usage: ./alone [IN.pgm"),
    ],
)
def test_an_error_is_one_sentence(folder, names, text, code, said):
    if text:
        (folder / "a.pgm").write_bytes(text)
    ended, words = alone(folder, *names)
    assert (ended, words.count("\n")) == (code, 1)
    assert words.startswith(said)


def test_a_wrong_kernel_is_found(tmp_path):
    folder = compiled(tmp_path, lambda text: text.replace("int sum = 8;", "int sum = 7;"))
    code, words = alone(folder)
    assert code == 1
    assert re.fullmatch(r"error: pixel \d+, \d+ is wrong\.\n", words)
