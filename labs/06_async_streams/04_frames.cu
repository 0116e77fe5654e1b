// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// frames -- many frames, several in flight: the steady state
// Source: new.
// Idea: one image has a beginning and an end, where the bus works in one direction only. In a video,
//     frame n is copied out while frame n + 1 is filtered and frame n + 2 is copied in. Each frame in
//     flight has its own buffers on host and device, and its own stream. The stream keeps the frames
//     that share these buffers in order.
// Since streams: whole frames instead of bands, so no halos; the buffers are used again and again.
// Limit: the bandwidth of the bus with both directions busy; with small pictures the calls, too.
// Alone: build/labs/06_async_streams/lab bench --variant frames --frames 32 --in-flight 1,2,3,4
//     --size 4k
#include "common/cuda/stream.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"

namespace convolab::async_streams {
namespace {

class Frames final : public FramesOnHost {
  public:
    explicit Frames(const Job& job)
        : FramesOnHost(job, HostMemory::pinned),
          frames_(job.settings.frames),
          streams_(static_cast<std::size_t>(frames_in_flight(job))) {
        for (int i = 0; i < frames_in_flight(job); ++i) add_frame(job, {whole_image(job)});
    }
    int frames_per_run() const override { return frames_; }
    void run() override {
        for (int frame = 0; frame < frames_; ++frame) {
            const std::size_t slot = place_of(frame);
            const cudaStream_t stream = streams_[slot].get();
            bands_[slot].copy_in(stream);
            bands_[slot].filter(stream);
            bands_[slot].copy_out(stream);
        }
        for (const Stream& stream : streams_) stream.wait();
    }

  private:
    int frames_;
    std::vector<Stream> streams_;  ///< one per frame in flight
};

}  // namespace

extern const Variant frames;
const Variant frames{
    .name = "frames",
    .idea = "many frames, several in flight: the steady state of a video",
    .make = make_one<Frames>,
    .uses = kUsesFrames | kUsesKernel,
    .run_copies = true,
    .memory = frames_memory,
};

}  // namespace convolab::async_streams
