# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Tests of the report; the folder is on the path, so that its files find fabricate.py."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
