# SPDX-License-Identifier: MIT
"""What an answer for the CPU may not contain, because it hides a mistake or avoids the lesson."""

import re
import tempfile
from pathlib import Path

import programs
from result import run

MOST_BYTES = 65536  # of an array that is no picture; as in common/exercise/variables.hpp


def of_sanitizers(exercise, answer):
    """A list of one sentence, or of none."""
    found = re.search(r"no_sanitize\w*|__[a-z]+san_\w+", answer.read_text())
    if not found or exercise.is_cuda:
        return []
    return [f"{found[0]} keeps the sanitizers from finding mistakes; leave it out"]


def of_vectors(exercise, answer):
    """A sentence about what undoes a flag with which the answer is timed, or ""."""
    words = r"\boptimize(?= *[(\x22])|\btarget(?= *\()|immintrin|\w+_neon|vector_size|omp simd|experimental/simd"
    found = re.search(words, answer.read_text())
    if not found or not exercise.timed_flags():
        return ""
    return f"{found[0]} gives vector instructions; this goal is to be reached without them"


def large_arrays(exercise, answer):
    """A sentence for each variable that could contain a picture, but none that is larger."""
    with tempfile.TemporaryDirectory() as folder:
        object_file = Path(folder, "answer.o")
        programs.build([*programs.compiler(exercise), "-O1", "-I.", "-c", str(answer), "-o", str(object_file)])
        symbols = re.findall(r"^\w+ (\w+) [bBdDrR] (.+)$", run(["nm", "-S", "-C", str(object_file)]).text, re.MULTILINE)
    return [
        f"the array {name} is as large as a picture of one size, and a larger one does not fit. "
        "The answer needs no such array."
        for size, name in symbols
        if int(size, 16) > MOST_BYTES
    ]
