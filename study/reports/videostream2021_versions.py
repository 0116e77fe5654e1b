# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""videostream2021: the versions of its maps, the forms of its programs, and which rows of ours stand for them."""

from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

from ..measurements.published import Published
from ..measurements.rows import Row
from ..measurements.selection import Results

HEAT, NOISE = "08_heat_map", "09_noise_map"
SIZE = "1080p"
Form = Tuple[str, str]  # a kernel in originals.csv, and what is its own
FIRST, LATER = "at 0542d94", "at 95fa9f0"
BYTES_4, BYTES_16, BYTES_32 = (f"{count} bytes per read" for count in (4, 16, 32))  # int, int4, long4


@dataclass(frozen=True)
class Version:
    """One version of a map: its name in published.csv, the forms of the report's kernel, and ours."""

    published: str
    programs: Tuple[Form, ...]
    lab: str
    variant: str
    threads: int = 1024
    in_caption: int = 0  # threads by the report's caption, where its text has another number

    def originals(self, published: Published) -> Dict[str, float]:
        """The times (ms) of the forms of the report's own kernel."""
        found = {words: published.video(program, self.threads) for program, words in self.programs}
        return {words: ms for words, ms in found.items() if ms is not None}


HEAT_V3 = (("heat_map_paper_v3_int", BYTES_4), ("heat_map_v3_long4", BYTES_32))
HEAT_MAPS = {
    "Figure 3": Version("heatmap_v1_naive", (("heat_map_paper_v1", FIRST), ("heat_map_v1", LATER)), HEAT, "v1"),
    "Figure 5": Version("heatmap_v2_switching_frames", (("heat_map_v2_sinf_intrinsic", LATER),), HEAT, "v2"),
    "Figure 6": Version("heatmap_v3_int_access", HEAT_V3, HEAT, "v3"),
    "Figure 8": Version("heatmap_v3_int_access_718_threads", HEAT_V3, HEAT, "v3", 716, 718),
}


def _noise(published: str, variant: str, end: str = "") -> Version:
    program = f"noise_map_{variant}"
    return Version(published, ((f"{program}_int4{end}", BYTES_16), (f"{program}_long4{end}", BYTES_32)), NOISE, variant)


NOISE_MAPS = {
    "Figure 12": _noise("noise_visualizer_v1_red_black", "v1"),
    "Figure 13": _noise("noise_visualizer_v2_red_only", "v2"),
    "Figure 17": _noise("noise_visualizer_v3_overlay_previous", "v3", "_overlap"),
}


def _timed(results: Results, version: Version) -> List[Row]:
    """Timed rows of a map at 1080p."""
    return results.where(
        lambda row: row.timed
        and row.size == SIZE
        and row.backend == "cuda"
        and row.integer("block_threads") == version.threads,
        lab=version.lab,
        variant=version.variant,
    )


def rows_of(results: Results, versions: Dict[str, Version]) -> Dict[str, Optional[Row]]:
    """One row of each version. The noise maps' camera was covered (2.0.3): `black`, where all versions were timed with it."""
    found = {name: _timed(results, version) for name, version in versions.items()}
    covered = {name: [row for row in rows if row.image == "black"] for name, rows in found.items()}
    chosen = (
        covered
        if all(covered[name] or not rows for name, rows in found.items())
        else {name: [row for row in rows if row.image == "moving"] for name, rows in found.items()}
    )
    return {name: rows[0] if rows else None for name, rows in chosen.items()}


def turning_rows(results: Results, versions: Dict[str, Version]) -> Dict[str, Row]:
    """The row of each version of the noise map while the camera turns: about as many pixels change then, or more, as in
    the frames of the original program's times (study/README.md)."""
    found = {
        name: [row for row in _timed(results, version) if row.image == "panning"] for name, version in versions.items()
    }
    return {name: rows[0] for name, rows in found.items() if rows}


def copied(results: Results, lab: str, variant: str) -> Optional[Row]:
    """The row at 1080p of which the copies were timed; the sweep of the threads has none."""
    found = results.where(
        lambda row: row.size == SIZE and row.image == "moving" and bool(row.total_ms), lab=lab, variant=variant
    )
    return found[0] if found else None


def loop_ms(results: Results, row: Row) -> Optional[float]:
    """The time of the loop: with copies, where the row has it, else its kernel and the copies of `copied`."""
    if row.backend == "cpu":
        return row.ms
    if row.total_ms:
        return row.total_ms
    other = copied(results, row.lab, row.variant)
    return row.ms + (other.number["copy_in_ms"] or 0) + (other.number["copy_out_ms"] or 0) if other else None
