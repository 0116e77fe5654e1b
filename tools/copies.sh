#!/bin/bash
# SPDX-License-Identifier: MIT
# copies.sh FOLDER: the rows of "When does a GPU pay off?", in FOLDER/round_1 to round_3: all cores (lab 02) and a GPU
# with its copies from pageable and pinned memory (lab 06), with warm and with cold caches. It takes three minutes on an H200 with 16
# cores, and 7 GB of memory. SIZES and ITERATIONS: as in config.mk, but 1080p, 4k and 8k, and 20. The labs must be built (`make all`).
set -u
if [ $# != 1 ]; then
    echo "error: copies.sh needs a folder for its rows, such as tools/copies.sh results/copies." >&2
    exit 2
fi
folder=$1
common=(--size "${SIZES:-1080p,4k,8k}" --iterations "${ITERATIONS:-20}" --filter gaussian --ksize 5)
failed=0 # the lab says what and why
for round in 1 2 3; do
    mkdir -p "$folder/round_$round" || exit 1
    for cold in "" --cold; do
        for lab in "02_pthread simd_rows --threads 16" "06_async_streams pageable,streams,frames --bands 8"; do
            read -r name variants settings <<<"$lab"
            # shellcheck disable=SC2086
            "${BUILD:-build}/labs/$name/lab" bench --variant $variants $settings $cold "${common[@]}" \
                --csv "$folder/round_$round/${name}_sweep.csv" </dev/null || failed=1
        done
    done
done
exit $failed
