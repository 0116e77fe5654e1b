# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Draws what a warp asks of memory in labs 03 and 05, with `make count`'s programs: request_pictures.py BUILD LABS.

Each picture is of the line that costs its kernel most, in a block in the middle of the scene at 480p. Nothing is timed, so
the pictures are the same everywhere.
"""

import os
import subprocess
import sys
import tempfile

PICTURES = (
    ("03_cuda_global", "naive", "16", "naive.svg"),
    ("03_cuda_global", "coalesced", "16", "coalesced.svg"),
    ("05_cuda_shared", "two_batch", "16", "two_batch_16.svg"),
    ("05_cuda_shared", "two_batch", "32", "two_batch_32.svg"),
)


def main(build, labs):
    with tempfile.TemporaryDirectory() as folder:
        for lab, variant, block, picture in PICTURES:
            environment = dict(os.environ, CUDA_ON_CPU_COUNT_PICTURE=f"{labs}/{lab}/{picture}")
            subprocess.run(
                [
                    f"{build}/counted/labs/{lab}/lab",
                    "run",
                    "--variant",
                    variant,
                    "--block",
                    block,
                    "--image",
                    "scene:480p",
                    "--out",
                    f"{folder}/out.png",
                ],
                check=True,
                env=environment,
                stdout=subprocess.DEVNULL,
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
