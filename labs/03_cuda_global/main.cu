// SPDX-License-Identifier: MIT
// Lab 03: image and filter are in global memory. The variants are listed in reading order; each is
// defined in the file with its name.
#include "common/cuda/backend.hpp"
#include "common/driver/run_lab.hpp"
#include "labs/03_cuda_global/variants.hpp"

int main(int argc, char** argv) {
    using namespace convolab::cuda_global;
    return convolab::run_lab(
        argc, argv,
        {"03_cuda_global",
         {&plain, &naive, &coalesced, &padded, &gray, &aos, &soa, &texture, &register_tile, &fft},
         &convolab::gpu_backend(),
         {},
         &register_tile});
}
