#!/bin/bash
# SPDX-License-Identifier: MIT
# clips.sh [CLIP...]: how many frames per second the labs of video make of a clip, from file to file: decoded, computed and
# encoded at the same time. Without CLIP, of two drawn clips of 1080p, FRAMES frames each. A row per clip and lab goes
# to $RESULTS/clips.csv, which is replaced at the end.
set -eu
export RESULTS=${RESULTS:-results}
tools/writable.sh
tools/setup.sh ffmpeg
make --no-print-directory all LAB='01_sequential 08_heat_map 09_noise_map 10_noise_filter'
folder=build/clips
mkdir -p "$folder"
new="$folder/clips.csv"
rm -f "$new"
clips=("$@")
if [ $# = 0 ]; then
    for drawn in moving panning; do
        clips+=("$folder/$drawn.mp4")
        build/labs/01_sequential/lab run --video "$drawn:1920x1080" --length "${FRAMES:-300}" --filter identity \
            --out "$folder/$drawn.mp4" >/dev/null
    done
fi
for clip in "${clips[@]}"; do
    name=${clip##*/}
    for lab in 08_heat_map 09_noise_map 10_noise_filter; do
        "build/labs/$lab/lab" run --video "$clip" --out "$folder/${lab}_${name%.*}.mp4" --csv "$new"
    done
done
mv "$new" "$RESULTS/clips.csv"
