# SPDX-License-Identifier: MIT
"""Tests of the report; its modules and fabricate.py are on the path."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]
