# SPDX-License-Identifier: MIT
"""What the templates' sentences say: numbers of the rows, and verdicts. A sentence that the rows contradict, or that has no
row, is named in `wrong`, with which `make report` ends."""

from collections import Counter
from collections.abc import Sequence
from functools import partialmethod
from typing import Any

from pandas import DataFrame

from report.make.plots.files import ReportError
from report.make.plots.words import NOISY, number, percent

from .measurements.keyed import HERE, Sources, Value, value_of, written
from .measurements.machine import Results
from .parts.road import AT
from .reports.conclusions import Judged
from .reports.rules import FAILS, HOLDS, UNDECIDED, UNTESTED

REFERENCE = "h200_16_cpus"
STARTS = "‡"  # after a ratio of two starts
NOT_MEASURED = "(not measured)"
FUNCTIONS = "ms gain of_copy copy key here holds fails undecided count untested both"


def _of(variant: str) -> str:
    """The fields of "05_cuda_shared two_batch"."""
    return "lab={} variant={}".format(*variant.split())


class Sentences:
    """The functions that a template may call."""

    def __init__(self, results: Results, judged: Sequence[Judged], sources: Sources):
        self.results, self.judged, self.sources = results, judged, sources
        self.by_id = {judgement.conclusion.id: judgement for judgement in judged}
        self.wrong: list[str] = []

    def _value(self, key: str) -> Value | None:
        """The number of a key (measurements/keyed.py)."""
        try:
            value = value_of(key, self.sources)
        except ReportError as error:
            self.wrong.append(f"'{key}': {error}")
            return None
        if value.contradiction:
            self.wrong += [f"'{key}': {value.contradiction}"]
        return value

    def key(self, key: str) -> str:
        """The number of a key; with the other run's, if the two differ by more than two runs may."""
        value = self._value(key)
        if value is None:
            return NOT_MEASURED
        text = (
            written(value.number, value.digits) + (NOISY if value.is_noisy else "") + (STARTS if value.starts else "")
        )
        if value.second is None:
            return text
        apart = max(value.number / value.second, value.second / value.number) > 1 + value.margin
        return f"{text} (in another run {written(value.second, value.digits)})" if apart else text

    def here(self, key: str) -> str:
        """The same of our rows, or of a file in their folder: "/profile/..."."""
        return self.key(REFERENCE + (key if key.startswith("/") else f" {key}"))

    def _here(self, variant: str, size: str, what: str) -> str:
        """The key of the protocol's row of "05_cuda_shared two_batch": 5x5 Gaussian, RGB bytes, one filter."""
        return f"{HERE} {_of(variant)} size={size} filters= passes=|1 : {what}"

    def ms(self, variant: str, size: str = AT) -> str:
        """A time in ms."""
        return self.key(self._here(variant, size, "ms"))

    def gain(self, variant: str, base: str, size: str = AT) -> str:
        """How many times as fast a variant is as another."""
        return self.key(self._here(base, size, f"ms over {_of(variant)}"))

    def of_copy(self, variant: str) -> str:
        """Which share of the bandwidth of the fastest copy of its session it reaches."""
        value = self._value(self._here(variant, AT, "of_ceiling"))
        return percent(value.number) if value else NOT_MEASURED

    def copy(self, variant: str) -> str:
        """The bandwidth of the copy that its share is of, in GB/s: on its processor, or over the bus, in its session."""
        return self.key(self._here(variant, AT, "ceiling"))

    def _said(self, kind: str, name: str, whose: str = "variants") -> str:
        """The name of a conclusion that has this verdict for our variants, for the report's own program (`original`), or for both."""
        for which in ("variants", "original") if whose == "both" else (whose,):
            verdict = getattr(self.by_id[name], which)[0] if name in self.by_id else "not a verdict"
            if verdict != kind:
                self.wrong.append(f"{name} ({which}): the text says '{kind}', the rows say '{verdict}'")
        return name

    holds = partialmethod(_said, HOLDS)
    fails = partialmethod(_said, FAILS)
    undecided = partialmethod(_said, UNDECIDED)

    def count(self, kind: str = "", report: str = "", whose: str = "variants") -> int:
        """How many conclusions have this verdict."""
        chosen = [judgement for judgement in self.judged if report in ("", judgement.conclusion.report)]
        return sum(kind in ("", getattr(judgement, whose)[0]) for judgement in chosen)

    def untested(self) -> str:
        """Why the reports' own programs have no verdict: how many conclusions for each reason, most first."""
        why = [
            judgement.conclusion.untested or "there is no rule"
            for judgement in self.judged
            if judgement.original[0] == UNTESTED
        ]
        return "; ".join(f"for {count} {reason}" for reason, count in Counter(why).most_common())

    def both(self) -> tuple[int, int]:
        """How many conclusions both our rows and the program decide, and how many of them alike."""
        every = [{judgement.variants[0], judgement.original[0]} for judgement in self.judged]
        decided = [kinds for kinds in every if kinds <= {HOLDS, FAILS}]
        return len(decided), sum(len(kinds) == 1 for kinds in decided)

    def functions(self) -> dict[str, Any]:
        """For the templates, by name."""
        return {name: getattr(self, name) for name in FUNCTIONS.split()}


def taps(lines: DataFrame) -> dict[str, str]:
    """The least and the most that one of these programs takes, in ns per tap with 5x5, and their ratio."""
    ns = lines.loc[lines["program"].str.startswith("cpu_") & (lines["ksize"] == 5), "ns_per_tap"]
    least, most = ns.min(), ns.max()
    return {"least": number(least), "most": number(most), "ratio": number(most / least)}
