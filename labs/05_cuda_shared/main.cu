// SPDX-License-Identifier: MIT
// Lab 05: tiles of the image in shared memory. The variants are listed in reading order; each is
// defined in the file with its name.
#include "common/cuda/backend.hpp"
#include "common/driver/run_lab.hpp"
#include "labs/05_cuda_shared/variants.hpp"

int main(int argc, char** argv) {
    using namespace convolab::cuda_shared;
    return convolab::run_lab(argc, argv,
                             {"05_cuda_shared",
                              {&input_tile, &filter_in_shared, &filter_in_constant, &inner_tile,
                               &two_batch, &two_batch_global, &two_batch_gray, &n_batch, &packed},
                              &convolab::gpu_backend()});
}
