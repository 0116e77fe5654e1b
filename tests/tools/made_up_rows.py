# SPDX-License-Identifier: MIT
"""Made-up measurements for the tests, written as the labs write them; never to be published."""

import zlib
from collections.abc import Iterable
from pathlib import Path

from report.make.plots.columns import labs_columns
from report.make.plots.files import ROOT, read_table  # noqa: F401
from report.make.plots.sessions import NAME, text_of

HEADER = list(labs_columns().kinds)
SIZES = {
    "480p": (853, 480),
    "720p": (1280, 720),
    "1080p": (1920, 1080),
    "1440p": (2560, 1440),
    "4k": (3840, 2160),
    "8k": (7680, 4320),
}


def row(lab: str, variant: str, size: str, ms: float, /, **changes: str) -> dict[str, str]:
    """One timed row; any column can be changed by name."""
    width, height = SIZES[size]
    moved = 2 * 3 * width * height
    rate = moved / ms / 1e6 if ms else 0.0
    fields = dict.fromkeys(HEADER, "")
    fields.update(
        lab=lab,
        variant=variant,
        backend="cpu",
        machine="toy",
        device="Toy CPU, 2 cores",
        compiler="g++ 12.2.0",
        flags="-O3",
        build="abc",
        image="scene",
        size=size,
        width=str(width),
        height=str(height),
        channels="3",
        type="uint8",
        layout="interleaved",
        filter="gaussian",
        ksize="5",
        border="replicate",
        iterations="100",
        warmup="3",
        cold="0",
        kernel_ms_median=f"{ms:.6f}",
        kernel_ms_p05=f"{ms:.6f}",
        kernel_ms_p95=f"{ms:.6f}",
        bytes=str(moved),
        operations=str(50 * 3 * width * height),
        gb_per_s=f"{rate:.6f}",
        copy_gb_per_s="20.0",
        noisy="0",
        status="ok",
        revision="r1",
        dirty="0",
        date="2026-01-02T03:04:05Z",
    )
    if changes.get("status", "ok") != "ok":
        for name in fields:
            if name.startswith(("kernel_ms", "total_ms", "gb_")):
                fields[name] = ""
    fields.update(changes)
    if changes.get("width", "").isdigit() and fields["bytes"]:
        samples = int(fields["width"]) * int(fields["height"]) * int(fields["channels"])
        fields["bytes"] = str(samples * (2 if fields["type"] == "uint8" else 8))
        fields["operations"] = str(samples * 2 * int(fields["ksize"]) ** 2)
    return fields


def as_written(fields: dict[str, str]) -> dict[str, str]:
    """The row with its settings in one column and the key of its session."""
    files = labs_columns().files
    settings = " ".join(f"{name}={fields[name]}" for name in files["settings"] if fields[name])
    key = zlib.crc32(repr([fields[name] for name in files["sessions"] if name != "session"]).encode())
    return {**fields, "settings": settings, "session": f"s{key:08x}"}


def write(path: Path, rows: Iterable[dict[str, str]]) -> None:
    """A CSV file as the labs write it, and its sessions beside it."""
    rows = [as_written(one) for one in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    sessions = path.with_name(NAME)
    there = [session for _, session in read_table(sessions, ())] if sessions.exists() else []
    sessions.write_bytes(text_of("sessions", [*there, *rows]))
    path.write_bytes(text_of("timing", rows))
