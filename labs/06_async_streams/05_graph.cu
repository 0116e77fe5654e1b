// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// graph -- the work of streams, recorded once and launched with one call
// Source: new.
// Idea: streams makes three calls per band, and each takes CPU time, in every run. A CUDA graph
//     stores this work. While a stream is captured, its calls are recorded instead of executed;
//     events between streams become the edges of the graph. One cudaGraphLaunch then starts all of
//     it.
// Since streams: the capture, in the constructor; run() is one launch and one wait.
// Limit: the same as streams. A graph saves CPU time, not bus time.
// Alone: build/labs/06_async_streams/lab bench --variant streams,graph --size 480p,8k
#include "common/cuda/stream.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"

namespace convolab::async_streams {
namespace {

class Graph final : public FramesOnHost {
  public:
    explicit Graph(const Job& job)
        : FramesOnHost(job, HostMemory::pinned),
          branches_(static_cast<std::size_t>(job.settings.streams)) {
        add_frame(job, cut_in_bands(job, job.settings.bands_or_streams()));
        prepare();
    }
    ~Graph() override { forget(); }
    void run() override {
        CUDA_CHECK(cudaGraphLaunch(graph_, origin_.get()));
        origin_.wait();
    }

  private:
    void prepare() override {
        forget();
        CUDA_CHECK(cudaStreamBeginCapture(origin_.get(), cudaStreamCaptureModeThreadLocal));
        issue();
        cudaGraph_t graph = nullptr;
        CUDA_CHECK(cudaStreamEndCapture(origin_.get(), &graph));
        const cudaError_t made = cudaGraphInstantiate(&graph_, graph, 0);
        CUDA_CHECK(cudaGraphDestroy(graph));
        CUDA_CHECK(made);
    }
    void forget() {
        if (graph_ != nullptr) static_cast<void>(cudaGraphExecDestroy(graph_));
        graph_ = nullptr;
    }

    /// The work of streams, between a fork from the origin and a join back to it.
    void issue() {
        Event fork(cudaEventDisableTiming);
        fork.record(origin_.get());
        for (const Stream& branch : branches_) fork.make_wait(branch.get());
        for (std::size_t b = 0; b < bands_.size(); ++b) {
            const cudaStream_t stream = branches_[b % branches_.size()].get();
            bands_[b].copy_in(stream);
            bands_[b].filter(stream);
            bands_[b].copy_out(stream);
        }
        for (const Stream& branch : branches_) {
            Event join(cudaEventDisableTiming);
            join.record(branch.get());
            join.make_wait(origin_.get());
        }
    }

    Stream origin_;
    std::vector<Stream> branches_;  ///< for the capture only: they become the graph's edges
    cudaGraphExec_t graph_ = nullptr;
};

}  // namespace

extern const Variant graph;
const Variant graph{
    .name = "graph",
    .idea = "the work of streams as one CUDA graph: one launch per run",
    .make = make_one<Graph>,
    .uses = kUsesStreams | kUsesBands | kUsesKernel,
    .run_copies = true,
    .memory = cuda_memory,
};

}  // namespace convolab::async_streams
