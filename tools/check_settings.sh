#!/bin/bash
# SPDX-License-Identifier: MIT
# Ends verbs of make (VERB) whose settings cannot be, with one sentence, before anything is built.
set -u
wrong() { echo "error: $1" >&2; exit "${2:-2}"; }
takes() {  # whether one of these verbs is called
    local verb
    for verb in $VERB; do [[ " $* " != *" $verb "* ]] || return 0; done
    return 1
}
LAB=${LAB:-} VARIANT=${VARIANT:-} backend=${CUDA_BACKEND-cuda_on_cpu}

[[ $PINNING == on || $PINNING == off ]] || wrong "PINNING is '$PINNING'; set it to on or off."
[[ $backend == cuda || $backend == cuda_on_cpu ]] || wrong "CUDA_BACKEND is '$backend'; set it to cuda or cuda_on_cpu."
[[ $backend != cuda || -n ${NVCC-unknown} ]] ||
    wrong "CUDA_BACKEND is cuda and there is no nvcc here; install the CUDA Toolkit, or say with NVCC= where it is."
[ -n "$SIZES" ] || wrong "SIZES is empty; set it to all, or to sizes such as 480p,1080p."
if takes run asan tsan check sass profile count && [[ $LAB == *[[:space:]]* ]]; then
    wrong "LAB is '$LAB'; 'make $VERB' takes one lab."
fi
if takes bench verify sanitize asan tsan && [ -n "$VARIANT" ] && [ -z "$LAB" ]; then
    wrong "VARIANT is '$VARIANT'; say with LAB= of which lab."
fi
if takes tsan && [[ -n $LAB && -n ${CUDA_LABS-} ]]; then
    wrong "Lab '$LAB' has CUDA kernels, whose threads ThreadSanitizer cannot follow; take make check LAB=$LAB VARIANT=."
fi
if takes sweep && [ -n "$VARIANT" ]; then
    wrong "VARIANT is '$VARIANT'; 'make $VERB' takes none: each line of a sweep.txt names its variants."
fi

if takes check count && [ -n "${FILE-}" ]; then
    wrong "'make $VERB' takes a lab's variant; of a program of your own: make cu FILE='$FILE' ${VERB^^}=1"
fi
if takes check count sass profile && [[ $VARIANT == *,* ]]; then
    wrong "VARIANT is '$VARIANT'; 'make $VERB' takes one variant."
fi
if takes check count sass profile && [[ -z $LAB || -z $VARIANT ]]; then
    wrong "Say which: make $VERB LAB=05_cuda_shared VARIANT=two_batch"
fi
# A file may define a second variant that counts: 08_pair.cu has pair and pair_count.
if takes check sass profile && ! compgen -G "labs/$LAB/[0-9][0-9]_${VARIANT%_count}.cu" >/dev/null; then
    pages=(labs/"$LAB"/[0-9][0-9]_*.cu)
    pages=("${pages[@]##*/??_}")
    wrong "Lab '$LAB' has no CUDA variant '$VARIANT'; choose from: ${pages[*]%.cu}"
fi
if takes check && [ -d "labs/$LAB/ranks" ]; then
    wrong "Lab '$LAB' runs on MPI ranks, which 'make check' cannot follow; 'make verify LAB=$LAB' compares the bytes."
fi
if takes profile && [ "$backend" != cuda ]; then
    wrong "'make $VERB' needs a GPU and nvcc; here CUDA runs on the CPU, which has no times." 1
fi
if takes sass && [ -z "$NVCC" ]; then
    wrong "There is no nvcc here; install the CUDA Toolkit, or say with NVCC= where it is." 1
fi
if takes run && [[ -z $LAB || -z $OUT ]]; then
    wrong "Say which: make run LAB=01_sequential IMAGE=in.png OUT=out.png ARGS=\"--filter sharpen\", \
or LAB=08_heat_map VIDEO=clip.mp4 OUT=heat.mp4"
fi
if takes count; then
    [ -n "$CUDA_LABS" ] || wrong "Lab '$LAB' has no CUDA kernel; name one that has, such as LAB=05_cuda_shared."
    # shellcheck disable=SC2086
    ! cuda_on_cpu/is_clang $CXX || wrong "count needs g++ (CXX=g++): clang++ does not tell where structs are copied."
fi
if takes library && [ -n "${PREFIX-}" ]; then
    [[ $PREFIX == /* ]] || wrong "PREFIX is '$PREFIX'; give the whole path, such as PREFIX=/usr/local."
    folder=${DESTDIR-}$PREFIX
    { mkdir -p "$folder" && [ -w "$folder" ]; } 2>/dev/null ||
        wrong "The folder '$folder' cannot be written; install as root, or in another, such as PREFIX=$HOME/.local." 1
fi
if takes demo bench sweep && [ -e .git ] && [ -z "${REVISION:-}" ] &&
    [[ $(git rev-parse HEAD 2>&1) == *safe.directory* ]]; then
    echo "note: git does not read this folder, which is another user's, so the rows name no revision;" \
        "to allow it: git config --global --add safe.directory '$PWD'" >&2
fi
for verb in run sanitize sass profile; do
    if takes $verb; then CHECK=1 "tools/$verb.sh" || exit; fi
done
