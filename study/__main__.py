# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""python3 study --help"""

import sys
from importlib import import_module
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[0] = str(Path(__file__).resolve().parents[1])

VERBS = {"plan": "originals_plan", "claims": "readmes"}  # beside that of report and figures, which needs no name

if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    verb = VERBS.get(sys.argv[1] if len(sys.argv) > 1 else "")
    main = import_module(f"study.{verb or 'command'}").main
    sys.exit(main(sys.argv[2:] if verb else sys.argv[1:]))
