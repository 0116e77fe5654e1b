// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Work of a stream, and of those that wait for it, recorded as a CUDA graph (see 05_graph.cu) and launched by
// one call.
#pragma once

#include <cuda_runtime.h>

#include <utility>

#include "common/cuda/check.hpp"

namespace convolab::async_streams {

class Recorded {
  public:
    Recorded() = default;
    Recorded(Recorded&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
    Recorded& operator=(Recorded&& other) noexcept {
        std::swap(graph_, other.graph_);
        return *this;
    }
    ~Recorded() {
        if (graph_ != nullptr) static_cast<void>(cudaGraphExecDestroy(graph_));
    }

    /// issue(): puts the work on the stream, where it is recorded and not executed.
    template <class Issue>
    void record(cudaStream_t stream, const Issue& issue) {
        CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        issue();
        cudaGraph_t graph = nullptr;
        CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
        const cudaError_t made = cudaGraphInstantiate(&graph_, graph, 0);
        CUDA_CHECK(cudaGraphDestroy(graph));
        CUDA_CHECK(made);
    }
    void launch(cudaStream_t stream) const { CUDA_CHECK(cudaGraphLaunch(graph_, stream)); }

  private:
    cudaGraphExec_t graph_ = nullptr;
};

}  // namespace convolab::async_streams
