# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The other parts of the report: labs, the road, other libraries, where rows come from."""
