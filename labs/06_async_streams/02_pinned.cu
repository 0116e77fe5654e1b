// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// pinned -- the same three calls on pinned memory
// Source: delbimbo2024, 4.4.
// Idea: memory from cudaMallocHost is pinned: it never moves. So the device's copy engine reads and
//     writes it directly, at the bandwidth of the bus.
// Since pageable: the allocation. run() is the same; where rows lie apart on the device, they need not
//     cross the bus in one piece.
// Limit: nothing overlaps. While the image is copied in, the other direction of the bus is idle;
//     while the kernel runs, both directions are.
// Alone: build/labs/06_async_streams/lab bench --variant pageable,pinned --size 4k
#include "labs/06_async_streams/parts/frames_on_host.hpp"

namespace convolab::async_streams {
namespace {

class Pinned final : public FramesOnHost {
  public:
    explicit Pinned(const Job& job) : FramesOnHost(job, HostMemory::pinned) {
        add_frame(job, {whole_image(job)});
    }
    void run() override {
        bands_.front().copy_in_and_wait();
        bands_.front().filter(nullptr);
        bands_.front().copy_out_and_wait();
    }
};

}  // namespace

extern const Variant pinned;
const Variant pinned{
    .name = "pinned",
    .idea = "synchronous copies from and to pinned memory",
    .make = make_one<Pinned>,
    .uses = kUsesKernel,
    .run_copies = true,
    .memory = cuda_memory,
};

}  // namespace convolab::async_streams
