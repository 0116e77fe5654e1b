// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// pinned (delbimbo2024 4.4): the same three calls, the host's memory pinned.
//
// Idea: memory from cudaMallocHost stays where it is, so the device's copy engine reads and writes
//   it by itself, at the speed of the bus.
// Since pageable: the allocation; not a line of run().
// What limits it: one thing at a time: while the image comes in the way back is idle, and while the
//   kernel runs both are.
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
    .run_copies = true,
    .memory = cuda_memory,
};

}  // namespace convolab::async_streams
