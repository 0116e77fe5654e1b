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
rm -rf "labs/$new/exercises"
grep -rlF "$from" "labs/$new" | tr '\n' '\0' | xargs -0 -r sed -i "s/$from/$new/g"
# What its READMEs show as measured is the old lab's: tables, and the numbers of claims.csv (study/measurements/claims.py).
python3 - "labs/$new" <<'END'
import csv, pathlib, re, sys
number = r"\d+(?:\.\d+)?"
for claims in list(pathlib.Path(sys.argv[1]).rglob("claims.csv")):
    pages, places = {page: page.read_text(encoding="utf-8") for page in sorted(claims.parent.glob("*.md"))}, []
    for line in csv.DictReader(claims.read_text(encoding="utf-8").splitlines()):
        if line["sentence"].startswith("column: "):
            continue  # of a table, which goes as a whole
        words = r"\s+".join(map(re.escape, line["sentence"].split())).replace(r"\{\}", f"({number})").replace(r"\#", number)
        found = [(page, one) for page, text in pages.items() for one in re.finditer(words, text)]
        places += [(page, *place) for page, one in found for place in one.regs[1:]] or sys.exit(
            f"error: '{line['sentence']}' of {claims} is not in {' or '.join(map(str, pages))}.")
    for page, start, stop in sorted(places, reverse=True):
        pages[page] = pages[page][:start] + "(not measured)" + pages[page][stop:]
    for page, text in pages.items():
        page.write_text(text, encoding="utf-8")
    claims.unlink()
END
if [ -f "labs/$new/README.md" ]; then
    sed -i -e '/<!-- [a-z]*:begin -->/,/<!-- [a-z]*:end -->/{/<!--/!d}' \
        -e 's/<!-- [a-z]*:begin -->/&\n\nNot measured yet.\n/' \
        -e '/^`make exercise LAB=/d; /](exercises\//d; /^With this lab.s pages:/d' "labs/$new/README.md"
fi
echo "labs/$new is a copy of labs/$from: change it, then 'make bench LAB=$new'"
