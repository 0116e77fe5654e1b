// SPDX-License-Identifier: MIT
// Lab 01: one thread. The variants are listed in reading order; each is defined in the file with
// its name.
#include "common/driver/run_lab.hpp"
#include "common/measurement/cpu_backend.hpp"
#include "labs/01_sequential/variants.hpp"

int main(int argc, char** argv) {
    using namespace convolab;
    return run_lab(argc, argv,
                   {.name = "01_sequential",
                    .variants = {&nested, &flat, &bounds, &aos, &soa, &separable, &simd, &fft},
                    .backend = &cpu_backend(),
                    .best = &simd});
}
