// SPDX-License-Identifier: MIT
// Lab 04: the filter in constant memory. The variants are listed in reading order; each is defined
// in the file with its name.
#include "common/cuda/backend.hpp"
#include "common/driver/run_lab.hpp"
#include "labs/04_cuda_constant/variants.hpp"

int main(int argc, char** argv) {
    using namespace convolab::cuda_constant;
    return convolab::run_lab(
        argc, argv,
        {"04_cuda_constant", {&padded, &gray, &aos, &soa, &unrolled}, &convolab::gpu_backend()});
}
