# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Tests of the labs whose variants run on MPI ranks."""
