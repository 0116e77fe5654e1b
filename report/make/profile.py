# SPDX-License-Identifier: MIT
"""What keeps a kernel busy, what its warps wait for, and its three prices, from a file of `make profile` (Nsight Compute).
`python3 -m report.make.profile FILE` prints five lines for each kernel."""

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from report.make.plots.files import ReportError, read_table, run_program

# What may be busiest, by counter: per cent of the peak.
UNITS = {
    "dram__throughput": "DRAM",
    "lts__throughput": "L2 cache",
    "l1tex__throughput": "L1 and shared memory",
    "sm__throughput": "multiprocessor",
}
ISSUE_SLOTS = "sm__issue_active"
# What a warp does while it issues nothing.
WAIT = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active")
WORDS = {
    "barrier": "waits at a barrier",
    "branch_resolving": "waits for a branch",
    "dispatch_stall": "waits for the dispatcher",
    "drain": "waits for its last stores",
    "imc_miss": "waits for constant memory",
    "lg_throttle": "waits for room in the queue of global memory",
    "long_scoreboard": "waits for memory",
    "math_pipe_throttle": "waits for a busy pipe",
    "membar": "waits at a memory fence",
    "mio_throttle": "waits for room in the queue of shared memory",
    "no_instruction": "waits for its next instruction",
    "not_selected": "is ready while another warp issues",
    "short_scoreboard": "waits for shared memory or a special function",
    "tex_throttle": "waits for room in the queue of textures",
    "wait": "waits for the fixed time of the instruction before",
}
PIPE = re.compile(r"sm__(?:inst_executed_pipe_(\w+)|pipe_(\w+)_cycles_active)")
PIPES = {
    "adu": "constants, jumps and barriers",
    "alu": "integers and logic",
    "cbu": "branches of warps",
    "fma": "multiply-adds",
    "fmaheavy": "multiply-adds, also of integers",
    "fp64": "double precision",
    "lsu": "loads and stores",
    "tensor": "matrix products",
    "tex": "textures",
    "uniform": "one value for a whole warp",
    "xu": "conversions and special functions",
}
# The share of the peak bandwidth that the fastest copy reaches: 4030 of 4917 GB/s on an H200 (on an H100 0.86).
COPY = 0.82
PRICES = ("instructions", "wavefronts", "bytes")
Launch = dict[str, str]


def _prices(launch: Mapping[str, str]) -> dict[str, float]:
    """Milliseconds that the kernel's instructions alone would need, its wavefronts, and its bytes at the speed of a copy."""

    def value(name: str) -> float:
        return float(launch[name])

    try:
        cores = value("device__attribute_multiprocessor_count")
        cycles = cores * value("device__attribute_clock_rate")  # kHz, so these are cycles in a millisecond
        lines = 2 * value("device__attribute_memory_clock_rate")  # two transfers in a cycle
        prices = {
            "instructions": value("smsp__inst_executed") / (4 * cycles),
            "wavefronts": value("l1tex__data_pipe_lsu_wavefronts") / cycles,
            "bytes": value("dram__bytes") / (COPY * lines * value("device__attribute_global_memory_bus_width") / 8),
        }
    except KeyError:  # an older file
        return {}
    return {f"price_{name}": price for name, price in prices.items()}


def launches(path: Path) -> list[Launch]:
    """The launches in a file: kernel, block and the counters, each by its metric's name up to the first point; and `wait_...`, the
    share of a warp's time in per cent, and `price_...` in ms."""
    found: dict[str, Launch] = {}
    for _, line in read_table(path, ("ID", "Kernel Name", "Block Size", "Metric Name", "Metric Value")):
        kernel = line["Kernel Name"].partition("(")[0].partition("<")[0].split()[-1].rpartition("::")[2]
        first = {"kernel": kernel, "launch": line["ID"], "block": line["Block Size"]}
        launch = found.setdefault(line["ID"], first)
        name = line["Metric Name"].partition(".")[0]
        launch[name] = line["Metric Value"].replace(",", "")
    for launch in found.values():
        if "dram__bytes_read" in launch:
            launch["dram__bytes"] = str(float(launch["dram__bytes_read"]) + float(launch["dram__bytes_write"]))
        states = {match[1]: float(value) for name, value in launch.items() if (match := WAIT.fullmatch(name))}
        shares = {f"wait_{state}": 100 * value / sum(states.values()) for state, value in states.items() if value}
        launch.update({name: str(value) for name, value in {**shares, **_prices(launch)}.items()})
    return list(found.values())


def largest(values: Mapping[str, float], count: int = 1) -> list[tuple[str, float]]:
    return sorted(values.items(), key=lambda item: -item[1])[:count]


def units(launch: Mapping[str, str]) -> dict[str, float]:
    """How busy each unit is, in per cent."""
    return {words: float(launch[name]) for name, words in UNITS.items() if launch.get(name)}


def waits(launch: Mapping[str, str]) -> dict[str, float]:
    """What a warp waits for, in per cent of its time."""
    states = {name.removeprefix("wait_"): float(value) for name, value in launch.items() if name.startswith("wait_")}
    return {state: share for state, share in states.items() if state != "selected"}


def pipes(launch: Mapping[str, str]) -> dict[str, float]:
    """How busy each pipe of the multiprocessor is, in per cent."""
    matches = ((PIPE.fullmatch(name), value) for name, value in launch.items())
    return {match[1] or match[2]: float(value) for match, value in matches if match}


def summary(launch: Mapping[str, str]) -> str:
    """Five lines in words."""

    def named(values: Mapping[str, float], words: Mapping[str, str], count: int) -> str:
        found = largest(values, count)
        return ", ".join(
            f"{words.get(name, 'waits')} ({name.replace('_', ' ')}) {share:.0f} %" for name, share in found
        )

    prices = ", ".join(f"{name} {float(launch[f'price_{name}']):.3g}" for name in PRICES if f"price_{name}" in launch)
    alone = f"; alone, in ms: {prices}" if prices else ""
    unit = ", ".join(f"{name} {share:.0f} %" for name, share in largest(units(launch)))
    return (
        f"{launch['kernel']}: {float(launch['gpu__time_duration']) / 1e6:.3g} ms{alone}\n"
        f"  busiest unit: {unit}\n"
        f"  issue slots: {float(launch[ISSUE_SLOTS]):.0f} % used\n"
        f"  a warp {named(waits(launch), WORDS, 2)}\n"
        f"  busiest pipe: {named(pipes(launch), PIPES, 1)}"
    )


def main() -> int:
    for launch in launches(Path(sys.argv[1])):
        try:
            print(summary(launch))
        except KeyError as error:
            raise ReportError(f"{sys.argv[1]}: {error.args[0]} is missing; run 'make profile' again") from None
    return 0


if __name__ == "__main__":
    sys.exit(run_program("make profile", main))
