// SPDX-License-Identifier: MIT
// Lab 10: which pixels changed after the noise has been filtered out. The variants are listed in
// reading order; each is defined in the file with its name.
#include "common/cuda/backend.hpp"
#include "common/driver/run_lab.hpp"
#include "labs/10_noise_filter/commands/commands.hpp"
#include "labs/10_noise_filter/parts/operations.hpp"
#include "labs/10_noise_filter/variants.hpp"

int main(int argc, char** argv) {
    using namespace convolab::noise_filter;
    convolab::Backend& gpu = convolab::gpu_backend();
    return convolab::run_lab(argc, argv,
                             {"10_noise_filter",
                              {&cpu, &cpu_simd, &cpu_threads, &tile, &columns, &fused, &count,
                               &pair, &pair_count, &median, &median_count},
                              &gpu,
                              marks(),
                              gpu.is_timed() ? &pair : &cpu_threads,
                              commands()});
}
