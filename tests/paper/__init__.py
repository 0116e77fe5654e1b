# SPDX-License-Identifier: MIT
"""Tests of the report."""
