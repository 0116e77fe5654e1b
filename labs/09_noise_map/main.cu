// SPDX-License-Identifier: MIT
// Lab 09: which pixels changed by more than noise. The variants are listed in reading order; each
// is defined in the file with its name.
#include "common/cuda/backend.hpp"
#include "common/driver/run_lab.hpp"
#include "labs/09_noise_map/parts/operations.hpp"
#include "labs/09_noise_map/variants.hpp"

int main(int argc, char** argv) {
    using namespace convolab::noise;
    convolab::Backend& gpu = convolab::gpu_backend();
    return convolab::run_lab(argc, argv,
                             {"09_noise_map",
                              {&cpu, &cpu_simd, &cpu_threads, &v1, &v2, &v3, &grid, &count, &list},
                              &gpu,
                              red_on_black(),
                              gpu.is_timed() ? &grid : &cpu_threads});
}
