# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""One colour and one marker per variant, in every figure."""
from typing import List, Sequence, Tuple

import matplotlib

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6BB1",
           "#999933", "#882255")
MARKERS = "osD^vPX*<>"
# One colour and marker per variant, in every figure: positions in the lists above. The variants of one
# lab differ; a variant of another name takes the place of its turn.
LOOK = {name: place for lab in (
    "nested flat bounds aos soa separable simd",
    "rows grid blocks queue - - simd_rows",
    "padded naive coalesced - - - - gray",
    "- - - - - unrolled",
    "inner_tile input_tile two_batch filter_in_constant two_batch_global filter_in_shared packed "
    "two_batch_gray n_batch",
    "pinned pageable streams graph multi_gpu - frames",
    "two_pass two_pass_tile fused",
    "cpu columns fused v1 v2 v3 table cpu_simd cpu_threads list",
    "- - - tile - - count",
    "halo - overlap scatter wide_halo io gpu gpu_overlap gpu_direct gpu_nccl")
    for place, name in enumerate(lab.split()) if name != "-"}


def looks(labels: Sequence[str]) -> List[Tuple[str, str]]:
    """(colour, marker) of each label. The first word that is a variant decides; labels of sizes or
    filter sides go from light to dark."""
    found = [next((LOOK[word] for word in label.replace(",", " ").split() if word in LOOK), None)
             for label in labels]
    if labels and all(place is None for place in found) and all(
            label[:1].isdigit() or label[:2] in ("K ", "T ") for label in labels):
        shades = matplotlib.colormaps["cividis_r"] if hasattr(matplotlib, "colormaps") else (
            matplotlib.cm.get_cmap("cividis_r"))
        span = max(1, len(labels) - 1)
        return [(matplotlib.colors.to_hex(shades(0.15 + 0.85 * index / span)),
                 MARKERS[index % len(MARKERS)]) for index in range(len(labels))]
    taken = {place for place in found if place is not None}
    free = [place for place in range(len(PALETTE)) if place not in taken] or [0]
    result = []
    for place in found:
        if place is None:
            place = free.pop(0) if len(free) > 1 else free[0]
        result.append((PALETTE[place], MARKERS[place]))
    return result
