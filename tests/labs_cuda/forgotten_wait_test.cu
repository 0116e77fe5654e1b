// SPDX-License-Identifier: MIT
// Lab 06: the source of each variant once more, without its wait. `lab verify`, which does not wait
// for a variant, must find every one.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "common/cuda/backend.hpp"
#include "common/cuda/device.hpp"
#include "common/driver/run_lab.hpp"
#include "labs/06_async_streams/parts/chain.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"
#include "labs/06_async_streams/variants.hpp"
#include "tests/catch.hpp"

#ifdef CUDA_ON_CPU  // streams run as late as CUDA allows, not by chance

namespace convolab::async_streams {
namespace forgotten {
// The defect: the host does not wait for streams, and copies do not wait.
#define cudaStreamSynchronize(stream) (static_cast<void>(stream), cudaSuccess)
#define cudaMemcpy(...) cudaMemcpyAsync(__VA_ARGS__, nullptr)
#define cudaMemcpy2D(...) cudaMemcpy2DAsync(__VA_ARGS__, nullptr)
#include "labs/06_async_streams/01_pageable.cu"
#include "labs/06_async_streams/02_pinned.cu"
#include "labs/06_async_streams/03_streams.cu"
#include "labs/06_async_streams/04_frames.cu"
#include "labs/06_async_streams/05_graph.cu"
#include "labs/06_async_streams/06_multi_gpu.cu"
#include "labs/06_async_streams/07_chain.cu"
#undef cudaStreamSynchronize
#undef cudaMemcpy
#undef cudaMemcpy2D
}  // namespace forgotten
}  // namespace convolab::async_streams

namespace convolab::defects {
namespace {

/// The exit code of `lab verify` for a lab that has only this variant.
int verify(const Variant& variant) {
    char lab[] = "lab", command[] = "verify", size[] = "--size", small[] = "64x40";
    char* arguments[] = {lab, command, size, small, nullptr};
    return run_lab_here(4, arguments, {"planted", {&variant}, &gpu_backend()});
}

}  // namespace

TEST_CASE("verify finds the wait that a variant of lab 06 forgot") {
    namespace right = async_streams;
    namespace forgotten = async_streams::forgotten::convolab::async_streams;
    const std::pair<const Variant*, const Variant*> variants[] = {
        {&right::pinned, &forgotten::pinned},       {&right::streams, &forgotten::streams},
        {&right::frames, &forgotten::frames},       {&right::graph, &forgotten::graph},
        {&right::multi_gpu, &forgotten::multi_gpu}, {&right::chain, &forgotten::chain},
    };
    for (const char* devices : {"1", "2"})
        for (const char* order : {"forward", "reverse"})
            for (const auto& [good, bad] : variants) {
                INFO(good->name << ", " << devices << " devices, " << order);
                setenv("CUDA_ON_CPU_DEVICES", devices, 1);
                setenv("CUDA_ON_CPU_ORDER", order, 1);
                CHECK(verify(*good) == 0);
                CHECK(verify(*bad) == 1);
            }
    unsetenv("CUDA_ON_CPU_DEVICES");
    unsetenv("CUDA_ON_CPU_ORDER");
}

TEST_CASE("a copy to pageable memory waits by itself, so pageable has no wait to forget") {
    CHECK(verify(async_streams::pageable) == 0);
    CHECK(verify(async_streams::forgotten::convolab::async_streams::pageable) == 0);
}

}  // namespace convolab::defects
#endif
