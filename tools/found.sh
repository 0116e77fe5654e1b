#!/bin/bash
# SPDX-License-Identifier: MIT
# make settings: what was found here, and which labs are built. make all: the same in a line, and which files no main() names.
# $1: labs that are not built, $2: why, $3: anything: in a line.
set -u
read -ra cxx <<<"$CXX"
version() { [ -n "$1" ] && "$@" 2>/dev/null | sed -n 's/^\([0-9][0-9.]*\)$/\1/p; s/.*\(release\|Open MPI\) \([0-9][0-9.]*\).*/\2/p' | head -1; }
gxx="${cxx[*]##*/} $(version "${cxx[@]}" -dumpfullversion -dumpversion)"
nvcc=$(version "$NVCC" --version)
mpi=$(version "$MPICXX" --showme:version)
if [ "$CUDA_BACKEND" = cuda ]; then
    cuda='runs on the GPU'
else
    cuda='runs on the CPU: checked, not timed'
fi

if [ -z "${3:-}" ]; then
    show() { printf '%-9s %s\n' "$1" "$2"; }
    if python=$(tools/find_python.sh 2>/dev/null); then
        packages=$("$python" -c 'import platform
from importlib.metadata import version
print(platform.python_version(), "with", ", ".join(f"{name} {version(name)}" for name in "matplotlib pandas jinja2 markdown".split()))')
    fi
    show compiler "$gxx"
    show nvcc "${nvcc:-none}${NVCC:+, $NVCC}"
    show GPU "$([ "$GPU" -gt 0 ] && nvidia-smi --query-gpu=name --format=csv,noheader | sort | uniq -c | sed 's/^ *\([0-9]*\) /\1 x /' | paste -sd, || echo none)"
    show CUDA "$cuda (CUDA_BACKEND=$CUDA_BACKEND)"
    show MPI "${mpi:+Open MPI }${mpi:-none}${MPICXX:+, $MPICXX}"
    show NCCL "${NCCL:-none}"
    show Python "${python:-none that has matplotlib, pandas, jinja2 and markdown: make setup}"
    [ -z "$python" ] || show '' "$packages"
    show labs "$(sed 's/\([0-9][0-9]\)_[^ ]*/\1/g' <<<"$LABS")"
    [ -z "$1" ] || show skipped "$1: $2"
    show folders "built in $BUILD, results in $RESULTS"
    exit
fi

read -ra labs <<<"$LABS"
with=", nvcc $nvcc"
[ -n "$NVCC" ] || with=', no nvcc'
case $GPU in 0 | '') with+=', no GPU' ;; 1) with+=', 1 GPU' ;; *) with+=", $GPU GPUs" ;; esac
with+=$([ -n "$MPICXX" ] && echo ', MPI' || echo ', no MPI')
[ "$CUDA_BACKEND" != cuda ] || with+=$([ -n "$NCCL" ] && echo ', NCCL' || echo ', no NCCL')
echo "$([ ${#labs[@]} = 1 ] && echo "${labs[0]}" || echo "${#labs[@]} labs") with $gxx$with; CUDA $cuda"
[ -z "$1" ] || echo "not built: $1: $2"
for lab in $LABS; do
    main=$(echo labs/"$lab"/main.c*)
    for file in labs/"$lab"/[0-9][0-9]_*.c*; do
        name=${file##*/??_} name=${name%.*}
        [[ ! -f $file || $(<"$main") =~ \&$name[^a-z0-9_] ]] || echo "note: $file is not used: $main does not name &$name" >&2
    done
done
