# SPDX-License-Identifier: MIT
"""Your results: tables, figures and one page of the CSV files of a folder.

    python3 tools/plots --results results --out results/report [--machine NAME]
    python3 tools/plots compare A B       two folders

Exit codes: 0 done, 1 one sentence says what is wrong, 2 wrong options, 130 interrupted.
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[0] = str(Path(__file__).resolve().parents[1])

from plots.files import import_words, run_program  # noqa: E402

try:
    from plots import compare
    from plots.report import Report
except Exception as error:
    sys.exit(f"plots: {import_words('tables', error)}")


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
    report = Report(options.results, options.machine)
    report.write(options.out)
    print(f"{report.summary()}\n\nthe report: {options.out / 'report.md'}, {options.out / 'report.html'}")
    return 0


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    if sys.argv[1:2] == ["compare"]:
        sys.exit(run_program("plots compare", lambda: compare.main(sys.argv[2:])))
    sys.exit(run_program("plots", main))
