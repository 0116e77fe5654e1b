# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""More processors on one picture: several GPUs of one host (lab 06)."""

from typing import List, Sequence

from ..figures.content import DASH, NOISY, Section, Table, number, percent, times
from ..figures.series import describe_hardware, runs
from ..measurements.selection import Results

LAB = "06_async_streams"


def tables(results: Results) -> List[Table]:
    """A table of the variants of lab 06 that ran on several GPUs, beside `frames` on one."""
    rows = [row for row in results.where(lab=LAB, backend="cuda") if row.timed]
    many = [row for row in rows if int(row.devices or 1) > 1]
    if not many:
        return []
    lines, shown = [], list(many)
    for row in sorted(many, key=lambda row: (row.pixels, row.variant, int(row.devices), row.ms)):
        same = [
            one
            for one in rows
            if one.variant in ("frames", "chain", row.variant)
            and int(one.devices or 1) == 1
            and one.filters == row.filters
            and one.with_copies == row.with_copies
            and (one.pixels, one.filter, one.ksize) == (row.pixels, row.filter, row.ksize)
        ]
        own = [one for one in same if one.variant == row.variant] or same
        base = min(own, key=lambda one: one.ms, default=None)
        gain = base.ms / row.ms if base else None
        if base and all(base is not one for one in shown):
            shown.append(base)
        settings = ", ".join(
            f"{row.text[name]} {words}"
            for name, words in (
                ("filters", "filter" if row.filters == "1" else "filters"),
                ("halo_passes", "filters per halo"),
                ("in_flight", "in flight"),
                ("bands", "bands"),
                ("streams", "streams"),
            )
            if row.text[name]
        )
        lines.append(
            [
                row.variant,
                row.size_name,
                settings,
                row.devices,
                number(row.ms) + NOISY * row.is_noisy,
                number(row.total_ms) if not row.with_copies else DASH,
                f"{number(base.ms)} ({base.variant})" if base else "not measured",
                times(gain),
                percent(gain / int(row.devices) if gain else None),
            ]
        )
    return [
        Table(
            "several_gpus",
            f"{max(int(row.devices) for row in many)} GPUs, {describe_hardware(many)}: time per picture, with copies where they have no "
            f"column; speed-up over one GPU. {runs(shown)}",
            ["variant", "size", "settings", "GPUs", "ms", "with copies ms", "on one GPU ms", "speed-up", "efficiency"],
            lines,
            left=3,
        )
    ]


def several_gpus(machines: Sequence[Results]) -> Section:
    """The rows of lab 06 on several GPUs, of every machine that has them."""
    items = [item for results in machines for item in tables(results)]
    return Section("Several GPUs", items or ["Not measured: lab 06 on several GPUs of one host."], rows=[])
