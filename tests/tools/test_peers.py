# SPDX-License-Identifier: MIT
"""tools/peers: rounds, ratios, comparison, the file, the C interface; it needs no peer installed."""

import contextlib
import csv
import importlib.util
import io
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import libraries
import measure
import peers
import pytest

ROOT = Path(__file__).resolve().parents[2]
EXPORTS = ROOT / "tools" / "peers" / "exports.map"
HAVE_NUMPY = importlib.util.find_spec("numpy") is not None
needs_numpy = unittest.skipUnless(HAVE_NUMPY, "numpy is not installed for this Python")

# A peer that adds its number times the threads to each sample and rejects a K of 3; its function two takes
# separable filters only.
PEER = """
#include "tools/peers/peer.hpp"
namespace peer {
struct Adder final : Contender {
    explicit Adder(const PeerJob& job) : job_(job), out_(bytes(job)) {
        if (job.ksize == 3) throw std::runtime_error("NUMBER takes no 3.");
    }
    void run() override {
        for (std::size_t i = 0; i < out_.size(); ++i)
            out_[i] = static_cast<std::uint8_t>(job_.pixels[i] + NUMBER * job_.threads);
    }
    void output(std::uint8_t* s) override { std::memcpy(s, out_.data(), out_.size()); }
    PeerJob job_;
    std::vector<std::uint8_t> out_;
};
const char* functions() { return "one,two"; }
std::string version() { return "NUMBER"; }
std::unique_ptr<Contender> make(const std::string& function, const PeerJob& job) {
    if (function == "two") row_of(job);
    return std::make_unique<Adder>(job);
}
}
"""


def compiled(folder: str, number: str, *flags: str) -> Path:
    """The library of such a peer."""
    source, library = Path(folder) / f"{number}.cpp", Path(folder) / f"{number}.so"
    source.write_text(PEER.replace("NUMBER", number), encoding="utf-8")
    compiler = [os.environ.get("CXX", "g++"), "-std=c++20", "-shared", "-fPIC", f"-I{ROOT}"]
    subprocess.run([*compiler, *flags, str(source), "-o", str(library)], check=True)
    return library


class Clock:
    """A contender whose calls take these times, one after the other."""

    def __init__(self, *times: float) -> None:
        self.times: list[float] = list(times)

    def time_ms(self, calls: int) -> float:
        return calls * (self.times.pop(0) if len(self.times) > 1 else self.times[0])


