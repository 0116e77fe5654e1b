# SPDX-License-Identifier: MIT
"""Selectors, lists of name=value that choose rows: a value may be `a|b`, `*` for anything, `!` for anything but nothing."""

import shlex
from collections.abc import Mapping

import numpy
from pandas import DataFrame, Series
from pandas.api.types import is_integer_dtype

from report.make.plots.files import ReportError

# What a selector of the labs of convolution means where it does not say otherwise.
DEFAULTS = dict(filter="gaussian", ksize="5", border="replicate", type="uint8", channels="3", image="scene", cold="0")
VIDEO = ("08", "09", "10")  # labs of two frames, without these defaults


def selected(text: str) -> dict[str, str]:
    """The fields of "name=value name=value"."""
    pairs = [word.partition("=") for word in shlex.split(text)]
    if not all(sign for _, sign, _ in pairs):
        raise ReportError(f"'{text}' is not of the form name=value name=value")
    return {name: value for name, _, value in pairs}


def completed(fields: dict[str, str], axis: str = "size") -> dict[str, str]:
    """The fields of a selector, with those that it takes for granted."""
    if "lab" not in fields or fields["lab"].startswith(VIDEO):
        return fields
    taken = {axis, *(["size"] if axis == "width" else [])}
    return {**{name: value for name, value in DEFAULTS.items() if name not in taken}, **fields}


def wanted(selector: str, axis: str) -> dict[str, str]:
    """The fields of a selector, with those that it takes for granted."""
    return completed(selected(selector), axis)


def matching(rows: DataFrame, fields: Mapping[str, str]) -> Series:
    """Whether each row has what the selector wants. A column that the rows have not is nothing."""
    there = numpy.arange(len(rows))  # the rows that fit so far: the lab and the variant leave few
    for name, value in sorted(fields.items(), key=lambda field: field[0] not in ("lab", "variant", "program")):
        column = rows[name].to_numpy()[there] if name in rows else numpy.full(len(there), "", dtype=object)
        if is_integer_dtype(column.dtype):
            nothing, values = 0, [int(word or 0) for word in value.split("|") if (word or "0").isdigit()]
        else:
            nothing, values = "", value.split("|")
        if value != "*":
            fits = [column != nothing] if value == "!" else [column == word for word in values]
            there = there[numpy.any(fits, axis=0)] if fits else there[:0]
    chosen = numpy.zeros(len(rows), dtype=bool)
    chosen[there] = True
    return Series(chosen, index=rows.index)
