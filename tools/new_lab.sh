#!/bin/bash
# SPDX-License-Identifier: MIT
# make new LAB=13_mine FROM=01_sequential: a copy of a lab under a new name, ready to be changed.
set -eu
new=${LAB:-}
from=${FROM:-}
if [ -z "$new" ] || [ -z "$from" ]; then
    echo 'error: Say the new name and the lab to start from: make new LAB=13_mine FROM=01_sequential' >&2
    exit 2
fi
if ! [[ $new =~ ^[0-9][0-9]_[a-z0-9_]+$ ]]; then
    echo "error: '$new' is not a lab's name; use two digits and a word, such as 13_mine." >&2
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
trap 'rm -rf "labs/$new"' ERR
cp -R "labs/$from" "labs/$new"
# The exercises, alone.cu, pictures and texts are the old lab's.
rm -rf "labs/$new/exercises" "labs/$new/alone.cu" "labs/$new"/*.{md,svg,png}
grep -rlF "$from" "labs/$new" | tr '\n' '\0' | xargs -0 -r sed -i "s/$from/$new/g"
name=${new#*_}
cat > "labs/$new/README.md" <<END
# Lab ${new%%_*}: ${name//_/ }

**You will learn to** (say what a reader can do after this lab).

The variants, in the order in which to read them:

$(cd "labs/$new" && sed -sn 's/^\/\/ \([a-z0-9_]*\) -- \(.*\)/- \1: \2/p' [0-9]*)

    make verify LAB=$new    # after every change
    make bench LAB=$new
END
echo "labs/$new is a copy of labs/$from: change it, then 'make verify LAB=$new'"
