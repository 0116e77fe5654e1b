# SPDX-License-Identifier: MIT
"""Tables, figures and the report from the CSV files of measurements."""
