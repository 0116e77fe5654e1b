# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""python3 study --help"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[0] = str(Path(__file__).resolve().parents[1])

from study import command, originals_plan  # noqa: E402

VERBS = {"plan": originals_plan.main}  # beside that of report and figures, which needs no name

if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    verb = VERBS.get(sys.argv[1] if len(sys.argv) > 1 else "")
    sys.exit(verb(sys.argv[2:]) if verb else command.main())
