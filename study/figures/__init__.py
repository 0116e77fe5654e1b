# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Tables, figures and how values are written."""
