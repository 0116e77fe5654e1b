# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""What the reports got wrong: each defective form is run, on the scene or on numbers."""