class Measure(unittest.TestCase):
    def test_ratios_are_round_by_round(self) -> None:
        self.assertEqual(measure.ratios([2, 30, 8, 4, None], [1, 10, 2, 4, 1]), (2.5, 1.75, 3.25))
        self.assertEqual(measure.ratios([3.0], [2.0]), (1.5, 1.5, 1.5))
        self.assertEqual(measure.median([5.0, None, 1.0, 2.0]), 2.0)

    def test_rounds(self) -> None:
        times = measure.rounds({"ours": Clock(2.0), "slow": Clock(50.0)}, 5, 10, 80)
        self.assertEqual(times["ours"], [2.0] * 5)
        self.assertEqual(times["slow"], [50.0, 50.0, None, None, None])

    @needs_numpy
    def test_difference(self) -> None:
        import numpy

        expected = numpy.full((2, 2, 3), 250, numpy.uint8)
        other = expected.copy()
        self.assertEqual(measure.difference(other, expected), (0.0, 0))
        other[0, 0, 0], other[1, 1, 2], other[1, 0, 0] = 0, 255, 249
        self.assertEqual(measure.difference(other, expected), (0.25, 250))
        for wrong in (other[:1], other.astype(numpy.float32)):
            with self.assertRaises(ValueError):
                measure.difference(wrong, expected)

    def test_the_file_is_whole_or_as_before(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "new" / "peers.csv"
            measure.write_rows(path, [{"peer": "a, b", "ratio": 1 / 3}])
            with open(path, newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual([(row["peer"], row["ratio"]) for row in rows], [("a, b", "0.333333")])
            before = path.read_bytes()
            with self.assertRaises(ValueError):
                measure.write_rows(path, [{"peer": "c"}, {"no such column": 1}])
            self.assertEqual(path.read_bytes(), before)
            self.assertEqual(os.listdir(path.parent), ["peers.csv"])


class Peers(unittest.TestCase):
    def test_absent_peers_are_named_with_their_package(self) -> None:
        def no_scipy() -> Any:
            raise ImportError("No module named 'scipy'")

        words = io.StringIO()
        with contextlib.redirect_stderr(words), mock.patch.dict(peers.PYTHON, scipy=no_scipy):
            found = peers.load(["halide", "scipy"], Path("/nonexistent"), peers.CPU_PEERS)
        self.assertEqual(found, {})
        lines = words.getvalue().splitlines()
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0], "absent: halide .*libhalide14-0-dev")
        self.assertRegex(lines[1], "absent: scipy .*python3-scipy")

    def test_what_is_missing_is_said_before_the_libraries_are_built(self) -> None:
        words = io.StringIO()
        known = {"opencv": "a", "halide": "b", "scipy": "c"}
        with contextlib.redirect_stderr(words), mock.patch.dict(peers.PYTHON, scipy=mock.Mock(side_effect=ImportError)):
            peers.main(["--libraries", "/none", "--csv", "/none/a", "--peers", ",".join(known), "--before", "opencv"])
            self.assertEqual(re.findall("^absent: [a-z]+", words.getvalue(), re.M), ["absent: halide", "absent: scipy"])
            peers.load(list(known), Path("/none"), peers.CPU_PEERS, said=True)
        self.assertEqual(words.getvalue().count("\n"), 2)
        script = (ROOT / "tools/peers/peers.sh").read_text(encoding="utf-8")
        self.assertLess(script.index("--before"), script.index(" peers-libraries"))

    def test_what_is_finished_when_it_is_stopped_is_kept(self) -> None:
        def half(session: Any) -> None:
            session.rows.append({"peer": "toy", "time_ms": 1.5})
            os.kill(os.getpid(), signal.SIGTERM)

        before = signal.getsignal(signal.SIGTERM)
        self.addCleanup(signal.signal, signal.SIGTERM, before)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "peers.csv"
            file.write_text("an older, whole file")
            words = io.StringIO()
            with (
                contextlib.redirect_stderr(words),
                mock.patch.object(peers, "time_all", half),
                mock.patch.object(peers, "Session", lambda _: mock.Mock(rows=[])),
            ):
                with self.assertRaises(KeyboardInterrupt):
                    peers.run(mock.Mock(csv=file))
            self.assertEqual(file.read_text(), "an older, whole file")
            with open(Path(folder) / "peers_interrupted.csv", encoding="utf-8") as part:
                self.assertEqual([row["peer"] for row in csv.DictReader(part)], ["toy"])
            self.assertIn("finished rows, 1, are in", words.getvalue())

    def test_usage(self) -> None:
        for option, value, words in (
            ("--peers", "opencv,nonsense", "nonsense.*opencv"),
            ("--sizes", "5k", "5k.*1080p"),
            ("--threads", "many", "many.*numbers"),
            ("--rounds", "0", "at least 1"),
        ):
            command = [
                sys.executable,
                str(ROOT / "tools/peers/peers.py"),
                *"--libraries x --csv y".split(),
                option,
                value,
            ]
            done = subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8", check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, words)

    def test_a_value_named_twice_counts_once(self) -> None:
        options = peers.parse("--libraries x --csv y --sizes 4k,1080p,4k --peers scipy,scipy --threads 1,1".split())
        self.assertEqual((options.sizes, options.peers, options.threads), (["4k", "1080p"], ["scipy"], [1]))

    @pytest.mark.long
    def test_libraries_show_only_what_python_calls(self) -> None:
        """A C++ library linked into one of them must not meet that of another."""
        with tempfile.TemporaryDirectory() as folder:
            library = compiled(folder, "1", "-static-libstdc++", f"-Wl,--version-script={EXPORTS}")
            names = subprocess.run(
                ["nm", "-D", "--defined-only", str(library)], check=True, stdout=subprocess.PIPE, encoding="utf-8"
            ).stdout.split()[2::3]
            self.assertIn("peer_make", names)
            self.assertEqual([], [name for name in names if not name.startswith("peer_")])

    @pytest.mark.long
    @needs_numpy
    def test_two_libraries_in_one_process(self) -> None:
        import numpy

        with tempfile.TemporaryDirectory() as folder:
            loaded = []
            for number in ("1", "2"):
                loaded.append(libraries.Library(compiled(folder, number, "-fvisibility=hidden")))
                self.assertEqual(loaded[-1].functions, ["one", "two"])
            picture = numpy.arange(24, dtype=numpy.uint8).reshape(2, 4, 3)
            for number, one in enumerate(loaded, 1):
                self.assertEqual(one.version, str(number))
                contender = one.make("one", libraries.Job(picture, libraries.gaussian([1, 4, 6, 4, 1], 0), 1))
                self.assertGreaterEqual(contender.time_ms(3), 0)
                self.assertTrue((contender.output() == picture + number).all())
                contender.free()
                with self.assertRaisesRegex(libraries.Unsupported, f"^{number} takes no 3.$"):
                    one.make("one", libraries.Job(picture, libraries.gaussian([1, 2, 1], 0), 1))
                edge = libraries.Job(picture, libraries.Filter("edge", 5, [-1] * 12 + [24] + [-1] * 12), 1)
                one.make("one", edge).free()
                with self.assertRaisesRegex(libraries.Unsupported, "^It takes no filter that is not separable.$"):
                    one.make("two", edge)

    def test_filters(self) -> None:
        blur = libraries.gaussian([1, 2, 1], 0)
        self.assertEqual((blur.name, blur.taps, blur.divisor), ("gaussian", [1, 2, 1, 2, 4, 2, 1, 2, 1], 16))
        self.assertAlmostEqual(blur.spread, 0.5**0.5)
        self.assertEqual(libraries.gaussian([1, 2, 1], 1.2).name, "gaussian sigma 1.2")
        with self.assertRaisesRegex(libraries.Unsupported, "separable"):
            print(libraries.Filter("edge", 1, [1]).spread)


if __name__ == "__main__":
    unittest.main()
