#!/bin/bash
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
#
# make run: one picture (IMAGE) or one clip (VIDEO) through the lab LAB, into OUT. Installs ffmpeg the
# first time that a clip needs it.
set -u
lab=$BUILD/labs/$LABS/lab
[ -z "${VARIANT:-}" ] || set -- --variant "$VARIANT" "$@"
if [ -n "$IMAGE" ]; then
    [ -z "$VIDEO" ] || { echo "error: IMAGE and VIDEO are both set; name one." >&2; exit 2; }
    exec "$lab" run --image "$IMAGE" --out "$OUT" "$@"
fi
# A lab of clips draws its own; another says what it needs.
[ -n "$VIDEO" ] || exec "$lab" run --out "$OUT" "$@"

is_drawn() { [[ $VIDEO =~ ^(moving|panning|static|black)(:.*)?$ ]]; }
is_camera() { [[ $VIDEO =~ ^[0-9]{1,3}$ ]]; }
# Paths are relative to the folder in which make was called.
if [ -n "${CALLED_FROM:-}" ] && ! is_drawn && ! is_camera; then
    case $VIDEO in
    - | /* | *://*) ;;
    *) VIDEO=$CALLED_FROM/$VIDEO ;;
    esac
fi

is_read_without_ffmpeg() { is_drawn || [ -d "$VIDEO" ] || [[ $VIDEO == - || ${VIDEO,,} == *.y4m ]]; }
is_written_without_ffmpeg() { [ -d "$OUT" ] || [[ $OUT == - || ${OUT,,} == *.y4m || $OUT == */ ]]; }
if ! is_read_without_ffmpeg || ! is_written_without_ffmpeg; then
    tools/setup.sh ffmpeg >&2 || exit 1
fi
exec "$lab" run --video "$VIDEO" --out "$OUT" "$@"
