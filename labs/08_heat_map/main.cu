// SPDX-License-Identifier: MIT
// Lab 08: how much each pixel changed since the previous frame, as a colour. The variants are
// listed in reading order; each is defined in the file with its name.
#include "common/cuda/backend.hpp"
#include "common/driver/run_lab.hpp"
#include "labs/08_heat_map/parts/operation.hpp"
#include "labs/08_heat_map/variants.hpp"

int main(int argc, char** argv) {
    using namespace convolab::heat;
    convolab::Backend& gpu = convolab::gpu_backend();
    return convolab::run_lab(argc, argv,
                             {"08_heat_map",
                              {&cpu, &cpu_simd, &cpu_threads, &v1, &v2, &v3, &grid, &table},
                              &gpu,
                              operation(),
                              gpu.is_timed() ? &table : &cpu_threads});
}
