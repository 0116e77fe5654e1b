# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Reading: rows, which of them count, published numbers, the reports' own programs, keys in texts."""
