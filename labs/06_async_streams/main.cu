// SPDX-License-Identifier: MIT
// Lab 06: copies that overlap, and more than one GPU. The variants are listed in reading order;
// each is defined in the file with its name.
#include "common/cuda/backend.hpp"
#include "common/driver/run_lab.hpp"
#include "labs/06_async_streams/variants.hpp"

int main(int argc, char** argv) {
    using namespace convolab::async_streams;
    return convolab::run_lab(argc, argv,
                             {"06_async_streams",
                              {&pageable, &pinned, &streams, &frames, &graph, &multi_gpu, &chain,
                               &chain_cpu, &peer_bands},
                              &convolab::gpu_backend(),
                              {},
                              &streams});
}
