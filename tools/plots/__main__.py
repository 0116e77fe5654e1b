# SPDX-License-Identifier: MIT
"""Your results: tables, figures and one page of the CSV files of a folder.

    python3 tools/plots --results results --out results/report [--machine NAME]
    python3 tools/plots compare A B       two folders (`make compare`)

Exit codes: 0 done, 1 one sentence says what is wrong, 2 wrong options, 130 interrupted.
"""

import argparse
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[0] = str(Path(__file__).resolve().parents[1])

try:
    from plots import compare
    from plots.files import ReportError
    from plots.report import Report
except ImportError as error:
    sys.exit(f"plots: tables need {error.name}: install it (on Debian and Ubuntu the package python3-{error.name})")


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="plots", allow_abbrev=False, description=(__doc__ or "").split("\n", maxsplit=1)[0]
    )
    parser.add_argument("--results", type=Path, required=True, metavar="DIR", help="folder of CSV files")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder for report.md, report.html and figures/"
    )
    parser.add_argument("--machine", metavar="NAME", help="only the rows of this machine")
    options = parser.parse_args()
    try:
        report = Report(options.results, options.machine)
        report.write(options.out)
        print(
            f"{report.summary()}\n\nthe report: {options.out / 'report.md'}, {options.out / 'report.html'}", flush=True
        )
    except ReportError as error:
        print(f"plots: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of the summary went away: `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    sys.exit(compare.main(sys.argv[2:]) if sys.argv[1:2] == ["compare"] else main())
