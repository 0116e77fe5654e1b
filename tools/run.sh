#!/bin/bash
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
#
# make run: one picture (IMAGE) or one clip (VIDEO) through the lab LAB, into OUT. Installs ffmpeg the
# first time that a clip needs it.
set -u
lab=$BUILD/labs/$LABS/lab
[ -n "$IMAGE" ] && exec "$lab" run --image "$IMAGE" --out "$OUT" "$@"

# A path is relative to where the user stands; 0, moving or rtsp://... is no path.
[ -n "${CALLED_FROM:-}" ] && [ -e "$CALLED_FROM/$VIDEO" ] && VIDEO=$CALLED_FROM/$VIDEO
is_read_without_ffmpeg() {
    case $VIDEO in
    - | *.y4m | moving | panning | static | black) true ;;
    moving:* | panning:* | static:* | black:*) true ;;
    *) [ -d "$VIDEO" ] ;;
    esac
}
is_written_without_ffmpeg() {
    case $OUT in
    - | *.y4m | */) true ;;
    *) [ -d "$OUT" ] ;;
    esac
}
is_read_without_ffmpeg && is_written_without_ffmpeg || tools/setup.sh ffmpeg || exit 1
exec "$lab" run --video "$VIDEO" --out "$OUT" "$@"
