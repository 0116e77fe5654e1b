#!/bin/bash
# SPDX-License-Identifier: MIT
# make report: writes the report, the numbers of all READMEs and their pictures, from the committed rows (REFERENCE); CHECK=1 only
# names what is out of date. tools/setup.sh chromium installs what prints the PDF.
# report.sh figure NAME [FOLDER]: draws one figure into FOLDER or results/figures; a wrong NAME lists all.
set -eu
REFERENCE=${REFERENCE:-results/reference/h200_16_cpus}
python=$(tools/find_python.sh)
# Other machines: their libraries, rooflines, GPUs and ranks stand in the report, too.
also=()
for machine in results/reference/*/; do
    [[ ! -d $machine || $machine == "$REFERENCE/" ]] || also+=(--also "${machine%/}")
done
if [ "${1:-}" = figure ]; then
    exec "$python" report/make/paper figure "${2:-}" --results "$REFERENCE" --out "${3:-results/figures}" "${also[@]}"
fi
what='report/ and the numbers of all READMEs'
if [ -n "${CHECK:-}" ]; then echo "comparing $what with $REFERENCE"; else echo "rewriting $what from $REFERENCE"; fi
"$BUILD/data/make_data" --out data/generated --size 480p
"$python" report/make/paper --complete --results "$REFERENCE" --out report --texts . "${also[@]}" "$@" \
    "$([ -n "${CHECK:-}" ] && echo --check || echo --pdf)"
[ -z "${CHECK:-}" ] || { echo "$what are what the rows say"; exit 0; }
tools/setup.sh ffmpeg
"$python" tools/drawings/scene.py "$BUILD" "$ON_CPU" labs report
