# SPDX-License-Identifier: MIT
"""Your results: tables, figures and one page of the CSV files of a folder.

    python3 report/make/plots --results results --out results/report [--machine NAME]
    python3 report/make/plots compare A B       two folders

Exit codes: 0 done, 1 one sentence says what is wrong, 2 wrong options, 130 interrupted.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[0] = str(Path(__file__).resolve().parents[3])
from report.make.plots.files import import_words, run_program  # noqa: E402

name, arguments = "plots", sys.argv[1:]
try:
    if arguments[:1] == ["compare"]:  # which needs no Matplotlib
        from report.make.plots.compare import main

        name, arguments = "plots compare", arguments[1:]
    else:
        from report.make.plots.report import main
except Exception as error:
    sys.exit(f"plots: {import_words(error)}")

if __name__ == "__main__":
    sys.exit(run_program(name, lambda: main(arguments)))
