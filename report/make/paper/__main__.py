# SPDX-License-Identifier: MIT
"""python3 report/make/paper --help"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[0] = str(Path(__file__).resolve().parents[3])
from report.make.plots.files import import_words, run_program  # noqa: E402

name, arguments = "paper", sys.argv[1:]
try:
    if arguments[:1] == ["claims"]:
        from report.make.paper.readmes import main

        name, arguments = "paper claims", arguments[1:]
    else:
        from report.make.paper.command import main
except Exception as error:
    sys.exit(f"paper: {import_words(error)}")

if __name__ == "__main__":
    sys.exit(run_program(name, lambda: main(arguments)))
