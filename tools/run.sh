#!/bin/bash
# SPDX-License-Identifier: MIT
# make run: one picture (IMAGE) or one clip (VIDEO) through the lab LAB, into OUT. Installs ffmpeg the first time that a
# clip is named. CHECK=1: only checks the settings, before anything is built.
set -u
lab=$BUILD/labs/$LABS/lab
[ -z "${VARIANT:-}" ] || set -- --variant "$VARIANT" "$@"
fail() { echo "error: $2" >&2; exit "$1"; }

is_drawn() { [[ $VIDEO =~ ^(moving|panning|static|black)(:.*)?$ ]]; }
is_camera() { [[ $VIDEO =~ ^[0-9]{1,3}$ ]]; }
is_from_elsewhere() { is_drawn || is_camera || [[ $VIDEO == *://* ]]; }
# Paths are relative to the folder in which make was called.
if [ -n "$VIDEO" ] && [ -n "${CALLED_FROM:-}" ] && ! is_from_elsewhere && [[ $VIDEO != /* ]]; then
    VIDEO=$CALLED_FROM/$VIDEO
fi

name=${OUT##*/}
ending=${name##*.}
[ "$ending" != "$name" ] || ending=
if [ -n "$IMAGE" ]; then
    [ -z "$VIDEO" ] || fail 2 "IMAGE and VIDEO are both set; name one."
    [ -e "$IMAGE" ] || [[ $IMAGE =~ ^(scene|random|white|moving|panning|static|black)(:|$) ]] ||
        fail 1 "File '$IMAGE' is not there; check the name in IMAGE=."
    [ -z "$ending" ] || [ "${ending,,}" = png ] || fail 2 "OUT is '$OUT' and would be a PNG; let its name end in .png."
elif [ -n "$VIDEO" ]; then
    [ -e "$VIDEO" ] || is_from_elsewhere || fail 1 "File '$VIDEO' is not there; check the name in VIDEO=."
    if [[ ! -d $OUT && $OUT != */ ]]; then
        [ -n "$ending" ] && [ "${ending,,}" != png ] ||
            fail 2 "OUT is '$OUT', not the name of a video: end it in .mp4 or .y4m, or in / for a folder of PNG files."
        # Its exit code says it; the words differ from version to version.
        if command -v ffmpeg >/dev/null; then
            tried=$(mktemp -d) || exit 1
            ffmpeg -v quiet -f lavfi -i color -frames:v 1 "$tried/frame.$ending" </dev/null
            code=$?
            rm -rf "$tried"
            [ $code = 0 ] || fail 2 "OUT is '$OUT', and ffmpeg makes no video that ends in .$ending; end it in .mp4 or .y4m."
        fi
    fi
fi
[[ $OUT == */ || -d $(dirname -- "$OUT") ]] ||
    fail 1 "OUT is '$OUT', and there is no folder '$(dirname -- "$OUT")'; make it first, or name another."
[ -z "${CHECK:-}" ] || exit 0

[ -z "$IMAGE" ] || exec "$lab" run --image "$IMAGE" --out "$OUT" "$@"
# A lab of clips draws its own; another says what it needs.
[ -n "$VIDEO" ] || exec "$lab" run --out "$OUT" "$@"
{ command -v ffmpeg && command -v ffprobe; } >/dev/null || tools/setup.sh ffmpeg >&2 || exit 1
exec "$lab" run --video "$VIDEO" --out "$OUT" "$@"
