# SPDX-License-Identifier: MIT
"""python3 study --help"""

import sys
from importlib import import_module
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[0] = str(Path(__file__).resolve().parents[1])

if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    claims = sys.argv[1:2] == ["claims"]
    try:
        program = import_module(f"study.{'readmes' if claims else 'command'}")
    except ImportError as error:
        sys.exit(f"study: tables need {error.name}: install it (on Debian and Ubuntu the package python3-{error.name})")
    sys.exit(program.main(sys.argv[1 + claims :]))
