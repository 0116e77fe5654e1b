# SPDX-License-Identifier: MIT
"""Reading what the selectors of an artefact name: our rows, the times of the report's program, the published numbers."""

import math
from dataclasses import replace
from typing import Any, Dict, Iterable, List, Mapping, Sequence, Tuple

from tools.plots.rows import Row

from ..figures.content import grouped
from ..measurements.points import fits
from ..measurements.published import Published, ariano_size
from ..measurements.results import Results
from .seen import ORIGINAL, OURS, PUBLISHED, Gathered, Place, Seen, best_of
from .specification import FIRST, Specification

PER_TAP, FLOATS = 2, ("cazzola2024", "chisci2024")  # operations; reports whose samples have 4 bytes


def _place(fields: Mapping[str, Any], pixels: int, size: str) -> Place:
    names = ("width", "ksize", "block", "threads", "block_threads", "streams", "bands")
    return {"size": size, "pixels": pixels, **{name: int(fields[name]) if fields.get(name) else None for name in names}}


def _of_row(series: str, form: str, row: Row) -> Seen:
    amounts = [row.number[name] or 0 for name in ("bytes", "operations")]
    ms = row.ms if row.timed else 0.0
    return Seen(OURS, series, form, _place(row.text, row.pixels, row.size_name), ms, row, "ms", row.variant, *amounts)


def _of_program(series: str, form: str, line: Mapping[str, str]) -> Seen:
    pixels = int(line["width"]) * int(line["height"])
    samples = pixels * int(line["channels"])
    ms = float(line["mean_us"]) / 1e3
    share = float(line.get("ms", ms)) / ms  # of the channels that our variant has
    amounts = {"bytes": (8 if line["report"] in FLOATS else 2) * samples * share}
    amounts["operations"] = PER_TAP * samples * share * int(line["ksize"]) ** 2
    place = _place(line, pixels, line["size"])
    return Seen(ORIGINAL, series, form, place, ms * share, name=line["program"], source=line, **amounts)


def _of_value(series: str, form: str, line: Mapping[str, str]) -> Seen:
    size = ariano_size(line["size"]) if line["report"] == "ariano2023" else ""
    pixels = math.prod(map(int, size.split("x"))) if size else 0
    place, value = _place(line, pixels, line["size"]), float(line["value"])
    return Seen(PUBLISHED, series, form, place, value, unit=line["unit"], name=line["hardware"], source=line)


def _first_of_each(seen: Iterable[Seen], best: bool) -> List[Seen]:
    """Where two selectors of one series have the same place, the first counts, or all where the best is looked for."""
    found: Dict[Any, Seen] = {}
    for count, one in enumerate(seen):
        found.setdefault((one.series, one.form, *one.at.values(), count if best else 0), one)
    return list(found.values())


def _complete(specification: Specification, seen: List[Seen]) -> List[Seen]:
    """Without lines of one point, which say nothing, and, where that is asked for, without sizes that a series lacks."""
    axis, column = specification["x"], specification["line"]
    if column:
        ends = {(one.at[column], one.at[axis]) for one in seen}
        return [one for one in seen if sum(one.at[column] == of for of, _ in ends) > 1]
    if specification["every series"] == "at each size":
        there = {(one.series, one.at["size"]) for one in seen}
        labels = {name for name, *_ in specification.selectors("variants")}
        return [one for one in seen if all((name, one.at["size"]) in there for name in labels)]
    return seen


def gather(specification: Specification, results: Results, published: Published) -> Gathered:
    """Reads what the selectors of an artefact name."""
    found = Gathered(specification, results)
    mine = []
    for series, form, selector in specification.selectors("variants"):
        rows = results.of_one_run(
            lambda row: fits(row.text, selector) and (row.timed or row.status == "unsupported")  # noqa: B023
        )
        mine += [_of_row(series, form, row) for row in rows]
    best = specification.has("best")
    timed = _complete(specification, _first_of_each((one for one in mine if one.row.timed), best))
    there = {(one.series, *one.at.values()) for one in timed}
    found.unsupported = [one for one in mine if not one.row.timed and (one.series, *one.at.values()) not in there]
    every = [*timed, *_programs(specification, published), *_values(specification, published)]
    found.seen = _with_bases(specification, results, every)
    return found


def _programs(specification: Specification, published: Published) -> List[Seen]:
    """Times of the report's own program: of the kernels that our variants stand for, or of those that the artefact names."""
    own = specification.selectors("original")
    chosen = [(series, form, {"size": "1080p", **selector}) for series, form, selector in own]
    if specification.report != "videostream2021":
        more = next((selector for *_, selector in own), {})
        names = ("lab", "variant", "ksize", "block", "size")
        ours = specification.selectors("variants")
        chosen = [(*one, {**{name: fields[name] for name in names if name in fields}, **more}) for *one, fields in ours]
    return [
        _of_program(series, form, line)
        for series, form, fields in chosen
        for line in published.lines
        if line["report"] == specification.report and fits(line, fields)
    ]


def _values(specification: Specification, published: Published) -> List[Seen]:
    """The published numbers."""
    return [
        _of_value(series, form, line)
        for series, form, selector in specification.selectors("published")
        for line in published.values
        if line["report"] == specification.report and fits(line, selector)
    ]


def _with_bases(specification: Specification, results: Results, seen: Sequence[Seen]) -> List[Seen]:
    """The numbers with what their speed-ups are over: a variant of lab 01 with the same job, or the rows of a selector of
    the same size."""
    if not specification["over"]:
        return list(seen)
    if specification["over"] == FIRST:
        return _over_first(specification, seen)
    there = {
        row.size_name: row
        for *_, selector in (specification.selectors("over") if ": " in specification["over"] else ())
        for row in results.of_one_run(lambda one: fits(one.text, selector) and one.timed)  # noqa: B023
    }
    bases: Dict[Any, Seen] = {}
    for one in seen:
        if one.row is not None:
            base = there.get(one.row.size_name) if there else results.baseline(one.row, specification["over"])
            if base is not None:
                bases[_job(one)] = _of_row("", "", base)
    return [replace(one, base=bases.get(_job(one))) for one in seen]


def _over_first(specification: Specification, seen: Sequence[Seen]) -> List[Seen]:
    """The numbers with those of the first series at the same place as their bases, each source over its own. A published
    speed-up counts as the time that it stands for."""
    labels = [name for name, *_ in specification.selectors("variants")]
    axis = specification.axis("x")[0]
    times = [
        replace(one, ms=1 / one.ms, unit="ms") if one.unit == "x" and one.series in labels else one for one in seen
    ]
    groups = grouped((one for one in times if one.series == labels[0]), lambda one: (one.who, one.at[axis]))
    bases = {place: best_of(same) for place, same in groups.items()}
    return [replace(one, base=bases.get((one.who, one.at[axis]))) for one in times]


def _job(one: Seen) -> Tuple[Any, ...]:
    return one.series, one.at["size"], one.at["ksize"]
