#!/bin/bash
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
#
# make report: the report, the numbers of all READMEs and their pictures, from the committed rows (REFERENCE). CHECK=1: only
# names what is out of date. tools/setup.sh chromium installs what prints the PDF.
set -eu
what='report/, README.md and labs/*/README.md'
if [ -n "${CHECK:-}" ]; then echo "comparing $what with $REFERENCE"; else echo "rewriting $what from $REFERENCE"; fi
"$BUILD/data/make_data" --out data/generated --size 480p
python=$(tools/find_python.sh)
# Other machines: their libraries, rooflines, GPUs and ranks stand in the report, too.
also=()
for machine in results/reference/*/; do
    [[ ! -d $machine || $machine == "$REFERENCE/" ]] || also+=(--also "${machine%/}")
done
"$python" study --complete --results "$REFERENCE" --out report --readme README.md --labs labs --texts . "${also[@]}" "$@" \
    "$([ -n "${CHECK:-}" ] && echo --check || echo --pdf)"
[ -z "${CHECK:-}" ] || exit 0
"$python" study/gallery.py "$BUILD/labs/01_sequential/lab" data/generated/scene_480p.png report/figures/gallery.png
"$python" study/video_pictures.py "$BUILD" labs
"$python" study/savings.py "$BUILD" labs
tools/progress.sh $MAKE $BUILDER "BUILD=$ON_CPU" CUDA_BACKEND=cuda_on_cpu \
    "$ON_CPU"/counted/labs/{03_cuda_global,05_cuda_shared}/lab
"$python" study/request_pictures.py "$ON_CPU" labs
