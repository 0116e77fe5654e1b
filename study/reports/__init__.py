# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
"""The artefacts and the conclusions of the five reports."""
