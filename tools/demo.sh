#!/bin/bash
# SPDX-License-Identifier: MIT
# make demo: a short version of the protocol, 480p to 1080p and 5 iterations. Its results go to a separate folder,
# so that they never mix with those of the full protocol. Steps whose input has not changed are skipped.
set -eu
demo="$BUILD/demo"
export RESULTS="$demo/results" ITERATIONS=5 WARMUP=1 SIZES=480p,720p,1080p IMAGE= VARIANT=

is_verified() {
    local lab
    [ -f "$demo/verified" ] || return 1
    for lab in $LABS; do
        [ "$demo/verified" -nt "$BUILD/labs/$lab/lab" ] || return 1
    done
}

"$BUILD/data/make_data" --out data/generated --size "$SIZES"
timed=$LABS
if [ "$CUDA_BACKEND" = cuda_on_cpu ] && [ -n "$CUDA_LABS" ]; then
    timed=$(comm -23 <(tr ' ' '\n' <<<"$LABS") <(tr ' ' '\n' <<<"$CUDA_LABS"))
    # Checked, not timed: one small size is enough.
    LABS=$CUDA_LABS SIZES=320x180 tools/bench.sh
fi
[ -z "$timed" ] || LABS=$timed tools/bench.sh
if is_verified; then
    echo "verified already, and nothing has changed ($RESULTS/verify.csv)"
else
    rm -f "$demo/verified"
    QUICK=1 tools/verify.sh
    touch "$demo/verified"
fi
python=$(tools/find_python.sh)
"$python" report/make/plots --results "$RESULTS" --out "$demo/report"
