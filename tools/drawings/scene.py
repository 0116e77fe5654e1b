# SPDX-License-Identifier: MIT
"""Draws the pictures of the report and of the labs' READMEs from what the labs write: scene.py BUILD ON_CPU LABS REPORT.

The scene before and after each filter (REPORT/figures/gallery.png; delbimbo2024, Fig. 1), frames of the drawn clip and what the
labs of video make of them, and what a warp asks of memory, with the programs of `make count` in ON_CPU, in a block in the
middle of the scene at 480p. Every output is checked against the reference and nothing is timed: the same everywhere.

And what the filters of lab 10 save, measured with `lab savings`: 10_noise_filter/savings.csv, and a figure of these rows. Only FFV1
differs between versions of ffmpeg; without ffmpeg both files stay as they are."""

import csv
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
# The blue balloon there, with and without the sky beside it: rows and columns.
BALLOON = (slice(65, 155), slice(60, 220))
SQUARE = (slice(65, 155), slice(93, 183))
# The file: its panels, each a title, the lab that makes it, its options, and the part that is shown.
FRAMES = {
    "08_heat_map/heat_map.png": (
        ("frame 19 of the clip moving", "01_sequential", "--filter identity", ...),
        ("change since frame 18, in the white frame", "08_heat_map", "--variant cpu_simd", BALLOON),
    ),
    "09_noise_map/noise_map.png": (
        ("v1, v2, grid: red on black", "09_noise_map", "--variant grid", BALLOON),
        ("v3: over the previous frame", "09_noise_map", "--variant v3", BALLOON),
    ),
    "10_noise_filter/marks.png": (
        ("lab 09: not filtered", "09_noise_map", "--variant cpu_simd", SQUARE),
        ("median 3 x 3", "10_noise_filter", "--filter median --ksize 3", SQUARE),
        ("Gaussian 5 x 5", "10_noise_filter", "--filter gaussian --ksize 5", SQUARE),
    ),
}
REQUESTS = {
    "03_cuda_global/naive.svg": "--variant naive --block 16",
    "03_cuda_global/coalesced.svg": "--variant coalesced --block 16",
}

CLIPS = {
    "black": "the lens is covered",
    "static": "a still scene",
    "moving": "balloons pass",
    "panning": "the camera turns",
}
SERIES = (
    ("FFV1, lossless", "0", "ffv1_share", "s", "0.55"),
    ("stream, threshold 5", "5", "stream_share", "o", "tab:blue"),
    ("stream, threshold 20", "20", "stream_share", "^", "tab:red"),
)


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
    axis.imshow(image, interpolation="nearest" if len(image) < 400 else None)
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
        images = []
        for _, maker, options, part in panels:
            with tempfile.TemporaryDirectory() as folder:
                last = run(f"{build}/labs/{maker}/lab", f"{CLIP} --check {options}", f"{folder}/")
                images.append(plt.imread(last)[part])
        height, width, _ = images[-1].shape
        figure, axes = plt.subplots(1, len(panels), figsize=(11, 11 / len(panels) * height / width + 0.3))
        for axis, (title, *_, part), image in zip(axes, panels, images):
            show(axis, image, title, 11)
            if part is ...:
                rows, columns = BALLOON
                corner, high = (columns.start, rows.start), rows.stop - rows.start
                wide = columns.stop - columns.start
                axis.add_patch(plt.Rectangle(corner, wide, high, fill=False, edgecolor="white", linewidth=1.5))
        figure.subplots_adjust(0.005, 0.01, 0.995, 0.93, wspace=0.02)
        save(figure, labs / name)


def measure(build):
    """The rows of all clips, each with the clip's name."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for clip in CLIPS:
            path = f"{folder}/{clip}.csv"
            options = ("savings", "--video", f"{clip}:853x480", "--length", "20", "--csv", path)
            subprocess.run([f"{build}/labs/10_noise_filter/lab", *options], check=True, stdout=subprocess.DEVNULL)
            with open(path, newline="") as file:
                rows += [{**row, "clip": clip} for row in csv.DictReader(file)]
    return rows


def draw_savings(rows, path):
    """Bytes by filter, a panel per clip: what FFV1 needs, and the streams of two thresholds."""
    plt.rcParams.update({"svg.hashsalt": "convolab", "svg.fonttype": "none"})  # the same rows give the same bytes
    figure, axes = plt.subplots(2, 2, figsize=(7, 5.6), sharex=True, sharey=True)
    for axis, (clip, title) in zip(axes.flat, CLIPS.items()):
        for label, threshold, column, marker, colour in SERIES:
            chosen = [r for r in rows if r["clip"] == clip and r["threshold"] == threshold and r[column]]
            names = [
                f"{r['filter'].replace('gauss', 'Gauss').replace('box', 'mean')} {r['ksize']}".strip() for r in chosen
            ]
            axis.plot(names, [100 * float(r[column]) for r in chosen], marker, color=colour, ms=5, label=label)
        axis.set_title(f"{clip}: {title}", fontsize=10)
        axis.tick_params(axis="x", rotation=90, labelsize=9)
        axis.grid(alpha=0.3)
    for axis in axes[:, 0]:
        axis.set_ylabel("bytes, % of the frames")
    axes[0, 0].set_ylim(0, 100)
    axes[0, 0].legend(fontsize=9, loc="upper right")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def savings(build, labs):
    folder, rows = Path(labs) / "10_noise_filter", measure(build)
    if not all(row["ffv1_share"] for row in rows):
        print(f"{folder}/savings.* were left as they are: install an ffmpeg that writes FFV1 (tools/setup.sh ffmpeg)")
        return
    with open(folder / "savings.csv", "w", newline="") as file:
        columns = [column for column in rows[0] if column != "clip"]
        writer = csv.DictWriter(file, columns, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    draw_savings(rows, folder / "savings.svg")
    print(folder / "savings.svg")


def main(build, on_cpu, labs, report):
    with tempfile.TemporaryDirectory() as folder:
        gallery(build, Path(report), folder)
        frames(build, Path(labs))
        for name, options in REQUESTS.items():
            lab = f"{on_cpu}/counted/labs/{Path(name).parent}/lab"
            run(lab, f"{options} --image scene:480p", f"{folder}/out.png", CUDA_ON_CPU_COUNT_PICTURE=f"{labs}/{name}")
    savings(build, labs)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("usage: scene.py BUILD ON_CPU LABS REPORT")
    try:
        main(*sys.argv[1:])
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: The pictures could not be drawn: {error}.")
