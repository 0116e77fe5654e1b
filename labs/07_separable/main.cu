// SPDX-License-Identifier: MIT
// Lab 07: filters that are the outer product of a column and a row, up to the speed of a copy. The
// variants are listed in reading order; each is defined in the file with its name.
#include "common/cuda/backend.hpp"
#include "common/driver/run_lab.hpp"
#include "labs/07_separable/variants.hpp"

int main(int argc, char** argv) {
    using namespace convolab::separable;
    return convolab::run_lab(argc, argv,
                             {"07_separable",
                              {&two_pass, &two_pass_tile, &fused, &packed, &running_sums},
                              &convolab::gpu_backend(),
                              {},
                              &packed});
}
