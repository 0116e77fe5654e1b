# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Measured numbers in the sentences of a README: claims.csv beside it says where each comes from.

A line of claims.csv is a sentence: `sentence` has words of the README that stand there once, with {} for each of its numbers (and #
for one that another line has); `key` has for each {} its row and what is shown of it (keyed.py), in this order: `KEY & KEY`, or
`... ksize=<3|5> ...` for a key with each. `make report` rewrites the numbers, `make test` fails where one is stale.
"""

import re
from pathlib import Path
from typing import List, NamedTuple, Tuple

from .csv_file import ReportError, read_table
from .keyed import Sources, worked_out

NAME = "claims.csv"
NUMBER = r"\d+(?:\.\d+)?"


class Claim(NamedTuple):
    """A number and its place in the text."""

    sentence: str
    key: str
    start: int
    stop: int


def keys_of(text: str) -> List[str]:
    """The keys of a line, one for each of its numbers."""
    found = []
    for key in text.split(" & "):
        each = re.search(r"<(.*?)>", key)
        found += [key.replace(each[0], one) for one in each[1].split("|")] if each else [key]
    return found


def found_in(readme: Path, text: str) -> List[Claim]:
    """The numbers of claims.csv in the text of this README, in its order; an error where a sentence is not there once."""
    found = []
    for where, line in read_table(readme.with_name(NAME), ("sentence", "key")):
        sentence, keys = line["sentence"], keys_of(line["key"])
        pattern = r"\s+".join(map(re.escape, sentence.split())).replace(r"\{\}", f"({NUMBER})").replace(r"\#", NUMBER)
        places = list(re.finditer(rf"(?<!\S){pattern}(?!\S)", text))
        if sentence.count("{}") != len(keys) or len(places) != 1:
            raise ReportError(
                f"{where}: '{sentence}' is {len(places)} times in {readme}, expected once, with a {{}} for the number of each key "
                f"({len(keys)}): write the words as they stand there"
            )
        found += [Claim(sentence, key, *places[0].span(group)) for group, key in enumerate(keys, 1)]
    return sorted(found, key=lambda claim: claim.start)


def rewritten(readme: Path, data: bytes, sources: Sources) -> Tuple[bytes, List[str]]:
    """The README with every number worked out again, and a sentence for each that was stale."""
    text, stale = data.decode(), []
    for claim in reversed(found_in(readme, text)):
        shown = text[claim.start : claim.stop]
        try:
            value = worked_out(claim.key, sources)
        except ReportError as error:
            raise ReportError(f"{readme.with_name(NAME)}, '{claim.sentence}': {error}") from None
        if value != shown:
            stale.append(f"{readme}, '{claim.sentence}': the text says {shown}, the rows say {value}")
        text = text[: claim.start] + value + text[claim.stop :]
    return text.encode(), stale[::-1]
