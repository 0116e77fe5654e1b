// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// multi_gpu -- the frames in turn to all devices
// Source: new.
// Idea: each GPU has its own bus, so two GPUs can copy two frames at once. Frame n goes to device n
//     mod D. Frames are independent, so the devices never wait for each other. One CPU thread issues
//     all work: three calls per frame.
// Since frames: streams and buffers per device. Pinned memory is allocated by a thread on the CPUs
//     next to its device, so that copies do not cross from one processor socket to the other.
// Limit: the slowest bus, and the bandwidth of the host's memory, which all devices share.
// Alone: build/labs/06_async_streams/lab bench --variant frames,multi_gpu --size 4k,8k
#include <algorithm>

#include "common/cuda/device.hpp"
#include "common/cuda/stream.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"

namespace convolab::async_streams {
namespace {

class MultiGpu final : public FramesOnHost {
  public:
    explicit MultiGpu(const Job& job)
        : FramesOnHost(job, HostMemory::pinned),
          devices_(devices_to_use(job.settings.devices)),
          frames_(devices_ * job.settings.frames) {
        for (int i = 0; i < frames_in_flight(job); ++i)
            for (int device = 0; device < devices_; ++device) {
                const OnDevice here(device);
                add_frame(job, {whole_image(job)}, device);
                streams_.emplace_back();
            }
    }
    int frames_per_run() const override { return frames_; }
    int devices() const override { return devices_; }
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
    int devices_;
    int frames_;                   ///< per run: settings.frames per device
    std::vector<Stream> streams_;  ///< slot by slot, the devices in turn
};

/// The host's memory for all devices; the device's memory per device.
MemoryNeed memory_of_all(const Job& job) {
    MemoryNeed need = frames_memory(job);
    need.host *= std::max(1, devices_to_use(job.settings.devices));
    return need;
}

}  // namespace

extern const Variant multi_gpu;
const Variant multi_gpu{
    .name = "multi_gpu",
    .idea = "the frames in turn to all devices",
    .make = make_one<MultiGpu>,
    .uses = kUsesFrames | kUsesKernel | kUsesDevices,
    .run_copies = true,
    .memory = memory_of_all,
};

}  // namespace convolab::async_streams
