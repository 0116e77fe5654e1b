// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// chain -- several filters, and the copies once
// Source: new.
// Idea: where one filter follows another, the picture stays on the device. The copies are paid once,
//     however many filters there are; each filter reads what the one before it has written.
// Since pinned: the kernel runs --filters times, from one buffer to another and back.
// Limit: few filters: the bus, as pinned. Many: the device's memory, or its caches where the picture
//     fits.
// Alone: build/labs/06_async_streams/lab bench --variant chain,chain_cpu --filters 1,2,4,8,16
//     --size 1080p,4k
#include "labs/06_async_streams/parts/chain.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"

namespace convolab::async_streams {
namespace {

class Chain final : public FramesOnHost {
  public:
    explicit Chain(const Job& job)
        : FramesOnHost(job, HostMemory::pinned), filters_(job.settings.filters) {
        require_chain(job);
        add_frame(job, {whole_image(job)});
    }
    void run() override {
        bands_.front().copy_in_and_wait();
        bands_.front().filter_often(filters_, nullptr);
        bands_.front().copy_out_and_wait();
    }

  private:
    int filters_;
};

MemoryNeed memory_of_chain(const Job& job) {
    MemoryNeed need = cuda_memory(job);
    need.device *= 2;
    return need;
}

}  // namespace

extern const Variant chain;
const Variant chain{
    .name = "chain",
    .idea = "several filters on a picture that stays on the device: the copies once",
    .make = make_one<Chain>,
    .uses = kUsesKernel | kUsesFilters,
    .run_copies = true,
    .memory = memory_of_chain,
    .operation = &chain_of_filters(),
};

}  // namespace convolab::async_streams
