# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Rooflines: the variants of a processor that filter one picture, as points under two measured ceilings."""

from functools import partial
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ..figures import drawing
from ..figures.content import DASH, Figure, Table, joined, number, percent, short_name
from ..figures.series import describe
from ..measurements.rows import EMULATED, Row
from ..measurements.selection import Results, distinct, sizes

ENOUGH = 3  # variants for a figure


def _alone(row: Row) -> bool:
    """Whether the row is of one convolution on one processor or GPU, without copies."""
    return not row.with_copies and not row.filters and row.passes in ("", "1") and row.devices in ("", "1")


def _of_the_job(row: Row) -> bool:
    """Whether the row is of the job that is drawn, with a warm cache."""
    return (
        bool(row.number["operations"])
        and row.cold in ("", "0")
        and (row.filter, row.ksize, row.border, row.image) == ("gaussian", "5", "replicate", "scene")
    )


def _why_not(rows: Sequence[Row], at: str) -> str:
    """Why a variant with these timed rows is no point of the roofline of this size."""
    if all(row.with_copies for row in rows):
        return "timed with their copies"
    if not any(map(_alone, rows)):
        return "chains of filters, several passes or devices"
    if not any(_alone(row) and _of_the_job(row) for row in rows):
        return "not the 5x5 Gaussian of the scene"
    return f"no time of this job at {at} in the protocol"


def left_out(results: Results, device: str, drawn: Sequence[Row]) -> str:
    """Which variants that were timed on the device are no points, and why, in a sentence."""
    timed: Dict[Tuple[str, str], List[Row]] = {}
    for row in results.rows:
        if row.timed and row.device == device:
            timed.setdefault((row.lab, row.variant), []).append(row)
    points = {(row.lab, row.variant) for row in drawn}
    reasons: Dict[str, Dict[str, List[str]]] = {}
    for (lab, variant), rows in sorted(timed.items()):
        if (lab, variant) not in points:
            reasons.setdefault(_why_not(rows, drawn[0].size_name), {}).setdefault(lab, []).append(variant)
    every = {lab: sum(of == lab for of, _ in timed) for lab, _ in timed}
    named = []
    for why, labs in reasons.items():
        parts = [f"{joined(variants)} of lab {lab[:2]}" for lab, variants in labs.items() if len(variants) < every[lab]]
        whole = [lab[:2] for lab, variants in labs.items() if len(variants) == every[lab]]
        parts += [f"lab{'s' * (len(whole) > 1)} {joined(whole)}"] * bool(whole)
        named.append(f"{joined(parts)} ({why})")
    return f"Left out: {'; '.join(named)}." if named else "No variant that was timed here is left out."


def _best(results: Results, device: str) -> List[Row]:
    """The fastest row of each variant on a device: 5x5 Gaussian of bytes, or of the type that the
    variant has; the largest size that most variants have."""
    rows = [row for row in results.bench if row.timed and row.device == device and _alone(row) and _of_the_job(row)]
    at: Dict[Tuple[int, str], Dict[Tuple[str, str], Row]] = {}
    for row in rows:
        found = at.setdefault((row.pixels, row.size_name), {})
        name = row.lab, row.variant
        found[name] = min(found.get(name, row), row, key=lambda one: one.ms)
    if not at:
        return []
    most = max(len(found) for found in at.values())
    size = max(size for size in sizes(rows) if len(at[size]) == most)
    return list(at[size].values())


def _highest(results: Results, device: str) -> Optional[Row]:
    """The row with the most operations per second of any timed row on the device."""
    rows = [
        row
        for row in results.rows
        if row.timed and row.device == device and _alone(row) and row.number["operations"] and row.backend != EMULATED
    ]
    return max(rows, key=lambda row: row.rate("operations"), default=None)


def _spread_labels(values: Sequence[float], step: float) -> List[float]:
    """Where labels of ascending values stand: each at least a factor above the one before."""
    placed: List[float] = []
    for value in values:
        placed.append(max(value, placed[-1] * step) if placed else value)
    return placed


