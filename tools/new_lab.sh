#!/bin/bash
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
#
# make new LAB=12_mine FROM=01_sequential: a copy of a lab under a new name, ready to be changed.
set -eu
new=${LAB:-}
from=${FROM:-}
if [ -z "$new" ] || [ -z "$from" ]; then
    echo 'error: Say the new name and the lab to start from: make new LAB=12_mine FROM=01_sequential' >&2
    exit 2
fi
if ! [[ $new =~ ^[0-9][0-9]_[a-z0-9_]+$ ]]; then
    echo "error: '$new' is not a lab's name; use two digits and a word, such as 12_mine." >&2
    exit 2
fi
if [ ! -d "labs/$from" ]; then
    echo "error: There is no lab '$from' to start from; choose from: $(cd labs && echo [0-9]*)." >&2
    exit 2
fi
if [ -e "labs/$new" ]; then
    echo "error: labs/$new exists already; choose another name." >&2
    exit 2
fi
cp -R "labs/$from" "labs/$new"
grep -rlF "$from" "labs/$new" | tr '\n' '\0' | xargs -0 -r sed -i "s/$from/$new/g"
# What its README shows as measured is the old lab's.
if [ -f "labs/$new/README.md" ]; then
    sed -i -e '/<!-- [a-z]*:begin -->/,/<!-- [a-z]*:end -->/{/<!--/!d}' \
        -e 's/<!-- [a-z]*:begin -->/&\n\nNot measured yet.\n/' \
        -e 's/<!-- = [^>]*-->[^<]*<!-- \/= -->/(not measured)/g' "labs/$new/README.md"
fi
echo "labs/$new is a copy of labs/$from: change it, then 'make bench LAB=$new'"
