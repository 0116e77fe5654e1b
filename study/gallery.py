# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Draws report/figures/gallery.png: the scene before and after each filter (delbimbo2024, Fig. 1).

Every panel is the output of `lab run`, checked against the reference: gallery.py LAB SCENE OUT.
"""

import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

FILTERS = (
    ("", "before"),
    ("gaussian --ksize 9", "gaussian 9x9"),
    ("box --ksize 9", "box 9x9"),
    ("sharpen", "sharpen"),
    ("unsharp", "unsharp"),
    ("edge", "edge"),
    ("emboss", "emboss"),
    ("sobel_x", "sobel_x"),
    ("sobel_y", "sobel_y"),
)
# Where the chart, the cabin and the mountains meet: columns and rows of the 853x480 scene.
PART = (slice(190, 450), slice(330, 720))


def main(lab, scene, out):
    figure, axes = plt.subplots(3, 3, figsize=(11, 8.4))
    with tempfile.TemporaryDirectory() as folder:
        for axis, (options, title) in zip(axes.flat, FILTERS):
            path = pathlib.Path(scene)
            if options:
                path = pathlib.Path(folder) / f"{title}.png"
                command = [
                    lab,
                    "run",
                    "--image",
                    scene,
                    "--out",
                    path,
                    "--variant",
                    "simd",
                    "--check",
                    "--filter",
                    *options.split(),
                ]
                subprocess.run([str(c) for c in command], check=True, stdout=subprocess.DEVNULL)
            axis.imshow(plt.imread(path)[PART], interpolation="nearest")
            axis.set_title(title, fontsize=12)
            axis.set_axis_off()
    figure.subplots_adjust(0.01, 0.01, 0.99, 0.965, wspace=0.03, hspace=0.12)
    pathlib.Path(out).parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(out, dpi=80, metadata={"Software": None})
    print(out)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: gallery.py LAB SCENE OUT")
    try:
        main(*sys.argv[1:])
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: The gallery could not be drawn: {error}.")