def _draw(rows: List[Row], copy: float, top: Row, where: str, others: str) -> Any:
    rows = sorted(rows, key=lambda row: row.rate("operations"))
    rates = [row.rate("operations") for row in rows]
    figure, axes = drawing.canvas(max(4.2, 1.6 + 0.21 * len(rows)))
    panel = axes[0, 0]
    panel.set_xscale("log")
    panel.set_yscale("log")
    peak = top.rate("operations")
    low = min(rates) / 2
    step = max(1.3, (2 * peak / low) ** (1 / (len(rows) + 2)))
    labels = _spread_labels(rates, min(step, 1.5))
    panel.plot([1, peak / copy], [copy, peak], "--", color="0.35")
    panel.plot([peak / copy, 400], [peak, peak], ":", color="0.35")
    panel.text(
        1.1,
        copy * 1.25,
        f"copy: {number(copy)} GB/s",
        fontsize=8,
        color="0.3",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
    )
    panel.text(
        1.1,
        peak * 1.12,
        f"most operations of one filter: {number(peak)} Gop/s, {top.lab} {top.variant}, K {top.ksize}",
        fontsize=8,
        color="0.3",
    )
    for row, rate, label in zip(rows, rates, labels):
        colour, marker = drawing.look_of(f"{row.lab} {row.variant}")
        intensity = (row.number["operations"] or 0) / (row.number["bytes"] or 1)
        panel.plot([intensity], [rate], marker, color=colour, markerfacecolor="white" if row.is_noisy else colour)
        panel.plot([intensity, 55], [rate, label], "-", color="0.75", linewidth=0.6, zorder=0)
        kind = f" ({row.type})" if row.type != "uint8" else ""
        panel.text(
            57,
            label,
            f"{row.lab[:2]} {row.variant}{kind}, {number(rate)}",
            va="center",
            fontsize=7.5,
            color=colour,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4},
        )
    panel.set(
        xlabel="operations per byte",
        ylabel="operations (Gop/s)",
        xlim=(1, 400),
        ylim=(low, max(peak * 2.5, labels[-1] * 1.5)),
    )
    drawing.plain(panel.xaxis)
    drawing.plain(panel.yaxis)
    return drawing.finish(
        figure,
        f"Roofline at {rows[0].size_name}: {where}",
        describe(
            rows,
            "Points: of each variant that filters one picture once its fastest "
            f"configuration, without copies. {others} Operations: 2 K^2 per sample, also of separable variants, "
            "which need fewer. Bytes: each input sample read once, each output "
            "sample written once.",
            bars=False,
        ),
    )


def _of_device(results: Results, device: str) -> List[Any]:
    rows, top = _best(results, device), _highest(results, device)
    copy = max((results.ceiling(row) or 0 for row in rows), default=0)
    if len(rows) < ENOUGH or top is None or not copy:
        return [
            f"Not measured: a roofline of {device} of machine {results.machine} needs "
            f"{ENOUGH} variants at one size, and a copy."
        ]
    at, peak = rows[0].size_name, top.rate("operations")
    lines = []
    for row in sorted(rows, key=lambda row: -row.rate("operations")):
        intensity = (row.number["operations"] or 0) / (row.number["bytes"] or 1)
        roof = min(copy * intensity, peak)
        lines.append(
            [
                f"{row.lab} {row.variant}",
                row.type,
                f"{intensity:g}",
                number(row.rate("operations")),
                percent(row.rate("operations") / roof),
                "copy" if copy * intensity < peak else "operations",
            ]
        )
    name = f"roofline_{device}_{results.machine}" if device not in results.machine else (f"roofline_{results.machine}")
    where = short_name(results.machine if device in results.machine else device)
    return [
        Figure(
            name,
            f"Roofline of {where} at {at}: the variants that filter one picture, under the measured copy and the highest "
            "rate of operations.",
            partial(_draw, rows, copy, top, where, left_out(results, device, rows)),
        ),
        Table(
            name,
            f"{where}, {at}: operations per byte and per second, and the share of the roof above.",
            ["variant", "type", "operations per byte", "Gop/s", "of the roof", "the roof"],
            lines or [[DASH] * 6],
            left=2,
            fold=True,
        ),
    ]


def rooflines(machines: Sequence[Results]) -> List[Any]:
    """Figure and table of every processor of every machine."""
    items: List[Any] = []
    for results in machines:
        timed = [row for row in results.bench if row.timed and row.backend != EMULATED and not row.with_copies]
        for device in distinct(timed, "device"):
            items += _of_device(results, device)
    return items or ["Not measured: a roofline."]
