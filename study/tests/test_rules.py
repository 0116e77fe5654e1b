# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The rules of the published conclusions, on points (rules.txt)."""

import unittest
from pathlib import Path
from typing import Dict, List, Set

import fabricate  # noqa: F401

from study.measurements.points import Point, ratios
from study.measurements.rows import OF_CPU, OF_KERNEL
from study.reports.rules import FAILS, HOLDS, NUMBERS, TIMES, UNDECIDED

CASES = Path(__file__).with_name("rules.txt").read_text(encoding="utf-8").splitlines()


def points(text: str) -> List[Point]:
    """The times of a case."""
    words, _, margin = text.partition("%")
    found = []
    for at, word in enumerate(words.split(), 1):
        value, spread = (float(number or 0) for number in word.partition("~")[::2])
        ends = value * (1 - spread), value * (1 + spread)
        found.append(Point(at, str(at), value, *ends, 1e6, 2e6, margin=float(margin or 0)))
    return found


class Rules(unittest.TestCase):
    def test_cases(self) -> None:
        kinds: Dict[str, Set[str]] = {}
        for line in (line for line in CASES if not line.startswith("#")):
            names, first, second, values, said = map(str.strip, line.split("|"))
            kind, _, words = said.partition(": ")
            for name in names.split():
                rule = TIMES[name]
                of = rule.quantity.of(points(first), points(second))
                verdict = rule.test(of, rule.quantity.unit, list(map(float, values.split())))
                self.assertEqual(verdict, (kind, words or verdict[1]), line)
                kinds.setdefault(name, set()).add(kind)
        self.assertEqual(set(kinds), set(TIMES))
        for name in set(TIMES) - set(NUMBERS):
            self.assertLessEqual({HOLDS, FAILS, UNDECIDED}, kinds[name], name)

    def test_ratios_only_where_both_were_timed(self) -> None:
        found = ratios(points("1 2 4 %.02"), points("2 2 %.25"))
        self.assertEqual([(point.at, point.value, point.margin) for point in found], [(1, 2, OF_CPU), (2, 1, OF_CPU)])
        self.assertEqual(points("1 %.02")[0].rate(1e6).margin, OF_KERNEL)
