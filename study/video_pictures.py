# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Draws the pictures in the READMEs of the labs of video: a frame of the drawn clip and what the lab makes of it.

Every panel is a frame that `lab run --video` wrote, checked against the reference: video_pictures.py BUILD LABS.
"""

import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

CLIP = ["--video", "moving:853x480", "--length", "19"]  # the last of these frames is shown
# lab, file: the panels, each a title, the lab that makes it and its options; None: the clip itself.
PICTURES = {
    ("08_heat_map", "heat_map.png"): (
        ("frame 19 of `moving`", None, []),
        ("its change since frame 18", "08_heat_map", ["--variant", "cpu_simd"]),
    ),
    ("09_noise_map", "noise_map.png"): (
        ("v1, v2, grid: red on black", "09_noise_map", ["--variant", "grid"]),
        ("v3: over the previous frame", "09_noise_map", ["--variant", "v3"]),
    ),
    ("10_noise_filter", "marks.png"): (
        ("lab 09: not filtered", "09_noise_map", ["--variant", "cpu_simd"]),
        ("median 3 x 3", "10_noise_filter", ["--filter", "median", "--ksize", "3"]),
        ("Gaussian 5 x 5", "10_noise_filter", ["--filter", "gaussian", "--ksize", "5"]),
    ),
}


def last_frame(lab, options, folder):
    """The last frame that the lab writes."""
    subprocess.run(
        [lab, "run", *CLIP, "--check", *options, "--out", f"{folder}/"], check=True, stdout=subprocess.DEVNULL
    )
    return plt.imread(sorted(pathlib.Path(folder).glob("*.png"))[-1])


def main(build, labs):
    for (lab, name), panels in PICTURES.items():
        figure, axes = plt.subplots(1, len(panels), figsize=(11, 6.2 / len(panels) + 0.3))
        for axis, (title, maker, options) in zip(axes, panels):
            with tempfile.TemporaryDirectory() as folder:
                image = (
                    last_frame(f"{build}/labs/{maker}/lab", options, folder)
                    if maker
                    else last_frame(f"{build}/labs/01_sequential/lab", ["--filter", "identity"], folder)
                )
            axis.imshow(image)
            axis.set_title(title, fontsize=11)
            axis.set_axis_off()
        figure.subplots_adjust(0.005, 0.01, 0.995, 0.93, wspace=0.02)
        out = pathlib.Path(labs) / lab / name
        figure.savefig(out, dpi=80, metadata={"Software": None})
        plt.close(figure)
        print(out)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: video_pictures.py BUILD LABS")
    try:
        main(*sys.argv[1:])
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: The pictures could not be drawn: {error}.")
