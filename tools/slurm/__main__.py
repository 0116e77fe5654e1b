# SPDX-License-Identifier: MIT
"""make slurm, make slurm-status, and the parts of it that run in jobs.

    python3 tools/slurm submit    writes the tasks and submits them; DRY=1 only prints
    python3 tools/slurm status    how many rows are done
    python3 tools/slurm count     (the first job) how many rows each task has
    python3 tools/slurm merge     (the last job) the rows of all tasks, and a report per machine

Settings are the environment's: config.mk. Exit codes: 0 done, 1 one sentence says what is wrong, 2 wrong verb.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[0] = str(Path(__file__).resolve().parents[1])

from plots.files import ReportError  # noqa: E402

from slurm import merge, submit  # noqa: E402

VERBS = {"submit": submit.submit, "status": merge.status, "count": merge.count, "merge": merge.merge}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in VERBS:
        print((__doc__ or "").strip(), file=sys.stderr)
        sys.exit(2)
    try:
        sys.exit(VERBS[sys.argv[1]]())
    except ReportError as error:
        print(f"error: {error}.", file=sys.stderr)
        sys.exit(1)
