// SPDX-License-Identifier: MIT
// Lab 12: any filter of 8-bit taps as a matrix, multiplied by tensor cores. The variants are listed
// in reading order; each is defined in the file with its name.
#include "common/cuda/backend.hpp"
#include "common/driver/run_lab.hpp"
#include "labs/12_tensor/variants.hpp"

int main(int argc, char** argv) {
    using namespace convolab::tensor_cores;
    return convolab::run_lab(argc, argv,
                             {"12_tensor",
                              {&im2col, &toeplitz, &dense, &shared, &sparse, &march, &pipeline,
                               &tensor, &wgmma, &cublas},
                              &convolab::gpu_backend(),
                              {},
                              &tensor});
}
