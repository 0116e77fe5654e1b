# SPDX-License-Identifier: MIT
"""python3 study --help"""

import sys
from importlib import import_module
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[0] = str(Path(__file__).resolve().parents[1])
from tools.plots.files import import_words, run_program  # noqa: E402

if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    claims = sys.argv[1:2] == ["claims"]
    try:
        program = import_module(f"study.{'readmes' if claims else 'command'}")
    except Exception as error:
        sys.exit(f"study: {import_words('tables', error)}")
    sys.exit(run_program("study claims" if claims else "study", lambda: program.main(sys.argv[1 + claims :])))
