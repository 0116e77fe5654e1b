# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Measures with `lab savings` what the filters of lab 10 save, and draws it: savings.py BUILD LABS.

The rows go to LABS/10_noise_filter/savings.csv, and a figure of them to savings.svg. The drawn clips are the same everywhere, so
everything but FFV1, which differs between versions of ffmpeg, is the same everywhere. Without ffmpeg both files stay as they are,
and the program says why.
"""

import csv
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

CLIPS = {
    "black": "the lens is covered",
    "static": "a still scene",
    "moving": "balloons pass",
    "panning": "the camera turns",
}
SIZE, FRAMES = "853x480", 20
NAMES = {"none": "none", "box": "mean", "gaussian": "Gaussian", "median": "median"}


def measure(build):
    """The rows of all clips, each with the clip's name."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for clip in CLIPS:
            path = pathlib.Path(folder) / f"{clip}.csv"
            options = f"savings --video {clip}:{SIZE} --length {FRAMES} --csv".split()
            command = [f"{build}/labs/10_noise_filter/lab", *options, path]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            with open(path, newline="") as file:
                rows += [{**row, "clip": clip} for row in csv.DictReader(file)]
    return rows


def name(row):
    return f"{NAMES[row['filter']]} {row['ksize']}".strip()


def draw(rows, path):
    """Bytes by filter, a panel per clip: what FFV1 needs, and the streams of two thresholds."""
    plt.rcParams.update({"svg.hashsalt": "convolab", "svg.fonttype": "none"})  # the same rows give the same bytes
    figure, axes = plt.subplots(1, len(CLIPS), figsize=(11, 3.8), sharey=True)
    series = (
        ("FFV1, lossless", "0", "ffv1_share", "s", "0.55"),
        ("stream, threshold 5", "5", "stream_share", "o", "tab:blue"),
        ("stream, threshold 20", "20", "stream_share", "^", "tab:red"),
    )
    for axis, (clip, title) in zip(axes, CLIPS.items()):
        for label, threshold, column, marker, colour in series:
            chosen = [r for r in rows if r["clip"] == clip and r["threshold"] == threshold and r[column]]
            shares = [100 * float(r[column]) for r in chosen]
            axis.plot([name(r) for r in chosen], shares, marker, color=colour, ms=5, label=label)
        axis.set_title(f"{clip}: {title}", fontsize=10)
        axis.tick_params(axis="x", rotation=90, labelsize=8)
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("bytes, % of the frames' own")
    axes[0].set_ylim(0, 100)
    axes[0].legend(fontsize=8, loc="upper right")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main(build, labs):
    folder = pathlib.Path(labs) / "10_noise_filter"
    rows = measure(build)
    if not all(row["ffv1_share"] for row in rows):
        print(f"{folder}/savings.* were left as they are: install an ffmpeg that writes FFV1 (tools/setup.sh ffmpeg)")
        return
    with open(folder / "savings.csv", "w", newline="") as file:
        columns = [column for column in rows[0] if column != "clip"]
        writer = csv.DictWriter(file, columns, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    draw(rows, folder / "savings.svg")
    print(folder / "savings.svg")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: savings.py BUILD LABS")
    try:
        main(*sys.argv[1:])
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: The savings could not be measured: {error}.")
