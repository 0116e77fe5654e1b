#!/bin/bash
# SPDX-License-Identifier: MIT
# make verify: every variant of every lab against the reference, as many labs at a time as there are CPUs. When a lab has
# ended, one line says of it what was found, and what failed follows; VERBOSE=1 adds a line for each variant, and why jobs
# were not possible. A lab that crashes does not lose the others' lines.
# $RESULTS/verify.csv is replaced at the end; with LAB= or VARIANT= only the rows of these labs or variants.
# QUICK=1: on small pictures and few larger ones; SIZES other than all: only on the scene at these sizes.
set -u
tools/writable.sh && work=$(mktemp -d "$RESULTS/verify.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export work BUILD
touch "$work/begun"
options=(--pictures "$RESULTS/verify")
[ -n "${VERBOSE:-}" ] || options+=(--brief)
if [ -n "${QUICK:-}" ]; then
    options+=(--quick)
elif [ "$SIZES" != all ]; then
    options+=(--size "$SIZES")
fi
[ -n "${VARIANT:-}" ] && options+=(--variant "$VARIANT")
[ -n "$IMAGE" ] && options+=(--image "$IMAGE")

one_lab() {  # $1: the lab. Its progress goes to stderr; what it found to stdout at the end
    local lab=$1 code
    "$BUILD/labs/$lab/lab" verify --csv "$work/$lab.csv" "${@:2}" >"$work/$lab.log"
    code=$?
    echo $code >"$work/$lab.code"
    if [ ! -s "$work/$lab.csv" ] && [ $code -ne 130 ] && [ $code -ne 2 ]; then
        [ $code -gt 128 ] && code="signal $(kill -l $code)" || code="exit code $code"
        echo "error: $lab ended with $code and gave no rows" >>"$work/$lab.log"
    fi
    [ ! -t 2 ] || printf '\r\033[K' >&2  # the progress of others
    cat "$work/$lab.log"
}
export -f one_lab
# shellcheck disable=SC2086
printf '%s\n' $LABS | xargs -P "$(nproc)" -I LAB bash -c 'one_lab "$@"' one_lab LAB "${options[@]}" &
wait $! || exit $?

cannot_write() {
    echo "error: The results do not fit into the folder '$RESULTS': make room, or choose another, such as" \
        "RESULTS=/tmp/results. An older verify.csv was left as it was." >&2
    exit 1
}
# The rows of an older verify.csv that are not replaced, after its header. Quotes may hold line ends.
rows_to_keep() {
    awk -F, -v labs=" $LABS " -v variants="${VARIANT:+,$VARIANT,}" '
        !quoted { keep = NR == 1 || !index(labs, " " $1 " ") || (variants && !index(variants, "," $2 ",")) }
        { quoted = (quoted + gsub(/"/, "&")) % 2 }
        keep' "$RESULTS/verify.csv"
}
failed=0 ended_early=
if [ -n "${LAB:-}" ] && [ -s "$RESULTS/verify.csv" ]; then
    rows_to_keep >"$work/all.csv" || cannot_write
fi
for lab in $LABS; do
    code=$(cat "$work/$lab.code")
    [ -n "$code" ] || cannot_write
    [ "$code" -ne 130 ] && [ "$code" -ne 2 ] || exit "$code"  # interrupted; a wrong option
    [ "$code" -eq 0 ] || failed=1
    if [ ! -s "$work/$lab.csv" ]; then
        ended_early+=" $lab"
    elif [ -s "$work/all.csv" ] && [ "$(head -1 "$work/all.csv")" = "$(head -1 "$work/$lab.csv")" ]; then
        tail -n +2 "$work/$lab.csv" >>"$work/all.csv" || cannot_write
    else
        [ ! -s "$work/all.csv" ] || echo "note: $RESULTS/verify.csv had the columns of another version; it is replaced" >&2
        cat "$work/$lab.csv" >"$work/all.csv" || cannot_write
    fi
done
written="; there is no verify.csv"
[ ! -s "$work/all.csv" ] || { mv "$work/all.csv" "$RESULTS/verify.csv" && written="; what the other labs gave is in $RESULTS/verify.csv"; }
if [ -n "$ended_early" ]; then
    echo "error: not compared to the end:$ended_early$written" >&2
elif [ $failed -ne 0 ]; then
    drawn=$(find "$RESULTS/verify" -name '*.png' -newer "$work/begun" -print -quit 2>/dev/null)
    echo "error: some variants failed: $RESULTS/verify.csv${drawn:+, pictures of the differences in $RESULTS/verify/}" >&2
else
    echo "all as the reference; what was unsupported, and why: $RESULTS/verify.csv, or VERBOSE=1"
fi
exit $failed
