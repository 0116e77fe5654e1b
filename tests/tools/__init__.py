# SPDX-License-Identifier: MIT
"""Tests of the programs in tools/."""
