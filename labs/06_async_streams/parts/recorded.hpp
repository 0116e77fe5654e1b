// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Work of a stream, and of those that wait for it, recorded as a CUDA graph (see 05_graph.cu) and launched by
// one call.
#pragma once

#include <cuda_runtime.h>

#include "common/cuda/check.hpp"

namespace convolab::async_streams {

class Recorded {
  public:
    Recorded() = default;
    Recorded(const Recorded&) = delete;
    Recorded& operator=(const Recorded&) = delete;
    ~Recorded() {
        if (exec_ != nullptr) static_cast<void>(cudaGraphExecDestroy(exec_));
    }

    /// Once. issue(): puts the work on the stream, where it is recorded and not executed.
    template <class Issue>
    void record(cudaStream_t stream, const Issue& issue) {
        CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        cudaGraph_t graph = nullptr;
        try {
            issue();
        } catch (...) {  // the stream is an ordinary one again
            if (cudaStreamEndCapture(stream, &graph) == cudaSuccess)
                static_cast<void>(cudaGraphDestroy(graph));
            static_cast<void>(cudaGetLastError());
            throw;
        }
        CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
        const cudaError_t made = cudaGraphInstantiate(&exec_, graph, 0);
        CUDA_CHECK(cudaGraphDestroy(graph));
        CUDA_CHECK(made);
    }
    void launch(cudaStream_t stream) const { CUDA_CHECK(cudaGraphLaunch(exec_, stream)); }

  private:
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace convolab::async_streams
