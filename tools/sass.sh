#!/bin/bash
# SPDX-License-Identifier: MIT
# make sass: the machine code of a variant's kernels, and how many loads, stores and multiply-adds it has.
# CHECK=1: only whether there is cuobjdump.
set -u
cuobjdump=$(dirname "$NVCC")/cuobjdump
[ -x "$cuobjdump" ] || cuobjdump=$(command -v cuobjdump)
if [ -z "$cuobjdump" ]; then
    echo "error: cuobjdump is not installed; it is part of the CUDA Toolkit." >&2
    exit 1
fi
[ -z "${CHECK:-}" ] || exit 0
code=$("$cuobjdump" -sass "$1") || exit 1
echo "$code"
echo
awk '
    /Function :/ { kernel = $3; order[++n] = kernel }
    match($0, /^ *\/\*[0-9a-f]+\*\/ +(@!?U?P[0-9T]+ +)?[A-Z0-9]+/) {
        split(substr($0, RSTART, RLENGTH), word, /[ \t]+/)
        op = word[length(word)]
        all[kernel]++
        if (op ~ /^LDG/) ldg[kernel]++; else if (op ~ /^LDS/) lds[kernel]++
        else if (op ~ /^(LDC|ULDC)/) ldc[kernel]++; else if (op ~ /^STG/) stg[kernel]++
        else if (op ~ /^STS/) sts[kernel]++; else if (op ~ /^(LDL|STL)/) spill[kernel]++
        else if (op ~ /^(FFMA|IMAD|IDP|HFMA2|DFMA)/) fma[kernel]++
        else if (op ~ /^BAR/) bar[kernel]++
    }
    END {
        printf "%-14s %s\n", "", "instructions in the code (not executed counts)"
        for (i = 1; i <= n; i++) {
            k = order[i]
            printf "%s\n  all %d, loads: global %d shared %d constant %d, stores: global %d shared %d, local %d, multiply-adds %d, barriers %d\n",
                k, all[k], ldg[k], lds[k], ldc[k], stg[k], sts[k], spill[k], fma[k], bar[k]
        }
    }' <<<"$code" | { command -v cu++filt >/dev/null && cu++filt || c++filt; }
