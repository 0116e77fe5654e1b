# SPDX-License-Identifier: MIT
"""One colour and one marker per variant, in every figure."""

import re
from typing import Dict, List, Sequence, Tuple

import matplotlib

from tools.plots.style import PALETTE

MARKERS = "osD^vPX*<>"
# The variants of each lab in the order of the lists above; - leaves a place free. Two variants that one figure draws have two
# places: those of one lab, and those of several labs that an artefact of a report compares.
PLACES = {
    "01_sequential": "nested flat bounds aos soa separable simd fft",
    "02_pthread": "rows grid blocks queue openmp simd_created - simd_rows",
    "03_cuda_global": "padded naive plain aos soa texture coalesced gray register_tile fft",
    "04_cuda_constant": "- - - - soa unrolled padded - gray aos",
    "05_cuda_shared": "inner_tile input_tile two_batch filter_in_constant two_batch_global filter_in_shared packed - "
    "n_batch two_batch_gray",
    "06_async_streams": "pinned pageable streams graph multi_gpu frames chain chain_cpu peer_bands",
    "07_separable": "two_pass two_pass_tile fused packed running_sums",
    "08_heat_map": "cpu grid - v1 v2 v3 table cpu_simd cpu_threads",
    "09_noise_map": "cpu grid - v1 v2 v3 count cpu_simd cpu_threads list",
    "10_noise_filter": "cpu columns fused tile - - count cpu_simd cpu_threads",
    "11_mpi": "halo grid overlap scatter wide_halo io gpu gpu_overlap gpu_direct gpu_nccl",
    "12_tensor": "toeplitz dense sparse march tensor im2col pipeline shared cublas wgmma",
}
LOOK: Dict[str, int] = {
    f"{lab} {variant}": place
    for lab, variants in PLACES.items()
    for place, variant in enumerate(variants.split())
    if variant != "-"
}
Look = Tuple[str, str]  # colour, marker
SIZES = ("480p", "720p", "1080p", "1440p", "4k", "8k")
SHADED = re.compile(r"(?:[KT] )?(\d+)")


def looks(named: Sequence[Tuple[str, str]]) -> List[Look]:
    """The look of each (label, variant as "03_cuda_global naive", or nothing).

    Variants that are not in the list, and what is no variant, take the places that are left, in turn. Where nothing
    is a variant, labels of sizes and filter sides go from light to dark: large is dark, in whatever order they stand."""
    if named and all(not variant and SHADED.match(label) for label, variant in named):
        return _shades([label for label, _ in named])
    places = {variant: LOOK[variant] for _, variant in named if variant in LOOK}
    free = [place for place in range(len(PALETTE)) if place not in places.values()] or [0]
    for name in dict.fromkeys(variant or label for label, variant in named if variant not in LOOK):
        places[name] = free.pop(0) if len(free) > 1 else free[0]
    return [(PALETTE[place], MARKERS[place]) for place in (places[variant or label] for label, variant in named)]


def look_of(variant: str) -> Look:
    """The look of one variant."""
    return looks([(variant, variant)])[0]


def _large(label: str) -> float:
    """What a shaded label is ordered by: lines of the size, or the number."""
    found = SHADED.match(label)
    value = float(found[1]) if found else 0.0
    return 540 * value if label.endswith("k") else value


def _shades(labels: Sequence[str]) -> List[Look]:
    """One of the sizes of the protocol has its own shade; other labels share out the scale."""
    order: Sequence[str] = SIZES if set(labels) <= set(SIZES) else sorted(labels, key=_large)
    colours = (
        matplotlib.colormaps["cividis_r"] if hasattr(matplotlib, "colormaps") else (matplotlib.cm.get_cmap("cividis_r"))
    )
    span = max(1, len(order) - 1)
    places = [order.index(label) for label in labels]
    return [
        (matplotlib.colors.to_hex(colours(0.15 + 0.85 * place / span)), MARKERS[place % len(MARKERS)])
        for place in places
    ]
