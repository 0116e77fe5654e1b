#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""unknown_setting.py NAME...: a sentence about the first of these settings that no file of make reads; else nothing."""

import re
import sys
from difflib import get_close_matches
from pathlib import Path

read, offered = set(), set()
for path in [Path("Makefile"), Path("config.mk"), Path("cuda_on_cpu/rules.mk"), *Path().glob("t*/**/*.mk")]:
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    reads = set(re.findall(r"\$\((?:value )?(\w+)", text))
    assigned = set(re.findall(r"(?m)^([A-Z_]+) *[:?]?=", text))
    read |= reads | assigned
    if path.name == "Makefile":
        offered |= reads.union(*map(str.split, re.findall(r"(?m)^export ([A-Z _]+)$", text))) - assigned
    elif path.name in ("config.mk", "found.mk"):
        offered |= assigned
for name in sys.argv[1:]:
    if name not in read | offered:
        near = get_close_matches(name.upper(), sorted(offered), 1)
        print(f"There is no setting {name}; {f'take {near[0]}' if near else 'config.mk explains them'}")
        break
