// SPDX-License-Identifier: MIT
// Lab 02: POSIX threads. The variants are listed in reading order; each is defined in the file with
// its name.
#include "common/driver/run_lab.hpp"
#include "common/measurement/cpu_backend.hpp"
#include "labs/02_pthread/variants.hpp"

int main(int argc, char** argv) {
    using namespace convolab;
    return run_lab(argc, argv,
                   {.name = "02_pthread",
                    .variants = {&rows, &grid, &blocks, &queue, &openmp, &simd_rows, &simd_created},
                    .backend = &cpu_backend(),
                    .best = &simd_rows});
}
