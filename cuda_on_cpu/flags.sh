#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# flags.sh KIND CXX...: the flags of the emulator for a CUDA source, as words of a shell. KIND: page (a lab's own, without what costs
# time), program, check or count. cuda-on-cpu sources this file, rules.mk asks it.

# compiler_flags KIND DEBUG CXX...: sets every=() for each source, of_cuda=() for CUDA sources only, and clang.
compiler_flags() {
    local kind=$1 debug=$2 bounds=bounds
    shift 2
    clang='' of_cuda=()
    # Reports of faults name the line; in DWARF 5 addr2line names the translated file.
    every=(-Wno-unknown-pragmas "$debug" -gdwarf-4)
    if "$(dirname "${BASH_SOURCE[0]}")/is_clang" "$@"; then
        clang=yes bounds=array-bounds
        # clang++ would do what `#pragma unroll` asks of nvcc, and take three times as long to compile.
        every+=(-mllvm -pragma-unroll-threshold=0 -Wno-pass-failed)
    elif [[ $debug == -g1 ]]; then
        every+=(-fno-var-tracking)  # -g1 keeps no values of variables, for which g++ takes a fifth of its time
    fi
    [[ $kind != page ]] || return 0
    # An index past an array of known size is a fault.
    every+=("-fsanitize=$bounds" "-fno-sanitize-recover=$bounds")
    # Mistakes are an address that does not fit its type (device/mistakes/alignment.cpp), a shift by the width of its type, and a float
    # that an integer type cannot hold (ubsan.cpp). `count` would count the operands that these read twice.
    [[ $kind == count ]] || of_cuda+=(-fsanitize=alignment,shift-exponent,float-cast-overflow)
    # It keeps g++ -O1 from paying for the call.
    [[ $kind == count || -n $clang ]] || of_cuda+=(-fcaller-saves -falign-loops=32)
    case $kind$clang in
        check) every+=(-Wno-tsan --param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1
            -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset) ;;
        checkyes) every+=(-mllvm -tsan-instrument-func-entry-exit=0 -mllvm -tsan-instrument-read-before-write=1
            -mllvm -tsan-distinguish-volatile=1) ;;
        # As nvcc does: a struct is loaded by one instruction, functions become a part of the kernel, no code is doubled.
        count) every+=(-fsanitize-coverage=trace-pc '-D__constant__=__attribute__((section("constant_memory")))' -Wno-tsan
            -fno-tree-sra -fno-thread-jumps -finline-functions -finline-small-functions -finline-limit=10000
            --param inline-min-speedup=0) ;;
    esac
    case $kind in
        check) every+=(-fsanitize=thread -DCUDA_ON_CPU_CHECKED) ;;
        count) every+=(-fsanitize=thread -DCUDA_ON_CPU_COUNTED) ;;
    esac
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
    compiler_flags "$1" -g1 "${@:2}"
    printf '%q ' "${every[@]}" "${of_cuda[@]}"
fi
