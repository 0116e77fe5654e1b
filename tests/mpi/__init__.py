# SPDX-License-Identifier: MIT
"""Tests of the labs whose variants run on MPI ranks."""
