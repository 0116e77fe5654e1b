// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// pageable -- synchronous copies from and to ordinary memory
// Source: delbimbo2024, 4.4.
// Idea: what a first CUDA program does: malloc, cudaMemcpy, kernel, cudaMemcpy. The system may move
//     ordinary (pageable) memory, so the device cannot read it. The runtime therefore copies every
//     byte with the CPU, piece by piece, through a pinned buffer of its own.
// Since lab 05's two_batch: the copies are part of the run, and so of the time.
// Limit: the extra copy by one CPU core. Nothing overlaps.
// Alone: build/labs/06_async_streams/lab bench --variant pageable --size 4k
#include "labs/06_async_streams/parts/frames_on_host.hpp"

namespace convolab::async_streams {
namespace {

class Pageable final : public FramesOnHost {
  public:
    explicit Pageable(const Job& job) : FramesOnHost(job, HostMemory::pageable) {
        add_frame(job, {whole_image(job)});
    }
    void run() override {
        bands_.front().copy_in_and_wait();
        bands_.front().filter(nullptr);
        bands_.front().copy_out_and_wait();
    }
};

}  // namespace

extern const Variant pageable;
const Variant pageable{
    .name = "pageable",
    .idea = "synchronous copies from and to ordinary memory",
    .make = make_one<Pageable>,
    .uses = kUsesKernel,
    .run_copies = true,
    .memory = memory_of_pageable,
};

}  // namespace convolab::async_streams
