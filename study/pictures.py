# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Draws the pictures of the report and of the labs' READMEs from what the labs write: pictures.py BUILD ON_CPU LABS REPORT.

The scene before and after each filter (REPORT/figures/gallery.png; delbimbo2024, Fig. 1), frames of the drawn clip and what the
labs of video make of them, and what a warp asks of memory, with the programs of `make count` in ON_CPU, in a block in the
middle of the scene at 480p. Every output is checked against the reference and nothing is timed: the same everywhere."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

FILTERS = ("", "gaussian --ksize 9", "box --ksize 9", "sharpen", "unsharp", "edge", "emboss", "sobel_x", "sobel_y")
# Where the chart, the cabin and the mountains meet: columns and rows of the 853x480 scene.
PART = (slice(190, 450), slice(330, 720))
CLIP = "--video moving:853x480 --length 19"  # the last of these frames is shown
# The file: its panels, each a title, the lab that makes it and its options.
FRAMES = {
    "08_heat_map/heat_map.png": (
        ("frame 19 of `moving`", "01_sequential", "--filter identity"),
        ("its change since frame 18", "08_heat_map", "--variant cpu_simd"),
    ),
    "09_noise_map/noise_map.png": (
        ("v1, v2, grid: red on black", "09_noise_map", "--variant grid"),
        ("v3: over the previous frame", "09_noise_map", "--variant v3"),
    ),
    "10_noise_filter/marks.png": (
        ("lab 09: not filtered", "09_noise_map", "--variant cpu_simd"),
        ("median 3 x 3", "10_noise_filter", "--filter median --ksize 3"),
        ("Gaussian 5 x 5", "10_noise_filter", "--filter gaussian --ksize 5"),
    ),
}
REQUESTS = {
    "03_cuda_global/naive.svg": "--variant naive --block 16",
    "03_cuda_global/coalesced.svg": "--variant coalesced --block 16",
}


def run(lab, options, out, **environment):
    """The file that `lab run` writes, of a clip the last frame."""
    command = [lab, "run", *options.split(), "--out", out]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    return sorted(Path(out).glob("*.png"))[-1] if out.endswith("/") else out


def save(figure, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=80, metadata={"Software": None})
    plt.close(figure)
    print(path)


def show(axis, image, title, size):
    axis.imshow(image, interpolation="nearest" if size == 12 else None)
    axis.set_title(title, fontsize=size)
    axis.set_axis_off()


def gallery(build, report, folder):
    figure, axes = plt.subplots(3, 3, figsize=(11, 8.4))
    for axis, options in zip(axes.flat, FILTERS):
        name, _, side = options.partition(" --ksize ")
        before = "--image scene:480p --variant simd --check --filter " + (options or "identity")
        image = plt.imread(run(f"{build}/labs/01_sequential/lab", before, f"{folder}/{name}.png"))[PART]
        show(axis, image, (f"{name} {side}x{side}" if side else name) or "before", 12)
    figure.subplots_adjust(0.01, 0.01, 0.99, 0.965, wspace=0.03, hspace=0.12)
    save(figure, report / "figures" / "gallery.png")


def frames(build, labs):
    for name, panels in FRAMES.items():
        figure, axes = plt.subplots(1, len(panels), figsize=(11, 6.2 / len(panels) + 0.3))
        for axis, (title, maker, options) in zip(axes, panels):
            with tempfile.TemporaryDirectory() as folder:
                last = run(f"{build}/labs/{maker}/lab", f"{CLIP} --check {options}", f"{folder}/")
                show(axis, plt.imread(last), title, 11)
        figure.subplots_adjust(0.005, 0.01, 0.995, 0.93, wspace=0.02)
        save(figure, labs / name)


def main(build, on_cpu, labs, report):
    with tempfile.TemporaryDirectory() as folder:
        gallery(build, Path(report), folder)
        frames(build, Path(labs))
        for name, options in REQUESTS.items():
            lab = f"{on_cpu}/counted/labs/{Path(name).parent}/lab"
            run(lab, f"{options} --image scene:480p", f"{folder}/out.png", CUDA_ON_CPU_COUNT_PICTURE=f"{labs}/{name}")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("usage: pictures.py BUILD ON_CPU LABS REPORT")
    try:
        main(*sys.argv[1:])
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: The pictures could not be drawn: {error}.")
