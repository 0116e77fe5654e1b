# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""Tables, figures and the report from the CSV files of measurements."""
